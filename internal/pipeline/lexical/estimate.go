package lexical

import (
	"math/bits"
	"slices"

	"kerf/internal/stats"
)

// estimates are the weights of terms in chunks as whole numbers, which can be
// added in any order, two chunks at a time. They find the few chunks of which the
// score is worth computing; what chunks are ranked by is always the score.
//
// The estimate of a weight w is floor(w*scale) + 1. So the estimate of a chunk is
// 0 just when it has no term of the question, and of two chunks whose estimates
// for a question of n terms are more than n apart, the one with the higher
// estimate has the higher score: the ones and the parts cut off add up to n at the
// most, and what float64 rounds is less than a thousandth of a unit, since no sum
// is above 1<<30 units.
//
// They are those of a block of chunks, with slots from lo up to hi, counted from lo,
// which is even: of all chunks, where these are few.
type estimates struct {
	ceiling float64 // of the sums of w*scale
	scale   float64
	lo, hi  int32
	lists   [][]uint64 // by term id, in slot order: slot-lo<<32 | estimate
	columns [][]uint64 // by term id, of a term in many chunks: by pair of slots, the even one's in the low half
	words   []uint64   // what they point into
	none    []uint64   // a column of zeros
	next    []int      // scratch, by term id: where its next entry belongs; of a column the complement of where it begins
}

const (
	many = 10      // a term has a column if it is in more than one of so many chunks
	fine = 1 << 30 // the ceiling, with which two estimates fit into a word and few are too close to tell
)

// rescale chooses the scale for what was counted.
func (p *Placement) rescale() {
	longest := 1
	for _, terms := range p.view.questions {
		longest = max(longest, len(terms))
	}
	highest := stats.Log(float64(1 + float64((float64(p.N)+0.5)/0.5))) // idf of a term in no chunk
	p.scale = p.ceiling / (float64(longest) * highest * (k1 + 1))
}

// estimate makes the estimates of the chunks with slots from lo up to hi, of which
// so many have each term.
func (p *Placement) estimate(lo, hi int32, having []int32) {
	t := &p.tally
	p.lo, p.hi = lo, hi
	p.lists, p.columns, p.next = sized(p.lists, len(having)), sized(p.columns, len(having)), sized(p.next, len(having))
	length, size := int(hi-lo+1)/2, 0
	for _, n := range having {
		size += p.room(n, length)
	}
	p.words = resize(p.words, size)
	at := 0
	for id, n := range having {
		to := at + p.room(n, length)
		if own := p.words[at:to:to]; p.frequent(n) {
			p.lists[id], p.columns[id], p.next[id] = nil, own, ^at
		} else {
			p.lists[id], p.columns[id], p.next[id] = own, nil, at
		}
		at = to
	}
	from := int32(0)
	words, next, idf := p.words, p.next, p.idf
	shift, most := t.shift&31, t.most
	const known = 4
	below := min(known, most) // so often or more: by itself
	for slot, to := range t.ends {
		norm := p.norm[int(lo)+slot]
		var part [known]float64 // by occurrences: what of a weight depends on the chunk
		for f := 1; f < len(part); f++ {
			part[f] = weightOf(p.scale, float64(f), norm)
		}
		half, low, own := slot/2, slot%2*32, uint64(slot)<<32
		for _, x := range t.pairs[from:to] {
			id, f := x>>shift, x&most
			w := 0.0
			if f < below {
				w = idf[id] * part[f%known]
			} else {
				w = idf[id] * weightOf(p.scale, t.times(lo+int32(slot), int32(id), f), norm)
			}
			// Nobody could predict a branch here: the mask has all bits of a frequent term.
			at := next[id]
			mask := at >> (bits.UintSize - 1)
			next[id] = at + 1 + mask
			words[at^mask+half&mask] |= uint64(int64(w)+1)<<(low&mask&63) | own&^uint64(mask)
		}
		from = to
	}
	p.sums, p.none = sized(p.sums, length), resize(p.none, length)
}

// room is how many words a term in n chunks needs; a column has so many.
func (p *Placement) room(n int32, column int) int {
	if p.frequent(n) {
		return column
	}
	return int(n)
}

// frequent reports whether n chunks are many.
func (p *Placement) frequent(n int32) bool { return n > (p.hi-p.lo)/many }

// sum makes sums the estimates of the block's chunks in a range of slots, which begins
// at lo in the block and ends before hi, and of a neighbour in the same word anything.
func (p *Placement) sum(lo, hi int32) {
	from, to := lo/2, (hi+1)/2
	sums := p.sums[from:to]
	var four [4][]uint64
	columns := four[:0]
	added := false
	for _, id := range p.asked {
		c := p.columns[id]
		if c == nil {
			continue
		}
		if columns = append(columns, c[from:to]); len(columns) == 4 {
			add(sums, columns[0], columns[1], columns[2], columns[3])
			columns, added = append(columns[:0], sums), true
		}
	}
	if !added || len(columns) > 1 {
		for len(columns) < 4 {
			columns = append(columns, p.none[from:to])
		}
		add(sums, columns[0], columns[1], columns[2], columns[3])
	}
	for _, id := range p.asked {
		if p.columns[id] != nil {
			continue
		}
		list := p.lists[id]
		if hi-lo < p.hi-p.lo {
			list = between(list, lo, hi)
		}
		scatter(p.sums, list)
	}
}

// add makes sums the sum of four columns, of which one may be sums itself.
func add(sums, a, b, c, d []uint64) {
	a, b, c, d = a[:len(sums)], b[:len(sums)], c[:len(sums)], d[:len(sums)]
	for i := range sums {
		sums[i] = a[i] + b[i] + c[i] + d[i]
	}
}

// scatter adds the estimates of a list.
func scatter(sums, list []uint64) {
	for _, e := range list {
		sums[e>>33] += e & (1<<32 - 1) << (e >> 32 % 2 * 32)
	}
}

// between is the part of a list with slots from lo up to hi.
func between(list []uint64, lo, hi int32) []uint64 {
	i, _ := slices.BinarySearch(list, uint64(lo)<<32)
	j, _ := slices.BinarySearch(list, uint64(hi)<<32)
	return list[i:j]
}
