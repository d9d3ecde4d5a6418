package token

import (
	"unicode/utf8"

	"kerf/internal/text/span"
)

// Frame is what stands before and after a slice, with the tokens that each has by
// itself.
type Frame struct {
	before, after string
	Tokens        int // of both
	end           int // of after
}

// Frame is the frame of these for slices of the table's text.
func (t *Table) Frame(before, after string) *Frame {
	end := t.tokenizer.Count(after)
	return &Frame{before, after, t.tokenizer.Count(before) + end, end}
}

// CountFramed is CountSlice(before, s, after). It is faster where Apart knows.
func (t *Table) CountFramed(f *Frame, s span.Span) int {
	if n, ok := t.Apart(f, s); ok {
		return f.Tokens + n
	}
	return t.CountSlice(f.before, s, f.after)
}

// Apart is how many tokens a slice adds to those of its frame. ok is false if that
// is not easily seen: a piece has to begin with the slice, and where it ends no
// piece before the last may have looked further. That depends only on the last
// byte of what stands before the slice, and on all that stands after it.
func (t *Table) Apart(f *Frame, s span.Span) (n int, ok bool) {
	switch p := t.tokenizer.(type) {
	case codepoints:
		return t.find(s.End) - t.find(s.Start), !s.Empty()
	case *BPE:
		return t.apart(p, f, s)
	}
	return 0, false
}

func (t *Table) apart(b *BPE, f *Frame, s span.Span) (n int, ok bool) {
	if s.Empty() || !opens(f.before, t.text[s.Start:s.End]) || f.after != "" && f.after[0] != '\n' {
		return 0, false
	}
	last := t.settled(s.End)
	// From the start on, up to a boundary of the document's pieces.
	for p := s.Start; p <= last; {
		if t.isHead(p) {
			end := t.headAt(s.End)
			m, ok := t.countEnd(b, f, end, s.End)
			return n + t.find(end) - t.find(p) + m, ok
		}
		from := p
		p = b.piece(t.text, p)
		n += b.countPiece(t.text, from, p)
	}
	return 0, false
}

// opens reports whether it is easily seen that a piece ends with before and
// another begins with the text.
//
// A line break before a piece of anything but blanks belongs to the blanks or
// signs in front of it. After these, o200k takes slashes as well. Blanks that
// follow are parted from the line break if there is none among them and something
// comes after them: here one blank of ASCII that is no line break and a sign,
// letter or digit of ASCII.
func opens(before, text string) bool {
	if before == "" {
		return true
	}
	if before[len(before)-1] != '\n' {
		return false
	}
	c := text[0]
	if c == ' ' && len(text) > 1 {
		return printing(text[1])
	}
	return printing(c) && c != '/'
}

// printing reports a letter, digit or sign of ASCII.
func printing(c byte) bool { return '!' <= c && c <= '~' }

func digit(c byte) bool { return '0' <= c && c <= '9' }

func alphabetic(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

// countEnd counts the tokens from piece boundary from up to byte x, in which no
// piece of the document ends, together with what the frame's after has
// more, or less, than by itself. ok is false if it is not easily seen that the
// document's pieces up to there are the slice's.
func (t *Table) countEnd(b *BPE, f *Frame, from, x int) (n int, ok bool) {
	apart := alphabetic(t.text[x-1]) || digit(t.text[x-1]) // a letter or digit, then a line break or nothing: a piece ends
	if from == x {
		if apart {
			return 0, true
		}
		if from = t.headAt(x - 1); from < 0 {
			return 0, false
		}
		n -= t.find(x) - t.find(from)
	}
	if rest := t.text[from:x]; from == 0 || !settles(t.text[from-1], rest) {
		return 0, false
	} else if apart || f.after == "" {
		return n + b.Count(rest), true
	} else {
		return n + b.Count(rest+f.after) - f.end, true
	}
}

// settles reports whether it is easily seen that the pieces before a piece have
// looked at no more than rest, of which that piece begins with. A word, number or
// signs look at one code point, but at an apostrophe and what follows it, and at
// a capital and what follows it where there is no blank or sign between. Blanks
// look as far as the first code point that is none.
func settles(before byte, rest string) bool {
	switch first := rest[0]; {
	case first == ' ':
		return printing(before) || len(rest) > 1 && printing(rest[1])
	case alphabetic(first):
		return before < utf8.RuneSelf && !alphabetic(before)
	default:
		return printing(first) && first != '\''
	}
}
