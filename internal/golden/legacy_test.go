package golden

import (
	"slices"
	"strings"
	"testing"

	"kerf/internal/chunks"
	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/text/span"
)

// older is worked-examples/002-golden.jsonl, word for word.
const older = `{"qid": "q001", "question": "how long do i have to send something back", "relevant_chunk_ids": ["policy-refunds#3"], "answer_must_mention": ["30 days"]}
{"qid": "q002", "question": "do i pay for return shipping", "relevant_chunk_ids": ["policy-refunds#5", "policy-shipping#2"], "answer_must_mention": ["prepaid label"]}
`

// table is a chunk table without errors.
func table(t *testing.T, c *corpus.Corpus, lines string) *chunks.Table {
	t.Helper()
	out, found := chunks.Read("old.jsonl", []byte(`{"kerf":"chunks/1","unit":"codepoint"}`+"\n"+lines), c)
	if len(found) > 0 {
		t.Fatal(found)
	}
	return out
}

// TestOlderLines: 002-golden loads word for word, without a header; its
// questions have ids and no spans, and check says what that means.
func TestOlderLines(t *testing.T) {
	set, found := Read("golden.jsonl", []byte(older), documents("a", "x"))
	if len(found) > 0 || len(set.Questions) != 2 {
		t.Fatal(found)
	}
	q := set.Questions[1]
	if !slices.Equal(q.Relevant, []string{"policy-refunds#5", "policy-shipping#2"}) || !slices.Equal(q.Answer.MustMention, []string{"prepaid label"}) || len(q.Spans)+len(q.Support) > 0 || q.Unanswerable {
		t.Errorf("%+v", q)
	}
	if string(set.Encode()) != older {
		t.Errorf("%s", set.Encode())
	}
	if _, found := Read("golden.jsonl", []byte(`{"qid":"q0","question":"Q?","answerable":false}`+"\n"+older), nil); len(found) != 1 || found[0].Code != CodeHeader {
		t.Errorf("another line without a header: %v", found)
	}
	n := 0
	for _, f := range Check(set, documents("a", "x"), false) {
		if f.Code == CodeByID {
			n++
			if f.Severity != finding.Warning || !strings.Contains(f.String(), "2 of 2 questions") || !strings.Contains(f.Hint, "kerf import chunks TABLE --labels") {
				t.Error(f)
			}
		}
	}
	if n != 1 {
		t.Errorf("%d warnings", n)
	}
}

// TestCaseLab09: labels by chunk id become spans once, through the table that
// they were made on; a table that is not the pinned one is refused.
func TestCaseLab09(t *testing.T) {
	c := documents("doc.txt", "One two three. Four five six. Seven eight nine.")
	before := table(t, c, `{"id":"d#0","doc":"doc.txt","start":0,"end":14,"sha256_16":"7493b32ad0b5cf73"}
{"id":"d#1","doc":"doc.txt","start":15,"end":29,"sha256_16":"76b15103574b607b"}
{"id":"d#2","doc":"doc.txt","start":30,"end":47,"sha256_16":"98670e4e2dd95ff0"}
`)
	after := table(t, c, `{"id":"d#0","doc":"doc.txt","start":0,"end":8}
{"id":"d#1","doc":"doc.txt","start":8,"end":25}
{"id":"d#2","doc":"doc.txt","start":25,"end":36}
{"id":"d#3","doc":"doc.txt","start":36,"end":47}
`)
	content := `{"kerf":"golden/1","unit":"codepoint","chunks":"` + before.Digest + `"}` + "\n" + `{"qid":"q1","question":"Q?","relevant_chunk_ids":["d#1"]}` + "\n"
	set, found := Read("golden.jsonl", []byte(content), c)
	if len(found) > 0 {
		t.Fatal(found)
	}
	found = Place(set, after, c)
	if len(found) != 1 || found[0].Code != CodeOtherTable || found[0].Expected != before.Digest || found[0].Found != after.Digest || found[0].Line != 1 || set.Questions[0].Relevant == nil {
		t.Errorf("another table: %v", found)
	}
	if found = Place(set, before, c); len(found) > 0 {
		t.Fatal(found)
	}
	label := set.Questions[0].Spans[0].Bytes
	if label != (span.Span{Start: 15, End: 29}) {
		t.Errorf("%v", label)
	}
	var touching, whole []string
	for _, c := range after.Chunks {
		if !c.Clip(label).Empty() {
			touching = append(touching, c.ID)
		}
		if c.Contains(label) {
			whole = append(whole, c.ID)
		}
	}
	if !slices.Equal(touching, []string{"d#1", "d#2"}) || whole != nil {
		t.Errorf("touching %v, whole %v", touching, whole)
	}
	_, found = Read("golden.jsonl", []byte(strings.Replace(content, `["d#1"]`, `["d#1"],"chunk_sha256_16":["76b15103574b607b"]`, 1)), c)
	if len(found) != 1 || found[0].Code != CodeField {
		t.Errorf("a digest beside the ids: %v", found)
	}
}

// TestPlace: every chunk of a question is in its one support set, other lines
// keep their bytes, and what was written reads back.
func TestPlace(t *testing.T) {
	c := documents("refunds", "é You have 30 days. Shipping back is free.", "shipping", "We send a prepaid label.")
	chunked := table(t, c, `{"id":"policy-refunds#3","doc":"refunds","text":"é You have 30 days."}
{"id":"policy-refunds#5","doc":"refunds","text":"Shipping back is free."}
{"id":"policy-shipping#2","doc":"shipping","text":"We send a prepaid label."}
`)
	set, _ := Read("golden.jsonl", []byte(older), c)
	if found := Place(set, chunked, c); len(found) > 0 {
		t.Fatal(found)
	}
	r, s := c.Documents[0].Version.Version, c.Documents[1].Version.Version
	want := header + `
{"qid":"q001","question":"how long do i have to send something back","spans":{"policy-refunds#3":{"doc":"refunds","version":"` + r + `","start":0,"end":19,"quote":"é You have 30 days.","prefix":"","suffix":" Shipping back is free."}},"support":[["policy-refunds#3"]],"answer":{"must_mention":["30 days"]}}
{"qid":"q002","question":"do i pay for return shipping","spans":{"policy-refunds#5":{"doc":"refunds","version":"` + r + `","start":20,"end":42,"quote":"Shipping back is free.","prefix":"é You have 30 days. ","suffix":""},"policy-shipping#2":{"doc":"shipping","version":"` + s + `","start":0,"end":24,"quote":"We send a prepaid label.","prefix":"","suffix":""}},"support":[["policy-refunds#5","policy-shipping#2"]],"answer":{"must_mention":["prepaid label"]}}
`
	if got := string(set.Encode()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if _, found := Read("golden.jsonl", []byte(want), c); len(found) > 0 {
		t.Error(found)
	}

	// Among other lines, with a header, CRLF and a last line without a break.
	other := `{"qid":"q3", "question":"Q?",  "answerable":false}`
	content := "\uFEFF" + `{"kerf":"golden/1","chunks":"` + chunked.Digest + `","unit":"byte"}` + "\r\n" + other + "\r\n\r\n" +
		`{"qid":"q4","question":"Q?","relevant_chunk_ids":["policy-refunds#5"],"tags":{"n":1.50},"segment":"s","split":"heldout"}`
	set, found := Read("golden.jsonl", []byte(content), c)
	if found.Errors() > 0 {
		t.Fatal(found)
	}
	if found := Place(set, chunked, c); len(found) > 0 {
		t.Fatal(found)
	}
	want = `{"kerf":"golden/1","unit":"byte"}` + "\r\n" + other + "\r\n\r\n" +
		`{"qid":"q4","question":"Q?","spans":{"policy-refunds#5":{"doc":"refunds","version":"` + r + `","start":21,"end":43,"quote":"Shipping back is free.","prefix":"é You have 30 days. ","suffix":""}},"support":[["policy-refunds#5"]],"segment":"s","split":"heldout","tags":{"n":1.50}}`
	if got := string(set.Encode()); got != want {
		t.Errorf("%s\nwant\n%s", got, want)
	}
	if _, found := Read("golden.jsonl", []byte(want), c); len(found) > 0 {
		t.Error(found)
	}

	// A fixture in front of the first older line: the new header stands before it.
	fixture := fixtureLine("f")
	set, found = Read("golden.jsonl", []byte("\uFEFF"+fixture+"\n"+older), c)
	if found.Errors() > 0 {
		t.Fatal(found)
	}
	Place(set, chunked, c)
	if got := string(set.Encode()); !strings.HasPrefix(got, header+"\n"+fixture+"\n{") {
		t.Errorf("%q", got)
	}

	// What has no place is said, and nothing of the question changes.
	set, _ = Read("golden.jsonl", []byte(strings.Replace(older, "shipping#2", "shipping#9", 1)), c)
	found = Place(set, chunked, c)
	if len(found) != 1 || found[0].Code != CodeNoSuchChunk || found[0].QID != "q002" || found[0].Line != 2 || !strings.Contains(found[0].Found, "policy-shipping#9") ||
		set.Questions[1].Relevant == nil || set.Questions[1].Spans != nil {
		t.Errorf("%v", found)
	}
	set, _ = Read("golden.jsonl", []byte(strings.Replace(header, "codepoint", "token:words", 1)+"\n"+older), c)
	found = Place(set, table(t, c, `{"id":"policy-refunds#3","doc":"refunds","start":1,"end":4}`+"\n"+`{"id":"policy-refunds#5","doc":"refunds","start":0,"end":2}`+"\n"+`{"id":"policy-shipping#2","doc":"shipping","start":0,"end":3}`), c)
	if len(found) != 1 || found[0].Code != CodeInside || found[0].QID != "q001" {
		t.Errorf("a unit that cannot name the place: %v", found)
	}
}
