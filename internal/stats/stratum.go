package stats

import (
	"cmp"
	"slices"
)

// stratum is clusters that are drawn among themselves: as many as there are.
type stratum struct {
	from, n int    // in the words of Sums
	kinds   []kind // of equal clusters, the most frequent first; nil: there are many
}

type kind struct{ at, n int } // where one of them stands, and how many there are

// mostKinds is the share of kinds up to which counting them, some five words of
// random bits each, is faster than drawing clusters one by one.
const mostKinds = 1. / 16

// Within is the sums whose clusters are drawn stratum by stratum, so that each
// stratum has as many in every draw as it has. strata has that of each cluster.
func (s *Sums) Within(strata []int) *Sums {
	if len(strata) != s.clusters {
		panic("BUG: clusters without a stratum")
	}
	w := *s
	w.strata = strata
	return &w
}

// drawing is what draws are made of.
type drawing struct {
	*Sums
	words  [][]uint64 // as Sums has them, those of a stratum together
	strata []stratum
	drawn  []uint32 // scratch: clusters of a stratum
	packed []uint64 // sums, by word
	totals []int64  // by column
}

// drawing has strata by kinds where these are at most a share of most of their
// clusters, or one.
func (s *Sums) drawing(most float64) *drawing {
	d := &drawing{Sums: s, words: make([][]uint64, len(s.words)), drawn: make([]uint32, s.clusters), packed: make([]uint64, len(s.words)), totals: make([]int64, len(s.columns))}
	order := ordinals(0, s.clusters)
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(s.strata[a], s.strata[b]) })
	for w, word := range s.words {
		for _, g := range order {
			d.words[w] = append(d.words[w], word[g])
		}
	}
	for from, to := 0, 1; to <= s.clusters; to++ {
		if to == s.clusters || s.strata[order[to]] != s.strata[order[from]] {
			d.add(from, to-from, most)
			from = to
		}
	}
	return d
}

// add adds n clusters, from that one on, as a stratum.
func (d *drawing) add(from, n int, most float64) {
	d.strata = append(d.strata, stratum{from, n, d.kinds(from, n, max(1, int(float64(n)*most)))})
}

// kinds are those of n clusters, from that one on; nil where there are more than most.
func (d *drawing) kinds(from, n, most int) []kind {
	seen := map[uint64]bool{}
	for g := from; g < from+n && len(d.words) > 0; g++ {
		if seen[d.words[0][g]] = true; len(seen) > most {
			return nil // and nothing need be sorted
		}
	}
	order := ordinals(from, n)
	compare := func(a, b int) int {
		for _, word := range d.words {
			if word[a] != word[b] {
				return cmp.Compare(word[a], word[b])
			}
		}
		return 0
	}
	slices.SortStableFunc(order, compare) // so a kind stands where its first cluster does
	kinds := []kind{{order[0], 0}}
	for _, g := range order {
		if compare(g, kinds[len(kinds)-1].at) != 0 {
			kinds = append(kinds, kind{g, 0})
		}
		kinds[len(kinds)-1].n++
	}
	if len(kinds) > most {
		return nil
	}
	slices.SortFunc(kinds, func(a, b kind) int { return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.at, b.at)) })
	return kinds
}

// ordinals are n numbers from that one on.
func ordinals(from, n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = from + i
	}
	return out
}

// next is the totals of a draw, until the next one. The counts of kinds are
// multinomial: each is binomial given those before it (Davis 1993).
func (d *drawing) next(from stream) []int64 {
	clear(d.packed)
	for _, s := range d.strata {
		left, of := s.n, s.n
		for _, k := range s.kinds {
			n := from.binomial(left, k.n, of)
			for w, word := range d.words {
				d.packed[w] += uint64(n) * word[k.at]
			}
			left, of = left-n, of-k.n
		}
		if s.kinds == nil && len(d.words) == 1 && s.n <= 1<<15 {
			d.packed[0] += from.sum(d.words[0][s.from : s.from+s.n])
		} else if s.kinds == nil {
			drawn := d.drawn[:s.n]
			from.fill(drawn, s.n)
			for w, word := range d.words {
				d.packed[w] += gather(word[s.from:s.from+s.n], drawn)
			}
		}
	}
	for c, l := range d.lanes {
		d.totals[c] = int64(d.clusters) * d.least[c]
		if l.word >= 0 {
			d.totals[c] += int64(d.packed[l.word] >> l.shift & l.mask)
		}
	}
	return d.totals
}
