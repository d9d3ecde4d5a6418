package rankings

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kerf/internal/chunks"
	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/text/span"
)

// library is documents with these texts and older versions of some, given as
// doc, text, doc, text, …; a document's last text is the pinned one.
func library(docs ...string) *corpus.Corpus {
	c := &corpus.Corpus{}
	for i := 0; i < len(docs); i += 2 {
		v := corpus.Version{Doc: docs[i], Version: corpus.VersionOf(docs[i+1]), Bytes: len(docs[i+1])}
		if old := c.Find(v.Doc); old != nil {
			c.Older = append(c.Older, old.Version)
			*old = corpus.Document{Version: v, Text: docs[i+1]}
			continue
		}
		c.Documents = append(c.Documents, &corpus.Document{Version: v, Text: docs[i+1]})
	}
	slices.SortFunc(c.Documents, func(a, b *corpus.Document) int { return strings.Compare(a.Doc, b.Doc) })
	return c
}

func manuals() *corpus.Corpus {
	return library("manual-v1", "AA BBBB CC", "other-v1", "AA BBBB CC", "accents", "aé漢𝄞b aé漢𝄞b", "policy", "within 14 days.", "policy", "within 30 days, always.")
}

// header is the header of rankings of c in code points.
func header(c *corpus.Corpus) string {
	return `{"kerf":"rankings/1","unit":"codepoint","name":"test","corpus":"` + c.Digest() + `"}` + "\n"
}

func table(t *testing.T, c *corpus.Corpus, lines string) *chunks.Table {
	t.Helper()
	table, found := chunks.Read("chunks.jsonl", []byte(`{"kerf":"chunks/1","unit":"codepoint"}`+"\n"+lines), c)
	if found.Errors() > 0 {
		t.Fatal(found.Err())
	}
	return table
}

func TestRead(t *testing.T) {
	c := manuals()
	f, found := Read("r.jsonl", []byte(header(c)+`
{"qid":"q1","hits":[{"doc":"other-v1","start":0,"end":10,"score":7.5,"id":"c1"},{"doc":"manual-v1","version":"`+c.Find("manual-v1").Version.Version+`","start":3,"end":7,"text":"BBBB","prefix":"Manual: ","score":null,"further":{"a":[1]}}]}
{"qid":"q2","hits":[]}
{"qid":"q3","error":"timeout"}
{"qid":"q4","hits":[{"doc":"accents","start":1,"end":4,"text":"é漢𝄞"},{"doc":"policy","version":"`+corpus.VersionOf("within 14 days.")[:len("sha256:")+8]+`","start":0,"end":6}]}`), c, nil, false)
	if len(found) > 0 {
		t.Fatal(found)
	}
	if f.Name != "test" || f.ByID || len(f.Rankings) != 4 || !strings.HasPrefix(f.Digest, "sha256:") {
		t.Fatalf("%+v", f)
	}
	want := []Hit{{Doc: 2, DocID: "other-v1", Version: c.Documents[2].Version.Version, Span: span.Span{Start: 0, End: 10}, ID: "c1", Score: 7.5, Scored: true},
		{Doc: 1, DocID: "manual-v1", Version: c.Documents[1].Version.Version, Span: span.Span{Start: 3, End: 7}, Prefix: "Manual: "}}
	if got := f.Find("q1"); !slices.Equal(got.Hits, want) || got.Line != 3 {
		t.Errorf("q1: %+v", got)
	}
	if got := f.Find("q2"); got == nil || len(got.Hits) != 0 || got.Error != "" {
		t.Errorf("q2: %+v", got)
	}
	if got := f.Find("q3"); got.Error != "timeout" {
		t.Errorf("q3: %+v", got)
	}
	q4 := f.Find("q4").Hits
	if q4[0].Span != (span.Span{Start: 1, End: 10}) {
		t.Errorf("bytes of code points: %+v", q4[0])
	}
	// Code points of a text that is not there cannot be turned into bytes.
	if h := q4[1]; !h.Older() || h.Doc != -1 || h.DocID != "policy" || h.Version != corpus.VersionOf("within 14 days.") || h.Span != (span.Span{}) {
		t.Errorf("older version: %+v", h)
	}
	if f.Find("q5") != nil {
		t.Error("q5 has no line")
	}
}

// TestNothing: a file without a ranking says so once, whatever else it warns of, and
// not again for each question.
func TestNothing(t *testing.T) {
	c := manuals()
	f, found := Read("r.jsonl", []byte("\uFEFF"+header(c)), c, nil, false)
	if len(found) != 2 || found.Errors() != 1 || found[0].Code != CodeNothing && found[1].Code != CodeNothing {
		t.Error(found)
	}
	if found := f.Against([]*golden.Question{{QID: "q1"}, {QID: "q2"}}); found != nil {
		t.Error(found)
	}
}

// TestFindings: every kind of trouble is named with its place.
func TestFindings(t *testing.T) {
	c := manuals()
	old := corpus.VersionOf("within 14 days.")
	hits := func(h string) string { return header(c) + `{"qid":"q1","hits":[` + h + `]}` }
	manual := `{"doc":"manual-v1","start":0,"end":5}`
	for _, row := range []struct{ content, want string }{
		{"", `:0:0 K349 the file holds no ranking`},
		{header(c), `:0:0 K349 the file holds no ranking`},
		{`{"qid":"q1","hits":[]}`, `:1:1 K331 the header line is missing`},
		{header(c) + header(c) + `{"qid":"q1","hits":[]}`, `:2:1 K331 a second header line`},
		{`{"kerf":"golden/1","unit":"byte"}` + "\n" + `{"qid":"q1","hits":[]}`, `:1:9 K331 this is no rankings file that kerf reads hint: golden in kerf.yaml names a file of questions`},
		{`{"kerf":"chunks/1"}` + "\n" + `{"doc":"d","id":"a","start":0,"end":1}` + "\n" + `7`, `:1:9 K331 this is no rankings file that kerf reads hint: kerf import chunks FILE reads a chunk table, kerf score takes it with --chunks FILE`},
		{`{"kerf":"rankings/0"}` + "\n" + `{"qid":"q1","hits":[]}`, `:1:9 K331 this is no rankings file that kerf reads`},
		{`{"kerf":"rankings/1"}` + "\n" + `{"qid":"q1","hits":[]}`, ``},
		{`{"kerf":"rankings/1","unit":"rune"}` + "\n" + `{"qid":"q1","hits":[{"doc":"accents","version":"` + c.Documents[0].Version.Version + `","start":1,"end":2}]}`, `:1:29 K332 unknown unit "rune" (have byte, codepoint, utf16, token:NAME) hint: no hit has both an interval and a text, which could tell the unit: declare what the retriever counts in`},
		{`{"kerf":"rankings/1","corpus":"` + c.Digest() + `"}` + "\n" + `{"qid":"q1","hits":[{"doc":"accents","start":1,"end":3,"text":"é漢"}]}`, `:1:1 K332 the unit of the offsets is not declared hint: every text is its slice under unit codepoint, and under utf16`},
		{`{"kerf":"rankings/1","corpus":"` + c.Digest() + `"}` + "\n" + `{"qid":"q1","hits":[{"doc":"accents","start":1,"end":10,"text":"é漢𝄞"}]}`, `:1:1 K332 the unit of the offsets is not declared hint: every text is its slice under unit byte`},
		{`{"kerf":"rankings/1","unit":"byte","corpus":"sha256:00"}` + "\n" + `{"qid":"q1","hits":[]}`, `:1:45 K333 the rankings are of another corpus`},
		{`{"kerf":"rankings/1","unit":"byte"}` + "\n" + `{"qid":"q1","hits":[` + manual + `,{"doc":"manual-v1","start":5,"end":9}]}`, `:2:21 K340 hits without version: 2; this is the first, and the header names no corpus`},
		{header(c) + `{"hits":[]}`, `:2:1 K335 a line without a qid`},
		{header(c) + `{"qid":7,"hits":[]}`, `:2:8 K334 a value of the wrong type`},
		{header(c) + `{"qid":"q1","hits":[],"error":"timeout"}`, `:2:31 K336 q1 has hits and an error`},
		{header(c) + `{"qid":"q1","error":""}`, `:2:21 K335 an error without a reason`},
		{header(c) + `{"qid":"q1"}`, `:2:1 K335 a line without hits`},
		{header(c) + `{"qid":"q1","hits":{}}`, `:2:20 K334 a value of the wrong type`},
		{header(c) + `[1]`, `:2:1 K334 a value of the wrong type`},
		{header(c) + `{"qid":"q1","hits":[]} x`, `:2:24 K005 text stands after the end of the JSON value`},
		{header(c) + `{"qid":"q1","hits":[],"hits":[]}`, `:2:23 K002 the key "hits" stands twice in one object`},
		{header(c) + "{\"qid\":\"q1\",\"hits\":[]}\n\n{\"qid\":\"q1\",\"hits\":[]}", `:4:8 K337 the question "q1" has lines 2 and 4`},
		{hits(`7`), `:2:21 K334 a value of the wrong type`},
		{hits(`{"doc":"manual-v1","start":"0","end":5}`), `:2:48 K334 a value of the wrong type`},
		{hits(`{"doc":"manual-v1","start":0.0,"end":5}`), `:2:48 K334 a value of the wrong type`},
		{hits(`{"doc":"manual-v1","start":true,"end":5}`), `:2:48 K334 a value of the wrong type`},
		{hits(`{"doc":"manual-v1","start":0,"end":5,"score":1e999}`), `:2:66 K334 a value of the wrong type`},
		{hits(`{"doc":"manual-v1","start":0,"end":5,"score":NaN}`), `:2:66 K001 this is not JSON: invalid character 'N' at start of value`},
		{hits(`{"doc":"manual-v1","start":0,"end":5,"score":-Infinity}`), `:2:67 K001 this is not JSON: invalid character 'I' in number (expecting digit)`},
		{hits(`{"doc":"manual-v1","start":0}`), `:2:21 K335 q1: the interval at rank 1 is not whole`},
		{hits(manual + `,{"doc":"manual-v1"}`), `:2:59 K335 q1: the hit at rank 2 has no place`},
		{hits(`{}`), `:2:21 K335 q1: the hit at rank 1 has no place`},
		{hits(`{"doc":"manual-v1","text":"BBBB"}`), `:2:21 K335 q1: the hit at rank 1 has no place hint: --locate places a text that stands exactly once in its document`},
		{hits(`{"id":" "}`), `:2:27 K335 an empty id`},
		{hits(`{"doc":"manual-1","start":0,"end":5}`), `:2:28 K338 q1: document manual-1 is not in the corpus hint: did you mean "manual-v1"?`},
		{hits(`{"doc":"/srv/docs/policy","start":0,"end":5}`), `:2:28 K338 q1: document /srv/docs/policy is not in the corpus hint: the header can strip what stands before the names`},
		{hits(`{"doc":"policy","version":"sha256:0123456789","start":0,"end":5}`), `:2:47 K339 q1: a version of policy that the corpus does not know`},
		{hits(`{"doc":"policy","version":"` + old + `","start":0,"end":16}`), `:2:129 K341 q1: the interval at rank 1 is empty or out of range`},
		{hits(manual + `,{"doc":"manual-v1","start":5,"end":11}`), `:2:86 K341 q1: the interval at rank 2 is empty or out of range`},
		{hits(`{"doc":"manual-v1","start":-1,"end":5}`), `:2:48 K341 q1: the interval at rank 1 is empty or out of range`},
		{hits(`{"doc":"manual-v1","start":5,"end":5}`), `:2:48 K341 q1: the interval at rank 1 is empty or out of range`},
		{hits(`{"doc":"manual-v1","start":6,"end":5}`), `:2:48 K341 q1: the interval at rank 1 is empty or out of range`},
		{strings.Replace(hits(`{"doc":"accents","start":2,"end":3}`), "codepoint", "byte", 1), `:2:46 K342 q1: an offset at rank 1 is no place between characters`},
		{strings.Replace(hits(`{"doc":"accents","start":1,"end":2}`), "codepoint", "byte", 1), `:2:54 K342 q1: an offset at rank 1 is no place between characters`},
		{hits(`{"doc":"accents","start":1,"end":4,"text":"é漢x"}`), `:2:63 K343 q1: the text at rank 1 is not the slice accents [1,4): the first difference is at character 2`},
		{hits(`{"doc":"accents","start":1,"end":10,"text":"é漢𝄞"}`), `:2:64 K343 q1: the text at rank 1 is not the slice accents [1,10): the first difference is at character 3 hint: it is the slice under unit byte`},
		{hits(`{"doc":"accents","start":1,"end":10,"text":"é漢𝄞"},{"doc":"accents","start":0,"end":2,"text":"aé"}`), `:2:64 K343 q1: the text at rank 1 is not the slice accents [1,10): the first difference is at character 3 hint: it is the slice under unit byte`},
		{strings.Replace(hits(`{"doc":"accents","start":1,"end":3,"text":"é漢"}`), "codepoint", "byte", 1), `:2:63 K343 q1: the text at rank 1 is not the slice accents [1,3): the first difference is at character 1 hint: it is the slice under unit codepoint, and under utf16`},
		{hits(`{"doc":"manual-v1","start":3,"end":7,"text":"Manual: BBBB"}`), `:2:65 K343 q1: the text at rank 1 is not the slice manual-v1 [3,7): the first difference is at character 0 hint: words that stand before the source text go under prefix`},
		{hits(`{"doc":"manual-v1","start":3,"end":6,"text":"BBBB"}`), `:2:65 K343 q1: the text at rank 1 is not the slice manual-v1 [3,6): the first difference is at character 3 hint: it stands at [3,7)`},
		{hits(manual + `,{"doc":"other-v1","start":0,"end":5},` + manual), `:2:96 K344 q1: manual-v1 [0,5) at ranks 1 and 3`},
		{hits(`{"doc":"policy","version":"` + old + `","start":0,"end":6},{"doc":"policy","version":"` + old + `","start":0,"end":6}`), `:2:140 K344 q1: policy [0,6) at ranks 1 and 2`},
		{header(c) + `{"qid":"q1","hits":[{"id":"P"},{"id":"P"},{"id":"M"}]}`, `:2:32 K344 q1: chunk P at ranks 1 and 2`},
		{hits(manual + `,{"id":"P"}`), `:2:59 K348 a hit by id alone in a file whose hits have places (the first in line 2) hint: give --chunks with the table of these ids`},
	} {
		_, found := Read("r.jsonl", []byte(row.content), c, nil, false)
		var got []string
		for _, f := range found {
			s := fmt.Sprintf(":%d:%d %s %s", f.Line, f.Column, f.Code, f.Message)
			if _, hint, ok := strings.Cut(row.want, "hint: "); ok && hint == f.Hint {
				s += " hint: " + f.Hint
			}
			got = append(got, s)
			if f.File != "r.jsonl" || f.Severity != finding.Error {
				t.Errorf("%+v", f)
			}
		}
		if s := strings.Join(got, "\n"); s != row.want {
			t.Errorf("%s\n got %s\nwant %s", row.content, s, row.want)
		}
	}
}

// TestRepeatsBetweenRankings: what one search found, another may find too.
func TestRepeatsBetweenRankings(t *testing.T) {
	c := manuals()
	for _, content := range []string{
		header(c) + `{"qid":"q1","hits":[{"doc":"manual-v1","start":0,"end":5}]}` + "\n" + `{"qid":"q2","hits":[{"doc":"manual-v1","start":0,"end":5}]}`,
		header(c) + `{"qid":"q1","hits":[{"id":"P"}]}` + "\n" + `{"qid":"q2","hits":[{"id":"P"}]}`,
	} {
		if f, found := Read("r.jsonl", []byte(content), c, nil, false); len(found) > 0 || len(f.Find("q2").Hits) != 1 {
			t.Errorf("%v", found)
		}
	}
}

func TestChunkTable(t *testing.T) {
	c := manuals()
	chunks := table(t, c, `{"doc":"accents","id":"a1","start":0,"end":5,"prefix":"Letters. "}
{"doc":"manual-v1","id":"m1","start":0,"end":5}
{"doc":"manual-v1","id":"m2","start":5,"end":10}`)
	read := func(hits string) (*File, finding.List) {
		return Read("r.jsonl", []byte(`{"kerf":"rankings/1","unit":"codepoint"}`+"\n"+`{"qid":"q1","hits":[`+hits+`]}`), c, chunks, false)
	}
	f, found := read(`{"id":"m2"},{"id":"a1","score":2},{"id":"m1","text":"AA BB"}`)
	if len(found) > 0 || f.ByID {
		t.Fatal(found)
	}
	hits := f.Find("q1").Hits
	if hits[0].DocID != "manual-v1" || hits[0].Span != (span.Span{Start: 5, End: 10}) || hits[1].Doc != 0 || hits[1].Prefix != "Letters. " || hits[1].End != 11 {
		t.Errorf("%+v", hits)
	}
	for hits, want := range map[string]string{
		`{"id":"m3"}`:                 `K345 q1: the id "m3" at rank 1 is not in the chunk table`,
		`{"id":"m1","doc":"accents"}`: `K346 q1: the chunk "m1" at rank 1 is of another document`,
		`{"id":"m1","text":"AA BC"}`:  `K343 q1: the text at rank 1 is not the slice manual-v1 [0,5): the first difference is at character 4`,
		`{"id":"m1"},{"id":"m1"}`:     `K344 q1: chunk m1 at ranks 1 and 2`,
		`{"id":"m1","doc":"manual-v1","version":"` + c.Find("manual-v1").Version.Version + `","start":0,"end":4}`: `K346 q1: the interval at rank 1 is not that of the chunk "m1"`,
	} {
		if _, found := read(hits); len(found) != 1 || found[0].Code+" "+found[0].Message != want {
			t.Errorf("%s: %v", hits, found)
		}
	}
}

// TestAmong: a hit between the chunks of a table is from no index that the table is of.
func TestAmong(t *testing.T) {
	c := manuals()
	chunks := table(t, c, `{"doc":"manual-v1","id":"m","start":0,"end":2}`)
	f, found := Read("r.jsonl", []byte(header(c)+`{"qid":"q1","hits":[{"id":"m"},{"doc":"manual-v1","start":0,"end":3},{"doc":"other-v1","start":0,"end":2},{"doc":"policy","version":"`+corpus.VersionOf("within 14 days.")+`","start":0,"end":6}]}`), c, chunks, false)
	if len(found) > 0 {
		t.Fatal(found)
	}
	found = f.Among(chunks)
	if len(found) != 2 || found[0].Code != CodeChunk || found[0].Line != 2 || found[0].Message != "q1: the hit at rank 2 is no chunk of the table" || found[1].Found != "other-v1 bytes [0,2)" {
		t.Error(found)
	}
	lines := header(c)
	for i := range 150 {
		lines += fmt.Sprintf(`{"qid":"q%d","hits":[{"doc":"manual-v1","start":0,"end":3}]}`+"\n", i)
	}
	many, _ := Read("r.jsonl", []byte(lines), c, chunks, false)
	if found = many.Among(chunks); len(found) != 101 || found[100].Message != "50 more findings of K346 are not listed" {
		t.Errorf("%d: %v", len(found), found)
	}
}

func TestLocate(t *testing.T) {
	c := manuals()
	old := corpus.VersionOf("within 14 days.")
	read := func(hits string) (*File, finding.List) {
		return Read("r.jsonl", []byte(`{"kerf":"rankings/1"}`+"\n"+`{"qid":"q1","hits":[`+hits+`]}`), c, nil, true)
	}
	f, found := read(`{"doc":"manual-v1","text":"BBBB"},{"doc":"policy","version":"` + old + `","text":"14 days"}`)
	if len(found) > 0 {
		t.Fatal(found)
	}
	if h := f.Find("q1").Hits; h[0].Span != (span.Span{Start: 3, End: 7}) || !h[1].Older() {
		t.Errorf("%+v", h)
	}
	for hits, want := range map[string]string{
		`{"doc":"manual-v1","text":"bbbb"}`:                                   `K347 q1: the text at rank 1 stands nowhere in manual-v1`,
		`{"doc":"manual-v1","text":""}`:                                       `K347 q1: the text at rank 1 stands nowhere in manual-v1`,
		`{"doc":"manual-v1","text":"BB"}`:                                     `K347 q1: the text at rank 1 stands in 3 places of manual-v1: bytes [3,5), bytes [4,6), bytes [5,7)`,
		`{"doc":"manual-v1","text":"BBBB"},{"doc":"manual-v1","text":"BBBB"}`: `K344 q1: manual-v1 bytes [3,7) at ranks 1 and 2`,
	} {
		if _, found := read(hits); len(found) != 1 || found[0].Code+" "+found[0].Message != want {
			t.Errorf("%s: %v", hits, found)
		}
	}
}

func TestDocPrefix(t *testing.T) {
	c := manuals()
	f, found := Read("r.jsonl", []byte(`{"kerf":"rankings/1","unit":"byte","corpus":"`+c.Digest()+`","doc_prefix":"/srv/docs/"}
{"qid":"q1","hits":[{"doc":"/srv/docs/policy","start":0,"end":6},{"doc":"policy","start":6,"end":9}]}`), c, nil, false)
	if len(found) > 0 || f.Find("q1").Hits[0].DocID != "policy" {
		t.Error(found)
	}
}

// TestManyFindings: what is wrong a million times is listed a hundred times, and
// counted.
func TestManyFindings(t *testing.T) {
	c := manuals()
	var b strings.Builder
	b.WriteString(header(c))
	for i := range 150 {
		fmt.Fprintf(&b, `{"qid":"q%d","hits":[{"doc":"manual-v1","start":0,"end":99}]}`+"\n", i)
	}
	_, found := Read("r.jsonl", []byte(b.String()), c, nil, false)
	if last := found[len(found)-1]; len(found) != 101 || last.Message != "50 more findings of K341 are not listed" || last.Severity != finding.Error {
		t.Errorf("%d: %v", len(found), last)
	}
}

// TestManyFindingsInALine: a line is not read anew for each of its problems, which
// would take hours here.
func TestManyFindingsInALine(t *testing.T) {
	c := manuals()
	for code, hit := range map[string]string{
		CodeRange: `{"doc":"manual-v1","start":0,"end":99}`, CodeDoc: `{"doc":"nowhere","start":0,"end":9}`, CodeType: `{"doc":7}`,
		CodeText: `{"doc":"manual-v1","start":0,"end":9,"text":"no"}`, CodeMissing: `{}`,
	} {
		const n = 100_000
		_, found := Read("r.jsonl", []byte(header(c)+`{"qid":"q","hits":[`+strings.Repeat(hit+",", n-1)+hit+`]}`), c, nil, false)
		if last := found[len(found)-1]; len(found) != 101 || last.Message != fmt.Sprintf("%d more findings of %s are not listed", n-100, code) || found.Errors() != 101 {
			t.Errorf("%s: %d: %v", code, len(found), last)
		}
	}
}

func TestAgainst(t *testing.T) {
	c := manuals()
	f, _ := Read("r.jsonl", []byte(header(c)+`{"qid":"q1","hits":[]}
{"qid":"q2","error":"timeout"}
{"qid":"old","hits":[]}
{"qid":"older","hits":[]}`), c, nil, false)
	found := f.Against([]*golden.Question{{QID: "q1"}, {QID: "q2"}, {QID: "q4"}})
	if len(found) != 2 || found[0].Code != CodeNoRanking || found[0].QID != "q4" || found[0].Severity != finding.Error ||
		found[1].Message != "lines of questions that are not asked: 2" || found[1].Severity != finding.Warning {
		t.Errorf("%v", found)
	}
	if found := f.Against([]*golden.Question{{QID: "q1"}, {QID: "q2"}, {QID: "old"}, {QID: "older"}}); len(found) > 0 {
		t.Errorf("%v", found)
	}
}
