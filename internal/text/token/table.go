package token

import (
	"math/bits"
	"slices"
	"unicode/utf8"

	"kerf/internal/text/span"
)

// pieces is what a Table needs to know of a tokenizer: it cuts a text into
// pieces, and each piece into tokens by itself.
type pieces interface {
	// piece is the end of the piece that begins at p < len(text), a function
	// of text[p:] alone.
	piece(text string, p int) int
	// countPiece is the number of tokens of the piece text[from:to].
	countPiece(text string, from, to int) int
	// pieceEnds appends the end of each of them, as an offset of text.
	pieceEnds(ends []int32, text string, from, to int) []int32
}

// margin: when this many pieces follow a piece, the scanner that made it has
// looked at nothing behind them, and not at the end of the text either.
//
// In a word, number or run of signs it looks at the code point behind it; after
// a word of o200k at three (a contraction), or at a run of capitals, which is
// the next piece, and the code point after it. In blanks it looks at all that
// are left and the code point behind them; what is left is at most one piece
// for all but the last blank, then that last blank, alone or at the head of a
// piece, then the piece of that code point. So three pieces are enough in valid
// text. An invalid byte may make the decoder look at three more bytes, which are
// signs of one piece, except for the last: four.
const margin = 4

// stepBits: Table.near has an entry for each 64 bytes.
const stepBits = 6

// Table is the tokens of one document under one tokenizer. It holds about 4
// bytes a token and refers to the text. It is read only.
type Table struct {
	tokenizer Tokenizer
	pieces    pieces // nil if the tokenizer is not of this package
	text      string
	bounds    []int32  // bounds[i] is the boundary before token i, bounds[N] the end of the last
	heads     []uint64 // bit i: a piece begins (or the text ends) at bounds[i]
	near      []int32  // near[k] is the index of the last boundary at or before k<<stepBits
}

// NewTable tokenises the text.
func NewTable(t Tokenizer, text string) *Table {
	tokens := len(text)/4 + 1
	if _, ok := t.(*BPE); !ok {
		tokens = t.Count(text)
	}
	table := &Table{tokenizer: t, text: text, bounds: make([]int32, 1, tokens+1)}
	table.pieces, _ = t.(pieces)
	if table.pieces == nil {
		table.bounds = append(table.bounds, t.Ends(text)...)
	}
	for p := 0; table.pieces != nil && p < len(text); {
		table.setHead()
		end := table.pieces.piece(text, p)
		table.bounds = table.pieces.pieceEnds(table.bounds, text, p, end)
		p = end
	}
	table.setHead()
	if cap(table.bounds) > len(table.bounds)+len(table.bounds)/8 {
		table.bounds = slices.Clone(table.bounds)
	}
	table.near = make([]int32, 0, len(text)>>stepBits+1)
	i := int32(0)
	for x := int32(0); int(x) <= len(text); x += 1 << stepBits {
		for int(i+1) < len(table.bounds) && table.bounds[i+1] <= x {
			i++
		}
		table.near = append(table.near, i)
	}
	return table
}

// setHead marks the last boundary so far.
func (t *Table) setHead() {
	i := len(t.bounds) - 1
	for len(t.heads) <= i>>6 {
		t.heads = append(t.heads, 0)
	}
	t.heads[i>>6] |= 1 << (i & 63)
}

// Len is the number of tokens, N.
func (t *Table) Len() int { return len(t.bounds) - 1 }

// Start is the byte offset of the boundary before token i, 0 <= i <= N.
func (t *Table) Start(i int) int { return int(t.bounds[i]) }

// Cut is Start(i), moved back to the start of a code point where the boundary
// is inside one.
func (t *Table) Cut(i int) int {
	return codePoint(t.text, int(t.bounds[i]))
}

// codePoint is the last start of a code point at or before x.
func codePoint(text string, x int) int {
	for x > 0 && x < len(text) && !utf8.RuneStart(text[x]) {
		x--
	}
	return x
}

// Boundary is the number of tokens before byte x, if a token begins or ends
// there.
func (t *Table) Boundary(x int) (i int, ok bool) {
	i = t.find(x)
	return i, int(t.bounds[i]) == x
}

// find is the index of the last boundary at or before byte x.
func (t *Table) find(x int) int {
	i := int(t.near[x>>stepBits])
	for i+1 < len(t.bounds) && int(t.bounds[i+1]) <= x {
		i++
	}
	return i
}

func (t *Table) isHead(i int) bool { return t.heads[i>>6]>>(i&63)&1 != 0 }

// headBefore is the index of the last piece boundary before boundary i, -1 if
// there is none.
func (t *Table) headBefore(i int) int {
	word := i >> 6
	rest := t.heads[word] & (1<<(i&63) - 1)
	for rest == 0 {
		if word--; word < 0 {
			return -1
		}
		rest = t.heads[word]
	}
	return word<<6 + bits.Len64(rest) - 1
}

// headAfter is the index of the first piece boundary after boundary i < N.
func (t *Table) headAfter(i int) int {
	i++
	word := i >> 6
	rest := t.heads[word] &^ (1<<(i&63) - 1)
	for rest == 0 {
		word++
		rest = t.heads[word]
	}
	return word<<6 + bits.TrailingZeros64(rest)
}

// settled is the index of the last piece boundary that a text which goes on
// differently after byte x has too, if it has an earlier one; -1 if none.
func (t *Table) settled(x int) int {
	i := t.find(x)
	if !t.isHead(i) {
		i = t.headBefore(i)
	}
	for range margin {
		if i < 0 {
			break
		}
		i = t.headBefore(i)
	}
	return i
}

// CountSlice is Count(prefix + text[s] + suffix), without tokenising more than
// the edges: pieces are cut from the prefix on until a piece boundary is one of
// the document's too; from there the document's pieces follow, up to the last
// that the scanner made without looking past the end of s; the rest, with the
// suffix, is tokenised again.
func (t *Table) CountSlice(prefix string, s span.Span, suffix string) int {
	if at, n := t.join(prefix, s, suffix); at >= 0 {
		return t.countFrom(at, n, s.End, suffix)
	}
	return t.tokenizer.Count(prefix + t.text[s.Start:max(s.Start, s.End)] + suffix)
}

// countFrom counts a slice that ends at byte end and has the document's piece
// boundary number at, with n tokens before it.
func (t *Table) countFrom(at, n, end int, suffix string) int {
	last := max(at, t.settled(end))
	rest := t.text[t.bounds[last]:end] + suffix
	b, ok := t.pieces.(*BPE)
	if !ok || len(rest) <= longPiece {
		return n + last - at + t.tokenizer.Count(rest)
	}
	n += last - at
	for p := 0; p < len(rest); {
		from := p
		if p = b.piece(rest, p); p-from > longPiece {
			n += t.countLong(b, rest[from:p], t.Start(last)+from, end)
		} else {
			n += b.countPiece(rest, from, p)
		}
	}
	return n
}

// longPiece is a length in bytes that is worth a look at the document's tokens.
// It is above that of every token.
const longPiece = 300

// countLong counts a piece that begins at byte from and agrees with the
// document up to byte end at the most.
//
// Where the document has a piece from there, its tokens up to any boundary are
// the encoding of those bytes: no merge has crossed the boundary, so the merges
// before it do not depend on what is behind. The encodings of two strings, side
// by side, are the encoding of both together if the two tokens where they meet
// stay apart: the first merge across would be the first of these two tokens
// alone as well.
func (t *Table) countLong(b *BPE, piece string, from, end int) int {
	i := t.find(from)
	if t.Start(i) == from && t.isHead(i) && i < t.Len() {
		var buf [shortPiece]int32
		j := min(t.find(min(end, from+len(piece))), t.headAfter(i))
		for tries := 0; j > i && tries < 8; tries, j = tries+1, j-1 {
			start := t.Start(j)
			rest := piece[start-from:]
			if rest == "" {
				return j - i
			}
			ends := b.vocab.split(buf[:0], rest)
			if b.vocab.apart(t.text[t.bounds[j-1]:start], rest[:ends[0]]) {
				return j - i + len(ends)
			}
		}
	}
	return b.countPiece(piece, 0, len(piece))
}

// join finds the first piece boundary of prefix + text[s] + suffix that is the
// document's too: its index in the document, at most settled(s.End), and the
// number of tokens before it. It is -1, 0 if there is none.
func (t *Table) join(prefix string, s span.Span, suffix string) (at, tokens int) {
	if t.pieces == nil || t.Len() == 0 || s.Empty() {
		return -1, 0
	}
	last := t.settled(s.End)
	at = t.find(s.Start)
	if last < at {
		return -1, 0
	}
	if prefix == "" && t.Start(at) == s.Start && t.isHead(at) {
		return at, 0
	}
	for window := 96; ; window *= 4 {
		end := min(s.End, codePoint(t.text, s.Start+window))
		edge := prefix + t.text[s.Start:end]
		// starts[i%margin] are the starts of the last pieces; one is settled
		// when margin more have followed it.
		var starts [margin + 1]int
		i, n, count := at, 0, 0
		for p := 0; p < len(edge); n++ {
			starts[n%(margin+1)] = p
			p = t.pieces.piece(edge, p)
			if n < margin {
				continue
			}
			from, to := starts[(n+1)%(margin+1)], starts[(n+2)%(margin+1)]
			count += t.pieces.countPiece(edge, from, to)
			x := s.Start + to - len(prefix)
			if x < s.Start {
				continue
			}
			for int(t.bounds[i]) < x && i < last {
				i++
			}
			if int(t.bounds[i]) == x && t.isHead(i) {
				return i, count
			}
			if i == last {
				return -1, 0
			}
		}
		if end == s.End {
			return -1, 0
		}
	}
}

// Fit is the longest [s.Start, x) inside s, x being s.End or the start of a code
// point, for which CountSlice is at most limit. It is empty if there is none,
// even where the empty text does not fit.
func (t *Table) Fit(prefix string, s span.Span, suffix string, limit int) span.Span {
	if s.Empty() {
		return span.Span{Start: s.Start, End: s.Start}
	}
	x, ok := s.End, false
	if at, n := t.join(prefix, s, suffix); at >= 0 {
		x, ok = t.fit(at, n, s, suffix, limit)
	}
	if !ok && x > s.Start {
		// Near the slice's start, or all of a slice that meets the document's
		// pieces nowhere: a table of its own.
		edge := prefix + t.text[s.Start:x]
		own := span.Span{Start: len(prefix), End: len(edge)}
		x, _ = NewTable(t.tokenizer, edge).fit(0, 0, own, suffix, limit)
		x += s.Start - len(prefix)
	}
	return span.Span{Start: s.Start, End: x}
}

// fit looks for the last x in s, down to s.Start, at which a slice that has the
// document's piece boundary number at, with n tokens before it, is at most
// limit tokens long. Where there are tokens before it, that is known only of
// the x that have it settled; ok is false if none of these x will do, and x is
// the last that was not tried.
func (t *Table) fit(at, n int, s span.Span, suffix string, limit int) (x int, ok bool) {
	x = s.End
	if t.countFrom(at, n, x, suffix) <= limit {
		return x, true
	}
	// The count is not monotonic in x, but n + settled(x) - at is a lower bound
	// that is; limit is below the count here.
	i := min(max(at, at+limit-n), t.Len())
	for range margin + 1 {
		if i < t.Len() {
			i = t.headAfter(i)
		}
	}
	if i < t.Len() {
		x = max(s.Start, min(x, t.Start(i)))
	}
	for ; x > s.Start && (n == 0 || t.settled(x) >= at); x = max(s.Start, codePoint(t.text, x-1)) {
		if t.countFrom(at, n, x, suffix) <= limit {
			return x, true
		}
	}
	return x, false
}
