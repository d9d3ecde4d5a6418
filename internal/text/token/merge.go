package token

import (
	"encoding/binary"
	"math/bits"
	"unicode/utf8"
)

// Byte-pair encoding begins with single bytes and merges, again and again, the
// neighbours whose joined bytes have the lowest rank, the leftmost of equals.
//
// The encodings of two strings, side by side, are the encoding of both together if
// the two tokens where they meet stay apart: the first merge across the boundary
// would be one of these two tokens alone as well. Merging makes every token of its
// bytes.

const (
	// window is how many bytes of a long piece are merged at a time, or more.
	window = 32
	// shortPiece is the longest string, in bytes, whose pairs are all looked
	// through for each merge; above it a heap is faster.
	shortPiece = 63
)

// split appends to ends the byte end of each token of the piece text[from:to],
// which is not a token itself, as an offset of text.
//
// A long piece is merged window by window, each beginning in the one before, at a
// token some way before its end. If the tokens on both sides of that place do not
// stay apart, the earlier one goes, and a larger window begins in its place: so the
// time is linear.
func (v *vocabulary) split(ends []int32, text string, from, to int) []int32 {
	if to-from <= shortPiece {
		return v.merge(ends, text, from, to)
	}
	first, at, size, failed := len(ends), from, window, from
	for {
		end, n := min(at+size, to), len(ends)
		ends = v.merge(ends, text, at, end)
		if n+1 == len(ends) && end < to { // a token that may well be longer
			ends, size = ends[:n], 16*size
			continue
		}
		if n > first {
			before := from
			if n > first+1 {
				before = int(ends[n-2])
			}
			if !v.apart(text, before, at, int(ends[n])) {
				ends, at, failed, size = ends[:n-1], before, max(failed, at), 4*size
				continue
			}
		}
		if end == to {
			return ends
		}
		most := 0 // bytes of a token
		for {
			most = max(most, int(ends[n])-at)
			at = int(ends[n])
			if n++; n == len(ends) || int(ends[n]) > end-size/4 {
				break
			}
		}
		ends = ends[:n]
		if at > failed {
			size = max(window, 4*most)
		}
	}
}

// apart reports whether the tokens text[from:at] and text[at:to] stay two in a
// piece.
func (v *vocabulary) apart(text string, from, at, to int) bool {
	var buf [2 * window]int32
	ends := v.merge(buf[:0], text, from, to)
	return len(ends) == 2 && int(ends[0]) == at
}

// merge appends the ends of the tokens of text[from:to].
func (v *vocabulary) merge(ends []int32, text string, from, to int) []int32 {
	n := to - from
	if n > shortPiece {
		return v.mergeLong(ends, text, from, to)
	}
	var piece [shortPiece + 9]byte // eight bytes may be read at each
	copy(piece[:], text[from:to])
	rank := func(i, j int) uint32 {
		if j-i > 8 {
			return v.rankOf(text[from+i:from+j])<<placeBits | uint32(i)
		}
		return v.rankOfKey(binary.LittleEndian.Uint64(piece[i:])<<(64-8*(j-i))>>(64-8*(j-i)), j-i)<<placeBits | uint32(i)
	}
	// Bit i of starts: a part begins, or the last one ends, at byte i. Then
	// pairs[i] is the rank of that part and the next, above i itself, so that
	// the least of them is the leftmost of lowest rank.
	starts := v.codePoints(&piece, n)
	var all [shortPiece + 1]uint32
	pairs := all[:(n+7)&^7]
	for i := range pairs {
		pairs[i] = none
	}
	if bytes := uint64(1)<<(n+1) - 1; starts == bytes {
		for i := range n - 1 {
			pairs[i] = v.pairs[int(piece[i])<<8|int(piece[i+1])]<<placeBits | uint32(i)
		}
	} else {
		i, rest := 0, starts&(starts-1)
		for j := bits.TrailingZeros64(rest); j < n; {
			rest &= rest - 1
			k := bits.TrailingZeros64(rest)
			if k-i == 2 {
				pairs[i] = v.pairs[int(piece[i])<<8|int(piece[i+1])]<<placeBits | uint32(i)
			} else {
				pairs[i] = rank(i, k)
			}
			i, j = j, k
		}
	}
	for {
		least := leastOf(pairs)
		if least>>placeBits == none>>placeBits {
			break
		}
		i := int(least & (1<<placeBits - 1))
		// Parts h, i, j, k; that of j goes.
		j := i + 1 + bits.TrailingZeros64(starts>>(i+1))
		k := j + 1 + bits.TrailingZeros64(starts>>(j+1))
		starts &^= 1 << j
		pairs[j] = none
		if k == n {
			pairs[i] = none
		} else {
			pairs[i] = rank(i, k+1+bits.TrailingZeros64(starts>>(k+1)))
		}
		if i > 0 {
			h := bits.Len64(starts&(1<<i-1)) - 1
			pairs[h] = rank(h, k)
		}
	}
	for starts &= starts - 1; starts != 0; starts &= starts - 1 {
		ends = append(ends, int32(from+bits.TrailingZeros64(starts)))
	}
	return ends
}

// codePoints are the parts of n bytes that merging may begin with, as bits: what it
// makes of a code point by itself, where no token has a part of it and something
// beside it. Then its own merges do not depend on what is there, and those of more
// have higher ranks.
func (v *vocabulary) codePoints(piece *[shortPiece + 9]byte, n int) (starts uint64) {
	starts = 1 << n
	for i := 0; i < n; {
		starts |= 1 << i
		a, b, c := piece[i], piece[i+1], piece[i+2]
		switch w := int(leads[a>>4]); {
		case w < 2 || w > 3 || i+w > n || b&0xC0 != 0x80 ||
			i > 0 && v.isMixed(piece[i-1], a) ||
			i+w < n && (!utf8.RuneStart(piece[i+w]) || v.isMixed(piece[i+w-1], piece[i+w])):
			i++
		case w == 2:
			if v.pairs[int(a)<<8|int(b)] == none {
				starts |= 2 << i
			}
			i += 2
		case c&0xC0 != 0x80:
			i++
		default:
			if at := three(a, b, c); v.threes[at>>6]>>(at&63)&1 == 0 {
				first, last := v.pairs[int(a)<<8|int(b)], v.pairs[int(b)<<8|int(c)]
				if first <= last {
					starts |= 4 << i
				}
				if first >= last {
					starts |= 2 << i
				}
			}
			i += 3
		}
	}
	return starts
}

// three is the code point of these three bytes.
func three(a, b, c byte) int { return int(a)&0xF<<12 | int(b)&0x3F<<6 | int(c)&0x3F }

// leads are the bytes of a code point of more than one, by the upper half of the
// first.
var leads = [16]uint8{0xC: 2, 0xD: 2, 0xE: 3, 0xF: 4}

// isMixed reports whether a token with part of a code point has byte b, the first
// of another, after byte a.
func (v *vocabulary) isMixed(a, b byte) bool {
	return v.mixed[int(a)<<2|int(b)>>6]>>(b&63)&1 != 0
}

// placeBits of a pair are its place, the others its rank.
const placeBits = 6

// leastOf numbers, a multiple of eight of them.
func leastOf(s []uint32) uint32 {
	a, b, c, d := none, none, none, none
	for ; len(s) >= 8; s = s[8:] {
		a = min(a, s[0], s[4])
		b = min(b, s[1], s[5])
		c = min(c, s[2], s[6])
		d = min(d, s[3], s[7])
	}
	return min(min(a, b), min(c, d))
}

// mergeLong is merge in n log n: the parts are a linked list, the pairs a
// heap ordered by rank, then place.
func (v *vocabulary) mergeLong(ends []int32, text string, from, to int) []int32 {
	piece := text[from:to]
	n := int32(len(piece))
	next := make([]int32, n+1) // next[i] is the end of the part that starts at i
	prev := make([]int32, n+1) // prev[i] is the start of the part that ends at i
	rank := make([]uint32, n)  // rank[i] is that of the part that starts at i and its successor
	var pairs pairHeap
	for i := range n {
		next[i], prev[i], rank[i] = i+1, i-1, none
		if i+1 < n {
			rank[i] = v.pairs[int(piece[i])<<8|int(piece[i+1])]
		}
		if rank[i] != none {
			pairs = append(pairs, pair(rank[i], i))
		}
	}
	prev[n] = n - 1
	pairs.order()
	set := func(i int32) {
		rank[i] = none
		if next[i] < n {
			if rank[i] = v.rank(piece, int(i), int(next[next[i]])); rank[i] != none {
				pairs.push(pair(rank[i], i))
			}
		}
	}
	for len(pairs) > 0 {
		at := pairs[0]
		pairs.pop()
		i := int32(uint32(at))
		if rank[i] != uint32(at>>32) {
			continue // one of the two parts has been merged meanwhile
		}
		gone := next[i]
		rank[gone] = none
		next[i] = next[gone]
		prev[next[i]] = i
		set(i)
		if i > 0 {
			set(prev[i])
		}
	}
	for i := int32(0); i < n; i = next[i] {
		ends = append(ends, int32(from)+next[i])
	}
	return ends
}

// pair puts a pair's rank above its place, so that numbers compare as pairs do.
func pair(rank uint32, at int32) uint64 { return uint64(rank)<<32 | uint64(at) }

// pairHeap is a heap with its least member first.
type pairHeap []uint64

func (h pairHeap) order() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.down(i)
	}
}

func (h *pairHeap) push(x uint64) {
	*h = append(*h, x)
	s := *h
	i := len(s) - 1
	for i > 0 && x < s[(i-1)/2] {
		s[i] = s[(i-1)/2]
		i = (i - 1) / 2
	}
	s[i] = x
}

func (h *pairHeap) pop() {
	s := *h
	n := len(s) - 1
	s[0] = s[n]
	*h = s[:n]
	h.down(0)
}

func (h pairHeap) down(i int) {
	if len(h) == 0 {
		return
	}
	x := h[i]
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1] < h[c] {
			c++
		}
		if x <= h[c] {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = x
}
