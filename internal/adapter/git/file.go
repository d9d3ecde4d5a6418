package git

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strconv"
	"strings"
)

// Inside is the path of a file below the root, with "/". Links on the way to it
// are followed, as they were to the root; the file itself need not exist and is
// not followed.
func (r *Repository) Inside(name string) (string, error) {
	name, err := filepath.Abs(name)
	if err != nil {
		return "", err
	}
	dir, rest := filepath.Split(name)
	real, err := filepath.EvalSymlinks(dir)
	for errors.Is(err, fs.ErrNotExist) && filepath.Dir(filepath.Clean(dir)) != filepath.Clean(dir) {
		// The folder may be gone since the commit.
		dir = filepath.Clean(dir)
		rest = filepath.Join(filepath.Base(dir), rest)
		dir = filepath.Dir(dir)
		real, err = filepath.EvalSymlinks(dir)
	}
	if err != nil {
		return "", err
	}
	below, err := filepath.Rel(r.root, filepath.Join(real, rest))
	if err != nil || !filepath.IsLocal(below) {
		return "", fmt.Errorf("%s is outside of the repository %s", name, r.root)
	}
	return filepath.ToSlash(below), nil
}

const pointer = "version https://git-lfs.github.com/spec/"

// File is the content of a file, its path as Inside gives it, at a commit, its
// digest as Commit gives it. No filter is applied. A file that is not there is
// fs.ErrNotExist, one that a partial clone left out ErrPartial; a link, a
// folder, a pointer of git-lfs and more than most bytes are errors too.
func (r *Repository) File(ctx context.Context, commit, name string, most int64) ([]byte, error) {
	if !isDigest(commit) {
		panic("BUG: " + commit + " is no digest of a commit")
	}
	at := fmt.Sprintf("%s at %.10s", name, commit)
	left := func(err error) error { // out by a filter of the clone
		if refused := (*failure)(nil); errors.As(err, &refused) {
			if out, e := r.ask(ctx, "config", "--get-regexp", `^remote\..*\.promisor$`); e == nil && out != "" {
				return fmt.Errorf("%s: %w, and kerf asks no server; bring it with: git cat-file -e %s", at, ErrPartial, quoted(commit+":"+name))
			}
		}
		return fmt.Errorf("%s: %w", at, err)
	}
	out, err := r.ask(ctx, "ls-tree", "-z", commit, "--", name)
	if err != nil {
		return nil, left(err)
	}
	entries := fields(out)
	if len(entries) != 1 || !strings.HasSuffix(entries[0], "\t"+name) {
		return nil, fmt.Errorf("%s: %w%s", at, fs.ErrNotExist, r.through(ctx, commit, name))
	}
	entry := strings.Fields(entries[0])
	switch mode, digest := entry[0], entry[2]; mode {
	case "120000":
		return nil, fmt.Errorf("%s is a link", at)
	case "160000":
		return nil, fmt.Errorf("%s is a submodule", at)
	case "040000":
		return nil, fmt.Errorf("%s is a folder", at)
	default:
		out, err = r.ask(ctx, "cat-file", "-s", digest)
		if err != nil {
			return nil, left(err)
		}
		size, err := strconv.ParseInt(strings.TrimSuffix(out, "\n"), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("%s: its size: %w", at, err)
		}
		if size > most {
			return nil, fmt.Errorf("%s has %d bytes; the most is %d", at, size, most)
		}
		content, err := ask(ctx, r.root, int(size), "cat-file", "blob", digest)
		if err != nil {
			return nil, left(err)
		}
		if int64(len(content)) != size {
			return nil, fmt.Errorf("%s: %d of %d bytes", at, len(content), size)
		}
		if strings.HasPrefix(content, pointer) {
			return nil, fmt.Errorf("%s is a pointer of git-lfs, whose text is not in the repository (git lfs pull brings today's files alone): "+
				"give kerf the older file itself, or keep it in git without git-lfs", at)
		}
		return []byte(content), nil
	}
}

// through says which submodule or link stood on the way to a file, "" without one.
func (r *Repository) through(ctx context.Context, commit, name string) string {
	for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
		out, _ := r.ask(ctx, "ls-tree", "-z", commit, "--", dir)
		switch mode, _, _ := strings.Cut(out, " "); mode {
		case "160000":
			return fmt.Sprintf(" (%s is a submodule, a repository of its own)", dir)
		case "120000":
			return fmt.Sprintf(" (%s is a link)", dir)
		}
	}
	return ""
}

// quoted is s as one word of a POSIX shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }
