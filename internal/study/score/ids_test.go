package score

import (
	"encoding/json"
	"math/big"
	"os"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/rankings"
	"kerf/internal/text/span"
)

// byID is questions and rankings by id alone.
func byID(rows ...[2]string) (*rankings.File, []*golden.Question) {
	f := &rankings.File{File: "r.jsonl", ByID: true}
	var questions []*golden.Question
	for i, row := range rows {
		qid := string(rune('a' + i))
		r := rankings.Ranking{QID: qid}
		for _, id := range strings.Fields(row[0]) {
			r.Hits = append(r.Hits, rankings.Hit{Doc: -1, ID: id})
		}
		f.Add(r)
		questions = append(questions, &golden.Question{QID: qid, Sample: golden.Representative, Relevant: strings.Fields(row[1])})
	}
	return f, questions
}

func mean(m Measures, name string) string {
	r, ok := m.Find(name).Sum.Rat()
	if !ok {
		return "undefined"
	}
	return r.RatString()
}

// TestWorkedRecall: the worked values of recall@k and reciprocal rank by id, of
// single questions and of sets of them.
func TestWorkedRecall(t *testing.T) {
	content, err := os.ReadFile("testdata/recall.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	rows := strings.Split(strings.TrimSpace(string(content)), "\n")
	for _, line := range rows {
		var c struct {
			Name      string
			Questions [][2]string // the ranking, the relevant ids
			Ks        []int
			Want      map[string]string
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		f, questions := byID(c.Questions...)
		if found := Check(f, questions); len(found) > 0 {
			t.Fatal(found)
		}
		s := IDs(f, questions, &corpus.Corpus{}, nil, c.Ks, c.Ks[0])
		if s.Questions != len(questions) || s.Rule.By != "ids" || len(s.ByQuestion) != len(questions) {
			t.Errorf("%s: %+v", c.Name, s)
		}
		for name, want := range c.Want {
			if got := mean(s.Measures, name); got != want {
				t.Errorf("%s: %s is %s, want %s", c.Name, name, got, want)
			}
		}
	}
	if len(rows) != 10 {
		t.Errorf("%d cases, want 10", len(rows))
	}
}

// TestFailedByID: a search that failed is missing, and no miss.
func TestFailedByID(t *testing.T) {
	f, questions := byID([2]string{"x a", "a"}, [2]string{"", "b"})
	f.Rankings[1].Error = "timeout"
	s := IDs(f, questions, &corpus.Corpus{}, nil, []int{2}, 2)
	if m := s.Measures.Find("recall@2").Sum; m.Sum.Cmp(big.NewRat(1, 1)) != 0 || m.Den != 2 || m.Missing != 1 || len(s.Failed) != 1 {
		t.Errorf("%+v %+v", m, s.Failed)
	}
	b, err := json.Marshal(s.Measures)
	if err != nil || !strings.Contains(string(b), `"ndcg@2":{"sum":"0.6309297535714575","den":2,"missing":1}`) {
		t.Errorf("%v %s", err, b)
	}
}

// TestViolationsByID: a hit that names an older version counts by no id either.
func TestViolationsByID(t *testing.T) {
	c := &corpus.Corpus{Documents: []*corpus.Document{{Version: corpus.Version{Doc: "d", Version: "v2"}, Text: "some words"}}}
	f := &rankings.File{}
	f.Add(rankings.Ranking{QID: "q", Hits: []rankings.Hit{{Doc: -1, DocID: "d", Version: "v1", ID: "a"}, {DocID: "d", Version: "v2", Span: span.Span{Start: 0, End: 4}, ID: "b"}}})
	s := IDs(f, []*golden.Question{{QID: "q", Sample: golden.Representative, Relevant: []string{"a", "b"}}}, c, nil, []int{2}, 2)
	if got := mean(s.Measures, "recall@2") + " " + mean(s.Measures, "mrr"); got != "1/2 1/2" || len(s.Violations) != 1 || s.Violations[0].Kind != "version" {
		t.Errorf("%s %+v", got, s.Violations)
	}
}

// TestCheck: labels and hits that cannot be held against each other.
func TestCheck(t *testing.T) {
	spans := &golden.Question{QID: "s", Support: [][]*golden.Span{{{Doc: "d"}}}}
	ids := &golden.Question{QID: "i", Relevant: []string{"a"}}
	control := &golden.Question{QID: "c", Unanswerable: true}
	placed := &rankings.File{}
	placed.Add(rankings.Ranking{QID: "i", Hits: []rankings.Hit{{DocID: "d"}}, Line: 2})
	for _, row := range []struct {
		f         *rankings.File
		questions []*golden.Question
		want      string
	}{
		{placed, []*golden.Question{control}, CodeNothing + " no question that is asked has evidence"},
		{placed, []*golden.Question{control, spans}, ""},
		{placed, []*golden.Question{spans, ids}, CodeMixed + " the evidence of i is ids, that of s spans: there is no measure of both"},
		{&rankings.File{ByID: true}, []*golden.Question{control, spans}, CodeByID + " the hits are ids alone, and the evidence of s is spans"},
		{placed, []*golden.Question{ids}, CodeNoID + " i: the hit at rank 1 has no id, and the evidence is ids"},
		{&rankings.File{ByID: true}, []*golden.Question{ids, control}, ""},
	} {
		got := ""
		for _, f := range Check(row.f, row.questions) {
			got += f.Code + " " + f.Message
		}
		if got != row.want {
			t.Errorf("%q, want %q", got, row.want)
		}
	}
}
