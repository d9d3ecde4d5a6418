// Package git asks the git program what a repository holds: which commit a name
// means, which one a change started from, what a file was then.
//
// It only reads. No program that the repository's configuration names is run
// (hooks, fsmonitor, filters, pagers, signatures), nothing is asked over a
// network, not even objects that a partial clone left out, and no lock is
// taken. Each question has [patience], and answers are bounded.
package git

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// Why there is no repository to ask, for errors.Is.
var (
	ErrNoGit        = errors.New("git is not installed, or not on the PATH")
	ErrNoRepository = errors.New("no git repository")
	ErrBare         = errors.New("a git repository without a work tree")
	ErrUnsafe       = errors.New("git refuses a repository of another user")
	// ErrShallow and ErrPartial: the clone lacks what was asked for.
	ErrShallow = errors.New("the clone is shallow")
	ErrPartial = errors.New("the clone is partial")
)

const (
	patience  = 30 * time.Second
	mostLines = 64 << 20 // bytes of a listing
	mostSaid  = 4 << 10  // bytes kept of what git complains about
)

// Repository is a work tree and the repository it belongs to.
type Repository struct {
	root string
}

// Open finds the work tree that the folder dir lies in. Without one the error
// is ErrNoGit, ErrNoRepository, ErrBare or ErrUnsafe, with what to do.
func Open(ctx context.Context, dir string) (*Repository, error) {
	out, err := ask(ctx, dir, mostLines, "rev-parse", "--show-toplevel")
	if err != nil {
		return nil, refusal(dir, err)
	}
	root, err := filepath.EvalSymlinks(filepath.FromSlash(strings.TrimSuffix(out, "\n")))
	if err != nil {
		return nil, err
	}
	return &Repository{root}, nil
}

// refusal is why git has no work tree for dir.
func refusal(dir string, err error) error {
	var refused *failure
	if !errors.As(err, &refused) {
		return err
	}
	switch said := refused.said; {
	case strings.Contains(said, "dubious ownership"):
		return fmt.Errorf("%s: %w (%s); if you trust it: git config --global --add safe.directory DIR, with DIR as named here", dir, ErrUnsafe, refused.line())
	case strings.Contains(said, "bare repository"), strings.Contains(said, "must be run in a work tree"):
		return fmt.Errorf("%s: %w", dir, ErrBare)
	case strings.Contains(said, "not a git repository"):
		return fmt.Errorf("%s: %w", dir, ErrNoRepository)
	}
	return err
}

// Root is the absolute path of the work tree's top folder, without links.
func (r *Repository) Root() string { return r.root }

func (r *Repository) ask(ctx context.Context, args ...string) (string, error) {
	return ask(ctx, r.root, mostLines, args...)
}

// command is git with args, started in dir.
func command(ctx context.Context, dir string, args ...string) *exec.Cmd {
	safe := []string{"--no-pager", "--literal-pathspecs", "--no-replace-objects",
		"-c", "core.fsmonitor=false", "-c", "core.hooksPath=" + os.DevNull,
		// A folder of documents may hold what looks like a repository.
		"-c", "safe.bareRepository=explicit"}
	cmd := exec.CommandContext(ctx, "git", append(safe, args...)...)
	cmd.Dir = dir
	cmd.WaitDelay = time.Second
	for _, v := range os.Environ() {
		// Where kerf runs in a hook, GIT_DIR and its like name another repository.
		name, _, _ := strings.Cut(v, "=")
		if !strings.HasPrefix(name, "GIT_") || strings.HasPrefix(name, "GIT_CONFIG_") ||
			name == "GIT_EXEC_PATH" || name == "GIT_CEILING_DIRECTORIES" || name == "GIT_DISCOVERY_ACROSS_FILESYSTEM" {
			cmd.Env = append(cmd.Env, v)
		}
	}
	cmd.Env = append(cmd.Env, "LC_ALL=C", "GIT_TERMINAL_PROMPT=0", "GIT_OPTIONAL_LOCKS=0", "GIT_NO_LAZY_FETCH=1",
		"GIT_ALLOW_PROTOCOL=:") // none; git before 2.44 knows no GIT_NO_LAZY_FETCH
	return cmd
}

// ask is what git prints, an error where that is more than most bytes.
func ask(ctx context.Context, dir string, most int, args ...string) (string, error) {
	ctx, stop := context.WithTimeout(ctx, patience)
	defer stop()
	cmd := command(ctx, dir, args...)
	out, said := &head{most: most}, &head{most: mostSaid}
	cmd.Stdout, cmd.Stderr = out, said
	err := cmd.Run()
	var status *exec.ExitError
	switch {
	case errors.Is(err, exec.ErrNotFound):
		return "", ErrNoGit
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return "", fmt.Errorf("git %s: no answer in time: %w", args[0], ctx.Err())
	case ctx.Err() != nil:
		return "", ctx.Err()
	case errors.As(err, &status):
		return "", &failure{args[0], status.ExitCode(), string(said.text)}
	case err != nil:
		return "", fmt.Errorf("git %s: %w", args[0], err)
	case out.over:
		return "", fmt.Errorf("git %s: more than %d bytes", args[0], most)
	}
	return string(out.text), nil
}

// failure is git's own no.
type failure struct {
	verb string
	code int
	said string
}

func (f *failure) Error() string { return fmt.Sprintf("git %s: %s", f.verb, f.line()) }

// line is the first of the complaint.
func (f *failure) line() string {
	line, _, _ := strings.Cut(f.said, "\n")
	if line = strings.TrimPrefix(line, "fatal: "); line == "" {
		return fmt.Sprintf("ended with %d", f.code)
	}
	return line
}

// head keeps the first most bytes written to it.
type head struct {
	text []byte
	most int
	over bool
}

func (h *head) Write(p []byte) (int, error) {
	room := h.most - len(h.text)
	h.over = h.over || len(p) > room
	h.text = append(h.text, p[:min(len(p), room)]...)
	return len(p), nil
}

// fields are the fields of a listing with -z.
func fields(out string) []string {
	return strings.FieldsFunc(out, func(r rune) bool { return r == 0 })
}
