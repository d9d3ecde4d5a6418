package sweep

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kerf/internal/study/cas"
	"kerf/internal/study/ledger"
)

// Folder is a run's directory in the making: .kerf/runs/ID. Several processes
// may make the same one; they write the same bytes.
type Folder struct {
	ID, Path string
	store    *cas.Store
	whole    map[string]bool // files that Append has found to end with a line's end
}

// NewFolder makes the directory of a run below root.
func NewFolder(root, id string, store *cas.Store) (*Folder, error) {
	f := &Folder{ID: id, Path: filepath.Join(root, id), store: store, whole: map[string]bool{}}
	if err := os.MkdirAll(f.Path, 0o777); err != nil {
		return nil, fmt.Errorf("run folder: %w", err)
	}
	return f, nil
}

// Begin writes what is known before anything is retrieved: the manifest, without
// the ledger's digest, where there is none yet. And it takes the room that the
// tables of a run need in which every cell fails: a full disk leaves them to be
// written all the same. Ledger gives the room back.
func (f *Folder) Begin(s *Study, o Origin, cells []Cell) error {
	results := s.notBegun(cells)
	manifest := s.Manifest(f.ID, o, results, "")
	if _, err := os.Stat(filepath.Join(f.Path, manifestFile)); err != nil {
		if err := f.Write(manifestFile, manifest); err != nil {
			return err
		}
	}
	const directories, detail = 64 << 10, 512 // bytes; the second for the reason of a failure
	need := directories + 2*len(manifest) + detail*len(cells)
	for _, table := range s.runTables(f.ID, results) {
		need += 2 * len(table)
	}
	return f.Write(roomFile, make([]byte, need))
}

const (
	manifestFile = "manifest.json"
	roomFile     = cas.Temporary + "room"
)

// Write replaces a file of the run in one step.
func (f *Folder) Write(name string, content []byte) error {
	path := filepath.Join(f.Path, name)
	if have, err := os.ReadFile(path); err == nil && bytes.Equal(have, content) {
		return nil
	}
	for try := 0; ; try++ {
		err := cas.WriteFile(path, content, 0o666)
		if err == nil {
			return nil
		}
		if try == 9 || !errors.Is(err, fs.ErrNotExist) { // swept away by another process's clean
			return fmt.Errorf("run folder: %w", err)
		}
	}
}

// clean removes what killed processes left half written, and files of cells
// that have no result now (they had one in an earlier attempt, and the store
// was emptied since): nothing of a ledger stands outside of its digest.
func (f *Folder) clean(keep map[string]bool) error {
	return filepath.WalkDir(f.Path, func(path string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) { // another process was faster
			return nil
		}
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(f.Path, path)
		if err != nil {
			return err
		}
		cells := strings.ContainsRune(name, filepath.Separator)
		if cells && !keep[name] || strings.HasPrefix(d.Name(), cas.Temporary) {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return err
			}
		}
		return nil
	})
}

// Append adds a line to a file of the run that is no part of its digest. A last
// line without its end, left by a kill, is cut off first and returned, after
// the number that it had.
func (f *Folder) Append(name string, line []byte) (torn string, err error) {
	path := filepath.Join(f.Path, name)
	if !f.whole[name] {
		if torn, err = mend(path); err != nil {
			return "", fmt.Errorf("run folder: %w", err)
		}
		f.whole[name] = true
	}
	file, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o666)
	if err == nil {
		_, err = file.Write(append(slices.Clip(line), '\n'))
		err = cmp.Or(err, file.Close())
	}
	if err != nil {
		f.whole[name] = false
		return torn, fmt.Errorf("run folder: %w", err)
	}
	return torn, nil
}

// mend cuts off a last line without its end.
func mend(path string) (torn string, err error) {
	content, err := os.ReadFile(path)
	end := bytes.LastIndexByte(content, '\n') + 1
	if err != nil || end == len(content) {
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return "", err
	}
	number := bytes.Count(content, []byte("\n")) + 1
	return fmt.Sprintf("%d: %.60q", number, content[end:]), os.Truncate(path, int64(end))
}

// Ledger links the cells' tables and index manifests into the folder, writes
// the tables of the run as a whole, removes any other, and returns the ledger's
// digest.
func (f *Folder) Ledger(s *Study, results []Result) (string, error) {
	room := filepath.Join(f.Path, roomFile)
	if _, err := os.Lstat(room); err == nil { // a disk that cannot be written says so before it looks
		if err := os.Remove(room); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("run folder: %w", err)
		}
	}
	digests := map[string]string{}
	keep := map[string]bool{} // by path in the folder
	for _, r := range results {
		if r.Err != nil {
			continue
		}
		for _, name := range r.Entry.Names() {
			object := r.Entry.Files[name]
			dest := filepath.Join("index", r.Name+".json")
			if name != indexFile {
				digests[name+"/"+r.Name+".parquet"] = object.Digest
				dest = filepath.Join("ledger", name, r.Name+".parquet")
			}
			keep[dest] = true
			if err := f.store.Link(object, filepath.Join(f.Path, dest)); err != nil {
				return "", err
			}
		}
	}
	for name, content := range s.runTables(f.ID, results) {
		digests[name+"/"+ledger.RunCell+".parquet"] = ledger.Object(content)
		dest := filepath.Join("ledger", name, ledger.RunCell+".parquet")
		keep[dest] = true
		if err := f.Write(dest, content); err != nil {
			return "", err
		}
	}
	if err := f.clean(keep); err != nil {
		return "", fmt.Errorf("run folder: %w", err)
	}
	return ledger.Digest(digests), nil
}
