// Package quote finds where a quote stands in a text, and, where it does not,
// what differs.
//
// A Fold looks through differences (line endings, normalisation, case, …); a
// Folded is a text under a fold, which still knows the source bytes of every
// piece. Words and surroundings are what people see around a place.
package quote

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"kerf/internal/text/span"
)

// Find is the byte offsets of quote in text, overlapping ones too.
func Find(text, quote string) []int {
	var at []int
	for from := 0; quote != ""; {
		i := strings.Index(text[from:], quote)
		if i < 0 {
			break
		}
		at = append(at, from+i)
		_, step := utf8.DecodeRuneInString(text[from+i:])
		from += i + step
	}
	return at
}

// ContextLength is the code points of prefix and suffix that carry a label.
const ContextLength = 32

// Surroundings are the 32 code points before and after b, fewer at an end.
func Surroundings(text string, b span.Span) (prefix, suffix string) {
	return Around(text, b, ContextLength)
}

// Around is the n code points before and after b, fewer at an end.
func Around(text string, b span.Span, n int) (prefix, suffix string) {
	before := []rune(text[max(0, b.Start-4*n):b.Start])
	after := []rune(text[b.End:min(len(text), b.End+4*n)])
	return string(before[max(0, len(before)-n):]), string(after[:min(n, len(after))])
}

// CutsWord reports whether a letter, mark or digit stands on both sides of
// the byte, neither of a script that writes no blanks between words.
func CutsWord(text string, at int) bool {
	before, _ := utf8.DecodeLastRuneInString(text[:at])
	after, _ := utf8.DecodeRuneInString(text[at:])
	return at > 0 && at < len(text) && spaced(before) && spaced(after)
}

// spaced: the scripts left out are those of engine.md 2.
func spaced(r rune) bool {
	return unicode.In(r, unicode.L, unicode.M, unicode.N) && r != 0x30fc && r != 0xff70 &&
		!unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar)
}

// WordStart is the start of the word that at cuts, else at.
func WordStart(text string, at int) int {
	for CutsWord(text, at) {
		_, n := utf8.DecodeLastRuneInString(text[:at])
		at -= n
	}
	return at
}

// WordEnd is the end of the word that at cuts, else at.
func WordEnd(text string, at int) int {
	for CutsWord(text, at) {
		_, n := utf8.DecodeRuneInString(text[at:])
		at += n
	}
	return at
}
