package compare

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/plan"
	"kerf/internal/text/token"
	"kerf/internal/verdict"
)

// Facts are everything that a report is a function of: the experiment, what it
// read, and the ledger.
type Facts struct {
	Run        string
	Experiment plan.Experiment
	Documents  []*corpus.Document
	Questions  []*golden.Question // those of the run, in order
	Evidence   []verdict.Evidence // theirs, in document ordinals
	LeftOut    []LeftOut
	Stale      []*golden.Question // those of LeftOut that a superseded version alone kept out
	HeldOut    *HeldOut           // nil where no held-out question was asked
	Arms       []Planning         // in the experiment's order
	Checked    int                // contexts that were held against what their reader may read, while they were made
	Cells      Cells
	Tables     func(tokenizer string) ([]*token.Table, error)
	Passed     func(bytes int) // told of texts that were read and will not be again soon
	Reproduce  Reproduce
	Corpus     string   // digest
	Golden     string   // digest
	tables     []*table // of Build
}

// Planning is an arm's placements and the cells that hold them.
type Planning struct {
	Arm         plan.Arm
	Phases      []Planned
	Blocks      bool     // a cell holds neighbouring placements
	Rebuild     *Planned // the second build of another engine's ordinary index; nil: none
	Targets     []Aimed  // cells of targeted placements
	Unreachable []string // labels of targets whose place is no token boundary
}

// Build makes the report.
func Build(in *Facts) (*Report, error) {
	e := in.Experiment
	r := &Report{
		Kerf: Kind, Run: in.Run, Corpus: Corpus{Digest: in.Corpus, Docs: len(in.Documents)}, Golden: describe(*in),
		Reader: e.Reader, K: e.K, AtK: e.AtK, Phases: Phases{Grid: e.Phases.Grid, All: e.Phases.All}, Ignorable: e.Ignorable,
		Budget: e.Budget,
		Sample: golden.Headline(in.Questions), Baseline: e.Baseline, Redact: "none", Reproduce: in.Reproduce,
		Pairs: []Pair{}, ContextsChecked: in.Checked, HardViolations: []Violation{}, Warnings: []Warning{}, MissingCells: []MissingCell{}, WorstQuestions: []WorstQuestion{},
	}
	for _, d := range in.Documents {
		r.Corpus.Bytes += len(d.Text)
	}
	tables, err := in.read()
	if err != nil {
		return nil, err
	}
	in.tables = tables
	for i, p := range in.Arms {
		a, err := in.arm(p, tables[i])
		if err != nil {
			return nil, err
		}
		r.Arms = append(r.Arms, a)
		violations, _, err := in.violations(p)
		if err != nil {
			return nil, err
		}
		r.HardViolations = append(r.HardViolations, violations...)
		for _, ph := range p.Phases {
			if ph.Failed != "" {
				r.MissingCells = append(r.MissingCells, MissingCell{p.Arm.Name, ph.Label, ph.Failed})
			}
		}
		for _, t := range p.Targets {
			if t.Failed != "" {
				r.MissingCells = append(r.MissingCells, MissingCell{p.Arm.Name, t.Cell, t.Failed})
			}
		}
	}
	base := slices.IndexFunc(in.Arms, func(p Planning) bool { return p.Arm.Name == e.Baseline })
	for i := range in.Arms {
		if i != base && base >= 0 {
			r.Pairs = append(r.Pairs, in.pair(tables[i], tables[base], i, base, "budget"), in.pair(tables[i], tables[base], i, base, "top_k"))
		}
	}
	if base >= 0 {
		if r.WorstQuestions, err = in.worst(in.Arms[base], tables[base]); err != nil {
			return nil, err
		}
	}
	if r.Warnings, err = in.warnings(r, tables); err != nil {
		return nil, err
	}
	return r, nil
}

// read is the table of every arm.
func (in Facts) read() ([]*table, error) {
	var tables []*table
	for _, p := range in.Arms {
		t, err := in.readArm(p, false)
		if err != nil {
			return nil, err
		}
		tables = append(tables, t)
	}
	return tables, nil
}

func (in Facts) readArm(p Planning, verdicts bool) (*table, error) {
	r := reader{verdicts: verdicts, questions: in.Questions, index: map[string]int{}, headline: golden.Headline(in.Questions), ks: in.Experiment.K, cells: in.Cells}
	for i, q := range in.Questions {
		r.index[q.QID] = i
	}
	t := newTable(in.Questions, p.Phases)
	for j, ph := range p.Phases {
		var err error
		switch {
		case ph.Failed != "":
		case !p.Blocks:
			if err = r.phase(t, j, ph); err == nil && len(in.Experiment.Budget.Curve) > 0 && !verdicts {
				err = r.ceilings(t, j, ph)
			}
		case j == 0 || ph.Cell != p.Phases[j-1].Cell:
			err = r.block(t, j, ph.Cell)
		}
		if err != nil {
			return nil, fmt.Errorf("arm %s: %w", p.Arm.Name, err)
		}
	}
	return t, nil
}

// describe counts the questions by what decides how far a figure reaches.
func describe(in Facts) Golden {
	g := Golden{Digest: in.Golden, Questions: len(in.Questions), Origin: map[string]int{}, Sample: map[string]int{},
		Dependency: map[string]int{}, Adjudication: map[string]int{}, Unadjudicated: []string{}, Author: map[string]int{}, Method: map[string]int{},
		Review: map[string]int{}, LeftOut: in.LeftOut,
		Stale: in.stale(), HeldOut: in.HeldOut, Overlap: overlaps(in.Questions, golden.Headline(in.Questions))}
	if g.LeftOut == nil {
		g.LeftOut = []LeftOut{}
	}
	clusters := map[string]bool{}
	of := golden.Clusters(in.Questions)
	for _, q := range in.Questions {
		clusters[of[q]] = true
		if q.Unanswerable {
			g.Unanswerable++
		} else {
			g.Answerable++
		}
		g.Origin[orNotStated(q.Origin)]++
		g.Sample[q.Sample]++
		g.Adjudication[q.Adjudication.State]++
		if q.Adjudication.State == "unadjudicated" {
			g.Unadjudicated = append(g.Unadjudicated, q.QID)
		}
		g.Author[orNotStated(q.Author)]++
		g.Method[orNotStated(q.Method)]++
		for _, a := range reviewed(q.Review) {
			g.Review[a]++
		}
		for _, d := range q.Dependency {
			g.Dependency[d]++
		}
	}
	g.Clusters = len(clusters)
	return g
}

// reviewed are the aspects of a question that a person has looked at.
func reviewed(r golden.Review) []string {
	var out []string
	for _, a := range [...]struct{ name, outcome string }{
		{"answerability", r.Answerability}, {"evidence", r.Evidence}, {"paraphrase", r.Paraphrase}, {"task_coverage", r.TaskCoverage},
	} {
		if a.outcome != "" {
			out = append(out, a.name)
		}
	}
	return out
}

// NotStated stands where a golden line names nothing.
const NotStated = "not stated"

func orNotStated(s string) string {
	if s == "" {
		return NotStated
	}
	return s
}

// headline are the answerable questions that headline figures are over.
func (in Facts) headline() []int {
	sample := golden.Headline(in.Questions)
	return in.where(func(q *golden.Question) bool { return q.Sample == sample })
}

// where are the answerable questions that f accepts, in order.
func (in Facts) where(f func(q *golden.Question) bool) []int {
	var out []int
	for i, q := range in.Questions {
		if !q.Unanswerable && f(q) {
			out = append(out, i)
		}
	}
	return out
}

func (in Facts) arm(p Planning, t *table) (Arm, error) {
	s := p.Arm.Split
	a := Arm{Arm: p.Arm.Name, Split: cmp.Or(s.By, "rankings"), Retrieve: cmp.Or(p.Arm.Retrieve.By, "rankings"), Scope: p.Arm.Moving.Scope, Phases: len(p.Phases)}
	if !p.Arm.IsControl() {
		a.Window = &Window{Size: s.Size, Overlap: s.Overlap, Stride: p.Arm.Stride(), Tokenizer: s.Tokenizer}
	}
	asked := in.headline()
	a.Views = Views{
		Budget: in.view(t, asked, t.tokens, t.support, t.supportStrict, t.singleUnit),
		TopK:   in.view(t, asked, t.topKTokens, t.topK, t.topKStrict, t.singleUnitTopK),
	}
	a.Views.TopK.RepeatedTokens, a.Views.TopK.EmptyContexts = stats.NewSum(), stats.Count{}
	for j, label := range t.labels {
		m := Measures{Label: label}
		for _, f := range t.measures[j] {
			m.List = append(m.List, Measure(f))
		}
		a.Measures = append(a.Measures, m)
	}
	a.Segments, a.Samples = in.segments(t), in.samples(t)
	a.Stages = Stages{Candidates: total(pick(t.candidates, asked)), Packed: a.Views.Budget.Support}
	a.Curve = in.curve(t, a.Views.Budget)
	var err error
	if a.Targets, err = in.targets(p, t); err != nil {
		return a, err
	}
	if a.Targets != nil && a.Targets.Worst.Measured && in.Experiment.Phases.Target == plan.WorstTargets {
		if w := &a.Views.Budget.Worst; !w.Measured || a.Targets.Worst.Value.Support.Num < w.Value.Support.Num {
			*w = a.Targets.Worst
		}
	}
	if a.Geometry, err = in.geometry(p, asked); err != nil {
		return a, err
	}
	if a.Rebuild, err = in.rebuild(p); err != nil {
		return a, err
	}
	a.Cost, err = in.cost(p)
	return a, err
}

// view is the statistics of one kind of context over the questions asked; tokens
// are those of the contexts.
func (in Facts) view(t *table, asked []int, tokens map[int]int, support, strict, single [][]stats.Verdict) View {
	over := stats.OverPhases(pick(support, asked), len(t.labels))
	v := View{
		Support: over.Support, SupportStrict: total(pick(strict, asked)), SingleUnit: total(pick(single, asked)),
		PerQueryWorst: over.PerQueryWorst, PerQueryBest: over.PerQueryBest, Infeasible: Infeasible{Den: len(asked), QIDs: []string{}},
		RepeatedTokens: stats.Sum{Sum: big.NewRat(int64(t.repeated), 1), Den: len(asked) * len(t.labels)}, EmptyContexts: t.empty,
	}
	for j, label := range t.labels {
		v.Phase = append(v.Phase, Phase{Label: label, FirstCut: t.cuts[j], Chunks: t.chunks[j], Support: over.PerPhase[j]})
	}
	v.Worst, v.Flips, v.Disagreement = moving(t, over)
	var feasible []int
	for _, i := range asked {
		if t.feasible[i] {
			feasible = append(feasible, i)
			continue
		}
		v.Infeasible.Num++
		v.Infeasible.QIDs = append(v.Infeasible.QIDs, in.Questions[i].QID)
	}
	v.SupportFeasible = total(pick(support, feasible))
	contexts := 0
	for _, n := range tokens {
		contexts += n
	}
	v.RepeatedTokens.Missing = v.RepeatedTokens.Den - contexts
	v.EmptyContexts.Missing = v.RepeatedTokens.Missing
	v.EmptyContexts.Den = v.RepeatedTokens.Den
	if contexts > 0 {
		v.ContextTokens = stats.Measured(Quantile{P50: percentile(tokens, contexts, 50), P95: percentile(tokens, contexts, 95), Den: contexts})
	}
	return v
}

// moving are the figures that need placements to compare.
func moving(t *table, over stats.Phases) (worst stats.Maybe[Worst], flips Moving[stats.Count], disagreement Moving[stats.Sum]) {
	if over.Worst >= 0 {
		worst = stats.Measured(Worst{t.labels[over.Worst], over.PerPhase[over.Worst]})
	}
	if len(t.labels) > 1 {
		flips, disagreement = Moved(over.Flips), Moved(over.Disagreement)
	}
	return worst, flips, disagreement
}

func pick(rows [][]stats.Verdict, asked []int) [][]stats.Verdict {
	out := make([][]stats.Verdict, len(asked))
	for n, i := range asked {
		out[n] = rows[i]
	}
	return out
}

// total is the count over all cells of rows.
func total(rows [][]stats.Verdict) stats.Count {
	var c stats.Count
	for _, row := range rows {
		for _, v := range row {
			c.Den++
			switch v {
			case stats.Hit:
				c.Num++
			case stats.Missing:
				c.Missing++
			}
		}
	}
	return c
}

// percentile is the nearest-rank percentile of n values given as value -> count.
func percentile(counts map[int]int, n, percent int) int {
	values := make([]int, 0, len(counts))
	for v := range counts {
		values = append(values, v)
	}
	slices.Sort(values)
	rank := (n*percent + 99) / 100
	for _, v := range values {
		if rank -= counts[v]; rank <= 0 {
			return v
		}
	}
	return 0
}

// segments are the parts of the questions by segment, then by dependency, each
// by sample.
func (in Facts) segments(t *table) []Segment {
	var out []Segment
	for _, sample := range golden.Samples() {
		for _, name := range in.names(func(q *golden.Question) []string { return []string{orNotStated(q.Segment)} }) {
			out = in.part(out, t, Segment{Segment: name, Sample: sample}, func(q *golden.Question) bool { return orNotStated(q.Segment) == name })
		}
	}
	for _, sample := range golden.Samples() {
		for _, name := range in.names(func(q *golden.Question) []string { return q.Dependency }) {
			out = in.part(out, t, Segment{Dependency: name, Sample: sample}, func(q *golden.Question) bool { return slices.Contains(q.Dependency, name) })
		}
	}
	return out
}

func (in Facts) samples(t *table) []Segment {
	var out []Segment
	for _, sample := range golden.Samples() {
		out = in.part(out, t, Segment{Sample: sample}, func(*golden.Question) bool { return true })
	}
	return out
}

// names are the distinct values of f over the questions, sorted.
func (in Facts) names(f func(q *golden.Question) []string) []string {
	var out []string
	for _, q := range in.Questions {
		out = append(out, f(q)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// part appends the figures of a part of the questions, if it has any.
func (in Facts) part(out []Segment, t *table, s Segment, f func(q *golden.Question) bool) []Segment {
	for _, q := range in.Questions {
		if q.Sample == s.Sample && f(q) {
			s.Questions++
		}
	}
	if s.Questions == 0 {
		return out
	}
	over := stats.OverPhases(pick(t.support, in.where(func(q *golden.Question) bool { return q.Sample == s.Sample && f(q) })), len(t.labels))
	s.Support, s.Ordinary = over.Support, over.PerPhase[len(t.labels)-1]
	s.Worst, s.Flips, s.Disagreement = moving(t, over)
	return append(out, s)
}
