package lexical

import "slices"

// few is how many chunks are estimated at once, an even number. Their estimates take
// some 500 bytes a chunk: 4 MB.
const few = 1 << 13

// Foresee finds the first n hits of the questions with ordinals from first up to end at
// once where there are many chunks, so that only a block's estimates are in memory at a
// time, and in the caches. Ask then knows the first n hits of these and no more. filters
// gives what Ask is given with a question.
func (p *Placement) Foresee(n, first, end int, filters func(q int) (docs []int, view *Sight)) {
	p.foreseen = p.foreseen[:0]
	if !p.wide || n < 1 {
		return
	}
	p.foreseen, p.firstSeen = sized(p.foreseen, end-first), first
	for i := range p.foreseen {
		p.foreseen[i] = p.foreseen[i][:0]
	}
	least := make([]float64, len(p.foreseen)) // beside foreseen: a score that one of the first n reaches
	for from := 0; from < len(p.Chunks); from += p.few {
		to := min(from+p.few, len(p.Chunks))
		p.recount(from, to)
		p.estimate(int32(from), int32(to), p.within)
		for i, best := range p.foreseen {
			docs, view := filters(first + i)
			p.put(first+i, docs, view)
			p.sumAll()
			p.clipped = p.clipped[:0]
			if p.hi == int32(len(p.Chunks)) {
				p.sumClipped() // wherever they are
			}
			p.foreseen[i], least[i] = p.foresee(n, best, least[i])
		}
	}
}

// foresee adds the block's part of the first n hits of the question at hand to best,
// among which nothing of a lower score than least is.
func (p *Placement) foresee(n int, best []uint64, least float64) ([]uint64, float64) {
	if least > 0 {
		p.gather(0, least)
	} else {
		p.gather(n, fine)
	}
	best = append(best, p.keys...)
	if len(best) >= n {
		slices.Sort(best)
		// An estimate that is lower by more than the terms is of a lower score.
		last := about(best[n-1])
		floor := max(1, last-min(last, uint32(len(p.asked))))
		end, _ := slices.BinarySearch(best, key(0, floor-1))
		best = best[:end]
		least = float64(floor) / p.scale
	}
	return best, least
}

// recall makes hits what was foreseen.
func (p *Placement) recall(best []uint64) {
	p.keys = append(p.keys[:0], best...)
	slices.Sort(p.keys)
	p.take(len(p.keys))
	p.all = true
}
