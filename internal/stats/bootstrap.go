package stats

// FewClusters is where a bootstrap over clusters is no guide any more: below it,
// intervals are far too short (statistics.md 5).
const FewClusters = 12

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

// Bootstrap draws n >= 1 replicates of f. Replicate r depends on the sums, seed
// and r alone: several statistics of the same sums are drawn alike.
func (s *Sums) Bootstrap(seed uint64, n int, f Statistic) Bootstrap {
	values, d := make([]float64, n), s.drawing(mostKinds)
	for r := range values {
		values[r] = f.of(d.next(replicate(seed, r)))
	}
	return s.over(draws(values), f)
}

// add adds a cluster's sums to totals, k times.
func (s *Sums) add(totals []int64, g int, k int64) {
	for c, column := range s.columns {
		totals[c] += k * column[g]
	}
}

// over is f of all clusters, and of all but each one, beside its draws.
func (s *Sums) over(d Distribution, f Statistic) Bootstrap {
	totals := make([]int64, len(s.columns))
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
