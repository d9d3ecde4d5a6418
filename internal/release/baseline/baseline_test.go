package baseline

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/rankings"
	"kerf/internal/stats"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
)

const policy, retention = "Requests are kept for 30 days.", "Grüße: logs stay 7 days."

// library is a corpus of documents given as name, text, name, text, in order.
func library(docs ...string) *corpus.Corpus {
	c := &corpus.Corpus{}
	for i := 0; i < len(docs); i += 2 {
		c.Documents = append(c.Documents, &corpus.Document{Version: corpus.Version{Doc: docs[i], Version: corpus.VersionOf(docs[i+1])}, Text: docs[i+1]})
	}
	return c
}

var digest = corpus.VersionOf("")

func experiment(grid int) plan.Experiment {
	e := plan.Default()
	e.Phases = plan.Phases{Grid: grid, Target: plan.WorstTargets}
	return e
}

func windows(size, overlap int) plan.Arm {
	e, found := plan.Parse("kerf.yaml", fmt.Appendf(nil, "kerf: experiment/1\nphases: {grid: 2}\narms:\n  windows: {split: {size: %d, overlap: %d}}\n", size, overlap))
	if found.Errors() > 0 {
		panic(found.Err())
	}
	return e.Arms[0]
}

var control = plan.Arm{Name: "prod", Rankings: "prod.jsonl", Retrieve: plan.Retrieve{By: "bm25"}}

// set is a set of questions, each of which found the hits at every placement.
func set(t testing.TB, a plan.Arm, grid int, questions map[string][]rankings.Hit) *Set {
	t.Helper()
	s, err := NewSet("0.5.0", digest, digest, a, experiment(grid).Phases)
	if err != nil {
		t.Fatal(err)
	}
	for qid, hits := range questions {
		for _, label := range s.Labels {
			if err := s.Add(qid, label, hits, false); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

func at(doc, text string, start, end int) rankings.Hit {
	return rankings.Hit{DocID: doc, Version: corpus.VersionOf(text), Span: span.Span{Start: start, End: end}}
}

func sum(num, den int64, n int) stats.Sum { return stats.Sum{Sum: big.NewRat(num, den), Den: n} }

func values(mrr, support stats.Sum) map[string]stats.Sum {
	return map[string]stats.Sum{MRR: mrr, Support: support}
}

// accept is the acceptance of a candidate that must be accepted.
func accept(t testing.TB, old *Baseline, c Candidate, lower map[string]stats.Maybe[float64], reason string, only ...string) (*Baseline, []Decision) {
	t.Helper()
	b, said, err := Accept(old, c, lower, reason, only...)
	if err != nil {
		t.Fatal(err)
	}
	reread(t, b)
	return b, said
}

// reread holds b against what its file says.
func reread(t testing.TB, b *Baseline) {
	t.Helper()
	file := b.Encode()
	again, found := Read("baseline.json", file)
	if len(found) > 0 {
		t.Fatal(found.Err(), string(file))
	}
	if !reflect.DeepEqual(again, b) {
		t.Fatalf("read otherwise:\n%s\n%s", again.Encode(), file)
	}
}

// worked is the baseline of testdata/baseline.json: two arms, since mrr alone rose.
func worked(t testing.TB) *Baseline {
	first := set(t, windows(4, 0), 2, map[string][]rankings.Hit{
		"q-001": {at("policy.md", policy, 0, 12), at("retention.md", retention, 0, 9)},
		"q-002": {},
	})
	first.Questions[0].Lists[0] = List{Hits: first.Questions[0].Lists[0].Hits[:1], More: true}
	b, _ := accept(t, nil, Candidate{NewInstrument(experiment(2)), first, values(sum(1, 2, 2), sum(1, 2, 2))}, nil, "")
	titled := at("policy.md", policy, 0, 30)
	titled.Prefix = "Policy: "
	second := set(t, control, 2, map[string][]rankings.Hit{"q-001": {titled}, "q-002": {at("policy.md", policy, 13, 30)}, "q-003": {titled}})
	b, said := accept(t, b, Candidate{NewInstrument(experiment(2)), second, values(sum(3, 1, 3), sum(2, 1, 3))},
		map[string]stats.Maybe[float64]{MRR: stats.Measured(.01), Support: stats.Measured(0.)}, "")
	if said[0].Verdict != Raised || said[1].Verdict != Kept || said[1].New != 1 || said[1].Left != 0 {
		t.Fatalf("%+v", said)
	}
	third := set(t, windows(8, 2), 2, map[string][]rankings.Hit{"q-001": {at("policy.md", policy, 0, 19)}, "q-002": {}, "q-003": {at("retention.md", retention, 9, 26)}})
	b, _ = accept(t, b, Candidate{b.Instrument, third, values(sum(1, 3, 3), sum(0, 1, 3))}, nil, "smaller answers, on purpose: both of us read the three questions", Support)
	return b
}

// TestWorked: the file in testdata is what these acceptances write.
func TestWorked(t *testing.T) {
	file := worked(t).Encode()
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile("testdata/baseline.json", file, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/baseline.json")
	if err != nil {
		t.Fatal(err)
	}
	if string(want) != string(file) {
		t.Errorf("got\n%s", file)
	}
}

var _ = rand.N[int]
var _ = slices.Max[[]int]
var _ = strings.Join
