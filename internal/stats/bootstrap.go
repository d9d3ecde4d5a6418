package stats

import "slices"

// FewClusters is where a bootstrap over clusters is no guide any more: below it,
// intervals are far too short (statistics.md 5).
const FewClusters = 12

// MostEnumerated is how many clusters Enumerate takes: 92,378 different draws.
const MostEnumerated = 10

// Bootstrap is a statistic of drawn clusters: as many as there are, each draw
// with replacement (Efron 1979), so that questions of a document stay together
// and both arms are drawn alike; of strata (Within), as many of each.
type Bootstrap struct {
	Estimate float64 // of the clusters as they are
	Draws    Distribution
	Clusters int
	// Degenerate: all draws are equal. Intervals then have no width, which says
	// nothing about the clusters that were not seen; BCa is undefined.
	Degenerate bool
	without    []float64 // the statistic without each cluster; nil for one cluster
	strata     []int     // as Sums has them
}

// Few reports whether there are fewer than FewClusters.
func (b Bootstrap) Few() bool { return b.Clusters < FewClusters }

// Bootstrap draws n >= 1 replicates of f. Replicate r depends on the sums, seed
// and r alone: several statistics of the same sums are drawn alike.
func (s *Sums) Bootstrap(seed uint64, n int, f Statistic) Bootstrap {
	values, d := make([]float64, n), s.drawing(mostKinds)
	for r := range values {
		values[r] = f.of(d.next(replicate(seed, r)))
	}
	return s.over(draws(values), f)
}

// Enumerate is the bootstrap over every possible draw, without chance; ok is
// false for more than MostEnumerated clusters, and for strata.
func (s *Sums) Enumerate(f Statistic) (b Bootstrap, ok bool) {
	if s.clusters > MostEnumerated || slices.Min(s.strata) != slices.Max(s.strata) {
		return b, false
	}
	var values []float64
	var times []int64
	totals := make([]int, len(s.columns))
	var take func(g, left int, ways int64)
	take = func(g, left int, ways int64) {
		if g == s.clusters {
			if left == 0 {
				values, times = append(values, f.of(totals)), append(times, ways)
			}
			return
		}
		for k := 0; k <= left; k++ { // cluster g is drawn k times
			take(g+1, left-k, ways)
			ways = ways * int64(left-k) / int64(k+1) // times (left choose k), always whole
			s.add(totals, g, 1)
		}
		s.add(totals, g, -left-1)
	}
	take(0, s.clusters, 1)
	return s.over(weighted(values, times), f), true
}

// add adds a cluster's sums to totals, k times.
func (s *Sums) add(totals []int, g, k int) {
	for c, column := range s.columns {
		totals[c] += k * column[g]
	}
}

// over is f of all clusters, and of all but each one, beside its draws.
func (s *Sums) over(d Distribution, f Statistic) Bootstrap {
	totals := make([]int, len(s.columns))
	for g := range s.clusters {
		s.add(totals, g, 1)
	}
	b := Bootstrap{Estimate: f.of(totals), Draws: d, Clusters: s.clusters, Degenerate: d.Constant(), strata: s.strata}
	for g := range s.clusters {
		if s.clusters > 1 {
			s.add(totals, g, -1)
			b.without = append(b.without, f.of(totals))
			s.add(totals, g, 1)
		}
	}
	return b
}
