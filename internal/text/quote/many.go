package quote

import (
	"strings"

	"kerf/internal/text/span"
)

// Blanks looks through white space: every run of it is one blank, line breaks
// among it.
func Blanks() Fold { return Fold{lines: true, blanks: true} }

// window is the bytes of a quote that its hash is of.
const window = 16

// FindAll is Find for each of many folded quotes, in one pass over the text
// (Karp and Rabin, Efficient randomized pattern-matching algorithms, 1987; every
// match of a hash is compared).
func (f Folded) FindAll(quotes []string) [][]span.Span {
	found := make([][]span.Span, len(quotes))
	const base = 0x9e3779b97f4a7c15
	byHash := map[uint64][]int{}
	var filter [1 << 10]uint64 // a bit for each 16 upper bits of a hash
	out := uint64(1)           // base to the power of the window
	for range window {
		out *= base
	}
	for i, q := range quotes {
		if len(q) < window {
			found[i] = f.Find(q)
			continue
		}
		var h uint64
		for at := range window {
			h = h*base + uint64(q[at]) + 1
		}
		byHash[h] = append(byHash[h], i)
		filter[h>>54] |= 1 << (h >> 48 & 63)
	}
	if len(byHash) == 0 {
		return found
	}
	var h uint64
	for end := range len(f.text) {
		h = h*base + uint64(f.text[end]) + 1
		at := end + 1 - window
		if at > 0 {
			h -= out * (uint64(f.text[at-1]) + 1)
		}
		if at < 0 || filter[h>>54]&(1<<(h>>48&63)) == 0 {
			continue
		}
		for _, i := range byHash[h] {
			if strings.HasPrefix(f.text[at:], quotes[i]) {
				if b, ok := f.Source(at, at+len(quotes[i])); ok {
					found[i] = append(found[i], b)
				}
			}
		}
	}
	return found
}
