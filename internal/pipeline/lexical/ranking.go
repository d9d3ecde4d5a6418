package lexical

import (
	"cmp"
	"iter"
	"slices"

	"kerf/internal/pipeline/rank"
	"kerf/internal/spool"
)

// ranking is the question that was asked last, answered as far as anybody has
// wanted to know.
type ranking struct {
	q       int
	asked   []int32  // its terms
	order   []int32  // by term id: 1 + its place in asked; 0: it is none of them
	times   []uint32 // scratch, by order: occurrences in a chunk, of one of the other terms in front
	sight   *Sight
	ranges  [][2]int32 // slots that are searched: ascending, no two of them touch
	sums    []uint64   // by pair of slots: estimates
	clipped []uint32   // beside sight.Clipped: estimates, 0 outside of ranges
	keys    []uint64   // of chunks found: the estimate's complement, then the slot
	hits    []rank.Hit
	all     bool    // there are no more
	usual   []usual // by question
	tied    []scored
}

// usual is what was wanted of a question before: how many hits, and what the last
// of them scored. It saves time where it is so again, and is nothing to rely on.
type usual struct {
	hits  int
	score float64
}

// scored is a chunk with its score.
type scored struct {
	score float64
	slot  int32
}

// Ask puts question q. docs limits the search to these documents (in order; nil:
// all); view is what the reader sees of the chunks. The other methods answer the
// question that was asked last.
func (p *Placement) Ask(q int, docs []int, view *Sight) {
	p.put(q, docs, view)
	for k, id := range p.asked {
		p.order[id] = int32(k) + 1
	}
	p.times = resize(p.times, len(p.asked)+1)
	p.hits, p.all = p.hits[:0], false
	if i := q - p.firstSeen; 0 <= i && i < len(p.foreseen) {
		p.recall(p.foreseen[i])
		return
	}
	if n := len(p.Chunks); int(p.hi-p.lo) < n {
		p.recount(0, n)
		p.estimate(0, int32(n), p.within)
	}
	p.sumAll()
	p.sumClipped()
}

// put makes q the question at hand, as Ask does.
func (p *Placement) put(q int, docs []int, view *Sight) {
	for len(p.usual) <= q {
		p.usual = append(p.usual, usual{0, fine})
	}
	p.order = sized(p.order, len(p.idf))
	for _, id := range p.asked {
		p.order[id] = 0
	}
	p.q, p.asked, p.sight = q, p.view.questions[q], view
	p.ranges = p.ranges[:0]
	if docs == nil && len(p.Chunks) > 0 {
		p.ranges = append(p.ranges, [2]int32{0, int32(len(p.Chunks))})
	}
	for _, d := range docs {
		from, to := p.First[d], p.First[d+1]
		if n := len(p.ranges); n > 0 && p.ranges[n-1][1] == from {
			p.ranges[n-1][1] = to
		} else if from < to {
			p.ranges = append(p.ranges, [2]int32{from, to})
		}
	}
}

// sumAll sums the estimates of the block.
func (p *Placement) sumAll() {
	for _, r := range p.ranges {
		if lo, hi := max(r[0], p.lo), min(r[1], p.hi); lo < hi {
			p.sum(lo-p.lo, hi-p.lo)
		}
	}
}

// sumClipped estimates the clipped chunks.
func (p *Placement) sumClipped() {
	view := p.sight
	p.clipped = resize(p.clipped, len(view.Clipped))
	for i, c := range view.Clipped {
		if score := view.clips[i].score(p.idf, p.asked); score > 0 && p.searched(c.Slot) {
			p.clipped[i] = uint32(score*p.scale) + 1
		}
	}
}

// searched reports whether a slot is in one of the documents searched.
func (p *Placement) searched(slot int32) bool {
	return slices.ContainsFunc(p.ranges, func(r [2]int32) bool { return r[0] <= slot && slot < r[1] })
}

// Hits are the first n hits in rank.Compare's order, or all if there are not so
// many. They have no scores. They are valid until the next call.
func (p *Placement) Hits(n int) []rank.Hit {
	u := &p.usual[p.q]
	if n > len(p.hits) && !p.all {
		first := len(p.hits) == 0
		if first {
			p.find(max(n, u.hits), u.score*0.9)
			u.hits = 0
		} else {
			p.find(n, u.score*0.9)
		}
	}
	u.hits = max(u.hits, n)
	return p.hits[:min(n, len(p.hits))]
}

// find makes hits the first n or more.
func (p *Placement) find(n int, score float64) {
	sure := 0
	sure, p.all = p.gather(n, score)
	slices.Sort(p.keys)
	p.usual[p.q].score = 0
	if 0 < n && n <= sure {
		p.usual[p.q].score = float64(about(p.keys[n-1])) / p.scale
	}
	p.take(sure)
}

// gather makes keys those of n chunks or more whose estimates are the highest, or of
// all if there are not so many; no chunk that was not found comes before those that
// are sure. It begins with the chunks of a score that may or may not be low enough.
func (p *Placement) gather(n int, score float64) (sure int, all bool) {
	apart := uint32(len(p.asked))
	likely := 0.0 // the score of a chunk that has every term a time or two
	for _, id := range p.asked {
		likely += p.idf[id]
	}
	least := max(1, uint32(min(score, likely)*p.scale))
	for {
		p.keys, sure = p.keys[:0], 0
		for slot, about := range p.from(least) {
			p.keys = append(p.keys, key(slot, about))
			if about > least+apart {
				sure++
			}
		}
		if least == 1 {
			return len(p.keys), true
		}
		if sure >= n {
			return sure, false
		}
		least = max(1, least/4*3)
	}
}

// key orders chunks by their estimates, the highest first, then by their slots.
func key(slot int32, about uint32) uint64 { return uint64(^about)<<32 | uint64(slot) }

// about is the estimate of a key.
func about(key uint64) uint32 { return ^uint32(key >> 32) }

// take makes hits the first chunks of keys, which are sorted.
func (p *Placement) take(sure int) {
	apart := uint64(len(p.asked))
	for i := 0; i < sure; {
		j := i + 1
		for j < len(p.keys) && p.keys[j]>>32-p.keys[j-1]>>32 <= apart {
			j++
		}
		p.settle(p.keys[i:j])
		i = j
	}
	p.hits = p.hits[:0]
	for _, key := range p.keys[:sure] {
		slot := int32(uint32(key))
		p.hits = append(p.hits, rank.Hit{Doc: p.Docs[slot], Slot: slot, Span: p.Chunks[slot].Span})
	}
}

// settle brings chunks whose estimates do not tell their order into it.
func (p *Placement) settle(keys []uint64) {
	if len(keys) == 1 {
		return
	}
	p.tied = p.tied[:0]
	for _, key := range keys {
		slot := int32(uint32(key))
		p.tied = append(p.tied, scored{p.Score(slot), slot})
	}
	slices.SortFunc(p.tied, scored.compare)
	for i, s := range p.tied {
		keys[i] = uint64(s.slot)
	}
}

// compare is rank.Compare: slots ascend with document, start and end.
func (s scored) compare(t scored) int {
	return cmp.Or(cmp.Compare(t.score, s.score), cmp.Compare(s.slot, t.slot))
}

// Rank is the place of a chunk among the hits, from 1; 0 if it is none of the
// first deepest.
func (p *Placement) Rank(slot int32, deepest int) int {
	if i := slices.IndexFunc(p.hits, func(h rank.Hit) bool { return h.Slot == slot }); i >= 0 && i < deepest {
		return i + 1
	} else if i >= 0 || p.all {
		return 0
	}
	own := p.estimateOf(slot)
	if own == 0 {
		return 0
	}
	apart := uint32(len(p.asked))
	self := scored{-1, slot} // its score is not known yet
	before := 0
	for other, about := range p.from(own - min(own-1, apart)) {
		if about > own+apart {
			before++
		} else if other != slot {
			if self.score < 0 {
				self.score = p.Score(slot)
			}
			if (scored{p.Score(other), other}).compare(self) < 0 {
				before++
			}
		}
		if before >= deepest {
			return 0
		}
	}
	return before + 1
}

// estimateOf is the estimate of a chunk, 0 if it is no hit.
func (p *Placement) estimateOf(slot int32) uint32 {
	if i, ok := p.sight.at(slot); ok {
		return p.clipped[i]
	}
	if p.sight.Denied != nil && p.sight.Denied[slot] || !p.searched(slot) {
		return 0
	}
	slot -= p.lo
	return uint32(p.sums[slot/2] >> (slot % 2 * 32))
}

// from gives the chunks that the reader may be shown and whose estimates are
// least, at least 1, or more.
func (p *Placement) from(least uint32) iter.Seq2[int32, uint32] {
	return func(yield func(int32, uint32) bool) {
		// A half of a word has its top bit set just when its estimate reaches least.
		const tops = 1<<63 | 1<<31
		lift := uint64(1<<31 - least)
		lift |= lift << 32
		for _, r := range p.ranges {
			lo, hi := max(r[0], p.lo), min(r[1], p.hi)
			if lo >= hi {
				continue
			}
			first := (lo - p.lo) / 2
			sums := p.sums[first : (hi-p.lo+1)/2]
			for i := 0; i < len(sums); i++ {
				for ; i+4 <= len(sums) && ((sums[i]+lift)|(sums[i+1]+lift)|(sums[i+2]+lift)|(sums[i+3]+lift))&tops == 0; i += 4 {
				}
				if i == len(sums) || (sums[i]+lift)&tops == 0 {
					continue
				}
				for half := range int32(2) {
					slot, about := p.lo+(first+int32(i))*2+half, uint32(sums[i]>>(half*32))
					if about < least || slot < lo || slot >= hi || p.sight.Denied != nil && p.sight.Denied[slot] {
						continue
					}
					if !yield(slot, about) {
						return
					}
				}
			}
		}
		for i, about := range p.clipped {
			if about >= least && !yield(p.sight.Clipped[i].Slot, about) {
				return
			}
		}
	}
}

// Score is the score of a chunk: the weights of the question's terms, added in
// the order of the terms' bytes.
func (p *Placement) Score(slot int32) float64 {
	if i, ok := p.sight.at(slot); ok {
		return p.sight.clips[i].score(p.idf, p.asked)
	}
	t, times, order := &p.tally, p.times, p.order
	if !t.has(slot) {
		return p.scoreAgain(slot)
	}
	clear(times)
	shift, most := t.shift&31, t.most
	for _, x := range t.of(slot) {
		times[order[x>>shift]] = x & most // nobody could predict a branch here
	}
	score, norm := 0.0, p.norm[slot]
	for k, id := range p.asked {
		score += weightOf(p.idf[id], t.times(slot, id, times[k+1]), norm) // 0 of a term that is not there
	}
	return score
}

// scoreAgain is Score of a chunk whose counts are not kept.
func (p *Placement) scoreAgain(slot int32) float64 {
	p.look(int(slot))
	score := 0.0
	for _, id := range p.asked {
		score += weightOf(p.idf[id], float64(p.tally.here[id]), p.norm[slot])
	}
	p.tally.drop(func(int32, int32) {})
	p.view.spool.Passed(spool.Around) // of what is known of the text
	return score
}
