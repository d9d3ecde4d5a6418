package cas

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
)

// Temporary begins the names of files that are being written beside their place.
const Temporary = ".writing-"

// WriteFile puts content at path as a whole or not at all: a reader never sees a
// half. Links are followed and stay. A file that is replaced keeps its
// permissions, a new one has perm less the umask; folders are made. What is no
// regular file, such as a device, is written to in place.
func WriteFile(path string, content []byte, perm fs.FileMode) error {
	path, err := followed(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	old, err := os.Stat(path)
	if err == nil && !old.Mode().IsRegular() {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return err
		}
		_, err = f.Write(content)
		return cmp.Or(err, f.Close())
	}
	f, err := beside(path, perm)
	if err != nil {
		return err
	}
	if _, err = f.Write(content); err == nil && old != nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err = cmp.Or(err, f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		f.Close()
		os.Remove(f.Name())
	}
	return err
}

// beside makes a file in the folder of path under a name that nobody has.
func beside(path string, perm fs.FileMode) (*os.File, error) {
	for {
		name := fmt.Sprintf("%s%08x", Temporary, rand.Uint32())
		f, err := os.OpenFile(filepath.Join(filepath.Dir(path), name), os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
		if !errors.Is(err, fs.ErrExist) {
			return f, err
		}
	}
}

// followed is where the links at path lead; the last of them may lead to nothing
// yet.
func followed(path string) (string, error) {
	const most = 40
	for range most {
		to, err := os.Readlink(path)
		if err != nil { // no link, or nothing there
			return path, nil
		}
		if !filepath.IsAbs(to) {
			dir, err := filepath.EvalSymlinks(filepath.Dir(path))
			if err != nil {
				return "", err
			}
			to = filepath.Join(dir, to)
		}
		path = to
	}
	return "", fmt.Errorf("%s: more than %d links in a row", path, most)
}
