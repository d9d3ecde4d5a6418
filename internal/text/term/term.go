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
	"iter"
	"unicode"
	"unicode/utf8"

	"kerf/internal/spool"
)

// Text is one text with its terms in order, in two or three bits a byte. It is
// read only.
type Text struct {
	Source string
	words  bits    // bytes in a segment of words
	pairs  bits    // bytes in a segment of scripts without blanks; nil: there is none
	starts bits    // bytes at which a term begins
	before []int32 // before[k] is how many terms begin before byte 64k
	n      int
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
	t := &Text{Source: text, words: newBits(text), starts: newBits(text)}
	previous := outside // class of the code point before, resolved
	start := 0          // of the open segment
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
			t.close(previous, start, i)
			start = i
		}
		previous = c
		i += size
	}
	t.close(previous, start, len(text))
	t.before = make([]int32, len(t.starts))
	for k, w := range t.starts {
		t.before[k] = int32(t.n)
		t.n += count(w)
	}
	return t
}

// Into moves what is known of the text into its spool; the text is read in passing.
func (t *Text) Into(s *spool.Spool) {
	t.words, t.pairs, t.starts, t.before = spool.Slice(s, t.words), spool.Slice(s, t.pairs), spool.Slice(s, t.starts), spool.Slice(s, t.before)
	s.Passed(len(t.Source))
}

// close ends the segment [start, end).
func (t *Text) close(c class, start, end int) {
	switch c {
	case word:
		t.words.set(start, end)
		t.starts.set(start, start+1)
	case pairs:
		if t.pairs == nil {
			t.pairs = newBits(t.Source)
		}
		t.pairs.set(start, end)
		for a := start; ; {
			b := a + t.width(a)
			if b < end || a == start { // none begins at the last of several code points
				t.starts.set(a, a+1)
			}
			if a = b; a == end {
				return
			}
		}
	}
}

// width is the length of the code point at byte i.
func (t *Text) width(i int) int {
	_, n := utf8.DecodeRuneInString(t.Source[i:])
	return n
}

// Len is the number of terms.
func (t *Text) Len() int { return t.n }

// All are the terms in order, lower-cased, each with its index.
func (t *Text) All() iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		i := 0
		for start := range t.starts.all() {
			end := 0
			if t.words.has(start) {
				end = t.words.end(start, len(t.Source))
			} else if end = start + t.width(start); t.pairs.has(end) {
				end += t.width(end)
			}
			if !yield(i, Lower(t.Source[start:end])) {
				return
			}
			i++
		}
	}
}

// Terms lists all terms of a text in order, lower-cased.
func Terms(text string) []string {
	t := Split(text)
	out := make([]string, 0, t.Len())
	for _, s := range t.All() {
		out = append(out, s)
	}
	return out
}

// Slice says what the terms of Source[start:end] are: those with index from lo
// up to hi, and the fragments appended to dst as byte intervals of Source. start
// and end are code point boundaries.
func (t *Text) Slice(start, end int, dst [][2]int32) (lo, hi int, fragments [][2]int32) {
	if start >= end {
		return 0, 0, dst
	}
	s, fragment := start, func(from, to int) { dst = append(dst, [2]int32{int32(from), int32(to)}) }
	c := t.inside(s)
	if c == pairs {
		if at := t.orphans(s, end); at > s {
			// Marks cut from their base are a word, together with a word that follows.
			if t.words.has(at) {
				at = t.words.end(at, end)
			}
			fragment(s, at)
			if s = at; s < end {
				c = t.inside(s)
			}
		}
	}
	lo = t.rank(s)
	switch { // what is left of a segment that is cut at s
	case s == end:
	case c == word:
		to := t.words.end(s, end)
		fragment(s, to)
		s = to
	case c == pairs:
		if to := t.pairs.end(s, end); t.width(s) == to-s { // one code point of a longer stretch
			fragment(s, to)
			s = to
		}
	}
	if s == end {
		return lo, lo, dst
	}
	switch t.inside(end) { // and at the end
	case word:
		from := t.words.start(s, end)
		fragment(from, end)
		return lo, t.rank(from), dst
	case pairs:
		if from := t.pairs.start(s, end); t.width(from) == end-from {
			fragment(from, end)
			return lo, t.rank(from), dst
		}
		_, last := utf8.DecodeLastRuneInString(t.Source[s:end])
		return lo, t.rank(end - last), dst
	}
	return lo, t.rank(end), dst
}

// inside is the class of the segment that byte x is in and does not begin;
// outside if there is none.
func (t *Text) inside(x int) class {
	switch {
	case x == 0:
	case t.words.has(x) && t.words.has(x-1):
		return word
	case t.pairs.has(x) && t.pairs.has(x-1):
		return pairs
	}
	return outside
}

// rank is how many terms begin before byte x.
func (t *Text) rank(x int) int {
	k := x >> 6
	return int(t.before[k]) + count(t.starts[k]&(1<<(x&63)-1))
}

// orphans is the end of the marks at s that a cut inside a stretch of pairs
// separates from what they inherited their class from; s if there are none.
func (t *Text) orphans(s, end int) int {
	for s < end {
		r, n := utf8.DecodeRuneInString(t.Source[s:])
		if classOf(r) != inherits {
			break
		}
		s += n
	}
	return s
}
