package corpus

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"kerf/internal/finding"
	"kerf/internal/text/span"
)

const textsHeader = `{"kerf":"texts/1"}`

// freezeTexts freezes docs.jsonl of these lines into m.
func freezeTexts(t *testing.T, m fstest.MapFS, lines ...string) *Frozen {
	t.Helper()
	m["docs.jsonl"] = &fstest.MapFile{Data: []byte(strings.Join(lines, "\n") + "\n")}
	z, err := Freeze(m, Params{Manifest: "corpus.jsonl", Root: "docs.jsonl", Texts: true, Dates: map[string]string{"docs.jsonl": "2026-11-30"}})
	if err != nil {
		t.Fatal(err)
	}
	m["corpus.jsonl"] = &fstest.MapFile{Data: z.Manifest}
	return z
}

func readAll(t *testing.T, m fstest.MapFS) *Corpus {
	t.Helper()
	c, found := Read(m, "corpus.jsonl")
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTextsBecomeDocumentsWithPages(t *testing.T) {
	m := fstest.MapFS{}
	freezeTexts(t, m, `{"kerf":"texts/1","separator":"\n\n"}`,
		`{"doc":"manual.pdf","page":"iv","text":"Preface. ä","source":"s3://bucket/manual.pdf"}`,
		`{"doc":"https://example.com/a?b=\\c","text":"One line."}`,
		`{"doc":"manual.pdf","page":1,"text":""}`,
		`{"doc":"manual.pdf","page":2,"text":"The rule.","other":7}`)
	c := readAll(t, m)
	d := c.Find("manual.pdf")
	if d == nil || d.Text != "Preface. ä\n\n\n\nThe rule." || d.Path != "" || d.Observed != "2026-11-30" || c.Extract != Texts || c.Root != "docs.jsonl" {
		t.Fatalf("%+v of %+v", d, c)
	}
	if want := []Page{{"iv", 0}, {"1", 13}, {"2", 15}}; !slices.Equal(d.Pages, want) {
		t.Errorf("pages %v, want %v", d.Pages, want)
	}
	for at, want := range map[int]string{0: "iv", 10: "iv", 12: "iv", 13: "1", 14: "1", 15: "2", len(d.Text): "2"} {
		if got := d.Page(at); got != want {
			t.Errorf("byte %d is on page %q, want %q", at, got, want)
		}
	}
	if back, err := ParsePages(d.PageTable()); err != nil || !slices.Equal(back, d.Pages) {
		t.Errorf("the page table reads back as %v, %v", back, err)
	}
	for _, bad := range []string{"", "7", "x 1"} {
		if _, err := ParsePages([]string{bad}); err == nil {
			t.Errorf("a page table of %q", bad)
		}
	}
	if e := c.Find(`https://example.com/a?b=\c`); e == nil || e.Page(0) != "" || e.Text != "One line." {
		t.Errorf("the document of one line: %+v", e)
	}
	if got, want := Place("manual.pdf", d.Page(15), 5)+", "+Place("policy.md", "", 41), "manual.pdf p. 2, policy.md:41"; got != want {
		t.Errorf("places %s, want %s", got, want)
	}
	// The default separator is one line feed, and pages are part of the digest.
	before := c.Digest()
	freezeTexts(t, m, textsHeader, `{"doc":"manual.pdf","page":"v","text":"Preface. ä\n"}`, `{"doc":"manual.pdf","page":"1","text":"\nThe rule."}`)
	again := readAll(t, m)
	if got := again.Find("manual.pdf"); got.Text != "Preface. ä\n\n\nThe rule." || again.Digest() == before {
		t.Errorf("%q, %s", got.Text, again.Digest())
	}
	labelled := again.Digest()
	z := freezeTexts(t, m, textsHeader, `{"doc":"manual.pdf","page":"vi","text":"Preface. ä\n"}`, `{"doc":"manual.pdf","page":"1","text":"\nThe rule."}`)
	if c := readAll(t, m); c.Find("manual.pdf").Page(0) != "vi" || c.Digest() == labelled || len(z.Changed) > 0 {
		t.Errorf("a page called otherwise: %v, changed %v", c.Find("manual.pdf").Pages, z.Changed)
	}
}

func TestTextsAccess(t *testing.T) {
	m := fstest.MapFS{}
	z := freezeTexts(t, m, textsHeader,
		`{"doc":"all","page":1,"text":"ab","access":{"read":["staff"]}}`, `{"doc":"all","page":2,"text":"cd","access":{"read":["staff"]}}`,
		`{"doc":"some","page":1,"text":"äb","access":{"spans":[{"start":1,"end":2,"unit":"codepoint","read":["hr"]}]}}`,
		`{"doc":"some","page":2,"text":"cd","access":{"read":["staff"]}}`, `{"doc":"some","page":3,"text":"ef"}`,
		`{"doc":"one","text":"gh","access":{"read":[]}}`)
	c := readAll(t, m)
	if a := c.Find("all").Access; !slices.Equal(a.Read, []string{"staff"}) || a.Spans != nil {
		t.Errorf("all pages alike: %+v", a)
	}
	// "some" is "äb\ncd\nef": b is bytes 2 to 3; page 2 with what follows it 4 to 7.
	want := Access{Spans: []Restriction{{span.Span{Start: 2, End: 3}, []string{"hr"}}, {span.Span{Start: 4, End: 7}, []string{"staff"}}}}
	if a := c.Find("some").Access; !reflect.DeepEqual(a, want) {
		t.Errorf("some pages: %+v, want %+v", a, want)
	}
	if a := c.Find("one").Access; a.Read == nil || len(a.Read) != 0 {
		t.Errorf("nobody: %+v", a)
	}
	if len(z.Restated) > 0 {
		t.Errorf("new documents are not restated: %v", z.Restated)
	}
	// It is edited in the texts: a manifest that says something else is an error,
	// freezing again takes what is stated, and says so.
	m["corpus.jsonl"] = &fstest.MapFile{Data: []byte(strings.Replace(string(m["corpus.jsonl"].Data), `"read":["staff"]}}`, `"read":["public"]}}`, 1))}
	if _, found := Read(m, "corpus.jsonl"); codes(found) != "K224 K213 K213" {
		t.Errorf("another access in the manifest: %v", found)
	}
	z = freezeTexts(t, m, strings.Split(strings.TrimSuffix(string(m["docs.jsonl"].Data), "\n"), "\n")...)
	if !slices.Equal(z.Restated, []string{"all"}) || readAll(t, m).Find("all").Access.Read[0] != "staff" {
		t.Errorf("restated %v", z.Restated)
	}
	// What the texts leave open a person closes in the manifest, and freezing keeps it.
	freezeTexts(t, m, textsHeader, `{"doc":"x","text":"open"}`)
	closed := strings.Replace(string(m["corpus.jsonl"].Data), `"bytes":4`, `"bytes":4,"access":{"read":["staff"]}`, 1)
	m["corpus.jsonl"] = &fstest.MapFile{Data: []byte(closed)}
	if z := freezeTexts(t, m, textsHeader, `{"doc":"x","text":"other"}`); readAll(t, m).Find("x").Access.Read == nil || len(z.Changed) != 1 {
		t.Errorf("%s", z.Manifest)
	}
	// A changed document with restricted parts is refused, unless the texts state them.
	parts := strings.Replace(string(m["corpus.jsonl"].Data), `{"read":["staff"]}`, `{"spans":[{"start":0,"end":2,"unit":"byte","read":["staff"]}]}`, 1)
	m["corpus.jsonl"] = &fstest.MapFile{Data: []byte(parts)}
	z = freezeTexts(t, m, textsHeader, `{"doc":"x","page":"7","text":"longer"}`)
	if codes(z.Refused) != CodeRestate || !strings.Contains(z.Refused[0].Paste, `"bytes":6,"pages":[{"page":"7","start":0}],"access":{"spans":[{"start":0,"end":6,`) || strings.Contains(z.Refused[0].Paste, `"path"`) {
		t.Errorf("%v", z.Refused)
	}
	freezeTexts(t, m, textsHeader, `{"doc":"x","text":"longer","access":{}}`)
	if a := readAll(t, m).Find("x").Access; a.Read != nil || a.Spans != nil {
		t.Errorf("stated as open: %+v", a)
	}
}

func codes(found finding.List) string {
	var out []string
	for _, f := range found {
		out = append(out, f.Code)
	}
	return strings.Join(out, " ")
}

// Every problem of a file of texts, with its place; nothing is frozen then.
func TestTextsProblems(t *testing.T) {
	for name, c := range map[string]struct{ lines, want string }{
		"empty":             {"", "docs.jsonl:1 K219"},
		"no header":         {`{"doc":"a","text":"x"}`, "docs.jsonl:1:1 K219"},
		"another kind":      {`{"kerf":"golden/1"}` + "\n" + `{"doc":"a"}`, "docs.jsonl:1:1 K219, docs.jsonl:2:1 K203"},
		"header":            {`{"kerf":"texts/1","separator":1,"seperator":"x"}` + "\n" + `{"doc":"a","text":"x"}`, "docs.jsonl:1:31 K203, docs.jsonl:1:33 K202"},
		"fields":            {textsHeader + "\n" + `{"doc":7,"text":null,"source":1,"page":1.5}`, "docs.jsonl:2:8 K203, docs.jsonl:2:17 K203, docs.jsonl:2:31 K203, docs.jsonl:2:40 K203"},
		"no object":         {textsHeader + "\n7", "docs.jsonl:2:1 K203"},
		"slip of access":    {textsHeader + "\n" + `{"doc":"a","text":"x","acess":{}}`, "docs.jsonl:2:23 K202"},
		"syntax and more":   {textsHeader + "\n{\n" + `{"doc":"a"}`, "docs.jsonl:2:2 K001, docs.jsonl:3:1 K203"},
		"NUL":               {textsHeader + "\n" + `{"doc":"a","text":"x\u0000"}`, "docs.jsonl:2:19 K209"},
		"no page":           {textsHeader + "\n" + `{"doc":"a","text":"x"}` + "\n" + `{"doc":"a","text":"x"}`, "docs.jsonl:2:1 K220, docs.jsonl:3:1 K220"},
		"page twice":        {textsHeader + "\n" + `{"doc":"a","page":3,"text":"x"}` + "\n" + `{"doc":"a","page":"3","text":"y"}`, "docs.jsonl:3:1 K221"},
		"blank page":        {textsHeader + "\n" + `{"doc":"a","page":" ","text":"x"}`, "docs.jsonl:2:19 K203"},
		"access":            {textsHeader + "\n" + `{"doc":"a","text":"x","access":{"spans":[{"start":0,"end":2,"unit":"byte","read":["s"]}]}}`, "docs.jsonl:2:42 K212"},
		"two kinds of line": {textsHeader + "\n" + `{"doc":"a","page":1,"text":"x"}` + "\n" + `{"doc":"a","text":"x"}`, "docs.jsonl:3:1 K220"},
	} {
		m := fstest.MapFS{"docs.jsonl": {Data: []byte(c.lines)}}
		_, err := Freeze(m, Params{Manifest: "corpus.jsonl", Root: "docs.jsonl", Texts: true})
		found, ok := finding.As(err)
		if !ok {
			t.Errorf("%s: %v", name, err)
			continue
		}
		found.Sort()
		var got []string
		for _, f := range found {
			got = append(got, f.Place()+" "+f.Code)
		}
		if s := strings.Join(got, ", "); s != c.want {
			t.Errorf("%s: %s\nwant %s", name, s, c.want)
		}
	}
	// Falling numbers are said once a document, and stop nothing.
	m := fstest.MapFS{}
	freezeTexts(t, m, textsHeader, `{"doc":"a","page":1,"text":"x"}`, `{"doc":"a","page":10,"text":"y"}`, `{"doc":"a","page":2,"text":"z"}`, `{"doc":"a","page":1000,"text":"z"}`, `{"doc":"a","page":3,"text":"z"}`)
	if _, found := Read(m, "corpus.jsonl"); codes(found) != CodePageOrder || found[0].Line != 4 || found.Errors() > 0 {
		t.Errorf("falling pages: %v", found)
	}
}

// What Read says when texts and manifest have gone apart.
func TestTextsAgainstTheirManifest(t *testing.T) {
	lines := []string{textsHeader, `{"doc":"a","page":"1","text":"one"}`, `{"doc":"a","page":"2","text":"two"}`, `{"doc":"b","text":"\ufeffb"}`}
	for name, c := range map[string]struct {
		change       func(m fstest.MapFS)
		read, verify string
	}{
		"nothing":         {func(fstest.MapFS) {}, "K215", "K215"},
		"the texts gone":  {func(m fstest.MapFS) { delete(m, "docs.jsonl") }, "K206", "K206"},
		"a text changed":  {replace("docs.jsonl", "two", "twö"), "K207 K215", "K207 K215"},
		"a document gone": {replace("docs.jsonl", `"doc":"b"`, `"doc":"c"`), "K206", "K206 K217"},
		"pages moved":     {replace("docs.jsonl", `"page":"2"`, `"page":"3"`), "K223 K215", "K223 K215"},
		"a bad line":      {replace("docs.jsonl", `"text":"two"`, `"text":2`), "K203 K215", "K203 K215"},
		"half a line":     {replace("docs.jsonl", `"two"}`, `"two`), "K001", "K001"},
		"a page table":    {replace("corpus.jsonl", `"start":4`, `"start":40`), "K223 K215", "K223 K215 K217"},
		"a start at 1":    {replace("corpus.jsonl", `"start":0`, `"start":1`), "K223 K215", "K223 K215 K217"},
		"a path":          {replace("corpus.jsonl", `"bytes":7`, `"path":"a","bytes":7`), "K205 K215", "K205 K215 K217"},
		"bytes":           {replace("corpus.jsonl", `"bytes":7`, `"bytes":8`), "K208 K215", "K208 K215"},
	} {
		m := fstest.MapFS{}
		freezeTexts(t, m, lines...)
		c.change(m)
		if _, found := Read(m, "corpus.jsonl"); !same(codes(found), c.read) {
			t.Errorf("%s: Read says %v, want %s", name, found, c.read)
		}
		if _, found := Verify(m, "corpus.jsonl"); !same(codes(found), c.verify) {
			t.Errorf("%s: Verify says %v, want %s", name, found, c.verify)
		}
	}
}

// same reports whether two lists of codes hold the same, in any order.
func same(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

func replace(file, old, with string) func(fstest.MapFS) {
	return func(m fstest.MapFS) {
		s := strings.Replace(string(m[file].Data), old, with, 1)
		if s == string(m[file].Data) {
			panic("nothing to replace: " + old)
		}
		m[file] = &fstest.MapFile{Data: []byte(s)}
	}
}

// Texts that change at random: what freeze writes reads without errors, says
// again what it said, and gives every page back as it was written.
func TestFreezingTextsKeepsItsPromises(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 7))
		between := []string{"\n", "\n\n", "", " — "}[r.IntN(4)]
		m := fstest.MapFS{}
		for range 3 {
			type page struct{ label, text string }
			docs := map[string][]page{}
			lines := []string{fmt.Sprintf(`{"kerf":"texts/1","separator":%s}`, quote(between))}
			for i := range 1 + r.IntN(12) {
				doc := []string{"a", "b", "ü\\x"}[r.IntN(3)]
				p := page{fmt.Sprint(i), []string{"", "one", "two €\r\n", "\n", "𝄞"}[r.IntN(5)]}
				docs[doc] = append(docs[doc], p)
				lines = append(lines, fmt.Sprintf(`{"doc":%s,"page":"%s","text":%s}`, quote(doc), p.label, quote(p.text)))
			}
			z := freezeTexts(t, m, lines...)
			c := readAll(t, m)
			if len(c.Documents) != len(docs) || z.Documents != len(docs) {
				t.Fatalf("seed %d: %d documents, want %d", seed, len(c.Documents), len(docs))
			}
			for doc, pages := range docs {
				d := c.Find(doc)
				for i, p := range pages {
					end := len(d.Text)
					if i+1 < len(pages) {
						end = d.Pages[i+1].Start - len(between)
					}
					if got := d.Text[d.Pages[i].Start:end]; d.Pages[i].Label != p.label || got != p.text {
						t.Fatalf("seed %d: page %s of %s is %q, want %q", seed, p.label, doc, got, p.text)
					}
				}
			}
			if again := freezeTexts(t, m, lines...); string(again.Manifest) != string(z.Manifest) {
				t.Fatalf("seed %d: freezing again gives\n%s\nnot\n%s", seed, again.Manifest, z.Manifest)
			}
		}
	}
}

func TestTextsAndFoldersAreNotMixed(t *testing.T) {
	m := files([]string{header, line("a.md", "x", "")}, "a.md", "x")
	m["docs.jsonl"] = &fstest.MapFile{Data: []byte(textsHeader + "\n" + `{"doc":"a","text":"x"}`)}
	if _, err := Freeze(m, Params{Manifest: "corpus.jsonl", Root: "docs.jsonl", Texts: true}); err == nil || !strings.Contains(err.Error(), `pins the folder "docs", not "docs.jsonl"`) {
		t.Error(err)
	}
	delete(m, "corpus.jsonl")
	freezeTexts(t, m, textsHeader, `{"doc":"a","text":"x"}`)
	if _, err := Freeze(m, Params{Manifest: "corpus.jsonl", Root: "docs"}); err == nil || !strings.Contains(err.Error(), `pins the texts "docs.jsonl", not "docs"`) {
		t.Error(err)
	}
}

// No file of texts ends in a panic, and what has no error is joined from its lines.
func FuzzTexts(f *testing.F) {
	f.Add(textsHeader + "\n" + `{"doc":"a","page":1,"text":"x","access":{"read":["s"],"spans":[{"start":0,"end":1,"unit":"utf16","read":["t"]}]}}` + "\n" + `{"doc":"a","page":"iv","text":"\ud83d\ude00"}`)
	f.Add(`{"kerf":"texts/1","separator":"\n\n"}` + "\n" + `{"doc":"b","text":""}`)
	f.Fuzz(func(t *testing.T, content string) {
		c := &checker{}
		read := c.texts("docs.jsonl", []byte(content))
		if c.found.Errors() > 0 {
			return
		}
		m := fstest.MapFS{"docs.jsonl": {Data: []byte(content)}}
		z, err := Freeze(m, Params{Manifest: "corpus.jsonl", Root: "docs.jsonl", Texts: true})
		if err != nil {
			t.Fatal(err)
		}
		m["corpus.jsonl"] = &fstest.MapFile{Data: z.Manifest}
		corpus, found := Read(m, "corpus.jsonl")
		if len(read.docs) == 0 {
			return
		}
		if found.Errors() > 0 {
			t.Fatalf("%v\n%s", found, z.Manifest)
		}
		for _, d := range corpus.Documents {
			g := read.docs[d.Doc]
			for i, p := range d.Pages {
				if !strings.HasPrefix(d.Text[p.Start:], g.lines[i].text) || d.Pages[i].Label != g.lines[i].page {
					t.Fatalf("page %d of %q", i, d.Doc)
				}
			}
		}
	})
}
