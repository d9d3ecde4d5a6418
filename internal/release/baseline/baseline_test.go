package baseline

import (
	"fmt"
	"math/big"
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
	if !reflect.DeepEqual(again, b) || string(again.Encode()) != string(file) {
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
	b, _ := accept(t, nil, Candidate{NewInstrument(experiment(2)), first, values(sum(1, 2, 2), sum(1, 2, 2)), nil}, nil, "")
	titled := at("policy.md", policy, 0, 30)
	titled.Prefix = "Policy: "
	second := set(t, control, 2, map[string][]rankings.Hit{"q-001": {titled}, "q-002": {at("policy.md", policy, 13, 30)}, "q-003": {titled}})
	b, said := accept(t, b, Candidate{NewInstrument(experiment(2)), second, values(sum(3, 1, 3), sum(2, 1, 3)), nil},
		map[string]stats.Maybe[float64]{MRR: stats.Measured(.01), Support: stats.Measured(0.)}, "")
	if said[0].Verdict != Raised || said[1].Verdict != Kept || said[1].New != 1 || said[1].Left != 0 {
		t.Fatalf("%+v", said)
	}
	third := set(t, windows(8, 2), 2, map[string][]rankings.Hit{"q-001": {at("policy.md", policy, 0, 19)}, "q-002": {}, "q-003": {at("retention.md", retention, 9, 26)}})
	b, _ = accept(t, b, Candidate{b.Instrument, third, values(sum(1, 3, 3), sum(0, 1, 3)), nil}, nil, "smaller answers, on purpose: both of us read the three questions", Support)
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

// TestAdd: what cannot be kept is refused, and nothing of it is in the set.
func TestAdd(t *testing.T) {
	s := set(t, windows(8, 0), 2, map[string][]rankings.Hit{"q-001": {at("a.md", "abc", 0, 3)}})
	for want, add := range map[string]func() error{
		"q-001 at 1/2: a second search":                              func() error { return s.Add("q-001", "1/2", nil, false) },
		"q-002: arm windows has no placement 1/8":                    func() error { return s.Add("q-002", "1/8", nil, false) },
		"q-002 at 1/2: the hit at rank 1 has no place in a document": func() error { return s.Add("q-002", "1/2", []rankings.Hit{{ID: "c1"}}, false) },
		"q-004 at 1/2: the hit at rank 1 has no place in a document": func() error { return s.Add("q-004", "1/2", []rankings.Hit{at("a.md", "abc", -1, 2)}, false) },
		"q-003 at 1/2: the hit at rank 2 has no place in a document": func() error {
			return s.Add("q-003", "1/2", []rankings.Hit{at("a.md", "abc", 0, 3), at("a.md", "abc", 2, 2)}, false)
		},
		"q-002 at 2/2: the hit at rank 1 is of another version of a.md than others": func() error { return s.Add("q-002", "2/2", []rankings.Hit{at("a.md", "abd", 0, 3)}, false) },
	} {
		if err := add(); err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
	if len(s.Questions) != 1 {
		t.Errorf("%+v", s)
	}
	slow := windows(8, 0)
	slow.Retrieve.Timeout = 60
	if s := set(t, slow, 2, nil); s.Arm != bare(windows(8, 0)) || s.Arm.At != (plan.Place{}) {
		t.Errorf("%+v", s.Arm)
	}
	if _, err := NewSet("0.5.0", digest, digest, windows(8, 0), experiment(9).Phases); err == nil {
		t.Error("9 placements of a stride of 8")
	}
}

// TestRankings: hits against today's documents; one without a place is said, not dropped.
func TestRankings(t *testing.T) {
	s := worked(t).Measure(MRR).Set
	c := library("a.md", "new, and before the others", "policy.md", policy)
	f := s.Rankings("control", c)
	digest, lost := s.Digest("control", c)
	if len(lost) > 0 || digest != f.Digest || f.Name != "prod" || len(f.Rankings) != 3 {
		t.Fatalf("%+v %+v", f, lost)
	}
	want := rankings.Hit{Doc: 1, DocID: "policy.md", Version: corpus.VersionOf(policy), Span: span.Span{Start: 0, End: 30}, Prefix: "Policy: "}
	if got := f.Find("q-003").Hits; len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
	digests := map[string]bool{f.Digest: true}
	change := func(edit func(s *Set)) *Set {
		s, _, _ := s.with(&Set{})
		s.Questions = slices.Clone(s.Questions)
		edit(s)
		return s
	}
	hit := func(h Hit) func(*Set) {
		return func(s *Set) { s.Questions[1] = Question{"q-002", []List{{Hits: []Hit{h}}}} }
	}
	c = library("a.md", "new, and before the others", "policy.md", policy, "twin.md", policy)
	for _, s := range []*Set{
		change(func(s *Set) {
			s.Documents["twin.md"] = s.Documents["policy.md"]
			hit(Hit{"twin.md", span.Span{Start: 13, End: 30}, ""})(s)
		}),
		change(func(s *Set) { s.Questions = s.Questions[1:] }),
		change(func(s *Set) { s.Questions[1].QID = "q-0021" }),
		change(hit(Hit{"policy.md", span.Span{Start: 13, End: 29}, ""})), change(hit(Hit{"policy.md", span.Span{Start: 12, End: 30}, ""})),
		change(hit(Hit{"policy.md", span.Span{Start: 13, End: 30}, "P"})),
		change(func(s *Set) { s.Questions[1].Lists = []List{{}} }),
		change(func(s *Set) { s.Questions = append(s.Questions[:1], s.Questions[2:]...) }),
	} {
		digest, lost := s.Digest("control", c)
		if digests[digest] || len(lost) > 0 {
			t.Errorf("the digest of other rankings: %+v", s)
		}
		digests[digest] = true
	}
	edited := change(func(s *Set) { s.Documents["policy.md"] = corpus.VersionOf(policy + "!") })
	if digest, lost := edited.Digest("control", library("policy.md", policy+"!")); digests[digest] || len(lost) > 0 {
		t.Error("the digest of another version")
	}
	for _, row := range []struct {
		c    *corpus.Corpus
		set  *Set
		want string
	}{
		{library("a.md", policy), s, "q-001 1 policy.md [0,30) the document is not in the corpus; q-002 1 policy.md [13,30) the document is not in the corpus; q-003 1 policy.md [0,30) the document is not in the corpus; "},
		{library("policy.md", policy+"\n"), change(func(s *Set) { s.Questions = s.Questions[:1] }), "q-001 1 policy.md [0,30) another version of the document is pinned; "},
		{library("policy.md", policy), change(hit(Hit{"policy.md", span.Span{Start: 0, End: 31}, ""})), "q-002 1 policy.md [0,31) the document has 30 bytes; "},
		{library("policy.md", policy), change(hit(Hit{"policy.md", span.Span{Start: 30, End: 31}, ""})), "q-002 1 policy.md [30,31) the document has 30 bytes; "},
		{library("policy.md", policy, "retention.md", retention), change(func(s *Set) {
			s.Documents["retention.md"] = corpus.VersionOf(retention)
			hit(Hit{"retention.md", span.Span{Start: 3, End: 9}, ""})(s)
		}), "q-002 1 retention.md [3,9) an end lies inside a character; "},
		{library("policy.md", policy, "retention.md", retention), change(func(s *Set) {
			s.Documents["retention.md"] = corpus.VersionOf(retention)
			hit(Hit{"retention.md", span.Span{Start: 0, End: 5}, ""})(s)
		}), "q-002 1 retention.md [0,5) an end lies inside a character; "},
	} {
		f := row.set.Rankings("control", row.c)
		_, lost := row.set.Digest("control", row.c)
		var got strings.Builder
		for _, l := range lost {
			fmt.Fprintf(&got, "%s %d %s %s %s; ", l.QID, l.Rank, l.Doc, l.Span, l.Why)
			if l.Version != row.set.Documents[l.Doc] {
				t.Error(l)
			}
		}
		if got.String() != row.want || len(f.Rankings) != len(row.set.Questions) {
			t.Errorf("got %s\nwant %s", got.String(), row.want)
		}
	}
}

// TestDifferences: every setting of the instrument is compared, and nothing of the
// tested system is.
func TestDifferences(t *testing.T) {
	e := experiment(8)
	was := NewInstrument(e)
	for name, edit := range map[string]func(*plan.Experiment){
		"reader ": func(e *plan.Experiment) { e.Reader = []string{"public", "staff"} }, "access": func(e *plan.Experiment) { e.Access = "clip" },
		"budget.tokens": func(e *plan.Experiment) { e.Budget.Tokens++ }, "budget.tokenizer": func(e *plan.Experiment) { e.Budget.Tokenizer = "words" },
		"budget.overflow": func(e *plan.Experiment) { e.Budget.Overflow = "skip" }, "budget.format": func(e *plan.Experiment) { e.Budget.Format = "bare" },
		"k": func(e *plan.Experiment) { e.K = []int{1, 3} }, "at_k": func(e *plan.Experiment) { e.AtK = 3 }, "depth": func(e *plan.Experiment) { e.Depth++ },
		"ignorable": func(e *plan.Experiment) { e.Ignorable = "strict" },
		"": func(e *plan.Experiment) {
			e.Reader, e.Arms, e.Seed, e.Budget.Output = []string{"public", "public"}, e.Arms[1:], 7, 1
		},
	} {
		now := e
		edit(&now)
		d := was.Differences(NewInstrument(now))
		switch name = strings.TrimSpace(name); {
		case name == "" && len(d) > 0, name != "" && (len(d) != 1 || d[0].Name != name || d[0].Baseline == d[0].Candidate):
			t.Errorf("%s: %+v", name, d)
		}
	}
	labels := func(a plan.Arm, grid int) []string {
		l, err := Labels(a, plan.Phases{Grid: grid})
		if err != nil {
			t.Fatal(err)
		}
		return l
	}
	if d := Phases(labels(windows(64, 0), 8), labels(windows(64, 0), 4)); len(d) != 1 || d[0] != (Difference{"phases", "8", "4"}) {
		t.Error(d)
	}
	if d := slices.Concat(Phases(labels(windows(64, 0), 8), labels(windows(96, 5), 8)), Phases(labels(control, 8), labels(windows(64, 0), 4)), Phases(labels(windows(64, 0), 4), labels(control, 8))); len(d) > 0 {
		t.Error(d)
	}
}
