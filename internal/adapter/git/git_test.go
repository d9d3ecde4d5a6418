package git

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// sandbox is a folder for repositories, with a configuration of its own.
type sandbox struct {
	*testing.T
	dir string
}

func newSandbox(t *testing.T) *sandbox {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := &sandbox{t, dir}
	s.write("config", "[user]\nname = ann\nemail = ann@example.com\n[init]\ndefaultBranch = main\n[protocol \"file\"]\nallow = always\n")
	for name, value := range map[string]string{
		"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": s.path("config"), "GIT_CEILING_DIRECTORIES": dir,
		"GIT_AUTHOR_DATE": "2026-03-04T05:06:07Z", "GIT_COMMITTER_DATE": "2026-03-04T05:06:07Z",
	} {
		t.Setenv(name, value)
	}
	return s
}

func (s *sandbox) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

func (s *sandbox) write(name, text string) {
	s.Helper()
	if err := os.MkdirAll(filepath.Dir(s.path(name)), 0o777); err != nil {
		s.Fatal(err)
	}
	if err := os.WriteFile(s.path(name), []byte(text), 0o666); err != nil {
		s.Fatal(err)
	}
}

// git runs the real thing in a folder of the sandbox.
func (s *sandbox) git(dir string, args ...string) string {
	s.Helper()
	out, err := s.try(dir, args...)
	if err != nil {
		s.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return out
}

func (s *sandbox) try(dir string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	cmd.Dir = s.path(dir)
	out, err := cmd.CombinedOutput()
	return strings.TrimSpace(string(out)), err
}

// commit makes the files (name, text, ...) and a commit of them, and gives its digest.
func (s *sandbox) commit(dir string, files ...string) string {
	s.Helper()
	if _, err := os.Stat(s.path(dir + "/.git")); err != nil {
		s.write(dir+"/.keep", "")
		s.git(dir, "init", "-q")
	}
	for i := 0; i < len(files); i += 2 {
		s.write(dir+"/"+files[i], files[i+1])
	}
	s.git(dir, "add", "-A")
	s.git(dir, "commit", "-q", "--allow-empty", "-m", "x")
	return s.git(dir, "rev-parse", "HEAD")
}

func (s *sandbox) open(dir string) *Repository {
	s.Helper()
	r, err := Open(s.Context(), s.path(dir))
	if err != nil {
		s.Fatal(err)
	}
	return r
}

// refuses wants an error of a kind (nil: any) whose text has all of words.
func (s *sandbox) refuses(err, kind error, words ...string) {
	s.Helper()
	if err == nil || kind != nil && !errors.Is(err, kind) {
		s.Errorf("got %v, want %v", err, kind)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			s.Errorf("got %q, want %q in it", err, w)
		}
	}
}

func TestOpen(t *testing.T) {
	s := newSandbox(t)
	s.commit("my work/größe", "eval/kerf.yaml", "kerf: experiment/1\n")
	for _, dir := range []string{"my work/größe", "my work/größe/eval"} {
		if got := s.open(dir).Root(); got != s.path("my work/größe") {
			t.Errorf("%s: root %s", dir, got)
		}
	}

	s.write("none/x", "")
	_, err := Open(t.Context(), s.path("none"))
	s.refuses(err, ErrNoRepository, "none")
	_, err = Open(t.Context(), s.path("missing"))
	s.refuses(err, fs.ErrNotExist)
	s.git("", "init", "-q", "--bare", "bare")
	_, err = Open(t.Context(), s.path("bare"))
	s.refuses(err, ErrBare)
	_, err = Open(t.Context(), s.path("my work/größe/.git"))
	s.refuses(err, ErrBare)

	// A hook names the repository it runs for; the folder decides.
	s.commit("other", "a", "a")
	t.Setenv("GIT_DIR", s.path("other/.git"))
	t.Setenv("GIT_WORK_TREE", s.path("other"))
	if got := s.open("my work/größe").Root(); got != s.path("my work/größe") {
		t.Errorf("GIT_DIR is taken: %s", got)
	}
}

// TestEmbedded: what looks like a bare repository inside a folder of documents
// is none: its configuration is not read.
func TestEmbedded(t *testing.T) {
	s := newSandbox(t)
	s.commit("r", "docs/a.md", "a")
	s.git("r", "init", "-q", "--bare", "docs/trap")
	s.git("r/docs/trap", "config", "core.bare", "false")
	s.git("r/docs/trap", "config", "core.worktree", s.path("r/docs"))
	if out, err := s.try("r/docs/trap", "-c", "safe.bareRepository=explicit", "rev-parse", "--git-dir"); err == nil {
		t.Skipf("this git knows no safe.bareRepository: %s", out)
	}
	_, err := Open(t.Context(), s.path("r/docs/trap"))
	s.refuses(err, ErrBare)
}

// TestReplaced: a commit is what its digest says, whatever refs/replace says.
func TestReplaced(t *testing.T) {
	s := newSandbox(t)
	one := s.commit("r", "a", "1")
	two := s.commit("r", "a", "2")
	s.git("r", "replace", one, two)
	if text, err := s.open("r").File(t.Context(), one, "a", 10); string(text) != "1" || err != nil {
		t.Errorf("%q, %v", text, err)
	}
}

// TestEnvironment: safe.directory may be set by variables of the configuration.
func TestEnvironment(t *testing.T) {
	pass := []string{"GIT_CONFIG_GLOBAL=g", "GIT_CONFIG_COUNT=0", "GIT_EXEC_PATH=e", "HOME=h", "GIT_CEILING_DIRECTORIES=c", "GIT_DISCOVERY_ACROSS_FILESYSTEM=1"}
	stop := []string{"GIT_DIR=x", "GIT_WORK_TREE=x", "GIT_INDEX_FILE=x", "GIT_CONFIG=x", "GIT_SSH_COMMAND=x", "GIT_EXTERNAL_DIFF=x", "GIT_PAGER=x", "GIT_TRACE=1"}
	for _, v := range append(pass, stop...) {
		name, value, _ := strings.Cut(v, "=")
		t.Setenv(name, value)
	}
	env := command(t.Context(), ".", "version").Env
	for _, v := range pass {
		if !slices.Contains(env, v) {
			t.Errorf("%s is not passed on", v)
		}
	}
	for _, v := range stop {
		if slices.Contains(env, v) {
			t.Errorf("%s is passed on", v)
		}
	}
}

func TestOpenUnsafe(t *testing.T) {
	s := newSandbox(t)
	s.commit("r", "a", "a")
	t.Setenv("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1")
	// Variables of git's own tests are not passed on, so the check is shown on
	// what git says.
	cmd := exec.Command("git", "rev-parse", "--show-toplevel")
	cmd.Dir = s.path("r")
	out, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(out), "dubious ownership") {
		t.Skipf("this git has no test of owners: %v %s", err, out)
	}
	s.refuses(refusal("r", &failure{"rev-parse", 128, string(out)}), ErrUnsafe, "safe.directory", s.path("r"))
}

func TestNoGit(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := Open(t.Context(), t.TempDir()); !errors.Is(err, ErrNoGit) {
		t.Errorf("got %v", err)
	}
}

func TestInside(t *testing.T) {
	s := newSandbox(t)
	s.commit("a b/ü", "docs/x y.md", "x", "eval/kerf.yaml", "k")
	r := s.open("a b/ü")
	want := map[string]string{
		"a b/ü/docs/x y.md":         "docs/x y.md",
		"a b/ü/eval/kerf.yaml":      "eval/kerf.yaml",
		"a b/ü/eval/../gone/é/q.md": "gone/é/q.md",
		"a b/ü/..x":                 "..x",
		"a b/ü":                     ".",
	}
	if runtime.GOOS != "windows" {
		for name, to := range map[string]string{"link": "a b", "a b/ü/today": "docs", "a b/ü/file.md": "docs/x y.md", "a b/ü/out": s.dir} {
			if err := os.Symlink(to, s.path(name)); err != nil {
				t.Fatal(err)
			}
		}
		want["link/ü/eval/kerf.yaml"] = "eval/kerf.yaml"
		want["a b/ü/today/x y.md"] = "docs/x y.md"
		want["a b/ü/file.md"] = "file.md"
		_, err := r.Inside(s.path("a b/ü/out/config"))
		s.refuses(err, nil, "outside of the repository")
		if got := s.open("link/ü").Root(); got != r.Root() {
			t.Errorf("by a link the root is %s", got)
		}
	}
	for name, want := range want {
		if got, err := r.Inside(s.path(name)); got != want || err != nil {
			t.Errorf("%s: %q, %v", name, got, err)
		}
	}
	for _, name := range []string{"config", "a b/x", "a b/ü/../../config"} {
		_, err := r.Inside(s.path(name))
		s.refuses(err, nil, "outside of the repository")
	}
}

func TestWorktreeAndSubmodule(t *testing.T) {
	s := newSandbox(t)
	first := s.commit("main", "kerf.yaml", "one")
	s.git("main", "worktree", "add", "-q", "-b", "side", s.path("tree of ü"))
	side := s.commit("tree of ü", "kerf.yaml", "two")
	r := s.open("tree of ü")
	if r.Root() != s.path("tree of ü") {
		t.Errorf("root %s", r.Root())
	}
	ref, sha, err := r.Base(t.Context(), os.Getenv)
	if ref != "main" || sha != first || err != nil {
		t.Errorf("base %s %s, %v; want %s", ref, sha, err, first)
	}
	if text, err := r.File(t.Context(), side, "kerf.yaml", 10); string(text) != "two" || err != nil {
		t.Errorf("%q, %v", text, err)
	}

	s.commit("super", "a", "a")
	s.git("super", "submodule", "--quiet", "add", s.path("main"), "sub")
	at := s.commit("super")
	if got := s.open("super/sub").Root(); got != s.path("super/sub") {
		t.Errorf("root of a submodule: %s", got)
	}
	super := s.open("super")
	_, err = super.File(t.Context(), at, "sub/kerf.yaml", 10)
	s.refuses(err, fs.ErrNotExist, "sub is a submodule")
	_, err = super.File(t.Context(), at, "sub", 10)
	s.refuses(err, nil, "sub at", "is a submodule")
}

func TestTimeAndSize(t *testing.T) {
	s := newSandbox(t)
	s.commit("r", "a", "a")
	ctx, stop := context.WithCancel(t.Context())
	r := s.open("r")
	stop()
	if _, err := r.Commit(ctx, "HEAD"); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v", err)
	}
	if _, err := ask(t.Context(), s.path("r"), 39, "rev-parse", "HEAD"); err == nil || !strings.Contains(err.Error(), "more than 39 bytes") {
		t.Errorf("got %v", err)
	}
	if out, err := ask(t.Context(), s.path("r"), 41, "rev-parse", "HEAD"); len(out) != 41 || err != nil {
		t.Errorf("got %q, %v", out, err)
	}
}
