package lexical

import "slices"

// few is how many chunks are estimated at once, an even number. Estimates take a
// hundred times the memory of the chunks they tell apart.
const few = 1 << 13

// Foresee finds the first n hits of all questions at once where there are many
// chunks, so that only a block's estimates are in memory at a time, and in the caches.
// Ask then knows the first n hits and no more. filters gives what Ask is given with a
// question.
func (p *Placement) Foresee(n int, filters func(q int) (docs []int, view *Sight)) {
	if !p.wide || n < 1 {
		return
	}
	p.foreseen = sized(p.foreseen, len(p.view.questions))
	for q := range p.foreseen {
		p.foreseen[q] = p.foreseen[q][:0]
	}
	least := make([]float64, len(p.foreseen)) // by question: a score that one of the first n reaches
	for from := 0; from < len(p.Chunks); from += p.few {
		to := min(from+p.few, len(p.Chunks))
		p.recount(from, to)
		p.estimate(int32(from), int32(to), p.within)
		for q := range p.foreseen {
			docs, view := filters(q)
			p.put(q, docs, view)
			p.sumAll()
			p.clipped = p.clipped[:0]
			if p.hi == int32(len(p.Chunks)) {
				p.sumClipped() // wherever they are
			}
			least[q] = p.foresee(n, least[q])
		}
	}
}

// foresee adds the block's part of the first n hits of the question at hand, among
// which nothing of a lower score than least is.
func (p *Placement) foresee(n int, least float64) float64 {
	if least > 0 {
		p.gather(0, least)
	} else {
		p.gather(n, fine)
	}
	best := append(p.foreseen[p.q], p.keys...)
	if len(best) >= n {
		slices.Sort(best)
		// An estimate that is lower by more than the terms is of a lower score.
		last := about(best[n-1])
		floor := max(1, last-min(last, uint32(len(p.asked))))
		end, _ := slices.BinarySearch(best, key(0, floor-1))
		best = best[:end]
		least = float64(floor) / p.scale
	}
	p.foreseen[p.q] = best
	return least
}

// recall makes hits what was foreseen.
func (p *Placement) recall(q int) {
	p.keys = append(p.keys[:0], p.foreseen[q]...)
	slices.Sort(p.keys)
	p.take(len(p.keys))
	p.all = true
}
