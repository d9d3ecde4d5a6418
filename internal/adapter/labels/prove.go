package labels

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/text/coord"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// mostPlaces is how many places of a quote a message lists.
const mostPlaces = 5

// prover holds claims against the texts of a corpus.
type prover struct {
	corpus *corpus.Corpus
	unit   coord.Unit
	maps   map[string]*coord.Map
	folds  map[fold]quote.Folded
}

type fold struct {
	doc  string
	kind quote.Kind
}

func (p *prover) coords(d *corpus.Document) *coord.Map {
	m := p.maps[d.Doc]
	if m == nil {
		m = coord.New(d.Text)
		p.maps[d.Doc] = m
	}
	return m
}

// under is the place of a claim, were its offsets in unit u.
func (p *prover) under(u coord.Unit, c claim, d *corpus.Document) (span.Span, error) {
	start, err := p.coords(d).Byte(u, c.Start)
	if err != nil {
		return span.Span{}, err
	}
	end, err := p.coords(d).Byte(u, c.End)
	return span.Span{Start: start, End: end}, err
}

// document is the document of a claim, or why there is none.
func (p *prover) document(c claim) (*corpus.Document, *finding.Finding) {
	if d := p.corpus.Find(c.Doc); d != nil {
		return d, nil
	}
	f := &finding.Finding{Code: CodeDoc, Message: "the document is not there", Expected: "a document of the corpus", Found: fmt.Sprintf("%q", c.Doc),
		Hint: "freeze it, or lead from one name to the other: --map FOREIGN=DOC, --doc-prefix, --doc-suffix"}
	var ids []string
	for _, d := range p.corpus.Documents {
		if ids = append(ids, d.Doc); stem(d.Doc) == stem(c.Doc) {
			f.Hint = fmt.Sprintf("%q exists: --map FOREIGN=DOC, --doc-prefix and --doc-suffix lead from one name to the other", d.Doc)
			f.Paste = rename(c.Doc, d.Doc)
			return nil, f
		}
	}
	if guess := finding.DidYouMean(c.Doc, ids); guess != "" {
		f.Hint = guess
	}
	return nil, f
}

// rename is the flag that leads from a foreign name to a document's, "" where a shell
// would act on the words.
func rename(foreign, doc string) string {
	if strings.ContainsFunc(foreign+doc, func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsNumber(r) && !strings.ContainsRune("_-./", r)
	}) {
		return ""
	}
	if prefix, ok := strings.CutSuffix(foreign, doc); ok {
		return "--doc-prefix " + prefix
	}
	if suffix, ok := strings.CutPrefix(doc, foreign); ok {
		return "--doc-suffix " + suffix
	}
	return "--map " + foreign + "=" + doc
}

// place is where a claim with offsets stands, in bytes, if the text there is its
// quote between what should surround it.
func (p *prover) place(c claim, d *corpus.Document) (span.Span, *finding.Finding) {
	stated := span.Span{Start: c.Start, End: c.End}
	if c.Quote == "" {
		return span.Span{}, &finding.Finding{Code: CodeUnproved, Message: "offsets without the text that would prove them", Expected: "the words of the passage beside its offsets", Found: stated.String()}
	}
	length, err := p.coords(d).Offset(p.unit, len(d.Text))
	if err != nil {
		panic("BUG: " + err.Error()) // foreign units are not tokens
	}
	b, err := p.under(p.unit, c, d)
	part := span.Span{Start: 0, End: length}
	if !c.Part.Empty() {
		part = c.Part
	}
	if err != nil || c.Start >= c.End || !part.Contains(stated) {
		f := &finding.Finding{Code: CodePlace, Message: fmt.Sprintf("no place in %s", c.Doc),
			Expected: fmt.Sprintf("%d <= start < end <= %d (unit %s)", part.Start, part.End, p.unit), Found: stated.String(), Hint: p.elsewhere(c, d)}
		if err != nil {
			f.Message += ": " + err.Error()
		}
		return span.Span{}, f
	}
	if there := d.Text[b.Start:b.End]; there != c.Quote {
		n := common(there, c.Quote)
		return span.Span{}, &finding.Finding{Code: CodeText, Message: fmt.Sprintf("the text at %s %s is another one from character %d on", c.Doc, stated, n),
			Expected: around(c.Quote, n), Found: around(there, n), Hint: p.elsewhere(c, d)}
	}
	if !strings.HasSuffix(d.Text[:b.Start], c.Prefix) || !strings.HasPrefix(d.Text[b.End:], c.Suffix) {
		before, after := quote.Surroundings(d.Text, b)
		return span.Span{}, &finding.Finding{Code: CodeDisagree, Message: fmt.Sprintf("prefix or suffix is not what surrounds the quote at %s %s", c.Doc, stated),
			Expected: fmt.Sprintf("%q and %q", c.Prefix, c.Suffix), Found: fmt.Sprintf("%q and %q", before, after)}
	}
	return b, nil
}

// common is the number of characters before the first difference.
func common(a, b string) (n int) {
	for a != "" && b != "" {
		r, i := utf8.DecodeRuneInString(a)
		s, j := utf8.DecodeRuneInString(b)
		if r != s {
			return n
		}
		a, b, n = a[i:], b[j:], n+1
	}
	return n
}

// around is a text for a message, from a little before its character n.
func around(text string, n int) string {
	const before, all = 20, 60
	r := []rune(text)
	from := max(0, min(n-before, len(r)))
	s := fmt.Sprintf("%q", string(r[from:min(from+all, len(r))]))
	if from > 0 {
		s = "… " + s
	}
	if from+all < len(r) {
		s += " …"
	}
	return s
}

// elsewhere says where the quote of a wrong claim does stand, or what differs
// from it. Nothing is placed by it.
func (p *prover) elsewhere(c claim, d *corpus.Document) string {
	var hints []string
	for _, u := range []coord.Unit{coord.CodePoint, coord.Byte, coord.UTF16} {
		if b, err := p.under(u, c, d); u != p.unit && err == nil && c.Start < c.End && d.Text[b.Start:b.End] == c.Quote {
			hints = append(hints, fmt.Sprintf("in unit %s they would match", u))
		}
	}
	if at := quote.Find(d.Text, c.Quote); len(at) > 0 {
		return strings.Join(append(hints, "the quote stands at "+p.starts(d, at)), "; ")
	}
	for _, k := range quote.Differences() {
		key := fold{d.Doc, k.Kind}
		folded, ok := p.folds[key]
		if !ok {
			folded = k.Fold.Apply(d.Text)
			p.folds[key] = folded
		}
		if found := folded.Find(k.Fold.Quote(c.Quote)); len(found) > 0 {
			at := make([]int, len(found))
			for i, b := range found {
				at[i] = b.Start
			}
			return strings.Join(append(hints, k.Reason, "the document has it at "+p.starts(d, at)), "; ")
		}
	}
	return strings.Join(append(hints, "the quote stands nowhere in "+d.Doc), "; ")
}

// starts are offsets in the unit of the file.
func (p *prover) starts(d *corpus.Document, at []int) string {
	var shown []string
	for _, a := range at[:min(len(at), mostPlaces)] {
		n, err := p.coords(d).Offset(p.unit, a)
		if err != nil {
			panic("BUG: " + err.Error()) // quotes begin between characters
		}
		shown = append(shown, fmt.Sprint(n))
	}
	if more := len(at) - mostPlaces; more > 0 {
		shown = append(shown, fmt.Sprintf("%d more", more))
	}
	return strings.Join(shown, ", ")
}
