package golden

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kerf/internal/corpus"
	"kerf/internal/corpus/alike"
	"kerf/internal/finding"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// place is where a quote stands, white space folded.
type place struct {
	doc *corpus.Document
	b   span.Span
}

// at reports whether p is the place of s: folded quotes have no blanks at their
// edges.
func (p place) at(s *Span) bool {
	return p.doc.Doc == s.Doc && !s.Bytes.Empty() && p.b == trimmed(s)
}

// trimmed is a placed span without the blanks at its edges.
func trimmed(s *Span) span.Span {
	b := s.Bytes
	return span.Span{Start: b.End - len(strings.TrimLeftFunc(s.Quote, unicode.IsSpace)), End: b.Start + len(strings.TrimRightFunc(s.Quote, unicode.IsSpace))}
}

// stand finds every placed quote in every document, in one pass over each.
func (k *checker) stand() {
	at := map[string]int{}
	var quotes, folded []string
	for _, q := range k.set.Questions {
		for _, s := range q.Spans {
			f := quote.Blanks().Quote(s.Quote)
			if _, ok := at[s.Quote]; ok || s.Bytes.Empty() || f == "" || q.At == nil {
				continue
			}
			at[s.Quote] = len(quotes)
			quotes, folded = append(quotes, s.Quote), append(folded, f)
		}
	}
	if len(quotes) == 0 {
		return
	}
	for _, d := range k.places.corpus.Documents {
		for i, found := range quote.Blanks().Apply(d.Text).FindAll(folded) {
			for _, b := range found {
				k.stands[quotes[i]] = append(k.stands[quotes[i]], place{d, b})
			}
		}
	}
}

// leastCopied is the words that the quotes of a set must have together to be a
// passage that was copied: a name or a number stands in many documents.
const leastCopied = 6

// alternative is a document in which every quote of a set stands, and which no
// set of the question names for it.
type alternative struct {
	set    []*Span
	number int // of the set, from 1
	doc    *corpus.Document
	places [][]place // in doc, of each span
}

// covers reports whether p is one of the alternative's places.
func (a alternative) covers(p place) bool {
	return slices.ContainsFunc(a.places, func(places []place) bool { return slices.Contains(places, p) })
}

func (k *checker) alternatives(q *Question) []alternative {
	var out []alternative
	for i, set := range q.Support {
		words := 0
		for _, s := range set {
			words += alike.Words(s.Quote)
		}
		if len(set) == 0 || words < leastCopied {
			continue
		}
		var last *corpus.Document
		for _, p := range k.stands[set[0].Quote] {
			if p.doc == last || q.Within != nil && !slices.Contains(q.Within, p.doc.Doc) {
				continue
			}
			last = p.doc
			a := alternative{set: set, number: i + 1, doc: p.doc}
			for _, s := range set {
				var in []place
				for _, o := range k.stands[s.Quote] {
					if o.doc == p.doc {
						in = append(in, o)
					}
				}
				if s.Doc == p.doc.Doc { // labelled there: its own place is the one
					in = slices.DeleteFunc(in, func(o place) bool { return !o.at(s) })
				}
				if s.Bytes.Empty() || len(in) == 0 {
					break
				}
				a.places = append(a.places, in)
			}
			if len(a.places) == len(set) && !slices.ContainsFunc(q.Support, a.is) && !slices.ContainsFunc(out, a.sameAs) {
				out = append(out, a)
			}
		}
	}
	return out
}

// is reports whether a set of the question is the alternative: each quote at a
// place of the set, and nothing beside them.
func (a alternative) is(set []*Span) bool {
	for _, places := range a.places {
		if !slices.ContainsFunc(places, func(p place) bool { return slices.ContainsFunc(set, p.at) }) {
			return false
		}
	}
	for _, s := range set {
		if !slices.ContainsFunc(a.places, func(places []place) bool {
			return slices.ContainsFunc(places, func(p place) bool { return p.at(s) })
		}) {
			return false
		}
	}
	return len(set) > 0
}

// sameAs reports whether two sets of a question, copies of one another, have one
// alternative.
func (a alternative) sameAs(b alternative) bool {
	return a.doc == b.doc && slices.EqualFunc(a.places, b.places, func(x, y []place) bool { return slices.Equal(x, y) })
}

// copies reports documents that hold all evidence of a set once more.
func (k *checker) copies(q *Question, all []alternative) {
	if len(all) == 0 || k.set.carries(q.QID) {
		return
	}
	var found []string
	doubtful := ""
	var sure []alternative
	for _, a := range all {
		var places []string
		once := true
		for i, s := range a.set {
			for _, p := range a.places[i][:min(maxPlaces, len(a.places[i]))] {
				places = append(places, k.places.show(a.doc, p.b))
			}
			if n := len(a.places[i]); n > 1 && once {
				once = false
				doubtful = fmt.Sprintf("; the quote of span %s stands in %d places of %s: choose one and write the set yourself", quoted(s.Name), n, a.doc.Doc)
			}
		}
		if once && len(sure) < maxPlaces {
			sure = append(sure, a)
		}
		if len(found) < maxPlaces {
			found = append(found, fmt.Sprintf("set %d: %s %s", a.number, a.doc.Doc, strings.Join(places, " + ")))
		}
	}
	if n := len(all) - maxPlaces; n > 0 {
		found = append(found, fmt.Sprintf("%d more", n))
	}
	where := all[0].doc.Doc
	if len(all) > 1 {
		where = fmt.Sprintf("%d places", len(all))
	}
	f := finding.Finding{Code: CodeCopy, Message: "all evidence of a support set stands once more, in " + where, Expected: "a set for every place that is enough", Found: strings.Join(found, "; "),
		Hint: "if it answers the question there too, paste the line, which has that set as well" + doubtful}
	if f.Paste = k.extended(q, sure); f.Paste == "" {
		f.Hint = "if it answers the question there too, label it as a set of its own" + doubtful
	}
	k.add(q, supportOf(q), f)
}

// extended is the line of q with a set more for each alternative; "" if there is
// none, or the file's unit cannot name its places.
func (k *checker) extended(q *Question, all []alternative) string {
	taken := map[string]bool{}
	for _, s := range q.Spans {
		taken[s.Name] = true
	}
	var spans, sets []string
	for _, a := range all {
		names := map[string]string{} // of the set's spans, in the new set
		var added []*Span
		for i, s := range a.set {
			p := a.places[i][0]
			if j := slices.IndexFunc(q.Spans, p.at); j >= 0 { // one place, one span
				names[s.Name] = q.Spans[j].Name
				continue
			}
			start, end, err := k.places.offsets(a.doc, p.b)
			if err != nil {
				return ""
			}
			name := s.Name
			for n := 2; taken[name]; n++ {
				name = fmt.Sprintf("%s-%d", s.Name, n)
			}
			taken[name], names[s.Name] = true, name
			prefix, suffix := quote.Surroundings(a.doc.Text, p.b)
			added = append(added, &Span{Name: name, Doc: a.doc.Doc, Version: a.doc.Version.Version, Start: start, End: end, Bytes: p.b,
				Quote: a.doc.Text[p.b.Start:p.b.End], Prefix: prefix, Suffix: suffix, Role: s.Role, NeededBy: s.NeededBy, completed: true})
		}
		for _, s := range added {
			if n := names[s.NeededBy]; n != "" {
				s.NeededBy = n
			}
			spans = append(spans, quoted(s.Name)+":"+s.encode())
		}
		var set []string
		for _, s := range a.set {
			if name := quoted(names[s.Name]); !slices.Contains(set, name) { // two quotes may have one place
				set = append(set, name)
			}
		}
		sets = append(sets, "["+strings.Join(set, ",")+"]")
	}
	if len(sets) == 0 {
		return ""
	}
	line := string(q.At.Line().Raw)
	at := []int{q.At.Get("spans").End - 1, q.At.Get("support").End - 1} // the closing brackets
	more := []string{"", "," + strings.Join(sets, ",")}
	if len(spans) > 0 {
		more[0] = "," + strings.Join(spans, ",")
	}
	if at[0] > at[1] {
		at[0], at[1], more[0], more[1] = at[1], at[0], more[1], more[0]
	}
	return line[:at[0]] + more[0] + line[at[0]:at[1]] + more[1] + line[at[1]:]
}
