package chunks

import (
	"slices"
	"strings"

	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// piece is one chunk of a document's list: a text to place, or a place.
type piece struct {
	text  string
	fixed int // in the searched text; -1: to be placed
	given int // the same place in the document, which tells places in one run of blanks apart
}

// earliest is the least place of each piece in any placement with strictly
// ascending starts: each stands at its first place behind the one before it.
// stuck is the first piece without one, -1 if all have. Each search begins
// behind the previous start, so that all together cost one pass over the text
// and the pieces.
func earliest(text string, list []piece) (at []int, stuck int) {
	at = make([]int, len(list))
	from := 0
	for i, p := range list {
		switch {
		case p.fixed >= from, p.fixed >= 0 && i > 0 && list[i-1].fixed >= 0 && list[i-1].given < p.given:
			at[i] = p.fixed
		case p.fixed >= 0:
			return at, i
		default:
			n := strings.Index(text[from:], p.text)
			if n < 0 {
				return at, i
			}
			at[i] = from + n
		}
		from = at[i] + 1
	}
	return at, -1
}

// latest is the greatest place of each piece in any such placement, of which
// there is one.
func latest(text string, list []piece) []int {
	at := make([]int, len(list))
	before := len(text)
	for i, p := range slices.Backward(list) {
		if at[i] = p.fixed; p.fixed < 0 {
			at[i] = strings.LastIndex(text[:min(len(text), before-1+len(p.text))], p.text)
		}
		before = at[i]
	}
	return at
}

// frame is a document's text as it is searched, and its list in its terms.
type frame struct {
	text   string
	list   []piece
	source func(at, end int) span.Span // of the text in the document
}

// plain is the text as it is.
func plain(text string, list []*row) frame {
	f := frame{text: text, source: func(at, end int) span.Span { return span.Span{Start: at, End: end} }}
	for _, w := range list {
		p := piece{w.text, -1, 0}
		if w.placed {
			p = piece{"", w.Start, w.Start}
		}
		f.list = append(f.list, p)
	}
	return f
}

// blanks is the text with white space folded.
func blanks(text string, list []*row) frame {
	fold := quote.Blanks()
	folded := fold.Apply(text)
	f := frame{text: folded.Text(), source: func(at, end int) span.Span {
		b, ok := folded.Source(at, end)
		if !ok {
			panic("BUG: a text without blanks at its edges begins or ends inside a run of blanks")
		}
		return b
	}}
	for _, w := range list {
		p := piece{fold.Quote(w.text), -1, 0}
		if w.placed {
			p = piece{"", folded.At(w.Start), w.Start}
		}
		f.list = append(f.list, p)
	}
	return f
}

// align places the chunks of text alone, a document at a time.
func (r *reader) align() {
	lists := make([][]*row, len(r.corpus.Documents))
	toPlace := make([]bool, len(lists))
	for _, w := range r.rows {
		if w.given && !w.placed {
			continue // its place is not known: without it the order says less, never more
		}
		lists[w.Doc] = append(lists[w.Doc], w)
		toPlace[w.Doc] = toPlace[w.Doc] || !w.given
	}
	for doc, list := range lists {
		if toPlace[doc] {
			r.alignDocument(r.corpus.Documents[doc].Text, list)
		}
	}
	slices.SortFunc(r.table.Open, func(a, b Open) int { return a.Line - b.Line })
}

// alignDocument places the list of one document as a whole, exactly, else with
// white space folded, or says what stands in the way.
func (r *reader) alignDocument(text string, list []*row) {
	if r.place(plain(text, list), list, true) {
		return
	}
	folded := blanks(text, list)
	if r.place(folded, list, true) {
		return
	}
	// No placement. Without the chunks that stand nowhere there may be one, which
	// tells what else is open.
	found := newIndex(folded.text)
	var rest []*row
	for i, w := range list {
		if w.placed || found.has(folded.list[i].text) {
			rest = append(rest, w)
		} else {
			r.notFound(w)
		}
	}
	if len(rest) < len(list) && (r.place(plain(text, rest), rest, false) || r.place(blanks(text, rest), rest, false)) {
		return
	}
	folded = blanks(text, rest)
	at, stuck := earliest(folded.text, folded.list)
	r.notInOrder(folded, rest, at, stuck)
}

// place settles a list that has a placement, and is false where it has none.
// Only a whole list that has exactly one is placed: every other placement lies
// between the earliest and the latest.
func (r *reader) place(f frame, list []*row, whole bool) bool {
	first, stuck := earliest(f.text, f.list)
	if stuck >= 0 {
		return false
	}
	last := latest(f.text, f.list)
	if !whole || !slices.Equal(first, last) {
		r.ambiguous(f, list, first, last)
		return true
	}
	for i, w := range list {
		if w.placed {
			continue
		}
		w.Span, w.placed = f.source(first[i], first[i]+len(f.list[i].text)), true
		switch {
		case w.bad:
		case r.doc(w).Text[w.Start:w.End] == w.text:
			r.table.Exact++
		default:
			r.table.Folded++
		}
	}
	return true
}
