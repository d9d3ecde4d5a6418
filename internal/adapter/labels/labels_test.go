package labels

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/text/coord"
)

// testCorpus is the documents that the fixtures of testdata label.
func testCorpus(t testing.TB) *corpus.Corpus {
	t.Helper()
	content, err := os.ReadFile("testdata/corpus.json")
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	if err := json.Unmarshal(content, &texts); err != nil {
		t.Fatal(err)
	}
	return corpusOf(texts)
}

func corpusOf(texts map[string]string) *corpus.Corpus {
	c := &corpus.Corpus{}
	for doc, text := range texts {
		c.Documents = append(c.Documents, &corpus.Document{Version: corpus.Version{Doc: doc, Version: corpus.VersionOf(text), Bytes: len(text)}, Text: text})
	}
	slices.SortFunc(c.Documents, func(a, b *corpus.Document) int { return strings.Compare(a.Doc, b.Doc) })
	return c
}

// fixtures are the kinds with their files and the names they use.
var fixtures = []struct {
	kind  string
	files []string
	names Names
}{
	{"chroma", []string{"chroma.csv"}, Names{Suffix: ".md"}},
	{"legalbench-rag", []string{"legalbench-rag.json"}, Names{Prefix: "in/"}},
	{"squad", []string{"squad.json"}, Names{}},
	{"hotpotqa", []string{"hotpotqa.json"}, Names{}},
	{"beir", []string{"beir/corpus.jsonl", "beir/queries.jsonl", "beir/test.tsv"}, Names{}},
	{"label-studio", []string{"label-studio.json"}, Names{}},
	{"w3c", []string{"w3c.jsonl"}, Names{Prefix: "x:"}},
	{"llamaindex", []string{"llamaindex.json"}, Names{Prefix: "/srv/docs/"}},
	{"langchain", []string{"langchain.jsonl"}, Names{Map: map[string]string{"/srv/docs/fees.md": "fees.md", "/srv/docs/hours.md": "hours.md"}}},
}

func kind(t testing.TB, name string) Kind {
	for _, k := range Kinds() {
		if k.Name == name {
			return k
		}
	}
	t.Fatalf("no kind %s", name)
	return Kind{}
}

func load(t testing.TB, names ...string) []File {
	t.Helper()
	var files []File
	for _, n := range names {
		content, err := os.ReadFile(filepath.Join("testdata", n))
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, File{n, content})
	}
	return files
}

// shown is an import as testdata/KIND.want holds it.
func shown(got *Imported) string {
	var b strings.Builder
	fmt.Fprintf(&b, "questions %+v\nlabels %+v\nchunks %+v\ndocuments %d\n", got.Questions, got.Labels, got.Chunks, got.Documents)
	for _, s := range got.Skipped {
		fmt.Fprintf(&b, "skipped %d %s\n", s.Count, s.Reason)
	}
	for _, f := range got.Found {
		fmt.Fprintf(&b, "\n%s\n", f)
	}
	for _, part := range [][]byte{got.Golden, got.Texts, got.Table} {
		if part != nil {
			fmt.Fprintf(&b, "\n%s", part)
		}
	}
	return b.String()
}

// TestKinds holds each kind's fixture against testdata/KIND.want; with
// UPDATE_WANT=1 it writes them anew.
func TestKinds(t *testing.T) {
	var covered []string
	for _, x := range fixtures {
		covered = append(covered, x.kind)
		t.Run(x.kind, func(t *testing.T) {
			got := kind(t, x.kind).Import(load(t, x.files...), x.names, testCorpus(t))
			file := filepath.Join("testdata", x.kind+".want")
			if os.Getenv("UPDATE_WANT") != "" {
				if err := os.WriteFile(file, []byte(shown(got)), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if shown(got) != string(want) {
				t.Errorf("got\n%s", shown(got))
			}
			sound(t, got, testCorpus(t))
		})
	}
	for _, k := range Kinds() {
		if !slices.Contains(covered, k.Name) {
			t.Errorf("no fixture of %s", k.Name)
		}
	}
}

// sound holds what is written against the texts by other means than those that
// wrote it: every offset is counted in runes.
func sound(t *testing.T, got *Imported, c *corpus.Corpus) {
	t.Helper()
	if q := got.Questions; q.Read != q.Imported+q.Refused || q.Imported < 0 || q.Refused < 0 {
		t.Errorf("questions %+v", q)
	}
	for _, n := range []Claims{got.Labels, got.Chunks} {
		if n.Read != n.Proved+n.Drafts+n.Refused || min(n.Proved, n.Drafts, n.Refused) < 0 {
			t.Errorf("claims %+v", n)
		}
	}
	if refused := got.Questions.Refused + got.Labels.Refused + got.Chunks.Refused; refused > 0 && got.Found.Errors() == 0 {
		t.Error("refused without a reason")
	}
	texts := map[string]string{}
	for _, d := range c.Documents {
		texts[d.Doc] = d.Text
	}
	for i, line := range strings.Split(strings.TrimSuffix(string(got.Texts), "\n"), "\n") {
		var d struct{ Doc, Text string }
		if err := json.Unmarshal([]byte(line), &d); line != "" && i > 0 && err != nil {
			t.Error(err)
		} else if i > 0 {
			texts[d.Doc] = d.Text
		}
	}
	slice := func(doc string, start, end int) string { return string([]rune(texts[doc])[start:end]) }
	if got.Golden != nil {
		set, found := golden.Read("golden.jsonl", got.Golden, corpusOf(texts))
		if found.Errors() > 0 || len(set.Questions) != got.Questions.Imported {
			t.Errorf("%d questions, %v", len(set.Questions), found)
		}
		for _, q := range set.Questions {
			for _, s := range q.Spans {
				if !s.Draft && slice(s.Doc, s.Start, s.End) != s.Quote {
					t.Errorf("%s %s [%d,%d) is not %q", q.QID, s.Doc, s.Start, s.End, s.Quote)
				}
			}
		}
	}
	proved := 0
	for i, line := range strings.Split(strings.TrimSuffix(string(got.Table), "\n"), "\n") {
		var ch struct {
			Doc, ID, Text string
			Start, End    *int
		}
		if err := json.Unmarshal([]byte(line), &ch); line != "" && err != nil {
			t.Error(err)
		}
		if i > 0 && ch.Start != nil {
			if proved++; slice(ch.Doc, *ch.Start, *ch.End) != ch.Text {
				t.Errorf("chunk %s is not at %d", ch.ID, *ch.Start)
			}
		}
	}
	if proved != got.Chunks.Proved {
		t.Errorf("%d chunks with offsets, %d counted", proved, got.Chunks.Proved)
	}
}

// TestSeparators: a table with other separators than commas is told so.
func TestSeparators(t *testing.T) {
	for _, header := range []string{"question;doc;quote", "question\tdoc\tquote"} {
		sheet := ReadSheet(File{"f.csv", []byte(header + "\nQ?;hours.md;desk\n")}, &golden.Set{Unit: "codepoint"})
		if len(sheet.Found) != 3 || !strings.HasPrefix(sheet.Found[0].Hint, "commas separate the columns") {
			t.Errorf("%s: %v", header, sheet.Found)
		}
	}
}

// TestSheet: drafts a row, and findings of the lines at their cells.
func TestSheet(t *testing.T) {
	header := `{"kerf":"golden/1","unit":"codepoint"}` + "\n"
	set, _ := golden.Read("golden.jsonl", []byte(header), testCorpus(t))
	sheet := ReadSheet(load(t, "questions.csv")[0], set)
	x, err := golden.Extend(set, testCorpus(t), "questions.csv", sheet.Lines)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "read %d refused %v\n%s", sheet.Read, x.Refused, strings.TrimPrefix(string(x.Content), header))
	for _, f := range sheet.Found {
		fmt.Fprintf(&b, "\n%s\n", f)
	}
	for _, f := range x.Found {
		fmt.Fprintf(&b, "\n%s\n", sheet.Finding(f))
	}
	if os.Getenv("UPDATE_WANT") != "" {
		if err := os.WriteFile("testdata/questions.want", []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/questions.want")
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("got\n%s", b.String())
	}
}

// FuzzKinds: no input makes a reader panic, and what is written is always sound.
func FuzzKinds(f *testing.F) {
	for i, x := range fixtures {
		files := load(f, x.files...)
		f.Add(i, files[len(files)-1].Content)
	}
	c := testCorpus(f)
	f.Fuzz(func(t *testing.T, i int, content []byte) {
		x := fixtures[uint(i)%uint(len(fixtures))]
		files := load(t, x.files...)
		files[len(files)-1].Content = content
		sound(t, kind(t, x.kind).Import(files, x.names, c), c)
	})
}

// FuzzSheet: likewise for a CSV of questions.
func FuzzSheet(f *testing.F) {
	f.Add(load(f, "questions.csv")[0].Content)
	f.Add([]byte("question,doc,quote\n\"a\nb\",fees.md,\"c\r\nd\"\n"))
	c := testCorpus(f)
	f.Fuzz(func(t *testing.T, content []byte) {
		set := &golden.Set{Unit: coord.CodePoint}
		set, _ = golden.Read("", set.Encode(), c)
		sheet := ReadSheet(File{"f.csv", content}, set)
		x, err := golden.Extend(set, c, "", sheet.Lines)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range x.Found {
			if got := sheet.Finding(found); got.Line < 1 || got.Column < 1 {
				t.Error(got)
			}
		}
	})
}
