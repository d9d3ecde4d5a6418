package token

import (
	"unicode/utf8"

	"kerf/internal/spool"
	"kerf/internal/text/span"
)

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

// Table is the tokens of one document under one tokenizer. It refers to the text
// and holds 0.4 bytes for each of its bytes, nothing for code points of ASCII. It
// is read only.
type Table struct {
	tokenizer Tokenizer
	text      string
	bounds
}

// NewTable tokenises the text.
func NewTable(t Tokenizer, text string) *Table {
	table := &Table{tokenizer: t, text: text}
	ok := false
	if t == (codepoints{}) {
		table.bounds, ok = codePointBounds(text)
	}
	if !ok {
		table.bounds = pieceBounds(t, text)
	}
	return table
}

// Into moves the table into the spool of its text, which is read in passing.
func (t *Table) Into(s *spool.Spool) *Table {
	t.blocks, t.samples = spool.Slice(s, t.blocks), spool.Slice(s, t.samples)
	s.Passed(len(t.text))
	return t
}

// Cut is Start(i), moved back to the start of a code point where the boundary
// is inside one.
func (t *Table) Cut(i int) int {
	return codePoint(t.text, t.Start(i))
}

// codePoint is the last start of a code point at or before x.
func codePoint(text string, x int) int {
	for x > 0 && x < len(text) && !utf8.RuneStart(text[x]) {
		x--
	}
	return x
}

// settled is the last piece boundary that a text which goes on differently after
// byte x has too, if it has an earlier one; negative if none.
func (t *Table) settled(x int) int {
	x = t.headAt(x)
	for range margin {
		x = t.headAt(x - 1)
	}
	return x
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
// boundary at, with n tokens before it.
func (t *Table) countFrom(at, n, end int, suffix string) int {
	last := max(at, t.settled(end))
	rest := t.text[last:end] + suffix
	n += t.find(last) - t.find(at)
	b, ok := t.tokenizer.(*BPE)
	if !ok || len(rest) <= longPiece {
		return n + t.tokenizer.Count(rest)
	}
	for p := 0; p < len(rest); {
		from := p
		if p = b.piece(rest, p); p-from > longPiece {
			n += t.countLong(b, rest[from:p], last+from, end)
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
	if from < len(t.text) && t.isHead(from) {
		var buf [2 * window]int32
		i, j := t.find(from), t.find(min(end, from+len(piece), t.headAfter(from)))
		for tries := 0; j > i && tries < 8; tries, j = tries+1, j-1 {
			start := t.Start(j)
			rest := piece[start-from:]
			if rest == "" {
				return j - i
			}
			ends := b.vocab.split(buf[:0], rest, 0, len(rest))
			if b.vocab.apart(piece, t.Start(j-1)-from, start-from, start-from+int(ends[0])) {
				return j - i + len(ends)
			}
		}
	}
	return b.countPiece(piece, 0, len(piece))
}

// join finds the first piece boundary of prefix + text[s] + suffix that is the
// document's too: its place in the document, at most settled(s.End), and the
// number of tokens before it. It is -1, 0 if there is none.
func (t *Table) join(prefix string, s span.Span, suffix string) (at, tokens int) {
	if t.Len() == 0 || s.Empty() {
		return -1, 0
	}
	last := t.settled(s.End)
	if last < s.Start {
		return -1, 0
	}
	if prefix == "" && t.isHead(s.Start) {
		return s.Start, 0
	}
	for window := 96; ; window *= 4 {
		end := min(s.End, codePoint(t.text, s.Start+window))
		edge := prefix + t.text[s.Start:end]
		// starts[i%margin] are the starts of the last pieces; one is settled
		// when margin more have followed it.
		var starts [margin + 1]int
		n, count := 0, 0
		for p := 0; p < len(edge); n++ {
			starts[n%(margin+1)] = p
			p = t.tokenizer.piece(edge, p)
			if n < margin {
				continue
			}
			from, to := starts[(n+1)%(margin+1)], starts[(n+2)%(margin+1)]
			count += t.tokenizer.countPiece(edge, from, to)
			x := s.Start + to - len(prefix)
			if x < s.Start {
				continue
			}
			if x > last {
				return -1, 0
			}
			if t.isHead(x) {
				return x, count
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
// document's piece boundary at, with n tokens before it, is at most limit tokens
// long. Where there are tokens before it, that is known only of
// the x that have it settled; ok is false if none of these x will do, and x is
// the last that was not tried.
func (t *Table) fit(at, n int, s span.Span, suffix string, limit int) (x int, ok bool) {
	x = s.End
	if t.countFrom(at, n, x, suffix) <= limit {
		return x, true
	}
	// The count is not monotonic in x, but n and the tokens from at to settled(x)
	// are a lower bound that is; limit is below the count here.
	first := t.find(at)
	beyond, size := t.Start(min(max(first, first+limit-n), t.Len())), t.Start(t.Len())
	for range margin + 1 {
		if beyond < size {
			beyond = t.headAfter(beyond)
		}
	}
	if beyond < size {
		x = max(s.Start, min(x, beyond))
	}
	for ; x > s.Start && (n == 0 || t.settled(x) >= at); x = max(s.Start, codePoint(t.text, x-1)) {
		if t.countFrom(at, n, x, suffix) <= limit {
			return x, true
		}
	}
	return x, false
}
