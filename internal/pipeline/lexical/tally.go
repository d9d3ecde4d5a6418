package lexical

import (
	"math/bits"
	"slices"
)

// tally counts question terms chunk by chunk. It keeps the counts of all chunks, or
// where they are many, of some in a row.
type tally struct {
	pairs   []uint32 // of one chunk after another: a term's id, and in the low bits how often it is there
	shift   uint     // so many low bits, widest or fewer
	widest  int
	most    uint32             // a count of so many or more is in large
	large   map[[2]int32]int32 // by slot and id
	lo      int32              // slot of the first chunk that is kept
	ends    []int32            // by slot-lo: the end of its pairs
	lengths []int32            // by slot: terms
	having  []int32            // by term id: chunks that have it
	here    []int32            // by term id: occurrences in the chunk at hand
	seen    []int32            // the terms of the chunk at hand, each once: the first n
	n       int
}

// open begins with nothing counted.
func (t *tally) open(chunks, terms int) {
	t.shift = uint(min(t.widest, bits.LeadingZeros32(uint32(max(chunks, terms)))))
	t.most = 1<<t.shift - 1
	t.lengths = sized(t.lengths, chunks)
	t.having, t.here = resize(t.having, terms), resize(t.here, terms)
	t.seen = sized(t.seen, terms+1) // one more: a term seen again is written behind the last
	t.keep(0, 0)
}

// keep begins to keep the counts of chunks with slots from lo up to hi.
func (t *tally) keep(lo, hi int) {
	t.pairs, t.large = t.pairs[:0], map[[2]int32]int32{}
	t.lo, t.ends = int32(lo), sized(t.ends, hi-lo)
}

// countAll counts terms for the chunk at hand.
func countAll[ID uint16 | int32](t *tally, ids []ID) {
	seen, here, n := t.seen, t.here, t.n
	for _, id := range ids {
		seen[n] = int32(id)
		before := here[id]
		here[id] = before + 1
		n += int(uint32(before-1) >> 31) // 1 if it was 0: nobody could predict a branch here
	}
	t.n = n
}

// one counts one term of the chunk at hand.
func (t *tally) one(id int32) { countAll(t, []int32{id}) }

// close ends the chunk at hand, the one in this slot, keeps it and counts the terms
// that it has in having.
func (t *tally) close(slot int, having []int32) {
	if uint32(t.lengths[slot]) >= t.most {
		t.keepLarge(int32(slot))
	}
	n := len(t.pairs)
	t.pairs = slices.Grow(t.pairs, t.n)[:n+t.n]
	pairs, here := t.pairs[n:], t.here
	shift := t.shift & 31
	for i, id := range t.seen[:len(pairs)] {
		pairs[i] = uint32(id)<<shift | uint32(here[id])
		having[id]++
		here[id] = 0
	}
	t.n = 0
	t.ends[slot-int(t.lo)] = int32(len(t.pairs))
}

// keepLarge keeps the counts of the chunk at hand that do not fit into a pair.
func (t *tally) keepLarge(slot int32) {
	for _, id := range t.seen[:t.n] {
		if f := t.here[id]; uint32(f) >= t.most {
			t.large[[2]int32{slot, id}], t.here[id] = f, int32(t.most)
		}
	}
}

// times is how often a term is in a chunk of which a pair or an entry says f.
func (t *tally) times(slot, id int32, f uint32) float64 {
	if f == t.most {
		return float64(t.large[[2]int32{slot, id}])
	}
	return float64(f)
}

// has reports whether the counts of the chunk in this slot are kept.
func (t *tally) has(slot int32) bool { return t.lo <= slot && int(slot-t.lo) < len(t.ends) }

// of is what was counted in the chunk in this slot.
func (t *tally) of(slot int32) []uint32 {
	from := int32(0)
	if slot > t.lo {
		from = t.ends[slot-t.lo-1]
	}
	return t.pairs[from:t.ends[slot-t.lo]]
}

// drop ends the chunk at hand, calling f with its terms, and does not keep it.
func (t *tally) drop(f func(id, n int32)) {
	for _, id := range t.seen[:t.n] {
		f(id, t.here[id])
		t.here[id] = 0
	}
	t.n = 0
}
