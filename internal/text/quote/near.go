package quote

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kerf/internal/text/span"
)

// Words is the words of a text, as all folds together see them, and where they
// stand. A word is a run of letters, marks and digits; any other character that
// is no blank, and each one of a script without word spaces, is one by itself.
type Words struct {
	words []string
	at    []span.Span // bytes of the text
}

// Near is a stretch of words that a quote nearly is.
type Near struct {
	span.Span
	Differ int // words that are changed, added or missing
	Of     int // words of the longer of the two
}

// Similarity is the share of words that are the same, 0 to 1.
func (n Near) Similarity() float64 { return 1 - float64(n.Differ)/float64(n.Of) }

// NewWords takes a text apart.
func NewWords(text string) *Words {
	f := Fold{true, true, true, true, true, true, true}.Apply(text)
	w := &Words{}
	for at := 0; at < len(f.text); {
		n := wordLength(f.text[at:])
		if word := f.text[at : at+n]; strings.TrimSpace(word) != "" {
			w.words = append(w.words, word)
			w.at = append(w.at, f.source(at, at+n))
		}
		at += n
	}
	return w
}

// wordLength is the length of the word, blank or sign that a text begins with.
func wordLength(text string) int {
	n := 0
	for i, r := range text {
		if !spaced(r) {
			break
		}
		n = i + utf8.RuneLen(r)
	}
	if n == 0 {
		_, n = utf8.DecodeRuneInString(text)
	}
	return n
}

// source is where a stretch of the folded text comes from, widened to whole
// pieces.
func (f Folded) source(from, to int) span.Span {
	i, _ := slices.BinarySearchFunc(f.runs, from+1, func(r run, at int) int { return r.to - at })
	j, _ := slices.BinarySearchFunc(f.runs, to, func(r run, at int) int { return r.to - at })
	first, last := f.runs[i-1], f.runs[j-1]
	s := span.Span{Start: first.from, End: f.runs[j].from}
	if first.same {
		s.Start += from - first.to
	}
	if last.same {
		s.End = last.from + to - last.to
	}
	return s
}

// Near is the stretches that share at least the part `least` of their words, in
// order, with the quote; the nearest first, none touching a nearer one. The
// distance is Levenshtein's over words; stretches begin anywhere (Sellers 1980).
func (w *Words) Near(quote string, least float64) []Near {
	q := NewWords(quote).words
	if len(q) == 0 || len(w.words) == 0 {
		return nil
	}
	ids := map[string]int{}
	for _, word := range q {
		if _, ok := ids[word]; !ok {
			ids[word] = len(ids) + 1
		}
	}
	want := make([]int, len(q))
	for i, word := range q {
		want[i] = ids[word]
	}
	type cell struct{ differ, start int }
	column := make([]cell, len(q)+1)
	for i := range column {
		column[i] = cell{i, 0}
	}
	type window struct{ start, end, differ int }
	var windows []window
	for j, word := range w.words {
		id := ids[word]
		diagonal := column[0]
		column[0] = cell{0, j + 1}
		for i, wanted := range want {
			best := diagonal
			if wanted != id {
				best.differ++
			}
			diagonal = column[i+1]
			if c := column[i+1]; c.differ+1 < best.differ {
				best = cell{c.differ + 1, c.start}
			}
			if c := column[i]; c.differ+1 < best.differ {
				best = cell{c.differ + 1, c.start}
			}
			column[i+1] = best
		}
		if c := column[len(q)]; float64(len(q)-c.differ) >= least*float64(len(q)) {
			windows = append(windows, window{c.start, j + 1, c.differ})
		}
	}
	of := func(v window) int { return max(len(q), v.end-v.start) }
	slices.SortStableFunc(windows, func(a, b window) int {
		return cmp.Or(a.differ*of(b)-b.differ*of(a), (a.end-a.start)-(b.end-b.start))
	})
	var found []Near
	taken := make([]bool, len(w.words))
	for _, v := range windows {
		n := Near{Differ: v.differ, Of: of(v)}
		if v.start == v.end || n.Similarity() < least || slices.Contains(taken[v.start:v.end], true) {
			continue
		}
		for i := v.start; i < v.end; i++ {
			taken[i] = true
		}
		n.Span = span.Span{Start: w.at[v.start].Start, End: w.at[v.end-1].End}
		found = append(found, n)
	}
	return found
}

// Resemblance compares two texts word by word.
func Resemblance(a, b string) Near {
	long, short := NewWords(a), NewWords(b)
	if len(long.words) < len(short.words) {
		long, short = short, long
	}
	n := Near{Of: max(1, len(long.words))}
	column := make([]int, len(short.words)+1)
	for i := range column {
		column[i] = i
	}
	for j, word := range long.words {
		diagonal := column[0]
		column[0] = j + 1
		for i, other := range short.words {
			best := diagonal
			if word != other {
				best++
			}
			diagonal = column[i+1]
			column[i+1] = min(best, column[i]+1, column[i+1]+1)
		}
	}
	n.Differ = column[len(short.words)]
	return n
}

// mostCells bounds the table of Diff; larger texts differ as a whole.
const mostCells = 4 << 20

// Diff shows on one line what became of a text: [-gone-] and {+new+}, long
// stretches that are the same shortened, characters that look like others or
// like nothing as their code points.
func Diff(from, to string) string {
	a, b := pieces(from), pieces(to)
	head := 0
	for head < min(len(a), len(b)) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < min(len(a), len(b))-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var out strings.Builder
	var gone, added, same []string
	flush := func() {
		if len(gone) > 0 {
			out.WriteString("[-" + visible(strings.Join(gone, "")) + "-]")
		}
		if len(added) > 0 {
			out.WriteString("{+" + visible(strings.Join(added, "")) + "+}")
		}
		gone, added = nil, nil
	}
	equal := func(end bool) {
		first := out.Len() == 0
		if len(same) > 0 {
			flush()
			out.WriteString(shorten(same, first, end))
			same = nil
		}
	}
	midA, midB := a[head:len(a)-tail], b[head:len(b)-tail]
	same = slices.Clone(a[:head])
	for _, s := range steps(midA, midB) {
		if s.kind == 0 {
			if len(gone)+len(added) > 0 {
				flush()
			}
			same = append(same, s.text)
			continue
		}
		equal(false)
		if s.kind < 0 {
			gone = append(gone, s.text)
		} else {
			added = append(added, s.text)
		}
	}
	flush()
	same = append(same, a[len(a)-tail:]...)
	equal(true)
	return out.String()
}

// shorten leaves a few pieces of a stretch that is the same beside what differs.
func shorten(same []string, first, last bool) string {
	const few = 8
	if first && last || len(same) <= 2*few {
		return visible(strings.Join(same, ""))
	}
	head, tail := visible(strings.Join(same[:few], ""))+"…", "…"+visible(strings.Join(same[len(same)-few:], ""))
	switch {
	case first:
		return tail
	case last:
		return head
	}
	return head + tail[len("…"):]
}

// pieces cuts a text into words, signs and blanks.
func pieces(text string) []string {
	var all []string
	for text != "" {
		n := wordLength(text)
		all = append(all, text[:n])
		text = text[n:]
	}
	return all
}

type step struct {
	kind int // -1 gone, 0 same, 1 added
	text string
}

// steps turns a into b over a longest common subsequence.
func steps(a, b []string) []step {
	var all []step
	if len(a)*len(b) > mostCells {
		return append(all, step{-1, strings.Join(a, "")}, step{1, strings.Join(b, "")})
	}
	common := make([][]int32, len(a)+1)
	for i := range common {
		common[i] = make([]int32, len(b)+1)
	}
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) || j < len(b) {
		switch {
		case i < len(a) && j < len(b) && a[i] == b[j]:
			all = append(all, step{0, a[i]})
			i, j = i+1, j+1
		case j == len(b) || i < len(a) && common[i+1][j] >= common[i][j+1]:
			all = append(all, step{-1, a[i]})
			i++
		default:
			all = append(all, step{1, b[j]})
			j++
		}
	}
	return all
}

// visible writes out what cannot be seen, or not be told apart.
func visible(text string) string {
	var b strings.Builder
	for _, r := range text {
		switch {
		case r == '\n':
			b.WriteString("⏎")
		case r == '\r':
			b.WriteString("␍")
		case r == '\t':
			b.WriteString("␉")
		case r != ' ' && unicode.IsSpace(r), unicode.In(r, unicode.Cf, unicode.Cc, unicode.Mn):
			b.WriteString(codePoint(r))
		case r >= 0xfb00 && r <= 0xfb06: // Latin ligatures
			b.WriteString(string(r) + codePoint(r))
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

func codePoint(r rune) string {
	const hex = "0123456789ABCDEF"
	digits := ""
	for n := r; n > 0 || len(digits) < 4; n >>= 4 {
		digits = string(hex[n&15]) + digits
	}
	return "(U+" + digits + ")"
}
