package verdict

import (
	"fmt"
	"math/big"

	"kerf/internal/stats"
)

// Measure is a named figure over questions: a Count, or a Sum for the means of
// reciprocal ranks. Exactly one of the two is set.
type Measure struct {
	Name  string // "single_hit@5", "single_mrr@5", …
	Count *stats.Count
	Sum   *stats.Sum
}

// Tally counts ranks over questions. The zero value is empty.
type Tally struct {
	missing                      int
	n                            int
	single, union, unionWS, span map[int]int // rank -> questions
}

// Add counts one answerable question.
func (t *Tally) Add(r Ranks) {
	if t.n == 0 {
		*t = Tally{t.missing, 0, map[int]int{}, map[int]int{}, map[int]int{}, map[int]int{}}
	}
	t.n++
	t.single[r.Single]++
	t.union[r.Union]++
	t.unionWS[r.UnionWS]++
	t.span[r.Span]++
}

// Miss counts one answerable question without a result: in every denominator,
// and missing there.
func (t *Tally) Miss() { t.missing++ }

// Measures are, for every cut-off k in order, the share of questions with the
// rank within k: single_hit@k (S2-010), union_hit@k (S2-011), union_hit_ws@k,
// and the sum of reciprocal single ranks, single_mrr@k (S2-012); then mrr, the
// sum of reciprocal ranks of the first hit that wholly holds a span, over the
// whole depth (engine.md 7).
func (t *Tally) Measures(ks []int) []Measure {
	var out []Measure
	for _, k := range ks {
		for _, m := range []struct {
			name  string
			ranks map[int]int
		}{{"single_hit", t.single}, {"union_hit", t.union}, {"union_hit_ws", t.unionWS}} {
			c := &stats.Count{Den: t.n + t.missing, Missing: t.missing}
			for rank, n := range m.ranks {
				if rank > 0 && rank <= k {
					c.Num += n
				}
			}
			out = append(out, Measure{Name: fmt.Sprintf("%s@%d", m.name, k), Count: c})
		}
		out = append(out, Measure{Name: fmt.Sprintf("single_mrr@%d", k), Sum: t.reciprocal(t.single, k)})
	}
	return append(out, Measure{Name: "mrr", Sum: t.reciprocal(t.span, 0)})
}

// reciprocal is the sum of 1/rank over the ranks within k; k 0 is no limit.
// The sum is exact, so the order of the ranks does not matter.
func (t *Tally) reciprocal(ranks map[int]int, k int) *stats.Sum {
	sum := new(big.Rat)
	for rank, n := range ranks {
		if rank > 0 && (k == 0 || rank <= k) {
			sum.Add(sum, big.NewRat(int64(n), int64(rank)))
		}
	}
	return &stats.Sum{Sum: sum, Den: t.n + t.missing, Missing: t.missing}
}
