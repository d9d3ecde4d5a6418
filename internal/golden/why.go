package golden

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

// maxPlaces is how many places of a quote a message lists.
const maxPlaces = 5

// why says why the quote of s is not where s says, or, for a draft, not in the
// document: code, reason as the message, hint, and what to paste where one
// place is certain enough to propose. Nothing is placed.
func (p *places) why(s *Span, d *corpus.Document, set *Set) finding.Finding {
	if s.Quote == "" {
		return finding.Finding{Code: CodeNowhere, Message: "the quote is empty"}
	}
	if f, ok := p.otherUnit(s, d, set); ok {
		return f
	}
	if at := occurrences(d.Text, s.Quote); len(at) > 0 {
		return p.shifted(s, d, at)
	}
	for _, k := range foldings() {
		quote := apply(s.Quote, k.fold).text
		if k.fold.blanks {
			quote = strings.TrimSpace(quote)
		}
		found := p.fold(d, k.fold).find(quote)
		if len(found) == 0 {
			continue
		}
		f := finding.Finding{Code: k.code, Message: k.reason}
		if k.code == CodeLineBreaks && strings.Contains(s.Quote, "\r") {
			f.Message = "line endings (LF in the file, CRLF in the quote)"
		}
		shown := make([]string, 0, maxPlaces)
		for _, b := range found[:min(maxPlaces, len(found))] {
			shown = append(shown, fmt.Sprintf("%s at %s", cut(quoted(d.Text[b.Start:b.End])), p.show(d, b)))
		}
		f.Hint = "the document has " + strings.Join(shown, " and ")
		if paste := p.paste(d, found[0]); len(found) == 1 && k.code != CodeExtracted && paste != "" {
			f.Paste = fmt.Sprintf(`%s,"quote":%s`, paste, quoted(d.Text[found[0].Start:found[0].End]))
		}
		return f
	}
	for _, o := range p.corpus.Documents {
		if at := occurrences(o.Text, s.Quote); o != d && len(at) > 0 {
			b := span.Span{Start: at[0], End: at[0] + len(s.Quote)}
			return finding.Finding{Code: CodeOtherDoc, Message: "the quote stands in another document", Hint: fmt.Sprintf("%s has it at %s", o.Doc, p.show(o, b)),
				Paste: fmt.Sprintf(`"doc":%s,"version":%s,%s`, quoted(o.Doc), quoted(o.Version.Version), p.paste(o, b))}
		}
	}
	return finding.Finding{Code: CodeNowhere, Message: "the quote stands nowhere in the corpus", Hint: "quote the document's own words, or leave the question out"}
}

// otherUnit explains offsets that are right in another unit.
func (p *places) otherUnit(s *Span, d *corpus.Document, set *Set) (finding.Finding, bool) {
	if s.Draft {
		return finding.Finding{}, false
	}
	for _, u := range []coord.Unit{"codepoint", "byte", "utf16"} {
		if u == p.unit || !p.fits(u, s, d) {
			continue
		}
		b, _ := p.under(u, s, d)
		f := finding.Finding{Code: CodeShifted, Message: fmt.Sprintf("the offsets are in unit %s, the header says %s", u, p.unit), Paste: p.paste(d, b),
			Hint: fmt.Sprintf("unit %s would match", u)}
		if _, all := p.fitsAll(set, u); all {
			f.Hint += fmt.Sprintf(`, for every quote of the file: write "unit":%s in the header`, quoted(string(u)))
		}
		return f, true
	}
	return finding.Finding{}, false
}

// shifted explains a quote that stands elsewhere in its document. The nearest
// place is proposed, the others are listed.
func (p *places) shifted(s *Span, d *corpus.Document, at []int) finding.Finding {
	want := len(d.Text)
	if b, err := p.coords(d).Byte(p.unit, s.Start); err == nil {
		want = b
	}
	distance := func(a int) int { return max(a-want, want-a) }
	near := slices.Clone(at)
	slices.SortStableFunc(near, func(a, b int) int {
		ca := hasContext(s, d.Text, span.Span{Start: a, End: a + len(s.Quote)})
		cb := hasContext(s, d.Text, span.Span{Start: b, End: b + len(s.Quote)})
		switch {
		case ca != cb && ca:
			return -1
		case ca != cb:
			return 1
		}
		return distance(a) - distance(b)
	})
	b := span.Span{Start: near[0], End: near[0] + len(s.Quote)}
	lo, hi := min(near[0], want), max(near[0], want)
	f := finding.Finding{Code: CodeShifted, Message: fmt.Sprintf("shifted by %s", count(utf8.RuneCountInString(d.Text[lo:hi]), "code point", "code points")), Paste: p.paste(d, b)}
	start, _, err := p.offsets(d, b)
	switch {
	case err != nil:
		f.Hint = fmt.Sprintf("the only place is %s, which unit %s cannot name", p.show(d, b), p.unit)
	case len(at) == 1:
		f.Hint = fmt.Sprintf("it stands only at %d", start)
	default:
		f.Hint = fmt.Sprintf("nearest start %d (another at %s)", start, p.list(s, d, near[1:]))
	}
	return f
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// list is the starts of the quote in the file's unit, at most maxPlaces.
func (p *places) list(s *Span, d *corpus.Document, at []int) string {
	var shown []string
	for _, a := range at[:min(len(at), maxPlaces)] {
		start, _, err := p.offsets(d, span.Span{Start: a, End: a + len(s.Quote)})
		if err != nil {
			shown = append(shown, fmt.Sprintf("byte %d", a))
			continue
		}
		shown = append(shown, fmt.Sprint(start))
	}
	if more := len(at) - maxPlaces; more > 0 {
		shown = append(shown, fmt.Sprintf("%d more", more))
	}
	return strings.Join(shown, ", ")
}

// occurrences are the byte offsets of quote in text, overlapping ones too.
func occurrences(text, quote string) []int {
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

// fold is a set of differences that are looked through.
type fold struct{ lines, normal, letters, blanks, signs, compat, hyphens bool }

type folding struct {
	code, reason string
	fold         fold
}

// foldings are tried in this order, the smallest difference first.
func foldings() []folding {
	return []folding{
		{CodeLineBreaks, "line endings (CRLF in the file, LF in the quote)", fold{lines: true}},
		{CodeNormal, "quote and text differ only by Unicode normalisation (NFC/NFD)", fold{normal: true}},
		{CodeFolded, "quote and text differ in blanks", fold{lines: true, blanks: true}},
		{CodeFolded, "quote and text differ in upper and lower case", fold{letters: true}},
		{CodeFolded, "quote and text differ in quotation marks or dashes", fold{signs: true}},
		{CodeExtracted, "quote and text differ in ligatures or other compatibility characters", fold{normal: true, compat: true}},
		{CodeExtracted, "the text has soft hyphens or hyphens at line ends", fold{hyphens: true}},
		{CodeFolded, "quote and text differ in several ways: case, blanks, typographic signs", fold{lines: true, normal: true, letters: true, blanks: true, signs: true}},
		{CodeExtracted, "quote and text differ in several ways, ligatures or hyphens among them", fold{true, true, true, true, true, true, true}},
	}
}

type foldKey struct {
	doc  string
	fold fold
}

// folded is a text under a fold, with the runs it was made of.
type folded struct {
	text string
	runs []run // the last one is the end
}

// run begins at byte to of the folded text and at byte from of the source. It
// is one piece, or, if same, a stretch that the fold left as it was.
type run struct {
	to, from int
	same     bool
}

func (p *places) fold(d *corpus.Document, k fold) folded {
	key := foldKey{d.Doc, k}
	f, ok := p.folds[key]
	if !ok {
		f = apply(d.Text, k)
		p.folds[key] = f
	}
	return f
}

// find is where a folded quote stands, in the source's bytes; only places that
// begin and end between pieces.
func (f folded) find(quote string) []span.Span {
	var found []span.Span
	for _, at := range occurrences(f.text, quote) {
		end := at + len(quote)
		i, _ := slices.BinarySearchFunc(f.runs, at+1, func(r run, to int) int { return r.to - to })
		j, _ := slices.BinarySearchFunc(f.runs, end, func(r run, to int) int { return r.to - to })
		first, last := f.runs[i-1], f.runs[j]
		if last.to > end {
			last = f.runs[j-1]
		}
		if (first.same || first.to == at) && (last.same || last.to == end) {
			found = append(found, span.Span{Start: first.from + at - first.to, End: last.from + end - last.to})
		}
	}
	return found
}

// apply folds a text piece by piece.
func apply(text string, k fold) folded {
	var b strings.Builder
	var f folded
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

// piece is the length of the next piece of a text and what it folds to.
func (k fold) piece(rest string) (n int, out string) {
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
