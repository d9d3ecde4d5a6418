package chunks

import (
	"cmp"
	"fmt"
	"index/suffixarray"
	"slices"
	"strings"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

// index answers where texts stand in one text. It is made only for a document
// whose list has no placement or several.
type index struct {
	places *suffixarray.Index
	known  map[string][]int // ascending
	spent  int              // places in known
}

// mostSpent bounds the places that are looked up for one document.
const mostSpent = 1 << 24

func newIndex(text string) *index {
	return &index{places: suffixarray.New([]byte(text)), known: map[string][]int{}}
}

func (x *index) has(text string) bool { return len(x.places.Lookup([]byte(text), 1)) > 0 }

// between is the places of a text from first to last, both places themselves, at
// most n; more says that there are further ones.
func (x *index) between(text string, first, last, n int) (at []int, more bool) {
	all, ok := x.known[text]
	if !ok {
		if x.spent > mostSpent {
			return []int{first, last}, true
		}
		all = x.places.Lookup([]byte(text), -1)
		slices.Sort(all)
		x.known[text] = all
		x.spent += len(all)
	}
	i, _ := slices.BinarySearch(all, first)
	j, _ := slices.BinarySearch(all, last+1)
	return all[i:min(j, i+n)], j-i > n
}

// open lists a chunk that stays without a place. One with a problem of its own
// is said already.
func (r *reader) open(w *row, o Open, f finding.Finding) {
	if w.bad {
		return
	}
	r.table.Open = append(r.table.Open, o)
	if o.Reason != Waiting {
		r.problem(w, w.atText, f)
	}
}

func (r *reader) wait(w *row) { r.open(w, r.listed(w, Waiting, nil, false), finding.Finding{}) }

func (r *reader) notFound(w *row) {
	r.open(w, r.listed(w, NotFound, nil, false), finding.Finding{Code: CodeNotFound,
		Message:  fmt.Sprintf("chunk %s is not found in %s", jsonl.Quote(w.ID), jsonl.Quote(r.doc(w).Doc)),
		Expected: jsonl.Quote(w.text), Found: "nowhere, exactly or with white space folded",
		Hint: "text that the index added belongs under prefix; text that was rewritten has no place"})
}

// ambiguous lists the chunks that could stand at several places. Every place of
// a chunk from its earliest to its latest is one: the chunks before it fit in
// front, those behind it after.
func (r *reader) ambiguous(f frame, list []*row, first, last []int) {
	var x *index
	for i, w := range list {
		switch {
		case w.placed:
			continue
		case first[i] == last[i]:
			r.wait(w)
			continue
		case x == nil:
			x = newIndex(f.text)
		}
		at, more := x.between(f.list[i].text, first[i], last[i], MostPlaces)
		o := r.listed(w, Ambiguous, f.spans(i, at), more)
		r.open(w, o, finding.Finding{Code: CodeAmbiguous,
			Message:  fmt.Sprintf("chunk %s is ambiguous in %s: it could stand at %s", jsonl.Quote(w.ID), jsonl.Quote(r.doc(w).Doc), o),
			Expected: "one place in the order of the chunks", Found: jsonl.Quote(w.text), Hint: "give its start and end, or every chunk of the document in order"})
	}
}

// notInOrder lists one chunk that shows that a list is not in the order of its
// document; the others wait.
func (r *reader) notInOrder(f frame, list []*row, at []int, stuck int) {
	named := stuck // where that has a place, the nearest before it without, else the nearest behind
	for named >= 0 && list[named].placed {
		named--
	}
	if named < 0 {
		named = slices.IndexFunc(list, func(w *row) bool { return !w.placed })
	}
	for i, w := range list {
		switch {
		case w.placed:
		case i != named:
			r.wait(w)
		default:
			all, more := newIndex(f.text).between(f.list[i].text, 0, len(f.text), MostPlaces)
			o := r.listed(w, NotInOrder, f.spans(i, all), more)
			before := list[stuck-1] // the first is stuck only where it stands nowhere, which is said already
			start := r.listed(before, NotInOrder, []span.Span{f.span(stuck-1, at[stuck-1])}, false).Places[0].Start
			r.open(w, o, finding.Finding{Code: CodeNotInOrder,
				Message: fmt.Sprintf("the chunks of %s are not in its order: chunk %s has no place behind chunk %s, which starts at %d or later",
					jsonl.Quote(r.doc(w).Doc), jsonl.Quote(list[stuck].ID), jsonl.Quote(before.ID), start),
				Expected: "chunks in the order of the document, or their start and end", Found: fmt.Sprintf("chunk %s at %s", jsonl.Quote(w.ID), o)})
		}
	}
}

// span is the bytes of piece i at a place.
func (f frame) span(i, at int) span.Span {
	if p := f.list[i]; p.fixed >= 0 {
		return span.Span{Start: p.given, End: p.given}
	}
	return f.source(at, at+len(f.list[i].text))
}

func (f frame) spans(i int, at []int) []span.Span {
	out := make([]span.Span, len(at))
	for j, a := range at {
		out[j] = f.span(i, a)
	}
	return out
}

// listed is a chunk with its places in the file's unit, in bytes where that
// cannot name one of them.
func (r *reader) listed(w *row, reason Reason, places []span.Span, more bool) Open {
	o := Open{ID: w.ID, Doc: w.Doc, Line: w.Line, Reason: reason, Unit: cmp.Or(r.table.Unit, coord.Byte), Places: places, More: more}
	out := make([]span.Span, len(places))
	for i, p := range places {
		start, err1 := r.coords(w.Doc).Offset(o.Unit, p.Start)
		end, err2 := r.coords(w.Doc).Offset(o.Unit, p.End)
		if err1 != nil || err2 != nil {
			o.Unit = coord.Byte
			return o
		}
		out[i] = span.Span{Start: start, End: end}
	}
	o.Places = out
	return o
}

// String is the places for a message, the first ten.
func (o Open) String() string {
	var all []string
	for _, p := range o.Places[:min(10, len(o.Places))] {
		all = append(all, p.String())
	}
	if o.More || len(o.Places) > 10 {
		all = append(all, "…")
	}
	return strings.Join(all, ", ") + " (" + string(o.Unit) + ")"
}
