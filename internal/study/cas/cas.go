// Package cas is the memory of a study: results stored by content, so that a
// computation that was done once is never done again, and a result that was
// damaged is never believed.
//
// An object is some bytes, named by their digest. A Key names a computation,
// and its record says which objects came out, under which file names. The
// record is written last, in one step: a kill at any moment leaves either the
// whole entry or none. Get reads every byte of an entry and compares digests.
//
// Nothing is synced to the disk. A killed process loses nothing that the
// operating system has; a power cut can, but what it leaves torn or empty has
// another digest, is named, and is computed again. Syncing each object would
// cost more than computing most of them.
package cas

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Key names a computation: 64 lower-case hex digits, the sha256 of everything
// that its result depends on.
type Key string

// Entry is the result of a computation.
type Entry struct {
	Files map[string]Object // by the names given to Put
}

// Object is stored bytes. The file at Path is read-only and must not be changed.
type Object struct {
	Path   string
	Digest string // "sha256:" and 64 hex digits
	Size   int64  // bytes
}

// MissingError says that there is no result for a key, and why.
type MissingError struct {
	Key    Key
	Reason string
}

func (e *MissingError) Error() string {
	return fmt.Sprintf("no stored result for %.12s: %s", string(e.Key), e.Reason)
}

// CorruptError says that a file of the store is not what was stored. The entry
// that it belonged to is gone by the time it is returned.
type CorruptError struct {
	File      string // path
	Want, Got string // digests
}

func (e *CorruptError) Error() string {
	return fmt.Sprintf("%s: the bytes are damaged: expected %s, found %s", e.File, e.Want, e.Got)
}

// Store is a folder of objects and records. It is safe for use by several
// goroutines and several processes.
type Store struct{ dir string }

// Open opens the store in dir, made if it is not there, and removes what
// killed processes left half written.
func Open(dir string) (*Store, error) {
	s := &Store{dir}
	for _, sub := range []string{"objects", "records", "tmp"} {
		if err := os.MkdirAll(filepath.Join(dir, sub), 0o777); err != nil {
			return nil, fmt.Errorf("store: %w", err)
		}
	}
	// A process at work on the same store may lose a file here; write does it
	// again. No clock and no process list could tell its files from stale ones.
	// Where they cannot be removed they are in nobody's way, and reading goes on.
	stale, err := os.ReadDir(filepath.Join(dir, "tmp"))
	for _, f := range stale {
		os.Remove(filepath.Join(dir, "tmp", f.Name()))
	}
	if err != nil {
		return nil, fmt.Errorf("store: %w", err)
	}
	return s, nil
}

func ignore(err, what error) error {
	if errors.Is(err, what) {
		return nil
	}
	return err
}

func (s *Store) object(digest string) string {
	hex := strings.TrimPrefix(digest, "sha256:")
	return filepath.Join(s.dir, "objects", hex[:2], hex)
}

func (s *Store) record(k Key) string {
	if !isHex(string(k)) {
		panic(fmt.Sprintf("BUG: %q is no key", string(k)))
	}
	return filepath.Join(s.dir, "records", string(k[:2]), string(k))
}

func isHex(s string) bool {
	return len(s) == 2*sha256.Size && strings.Trim(s, "0123456789abcdef") == ""
}

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Put stores the files of a computation: the objects first, then the record
// that makes them an entry. Names are relative paths with "/". An entry that
// is there already is replaced. Errors name the path that could not be written.
func (s *Store) Put(k Key, files map[string][]byte) (Entry, error) {
	e := Entry{make(map[string]Object, len(files))}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		b := files[name]
		if !fs.ValidPath(name) || strings.ContainsAny(name, "\n\r") {
			panic(fmt.Sprintf("BUG: %q is no name for a stored file", name))
		}
		o := Object{Digest: digest(b), Size: int64(len(b))}
		o.Path = s.object(o.Digest)
		if err := s.write(o.Path, b); err != nil {
			return Entry{}, fmt.Errorf("store: %w", err)
		}
		e.Files[name] = o
	}
	if err := s.write(s.record(k), appendRecord(nil, k, e)); err != nil {
		return Entry{}, fmt.Errorf("store: %w", err)
	}
	return e, nil
}

// write puts b at path in one step.
func (s *Store) write(path string, b []byte) error {
	if old, err := os.ReadFile(path); err == nil {
		if bytes.Equal(old, b) {
			return nil
		}
		os.Remove(path) // damaged, or a record that changes; some systems rename over no read-only file
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return err
	}
	for try := 0; ; try++ {
		err := s.replace(path, func(f *os.File) error {
			_, err := f.Write(b)
			return err
		})
		if try == 9 || !errors.Is(err, fs.ErrNotExist) { // swept away by another process's Open
			return err
		}
	}
}

// replace writes a temporary file in the store and moves it to path.
func (s *Store) replace(path string, fill func(*os.File) error) error {
	f, err := os.CreateTemp(filepath.Join(s.dir, "tmp"), "")
	if err != nil {
		return err
	}
	err = cmp.Or(fill(f), f.Chmod(0o444), f.Close())
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		f.Close()
		os.Remove(f.Name())
	}
	return err
}

// Get is the entry of a key. Every byte of it has been read and is right.
// Without one the error is a *MissingError; where bytes are damaged a
// *CorruptError names them, and the entry is removed, so that only this one is
// computed again.
func (s *Store) Get(k Key) (Entry, error) {
	path := s.record(k)
	b, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return Entry{}, &MissingError{k, "never stored"}
	}
	if err != nil {
		return Entry{}, fmt.Errorf("store: %w", err)
	}
	e, want, got := s.parseRecord(k, b)
	if want != got {
		return Entry{}, s.drop(&CorruptError{path, want, got}, path)
	}
	for _, name := range e.Names() {
		o := e.Files[name]
		got, err := digestFile(o.Path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return Entry{}, s.drop(&MissingError{k, "the object " + o.Path + " is gone"}, path)
		case err != nil:
			return Entry{}, fmt.Errorf("store: %w", err)
		case got != o.Digest:
			return Entry{}, s.drop(&CorruptError{o.Path, o.Digest, got}, path, o.Path)
		}
	}
	return e, nil
}

// Has reports whether there is a record of the key. Nothing of the entry is read:
// it may be damaged, which Get finds out.
func (s *Store) Has(k Key) bool {
	_, err := os.Stat(s.record(k))
	return err == nil
}

// Names are the names of the entry's files, sorted.
func (e Entry) Names() []string { return slices.Sorted(maps.Keys(e.Files)) }

// drop removes files and returns why; failing to remove them is worse.
func (s *Store) drop(why error, paths ...string) error {
	for _, path := range paths {
		if err := ignore(os.Remove(path), fs.ErrNotExist); err != nil {
			return fmt.Errorf("store: %w (after %v)", err, why)
		}
	}
	return why
}

func digestFile(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil)), nil
}

// A record is text: a first line with the key, a line per file (digest, size,
// name; sorted by name), and the digest of all lines before the last.
const recordHead = "kerf record/1 "

func appendRecord(dst []byte, k Key, e Entry) []byte {
	dst = append(dst, recordHead+string(k)+"\n"...)
	for _, name := range e.Names() {
		o := e.Files[name]
		dst = fmt.Appendf(dst, "%s %d %s\n", o.Digest, o.Size, name)
	}
	return append(dst, digest(dst)+"\n"...)
}

// parseRecord reads a record. want is the digest that its last line claims, got
// the digest of the lines before; they differ where the record is damaged.
func (s *Store) parseRecord(k Key, b []byte) (e Entry, want, got string) {
	cut := bytes.LastIndexByte(bytes.TrimSuffix(b, []byte("\n")), '\n') + 1
	want, got = strings.TrimSuffix(string(b[cut:]), "\n"), digest(b[:cut])
	if want != got {
		if !strings.HasPrefix(want, "sha256:") || !isHex(want[7:]) {
			want = "a record that ends with its digest"
		}
		return e, want, got
	}
	lines := strings.Split(string(b[:cut]), "\n")
	if lines[0] != recordHead+string(k) {
		return e, "a record of " + string(k), fmt.Sprintf("%.80q", lines[0])
	}
	e.Files = map[string]Object{}
	for _, line := range lines[1 : len(lines)-1] {
		var o Object
		var name string
		fields := strings.SplitN(line, " ", 3)
		if len(fields) == 3 {
			o.Digest, name = fields[0], fields[2]
			fmt.Sscanf(fields[1], "%d", &o.Size)
		}
		if !strings.HasPrefix(o.Digest, "sha256:") || !isHex(o.Digest[7:]) || !fs.ValidPath(name) {
			return e, "digest, size and name", fmt.Sprintf("%.80q", line)
		}
		o.Path = s.object(o.Digest)
		e.Files[name] = o
	}
	return e, want, got
}

// Link makes dest another name of the object, or a copy where the file system
// has no hard links between the two places; never a symbolic link, which would
// break when the store is cleared. A file at dest is replaced unless it has the
// bytes already; two processes may link the same one. The folder of dest is made.
// A copy is checked while it is made.
func (s *Store) Link(o Object, dest string) error {
	if err := os.MkdirAll(filepath.Dir(dest), 0o777); err != nil {
		return fmt.Errorf("link: %w", err)
	}
	for try := 0; ; try++ {
		if a, err := os.Stat(o.Path); err == nil {
			if b, err := os.Lstat(dest); err == nil && (os.SameFile(a, b) || b.Mode().IsRegular() && b.Size() == o.Size && same(dest, o.Digest)) {
				return nil
			}
		}
		if err := ignore(os.Remove(dest), fs.ErrNotExist); err != nil {
			return fmt.Errorf("link: %w", err)
		}
		if os.Link(o.Path, dest) == nil {
			return nil
		}
		if err := copyFile(o, dest); err == nil {
			return nil
		} else if try == 9 || !errors.Is(err, fs.ErrExist) { // another process has just made it
			return fmt.Errorf("copy: %w", err)
		}
	}
}

func same(file, digest string) bool {
	got, err := digestFile(file)
	return err == nil && got == digest
}

func copyFile(o Object, dest string) error {
	from, err := os.Open(o.Path)
	if err != nil {
		return err
	}
	defer from.Close()
	to, err := os.OpenFile(dest, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o444)
	if err != nil {
		return err
	}
	h := sha256.New()
	_, err = io.Copy(io.MultiWriter(to, h), from)
	err = cmp.Or(err, to.Close())
	if got := "sha256:" + hex.EncodeToString(h.Sum(nil)); err == nil && got != o.Digest {
		err = &CorruptError{o.Path, o.Digest, got}
	}
	if err != nil {
		os.Remove(dest)
	}
	return err
}
