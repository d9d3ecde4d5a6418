package token

import (
	"math/bits"
	"sync"
	"unicode"
	"unicode/utf8"
)

// What the scanners ask of a code point, as bits.
const (
	letter  = 1 << iota // \p{L}
	number              // \p{N}
	blank               // \s, the property White_Space
	newline             // carriage return or line feed
	upper               // [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]
	lower               // [\p{Ll}\p{Lm}\p{Lo}\p{M}]

	// sign is what has none of these bits: [^\s\p{L}\p{N}]. Marks are signs.
	notSign = letter | number | blank
)

// classTable holds the bits of every code point. It is a megabyte of which a
// text touches a few lines.
type classTable [unicode.MaxRune + 1]uint8

// classes is made once.
var classes = sync.OnceValue(newClasses)

// newClasses is filled from Go's own Unicode tables.
func newClasses() *classTable {
	c := new(classTable)
	for _, row := range []struct {
		table *unicode.RangeTable
		bits  uint8
	}{
		{unicode.Lu, letter | upper},
		{unicode.Lt, letter | upper},
		{unicode.Ll, letter | lower},
		{unicode.Lm, letter | upper | lower},
		{unicode.Lo, letter | upper | lower},
		{unicode.M, upper | lower},
		{unicode.N, number},
		{unicode.White_Space, blank},
	} {
		for _, r := range row.table.R16 {
			c.add(rune(r.Lo), rune(r.Hi), rune(r.Stride), row.bits)
		}
		for _, r := range row.table.R32 {
			c.add(rune(r.Lo), rune(r.Hi), rune(r.Stride), row.bits)
		}
	}
	c['\r'] |= newline
	c['\n'] |= newline
	return c
}

func (c *classTable) add(lo, hi, stride rune, bits uint8) {
	for r := lo; r <= hi; r += stride {
		c[r] |= bits
	}
}

// at is the class and the width of the code point at p < len(s).
func (c *classTable) at(s string, p int) (class uint8, width int) {
	if b := s[p]; b < utf8.RuneSelf {
		return c[b], 1
	}
	return c.beyond(s, p)
}

// beyond is at of a code point that is not of ASCII.
func (c *classTable) beyond(s string, p int) (class uint8, width int) {
	r, w := utf8.DecodeRuneInString(s[p:])
	return c[r], w
}

// letters is the end of the run of letters at p, eight of ASCII at a time.
func (c *classTable) letters(s string, p int) int {
	for p+8 <= len(s) {
		w := le64(s[p:])
		n := alphabeticBytes(w|0x20*ones, 'a')
		if p += n; n == 8 {
			continue
		}
		if s[p] < utf8.RuneSelf {
			return p
		}
		break
	}
	return c.run(s, p, letter)
}

// alphabeticBytes is how many bytes of w, from the lowest on, are among the 26
// from first on, 'a' or 'A'.
func alphabeticBytes(w uint64, first uint64) int {
	low := w &^ (0x80 * ones)
	from := low + (0x80-first)*ones      // 0x80 where a byte is first or more
	beyond := low + (0x80-first-26)*ones // 0x80 where it is beyond the 26
	return bits.TrailingZeros64((^from|beyond|w)&(0x80*ones)) >> 3
}

// run is the end of the run at p of code points with any of the bits.
func (c *classTable) run(s string, p int, bits uint8) int {
	for p < len(s) {
		k, w := c.at(s, p)
		if k&bits == 0 {
			break
		}
		p += w
	}
	return p
}

// runWithout is the end of the run at p of code points with none of the bits.
func (c *classTable) runWithout(s string, p int, bits uint8) int {
	for p < len(s) {
		k, w := c.at(s, p)
		if k&bits != 0 {
			break
		}
		p += w
	}
	return p
}

// Both scanners give the end of the piece that begins at p < len(s), as the
// leftmost alternative of tiktoken's pattern would match there, without
// backtracking. They look at s[p:] only.

// scanCl100k follows
//
//	'(?i:[sdmt]|ll|ve|re)
//	[^\r\n\p{L}\p{N}]?+\p{L}++
//	\p{N}{1,3}+
//	 ?[^\s\p{L}\p{N}]++[\r\n]*+
//	\s++$
//	\s*[\r\n]
//	\s+(?!\S)
//	\s
func scanCl100k(c *classTable, s string, p int) int {
	k, w := c.at(s, p)
	q := p + w
	switch {
	case k&letter != 0:
		return c.letters(s, q)
	case k&number != 0:
		return c.digits(s, q)
	case s[p] == '\'':
		if end := contraction(s, p); end > p {
			return end
		}
	}
	if q < len(s) {
		switch k2, w2 := c.at(s, q); {
		case k2&letter != 0 && k&newline == 0:
			return c.letters(s, q+w2)
		case k2&notSign == 0 && s[p] == ' ':
			return c.run(s, c.runWithout(s, q+w2, notSign), newline)
		}
	}
	if k&blank == 0 {
		return c.run(s, c.runWithout(s, q, notSign), newline)
	}
	end, last, line := c.blanks(s, p)
	switch {
	case end == len(s):
		return end
	case line > p:
		return line
	case last > p:
		return last
	}
	return end
}

// scanO200k follows
//
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	[^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*(?i:'s|'t|'re|'ve|'m|'ll|'d)?
//	\p{N}{1,3}
//	 ?[^\s\p{L}\p{N}]+[\r\n/]*
//	\s*[\r\n]+
//	\s+(?!\S)
//	\s+
func scanO200k(c *classTable, s string, p int) int {
	k, w := c.at(s, p)
	q := p + w
	switch {
	case k&number != 0:
		return c.digits(s, q)
	case k&(upper|lower) != 0:
		// A mark could also be the first alternative's optional sign; the
		// piece ends at the same place either way.
		return c.cased(s, p)
	}
	if q < len(s) {
		switch k2, w2 := c.at(s, q); {
		case k2&(upper|lower) != 0 && k&newline == 0:
			return c.cased(s, q)
		case k2&notSign == 0 && s[p] == ' ':
			return c.signs(s, q+w2)
		}
	}
	if k&blank == 0 {
		return c.signs(s, q)
	}
	end, last, line := c.blanks(s, p)
	switch {
	case line > p:
		return line
	case end < len(s) && last > p:
		return last
	}
	return end
}

// cased is the end of the word of o200k whose letters begin at p; there is at
// least one letter or mark.
//
// The first alternative takes all of the upper run and then the lower run. With
// no lower case letter behind the upper run it gives back until a code point of
// both classes is the lower run. With none of these either, the second
// alternative takes the whole upper run.
func (c *classTable) cased(s string, p int) int {
	end, both := p, p
	for end < len(s) {
		k, w := c.at(s, end)
		if k&upper == 0 {
			break
		}
		end += w
		if k&lower != 0 {
			both = end
		}
	}
	switch lowEnd := c.run(s, end, lower); {
	case lowEnd > end:
		end = lowEnd
	case both > p:
		end = both
	}
	if next := contraction(s, end); next > end {
		return next
	}
	return end
}

// signs is the end of a run of signs and the line breaks and slashes after it.
func (c *classTable) signs(s string, p int) int {
	p = c.runWithout(s, p, notSign)
	for p < len(s) && (s[p] == '\r' || s[p] == '\n' || s[p] == '/') {
		p++
	}
	return p
}

// digits is the end of a number whose first digit ends at p: three at most.
func (c *classTable) digits(s string, p int) int {
	for range 2 {
		if p == len(s) {
			break
		}
		k, w := c.at(s, p)
		if k&number == 0 {
			break
		}
		p += w
	}
	return p
}

// blanks looks at the run of White_Space at p: its end, the start of its last
// code point, and the end of its last line break (p if it has none).
func (c *classTable) blanks(s string, p int) (end, last, line int) {
	end, last, line = p, p, p
	for end < len(s) {
		k, w := c.at(s, end)
		if k&blank == 0 {
			break
		}
		last = end
		end += w
		if k&newline != 0 {
			line = end
		}
	}
	return end, last, line
}

// contraction is the end of '(?i:s|d|m|t|ll|ve|re) at p, else p. Without regard
// to case, s is also the long s, U+017F; no other letter here has a third form.
func contraction(s string, p int) int {
	if p+1 >= len(s) || s[p] != '\'' {
		return p
	}
	a := s[p+1] | 0x20
	switch a {
	case 's', 'd', 'm', 't':
		return p + 2
	}
	if p+2 >= len(s) {
		return p
	}
	b := s[p+2] | 0x20
	switch {
	case a == 'l' && b == 'l', a == 'v' && b == 'e', a == 'r' && b == 'e', s[p+1:p+3] == "ſ":
		return p + 3
	}
	return p
}
