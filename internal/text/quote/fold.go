package quote

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"kerf/internal/text/span"
)

// Fold is a set of differences that are looked through.
type Fold struct{ lines, normal, letters, blanks, signs, compat, hyphens bool }

// Kind is a kind of difference between a quote and a text.
type Kind int

const (
	LineEndings   Kind = iota
	Normalisation      // NFC against NFD
	Writing            // case, blanks, typographic signs
	Extraction         // ligatures, soft hyphens, hyphens at line ends
)

// Difference is a fold with what it looks through, for a message.
type Difference struct {
	Kind   Kind
	Reason string
	Fold   Fold
}

// Differences are to be tried in this order, the smallest first.
func Differences() []Difference {
	return []Difference{
		{LineEndings, "line endings (CRLF in the file, LF in the quote)", Fold{lines: true}},
		{Normalisation, "quote and text differ only by Unicode normalisation (NFC/NFD)", Fold{normal: true}},
		{Writing, "quote and text differ in blanks", Fold{lines: true, blanks: true}},
		{Writing, "quote and text differ in upper and lower case", Fold{letters: true}},
		{Writing, "quote and text differ in quotation marks or dashes", Fold{signs: true}},
		{Extraction, "quote and text differ in ligatures or other compatibility characters", Fold{normal: true, compat: true}},
		{Extraction, "the text has soft hyphens or hyphens at line ends", Fold{hyphens: true}},
		{Writing, "quote and text differ in several ways: case, blanks, typographic signs", Fold{lines: true, normal: true, letters: true, blanks: true, signs: true}},
		{Extraction, "quote and text differ in several ways, ligatures or hyphens among them", Fold{true, true, true, true, true, true, true}},
	}
}

// Folded is a text under a fold, with the runs it was made of.
type Folded struct {
	text string
	runs []run // the last one is the end
}

// run begins at byte to of the folded text and at byte from of the source. It
// is one piece, or, if same, a stretch that the fold left as it was.
type run struct {
	to, from int
	same     bool
}

// Find is where a folded quote stands, in the source's bytes; only places that
// begin and end between pieces.
func (f Folded) Find(quote string) []span.Span {
	var found []span.Span
	for _, at := range Find(f.text, quote) {
		if b, ok := f.Source(at, at+len(quote)); ok {
			found = append(found, b)
		}
	}
	return found
}

// Source is an interval of the folded text in the source's bytes, if it begins
// and ends between pieces.
func (f Folded) Source(at, end int) (span.Span, bool) {
	i, _ := slices.BinarySearchFunc(f.runs, at+1, func(r run, to int) int { return r.to - to })
	j, _ := slices.BinarySearchFunc(f.runs, end, func(r run, to int) int { return r.to - to })
	first, last := f.runs[i-1], f.runs[j]
	if last.to > end {
		last = f.runs[j-1]
	}
	return span.Span{Start: first.from + at - first.to, End: last.from + end - last.to}, (first.same || first.to == at) && (last.same || last.to == end)
}

// Apply folds a text piece by piece.
func (k Fold) Apply(text string) Folded {
	var b strings.Builder
	var f Folded
	for at := 0; at < len(text); {
		n, out := k.piece(text[at:])
		same := out == text[at:at+n]
		if m := len(f.runs); m == 0 || !same || !f.runs[m-1].same {
			f.runs = append(f.runs, run{b.Len(), at, same})
		}
		b.WriteString(out)
		at += n
	}
	f.text = b.String()
	f.runs = append(f.runs, run{b.Len(), len(text), true})
	return f
}

// Quote folds a quote, which loses the blanks at its edges where blanks are
// looked through.
func (k Fold) Quote(quote string) string {
	quote = k.Apply(quote).text
	if k.blanks {
		quote = strings.TrimSpace(quote)
	}
	return quote
}

// piece is the length of the next piece of a text and what it folds to.
func (k Fold) piece(rest string) (n int, out string) {
	r, size := utf8.DecodeRuneInString(rest)
	if k.hyphens {
		if n := hyphen(rest, r, size); n > 0 {
			return n, ""
		}
	}
	switch {
	case k.blanks && unicode.IsSpace(r):
		for n < len(rest) {
			c, w := utf8.DecodeRuneInString(rest[n:])
			if !unicode.IsSpace(c) {
				break
			}
			n += w
		}
		return n, " "
	case k.lines && strings.HasPrefix(rest, "\r\n"):
		return 2, "\n"
	case k.normal:
		n = norm.NFC.NextBoundaryInString(rest, true)
		out = rest[:n]
		if k.compat {
			out = norm.NFKC.String(out)
		} else {
			out = norm.NFC.String(out)
		}
	default:
		n, out = size, rest[:size]
	}
	if k.letters {
		out = strings.ToLower(out)
	}
	if k.signs {
		out = strings.Map(sign, out)
	}
	return n, out
}

// hyphen is the length of a soft hyphen or a hyphen at a line end, with the
// line break and the blanks of the next line; 0 if rest begins with neither.
func hyphen(rest string, r rune, size int) int {
	after := strings.TrimLeft(rest[size:], " \t\r")
	broken := strings.HasPrefix(after, "\n")
	if broken {
		after = strings.TrimLeft(after, " \t\r\n")
	}
	switch {
	case broken && (r == '-' || r == '\u00ad' || r == '\u2010'):
		return len(rest) - len(after)
	case r == '\u00ad':
		return size
	}
	return 0
}

// sign maps typographic quotation marks and dashes to plain ones.
func sign(r rune) rune {
	switch r {
	case '‘', '’', '‚', '‛', '′':
		return '\''
	case '“', '”', '„', '‟', '″', '«', '»':
		return '"'
	case '‐', '‑', '‒', '–', '—', '―', '−':
		return '-'
	}
	return r
}

// Text is the folded text.
func (f Folded) Text() string { return f.text }

// At is where the piece of the source that holds a byte stands in the folded
// text; inside of a stretch that is unchanged, the byte itself.
func (f Folded) At(source int) int {
	i, _ := slices.BinarySearchFunc(f.runs, source+1, func(r run, from int) int { return r.from - from })
	r := f.runs[i-1]
	if r.same {
		return r.to + source - r.from
	}
	return r.to
}
