package lexical

import (
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
type estimates struct {
	ceiling float64 // of the sums of w*scale
	scale   float64
	lists   [][]uint64 // by term id, in slot order: slot<<32 | estimate
	columns [][]uint64 // by term id, of a term in many chunks: by pair of slots, the even one's in the low half
	entries []uint64   // what lists point into
	words   []uint64   // what columns point into
	none    []uint64   // a column of zeros
	next    []int32    // scratch, by term id: where its next entry belongs
}

const (
	many = 10      // a term has a column if it is in more than one of so many chunks
	fine = 1 << 30 // the ceiling, with which two estimates fit into a word and few are too close to tell
)

// estimate makes the estimates of what was counted.
func (p *Placement) estimate() {
	t := &p.tally
	longest := 1
	for _, terms := range p.view.questions {
		longest = max(longest, len(terms))
	}
	highest := stats.Log(float64(1 + float64((float64(p.N)+0.5)/0.5))) // idf of a term in no chunk
	p.scale = p.ceiling / (float64(longest) * highest * (k1 + 1))

	p.lists, p.next = sized(p.lists, len(t.having)), sized(p.next, len(t.having))
	p.entries = sized(p.entries, len(t.pairs))
	at, columns := int32(0), 0
	for id, n := range t.having {
		p.lists[id], p.next[id] = p.entries[at:at+n:at+n], at
		if at += n; p.frequent(id) {
			columns++
		}
	}
	from := int32(0)
	for slot, to := range t.ends {
		norm := p.norm[slot]
		var part [5]float64 // by occurrences: what of a weight depends on the chunk
		for f := 1; f < len(part); f++ {
			part[f] = weightOf(p.scale, float64(f), norm)
		}
		for _, x := range t.pairs[from:to] {
			w := 0.0
			if int(x.f) < len(part) {
				w = p.idf[x.id] * part[x.f]
			} else {
				w = p.idf[x.id] * weightOf(p.scale, float64(x.f), norm)
			}
			i := p.next[x.id]
			p.next[x.id] = i + 1
			p.entries[i] = uint64(slot)<<32 | uint64(int64(w)+1)
		}
		from = to
	}
	length := (len(p.Chunks) + 1) / 2
	p.sums, p.none = sized(p.sums, length), resize(p.none, length)
	p.columns, p.words = resize(p.columns, len(p.lists)), resize(p.words, columns*length)
	words := p.words
	for id, list := range p.lists {
		if p.frequent(id) {
			p.columns[id], words = words[:length:length], words[length:]
			scatter(p.columns[id], list)
		}
	}
}

// frequent reports whether a term is in many chunks.
func (p *Placement) frequent(id int) bool { return len(p.lists[id]) > len(p.Chunks)/many }

// sum makes sums the estimates of the chunks with slots from lo up to hi, and of
// a neighbour in the same word anything.
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
		if int(hi-lo) < len(p.Chunks) {
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
