package corpus

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
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
	marked := fstest.MapFS{}
	freezeTexts(t, marked, lines...)
	if _, found := Read(marked, "corpus.jsonl"); found[0].Place() != "docs.jsonl:4:19" {
		t.Errorf("the mark of b stands in %s", found[0].Place())
	}
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

// sameAsTwin reads a file of texts line by line, and whole.
func sameAsTwin(t *testing.T, m fs.FS, content string) {
	t.Helper()
	one, whole := &checker{}, &checker{}
	want := whole.whole("docs.jsonl", []byte(content))
	got, err := one.texts(m, "docs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer got.close()
	if len(one.found)+len(whole.found) > 0 && !reflect.DeepEqual(one.found, whole.found) {
		t.Fatalf("findings of\n%s\n%v\nwant\n%v", content, one.found, whole.found)
	}
	if got.unread != want.unread || len(got.docs) != len(want.docs) {
		t.Fatalf("%s\nunread %v, want %v; %d documents, want %d", content, got.unread, want.unread, len(got.docs), len(want.docs))
	}
	for doc, w := range want.docs {
		g := got.docs[doc]
		textAt := place{}
		if v := w.at.Get("text"); v != nil {
			textAt = placeOf(v)
		}
		if g == nil || g.doc != doc || g.bad != w.bad || g.stated != w.stated || g.at != placeOf(w.at) || g.textAt != textAt {
			t.Fatalf("%s\n%q: %+v, want %+v", content, doc, g, w)
		}
		if w.bad {
			continue
		}
		text, err := got.text(g)
		if err != nil || string(text) != w.text || g.bytes != len(w.text) || g.version != VersionOf(w.text) || !slices.Equal(g.pages, w.pages) || !reflect.DeepEqual(g.access, w.access) {
			t.Fatalf("%s\n%q: %q, %v; %+v, want %+v", content, doc, text, err, g, w)
		}
	}
}

var (
	someHeaders = []string{textsHeader, `{"kerf":"texts/1","separator":""}`, `{"kerf":"texts/1","separator":"\n\n"}`, `{"kerf":"texts/1","separator":"\ufeff"}`, `{"kerf":"texts/1","separator":"a\u0000"}`,
		`{"kerf":"texts/1","separator":1}`, `{"kerf":"texts/1","seperator":""}`, `{"kerf":"golden/1"}`, `{"kerf":`, ``, "\uFEFF" + textsHeader, "\xff\xfe" + textsHeader, "7"}
	someDocs   = []string{`"a"`, `"a"`, `"b"`, `"b"`, `"\u0061"`, `"ä\\x"`, `""`, `7`}
	someTexts  = []string{`""`, `""`, `"x"`, `"one"`, `"two €\r\n"`, `"\ufeff"`, `"\ud834\udd1e𝄞"`, `"\"\\\/\b\f\n\r\t\u00e4"`, `"` + strings.Repeat("long ", readOver/4) + `"`, `"\u0000"`, `"x\u0000"`, `"\ud800"`, `null`, `"` + "\xff" + `"`}
	somePages  = []string{``, `,"page":1`, `,"page":1`, `,"page":2`, `,"page":"2"`, `,"page":10`, `,"page":"iv"`, `,"page":-3`, `,"page":" "`, `,"page":1.5`, `,"page":null`}
	someAccess = []string{``, ``, ``, `,"access":{}`, `,"access":{"read":["s"]}`, `,"access":{"read":[]}`, `,"access":{"read":["s"],"spans":[{"start":0,"end":1,"unit":"codepoint","read":["t"]}]}`,
		`,"access":{"spans":[{"start":1,"end":2,"unit":"utf16","read":[]}]}`, `,"access":{"spans":[{"start":0,"end":90,"unit":"byte","read":["t"]}]}`, `,"access":7`, `,"acess":{}`, `,"source":7`, `,"doc":"a"`}
	someLines = []string{``, ` `, `7`, `{`, `{}`, `[]`, `{"doc":"a"}`, "\t\r"}
)

// someFile is a file of texts in which anything may be wrong, or, where r is kind,
// rarely anything.
func someFile(r *rand.Rand) string {
	kind := r.IntN(2)
	of := func(list []string) string { return list[r.IntN(max(1, len(list)-kind*len(list)/2))] }
	var b strings.Builder
	b.WriteString(of(someHeaders))
	for range r.IntN(9) {
		b.WriteString([]string{"\n", "\n", "\n", "\r\n", "\n\n "}[r.IntN(5)])
		if r.IntN(10) == 0 && kind == 0 {
			b.WriteString(of(someLines))
			continue
		}
		fmt.Fprintf(&b, `{"doc":%s%s,"text":%s%s}`, of(someDocs), of(somePages), of(someTexts), of(someAccess))
	}
	return b.String()
}

// Line by line the findings and the documents are those of the whole file, also
// where its file cannot be read at any place.
func TestTextsAreTheirTwin(t *testing.T) {
	for seed := range uint64(5_000) {
		content := someFile(rand.New(rand.NewPCG(seed, 9)))
		m := fstest.MapFS{"docs.jsonl": {Data: []byte(content)}}
		if seed%2 == 0 {
			sameAsTwin(t, m, content)
		} else {
			sameAsTwin(t, streamFS{m}, content)
		}
	}
}

// streamFS has files that are only read from their beginning.
type streamFS struct{ fs.FS }

func (m streamFS) Open(name string) (fs.File, error) {
	f, err := m.FS.Open(name)
	return struct{ fs.File }{f}, err
}

// Documents at the limits: of one text, of several lines together, and of the file.
func TestTextsAtTheirLimits(t *testing.T) {
	half := strings.Repeat("x", MaxText/2)
	line := func(page int, text string) string {
		return fmt.Sprintf(`{"doc":"a","page":%d,"text":"%s"}`, page, text)
	}
	for name, c := range map[string]struct {
		lines []string
		want  string
	}{
		"a text":            {[]string{line(1, half+half)}, ""},
		"one byte more":     {[]string{line(1, half+half+"x")}, "K209 docs.jsonl:2:28"},
		"two lines":         {[]string{line(1, half), line(2, half[1:])}, ""},
		"their separator":   {[]string{line(1, half), line(2, half)}, "K209 docs.jsonl:2:1"},
		"and further lines": {[]string{line(1, half), line(2, half), line(3, half)}, "K209 docs.jsonl:2:1"},
	} {
		m := fstest.MapFS{"docs.jsonl": {Data: []byte(textsHeader + "\n" + strings.Join(c.lines, "\n"))}}
		one := &checker{}
		read, err := one.texts(m, "docs.jsonl")
		got := codes(one.found)
		if len(one.found) > 0 {
			got += " " + one.found[0].Place()
		}
		if err != nil || got != c.want || read.docs["a"].bad != (c.want != "") {
			t.Errorf("%s: %v, %v; want %q", name, one.found, err, c.want)
			continue
		}
		if text, err := read.text(read.docs["a"]); c.want == "" && (err != nil || len(text) != MaxText) {
			t.Errorf("%s: %d bytes, %v", name, len(text), err)
		}
	}
	for size, want := range map[int64]string{MaxTexts: "K001", MaxTexts + 1: "K209"} {
		c := &checker{}
		read, err := c.texts(oneFile{size}, "docs.jsonl")
		if err != nil || !read.unread || c.found[0].Code != want || want == "K209" && len(c.found) > 1 {
			t.Errorf("a file of %d bytes: %.200v, %v; want %s", size, c.found, err, want)
		}
	}
}

// oneFile is a file of so many bytes: a header and lines that are no JSON.
type oneFile struct{ size int64 }

func (f oneFile) Open(string) (fs.File, error) { return f, nil }
func (f oneFile) Stat() (fs.FileInfo, error)   { return fs.Stat(fstest.MapFS{"f": {}}, "f") }
func (f oneFile) Read([]byte) (int, error)     { return 0, fs.ErrInvalid }
func (f oneFile) Close() error                 { return nil }
func (f oneFile) ReadAt(p []byte, at int64) (int, error) {
	clear(p) // no JSON either
	p[len(p)-1] = '\n'
	if at == 0 {
		copy(p, textsHeader+"\n")
	}
	if rest := f.size - at; rest < int64(len(p)) {
		return int(rest), io.EOF
	}
	return len(p), nil
}

// A file that another program writes while it is read is never taken for what it
// was, and nothing of it is frozen.
func TestTextsThatChangeWhileTheyAreRead(t *testing.T) {
	lines := textsHeader + "\n" + `{"doc":"a","page":1,"text":"one"}` + "\n" + `{"doc":"a","page":2,"text":"two"}`
	for name, later := range map[string]string{
		"the same":    lines,
		"a text":      strings.Replace(lines, "two", "owt", 1),
		"no text":     strings.Replace(lines, `"two"`, `  two`, 1),
		"a long text": strings.Replace(lines, `"two"`, `"two and`, 1),
		"cut off":     lines[:len(lines)-5],
		"gone":        "",
	} {
		m := fstest.MapFS{}
		z := freezeTexts(t, m, lines)
		want, kept := "", 1
		if later != lines {
			want, kept = "K206", 0
		}
		changing := changingFS{m, "docs.jsonl", later}
		c, found := Read(changing, "corpus.jsonl")
		if codes(found) != want || len(c.Documents) != kept || len(found) > 0 && !strings.Contains(found[0].Message, "changed while it was read") {
			t.Errorf("%s: %v", name, found)
		}
		delete(m, "corpus.jsonl")
		again, err := Freeze(changing, Params{Manifest: "corpus.jsonl", Root: "docs.jsonl", Texts: true, Dates: map[string]string{"docs.jsonl": "2026-11-30"}})
		if want == "" && (err != nil || string(again.Manifest) != string(z.Manifest)) || want != "" && !errors.Is(err, errTextsChanged) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// changingFS has a file that is another one when it has been read to its end.
type changingFS struct {
	fs.FS
	name, later string
}

func (m changingFS) Open(name string) (fs.File, error) {
	f, err := m.FS.Open(name)
	if err == nil && name == m.name {
		return &changingFile{f, f.(io.ReaderAt), strings.NewReader(m.later)}, nil
	}
	return f, err
}

type changingFile struct {
	fs.File
	now   io.ReaderAt
	later *strings.Reader
}

func (f *changingFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.now.ReadAt(p, at)
	if err != nil {
		f.now = f.later
	}
	return n, err
}

// What stands together is read at once, but no more than readAhead bytes, and not
// what stands between.
func TestTextsAreReadAgainInPieces(t *testing.T) {
	line := func(doc string, page, length int) string {
		return fmt.Sprintf(`{"doc":"%s","page":%d,"text":"%s"}`, doc, page, strings.Repeat("x", length))
	}
	m := fstest.MapFS{}
	freezeTexts(t, m, textsHeader, line("a", 1, 10), line("b", 1, readOver/2), line("a", 2, 10), line("b", 2, readOver), line("a", 3, 10),
		line("a", 4, readAhead-100), line("a", 5, readAhead), line("a", 6, 1))
	read, err := (&checker{}).texts(m, "docs.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	log := &loggedReads{of: read.lines}
	read.lines = log
	if _, err := read.text(read.docs["a"]); err != nil {
		t.Fatal(err)
	}
	between := len(`,"page":1,`) + len(`{"doc":"a"`) + len(`"text":`) + len("}\n")
	want := []int{12 + between + readOver/2 + 2 + between + 12, 12 + between + readAhead - 100 + 2, readAhead + 2, 3}
	if !slices.Equal(log.sizes, want) {
		t.Errorf("%v, want %v", log.sizes, want)
	}
}

type loggedReads struct {
	of    io.ReaderAt
	sizes []int
}

func (l *loggedReads) ReadAt(p []byte, at int64) (int, error) {
	l.sizes = append(l.sizes, len(p))
	return l.of.ReadAt(p, at)
}

// A file that cannot be read further is said once, without what is in its beginning.
func TestTextsThatCannotBeRead(t *testing.T) {
	m := fstest.MapFS{}
	lines := textsHeader + "\n" + `{"doc":"a","text":"one"}`
	freezeTexts(t, m, lines)
	m["docs.jsonl"] = &fstest.MapFile{Data: []byte(textsHeader + "\n{\n")}
	broken := brokenFS{m}
	if _, found := Read(broken, "corpus.jsonl"); codes(found) != "K206" || !strings.Contains(found[0].Message, "no such luck") {
		t.Error(found)
	}
	if _, err := Freeze(broken, Params{Manifest: "corpus.jsonl", Root: "docs.jsonl", Texts: true}); !errors.Is(err, errLuck) {
		t.Error(err)
	}
}

var errLuck = errors.New("no such luck")

type brokenFS struct{ fs.FS }

func (m brokenFS) Open(name string) (fs.File, error) {
	f, err := m.FS.Open(name)
	if name == "docs.jsonl" {
		return brokenFile{f}, err
	}
	return f, err
}

type brokenFile struct{ fs.File }

func (f brokenFile) ReadAt(p []byte, at int64) (int, error) {
	n, err := f.File.(io.ReaderAt).ReadAt(p, at)
	if err != nil {
		err = errLuck
	}
	return n, err
}

// No file of texts ends in a panic, it is what its twin reads, and what has no error
// is frozen and read back.
func FuzzTexts(f *testing.F) {
	f.Add(textsHeader + "\n" + `{"doc":"a","page":1,"text":"x","access":{"read":["s"],"spans":[{"start":0,"end":1,"unit":"utf16","read":["t"]}]}}` + "\n" + `{"doc":"a","page":"iv","text":"\ud83d\ude00"}`)
	f.Add(`{"kerf":"texts/1","separator":"\n\n"}` + "\n" + `{"doc":"b","text":""}`)
	for seed := range uint64(50) {
		f.Add(someFile(rand.New(rand.NewPCG(seed, 9))))
	}
	f.Fuzz(func(t *testing.T, content string) {
		m := fstest.MapFS{"docs.jsonl": {Data: []byte(content)}}
		sameAsTwin(t, m, content)
		c := &checker{}
		read := c.whole("docs.jsonl", []byte(content))
		if c.found.Errors() > 0 {
			return
		}
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
