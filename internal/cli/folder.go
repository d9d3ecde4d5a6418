package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"kerf/internal/corpus"
	"kerf/internal/study/cas"
)

// tree is the part of the file system that one manifest may lead to: the git
// repository around it, else its own folder. Links do not lead out of it.
type tree struct {
	base string // absolute, links resolved
	root *os.Root
	name string // of the file it was opened for, below base, with "/"
}

// openTree opens the tree around a file, which itself need not be there.
func openTree(file string) (*tree, error) {
	dir, err := realPath(filepath.Dir(file))
	if err != nil {
		return nil, err
	}
	base := gitRoot(dir)
	if base == "" {
		base = dir
	}
	root, err := os.OpenRoot(base)
	if err != nil {
		return nil, err
	}
	t := &tree{base: base, root: root}
	if t.name, err = t.rel(filepath.Join(dir, filepath.Base(file))); err != nil {
		panic("BUG: " + err.Error())
	}
	return t, nil
}

// FS is the tree for reading; the caller closes t.root when it is done.
func (t *tree) FS() fs.FS { return t.root.FS() }

// rel is the path below the tree of an absolute path.
func (t *tree) rel(path string) (string, error) {
	rel, err := filepath.Rel(t.base, path)
	rel = filepath.ToSlash(rel)
	if err != nil || !fs.ValidPath(rel) {
		return "", fmt.Errorf("%s is outside of %s, the furthest that the manifest may lead (its git repository, else its folder)", path, t.base)
	}
	return rel, nil
}

// keep stores a copy of a frozen text, so that labels on it can be followed when
// the document has changed.
func (t *tree) keep(version, text string) error {
	file := filepath.Join(t.base, filepath.FromSlash(corpus.KeptPath(t.name, version)))
	if _, err := os.Lstat(file); err == nil {
		return nil
	}
	return cas.WriteFile(file, []byte(text), 0o600)
}

// guard lets nobody read a kept text who may not read its document.
func (t *tree) guard(c *corpus.Corpus) error {
	modes := map[string]fs.FileMode{} // by version
	for _, d := range c.Documents {
		info, err := t.root.Stat(path.Join(path.Dir(t.name), c.Root, d.Path)) // of texts the one file that holds them
		if err != nil {
			return err
		}
		mode := info.Mode().Perm() & 0o666
		if other, ok := modes[d.Version.Version]; ok {
			mode &= other
		}
		modes[d.Version.Version] = mode
	}
	for version, mode := range modes {
		kept := filepath.FromSlash(corpus.KeptPath(t.name, version))
		if info, err := t.root.Stat(kept); err == nil && info.Mode().Perm() != mode {
			if err := t.root.Chmod(kept, mode); err != nil {
				return err
			}
		}
	}
	return nil
}

// gitRoot is the nearest folder at or above dir that holds .git, or "".
func gitRoot(dir string) string {
	for {
		if _, err := os.Lstat(filepath.Join(dir, ".git")); err == nil {
			return dir
		}
		up := filepath.Dir(dir)
		if up == dir {
			return ""
		}
		dir = up
	}
}

func realPath(path string) (string, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	return filepath.EvalSymlinks(path)
}

// resolved is a path of kerf.yaml: as it is where it is absolute, else from the
// experiment's folder.
func resolved(home, path string) string {
	path = filepath.FromSlash(path)
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(home, path)
}

// absent says whether there is nothing at path.
func absent(path string) bool {
	_, err := os.Stat(path)
	return errors.Is(err, fs.ErrNotExist)
}

// writeFile writes a file as a whole or not at all.
func writeFile(path string, content []byte) error { return cas.WriteFile(path, content, 0o666) }
