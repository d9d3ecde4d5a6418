package diff

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/effect"
	"kerf/internal/study/ledger"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
	"kerf/internal/verdict"
)

// made is a run in memory: one document and one question each, its evidence the
// bytes [10,20) of the document, its arms' verdicts by question and placement.
type made struct {
	facts *compare.Facts
	files map[string][]byte
}

const x = stats.Missing

func newRun(run string, arms map[string][][]stats.Verdict) made {
	m := made{files: map[string][]byte{}}
	m.facts = &compare.Facts{Run: run, Corpus: "corpus", Golden: "golden", Experiment: plan.Experiment{K: []int{1, 3}, AtK: 3, Reader: []string{"everyone"}}}
	m.facts.Cells = func(table, cell string) ([]byte, error) {
		if b, ok := m.files[table+"/"+cell]; ok {
			return b, nil
		}
		return nil, fmt.Errorf("no %s of %s", table, cell)
	}
	for _, name := range slices.Sorted(func(yield func(string) bool) {
		for n := range arms {
			if !yield(n) {
				return
			}
		}
	}) {
		rows := arms[name]
		p := compare.Planning{Arm: plan.Arm{Name: name, Split: plan.Split{By: "tokens", Tokenizer: "words", Size: 4}, Retrieve: plan.Retrieve{By: "bm25"}}}
		for j := range rows[0] {
			cell := fmt.Sprintf("%s.%d", name, j)
			p.Phases = append(p.Phases, compare.Planned{Label: fmt.Sprintf("%d/%d", j+1, len(rows[0])), FirstCut: j + 1, Cell: cell})
			var verdicts []ledger.VerdictRow
			for i, row := range rows {
				if row[j] != x {
					rank := 0
					if row[j] == stats.Hit {
						rank = 1 + i%4
					}
					verdicts = append(verdicts, ledger.VerdictRow{QID: qid(i), Support: row[j] == stats.Hit, TopK: row[j] == stats.Hit && rank <= 3, SingleRank: rank, UnionRank: rank, UnionWSRank: rank, SpanRank: rank})
				}
			}
			m.files["verdict/"+cell] = ledger.Verdict.Encode("i", verdicts)
			for _, t := range []string{"budget", "boundary", "retrieval", "context"} {
				m.files[t+"/"+cell] = nil
			}
			m.files["budget/"+cell] = ledger.Budget.Encode("i", nil)
			m.files["boundary/"+cell] = ledger.Boundary.Encode("i", nil)
			m.files["retrieval/"+cell] = ledger.Retrieval.Encode("i", nil)
			m.files["context/"+cell] = ledger.Context.Encode("i", nil)
		}
		m.facts.Arms = append(m.facts.Arms, p)
		for i := len(m.facts.Questions); i < len(rows); i++ {
			doc := fmt.Sprintf("d%02d", i)
			m.facts.Documents = append(m.facts.Documents, &corpus.Document{Version: corpus.Version{Doc: doc, Version: "v"}, Text: strings.Repeat("0123456789", 4)})
			m.facts.Questions = append(m.facts.Questions, &golden.Question{QID: qid(i), Text: "What?", Sample: golden.Representative, Segment: []string{"odd", "even"}[i%2],
				Support: [][]*golden.Span{{{Name: "s", Doc: doc}}}})
			m.facts.Evidence = append(m.facts.Evidence, verdict.Evidence{{{Doc: int32(i), Span: span.Span{Start: 10, End: 20}}}})
		}
	}
	return m
}

func qid(i int) string { return fmt.Sprintf("q%02d", i) }

func (m made) side(arm string) Side {
	return Side{Given: arm, Run: m.facts.Run, Kerf: "1", Arm: arm, Facts: m.facts}
}

// arms are 14 questions at two placements: base has all but the first whole, and
// the candidate loses the second at both, the third at one, and gains the first.
func arms() map[string][][]stats.Verdict {
	base, cand := make([][]stats.Verdict, 14), make([][]stats.Verdict, 14)
	for i := range base {
		base[i], cand[i] = []stats.Verdict{1, 1}, []stats.Verdict{1, 1}
	}
	base[0] = []stats.Verdict{0, 0}
	cand[1], cand[2], cand[5] = []stats.Verdict{0, 0}, []stats.Verdict{0, 1}, []stats.Verdict{1, x}
	return map[string][][]stats.Verdict{"base": base, "cand": cand}
}

func build(t *testing.T, b, c Side) *Diff {
	t.Helper()
	d, err := Build(b, c)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func (d *Diff) find(measure, view, placement, segment string) *Effect {
	for i := range d.Effects {
		if e := &d.Effects[i]; e.Measure == measure && e.View == view && e.Placement == placement && e.Segment == segment {
			return e
		}
	}
	return &Effect{Difference: stats.NewSum()}
}

func TestEffects(t *testing.T) {
	m := newRun("r", arms())
	d := build(t, m.side("base"), m.side("cand"))
	head := &d.Effects[0]
	if head != d.find("support", "budget", "all", "") || head.Difference.Sum.RatString() != "-1/2" || head.Difference.Missing != 0 || head.Gained != 1 || head.Lost != 2 {
		t.Errorf("headline %+v", head)
	}
	values := make([]*big.Rat, 14)
	clusters := make([]string, 14)
	for i := range values {
		values[i], clusters[i] = new(big.Rat), strconv.Itoa(i)
	}
	values[0], values[1], values[2] = big.NewRat(1, 1), big.NewRat(-1, 1), big.NewRat(-1, 2)
	seed, _ := strconv.ParseUint(d.Seed, 16, 64)
	if want := effect.Standard(seed).Of(values, clusters, effect.Fine); head.CI.Value.Lo != want.Value.Lo || head.CI.Value.Hi != want.Value.Hi || d.Estimand != "D" {
		t.Errorf("%+v, want %+v", head.CI, want)
	}
	if want := effect.Standard(seed).Bootstrap(values, clusters); head.Bootstrap != want {
		t.Errorf("%+v, want %+v", head.Bootstrap, want)
	}
	// At the ordinary cuts q05 has no result in the candidate.
	for name, want := range map[string]string{"support budget": "0 1 1 1", "support top_k": "0 1 1 1", "single_hit@1 ranking": "1 0 1 1",
		"union_hit@3 ranking": "0 1 1 1", "single_mrr@3 ranking": "1/2 1 1 1", "mrr ranking": "1/2 1 1 1"} {
		measure, view, _ := strings.Cut(name, " ")
		e := d.find(measure, view, "ordinary", "")
		if got := fmt.Sprint(e.Difference.Sum.RatString(), " ", e.Gained, " ", e.Lost, " ", e.Difference.Missing); got != want && measure != "single_hit@1" {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
	if e := d.find("single_hit@1", "ranking", "ordinary", ""); e.Difference.Sum.RatString() != "1" || e.Gained != 1 || e.Lost != 0 || e.Losses == nil || e.Gains != nil {
		t.Errorf("%+v", e)
	}
	if e := d.find("flips", "budget", "all", ""); e.Difference.Sum.RatString() != "1" || e.Difference.Missing != 1 {
		t.Errorf("flips %+v", e.Difference)
	}
	if e := d.find("disagreement", "budget", "all", ""); e.Difference.Sum.RatString() != "1/2" || e.Candidate.CI.Measured {
		t.Errorf("disagreement %+v", e)
	}
	// Parts: the odd questions, of which q00 and q02 are, gain 1/2; the even lose 1.
	if e := d.find("support", "budget", "all", "even"); e.Difference.Sum.RatString() != "-1" || e.Difference.Den != 7 || e.CI.Value.Estimand != "F" {
		t.Errorf("even %+v", e)
	}
	if e := d.Effects[d.Exploratory.Effect]; d.Exploratory.Cells != 8 || !e.IsPart() {
		t.Errorf("exploratory %+v: %+v", d.Exploratory, e)
	}
	for _, e := range d.Effects {
		r, ok := e.Difference.Rat()
		most, _ := d.Effects[d.Exploratory.Effect].Difference.Rat()
		if e.IsPart() && ok && r.Abs(r).Cmp(most.Abs(most)) > 0 {
			t.Errorf("%s %s is larger than the largest", e.Measure, e.Segment)
		}
	}
	if len(d.Changes) != 4 || d.Changes[0].QID != "q00" || d.Changes[0].Change != "gained" || d.Changes[1].QID != "q01" || d.Changes[1].Change != "lost" ||
		d.Changes[1].Candidate.Hits != 0 || d.Changes[1].Baseline.Hits != 2 || *d.Changes[1].Baseline.WholeAt != 2 {
		t.Errorf("%+v", d.Changes)
	}
	codes := ""
	for _, w := range d.Warnings {
		codes += w.Code + " "
	}
	if codes != "" {
		t.Errorf("warnings %s", codes)
	}
	same := build(t, m.side("base"), m.side("base"))
	if e := same.Effects[0]; e.CI.Value.Lo >= 0 || e.CI.Value.Hi <= 0 || !e.Bootstrap.Value.Degenerate {
		t.Errorf("no change: %+v", e)
	}
}

func TestStripsAndGrid(t *testing.T) {
	a := arms()
	a["cand"][5] = []stats.Verdict{1, 1}
	m := newRun("r", a)
	d := build(t, m.side("base"), m.side("cand"))
	s := d.Strips[1]
	if s.Arm != "candidate" || s.View != "budget" || s.Worst.Value.Label != "1/2" || s.Worst.Value.Support.Num != 12 || s.PerQueryWorst.Num != 12 || s.Flips.Value.Num != 1 {
		t.Errorf("%+v", s)
	}
	if len(s.Chosen) != 1 || s.Chosen[0].Draws != 10000 {
		t.Errorf("the first placement is never better: %+v", s.Chosen)
	}
	if a := d.Anchored[0]; a.Label != "1/2" || a.Difference.Sum.RatString() != "-1" {
		t.Errorf("%+v", a)
	}
}

// TestGrid: 12 and 13 of 14 against 13 and 13: differences -1/14 and 0, whose mean
// is -1/28.
func TestGrid(t *testing.T) {
	c := func(n, missing int) stats.Count { return stats.Count{Num: n, Den: 14, Missing: missing} }
	g, ok := grid("budget", []string{"1/2", "2/2"}, []stats.Count{c(13, 0), c(13, 0)}, []stats.Count{c(12, 0), c(13, 0)})
	if !ok || g.Rows[0].Difference != "-1/14" || g.Rows[0].Interaction != "-1/28" || g.Rows[1].Interaction != "1/28" {
		t.Errorf("%+v", g)
	}
	if _, ok := grid("budget", []string{"1/1"}, []stats.Count{c(0, 14)}, []stats.Count{c(1, 0)}); ok {
		t.Error("a grid with nothing in it")
	}
}

func TestPairs(t *testing.T) {
	was, is := newRun("r", arms()), newRun("s", arms())
	q := is.facts.Questions
	q[0].Text, q[1].Reader, q[2].Within = "Which?", []string{"ann"}, []string{"d02"}
	is.facts.Evidence[3][0][0].Start = 11
	is.facts.Documents[4].Version.Version = "w"
	q[5].QID = "new"
	q[6].Reader = []string{"everyone"} // as the experiment has it
	for _, m := range []made{was, is} {
		m.facts.Questions[7].Unanswerable = true
	}
	// A question under another name has no row in the cells.
	is.facts.Cells = func(table, cell string) ([]byte, error) {
		if table == "verdict" {
			return ledger.Verdict.Encode("i", nil), nil
		}
		return is.files[table+"/"+cell], nil
	}
	was.facts.Cells = func(table, cell string) ([]byte, error) {
		if table == "verdict" {
			return ledger.Verdict.Encode("i", nil), nil
		}
		return was.files[table+"/"+cell], nil
	}
	d := build(t, was.side("base"), is.side("base"))
	if got := d.Questions; !slices.Equal(got.Relabelled, []string{"q00", "q01", "q02", "q03", "q04"}) || !slices.Equal(got.OnlyBaseline, []string{"q05"}) ||
		!slices.Equal(got.OnlyCandidate, []string{"new"}) || got.Unanswerable != 1 || got.Paired != 7 {
		t.Errorf("%+v", got)
	}
	if e := d.Effects[0]; e.CI.Measured || e.Difference.Missing != 7 || d.Estimand != "F" {
		t.Errorf("no result, and %+v", e)
	}
	for i := range is.facts.Questions {
		is.facts.Questions[i].QID = "other" + qid(i)
	}
	if _, err := Build(was.side("base"), is.side("base")); err == nil || !strings.Contains(err.Error(), "no answerable question in common") {
		t.Error(err)
	}
	if _, err := Build(was.side("none"), is.side("base")); err == nil {
		t.Error("an arm that is not there")
	}
}

func TestDiffer(t *testing.T) {
	for _, c := range []struct {
		change                func(f *compare.Facts)
		intervention, besides string
	}{
		{func(f *compare.Facts) {}, "[]", "[]"},
		{func(f *compare.Facts) { f.Arms[0].Arm.Split.Size = 8 }, "[size]", "[]"},
		{func(f *compare.Facts) { f.Arms[0].Arm.Split.Size, f.Arms[0].Arm.Split.Overlap = 8, 2 }, "[size overlap]", "[]"},
		{func(f *compare.Facts) { f.Arms[0].Arm.Retrieve.By = "http" }, "[retrieve]", "[]"},
		{func(f *compare.Facts) { f.Arms[0].Arm.Retrieve.By, f.Experiment.Depth = "http", 9 }, "[]", "[retrieve depth]"},
		{func(f *compare.Facts) { f.Arms[0].Arm.Split.Size, f.Corpus, f.Experiment.Budget.Tokens = 8, "other", 5 }, "[size]", "[budget corpus]"},
		{func(f *compare.Facts) { f.Experiment.Phases.All = true }, "[placements]", "[]"},
		{func(f *compare.Facts) { f.Arms[0].Arm.Split.Size, f.Experiment.Depth = 8, 9 }, "[size]", "[depth]"},
		{func(f *compare.Facts) { f.Arms[0].Arm.Split.Tokenizer, f.Experiment.Ignorable = "chars", "strict" }, "[]", "[tokenizer ignorable]"},
	} {
		was, is := newRun("r", arms()), newRun("r", arms())
		c.change(is.facts)
		d := build(t, was.side("base"), is.side("base"))
		warned := slices.ContainsFunc(d.Warnings, func(w Warning) bool { return w.Code == "confounded" })
		if fmt.Sprint(d.Intervention) != c.intervention || fmt.Sprint(d.Confounded) != c.besides || warned != (c.besides != "[]") {
			t.Errorf("%v besides %v, want %s besides %s", d.Intervention, d.Confounded, c.intervention, c.besides)
		}
	}
}

// TestAllPlacements: where every placement runs, how many there are follows from
// size and overlap, and confounds nothing.
func TestAllPlacements(t *testing.T) {
	a := arms()
	for i := range a["cand"] {
		a["cand"][i] = a["cand"][i][:1]
	}
	m := newRun("r", a)
	m.facts.Experiment.Phases.All = true
	m.facts.Arms[1].Arm.Split.Size = 3
	d := build(t, m.side("base"), m.side("cand"))
	if fmt.Sprint(d.Intervention, d.Confounded) != "[size] []" || len(d.Grids) != 0 || d.find("flips", "budget", "all", "").Measure != "" {
		t.Errorf("%v %v", d.Intervention, d.Confounded)
	}
}

// TestCauses: what became of the evidence, bytes [10,20) of d00.
func TestCauses(t *testing.T) {
	type rows struct {
		chunks [][2]int
		hits   []ledger.RetrievalRow
		shown  [][2]int
		change func(m made)
	}
	hit := func(rank, start, end int, outcome, lineage string) ledger.RetrievalRow {
		return ledger.RetrievalRow{QID: "q00", Rank: rank, Doc: "d00", Start: start, End: end, Outcome: outcome, Lineage: lineage}
	}
	for want, r := range map[string]rows{
		"ranked 23rd, beyond the budget":                    {chunks: [][2]int{{0, 30}}, hits: []ledger.RetrievalRow{hit(23, 0, 30, "unread", "")}},
		"ranked 2nd, dropped by the budget":                 {chunks: [][2]int{{0, 30}}, hits: []ledger.RetrievalRow{hit(2, 0, 30, "overflow", "")}},
		"ranked 11th, dropped by the budget":                {chunks: [][2]int{{0, 30}}, hits: []ledger.RetrievalRow{hit(11, 0, 30, "skipped", "")}},
		"ranked 1st, shortened by the budget":               {chunks: [][2]int{{0, 30}}, hits: []ledger.RetrievalRow{hit(1, 0, 30, "truncated", "")}, shown: [][2]int{{0, 15}}},
		"ranked 1st, the reader may not read all of it":     {chunks: [][2]int{{0, 30}}, hits: []ledger.RetrievalRow{hit(1, 0, 30, "packed", "clip [0,12)")}, shown: [][2]int{{0, 12}}},
		"cut here; ranked 3rd, beyond the budget":           {chunks: [][2]int{{0, 15}, {15, 30}}, hits: []ledger.RetrievalRow{hit(1, 0, 15, "packed", ""), hit(3, 15, 30, "unread", "")}, shown: [][2]int{{0, 15}}},
		"cut here; not among the hits that were read":       {chunks: [][2]int{{0, 15}, {15, 30}}},
		"not among the hits that were read":                 {chunks: [][2]int{{0, 30}}},
		"no chunk holds it":                                 {chunks: [][2]int{{20, 40}}},
		"the hits that were read hold a part of it":         {hits: []ledger.RetrievalRow{hit(1, 0, 15, "packed", "")}, shown: [][2]int{{0, 15}}},
		"outside the documents searched":                    {chunks: [][2]int{{0, 30}}, change: func(m made) { m.facts.Questions[0].Within = []string{"d01"} }},
		"the reader may not read the whole chunk":           {chunks: [][2]int{{0, 30}}, change: func(m made) { m.facts.Documents[0].Access.Read = []string{"ann"} }},
		"not kept: with phases: all the ledger has no hits": {change: func(m made) { m.facts.Arms[1].Phases[1].Failed = "" }},
		"not known: the text is not there any more":         {chunks: [][2]int{{0, 30}}, shown: [][2]int{{0, 30}}},
	} {
		m := newRun("r", map[string][][]stats.Verdict{"base": {{1, 1}}, "cand": {{0, 0}}})
		if r.change != nil {
			r.change(m)
		}
		var boundaries []ledger.BoundaryRow
		for _, c := range r.chunks {
			boundaries = append(boundaries, ledger.BoundaryRow{Doc: "d00", Start: c[0], End: c[1], State: "indexed"})
		}
		var contexts []ledger.ContextRow
		for _, c := range r.shown {
			contexts = append(contexts, ledger.ContextRow{QID: "q00", Doc: "d00", Start: c[0], End: c[1]})
		}
		m.files["boundary/cand.1"] = ledger.Boundary.Encode("i", boundaries)
		m.files["retrieval/cand.1"] = ledger.Retrieval.Encode("i", r.hits)
		m.files["context/cand.1"] = ledger.Context.Encode("i", contexts)
		s, err := read(m.side("cand"), false)
		if err != nil {
			t.Fatal(err)
		}
		s.questions = []int{0}
		if !strings.HasPrefix(want, "not kept") {
			if s.kept, err = s.open(); err != nil {
				t.Fatal(err)
			}
		}
		if got := s.cause(0, "budget"); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	// In the top-k view what counts is the rank alone.
	m := newRun("r", map[string][][]stats.Verdict{"base": {{1, 1}}, "cand": {{0, 0}}})
	m.files["boundary/cand.1"] = ledger.Boundary.Encode("i", []ledger.BoundaryRow{{Doc: "d00", Start: 5, End: 30, State: "contained"}, {Doc: "d00", Start: 0, End: 30, State: "indexed"}})
	m.files["retrieval/cand.1"] = ledger.Retrieval.Encode("i", []ledger.RetrievalRow{hit(4, 0, 30, "packed", "")})
	d := build(t, m.side("base"), m.side("cand"))
	if c := d.Changes[1]; c.View != "top_k" || c.Candidate.Cause != "ranked 4th, beyond the first k hits" || c.Baseline.Cause != "" {
		t.Errorf("%+v", d.Changes)
	}
}

// TestBrief: what is there is what Build gives.
func TestBrief(t *testing.T) {
	text := func(v any) string {
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	m := newRun("r", arms())
	all := build(t, m.side("base"), m.side("cand"))
	d, err := Brief(m.side("base"), m.side("cand"))
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Effects) != 8 || len(d.Strips)+len(d.Grids)+len(d.Anchored) > 0 { // 2 measures and 2 segments of support, each at all and at the ordinary placements
		t.Errorf("%d effects, %d strips, %d grids", len(d.Effects), len(d.Strips), len(d.Grids))
	}
	for _, e := range d.Effects {
		want := *all.find(e.Measure, e.View, e.Placement, e.Segment)
		want.Bootstrap = e.Bootstrap
		if e.Bootstrap.Measured || text(e) != text(want) {
			t.Errorf("%s %s: %+v\nwant %+v", e.Measure, e.Placement, e, want)
		}
	}
	if text(d.Changes) != text(all.Changes) || text(d.Warnings) != text(all.Warnings) {
		t.Errorf("%+v %+v", d.Changes, d.Warnings)
	}
	base, cand := m.side("base"), m.side("cand")
	for _, s := range []Side{base, cand} {
		for _, q := range s.Facts.Questions {
			q.Segment = "only"
		}
	}
	if d, err = Brief(base, cand); err != nil {
		t.Fatal(err)
	}
	whole, part := d.find("support", "budget", "all", ""), d.find("support", "budget", "all", "only")
	if text(part.Difference) != text(whole.Difference) {
		t.Errorf("a segment that is the whole sample: %+v", part)
	}
}
