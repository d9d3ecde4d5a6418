package baseline

import (
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"kerf/internal/rankings"
	"kerf/internal/stats"
	"kerf/internal/text/span"
)

// candidate is a run of an arm of windows that found a place beginning at from for
// each question, and supports so many of them.
func candidate(t testing.TB, from, supported int, qids ...string) Candidate {
	t.Helper()
	found := map[string][]rankings.Hit{}
	for _, qid := range qids {
		found[qid] = []rankings.Hit{at("policy.md", policy, from, 30)}
	}
	v := sum(int64(supported), 1, len(qids))
	return Candidate{NewInstrument(experiment(2)), set(t, windows(8, 0), 2, found), values(v, v), nil}
}

func bounds(mrr, support float64) map[string]stats.Maybe[float64] {
	return map[string]stats.Maybe[float64]{MRR: stats.Measured(mrr), Support: stats.Measured(support)}
}

// verdicts are a decision a measure: its verdict, the sums before and after, new
// questions and those left out.
func verdicts(said []Decision) string {
	var s []string
	for _, d := range said {
		from := "-"
		if d.From.Sum != nil {
			from = d.From.Sum.RatString()
		}
		s = append(s, fmt.Sprintf("%s %s %s>%s +%d ?%d", d.Measure, d.Verdict, from, d.To.Sum.RatString(), d.New, d.Left))
	}
	return strings.Join(s, "; ")
}

// TestRatchet: measures rise one by one, only above a bound of zero, and fall only for
// a reason.
func TestRatchet(t *testing.T) {
	first, said := accept(t, nil, candidate(t, 0, 2, "q1", "q2", "q3"), nil, "")
	if got := verdicts(said); got != "mrr accepted ->2 +3 ?0; support accepted ->2 +3 ?0" || len(first.Accepted) != 0 {
		t.Error(got)
	}
	better := candidate(t, 1, 3, "q1", "q2", "q3")
	worse := candidate(t, 2, 1, "q1", "q2", "q3")
	same := candidate(t, 0, 1, "q1", "q2", "q3") // the labels have changed, and so has kerf
	same.Set.Version = "0.6.0"
	for _, row := range []struct {
		c      Candidate
		lower  map[string]stats.Maybe[float64]
		reason string
		only   []string
		want   string
	}{
		{better, bounds(.01, 0), "", nil, "mrr raised 2>3 +0 ?0; support not shown to be better: kept 2>2 +0 ?0"},
		{better, bounds(math.Copysign(0, -1), math.SmallestNonzeroFloat64), "", nil, "mrr not shown to be better: kept 2>2 +0 ?0; support raised 2>3 +0 ?0"},
		{better, bounds(math.NaN(), -.1), " \t", nil, "mrr not shown to be better: kept 2>2 +0 ?0; support not shown to be better: kept 2>2 +0 ?0"},
		{better, map[string]stats.Maybe[float64]{MRR: {Value: .5}}, "", nil, "mrr not shown to be better: kept 2>2 +0 ?0; support not shown to be better: kept 2>2 +0 ?0"},
		{worse, bounds(-.5, -.5), " why ", nil, "mrr taken, for the reason given 2>1 +0 ?0; support taken, for the reason given 2>1 +0 ?0"},
		{worse, bounds(-.5, -.5), "why", []string{Support}, "mrr not shown to be better: kept 2>2 +0 ?0; support taken, for the reason given 2>1 +0 ?0"},
		{same, bounds(0, 0), "", nil, "mrr unchanged 2>2 +0 ?0; support unchanged 2>2 +0 ?0"},
		{same, bounds(.5, .5), "why", nil, "mrr unchanged 2>2 +0 ?0; support unchanged 2>2 +0 ?0"},
	} {
		before := string(first.Encode())
		b, said := accept(t, first, row.c, row.lower, row.reason, row.only...)
		if got := verdicts(said); got != row.want {
			t.Errorf("got  %s\nwant %s", got, row.want)
		}
		if strings.Contains(row.want, string(Unchanged)) && string(b.Encode()) != before {
			t.Errorf("unchanged, and changed:\n%s", b.Encode())
		}
		if !strings.Contains(row.want, string(Raised)) && len(row.only) == 0 && b.Measures[0].Set != b.Measures[1].Set {
			t.Error("one set twice")
		}
		if string(first.Encode()) != before {
			t.Error("the old baseline was changed")
		}
		taken := strings.Count(row.want, string(Taken))
		if len(b.Accepted) != taken || taken > 0 && (b.Accepted[0].Reason != "why" || b.Accepted[taken-1].Measure != Support || b.Accepted[0].To.Sum.Cmp(row.c.Values[MRR].Sum) != 0) {
			t.Errorf("%+v", b.Accepted)
		}
		for i, m := range b.Measures {
			want := first.Measures[i].Set
			if v := said[i].Verdict; v == Raised || v == Taken {
				want = row.c.Set
			}
			if !m.Set.same(want) || said[i].To.Sum.Cmp(m.Value.Sum) != 0 {
				t.Errorf("%s: the rankings of another", m.Name)
			}
		}
		again, _ := accept(t, b, row.c, bounds(0, 0), "")
		if strings.Contains(row.want, string(Kept)) {
			continue
		}
		if string(again.Encode()) != string(b.Encode()) {
			t.Error("accepting twice is not accepting once")
		}
	}
}

// TestReasons: reasons are kept in order, each baseline with its own.
func TestReasons(t *testing.T) {
	b, _ := accept(t, nil, candidate(t, 0, 1, "q1"), nil, "")
	b, _ = accept(t, b, candidate(t, 1, 1, "q1"), nil, "one", MRR)
	b.Accepted = append(make([]Override, 0, 9), b.Accepted...)
	two, _ := accept(t, b, candidate(t, 2, 1, "q1"), nil, "two", MRR)
	other, _ := accept(t, b, candidate(t, 3, 1, "q1"), nil, "other", MRR)
	for reason, b := range map[string]*Baseline{"two": two, "other": other} {
		if len(b.Accepted) != 2 || b.Accepted[0].Reason != "one" || b.Accepted[1].Reason != reason {
			t.Errorf("%+v", b.Accepted)
		}
	}
	if gone := worked(t).Gone([]string{"q-002"}); strings.Join(gone, " ") != "q-001 q-003" {
		t.Error(gone)
	}
	at := candidate(t, 0, 1, "q1")
	at.Instrument.Depth = 1
	accept(t, nil, at, nil, "")
}

// TestOneSet: rankings that two measures come to share stand in the file once.
func TestOneSet(t *testing.T) {
	first, _ := accept(t, nil, candidate(t, 0, 1, "q1"), nil, "")
	one, _ := accept(t, first, candidate(t, 1, 1, "q1"), bounds(.1, 0), "")
	if strings.Count(string(one.Encode()), `"questions"`) != 2 {
		t.Errorf("%s", one.Encode())
	}
	both, _ := accept(t, one, candidate(t, 1, 1, "q1", "q2"), bounds(0, .1), "")
	if strings.Count(string(both.Encode()), `"questions"`) != 1 || both.Measures[0].Set.Find("q2") == nil {
		t.Errorf("%s", both.Encode())
	}
}

// TestNewQuestions: a kept measure takes the candidate's rankings for questions that
// it has none for.
func TestNewQuestions(t *testing.T) {
	windowed := candidate(t, 0, 1, "q1", "q3")
	fixed := windowed
	fixed.Set = set(t, control, 2, map[string][]rankings.Hit{"q1": {at("policy.md", policy, 5, 9)}, "q2": {at("retention.md", retention, 0, 9)}, "q3": {}})
	fixed.Values = values(sum(1, 1, 3), sum(1, 1, 3))
	old, _ := accept(t, nil, windowed, nil, "")

	b, said := accept(t, old, candidate(t, 1, 1, "q0", "q1", "q2", "q3", "q4"), bounds(0, 0), "")
	if got := verdicts(said); got != "mrr not shown to be better: kept 1>1 +3 ?0; support not shown to be better: kept 1>1 +3 ?0" {
		t.Error(got)
	}
	s := b.Measures[0].Set
	var starts []string
	for _, q := range s.Questions {
		starts = append(starts, fmt.Sprint(q.QID, q.Lists[0].Hits[0].Start, q.Lists[1].Hits[0].Start))
	}
	if got := strings.Join(starts, " "); got != "q01 1 q10 0 q21 1 q30 0 q41 1" {
		t.Error(got)
	}

	_, said = accept(t, old, candidate(t, 1, 1, "q1", "q2", "q3"), bounds(1, 0), "why", Support)
	if got := verdicts(said); got != "mrr raised 1>1 +0 ?0; support taken, for the reason given 1>1 +0 ?0" {
		t.Error(got)
	}

	b, said = accept(t, old, fixed, bounds(0, 0), "")
	q := b.Measures[0].Set.Find("q2")
	if said[0].New != 1 || said[0].Left != 0 || len(q.Lists) != 2 || q.Lists[0].Hits[0] != q.Lists[1].Hits[0] || b.Measures[0].Set.Documents["retention.md"] == "" {
		t.Errorf("a control holds for every placement: %+v", q)
	}

	old, _ = accept(t, nil, fixed, nil, "")
	b, said = accept(t, old, candidate(t, 0, 1, "q1", "q2", "q3", "q4", "q5"), bounds(0, 0), "")
	if said[0].New != 0 || said[0].Left != 2 || len(b.Measures[0].Set.Questions) != 3 {
		t.Errorf("moving cuts, and a control: %+v", said)
	}
}

// TestNotComparable: another instrument, a question that is gone (gat-05) and another
// version are taken with a reason alone, by all measures.
func TestNotComparable(t *testing.T) {
	old, _ := accept(t, nil, candidate(t, 0, 1, "q1", "q2", "q3", "q4", "q5"), nil, "")
	removed := candidate(t, 1, 1, "q1", "q2", "q3", "q4")
	if gone := old.Gone([]string{"q4", "q1", "q2", "q3"}); len(gone) != 1 || gone[0] != "q5" {
		t.Error(gone)
	}
	unanswered := removed
	unanswered.Unanswerable = []string{"q5"}
	if b, _ := accept(t, old, unanswered, bounds(0, 1), ""); b.Measures[0].Set.Find("q5") == nil || b.Measures[1].Set.Find("q5") != nil {
		t.Error("a question that nothing answers now is kept where its measure is")
	}
	instrument := candidate(t, 0, 1, "q1", "q2", "q3", "q4", "q5")
	instrument.Instrument.Tokens = 1500
	finer := candidate(t, 0, 1, "q1", "q2", "q3", "q4", "q5")
	finer.Set = set(t, windows(8, 0), 4, map[string][]rankings.Hit{"q1": {}, "q2": {}, "q3": {}, "q4": {}, "q5": {}})
	edited := candidate(t, 0, 1, "q1", "q2", "q3", "q4", "q5")
	edited.Set = set(t, windows(8, 0), 2, map[string][]rankings.Hit{"q1": {at("policy.md", policy+" ", 0, 3)}, "q2": {}, "q3": {}, "q4": {}, "q5": {}})
	for want, c := range map[string]Candidate{
		"not comparable with the baseline: q5 in the baseline, not in the current run": removed,
		"not comparable with the baseline: budget.tokens was 3000 and is 1500":         instrument,
		"not comparable with the baseline: phases was 2 and is 4":                      finer,
		"not comparable with the baseline: another version of policy.md":               edited,
	} {
		if _, _, err := Accept(old, c, bounds(1, 1), ""); !errors.Is(err, ErrNotComparable) || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
		if _, _, err := Accept(old, c, bounds(1, 1), "why", MRR); !errors.Is(err, ErrNotComparable) || err.Error() != want+": every measure must take it" {
			t.Errorf("got %v, want %s", err, want)
		}
		b, said := accept(t, old, c, nil, "why")
		if said[0].Verdict != Taken || said[1].Verdict != Taken || len(b.Accepted) != 2 || b.Instrument.Tokens != c.Instrument.Tokens || b.Measures[0].Set != c.Set {
			t.Errorf("%s: %+v", want, said)
		}
	}
}

// TestWhole: a candidate that lacks anything is never accepted, whatever the reason
// (gat-01, gat-07).
func TestWhole(t *testing.T) {
	whole := func() Candidate { return candidate(t, 0, 1, "q1", "q2") }
	old, _ := accept(t, nil, whole(), nil, "")
	for want, edit := range map[string]func(*Candidate){
		"no question was asked": func(c *Candidate) { c.Set = set(t, windows(8, 0), 2, nil) },
		"q2 at 2/2: missing, and what is missing is never accepted": func(c *Candidate) { c.Set.Questions[1].Lists[1] = List{} },
		"q1 at 2/2: not every hit is here":                          func(c *Candidate) { c.Set.Questions[0].Lists[1].More = true },
		"q1 at 1/2: 2 hits at depth 1": func(c *Candidate) {
			c.Instrument.Depth, c.Set.Questions[0].Lists[0].Hits = 1, make([]Hit, 2)
		},
		"mrr: not measured":                          func(c *Candidate) { delete(c.Values, MRR) },
		"support: not measured":                      func(c *Candidate) { c.Values[Support] = stats.Sum{} },
		"support: 3 of 8 without a result":           func(c *Candidate) { c.Values[Support] = stats.Sum{Sum: sum(23, 5, 0).Sum, Den: 8, Missing: 3} },
		"mrr: 5/2 of 2 is outside 0..1":              func(c *Candidate) { c.Values[MRR] = sum(5, 2, 2) },
		"mrr: -1 of 2 is outside 0..1":               func(c *Candidate) { c.Values[MRR] = sum(-1, 1, 2) },
		"mrr: over 3 questions, the rankings have 2": func(c *Candidate) { c.Values[MRR] = sum(1, 1, 3) },
	} {
		c := whole()
		edit(&c)
		for _, b := range []*Baseline{nil, old} {
			if _, _, err := Accept(b, c, bounds(1, 1), "why"); err == nil || err.Error() != want {
				t.Errorf("got %v, want %s", err, want)
			}
		}
	}
	if _, _, err := Accept(nil, whole(), nil, "", "recall"); err == nil || err.Error() != `no measure "recall" (have mrr, support)` {
		t.Error(err)
	}
}

// TestSetsDiffer: whatever a ranking can differ in makes another set.
func TestSetsDiffer(t *testing.T) {
	s := worked(t).Measure(Support).Set
	for i, edit := range []func(*Set){
		func(s *Set) { s.Arm.Split.Size++ }, func(s *Set) { s.Labels = s.Labels[:1] }, func(s *Set) { s.Documents["policy.md"] = digest },
		func(s *Set) { s.Questions = s.Questions[1:] }, func(s *Set) { s.Questions[0].QID = "q-000" },
		func(s *Set) { s.Questions[0].Lists = []List{{Hits: s.Questions[0].Lists[0].Hits}, {Hits: []Hit{}}} },
		func(s *Set) {
			s.Questions[0].Lists = []List{{Hits: s.Questions[0].Lists[0].Hits, More: true}, s.Questions[0].Lists[1]}
		},
		func(s *Set) {
			s.Questions[0].Lists = []List{{Hits: []Hit{{"policy.md", span.Span{Start: 0, End: 18}, ""}}}, s.Questions[0].Lists[1]}
		},
	} {
		changed, _, _ := s.with(&Set{})
		if !changed.same(s) {
			t.Error("a copy is the same")
		}
		if edit(changed); changed.same(s) {
			t.Errorf("edit %d is not seen", i)
		}
	}
}
