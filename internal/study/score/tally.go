package score

import (
	"fmt"
	"math"
	"slices"

	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/verdict"
)

// evidence is the support of a question in ordinals.
func evidence(q *golden.Question, ordinal map[string]int32) verdict.Evidence {
	e := make(verdict.Evidence, len(q.Support))
	for i, set := range q.Support {
		for _, s := range set {
			e[i] = append(e[i], verdict.Ref{Doc: ordinal[s.Doc], Span: s.Bytes})
		}
	}
	return e
}

// tally counts questions by span.
type tally struct {
	asked, missing int
	cuts           []cut // the cut-offs, then one that cuts nothing
}

// cut counts within the first k hits.
type cut struct {
	k                               int
	single, union, unionWS, support int
	reciprocal, recall, span        stats.Fractions // of the ranks of the first hit with a whole set; shares of spans; of the ranks of the first with a whole span
}

func newTally(ks []int) *tally {
	t := &tally{}
	for _, k := range append(slices.Clone(ks), math.MaxInt) {
		t.cuts = append(t.cuts, cut{k: k, reciprocal: stats.Fractions{}, recall: stats.Fractions{}, span: stats.Fractions{}})
	}
	return t
}

func (t *tally) miss() { t.asked, t.missing = t.asked+1, t.missing+1 }

func (t *tally) add(judge *verdict.Judge, e verdict.Evidence, shown []verdict.Ref, strict bool) {
	t.asked++
	r := judge.Ranks(e, shown)
	support := r.UnionWS
	if strict {
		support = r.Union
	}
	for i := range t.cuts {
		c := &t.cuts[i]
		for _, f := range []struct {
			rank  int
			count *int
		}{{r.Single, &c.single}, {r.Union, &c.union}, {r.UnionWS, &c.unionWS}, {support, &c.support}} {
			if f.rank > 0 && f.rank <= c.k {
				*f.count++
			}
		}
		if r.Single > 0 && r.Single <= c.k {
			c.reciprocal.Add(1, int64(r.Single))
		}
		if r.Span > 0 && r.Span <= c.k {
			c.span.Add(1, int64(r.Span))
		}
		if i < len(t.cuts)-1 {
			if covered, of := judge.Recall(e, shown[:min(c.k, len(shown))]); of > 0 {
				c.recall.Add(int64(covered), int64(of))
			}
		}
	}
}

// measures are, for each cut-off, single_hit, union_hit, union_hit_ws, support,
// recall, single_mrr and mrr; then mrr over the whole depth.
func (t *tally) measures() Measures {
	var m Measures
	for i := range t.cuts {
		c, at := &t.cuts[i], fmt.Sprintf("@%d", t.cuts[i].k)
		sum := func(name string, f stats.Fractions) {
			m = append(m, verdict.Measure{Name: name, Sum: &stats.Sum{Sum: f.Sum(), Den: t.asked, Missing: t.missing}})
		}
		if i == len(t.cuts)-1 {
			sum("mrr", c.span)
			break
		}
		for _, f := range []struct {
			name string
			n    int
		}{{"single_hit", c.single}, {"union_hit", c.union}, {"union_hit_ws", c.unionWS}, {"support", c.support}} {
			m = append(m, verdict.Measure{Name: f.name + at, Count: &stats.Count{Num: f.n, Den: t.asked, Missing: t.missing}})
		}
		sum("recall"+at, c.recall)
		sum("single_mrr"+at, c.reciprocal)
		sum("mrr"+at, c.span)
	}
	return m
}
