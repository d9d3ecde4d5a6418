package term

import (
	"iter"
	mathbits "math/bits"
)

// bits has a bit for each byte of a text and for its end. A nil one has none set.
type bits []uint64

func newBits(text string) bits { return make(bits, len(text)>>6+1) }

func count(w uint64) int { return mathbits.OnesCount64(w) }

func (b bits) has(i int) bool {
	return i>>6 < len(b) && b[i>>6]>>(i&63)&1 != 0
}

// set sets the bits from i up to end.
func (b bits) set(i, end int) {
	for ; i < end; i = i&^63 + 64 {
		w := ^uint64(0) << (i & 63)
		if rest := end - i&^63; rest < 64 {
			w &= 1<<rest - 1
		}
		b[i>>6] |= w
	}
}

// end is the first bit from i up to limit that is not set.
func (b bits) end(i, limit int) int {
	for k := i >> 6; i < limit; i = k << 6 {
		if rest := ^b[k] >> (i & 63); rest != 0 {
			return min(limit, i+mathbits.TrailingZeros64(rest))
		}
		k++
	}
	return limit
}

// start is the first of the bits that are set without a gap up to i, i not
// included, and no lower than limit.
func (b bits) start(limit, i int) int {
	for i > limit {
		k, n := (i-1)>>6, (i-1)&63+1
		if ones := mathbits.LeadingZeros64(^(b[k] << (64 - n))); ones < n {
			return max(limit, i-ones)
		}
		i = k << 6
	}
	return limit
}

// all are the bits that are set, ascending.
func (b bits) all() iter.Seq[int] {
	return func(yield func(int) bool) {
		for k, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(k<<6 + mathbits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}
