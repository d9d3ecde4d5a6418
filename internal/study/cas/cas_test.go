package cas

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
)

func key(i int) Key { return Key(strings.TrimPrefix(digest(fmt.Append(nil, i)), "sha256:")) }

func files(i int) map[string][]byte {
	return map[string][]byte{
		"ledger/verdict.parquet": fmt.Appendf(nil, "verdicts of %d", i),
		"index.json":             fmt.Appendf(nil, "{%d}", i),
		"empty":                  {},
		"shared":                 []byte("the same in every entry"),
	}
}

func open(t *testing.T) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "store"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func put(t *testing.T, s *Store, i int) Entry {
	t.Helper()
	e, err := s.Put(key(i), files(i))
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// whole reports an error unless entry i is there with all its bytes.
func whole(s *Store, i int) error {
	e, err := s.Get(key(i))
	if err != nil {
		return err
	}
	if len(e.Files) != len(files(i)) {
		return fmt.Errorf("%d files", len(e.Files))
	}
	for name, want := range files(i) {
		got, err := os.ReadFile(e.Files[name].Path)
		if err != nil {
			return err
		}
		if !bytes.Equal(got, want) || e.Files[name].Size != int64(len(want)) || e.Files[name].Digest != digest(want) {
			return fmt.Errorf("%s is %q", name, got)
		}
	}
	return nil
}

func isMissing(err error) bool { var m *MissingError; return errors.As(err, &m) }

func TestPutGet(t *testing.T) {
	s := open(t)
	if err := whole(s, 1); !isMissing(err) || !strings.Contains(err.Error(), "never stored") {
		t.Fatal(err)
	}
	e := put(t, s, 1)
	if err := whole(s, 1); err != nil {
		t.Fatal(err)
	}
	got, err := s.Get(key(1))
	if err != nil || !reflect.DeepEqual(got, e) {
		t.Errorf("Get is %v, Put was %v, %v", got, e, err)
	}
	again, err := Open(s.dir)
	if err != nil {
		t.Fatal(err)
	}
	if err := whole(again, 1); err != nil {
		t.Error(err)
	}
}

// TestDamage breaks one file of one entry among five, in each way: what is
// broken is named, the four others stay, and one Put heals it.
func TestDamage(t *testing.T) {
	overwrite := func(t *testing.T, path string, change func([]byte) []byte) {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		b = change(b)
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, b, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	flip := func(at int) func([]byte) []byte {
		return func(b []byte) []byte { b[at] ^= 1; return b }
	}
	half := func(b []byte) []byte { return b[:len(b)/2] }
	none := func([]byte) []byte { return nil }
	for _, c := range []struct {
		name    string
		record  bool
		change  func([]byte) []byte
		missing bool
	}{
		{name: "object flipped", change: flip(1)},
		{name: "object torn", change: half},
		{name: "object empty after a power cut", change: none},
		{name: "object gone", missing: true},
		{name: "record flipped", record: true, change: flip(20)},
		{name: "record flipped in its digest", record: true, change: func(b []byte) []byte { return flip(len(b) - 2)(b) }},
		{name: "record torn", record: true, change: half},
		{name: "record without its last byte but one", record: true, change: func(b []byte) []byte { return b[:len(b)-2] }},
		{name: "record empty", record: true, change: none},
		{name: "record of another key", record: true, change: func(b []byte) []byte {
			b = bytes.Replace(b[:bytes.LastIndexByte(b[:len(b)-1], '\n')+1], []byte(key(2)), []byte(key(3)), 1)
			return append(b, digest(b)+"\n"...)
		}},
		{name: "record that leads outside", record: true, change: func(b []byte) []byte {
			b = bytes.Replace(b[:bytes.LastIndexByte(b[:len(b)-1], '\n')+1], []byte("index.json"), []byte("../../x"), 1)
			return append(b, digest(b)+"\n"...)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			for i := range 5 {
				put(t, s, i)
			}
			path := s.record(key(2))
			if !c.record {
				path = s.object(digest(files(2)["index.json"]))
			}
			if c.change != nil {
				overwrite(t, path, c.change)
			} else if err := os.Remove(path); err != nil {
				t.Fatal(err)
			}
			for i := range 5 {
				err := whole(s, i)
				switch {
				case i != 2:
					if err != nil {
						t.Errorf("entry %d: %v", i, err)
					}
				case err == nil || !strings.Contains(err.Error(), path):
					t.Errorf("entry 2: %v does not name %s", err, path)
				case isMissing(err) != c.missing:
					t.Errorf("entry 2: %T", err)
				}
			}
			if err := whole(s, 2); !isMissing(err) {
				t.Errorf("after it was named: %v", err)
			}
			if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s is still there", path)
			}
			put(t, s, 2)
			for i := range 5 {
				if err := whole(s, i); err != nil {
					t.Errorf("healed: entry %d: %v", i, err)
				}
			}
		})
	}
}

// TestKilled: the states that a kill can leave are the prefixes of what Put
// publishes: some objects, no record; and files in tmp.
func TestKilled(t *testing.T) {
	s := open(t)
	put(t, s, 1)
	for name, b := range files(2) {
		if err := s.write(s.object(digest(b)), b); err != nil {
			t.Fatal(err)
		}
		if err := whole(s, 2); !isMissing(err) {
			t.Errorf("after %s: %v", name, err)
		}
	}
	left := filepath.Join(s.dir, "tmp", "123")
	if err := os.WriteFile(left, []byte("half"), 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(s.dir); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(left); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the leftover stayed")
	}
	put(t, s, 2)
	if err := errors.Join(whole(s, 1), whole(s, 2)); err != nil {
		t.Error(err)
	}
}

// TestConcurrent: several goroutines put equal and different entries while
// others open the same store, which sweeps their temporary files away.
func TestConcurrent(t *testing.T) {
	s := open(t)
	var wg sync.WaitGroup
	wg.Go(func() {
		for range 50 {
			if _, err := Open(s.dir); err != nil {
				t.Error(err)
			}
		}
	})
	for range 8 {
		wg.Go(func() {
			for i := range 20 {
				if _, err := s.Put(key(i), files(i)); err != nil {
					t.Error(err)
				}
				if err := whole(s, i); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	left, err := os.ReadDir(filepath.Join(s.dir, "tmp"))
	if err != nil || len(left) > 0 {
		t.Errorf("%d temporary files left, %v", len(left), err)
	}
}

func TestUnwritable(t *testing.T) {
	s := open(t)
	put(t, s, 1)
	// A file where a folder belongs stops everybody, root too.
	blocked := filepath.Dir(s.record(key(2)))
	if err := os.WriteFile(blocked, nil, 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(key(2), files(2)); err == nil || !strings.Contains(err.Error(), blocked) {
		t.Errorf("%v does not name %s", err, blocked)
	}
	// A folder in the place of an object stops the last step.
	blocked = s.object(digest(files(3)["index.json"]))
	if err := os.MkdirAll(filepath.Join(blocked, "x"), 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := s.Put(key(3), files(3)); err == nil || !strings.Contains(err.Error(), blocked) {
		t.Errorf("%v does not name %s", err, blocked)
	}
	if left, _ := os.ReadDir(filepath.Join(s.dir, "tmp")); len(left) > 0 {
		t.Error("a temporary file stayed")
	}
	if err := whole(s, 1); err != nil {
		t.Error(err)
	}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o444); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(file); err == nil || !strings.Contains(err.Error(), file) {
		t.Errorf("%v does not name %s", err, file)
	}
}

func TestReadOnlyFolder(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root writes everywhere; TestUnwritable has the same for root")
	}
	s := open(t)
	put(t, s, 1)
	tmp := filepath.Join(s.dir, "tmp")
	if err := os.Chmod(tmp, 0o555); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(tmp, 0o755)
	if _, err := s.Put(key(2), files(2)); err == nil || !strings.Contains(err.Error(), tmp) {
		t.Errorf("%v does not name %s", err, tmp)
	}
	if err := whole(s, 1); err != nil {
		t.Error(err)
	}
}

func TestLink(t *testing.T) {
	s := open(t)
	o := put(t, s, 1).Files["index.json"]
	dest := filepath.Join(t.TempDir(), "run", "index", "a.json")
	for range 2 {
		if err := s.Link(o, dest); err != nil {
			t.Fatal(err)
		}
	}
	info, err := os.Lstat(dest)
	if err != nil || !info.Mode().IsRegular() {
		t.Fatal(info, err)
	}
	if stored, _ := os.Stat(o.Path); !os.SameFile(info, stored) {
		t.Error("a copy where a link was possible")
	}
	other := put(t, s, 2).Files["index.json"]
	if err := s.Link(other, dest); err != nil {
		t.Fatal(err)
	}
	if b, _ := os.ReadFile(dest); string(b) != "{2}" {
		t.Errorf("not replaced: %q", b)
	}
	if err := whole(s, 1); err != nil {
		t.Error("replacing changed the store:", err)
	}
	if err := s.Link(Object{Path: o.Path + "x", Digest: o.Digest}, dest+"2"); err == nil || !strings.Contains(err.Error(), o.Path) {
		t.Errorf("link of nothing: %v", err)
	}
	if err := copyFile(o, dest+"3"); err != nil {
		t.Error(err)
	}
	wrong := o
	wrong.Digest = other.Digest
	var corrupt *CorruptError
	if err := copyFile(wrong, dest+"4"); !errors.As(err, &corrupt) {
		t.Errorf("a damaged copy: %v", err)
	}
	if _, err := os.Stat(dest + "4"); err == nil {
		t.Error("the damaged copy stayed")
	}
}

// Two processes that make one run folder link the same file at once.
func TestLinkAtOnce(t *testing.T) {
	s := open(t)
	o := put(t, s, 1).Files["index.json"]
	for round := range 50 {
		dest := filepath.Join(t.TempDir(), fmt.Sprint(round), "a.json")
		var group sync.WaitGroup
		for range 4 {
			group.Go(func() {
				if err := s.Link(o, dest); err != nil {
					t.Error(err)
				}
			})
		}
		group.Wait()
	}
}

func TestHas(t *testing.T) {
	s := open(t)
	put(t, s, 1)
	if !s.Has(key(1)) || s.Has(key(2)) {
		t.Error(s.Has(key(1)), s.Has(key(2)))
	}
}

func FuzzRecord(f *testing.F) {
	s := &Store{"d"}
	good := appendRecord(nil, key(1), Entry{map[string]Object{"a": {Digest: digest(nil)}, "b c": {Digest: digest([]byte("x")), Size: 1}}})
	f.Add(good)
	f.Add([]byte("sha256:"))
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		e, want, got := s.parseRecord(key(1), b)
		if want != got {
			return
		}
		// What is accepted is well formed; printing it again is stable.
		for name, o := range e.Files {
			if !fs.ValidPath(name) || len(o.Digest) != 71 {
				t.Errorf("%q: %v", name, o)
			}
		}
		again, want, got := s.parseRecord(key(1), appendRecord(nil, key(1), e))
		if want != got || !reflect.DeepEqual(again, e) {
			t.Errorf("%v printed and read is %v", e, again)
		}
	})
}
