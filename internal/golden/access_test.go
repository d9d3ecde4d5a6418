package golden

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/text/span"
)

// TestUnreadable: a question is named when each of its sets has a byte that its
// reader may not read, by the document, by a passage, or by one byte of it.
func TestUnreadable(t *testing.T) {
	c := documents("open", "All may read this. Staff alone may read that.", "staff", "Staff alone.")
	c.Find("staff").Access.Read = []string{"staff"}
	c.Find("open").Access.Spans = []corpus.Restriction{{Span: span.Span{Start: 19, End: 45}, Read: []string{"staff"}}}
	line := func(qid, support, more string) string {
		return fmt.Sprintf(`{"qid":%q,"question":"Q?","spans":{"all":{"doc":"open","start":0,"end":18,"quote":"All may read this."},`+
			`"edge":{"doc":"open","start":13,"end":24,"quote":"this. Staff"},"doc":{"doc":"staff","start":0,"end":12,"quote":"Staff alone."}},"support":%s%s}`+"\n", qid, support, more)
	}
	content := `{"kerf":"golden/1","unit":"byte"}` + "\n" +
		line("readable", `[["all"]]`, "") + line("another-set", `[["doc"],["all"]]`, "") + line("staff", `[["doc","edge","all"]]`, `,"reader":["staff"]`) +
		line("by-document", `[["doc"]]`, "") + line("by-byte", `[["edge"]]`, "") + line("by-one-span", `[["all","doc"],["edge"]]`, `,"reader":["public","guest"]`) +
		`{"qid":"control","question":"Q?","answerable":false}` + "\n" + `{"qid":"draft","question":"Q?","spans":{"a":{"doc":"staff","quote":"Staff"}},"support":[["a"]]}` + "\n"
	set, found := Read("golden.jsonl", []byte(content), c)
	if len(found) > 0 {
		t.Fatal(found)
	}
	for reader, want := range map[string][]string{
		"public": {"by-document", "by-byte", "by-one-span"},
		"staff":  {"by-one-span"}, // which names a reader of its own
	} {
		var got []string
		for _, f := range Unreadable(set, c, []string{reader}) {
			if f.Code != CodeUnreadable || f.Line == 0 {
				t.Error(f)
			}
			got = append(got, f.QID)
		}
		if !slices.Equal(got, want) {
			t.Errorf("reader %s: %q, want %q", reader, got, want)
		}
	}
	if s := Unreadable(set, c, []string{"public"})[2].String(); !strings.Contains(s, "public, guest") || !strings.Contains(s, `set 1: span "doc" in staff; set 2: span "edge" in open`) {
		t.Error(s)
	}
}

// TestSamples: held-out questions are samples of their own, and set the headline
// only where nothing else is asked.
func TestSamples(t *testing.T) {
	q := func(sample, split string) *Question { return &Question{Sample: sample, Split: split} }
	for _, c := range []struct {
		of, want string
		asked    []*Question
	}{
		{"none", Representative, nil},
		{"all", Representative, []*Question{q(Enriched, "heldout"), q(Representative, "heldout"), q(Enriched, "dev"), q(Representative, "dev")}},
		{"no representative dev", Enriched, []*Question{q(Representative, "heldout"), q(Enriched, "dev")}},
		{"held out", HeldOut, []*Question{q(Enriched, "heldout"), q(Representative, "heldout")}},
		{"held out, enriched", HeldOutEnriched, []*Question{q(Enriched, "heldout")}},
	} {
		var asked []*Question
		for _, q := range c.asked {
			before := *q
			if asked = append(asked, q.Asked()); q.Sample != before.Sample {
				t.Errorf("%s: the set was changed", c.of)
			}
		}
		if got := Headline(asked); got != c.want {
			t.Errorf("%s: %s, want %s", c.of, got, c.want)
		}
	}
}
