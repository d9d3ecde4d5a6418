package chunks

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/text/span"
)

// documents is a corpus of texts, each under its name.
func documents(texts ...string) *corpus.Corpus {
	c := &corpus.Corpus{}
	for i := 0; i < len(texts); i += 2 {
		d := &corpus.Document{Text: texts[i+1]}
		d.Doc, d.Version.Version, d.Bytes = texts[i], corpus.VersionOf(texts[i+1]), len(texts[i+1])
		c.Documents = append(c.Documents, d)
	}
	return c
}

func header(unit string) string { return fmt.Sprintf(`{"kerf":"chunks/1","unit":%q}`, unit) + "\n" }

// texts is the lines of chunks of text alone of one document.
func texts(doc string, all ...string) string {
	var b strings.Builder
	for i, text := range all {
		quoted, _ := json.Marshal(text)
		fmt.Fprintf(&b, `{"doc":%q,"id":"c#%d","text":%s}`+"\n", doc, i, quoted)
	}
	return b.String()
}

func spans(t *Table) []span.Span {
	var all []span.Span
	for _, c := range t.Chunks {
		all = append(all, c.Span)
	}
	return all
}

// same compares places, nil for none.
func same(t *testing.T, what string, got []span.Span, want ...span.Span) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func at(start, end int) span.Span { return span.Span{Start: start, End: end} }

// only is the one finding of a list, which must say all of the words.
func only(t *testing.T, found finding.List, code string, words ...string) finding.Finding {
	t.Helper()
	if len(found) != 1 || found[0].Code != code {
		t.Fatalf("want one %s, have %v", code, found)
	}
	for _, w := range words {
		if !strings.Contains(found[0].String(), w) {
			t.Errorf("%q is not in:\n%s", w, found[0])
		}
	}
	return found[0]
}

const fees = "Fee: 10 EUR.\nFee: 10 EUR.\nFee: 20 EUR.\n"

// TestCaseOff02: texts alone are placed by the order of the whole list, or not.
func TestCaseOff02(t *testing.T) {
	c := documents("doc.txt", fees)
	table, found := Read("all.jsonl", []byte(header("codepoint")+texts("doc.txt", "Fee: 10 EUR.", "Fee: 10 EUR.", "Fee: 20 EUR.")), c)
	if len(found) > 0 {
		t.Fatal(found)
	}
	same(t, "all_chunks", spans(table), at(0, 12), at(13, 25), at(26, 38))
	if table.Exact != 3 || table.Folded != 0 || table.Verified != 0 || len(table.Open) != 0 {
		t.Errorf("%+v", table)
	}

	table, found = Read("one.jsonl", []byte(header("codepoint")+texts("doc.txt", "Fee: 10 EUR.")), c)
	only(t, found, CodeAmbiguous, "doc.txt", "c#0", "ambiguous", "[0,12)", "[13,25)")
	if len(table.Chunks) != 0 || len(table.Open) != 1 || table.Open[0].Reason != Ambiguous || table.Open[0].More {
		t.Errorf("one_chunk: %+v", table)
	}
	same(t, "one_chunk", table.Open[0].Places, at(0, 12), at(13, 25))

	table, found = Read("missing.jsonl", []byte(header("codepoint")+texts("doc.txt", "Fee: 30 EUR.")), c)
	f := only(t, found, CodeNotFound, "doc.txt", "c#0", "not found")
	if strings.Contains(f.String(), "-1") || strings.Contains(f.String(), "[0,") {
		t.Errorf("a place that is none: %s", f)
	}
	if len(table.Chunks) != 0 || len(table.Open) != 1 || table.Open[0].Reason != NotFound {
		t.Errorf("missing_chunk: %+v", table)
	}
}

// TestCaseOff03: offsets that are given are verified, not moved.
func TestCaseOff03(t *testing.T) {
	c := documents("doc.txt", "Rates  apply\tfrom\n\nMarch 1.  They  end in May.\n")
	table, found := Read("chunks.jsonl", []byte(header("codepoint")+`{"doc":"doc.txt","id":"c#0","start":0,"end":27,"text":"Rates apply from March 1."}
{"doc":"doc.txt","id":"c#1","start":29,"end":46,"text":"They  end in May."}
`), c)
	f := only(t, found, CodeText, "doc.txt", "c#0", "[0,27)", "first difference at source offset 6")
	if f.Found != `"Rates  apply\tfrom\n\nMarch 1."` || f.Line != 2 {
		t.Errorf("%+v", f)
	}
	same(t, "accepted", spans(table), at(29, 46))
	if c, ok := table.Find("c#1"); !ok || c.Line != 3 || c.Span != at(29, 46) {
		t.Errorf("Find: %v %v", c, ok)
	}
	if _, ok := table.Find("c#0"); ok {
		t.Error("a refused chunk is found")
	}
}

// TestCaseOff07: the unit is the header's, and one that fits better is named.
func TestCaseOff07(t *testing.T) {
	c := documents("doc.txt", "“Frist” – 30 Tage – ab Zugang. Danach: 5 € Gebühr – pro Tag.")
	lines := `{"id":"c#0","doc":"doc.txt","start":47,"end":60,"text":"5 € Gebühr"}
{"id":"c#1","doc":"doc.txt","start":65,"end":73,"text":"pro Tag."}
`
	table, found := Read("chunks.jsonl", []byte(header("byte")+lines), c)
	if len(found) > 0 || table.Verified != 2 {
		t.Fatal(found)
	}
	for i, want := range []span.Span{at(39, 49), at(52, 60)} { // in code points
		text := c.Documents[0].Text
		b := table.Chunks[i].Span
		if got := at(len([]rune(text[:b.Start])), len([]rune(text[:b.End]))); got != want {
			t.Errorf("chunk %d: %v, want %v", i, got, want)
		}
	}
	table, found = Read("chunks.jsonl", []byte(header("codepoint")+lines), c)
	if len(found) != 2 || len(table.Chunks) != 0 {
		t.Fatal(found)
	}
	only(t, found[:1], CodeText, "c#0", "[47,60)", "unit byte would match")
	only(t, found[1:], CodeRange, "c#1", "[65,73)", "60", "unit byte would match")
	for _, head := range []string{"", `{"kerf":"chunks/1"}` + "\n", `{"kerf":"chunks/1","unit":"letters"}` + "\n"} {
		_, found = Read("chunks.jsonl", []byte(head+lines), c)
		code := CodeUnit
		if head == "" {
			code = CodeHeader
		}
		only(t, found, code, "under unit byte", `"unit":"byte"`)
	}
}

// TestFolded: white space is folded for a document's whole list, and only where
// the list does not stand there exactly.
func TestFolded(t *testing.T) {
	c := documents("d", "One\n\ntwo.  Three \t four.\nx  y and x y")
	table, found := Read("t", []byte(header("byte")+texts("d", " One two. ", "Three four.", "x  y", "x y")), c)
	if len(found) > 0 {
		t.Fatal(found)
	}
	same(t, "folded", spans(table), at(0, 9), at(11, 24), at(25, 29), at(34, 37))
	if table.Exact != 2 || table.Folded != 2 {
		t.Errorf("%d exact, %d folded", table.Exact, table.Folded)
	}
	table, found = Read("t", []byte(header("byte")+texts("d", "x y")), c)
	if len(found) > 0 {
		t.Fatal(found)
	}
	same(t, "exact where that is possible", spans(table), at(34, 37))
}

// TestListsTogether: one chunk that is open holds the others of its document,
// and says no more than what is wrong.
func TestListsTogether(t *testing.T) {
	c := documents("d", "a b c b", "e", "a")
	table, found := Read("t", []byte(header("byte")+texts("d", "a", "zzz", "c")+`{"doc":"e","id":"e","text":"a"}`), c)
	only(t, found, CodeNotFound, "c#1")
	same(t, "of e", spans(table), at(0, 1))
	var reasons []Reason
	for _, o := range table.Open {
		reasons = append(reasons, o.Reason)
	}
	if want := []Reason{Waiting, NotFound, Waiting}; !slices.Equal(reasons, want) {
		t.Errorf("%v, want %v", reasons, want)
	}
	table, found = Read("t", []byte(header("byte")+texts("d", "c", "a")), c)
	only(t, found, CodeNotInOrder, "chunk \"c#1\" has no place behind chunk \"c#0\", which starts at 4 or later", "[0,1)")
	if len(table.Chunks) != 0 || len(table.Open) != 2 {
		t.Errorf("%+v", table)
	}
	// A chunk with a place takes part in the order, and makes it unique.
	table, found = Read("t", []byte(header("byte")+`{"doc":"d","id":"c","start":4,"end":5}
{"doc":"d","id":"b","text":"b"}`), c)
	if len(found) > 0 {
		t.Fatal(found)
	}
	same(t, "behind a fixed one", spans(table), at(4, 5), at(6, 7))
	// Offsets alone are free of any order.
	table, found = Read("t", []byte(header("byte")+`{"doc":"d","id":"x","start":2,"end":5}
{"doc":"d","id":"y","start":2,"end":3,"text":"b","version":"`+c.Documents[0].Version.Version[:20]+`","prefix":"Title: "}
{"doc":"d","id":"z","start":0,"end":7}`), c)
	if len(found) > 0 {
		t.Fatal(found)
	}
	same(t, "given", spans(table), at(2, 5), at(2, 3), at(0, 7))
	if table.Chunks[1].Prefix != "Title: " {
		t.Errorf("prefix %q", table.Chunks[1].Prefix)
	}
}

// TestNamesTheOneWithoutPlace: where a chunk with offsets shows that the order
// is broken, a chunk without is listed.
func TestNamesTheOneWithoutPlace(t *testing.T) {
	c := documents("d", "a b c b")
	for _, lines := range []string{
		`{"doc":"d","id":"c","text":"c"}` + "\n" + `{"doc":"d","id":"a","start":0,"end":1}`,
		`{"doc":"d","id":"b","start":2,"end":3}` + "\n" + `{"doc":"d","id":"a","start":0,"end":1}` + "\n" + `{"doc":"d","id":"c","text":"c"}`,
	} {
		table, found := Read("t", []byte(header("byte")+lines), c)
		only(t, found, CodeNotInOrder, `chunk "a" has no place behind`, `chunk "c" at [4,5)`)
		if len(table.Open) != 1 || table.Open[0].ID != "c" {
			t.Errorf("%+v", table.Open)
		}
	}
}

// TestNoLine: what is no table at all is told the shape of one, not a unit.
func TestNoLine(t *testing.T) {
	_, found := Read("t", []byte(`[{"doc":"d","id":"a","text":"one"}]`), documents("d", "one"))
	if len(found) != 2 || found[0].Hint != "no line is a chunk: one JSON object a line, below the header" {
		t.Error(found)
	}
}

// TestEveryCode: each line alone gives its finding, once.
func TestEveryCode(t *testing.T) {
	c := documents("d", "é one two", "other", "x")
	c.Older = []corpus.Version{{Doc: "d", Version: corpus.VersionOf("old")}}
	line := func(s string) string { return header("byte") + s }
	for _, one := range []struct{ code, content, says string }{
		{CodeHeader, `{"kerf":"golden/1","unit":"byte"}` + "\n" + texts("d", "one"), "golden in kerf.yaml names a file of questions"},
		{CodeHeader, `{"kerf":"rankings/1"}` + "\n" + `{"qid":"q1","hits":[{"id":"a"}]}` + "\n" + `7`, "kerf score FILE reads rankings"},
		{CodeHeader, `{"kerf":"chunks/0","unit":"byte"}` + "\n" + texts("d", "one"), `found    "chunks/0"`},
		{CodeHeader, header("byte") + header("byte") + texts("d", "one"), "second header"},
		{CodeHeader, texts("d", "one"), "any unit will do"},
		{CodeUnit, `{"kerf":"chunks/1"}` + "\n" + texts("d", "one"), "any unit will do"},
		{CodeUnit, `{"kerf":"chunks/1","unit":7}` + "\n" + texts("d", "one"), "7"},
		{CodeField, line(`[1]`), "no object"},
		{CodeField, line(`{"doc":"d","text":"one"}`), `"id" is missing`},
		{CodeField, line(`{"doc":"d","id":" ","text":"one"}`), `under "id"`},
		{CodeField, line(`{"id":"a","text":"one"}`), `"doc" is missing`},
		{CodeField, line(`{"id":null,"doc":"d","text":"one"}`), `under "id"`},
		{CodeField, line(`{"id":"a","doc":"d","text":1}` + "\n" + texts("d", "one")), `under "text"`},
		{CodeField, line(`{"id":"a","doc":"d","start":1.5,"end":3}`), "1.5"},
		{CodeField, line(`{"id":"a","doc":"d","text":"one","prefix":[]}`), `under "prefix"`},
		{CodeTwice, line(texts("d", "one") + texts("d", "two")), "lines 2 and 3"},
		{CodePosition, line(`{"id":"12","doc":"d","text":"one"}`), `"12"`},
		{CodePosition, line(`{"id":12,"doc":"d","text":"one"}`), `"12"`},
		{CodePosition, line(`{"id":"refunds[3]","doc":"d","text":"one"}`), `refunds[3]`},
		{CodeDoc, line(`{"id":"a","doc":"./docs/other","text":"x"}`), `other exists`},
		{CodeDoc, line(`{"id":"a","doc":"othr","text":"one"}` + "\n" + `{"id":"b","doc":"othr","text":"one"}`), `did you mean "other"`},
		{CodeVersion, line(`{"id":"a","doc":"d","text":"one","version":"` + corpus.VersionOf("new") + `"}`), "not pinned"},
		{CodeVersion, line(`{"id":"a","doc":"d","text":"one","version":"` + corpus.VersionOf("old") + `"}`), "superseded"},
		{CodeVersion, line(`{"id":"a","doc":"d","text":"one","version":"` + c.Documents[0].Version.Version[:14] + `"}`), "not pinned"},
		{CodeNothing, line(`{"id":"a","doc":"d"}`), "neither"},
		{CodeNothing, line(`{"id":"a","doc":"d","text":null}`), "neither"},
		{CodeNothing, line(`{"id":"a","doc":"d","text":" \n"}`), "blank"},
		{CodeInterval, line(`{"id":"a","doc":"d","start":3}`), "only one"},
		{CodeInterval, line(`{"id":"a","doc":"d","start":3,"end":3}`), "empty"},
		{CodeInterval, line(`{"id":"a","doc":"d","start":3,"end":2}`), "before it starts"},
		{CodeRange, line(`{"id":"a","doc":"d","start":-1,"end":2}`), "length is 10"},
		{CodeRange, line(`{"id":"a","doc":"d","start":3,"end":11}`), "[3,11)"},
		{CodeInside, line(`{"id":"a","doc":"d","start":1,"end":6}`), "inside"},
		{CodeText, line(`{"id":"a","doc":"d","start":0,"end":6,"text":"è one"}`), "source offset 0"},
		{CodeText, line(`{"id":"a","doc":"d","start":0,"end":6,"text":""}`), "source offset 0"},
		{CodeText, line(`{"id":"a","doc":"d","start":3,"end":6,"text":"one two"}`), "source offset 6"},
		{CodeNotFound, line(texts("d", "three")), "not found"},
		{CodeAmbiguous, line(texts("d", "o")), "[3,4), [9,10)"},
		{CodeNotInOrder, line(texts("d", "two", "one")), "c#1"},
		{CodeSlip, line(`{"id":"a","doc":"d","txt":"one","start":3,"end":6}`), `did you mean "text"`},
		{CodeNoChunk, header("byte"), "no chunk"},
		{CodeNoChunk, "", "no chunk"},
	} {
		_, found := Read("t", []byte(one.content), c)
		f := only(t, found, one.code, one.says)
		if strings.Contains(f.Hint, "would match") {
			t.Errorf("a unit that nothing speaks for: %s", f)
		}
		if f.Line == 0 {
			t.Errorf("no place: %s", f)
		}
	}
}

// TestManyFindings: a thousand of a code are listed, the others counted.
func TestManyFindings(t *testing.T) {
	var b strings.Builder
	b.WriteString(header("byte"))
	for i := range 2500 {
		fmt.Fprintf(&b, `{"id":"a%d","doc":"d","start":1,"end":3,"text":"zz"}`+"\n", i)
	}
	_, found := Read("t", []byte(b.String()), documents("d", "abcdef"))
	n := map[string]int{}
	for _, f := range found {
		n[f.Code]++
	}
	if n[CodeText] != 1000 || n[CodeMore] != 1 || !strings.Contains(fmt.Sprint(found), "1500 more findings of K312") {
		t.Errorf("%v", n)
	}
}

// TestChunksWithProblems: a chunk with a problem of its own stands in the order,
// and neither in the table nor in the list; one without a place leaves the order.
func TestChunksWithProblems(t *testing.T) {
	c := documents("d", "a b c b", "e", "x y and x  y")
	_, found := Read("t", []byte(header("byte")+`{"doc":"d","id":"12","text":"c"}
{"doc":"d","id":"b","text":"b"}
{"doc":"d","id":"13","start":0,"end":1}
`), c)
	if len(found) != 3 || found[0].Code != CodePosition || found[1].Code != CodeNotInOrder || found[2].Code != CodePosition {
		t.Error(found)
	}
	table, found := Read("t", []byte(header("byte")+`{"doc":"d","id":"12","text":"c"}
{"doc":"d","id":"b","text":"b"}
{"doc":"e","id":"13","start":0,"end":1}
`), c)
	if len(found) != 2 || found.Errors() != 2 || table.Exact != 1 || table.Verified != 0 || table.Lines != 3 || len(table.Open) != 0 {
		t.Errorf("%v %+v", found, table)
	}
	same(t, "behind one with a bad id", spans(table), at(6, 7))
	table, found = Read("t", []byte(header("byte")+`{"doc":"d","id":"12","text":"zzz"}`), c)
	only(t, found, CodePosition)
	if len(table.Open) != 0 {
		t.Errorf("listed twice: %+v", table.Open)
	}
	table, found = Read("t", []byte(header("byte")+`{"doc":"d","id":"far","start":3,"end":99}
{"doc":"d","id":"c","text":"c"}`), c)
	only(t, found, CodeRange)
	same(t, "beside one without a place", spans(table), at(4, 5))
	_, found = Read("t", []byte(header("byte")+texts("e", "zzz", "x y")), c)
	only(t, found, CodeNotFound)
	_, found = Read("t", []byte(header("byte")+texts("e", "zzz", "x\ny")), c)
	if len(found) != 2 || found[1].Code != CodeAmbiguous {
		t.Error(found)
	}
	_, found = Read("t", []byte(header("byte")+`{"doc":"d","text":"c"}`+"\n"+`{"doc":"d","text":"b"}`), c)
	if len(found) != 2 || found[0].Code != CodeField || found[1].Code != CodeField {
		t.Error(found)
	}
}

// TestSlips: a key is said once, and only where the one that it looks like is
// missing.
func TestSlips(t *testing.T) {
	c := documents("d", "one two")
	_, found := Read("t", []byte(header("byte")+`{"doc":"d","id":"a","txt":"","start":0,"end":3}
{"doc":"d","id":"b","txt":"","start":4,"end":7}`), c)
	only(t, found, CodeSlip, `"txt"`)
	_, found = Read("t", []byte(header("byte")+`{"doc":"d","id":"a","txt":"","text":"one","page":1}`), c)
	if len(found) > 0 {
		t.Error(found)
	}
}

// TestPlaces: at most a hundred are listed, ten of them in the message, in bytes
// where the unit cannot name one.
func TestPlaces(t *testing.T) {
	for _, n := range []int{100, 101} {
		table, found := Read("t", []byte(header("byte")+texts("d", "a")), documents("d", strings.Repeat("a", n)))
		only(t, found, CodeAmbiguous, "[0,1), [1,2)", "[9,10), … (byte)")
		if o := table.Open[0]; len(o.Places) != 100 || o.More != (n > 100) {
			t.Errorf("%d places, more %v", len(o.Places), o.More)
		}
	}
	table, found := Read("t", []byte(header("token:words")+texts("d", "b")), documents("d", "éb éb"))
	only(t, found, CodeAmbiguous, "[2,3), [6,7) (byte)")
	same(t, "in bytes", table.Open[0].Places, at(2, 3), at(6, 7))
	x := newIndex("aaaa")
	x.spent = mostSpent + 1
	if places, more := x.between("a", 1, 3, 9); !slices.Equal(places, []int{1, 3}) || !more {
		t.Errorf("beyond the bound: %v %v", places, more)
	}
}

func TestAround(t *testing.T) {
	long := strings.Repeat("é", 50) + "x" + strings.Repeat("z", 50)
	for _, one := range []struct {
		text string
		at   int
		want string
	}{
		{strings.Repeat("a", 60), 50, `"` + strings.Repeat("a", 60) + `"`},
		{long, 101, `… "` + strings.Repeat("é", 10) + "x" + strings.Repeat("z", 49) + `" …`},
		{long, 3, `"` + strings.Repeat("é", 50) + "x" + strings.Repeat("z", 9) + `" …`},
	} {
		if got := around(one.text, one.at); got != one.want {
			t.Errorf("%s, want %s", got, one.want)
		}
	}
}
