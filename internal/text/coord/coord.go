// Package coord translates offsets into one text between bytes, code points,
// UTF-16 code units and tokens.
//
// Inside kerf every offset is a byte of UTF-8; a Map is the door. A translation
// gives exactly the same place in the text or an error, in both directions:
// there is no rounding. A place is a boundary between code points: an offset
// inside one (a byte that continues it, the second half of a surrogate pair, a
// token that begins in its middle) is no place.
package coord

import (
	"fmt"
	"math/bits"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"kerf/internal/text/token"
)

// Unit is what an offset counts: one of the constants, or "token:" and the name
// of a tokenizer.
type Unit string

const (
	Byte      Unit = "byte" // of UTF-8
	CodePoint Unit = "codepoint"
	UTF16     Unit = "utf16" // code units
)

const tokenPrefix = "token:"

// ParseUnit is the unit written as s.
func ParseUnit(s string) (Unit, error) {
	switch u := Unit(s); u {
	case Byte, CodePoint, UTF16:
		return u, nil
	}
	if name, ok := strings.CutPrefix(s, tokenPrefix); ok {
		if _, err := token.Named(name); err != nil {
			return "", fmt.Errorf("unit %q: %w", s, err)
		}
		return Unit(s), nil
	}
	return "", fmt.Errorf("unknown unit %q (have byte, codepoint, utf16, token:NAME)", s)
}

// stepBits: a checkpoint stands at each 128 bytes, a tenth of the text.
const stepBits = 7

// checkpoint counts what begins before its byte.
type checkpoint struct{ codePoints, utf16, lines int32 }

// Map translates the offsets of one text. It is safe for use by several
// goroutines.
type Map struct {
	text   string
	marks  []checkpoint
	total  checkpoint
	mu     sync.Mutex
	tables map[Unit]*token.Table // made at first use
}

// New reads the text once; it must be valid UTF-8 (see InvalidUTF8).
func New(text string) *Map {
	if !utf8.ValidString(text) {
		panic("BUG: coord.New: the text is not UTF-8")
	}
	m := &Map{text: text, marks: make([]checkpoint, 0, len(text)>>stepBits+1)}
	for from := 0; from < len(text); from += 1 << stepBits {
		m.marks = append(m.marks, m.total)
		m.total = m.total.plus(text[from:min(from+1<<stepBits, len(text))])
	}
	return m
}

// plus counts what begins in s too.
func (c checkpoint) plus(s string) checkpoint {
	for i := range len(s) {
		switch b := s[i]; {
		case b == '\n':
			c.lines++
			fallthrough
		case utf8.RuneStart(b):
			c.codePoints++
			c.utf16 += width16(b)
		}
	}
	return c
}

// width16 is the number of UTF-16 code units of a code point by its first byte:
// those of four bytes need a surrogate pair.
func width16(first byte) int32 {
	if first >= 0xF0 {
		return 2
	}
	return 1
}

// ascii reports whether all units but tokens are equal.
func (m *Map) ascii() bool { return int(m.total.codePoints) == len(m.text) }

// before counts what begins before byte b, 0 <= b <= len(text).
func (m *Map) before(b int) checkpoint {
	if b == len(m.text) {
		return m.total
	}
	k := b >> stepBits
	return m.marks[k].plus(m.text[k<<stepBits : b])
}

// Byte is the byte at which the text's unit number offset begins; the number of
// units is the end of the text. It is an error if the offset is out of range or
// inside a code point.
func (m *Map) Byte(u Unit, offset int) (int, error) {
	if name, ok := strings.CutPrefix(string(u), tokenPrefix); ok {
		table := m.table(u, name)
		if offset < 0 || offset > table.Len() {
			return 0, outOfRange(u, offset, table.Len())
		}
		b := table.Start(offset)
		return b, m.onBoundary(u, offset, b)
	}
	count := func(c checkpoint) int { return int(c.codePoints) }
	size := m.total
	switch u {
	case Byte:
		if offset < 0 || offset > len(m.text) {
			return 0, outOfRange(u, offset, len(m.text))
		}
		return offset, m.onBoundary(u, offset, offset)
	case UTF16:
		count = func(c checkpoint) int { return int(c.utf16) }
	case CodePoint:
	default:
		panic("BUG: coord: unknown unit " + string(u))
	}
	if offset < 0 || offset > count(size) {
		return 0, outOfRange(u, offset, count(size))
	}
	if m.ascii() || offset == 0 {
		return offset, nil
	}
	if offset == count(size) {
		return len(m.text), nil
	}
	// The last checkpoint with at most offset units before it, and on from there.
	k, _ := slices.BinarySearchFunc(m.marks, offset+1, func(c checkpoint, n int) int { return count(c) - n })
	b := (k - 1) << stepBits
	left := offset - count(m.marks[k-1])
	for u == CodePoint && left >= 8 { // 8 bytes begin at most 8 code points, so the place lies beyond them
		left -= starts(m.text[b : b+8])
		b += 8
	}
	for ; ; b++ {
		first := m.text[b]
		if !utf8.RuneStart(first) {
			continue
		}
		if left == 0 {
			return b, nil
		}
		if u == UTF16 && left == 1 && width16(first) == 2 {
			return 0, m.inside(u, offset, b)
		}
		if u == UTF16 {
			left -= int(width16(first))
		} else {
			left--
		}
	}
}

// starts is how many of 8 bytes begin a code point: all but those that are 10xxxxxx.
func starts(s string) int {
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 | uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	return 8 - bits.OnesCount64(w>>7&^(w>>6)&0x0101010101010101)
}

// Offset is the number of units before a byte. It is an error if the byte is
// out of range or inside a code point, or if no token begins or ends there.
func (m *Map) Offset(u Unit, b int) (int, error) {
	if b < 0 || b > len(m.text) {
		return 0, outOfRange(Byte, b, len(m.text))
	}
	if err := m.onBoundary(Byte, b, b); err != nil {
		return 0, err
	}
	if name, ok := strings.CutPrefix(string(u), tokenPrefix); ok {
		i, ok := m.table(u, name).Boundary(b)
		if !ok {
			return 0, fmt.Errorf("byte offset %d is not on a boundary of %s", b, name)
		}
		return i, nil
	}
	switch {
	case u == Byte, m.ascii():
		return b, nil
	case u == CodePoint:
		return int(m.before(b).codePoints), nil
	case u == UTF16:
		return int(m.before(b).utf16), nil
	}
	panic("BUG: coord: unknown unit " + string(u))
}

// LineColumn is the line and, in code points, the column of the code point at
// byte b, both from 1; 0 <= b <= len(text). Only a line feed ends a line.
func (m *Map) LineColumn(b int) (line, column int) {
	b = codePoint(m.text, b)
	here := m.before(b)
	start := m.before(strings.LastIndexByte(m.text[:b], '\n') + 1)
	return int(here.lines) + 1, int(here.codePoints-start.codePoints) + 1
}

func (m *Map) table(u Unit, name string) *token.Table {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.tables[u] == nil {
		t, err := token.Named(name)
		if err != nil {
			panic("BUG: coord: " + err.Error())
		}
		if m.tables == nil {
			m.tables = map[Unit]*token.Table{}
		}
		m.tables[u] = token.NewTable(t, m.text)
	}
	return m.tables[u]
}

// onBoundary is an error if byte b, which is the place of offset, is inside a
// code point.
func (m *Map) onBoundary(u Unit, offset, b int) error {
	if first := codePoint(m.text, b); first != b {
		return m.inside(u, offset, first)
	}
	return nil
}

// codePoint is the last start of a code point at or before b.
func codePoint(text string, b int) int {
	for b < len(text) && !utf8.RuneStart(text[b]) {
		b--
	}
	return b
}

func (m *Map) inside(u Unit, offset, first int) error {
	r, w := utf8.DecodeRuneInString(m.text[first:])
	return fmt.Errorf("%s offset %d is not on a character boundary: it is inside %U at bytes [%d,%d)", u, offset, r, first, first+w)
}

func outOfRange(u Unit, offset, size int) error {
	return fmt.Errorf("%s offset %d is out of range: the text has %d", u, offset, size)
}

// InvalidUTF8 is the position of the first byte of b that is not UTF-8.
func InvalidUTF8(b []byte) (position int, bad bool) {
	for position < len(b) {
		r, w := utf8.DecodeRune(b[position:])
		if r == utf8.RuneError && w == 1 {
			return position, true
		}
		position += w
	}
	return 0, false
}
