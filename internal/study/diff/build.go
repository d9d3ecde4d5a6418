package diff

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"

	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/effect"
)

// builder is a Diff in the making.
type builder struct {
	*Diff
	b, c     *side
	design   effect.Design
	clusters []string // of the paired questions
	brief    bool
}

// ErrNothing is the error where no question can be compared.
var ErrNothing = errors.New("no answerable question in common")

// Build compares candidate with baseline. It is an error where no question is
// compared (ErrNothing), or the ledger cannot be read.
func Build(baseline, candidate Side) (*Diff, error) { return compared(baseline, candidate, false) }

// Brief is what a gate takes of Build: support in the budget view and MRR with their
// intervals, and the changes; no bootstrap, no strips, no grids.
func Brief(baseline, candidate Side) (*Diff, error) { return compared(baseline, candidate, true) }

func compared(baseline, candidate Side, brief bool) (*Diff, error) {
	b, err := read(baseline, brief)
	if err != nil {
		return nil, err
	}
	c, err := read(candidate, brief)
	if err != nil {
		return nil, err
	}
	d := builder{Diff: &Diff{Kerf: Kind, Baseline: b.named(), Candidate: c.named(), Changes: []Change{}, Strips: []Strip{}, Anchored: []Anchored{}, Grids: []Grid{}, Warnings: []Warning{}}, b: b, c: c, brief: brief}
	d.Questions = pair(b, c)
	if d.Questions.Paired == 0 {
		return nil, fmt.Errorf("%s and %s have %w (%d of %s alone, %d of %s alone, %d with other labels)", baseline.Given, candidate.Given, ErrNothing,
			len(d.Questions.OnlyBaseline), baseline.Given, len(d.Questions.OnlyCandidate), candidate.Given, len(d.Questions.Relabelled))
	}
	sum := sha256.Sum256([]byte(fmt.Sprint(d.Baseline.Run, "\n", b.frozen(), "\n", d.Candidate.Run, "\n", c.frozen(), "\n", d.Baseline.Golden, "\n", d.Candidate.Golden)))
	d.design = effect.Standard(binary.BigEndian.Uint64(sum[:8]))
	d.Level, d.ICC, d.Draws, d.Seed = d.design.Level, d.design.ICC, d.design.Draws, fmt.Sprintf("%016x", d.design.Seed)
	d.Intervention, d.Confounded = differ(b, c)
	of := golden.Clusters(c.Facts.Questions)
	var asked []*golden.Question
	for n := range c.questions {
		asked = append(asked, c.question(n))
		d.clusters = append(d.clusters, of[c.question(n)])
	}
	d.Sample = golden.Headline(asked)
	headline := d.where(func(q *golden.Question) bool { return q.Sample == d.Sample })
	d.describe(headline)
	d.effects()
	d.Estimand = effect.Fixed
	if ci := d.Effects[0].CI; ci.Measured {
		d.Estimand = ci.Value.Estimand
	}
	if err := d.changes(headline); err != nil {
		return nil, err
	}
	if !brief {
		for _, view := range []string{"budget", "top_k"} {
			d.strips(view, headline)
		}
	}
	d.warn()
	return d.Diff, nil
}

// where are the paired questions that f accepts, in order.
func (d *builder) where(f func(q *golden.Question) bool) []int {
	var out []int
	for n := range d.c.questions {
		if f(d.c.question(n)) {
			out = append(out, n)
		}
	}
	return out
}

// describe counts the clusters of the headline sample.
func (d *builder) describe(headline []int) {
	sizes := map[string]int{}
	largest := 0
	for _, n := range headline {
		sizes[d.clusters[n]]++
		largest = max(largest, sizes[d.clusters[n]])
	}
	d.Clusters = Clusters{Unit: effect.Document, Count: len(sizes), Largest: stats.Count{Num: largest, Den: len(headline)}}
}

// changes are the questions of the headline sample that one arm alone has whole at
// the ordinary cuts.
func (d *builder) changes(headline []int) (err error) {
	opened := false // the cells of a Brief are what they were when they were stored: they are read where they tell a cause
	open := func() (err error) {
		for _, s := range []*side{d.b, d.c} {
			if err == nil && !opened {
				s.kept, err = s.open()
			}
		}
		opened = true
		return err
	}
	if !d.brief {
		if err := open(); err != nil {
			return err
		}
	}
	for _, view := range []string{"budget", "top_k"} {
		for _, n := range headline {
			x, y := last(d.b.view(view)[d.b.questions[n]]), last(d.c.view(view)[d.c.questions[n]])
			if x == y || x == stats.Missing || y == stats.Missing {
				continue
			}
			if err := open(); err != nil {
				return err
			}
			q := d.c.question(n)
			change := Change{QID: q.QID, View: view, Change: "gained", Segment: q.Segment, Dependency: append([]string{}, q.Dependency...),
				Baseline: d.b.standing(n, view), Candidate: d.c.standing(n, view)}
			if x > y {
				change.Change = "lost"
			}
			d.Changes = append(d.Changes, change)
		}
	}
	return nil
}

func last(row []stats.Verdict) stats.Verdict { return row[len(row)-1] }

// pick are the rows of some paired questions.
func (s *side) pick(view string, asked []int) [][]stats.Verdict {
	out := make([][]stats.Verdict, len(asked))
	for i, n := range asked {
		out[i] = s.view(view)[s.questions[n]]
	}
	return out
}

func (s *side) labels() []string {
	var out []string
	for _, p := range s.Phases {
		out = append(out, p.Label)
	}
	return out
}

// alike says that both arms move their cuts to equally many placements: figures
// that depend on how many there are compare only then.
func (d *builder) alike() bool {
	return !d.b.Outcomes.Arm.IsControl() && !d.c.Outcomes.Arm.IsControl() && len(d.b.Phases) > 1 && slices.Equal(d.b.labels(), d.c.labels())
}

// strips are both arms over their placements in a view, and what compares them.
func (d *builder) strips(view string, headline []int) {
	clusters := take(d.clusters, headline)
	var over [2]stats.Phases
	for i, s := range []*side{d.b, d.c} {
		rows, labels := s.pick(view, headline), s.labels()
		p := stats.OverPhases(rows, len(labels))
		over[i] = p
		strip := Strip{Arm: []string{"baseline", "candidate"}[i], View: view, Chosen: []Chosen{}, PerQueryWorst: p.PerQueryWorst, Variance: effect.Variances(rows, len(labels))}
		for j, label := range labels {
			strip.Phase = append(strip.Phase, Phase{label, p.PerPhase[j]})
		}
		if p.Worst >= 0 {
			strip.Worst = stats.Measured(compare.Worst{Label: labels[p.Worst], Support: p.PerPhase[p.Worst]})
		}
		if w, ok := d.design.Worst(rows, clusters, len(labels)); ok {
			strip.WorstCI = stats.Measured(w.Interval)
			for j, draws := range w.Chosen {
				if draws > 0 {
					strip.Chosen = append(strip.Chosen, Chosen{labels[j], draws})
				}
			}
		}
		if len(labels) > 1 {
			strip.Flips, strip.Disagreement = compare.Moved(p.Flips), compare.Moved(p.Disagreement)
		}
		d.Strips = append(d.Strips, strip)
	}
	rows := d.c.pick(view, headline)
	if a, ok := d.design.Anchored(rows, effect.Of(d.b.pick(view, headline), len(d.b.Phases)), clusters, len(d.c.Phases)); ok {
		d.Anchored = append(d.Anchored, Anchored{view, d.c.Phases[a.Phase].Label, a.Difference, a.Lo})
	}
	if d.alike() {
		if g, ok := grid(view, d.c.labels(), over[0].PerPhase, over[1].PerPhase); ok {
			d.Grids = append(d.Grids, g)
		}
	}
}

// grid is size by placement; ok is false where a placement has no result.
func grid(view string, labels []string, b, c []stats.Count) (g Grid, ok bool) {
	g = Grid{View: view}
	sum := new(big.Rat)
	var differences []*big.Rat
	for j, label := range labels {
		x, known := c[j].Rat()
		y, also := b[j].Rat()
		if !known || !also {
			return g, false
		}
		x.Sub(x, y)
		sum.Add(sum, x)
		differences = append(differences, x)
		g.Rows = append(g.Rows, Cell{Label: label, Baseline: b[j], Candidate: c[j], Difference: x.RatString()})
	}
	sum.Quo(sum, big.NewRat(int64(len(labels)), 1))
	for j, x := range differences {
		g.Rows[j].Interaction = new(big.Rat).Sub(x, sum).RatString()
	}
	return g, true
}

func take[T any](of []T, asked []int) []T {
	out := make([]T, len(asked))
	for i, n := range asked {
		out[i] = of[n]
	}
	return out
}

// warn says what a reader must know beside the figures.
func (d *builder) warn() {
	add := func(code, format string, args ...any) {
		d.Warnings = append(d.Warnings, Warning{code, fmt.Sprintf(format, args...)})
	}
	if d.Estimand == effect.Fixed {
		add("these-documents-only", "clusters of documents with a result: %d, fewer than %d: the figures speak of these documents only", d.Effects[0].CI.Value.Clusters, stats.FewClusters)
	} else if l := d.Clusters.Largest; 5*l.Num > l.Den {
		add("large-cluster", "one cluster of documents holds %d of %d questions", l.Num, l.Den)
	}
	if len(d.Confounded) > 0 {
		add("confounded", "more differs than %v: %v; no difference can be put down to one of them", d.Intervention, d.Confounded)
	}
	q := d.Questions
	if n := len(q.OnlyBaseline) + len(q.OnlyCandidate) + len(q.Relabelled); n > 0 {
		add("not-compared", "%d questions are in no figure: %d of the baseline alone, %d of the candidate alone, %d with other labels", n, len(q.OnlyBaseline), len(q.OnlyCandidate), len(q.Relabelled))
	}
	head := d.Effects[0].Difference
	if head.Missing > 0 {
		bound := func(missing int) string {
			r := new(big.Rat).Add(head.Sum, big.NewRat(int64(missing), 1))
			return r.Mul(r, big.NewRat(100, int64(head.Den))).FloatString(1)
		}
		add("missing", "%d of %d questions have no result on one side: they are in no interval, and no decision may rest on this; were they all lost the difference would be %s points, all gained %s",
			head.Missing, head.Den, bound(-head.Missing), bound(head.Missing))
	}
	for _, s := range []*side{d.b, d.c} {
		if n := len(s.Violations); n > 0 {
			add("hard-violations", "%s: %d hits of other versions, unreadable ones or outside the documents searched; they are evidence of nothing", s.Given, n)
		}
		if s.Rebuild == nil || !s.Rebuild.Measured {
			continue
		}
		for _, e := range d.Effects {
			noise := map[string]stats.Count{"budget": s.Rebuild.Value.Support, "top_k": s.Rebuild.Value.TopK}[e.View]
			if e.Measure == "support" && e.Placement == "ordinary" && e.Sample == d.Sample && !e.IsPart() &&
				new(big.Rat).Abs(e.Difference.Sum).Cmp(big.NewRat(int64(noise.Num), 1)) <= 0 && noise.Num > 0 {
				add("noise", "%s: the engine's own rebuild changes %d of %d verdicts (%s), as many as the arms differ by", s.Arm, noise.Num, noise.Den, e.View)
			}
		}
	}
}
