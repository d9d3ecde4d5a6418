// Package term is the lexical terms of a text, and of any slice of it.
//
// A run is a maximal stretch of letters, marks, digits (Unicode L, M, N) and
// "_". It falls into segments: stretches of scripts written without blanks
// between words, and the rest. A segment of the rest is one term; a segment
// without blanks gives its overlapping pairs of code points, or its single one.
// Every code point is mapped by Unicode simple lower-case (engine.md 2).
//
// Terms of a whole text are found once, by Split. A slice of the text has the
// terms that lie inside it, except at its two edges, where a cut segment leaves
// fragments: Text.Slice says which terms are whole and gives the fragments, and
// the two together equal Split of the slice.
package term

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

// Text is one text with its terms in order. Starts and Ends are byte offsets
// and both strictly ascending.
type Text struct {
	Source       string
	Starts, Ends []int32
	segments     []segment
	near         []int32 // near[k] is the index of the first segment that ends after byte k<<nearBits
}

// nearBits: Text.near has an entry for each 64 bytes.
const nearBits = 6

type segment struct {
	start, end int32 // bytes
	first      int32 // index of its first term
	pairs      bool  // of scripts without blanks
}

// class of a code point within a run.
type class uint8

const (
	outside class = iota // in no run
	word
	pairs
	inherits // a mark of Script Inherited: as its predecessor in the run, else word
)

var spaceless = []*unicode.RangeTable{unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar}

func classOf(r rune) class {
	if r < 0x80 {
		if r == '_' || '0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' {
			return word
		}
		return outside
	}
	if !unicode.In(r, unicode.L, unicode.M, unicode.N) {
		return outside
	}
	switch {
	case r < 0x0e00 && !unicode.Is(unicode.Inherited, r): // before Thai, the first such script
		return word
	case r == 0x30fc || r == 0xff70 || unicode.In(r, spaceless...):
		return pairs
	case unicode.Is(unicode.M, r) && unicode.Is(unicode.Inherited, r):
		return inherits
	}
	return word
}

// Split finds the terms of a text, which must be UTF-8.
func Split(text string) *Text {
	t := &Text{Source: text}
	previous := outside // class of the code point before, resolved
	var start int32     // of the open segment
	for i := 0; i < len(text); {
		r, size := rune(text[i]), 1
		if r >= 0x80 {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		c := classOf(r)
		if c == inherits {
			if c = previous; c == outside {
				c = word
			}
		}
		if c != previous {
			t.close(previous, start, int32(i))
			start = int32(i)
		}
		previous = c
		i += size
	}
	t.close(previous, start, int32(len(text)))
	t.near = make([]int32, 0, len(text)>>nearBits+1)
	i := int32(0)
	for x := int32(0); int(x) <= len(text); x += 1 << nearBits {
		for int(i) < len(t.segments) && t.segments[i].end <= x {
			i++
		}
		t.near = append(t.near, i)
	}
	return t
}

// close ends the segment [start, end) and lists its terms.
func (t *Text) close(c class, start, end int32) {
	if c == outside {
		return
	}
	t.segments = append(t.segments, segment{start, end, int32(len(t.Starts)), c == pairs})
	if c == word {
		t.Starts, t.Ends = append(t.Starts, start), append(t.Ends, end)
		return
	}
	for a := start; ; {
		b := a + width(t.Source[a:])
		if b == end {
			if a == start { // a single code point
				t.Starts, t.Ends = append(t.Starts, a), append(t.Ends, b)
			}
			return
		}
		t.Starts, t.Ends = append(t.Starts, a), append(t.Ends, b+width(t.Source[b:]))
		a = b
	}
}

func width(s string) int32 {
	_, n := utf8.DecodeRuneInString(s)
	return int32(n)
}

// Len is the number of terms.
func (t *Text) Len() int { return len(t.Starts) }

// Term is the i-th term, lower-cased.
func (t *Text) Term(i int) string { return Lower(t.Source[t.Starts[i]:t.Ends[i]]) }

// Terms lists all terms of a text in order, lower-cased.
func Terms(text string) []string {
	t := Split(text)
	out := make([]string, t.Len())
	for i := range out {
		out[i] = t.Term(i)
	}
	return out
}

// Slice says what the terms of Source[start:end] are: those with index from lo
// up to hi, and the fragments appended to dst as byte intervals of Source. start
// and end are code point boundaries.
func (t *Text) Slice(start, end int, dst [][2]int32) (lo, hi int, fragments [][2]int32) {
	s, e := int32(start), int32(end)
	if s >= e {
		return 0, 0, dst
	}
	i, cut := t.segmentAt(s)
	if cut {
		if at := t.orphans(t.segments[i], s, e); at > s {
			// Marks cut from their base are a word, together with a word that follows.
			if next := i + 1; at == t.segments[i].end && next < len(t.segments) && t.segments[next].start == at && !t.segments[next].pairs {
				i, at = next, min(e, t.segments[next].end)
			}
			dst = append(dst, [2]int32{s, at})
			s = at
		}
	}
	if i < len(t.segments) && s < t.segments[i].end {
		lo, hi, dst = t.part(t.segments[i], max(s, t.segments[i].start), min(e, t.segments[i].end), dst)
	} else {
		lo = t.firstOf(i + 1)
		hi = lo
	}
	j, cut := t.segmentAt(e)
	switch {
	case j == i:
	case cut:
		_, hi, dst = t.part(t.segments[j], t.segments[j].start, e, dst)
	default:
		hi = t.firstOf(j)
	}
	return lo, max(lo, hi), dst
}

// Orphaned calls f with the terms that lie inside Source[start:end] and are none
// of its terms all the same, since they begin before orphansEnd: the end of the
// fragment of marks at start that lost their base.
func (t *Text) Orphaned(start, end, orphansEnd int, f func(i int)) {
	i, _ := slices.BinarySearch(t.Starts, int32(start))
	for ; i < len(t.Starts) && int(t.Starts[i]) < orphansEnd && int(t.Ends[i]) <= end; i++ {
		f(i)
	}
}

// segmentAt is the segment that offset lies strictly inside of (cut true), or
// the first one that starts at or after it.
func (t *Text) segmentAt(offset int32) (i int, cut bool) {
	i = int(t.near[offset>>nearBits])
	for i < len(t.segments) && t.segments[i].end <= offset {
		i++
	}
	return i, i < len(t.segments) && t.segments[i].start < offset
}

// firstOf is the index of the first term of the i-th segment.
func (t *Text) firstOf(i int) int {
	if i < len(t.segments) {
		return int(t.segments[i].first)
	}
	return len(t.Starts)
}

// orphans is the end of the marks at s that a cut inside g separates from what
// they inherited their class from; s if there are none.
func (t *Text) orphans(g segment, s, end int32) int32 {
	for g.pairs && s < min(end, g.end) {
		r, n := utf8.DecodeRuneInString(t.Source[s:])
		if classOf(r) != inherits {
			break
		}
		s += int32(n)
	}
	return s
}

// part is the terms of the part [s, e) of g: the whole ones as indices, the
// fragments appended. lo is never below what follows a cut at s.
func (t *Text) part(g segment, s, e int32, dst [][2]int32) (lo, hi int, _ [][2]int32) {
	lo = int(g.first)
	switch whole := s == g.start && e == g.end; {
	case s >= e:
		return lo, lo, dst
	case !g.pairs && whole:
		return lo, lo + 1, dst
	case !g.pairs:
		if s > g.start {
			lo++ // the word's own term begins before the slice
		}
		return lo, lo, append(dst, [2]int32{s, e})
	case !whole && width(t.Source[s:]) == e-s: // one code point of a longer stretch
		lo = t.lowerBound(s, g)
		return lo, lo, append(dst, [2]int32{s, e})
	}
	lo = t.lowerBound(s, g)
	return lo, max(lo, t.upperBound(e, g)), dst
}

// lowerBound is the index of the first term of g that starts at or after s.
func (t *Text) lowerBound(s int32, g segment) int {
	last := t.lastOf(g)
	i, _ := slices.BinarySearch(t.Starts[g.first:last], s)
	return int(g.first) + i
}

// upperBound is one past the last term of g that ends at or before e.
func (t *Text) upperBound(e int32, g segment) int {
	last := t.lastOf(g)
	i, _ := slices.BinarySearch(t.Ends[g.first:last], e+1)
	return int(g.first) + i
}

// lastOf is one past the last term of g.
func (t *Text) lastOf(g segment) int {
	i, _ := slices.BinarySearch(t.Ends[g.first:], g.end+1)
	return int(g.first) + i
}
