package lexical

import "kerf/internal/stats"

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
	scale   float64
	columns [][]uint64          // by term id, of a term in many chunks: by pair of slots, the even one's in the low half
	rare    [][]uint32          // by term id, of a term in few chunks: beside lists
	spread  [][ordinary]float64 // by slot: what a weight of 1, 2, … occurrences has of the chunk, times scale
	words   []uint64            // what columns point into
	weights []uint32            // what rare points into
	none    []uint64            // a column of zeros
}

const (
	many     = 10      // a term has a column if it is in more than one of so many chunks
	ordinary = 4       // occurrences up to which spread goes
	ceiling  = 1 << 30 // of the sums of w*scale
)

// estimate makes the estimates of the lists.
func (p *Placement) estimate() {
	longest := 1
	for _, terms := range p.view.questions {
		longest = max(longest, len(terms))
	}
	highest := stats.Log(float64(1 + float64((float64(p.N)+0.5)/0.5))) // idf of a term in no chunk
	p.scale = ceiling / (float64(longest) * highest * (k1 + 1))

	p.spread = sized(p.spread, len(p.Chunks))
	for slot, norm := range p.norm {
		for f := range p.spread[slot] {
			p.spread[slot][f] = weightOf(p.scale, float64(f+1), norm)
		}
	}
	length, columns, rare := (len(p.Chunks)+1)/2, 0, 0
	for _, list := range p.lists {
		if len(list) > len(p.Chunks)/many {
			columns++
		} else {
			rare += len(list)
		}
	}
	p.columns, p.rare = resize(p.columns, len(p.lists)), resize(p.rare, len(p.lists))
	p.words, p.none, p.weights = resize(p.words, columns*length), resize(p.none, length), sized(p.weights, rare)
	p.sums = sized(p.sums, length)
	words, weights := p.words, p.weights
	for id, list := range p.lists {
		idf := p.idf[id]
		if len(list) > len(p.Chunks)/many {
			column := words[:length:length]
			words = words[length:]
			for _, c := range list {
				column[c>>33] |= p.about(idf, c) << (c >> 32 % 2 * 32)
			}
			p.columns[id] = column
			continue
		}
		own := weights[:len(list):len(list)]
		weights = weights[len(list):]
		for i, c := range list {
			own[i] = uint32(p.about(idf, c))
		}
		p.rare[id] = own
	}
}

// about is the estimate of a term in a chunk: c is slot<<32 | occurrences.
func (p *Placement) about(idf float64, c uint64) uint64 {
	slot, f := c>>32, uint32(c)
	if f <= ordinary {
		return uint64(int64(idf*p.spread[slot][f-1])) + 1
	}
	return uint64(int64(idf*weightOf(p.scale, float64(f), p.norm[slot]))) + 1
}

// sum makes sums the estimates of the chunks with slots from lo up to hi, and of
// a neighbour in the same word anything.
func (p *Placement) sum(lo, hi int32) {
	from, to := lo/2, (hi+1)/2
	sums := p.sums[from:to]
	columns := p.four[:0]
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
		list, rare := p.lists[id], p.rare[id]
		if int(hi-lo) < len(p.Chunks) {
			i, j := at(list, lo), at(list, hi)
			list, rare = list[i:j], rare[i:j]
		}
		scatter(p.sums, list, rare)
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
func scatter(sums, list []uint64, rare []uint32) {
	rare = rare[:len(list)]
	for i, c := range list {
		sums[c>>33] += uint64(rare[i]) << (c >> 32 % 2 * 32)
	}
}
