package corpus

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kerf/internal/text/span"
)

// shared is the folder of the big sets, beside the repository.
func shared(t *testing.T) string {
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	dir = filepath.Join(filepath.Dir(dir), "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skip("shared sets not present: " + dir)
	}
	return dir
}

func TestTheNineSetsHaveNoFindings(t *testing.T) {
	sets, err := filepath.Glob(filepath.Join(shared(t), "*", "corpus.jsonl"))
	if err != nil || len(sets) != 9 {
		t.Fatalf("%d sets, %v", len(sets), err)
	}
	for _, file := range sets {
		root, err := os.OpenRoot(filepath.Dir(file))
		if err != nil {
			t.Fatal(err)
		}
		defer root.Close()
		c, found := Read(root.FS(), "corpus.jsonl")
		if found.Errors() != 0 {
			t.Fatalf("%s: %v", file, found)
		}
		for _, f := range found {
			t.Log(filepath.Base(filepath.Dir(file)), f)
		}
		if len(c.Documents) == 0 || !slices.IsSortedFunc(c.Documents, func(a, b *Document) int { return strings.Compare(a.Doc, b.Doc) }) {
			t.Errorf("%s: %d documents, or unsorted", file, len(c.Documents))
		}
	}
}

// line is a line of a manifest for a document of its own path.
func line(doc, text, rest string) string {
	return fmt.Sprintf(`{"doc":%q,"version":%q,"path":%q,"bytes":%d%s}`, doc, VersionOf(text), doc, len(text), rest)
}

const header = `{"kerf":"corpus/1","root":"docs","extract":"text/1"}`

func files(manifest []string, texts ...string) fstest.MapFS {
	m := fstest.MapFS{"corpus.jsonl": {Data: []byte(strings.Join(manifest, "\n") + "\n")}}
	for i := 0; i < len(texts); i += 2 {
		m["docs/"+texts[i]] = &fstest.MapFile{Data: []byte(texts[i+1])}
	}
	return m
}

func TestReadOlderLinesAndAccess(t *testing.T) {
	m := files([]string{header,
		line("b.md", "old", ""),
		line("b.md", "Fee: 5 € now.", `,"observed":"2026-01-02","access":{"read":["ann","bo"],"spans":[{"start":5,"end":8,"unit":"codepoint","read":["staff"]}]}`),
		line("a.md", "\uFEFFx", ""),
		line("c.md", " \u00a0\u2003\n", ""),
	}, "a.md", "\uFEFFx", "b.md", "Fee: 5 € now.", "c.md", " \u00a0\u2003\n")
	c, found := Read(m, "corpus.jsonl")
	if len(found) != 1 || found[0].Code != CodeBOM || found[0].File != "docs/a.md" {
		t.Fatal(found)
	}
	if len(c.Documents) != 3 || c.Documents[0].Doc != "a.md" || len(c.Older) != 1 || c.Older[0].Line != 2 {
		t.Fatalf("%+v", c)
	}
	b := c.Find("b.md")
	if want := (span.Span{Start: 5, End: 10}); b.Access.Spans[0].Span != want || b.Line != 3 || b.Observed != "2026-01-02" {
		t.Errorf("%+v", b)
	}
	if got := b.Readable([]string{"bo"}); !slices.Equal(got, span.Set{{Start: 0, End: 5}, {Start: 10, End: 15}}) {
		t.Error(got)
	}
	if got := b.Readable([]string{"staff"}); got.Len() != 0 {
		t.Error("staff may not read the document", got)
	}
	if !c.Find("a.md").Marked() || b.Marked() || !c.Find("c.md").Blank() || b.Blank() {
		t.Error("marks and blanks")
	}
}

func TestEveryCodeOfReading(t *testing.T) {
	const text = "Fee: 5 € now."
	good := line("a.md", text, "")
	restrict := func(s string) string { return line("a.md", text, `,"access":{"spans":[`+s+`]}`) }
	for _, c := range []struct {
		name     string
		manifest []string
		code     string
		line     int
		names    string
	}{
		{"empty", []string{""}, CodeHeader, 1, "empty"},
		{"no header", []string{good}, CodeHeader, 1, "header"},
		{"another kind", []string{`{"kerf":"golden/1","unit":"byte"}`, good}, CodeHeader, 1, "golden/1"},
		{"a slip that would open a document", []string{header, line("a.md", text, `,"acess":{"read":["staff"]}`)}, CodeUnknown, 2, `did you mean "access"?`},
		{"a slip in access", []string{header, line("a.md", text, `,"access":{"raed":["staff"]}`)}, CodeUnknown, 2, "access.raed"},
		{"unknown in access", []string{header, line("a.md", text, `,"access":{"zebra":1}`)}, CodeUnknown, 2, "access.zebra"},
		{"no path", []string{header, strings.Replace(good, `"path"`, `"pith2"`, 1)}, CodeField, 2, "path"},
		{"bytes as text", []string{header, strings.Replace(good, `"bytes":15`, `"bytes":"15"`, 1)}, CodeField, 2, "bytes"},
		{"observed", []string{header, line("a.md", text, `,"observed":"yesterday"`)}, CodeField, 2, "YYYY-MM-DD"},
		{"extract", []string{strings.Replace(header, "text/1", "pdf/7", 1), good}, CodeField, 1, "pdf/7"},
		{"a list", []string{header, `[1]`}, CodeField, 2, "object"},
		{"version", []string{header, strings.Replace(good, "sha256:", "md5:", 1)}, CodeVersion, 2, "sha256"},
		{"path out", []string{header, strings.Replace(good, `"path":"a.md"`, `"path":"../corpus.jsonl"`, 1)}, CodePath, 2, "../corpus.jsonl"},
		{"absolute path", []string{header, strings.Replace(good, `"path":"a.md"`, `"path":"/etc/passwd"`, 1)}, CodePath, 2, "/etc/passwd"},
		{"backslashes", []string{header, strings.Replace(good, `"path":"a.md"`, `"path":"..\\a.md"`, 1)}, CodePath, 2, "out of the root"},
		{"root out", []string{strings.Replace(header, "docs", "../docs", 1), good}, CodePath, 1, "../docs"},
		{"absolute root", []string{strings.Replace(header, "docs", "/docs", 1), good}, CodePath, 1, "/docs"},
		{"missing", []string{header, line("gone.md", text, "")}, CodeMissing, 2, "docs/gone.md"},
		{"changed", []string{header, line("a.md", "Fee: 4 € now.", "")}, CodeChanged, 2, VersionOf(text)},
		{"bytes", []string{header, strings.Replace(good, `"bytes":15`, `"bytes":16`, 1)}, CodeBytes, 2, "15"},
		{"not text", []string{header, line("nul.md", "a\nb\x00c", "")}, CodeText, 2, "NUL at byte 3"},
		{"twice", []string{header, good, good}, CodeRepeated, 3, "line 2"},
		{"two ids", []string{header, good, strings.Replace(good, `"doc":"a.md"`, `"doc":"z.md"`, 1)}, CodeTwoIDs, 3, `"z.md"`},
		{"out of range", []string{header, restrict(`{"start":0,"end":99,"unit":"byte","read":["x"]}`)}, CodeAccess, 2, "[0,99)"},
		{"reversed", []string{header, restrict(`{"start":5,"end":5,"unit":"byte","read":["x"]}`)}, CodeAccess, 2, "[5,5)"},
		{"inside a character", []string{header, restrict(`{"start":0,"end":8,"unit":"byte","read":["x"]}`)}, CodeAccess, 2, "[0,8)"},
		{"no unit", []string{header, restrict(`{"start":0,"end":7,"read":["x"]}`)}, CodeField, 2, "unit"},
		{"unknown unit", []string{header, restrict(`{"start":0,"end":7,"unit":"lines","read":["x"]}`)}, CodeField, 2, "lines"},
		{"no reader", []string{header, restrict(`{"start":0,"end":7,"unit":"byte"}`)}, CodeField, 2, "read"},
		{"a reader without name", []string{header, restrict(`{"start":0,"end":7,"unit":"byte","read":[" "]}`)}, CodeField, 2, "name"},
		{"readers as text", []string{header, line("a.md", text, `,"access":{"read":"staff"}`)}, CodeField, 2, "list of names"},
		{"nobody", []string{header, line("a.md", text, `,"access":{"read":[]}`)}, CodeNobody, 2, "nobody"},
		{"case", []string{header, good, line("A.MD", text, "")}, CodeAlike, 0, "A.MD"},
		{"normalisation", []string{header, line("caf\u00e9.md", text, ""), line("cafe\u0301.md", text, "")}, CodeAlike, 0, "normalisation"},
		{"no documents", []string{header}, CodeEmpty, 1, "freeze"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, found := Read(files(c.manifest, "a.md", text, "A.MD", text, "caf\u00e9.md", text, "cafe\u0301.md", text, "nul.md", "a\nb\x00c"), "corpus.jsonl")
			if len(found) != 1 {
				t.Fatalf("%d findings: %v", len(found), found)
			}
			f := found[0]
			if c.code == CodeText {
				c.line = 2 // of the text
			}
			if f.Code != c.code || (c.line > 0 && f.Line != c.line) || !strings.Contains(f.String(), c.names) {
				t.Errorf("want %s in line %d naming %s, got %s", c.code, c.line, c.names, f)
			}
		})
	}
}

func TestReadWithoutManifest(t *testing.T) {
	c, found := Read(fstest.MapFS{}, "corpus.jsonl")
	if c != nil || len(found) != 1 || found[0].Code != CodeMissing {
		t.Error(c, found)
	}
}

// A manifest in a folder may name a root beside it, but none above the file
// system, and a link does not lead out either.
func TestRootStaysInside(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	up := strings.Replace(header, "docs", "../docs", 1)
	write("secret.md", "x")
	write("repo/docs/a.md", "x")
	write("repo/eval/corpus.jsonl", up+"\n"+line("a.md", "x", ""))
	if err := os.Symlink("../../secret.md", filepath.Join(dir, "repo/docs/link.md")); err != nil {
		t.Skip("no links here: ", err)
	}
	write("repo/eval/link.jsonl", up+"\n"+line("link.md", "x", ""))
	open := func(p string) fs.FS {
		root, err := os.OpenRoot(filepath.Join(dir, p))
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { root.Close() })
		return root.FS()
	}
	if _, found := Read(open("repo"), "eval/corpus.jsonl"); len(found) != 0 {
		t.Error("from the git root:", found)
	}
	if _, found := Read(open("repo/eval"), "corpus.jsonl"); len(found) != 1 || found[0].Code != CodePath {
		t.Error("from the manifest's folder:", found)
	}
	if _, found := Read(open("repo"), "eval/link.jsonl"); len(found) != 1 || found[0].Code != CodeMissing {
		t.Error("through a link:", found)
	}
}

func TestDigest(t *testing.T) {
	digest := func(lines ...string) string {
		c, found := Read(files(append([]string{header}, lines...), "a.md", "one", "b.md", "two"), "corpus.jsonl")
		if found.Errors() > 0 {
			t.Fatal(found)
		}
		return c.Digest()
	}
	a, b := line("a.md", "one", ""), line("b.md", "two", "")
	same := []string{digest(a, b), digest(b, a), digest(line("a.md", "old", ""), a, b), digest(line("a.md", "one", `,"observed":"2026-01-02","note":1`), b)}
	other := []string{digest(a), digest(b),
		digest(a, strings.Replace(b, `"doc":"b.md"`, `"doc":"c.md"`, 1)),
		digest(line("a.md", "one", `,"access":{"read":["x"]}`), b),
		digest(line("a.md", "one", `,"access":{"read":[]}`), b),
		digest(line("a.md", "one", `,"access":{"spans":[{"start":0,"end":1,"unit":"byte","read":["x"]}]}`), b),
		digest(line("a.md", "one", `,"access":{"spans":[{"start":0,"end":2,"unit":"byte","read":["x"]}]}`), b),
		digest(line("a.md", "one", `,"access":{"spans":[{"start":0,"end":1,"unit":"byte","read":["y"]}]}`), b),
	}
	for _, d := range same {
		if d != same[0] {
			t.Error("another digest for the same corpus", same)
		}
	}
	all := append(other, same[0])
	if slices.Sort(all); len(slices.Compact(all)) != len(other)+1 {
		t.Error("one digest for different corpora", all)
	}
	if x, y := digest(line("a.md", "one", `,"access":{"read":["x","y","x"]}`)), digest(line("a.md", "one", `,"access":{"read":["y","x"]}`)); x != y {
		t.Error("the order of names counts")
	}
}

func TestKept(t *testing.T) {
	v := VersionOf("x")
	m := fstest.MapFS{KeptPath("eval/corpus.jsonl", v): {Data: []byte("x")}, KeptPath("c.jsonl", v): {Data: []byte("y")}}
	if text, err := Kept(m, "eval/corpus.jsonl", v); text != "x" || err != nil {
		t.Error(text, err)
	}
	if _, err := Kept(m, "c.jsonl", v); err == nil || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
	if _, err := Kept(m, "corpus.jsonl", "../secret"); err == nil {
		t.Error("no digest")
	}
}

// A manifest is read line by line: what is wrong with the file comes first, then
// lines that cannot be read, then what lines say; and no line holds the values of its
// page table.
func TestManifestIsReadByLines(t *testing.T) {
	content := mark + headerExample + "\n" + `{"doc":7}` + "\n{\n" +
		`{"doc":"a","version":"sha256:` + strings.Repeat("0", 64) + `","path":"a","bytes":1,"pages":[{"page":"i","start":0}]}`
	m, found := parse("corpus.jsonl", []byte(content))
	var got []string
	for _, f := range found {
		got = append(got, f.Place()+" "+f.Code)
	}
	want := "corpus.jsonl:1:1 K007, corpus.jsonl:3:2 K001, corpus.jsonl:2:8 K203, corpus.jsonl:2:1 K203, corpus.jsonl:2:1 K203, corpus.jsonl:2:1 K203"
	if s := strings.Join(got, ", "); s != want {
		t.Errorf("%s\nwant %s", s, want)
	}
	if e := m.lines[0]; len(m.lines) != 1 || len(e.Pages) != 1 || e.at.Get("pages").Elems != nil {
		t.Errorf("%+v", e)
	}
}
