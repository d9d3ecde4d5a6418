package token

// shortPiece is the longest piece, in bytes, that is merged by looking through
// all its pairs each time; above it a heap is faster.
const shortPiece = 96

// split appends to ends the byte end of each token of the piece text[from:to],
// which is not a token itself, as an offset of text.
//
// Byte-pair encoding begins with single bytes and merges, again and again, the
// neighbours whose joined bytes have the lowest rank, the leftmost of equals.
func (v *vocabulary) split(ends []int32, text string, from, to int) []int32 {
	n := to - from
	if n > shortPiece {
		return v.splitLong(ends, text, from, to)
	}
	// Part i is text[start[i]:start[i+1]]; rank[i] is that of parts i and i+1.
	var start [shortPiece + 1]int32
	var rank [shortPiece]uint32
	for i := range n {
		start[i], rank[i] = int32(from+i), none
		if i+1 < n {
			rank[i] = v.pairs[int(text[from+i])<<8|int(text[from+i+1])]
		}
	}
	start[n] = int32(to)
	for {
		best, at := none, 0
		for i, r := range rank[:n] {
			if r < best {
				best, at = r, i
			}
		}
		if best == none {
			return append(ends, start[1:n+1]...)
		}
		copy(start[at+1:n], start[at+2:n+1])
		copy(rank[at+1:n-1], rank[at+2:n])
		n--
		rank[at] = none
		if at+2 <= n {
			rank[at] = v.rank(text, int(start[at]), int(start[at+2]))
		}
		if at > 0 {
			rank[at-1] = v.rank(text, int(start[at-1]), int(start[at+1]))
		}
	}
}

// apart reports whether two tokens, one behind the other in a piece that is no
// token itself, stay two.
func (v *vocabulary) apart(a, b string) bool {
	var buf [shortPiece]int32
	ends := v.split(buf[:0], a+b, 0, len(a)+len(b))
	return len(ends) == 2 && int(ends[0]) == len(a)
}

// splitLong does the same in n log n: the parts are a linked list, the pairs a
// heap ordered by rank, then place.
func (v *vocabulary) splitLong(ends []int32, text string, from, to int) []int32 {
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
