package export

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/study/ledger"
	"kerf/internal/text/span"
)

func TestTRECByHand(t *testing.T) {
	c := &Cell{Name: "a.1of2",
		Support: []ledger.SupportRow{
			{QID: "q 1", Set: 1, Span: "rule", Doc: "my doc%.md", Start: 2, End: 8}, {QID: "q 1", Set: 1, Span: "exception", Doc: "b", Start: 9, End: 12},
			{QID: "q 1", Set: 2, Span: "rule", Doc: "my doc%.md", Start: 2, End: 8},
			{QID: "q2", Set: 1, Span: "s", Doc: "b", Start: 0, End: 3}},
		Chunks: []ledger.BoundaryRow{
			{Doc: "my doc%.md", Start: 0, End: 8, State: "indexed"}, {Doc: "my doc%.md", Start: 2, End: 10, State: "indexed"},
			{Doc: "my doc%.md", Start: 2, End: 9, State: "contained"}, {Doc: "my doc%.md", Start: 3, End: 20, State: "indexed"},
			{Doc: "b", Start: 0, End: 10, State: "indexed"}, {Doc: "b", Start: 10, End: 20, State: "indexed"}},
		Hits: []ledger.RetrievalRow{
			{QID: "q 1", Rank: 1, Score: 2, Doc: "b", Start: 0, End: 10}, {QID: "q 1", Rank: 2, Score: 2, Doc: "my doc%.md", Start: 0, End: 8},
			{QID: "no evidence", Rank: 1, Doc: "b", Start: 0, End: 10}},
	}
	if got, want := string(c.Run()), "q%201 Q0 b:0-10 1 2 a.1of2\nq%201 Q0 my%20doc%25.md:0-8 2 1 a.1of2\n"; got != want {
		t.Errorf("run\n%swant\n%s", got, want)
	}
	// The exception [9,12) is cut at 10: it is judged, and no run can have it.
	qrels, homeless := c.Qrels()
	want := "q%201 0 my%20doc%25.md:0-8 1\nq%201 0 my%20doc%25.md:2-10 1\nq%201 0 b:9-12 1\nq2 0 b:0-10 1\n"
	if string(qrels) != want || homeless != 1 {
		t.Errorf("%d homeless, qrels\n%swant\n%s", homeless, qrels, want)
	}
	// Of rankings the hits are the chunks.
	c.Chunks = nil
	if qrels, homeless := c.Qrels(); homeless != 1 || !strings.Contains(string(qrels), "my%20doc%25.md:0-8 1\nq%201 0 b:9-12 1\nq2 0 b:0-10 1\n") {
		t.Errorf("%d homeless, qrels\n%s", homeless, qrels)
	}
}

// TestTRECOfRankings: what stands at a rank stays there, though it is no hit; a chunk
// under two names is one; a search that failed is no miss.
func TestTRECOfRankings(t *testing.T) {
	support := func(qid string) ledger.SupportRow {
		return ledger.SupportRow{QID: qid, Set: 1, Span: "s", Doc: "a", Start: 0, End: 3}
	}
	c := &Cell{Name: "prod.control",
		Support: []ledger.SupportRow{support("q1"), support("q2"), support("q3"), support("q4")},
		Hits: []ledger.RetrievalRow{
			{QID: "q1", Rank: 2, Doc: "a", Start: 0, End: 9}, {QID: "q1", Rank: 3, Doc: "a", Start: 0, End: 9}, {QID: "q1", Rank: 5, Doc: "b", Start: 0, End: 9}},
		Violations: []ledger.ViolationRow{{QID: "q1", Rank: 1, Doc: "a", Start: 0, End: 9}, {QID: "q1", Rank: 4, Doc: "b"}, {QID: "q2", Rank: 1, Doc: "a", Start: 0, End: 9}, {QID: "no evidence", Rank: 1}},
		Missing:    []ledger.MissingRow{{QID: "q3", Reason: "timeout"}}}
	want := `q1 Q0 hard-violation:1 1 4 prod.control
q1 Q0 a:0-9 2 3 prod.control
q1 Q0 hard-violation:4 4 2 prod.control
q1 Q0 b:0-9 5 1 prod.control
q2 Q0 hard-violation:1 1 1 prod.control
`
	if got := string(c.Run()); got != want {
		t.Errorf("run\n%swant\n%s", got, want)
	}
	if qrels, homeless := c.Qrels(); string(qrels) != "q1 0 a:0-9 1\nq2 0 a:0-9 1\nq4 0 a:0-9 1\n" || homeless != 0 {
		t.Errorf("%d homeless, qrels\n%s", homeless, qrels)
	}
}

// Against every chunk and span there is.
func TestQrelsAgainstBruteForce(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 3))
		piece := func() (doc string, s span.Span) {
			start := r.IntN(20)
			return []string{"a", "b"}[r.IntN(2)], span.Span{Start: start, End: start + 1 + r.IntN(10)}
		}
		c := &Cell{}
		for range 1 + r.IntN(12) {
			doc, s := piece()
			c.Chunks = append(c.Chunks, ledger.BoundaryRow{Doc: doc, Start: s.Start, End: s.End, State: []string{"indexed", "blank"}[min(1, r.IntN(5)/4)]})
		}
		want := map[string]bool{}
		homeless := map[string]bool{}
		for q := range 3 {
			for set := range 1 + r.IntN(3) {
				doc, s := piece()
				c.Support = append(c.Support, ledger.SupportRow{QID: fmt.Sprint("q", q), Set: set + 1, Doc: doc, Start: s.Start, End: s.End})
				found := false
				for _, k := range c.Chunks {
					if k.State == "indexed" && k.Doc == doc && k.Start <= s.Start && s.End <= k.End {
						found = true
						want[fmt.Sprintf("q%d 0 %s:%d-%d 1", q, doc, k.Start, k.End)] = true
					}
				}
				if !found {
					line := fmt.Sprintf("q%d 0 %s:%d-%d 1", q, doc, s.Start, s.End)
					want[line], homeless[line] = true, true
				}
			}
		}
		qrels, n := c.Qrels()
		got := strings.Split(strings.TrimSuffix(string(qrels), "\n"), "\n")
		slices.Sort(got)
		var all []string
		for line := range want {
			all = append(all, line)
		}
		slices.Sort(all)
		if !slices.Equal(got, all) || n != len(homeless) {
			t.Fatalf("seed %d: %d homeless, want %d\n%q\n%q", seed, n, len(homeless), got, all)
		}
	}
}

// question labels intervals of documents, each set a list of them.
func question(qid string, sets ...[]*golden.Span) *golden.Question {
	q := &golden.Question{QID: qid, Text: "What of " + qid + "?", Support: sets}
	for _, set := range sets {
		q.Spans = append(q.Spans, set...)
	}
	return q
}

func document(doc, text string) *corpus.Document {
	return &corpus.Document{Version: corpus.Version{Doc: doc, Version: corpus.VersionOf(text)}, Text: text}
}

// Quote with surroundings and position select one place each, and the same, in
// texts that repeat themselves.
func TestW3CSelectorsAgree(t *testing.T) {
	for seed := range uint64(200) {
		r := rand.New(rand.NewPCG(seed, 5))
		var b strings.Builder
		for range 1 + r.IntN(400) {
			b.WriteString([]string{"a", "b", "ä", "𝄞", "\n"}[r.IntN(1+r.IntN(5))])
		}
		text := b.String()
		runes := []rune(text)
		start := r.IntN(len(runes))
		end := start + 1 + r.IntN(len(runes)-start)
		s := span.Span{Start: len(string(runes[:start])), End: len(string(runes[:end]))}
		c := &corpus.Corpus{Documents: []*corpus.Document{document("d", text)}}
		lines, unplaced := W3C([]*golden.Question{question("q", []*golden.Span{{Doc: "d", Bytes: s}})}, c)
		var a struct {
			Target []struct {
				Source   string
				State    struct{ Value string }
				Selector []struct {
					Exact, Prefix, Suffix string
					Start, End            int
				}
			}
		}
		if err := json.Unmarshal(lines, &a); err != nil || unplaced != 0 || len(a.Target) != 1 || a.Target[0].Source != "d" || a.Target[0].State.Value != corpus.VersionOf(text) {
			t.Fatalf("seed %d: %v\n%s", seed, err, lines)
		}
		quote, position := a.Target[0].Selector[0], a.Target[0].Selector[1]
		if position.Start != start || position.End != end || string(runes[position.Start:position.End]) != quote.Exact {
			t.Fatalf("seed %d: position %d to %d, want %d to %d", seed, position.Start, position.End, start, end)
		}
		var places []int
		for at := range text {
			if strings.HasPrefix(text[at:], quote.Exact) && strings.HasSuffix(text[:at], quote.Prefix) && strings.HasPrefix(text[at+len(quote.Exact):], quote.Suffix) {
				places = append(places, at)
			}
		}
		if !slices.Equal(places, []int{s.Start}) {
			t.Fatalf("seed %d: the quote selects %v, want %d", seed, places, s.Start)
		}
	}
}

func TestW3CAlternativesAndGaps(t *testing.T) {
	c := &corpus.Corpus{Documents: []*corpus.Document{document("d", "One <two> three.")}}
	one, two := &golden.Span{Doc: "d", Bytes: span.Span{Start: 0, End: 3}}, &golden.Span{Doc: "d", Bytes: span.Span{Start: 4, End: 9}}
	draft := &golden.Span{Doc: "d", Draft: true}
	lines, unplaced := W3C([]*golden.Question{question("q", []*golden.Span{one, two}, []*golden.Span{two}), question("draft", []*golden.Span{one, draft}), question("none")}, c)
	got := strings.Split(strings.TrimSuffix(string(lines), "\n"), "\n")
	if len(got) != 2 || unplaced != 2 || !strings.Contains(got[0], `"id":"q"`) || !strings.Contains(got[1], `"id":"q#2"`) {
		t.Fatalf("%d unplaced\n%s", unplaced, lines)
	}
	if strings.Count(got[0], `"TextQuoteSelector"`) != 2 || !strings.Contains(got[0], `"exact":"<two>","prefix":"One ","suffix":" three."`) {
		t.Error(got[0])
	}
}

func TestBEIR(t *testing.T) {
	c := &corpus.Corpus{Documents: []*corpus.Document{document("a b", "A \"text\".\n"), document("c", "<C>")}}
	in := func(doc string) *golden.Span { return &golden.Span{Doc: doc, Bytes: span.Span{End: 1}} }
	files, unlabelled, err := BEIR([]*golden.Question{question("q1", []*golden.Span{in("c"), in("a b"), in("c")}, []*golden.Span{in("c")}), question("q2")}, c)
	if err != nil || unlabelled != 1 {
		t.Fatal(unlabelled, err)
	}
	for name, want := range map[string]string{
		"corpus.jsonl":   `{"_id":"a b","title":"","text":"A \"text\".\n"}` + "\n" + `{"_id":"c","title":"","text":"<C>"}` + "\n",
		"queries.jsonl":  `{"_id":"q1","text":"What of q1?"}` + "\n" + `{"_id":"q2","text":"What of q2?"}` + "\n",
		"qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\tc\t1\nq1\ta b\t1\n",
	} {
		if string(files[name]) != want {
			t.Errorf("%s\n%swant\n%s", name, files[name], want)
		}
	}
	if _, _, err := BEIR([]*golden.Question{question("q\t1", []*golden.Span{in("c")})}, c); err == nil {
		t.Error("a tab in a name")
	}
}
