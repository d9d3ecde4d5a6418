// Package effect is what the numbers of two arms say about each other: paired
// differences by question, and how far they reach. It knows no question and no
// arm, only values in [0, 1], whose pairs share an index, and the cluster of each.
//
// A difference is candidate minus baseline. Its interval is for a population of
// documents, estimand D, where there are clusters enough; else for these
// documents only, estimand F (statistics.md 3 to 5, docs/format/diff.md).
package effect

import (
	"math"
	"math/big"
	"slices"

	"kerf/internal/stats"
)

// Rows are the values of N questions at each placement, fractions num/den in
// [0, 1]; den 0: no result. The last placement is the ordinary one.
type Rows struct {
	N, Placements int
	At            func(question, placement int) (num, den int)
}

// Of are verdicts as rows, each of length placements.
func Of(verdicts [][]stats.Verdict, placements int) Rows {
	return Rows{len(verdicts), placements, func(i, j int) (num, den int) {
		if v := verdicts[i][j]; v != stats.Missing {
			return int(v), 1
		}
		return 0, 0
	}}
}

// Ordinary are the values at the ordinary placement alone.
func (r Rows) Ordinary() Rows {
	return Rows{r.N, 1, func(i, _ int) (num, den int) { return r.At(i, r.Placements-1) }}
}

// Means is each question's mean over its placements with a result; nil where none
// has one.
func (r Rows) Means() []*big.Rat {
	return each(r.N, func(i int, sum *total) (n int) {
		for j := range r.Placements {
			if num, den := r.At(i, j); den > 0 {
				sum.add(int64(num), int64(den))
				n++
			}
		}
		return n
	})
}

// Less are the paired differences r - b by question: the mean over the placements
// that both have. Arms of unequal numbers of placements share none, and it is the
// difference of their means over complete rows (statistics.md 3, "phases: all"; an
// unshifted control is a constant). nil: missing.
func (r Rows) Less(b Rows) []*big.Rat {
	if r.Placements != b.Placements {
		return Less(r.complete().Means(), b.complete().Means())
	}
	return each(r.N, func(i int, sum *total) (n int) {
		for j := range r.Placements {
			xn, xd := r.At(i, j)
			yn, yd := b.At(i, j)
			if xd > 0 && yd > 0 {
				sum.add(int64(xn), int64(xd))
				sum.add(-int64(yn), int64(yd))
				n++
			}
		}
		return n
	})
}

// complete are rows of which those with a gap have no result at all.
func (r Rows) complete() Rows {
	whole := make([]bool, r.N)
	for i := range whole {
		whole[i] = true
		for j := range r.Placements {
			_, den := r.At(i, j)
			whole[i] = whole[i] && den > 0
		}
	}
	return Rows{r.N, r.Placements, func(i, j int) (num, den int) {
		if !whole[i] {
			return 0, 0
		}
		return r.At(i, j)
	}}
}

// each is sum/n of every question, nil where n is 0.
func each(questions int, add func(i int, sum *total) (n int)) []*big.Rat {
	out := make([]*big.Rat, questions)
	for i := range out {
		sum := total{den: 1}
		if n := add(i, &sum); n > 0 {
			out[i] = sum.by(int64(n))
		}
	}
	return out
}

// total is an exact sum of fractions, each of a number that is at most its denominator.
type total struct {
	num, den int64
	others   stats.Fractions // those that num/den has no room for
}

// add adds num/den; den > 0.
func (t *total) add(num, den int64) {
	a, b := t.den, den
	for b != 0 {
		a, b = b, a%b
	}
	if t.den/a*den > math.MaxInt32 || den > math.MaxInt32 {
		if t.others == nil {
			t.others = stats.Fractions{}
		}
		t.others.Add(num, den)
		return
	}
	t.num, t.den = t.num*(den/a)+num*(t.den/a), t.den/a*den
}

// by is the sum divided by n > 0.
func (t *total) by(n int64) *big.Rat {
	if t.others == nil {
		return big.NewRat(t.num, t.den*n)
	}
	t.others.Add(t.num, t.den)
	sum := t.others.Sum()
	return sum.Quo(sum, big.NewRat(n, 1))
}

// complete reports whether a row has every result.
func complete(row []stats.Verdict) bool { return len(row) > 0 && !slices.Contains(row, stats.Missing) }

// Less is a minus b by question; nil where either is.
func Less(a, b []*big.Rat) []*big.Rat {
	out := make([]*big.Rat, len(a))
	for i := range a {
		if a[i] != nil && b[i] != nil {
			out[i] = new(big.Rat).Sub(a[i], b[i])
		}
	}
	return out
}

// Total is the exact sum of values, those that are nil missing.
func Total(values []*big.Rat) stats.Sum {
	s := stats.NewSum()
	s.Den = len(values)
	small := stats.Fractions{}
	for _, v := range values {
		switch {
		case v == nil:
			s.Missing++
		case v.Num().BitLen() < 32 && v.Denom().BitLen() < 32:
			small.Add(v.Num().Int64(), v.Denom().Int64())
		default:
			s.Sum.Add(s.Sum, v)
		}
	}
	s.Sum.Add(s.Sum, small.Sum())
	return s
}

// most is the largest common denominator that values are brought to; where theirs
// is larger, they are rounded to it. Intervals alone are made of rounded values.
const most = 1 << 20

// whole brings values, none of them nil, to a common denominator.
func whole(values []*big.Rat) (nums []int64, den int64) {
	common := big.NewInt(1)
	for _, v := range values {
		d := v.Denom()
		common.Mul(common, new(big.Int).Div(d, new(big.Int).GCD(nil, nil, common, d)))
		if common.Cmp(big.NewInt(most)) > 0 {
			common.SetInt64(most)
			break
		}
	}
	nums, den = make([]int64, len(values)), common.Int64()
	for i, v := range values {
		// floor((2 v den + 1) / 2), which is v den where that is whole
		n := new(big.Int).Mul(v.Num(), big.NewInt(2*den))
		n.Add(n, v.Denom())
		nums[i] = n.Div(n, new(big.Int).Lsh(v.Denom(), 1)).Int64() // Euclidean: rounds down
	}
	return nums, den
}

// table is values of questions as sums over the units that are resampled.
type table struct {
	sums    []int64 // of the values times den
	sizes   []int64 // questions
	strata  []int   // that each unit is drawn in: of questions, their cluster
	den     int64
	n       int
	largest int   // questions in the largest cluster
	groups  int   // clusters, whatever the units are
	up      int64 // sum of the values times den that are above 0
	down    int64 // of those below it, as a positive number
	squares int64 // of their squares
}

// take sums the values that are not nil: by cluster, or, where there are fewer
// than stats.FewClusters, each question by itself.
func take(values []*big.Rat, clusters []string) (t table, population bool) {
	var have []*big.Rat
	var names []string
	for i, v := range values {
		if v != nil {
			have, names = append(have, v), append(names, clusters[i])
		}
	}
	nums, den := whole(have)
	t.den, t.n = den, len(have)
	group := map[string]int{}
	var of []int
	for _, c := range names {
		g, ok := group[c]
		if !ok {
			g = len(of)
			group[c] = g
			of = append(of, 0)
		}
		of[g]++
		t.largest = max(t.largest, of[g])
	}
	t.groups = len(of)
	population = len(of) >= stats.FewClusters
	units := t.n
	if population {
		units = len(of)
	}
	t.sums, t.sizes, t.strata = make([]int64, units), make([]int64, units), make([]int, units)
	for i, v := range nums {
		g := i
		if population {
			g = group[names[i]]
		} else {
			t.strata[g] = group[names[i]]
		}
		t.sums[g] += v
		t.sizes[g]++
		t.up += max(v, 0)
		t.down += max(-v, 0)
		t.squares += v * v
	}
	return t, population
}

// variances are the variance of the mean of independent questions with these
// values, and what it would be if the same ups and downs were whole changes, of
// fewer questions: the larger one. Both are exact until the division, so that
// values that are all alike have exactly 0, and those of verdicts are equal.
func (t table) variances() (own, whole float64) {
	n, sum := big.NewInt(int64(t.n)), big.NewInt(t.up-t.down)
	sum.Mul(sum, sum)
	of := func(squares *big.Int) float64 {
		squares.Mul(squares, n)
		v, _ := new(big.Float).SetInt(squares.Sub(squares, sum)).Float64()
		cells := float64(t.n) * float64(t.den)
		return v / float64(cells*cells) / float64(t.n)
	}
	changes := big.NewInt(t.up + t.down)
	return of(big.NewInt(t.squares)), of(changes.Mul(changes, big.NewInt(t.den)))
}

// mean is the statistic of a table's two columns, sums and sizes.
func (t table) mean(totals []int64) (num, den int64) { return totals[0], t.den * totals[1] }
