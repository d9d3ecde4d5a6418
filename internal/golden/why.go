package golden

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/text/coord"
	"kerf/internal/text/quote"
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
	if at := quote.Find(d.Text, s.Quote); len(at) > 0 {
		return p.shifted(s, d, at)
	}
	for _, k := range quote.Differences() {
		found := p.fold(d, k.Fold).Find(k.Fold.Quote(s.Quote))
		if len(found) == 0 {
			continue
		}
		f := finding.Finding{Code: codeOf(k.Kind), Message: k.Reason}
		if k.Kind == quote.LineEndings && strings.Contains(s.Quote, "\r") {
			f.Message = "line endings (LF in the file, CRLF in the quote)"
		}
		shown := make([]string, 0, maxPlaces)
		for _, b := range found[:min(maxPlaces, len(found))] {
			shown = append(shown, fmt.Sprintf("%s at %s", quoted(cut(d.Text[b.Start:b.End])), p.show(d, b)))
		}
		f.Hint = "the document has " + strings.Join(shown, " and ")
		if paste := p.paste(d, found[0]); len(found) == 1 && k.Kind != quote.Extraction && paste != "" {
			f.Paste = fmt.Sprintf(`%s,"quote":%s`, paste, quoted(d.Text[found[0].Start:found[0].End]))
		}
		return f
	}
	for _, o := range p.corpus.Documents {
		if at := quote.Find(o.Text, s.Quote); o != d && len(at) > 0 {
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

type foldKey struct {
	doc  string
	fold quote.Fold
}

func (p *places) fold(d *corpus.Document, k quote.Fold) quote.Folded {
	key := foldKey{d.Doc, k}
	f, ok := p.folds[key]
	if !ok {
		f = k.Apply(d.Text)
		p.folds[key] = f
	}
	return f
}

func codeOf(k quote.Kind) string {
	switch k {
	case quote.LineEndings:
		return CodeLineBreaks
	case quote.Normalisation:
		return CodeNormal
	case quote.Writing:
		return CodeFolded
	}
	return CodeExtracted
}
