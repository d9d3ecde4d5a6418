package diff

import (
	"cmp"
	"math/big"
	"slices"
	"strconv"

	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/effect"
	"kerf/internal/verdict"
)

// measured is a measure of both arms over all paired questions.
type measured struct {
	name, view, placement string
	baseline, candidate   []*big.Rat
	difference            []*big.Rat
	scale                 effect.Scale
	share                 bool // of questions; reciprocal ranks and disagreement are none
}

// effects are all differences: per sample the measures, then its parts.
func (d *builder) effects() {
	measures := d.measures()
	parts := 0
	var largest *big.Rat
	for _, sample := range golden.Samples() { // the headline sample is the first that has a question
		in := d.where(func(q *golden.Question) bool { return q.Sample == sample })
		for _, m := range measures {
			if len(in) > 0 {
				d.Effects = append(d.Effects, d.effect(m, Effect{Sample: sample}, in))
			}
		}
		for _, part := range d.parts(in) {
			for _, m := range measures {
				if m.name != "support" {
					continue
				}
				e := d.effect(m, Effect{Sample: sample, Segment: part.segment, Dependency: part.dependency}, part.questions)
				d.Effects = append(d.Effects, e)
				if r, ok := e.Difference.Rat(); ok {
					parts++
					if r.Abs(r); largest == nil || r.Cmp(largest) > 0 {
						largest = r
						d.Exploratory = &Exploratory{Effect: len(d.Effects) - 1}
					}
				}
			}
		}
	}
	if d.Exploratory != nil {
		d.Exploratory.Cells = parts
	}
}

// part is a part of a sample.
type part struct {
	segment, dependency string
	questions           []int
}

// parts are those of some questions, by segment, then by dependency, names sorted.
// One that is the whole is none; of a Brief a segment may be, for it is asked by name.
func (d *builder) parts(in []int) []part {
	bySegment, byDependency := map[string][]int{}, map[string][]int{}
	for _, n := range in {
		q := d.c.question(n)
		s := cmp.Or(q.Segment, compare.NotStated)
		bySegment[s] = append(bySegment[s], n)
		for _, x := range q.Dependency {
			byDependency[x] = append(byDependency[x], n)
		}
	}
	var out []part
	for _, name := range names(bySegment) {
		out = append(out, part{name, "", bySegment[name]})
	}
	for _, name := range names(byDependency) {
		out = append(out, part{"", name, byDependency[name]})
	}
	return slices.DeleteFunc(out, func(p part) bool { return len(p.questions) == len(in) && !(d.brief && p.segment != "") })
}

func names(m map[string][]int) []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// measures are those that the ledgers of both sides hold, the headline first.
func (d *builder) measures() []measured {
	var out []measured
	add := func(name, view string, b, c effect.Rows, share bool) {
		one := len(d.b.Phases) == 1 && len(d.c.Phases) == 1
		if !one {
			out = append(out, measured{name, view, "all", b.Means(), c.Means(), c.Less(b), effect.Fine, share})
		}
		b, c = b.Ordinary(), c.Ordinary()
		out = append(out, measured{name, view, "ordinary", b.Means(), c.Means(), c.Less(b), effect.Scale(share), share})
	}
	every := make([]int, len(d.b.questions))
	for n := range every {
		every[n] = n
	}
	views, ks := []string{"budget", "top_k"}, d.ks()
	if d.brief {
		views, ks = views[:1], nil
	}
	for _, view := range views {
		add("support", view, effect.Of(d.b.pick(view, every), len(d.b.Phases)), effect.Of(d.c.pick(view, every), len(d.c.Phases)), true)
	}
	if d.b.Ranks != nil && d.c.Ranks != nil {
		ranked := func(name string, share bool, value func(r verdict.Ranks) (num, den int)) {
			rows := func(s *side) effect.Rows {
				return effect.Rows{N: len(every), Placements: len(s.Phases), At: func(n, j int) (num, den int) {
					if r, ok := s.at(n, j); ok {
						return value(r)
					}
					return 0, 0
				}}
			}
			add(name, "ranking", rows(d.b), rows(d.c), share)
		}
		for _, k := range ks {
			at := "@" + strconv.Itoa(k)
			ranked("single_hit"+at, true, func(r verdict.Ranks) (num, den int) { return hit(r.Single, k), 1 })
			ranked("union_hit"+at, true, func(r verdict.Ranks) (num, den int) { return hit(r.Union, k), 1 })
			ranked("single_mrr"+at, false, func(r verdict.Ranks) (num, den int) { return hit(r.Single, k), max(1, r.Single) })
		}
		ranked("mrr", false, func(r verdict.Ranks) (num, den int) { return truth(r.Span > 0), max(1, r.Span) })
	}
	if d.brief || !d.alike() {
		return out
	}
	for _, view := range views {
		for _, m := range []struct {
			name  string
			scale effect.Scale
			of    func(hits, placements int) *big.Rat
		}{
			{"per_query_worst", effect.Verdicts, func(h, p int) *big.Rat { return big.NewRat(int64(truth(h == p)), 1) }},
			{"flips", effect.Verdicts, func(h, p int) *big.Rat { return big.NewRat(int64(truth(h > 0 && h < p)), 1) }},
			{"disagreement", effect.Fine, func(h, p int) *big.Rat { return big.NewRat(2*int64(h)*int64(p-h), int64(p)*int64(p)) }},
		} {
			values := func(s *side) []*big.Rat {
				out := make([]*big.Rat, len(every))
				for n, row := range s.pick(view, every) {
					hits := 0
					for _, v := range row {
						hits += int(v)
					}
					if !slices.Contains(row, stats.Missing) {
						out[n] = m.of(hits, len(row))
					}
				}
				return out
			}
			b, c := values(d.b), values(d.c)
			out = append(out, measured{m.name, view, "all", b, c, effect.Less(c, b), m.scale, m.scale == effect.Verdicts})
		}
	}
	return out
}

func hit(rank, k int) int { return truth(rank > 0 && rank <= k) }

// ks are the cut-offs that both sides have.
func (d *builder) ks() []int {
	var out []int
	for _, k := range d.b.Facts.Experiment.K {
		if slices.Contains(d.c.Facts.Experiment.K, k) {
			out = append(out, k)
		}
	}
	return out
}

// effect fills in the figures of a measure over some of the paired questions.
func (d *builder) effect(m measured, e Effect, asked []int) Effect {
	clusters, differences := take(d.clusters, asked), take(m.difference, asked)
	e.Measure, e.View, e.Placement = m.name, m.view, m.placement
	e.Baseline, e.Candidate = d.level(m, m.baseline, asked), d.level(m, m.candidate, asked)
	e.Difference = effect.Total(differences)
	for _, x := range differences {
		if x != nil {
			e.Gained += truth(x.Sign() > 0)
			e.Lost += truth(x.Sign() < 0)
		}
	}
	e.CI = d.design.Of(differences, clusters, m.scale)
	if !d.brief {
		e.Bootstrap = d.design.Bootstrap(differences, clusters)
	}
	if e.CI.Measured && m.scale == effect.Verdicts {
		bound := d.design.NoneBelow(e.CI.Value.Effective)
		if e.Lost == 0 {
			e.Losses = &bound
		}
		if e.Gained == 0 {
			e.Gains = &bound
		}
	}
	return e
}

// level is one arm's mean.
func (d *builder) level(m measured, values []*big.Rat, asked []int) Level {
	values = take(values, asked)
	l := Level{Value: effect.Total(values)}
	if m.share {
		l.CI, l.Exact = d.design.Rate(values, take(d.clusters, asked))
	}
	return l
}
