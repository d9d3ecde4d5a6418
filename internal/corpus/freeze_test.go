package corpus

import (
	"bytes"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"
)

// freeze freezes docs in m, keeps texts and the manifest there, and returns what happened.
func freeze(t *testing.T, m fstest.MapFS, p Params) *Frozen {
	t.Helper()
	p.Manifest, p.Root = "corpus.jsonl", "docs"
	p.Keep = func(version, text string) error {
		m[KeptPath("corpus.jsonl", version)] = &fstest.MapFile{Data: []byte(text)}
		return nil
	}
	z, err := Freeze(m, p)
	if err != nil {
		t.Fatal(err)
	}
	m["corpus.jsonl"] = &fstest.MapFile{Data: z.Manifest}
	return z
}

// Random folders that change at random, with access that a person edits: what
// freeze writes reads without errors, freezing again changes nothing, and no
// text of a restricted document becomes readable to everyone.
func TestFreezeKeepsItsPromises(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 1))
		m := fstest.MapFS{}
		names := []string{"a.md", "b.txt", "sub/c.md", "sub/d.rst", "ü.md"}
		texts := []string{"", "one", "two €", "\uFEFFthree", " \n"}
		set := func() {
			name := "docs/" + names[r.IntN(len(names))]
			if r.IntN(4) == 0 {
				delete(m, name)
			} else {
				m[name] = &fstest.MapFile{Data: []byte(texts[r.IntN(len(texts))])}
			}
		}
		for range 6 {
			set()
		}
		m["docs/z.md"] = &fstest.MapFile{Data: []byte("always here")}
		closed := map[string]bool{} // texts that a whole document's access closed
		for round := range 5 {
			labels := []Label{{"q", "a.md", VersionOf(texts[1])}, {"q2", "sub/c.md", VersionOf(texts[2])[:20]}}
			z := freeze(t, m, Params{Labels: labels})
			c, found := Read(m, "corpus.jsonl")
			if err := found.Err(); err != nil {
				t.Fatalf("seed %d round %d: %v\n%s", seed, round, err, z.Manifest)
			}
			if again := freeze(t, m, Params{Labels: labels}); !bytes.Equal(again.Manifest, z.Manifest) {
				t.Fatalf("seed %d round %d: freezing again gives\n%s, not\n%s", seed, round, again.Manifest, z.Manifest)
			}
			var want []string
			for name := range m {
				if doc, ok := strings.CutPrefix(name, "docs/"); ok {
					want = append(want, doc)
				}
			}
			slices.Sort(want)
			got := c.ids(func(*Document) bool { return true })
			if !slices.Equal(got, want) {
				t.Fatalf("seed %d round %d: pinned %q, want %q", seed, round, got, want)
			}
			for _, o := range c.Older {
				if !slices.ContainsFunc(labels, func(l Label) bool { return l.names(o.Doc, o.Version) }) {
					t.Fatalf("an older line that no label names: %v", o)
				}
				if text, err := Kept(m, "corpus.jsonl", o.Version); err != nil || VersionOf(text) != o.Version {
					t.Fatalf("its text is not kept: %v", err)
				}
			}
			for _, d := range c.Documents {
				if closed[d.Doc] && d.Access.Read == nil {
					t.Fatalf("seed %d round %d: %s was opened\n%s", seed, round, d.Doc, z.Manifest)
				}
			}
			// A person closes one document.
			d := c.Documents[r.IntN(len(c.Documents))]
			lines := strings.Split(strings.TrimSuffix(string(z.Manifest), "\n"), "\n")
			if l := lines[d.Line-1]; d.Access.Read == nil {
				lines[d.Line-1] = strings.TrimSuffix(l, "}") + `,"access":{"read":["staff"]}}`
				m["corpus.jsonl"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n"))}
			}
			closed[d.Doc] = true
			set()
			for doc := range closed {
				if m["docs/"+doc] == nil {
					delete(closed, doc) // its lines go, and freeze lists it
				}
			}
		}
	}
}

func TestFreezeRefuses(t *testing.T) {
	base := func() fstest.MapFS { return files([]string{header, line("a.md", "x", "")}, "a.md", "x") }
	for name, c := range map[string]struct {
		change func(m fstest.MapFS, p *Params)
		names  string
	}{
		"another root":   {func(m fstest.MapFS, p *Params) { p.Root = "texts" }, `pins the folder "docs", not "texts"`},
		"a bad manifest": {func(m fstest.MapFS, p *Params) { m["corpus.jsonl"] = &fstest.MapFile{Data: []byte("{")} }, "K001"},
		"a bad pattern":  {func(m fstest.MapFS, p *Params) { p.Include = []string{"[a"} }, "[a"},
		"two ids of one file": {func(m fstest.MapFS, p *Params) {
			m["corpus.jsonl"] = files([]string{header, line("a.md", "x", ""), strings.Replace(line("a.md", "x", ""), `"doc":"a.md"`, `"doc":"b"`, 1)})["corpus.jsonl"]
		}, "are one file"},
		"an id of another file": {func(m fstest.MapFS, p *Params) {
			m["corpus.jsonl"] = files([]string{header, strings.Replace(line("a.md", "x", ""), `"doc":"a.md"`, `"doc":"b.md"`, 1)})["corpus.jsonl"]
			m["docs/b.md"] = &fstest.MapFile{Data: []byte("y")}
		}, `the id "b.md" belongs to a.md`},
		"a full disk": {func(m fstest.MapFS, p *Params) { p.Keep = func(string, string) error { return os.ErrPermission } }, "permission"},
	} {
		m := base()
		p := Params{Manifest: "corpus.jsonl", Root: "docs"}
		c.change(m, &p)
		if z, err := Freeze(m, p); err == nil || !strings.Contains(err.Error(), c.names) {
			t.Errorf("%s: %v, %v", name, z, err)
		}
	}
}

// Ids that a manifest gives stay with their paths, and so does a line as it is written.
func TestFreezingTheNineSetsChangesNothing(t *testing.T) {
	sets, err := filepath.Glob(filepath.Join(shared(t), "*", "corpus.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range sets {
		root, err := os.OpenRoot(filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		z, err := Freeze(root.FS(), Params{Manifest: "corpus.jsonl", Root: "corpus", Dates: map[string]string{"finance.md": "2020-01-01"}})
		if err != nil {
			t.Fatal(err)
		}
		before, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// The sets are in the order of their makers.
		sorted := func(b []byte) []string {
			return slices.Sorted(slices.Values(strings.Split(strings.TrimSpace(string(b)), "\n")))
		}
		if !slices.Equal(sorted(before), sorted(z.Manifest)) {
			t.Errorf("%s: other lines", file)
		}
		if len(z.New)+len(z.Changed)+len(z.Removed)+len(z.Unreadable) > 0 {
			t.Errorf("%s: %+v", file, z)
		}
	}
}

func TestVerify(t *testing.T) {
	m := files([]string{`{"kerf":"corpus/1","root":"docs","extract":"text/1","exclude":["drafts"]}`, line("a.md", "x", ""), line("gone.md", "x", "")},
		"a.md", "x", "new.md", "y", "latin.txt", "\xe9", "drafts/d.md", "z", "t.csv", "1")
	c, found := Verify(m, "corpus.jsonl")
	var got []string
	for _, f := range found {
		got = append(got, f.Code+" "+f.File)
	}
	if want := []string{CodeMissing + " corpus.jsonl", CodeText + " docs/latin.txt", CodeNew + " docs/new.md"}; len(c.Documents) != 1 || !slices.Equal(got, want) {
		t.Error(got)
	}
	if c, found := Verify(fstest.MapFS{}, "corpus.jsonl"); c != nil || len(found) != 1 {
		t.Error(found)
	}
}

func TestIdentical(t *testing.T) {
	m := files([]string{header, line("a", "x", ""), line("b", "y", ""), line("c", "x", ""), line("d", " ", ""), line("e", " ", ""), line("f", "y", ""), line("g", "z", "")},
		"a", "x", "b", "y", "c", "x", "d", " ", "e", " ", "f", "y", "g", "z")
	c, _ := Read(m, "corpus.jsonl")
	if got := c.Identical(); !reflect.DeepEqual(got, [][]string{{"a", "c"}, {"b", "f"}}) {
		t.Error(got)
	}
	if !slices.Equal(c.Blank(), []string{"d", "e"}) || c.Bytes() != 7 {
		t.Error(c.Blank(), c.Bytes())
	}
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"*.csv", "a.csv", true}, {"*.csv", "sub/deep/a.csv", true}, {"*.csv", "a.csv.md", false},
		{"drafts", "sub/drafts", true}, {"drafts", "drafts2", false},
		{"sub/*.md", "sub/a.md", true}, {"sub/*.md", "x/sub/a.md", false}, {"sub/*.md", "sub/x/a.md", false},
		{"**/*.md", "a.md", true}, {"**/*.md", "x/y/a.md", true}, {"sub/**", "sub/x/y", true}, {"sub/**", "sub", true}, {"sub/**", "other/x", false},
		{"a/**/z", "a/z", true}, {"a/**/z", "a/b/c/z", true}, {"a/**/z", "a/b/c", false},
		{"/drafts/", "drafts", true}, {"/drafts/", "x/drafts", false}, {"[ab].md", "sub/b.md", true},
	} {
		if got := match(c.pattern, c.name); got != c.want {
			t.Errorf("match(%q, %q) = %v", c.pattern, c.name, got)
		}
	}
}

func TestCheckText(t *testing.T) {
	for _, c := range []struct {
		text, reason string
		line, column int
	}{
		{"Geb\xfchr", "not UTF-8 at byte 3", 1, 4},
		{"\xff\xfeG\x00", "UTF-16 byte order mark", 1, 1},
		{"\xfe\xff\x00G", "UTF-16 byte order mark", 1, 1},
		{"\xff\xfe\x00\x00", "UTF-32 byte order mark", 1, 1},
		{"\x00\x00\xfe\xff", "UTF-32 byte order mark", 1, 1},
		{"ok text \xe9 end", "not UTF-8 at byte 8", 1, 9},
		{"Preis 5 \xe2\x82", "incomplete character at byte 8", 1, 9},
		{"ä\r\nö\x00\xff", "NUL at byte 6", 2, 2},
		{"a\xff\x00", "not UTF-8 at byte 1", 1, 2},
		{"\xed\xa0\x80", "not UTF-8 at byte 0", 1, 1}, // half a surrogate pair
		{"\ufffd\xff", "not UTF-8 at byte 3", 1, 2},
		{strings.Repeat("x", MaxText+1), fmt.Sprint(MaxText), 1, 1},
	} {
		p := CheckText([]byte(c.text))
		if p == nil || !strings.Contains(p.Reason, c.reason) || p.Line != c.line || p.Column != c.column {
			t.Errorf("%.20q: %+v", c.text, p)
		}
	}
}

// FuzzCheckText: text is what is UTF-8 without NUL; everything before the place
// of a problem is.
func FuzzCheckText(f *testing.F) {
	for _, s := range []string{"", "a\xff", "\xe2\x82", "\ufeffx", "a\x00b", "\xff\xfe", "\xed\xa0\x80", "ä\nö\xe9"} {
		f.Add([]byte(s))
	}
	good := func(b []byte) bool { return utf8.Valid(b) && !bytes.Contains(b, []byte{0}) }
	f.Fuzz(func(t *testing.T, b []byte) {
		p := CheckText(b)
		if (p == nil) != good(b) {
			t.Fatalf("%q: %+v", b, p)
		}
		if p == nil {
			return
		}
		before := b[:p.Byte]
		lines := bytes.Split(before, []byte("\n"))
		if !good(before) || p.Line != len(lines) || p.Column != 1+utf8.RuneCount(lines[len(lines)-1]) || p.Bytes == "" {
			t.Fatalf("%q: %+v", b, p)
		}
	})
}

// FuzzRead: no manifest panics, and no restriction reaches outside its text.
func FuzzRead(f *testing.F) {
	f.Add(header + "\n" + line("a.md", "Fee: 5 €", `,"access":{"read":["x"],"spans":[{"start":0,"end":3,"unit":"utf16","read":["y"]}]}`))
	f.Add(header + "\n" + line("a.md", "old", "") + "\n" + line("a.md", "Fee: 5 €", `,"access":{"spans":[{"start":2,"end":1,"unit":"token:words","read":[]}]}`))
	f.Add(`{"kerf":"corpus/1","root":"../..","extract":"text/1"}` + "\n" + `{"doc":1,"path":"../x"}`)
	f.Add(`[]`)
	f.Fuzz(func(t *testing.T, manifest string) {
		m := fstest.MapFS{"corpus.jsonl": {Data: []byte(manifest)}, "docs/a.md": {Data: []byte("Fee: 5 €")}}
		c, found := Read(m, "corpus.jsonl")
		if c == nil && found.Errors() == 0 {
			t.Fatal("no corpus and no reason")
		}
		if c != nil {
			for _, d := range c.Documents {
				for _, r := range d.Access.Spans {
					if r.Start < 0 || r.End > len(d.Text) || r.Empty() {
						t.Fatal(r)
					}
				}
			}
			c.Digest()
		}
		Freeze(m, Params{Manifest: "corpus.jsonl", Root: "docs"})
	})
}

// A restricted part that the new text holds twice, or no more, closes the whole
// document in the line to paste; only one that it holds once is restricted there.
func TestRestatingNeverOpens(t *testing.T) {
	const old = "Secret. Open. Other."
	m := files([]string{header, line("a.md", old, `,"access":{"spans":[{"start":0,"end":7,"unit":"byte","read":["x"]},{"start":14,"end":20,"unit":"codepoint","read":["y"]}]}`)}, "a.md", old)
	freeze(t, m, Params{})
	for text, want := range map[string]string{
		"Now Secret. Other.":          `[{"start":4,"end":11,"unit":"byte","read":["x"]},{"start":12,"end":18,"unit":"byte","read":["y"]}]`,
		"Secret. Secret. Open. Other": `[{"start":0,"end":27,"unit":"byte","read":["x"]},{"start":0,"end":27,"unit":"byte","read":["y"]}]`,
	} {
		m["docs/a.md"] = &fstest.MapFile{Data: []byte(text)}
		before := m["corpus.jsonl"].Data
		z := freeze(t, m, Params{})
		if len(z.Refused) != 1 || z.Refused[0].Code != CodeRestate || !bytes.Equal(z.Manifest, before) {
			t.Fatalf("%v\n%s", z.Refused, z.Manifest)
		}
		if got := z.Refused[0].Paste; !strings.HasSuffix(got, `,"access":{"spans":`+want+`}}`) || !strings.Contains(got, VersionOf(text)) {
			t.Error(got)
		}
		// Pasted below the old line it is accepted as it is.
		pasted := fstest.MapFS{"docs/a.md": m["docs/a.md"], "corpus.jsonl": {Data: append(slices.Clone(before), z.Refused[0].Paste...)}}
		if again := freeze(t, pasted, Params{}); len(again.Refused) != 0 || !strings.Contains(string(again.Manifest), z.Refused[0].Paste) {
			t.Errorf("%v\n%s", again.Refused, again.Manifest)
		}
		if _, found := Read(pasted, "corpus.jsonl"); len(found) != 0 {
			t.Error(found)
		}
	}
}

// closedFS is a file system in which the folder docs/sub cannot be listed.
type closedFS struct{ fstest.MapFS }

func (c closedFS) Open(name string) (fs.File, error) {
	if name == "docs/sub" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.Open(name)
}

func (c closedFS) ReadDir(name string) ([]fs.DirEntry, error) {
	if name == "docs/sub" {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return c.MapFS.ReadDir(name)
}

func (c closedFS) Sub(dir string) (fs.FS, error) { return subFS{c, dir}, nil }

type subFS struct {
	fsys fs.FS
	dir  string
}

func (s subFS) Open(name string) (fs.File, error) { return s.fsys.Open(path.Join(s.dir, name)) }
func (s subFS) ReadDir(name string) ([]fs.DirEntry, error) {
	return fs.ReadDir(s.fsys, path.Join(s.dir, name))
}

// A folder that cannot be entered is a row, and its documents are not taken for
// removed.
func TestClosedFolder(t *testing.T) {
	m := files([]string{header, line("a.md", "x", ""), line("sub/b.md", "y", "")}, "a.md", "x", "sub/b.md", "y")
	z, err := Freeze(closedFS{m}, Params{Manifest: "corpus.jsonl", Root: "docs"})
	if err != nil {
		t.Fatal(err)
	}
	want := []Unreadable{{Path: "sub", Problem: Problem{Reason: "permission denied"}}}
	if !slices.Equal(z.Unreadable, want) || len(z.Removed) != 0 || !bytes.Equal(z.Manifest, m["corpus.jsonl"].Data) {
		t.Errorf("%+v\n%s", z, z.Manifest)
	}
}
