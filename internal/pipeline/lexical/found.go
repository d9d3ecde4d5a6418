package lexical

import (
	"math"
	"math/bits"

	"kerf/internal/spool"
)

// found is the terms of a document that a question has, in their order.
type found struct {
	bits   []uint64 // has a bit for each term of the document
	before []int32  // before[k] is how many are among its first 64k terms
	short  []uint16 // their ids, where each fits
	long   []int32  // else
}

// close keeps the ids of what bits has, which are below terms.
func (f *found) close(ids []int32, terms int) {
	f.before = make([]int32, len(f.bits))
	n := 0
	for k, w := range f.bits {
		f.before[k] = int32(n)
		n += bits.OnesCount64(w)
	}
	if terms > math.MaxUint16+1 {
		f.long = append(make([]int32, 0, n), ids...)
		return
	}
	f.short = make([]uint16, n)
	for i, id := range ids {
		f.short[i] = uint16(id)
	}
}

// into moves f into a spool.
func (f *found) into(s *spool.Spool) {
	f.bits, f.before, f.short, f.long = spool.Slice(s, f.bits), spool.Slice(s, f.before), spool.Slice(s, f.short), spool.Slice(s, f.long)
}

// rank is how many are among the first n terms of the document.
func (f *found) rank(n int) int {
	k := n / 64
	return int(f.before[k]) + bits.OnesCount64(f.bits[k]&(1<<(n%64)-1))
}

// count counts for the chunk at hand those among the terms from lo up to hi.
func (f *found) count(t *tally, lo, hi int) {
	from, to := f.rank(lo), f.rank(hi)
	if f.long != nil {
		countAll(t, f.long[from:to])
	} else {
		countAll(t, f.short[from:to])
	}
}
