package compare

import (
	"cmp"
	"slices"
	"strings"

	"kerf/internal/pipeline/split"
	"kerf/internal/stats"
	"kerf/internal/text/span"
	"kerf/internal/text/token"
)

// worst are the headline questions that are not whole at every placement of an
// arm: those that come and go first, then those that are never whole; among
// them those whose evidence is cut, then the fewest hits.
func (in Facts) worst(p Planning, t *table) ([]WorstQuestion, error) {
	out := []WorstQuestion{}
	for _, i := range in.headline() {
		w, err := in.standing(p, t, i)
		if err != nil {
			return nil, err
		}
		if w.Label != "" {
			out = append(out, w)
		}
	}
	slices.SortStableFunc(out, func(a, b WorstQuestion) int {
		return cmp.Or(truth(a.Hits == 0)-truth(b.Hits == 0), truth(a.Cut == nil)-truth(b.Cut == nil), a.Hits-b.Hits, strings.Compare(a.QID, b.QID))
	})
	return out, nil
}

// standing is how a question fares under an arm; Label is "" where it is whole
// at every placement that has a result.
func (in Facts) standing(p Planning, t *table, i int) (WorstQuestion, error) {
	w := WorstQuestion{QID: in.Questions[i].QID, Question: in.Questions[i].Text, Arm: p.Arm.Name}
	tables, err := in.Tables(p.Arm.Split.Tokenizer)
	if err != nil {
		return w, err
	}
	for j, v := range t.support[i] {
		if v == stats.Missing {
			continue
		}
		w.Phases++
		if v == stats.Hit {
			w.Hits++
			continue
		}
		if w.Label == "" {
			w.Label = t.labels[j]
		}
		if w.Cut == nil { // the first placement that cuts the evidence says more
			if c := in.cut(i, tables, Windows(p.Arm), t.cuts[j]); c != nil {
				w.Label, w.Cut = t.labels[j], c
			}
		}
	}
	return w, nil
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// cut is a cut inside the evidence of a question with the first cut at first:
// inside a span that no chunk holds, else between two spans of a set that no
// chunk holds together; nil if there is none.
func (in Facts) cut(question int, tables []*token.Table, w split.Windows, first int) *Cut {
	q := in.Questions[question]
	for s, set := range in.Evidence[question] {
		for i, ref := range set {
			if at, ok := cutIn(tables[ref.Doc], w, first, ref.Span); ok {
				return in.newCut(ref.Doc, q.Support[s][i].Name, ref.Span, at)
			}
		}
	}
	for _, set := range in.Evidence[question] {
		byDoc := map[int32][]span.Span{}
		for _, ref := range set {
			byDoc[ref.Doc] = append(byDoc[ref.Doc], ref.Span)
		}
		for _, ref := range set {
			if spans := byDoc[ref.Doc]; len(spans) > 1 {
				if at, ok := cutIn(tables[ref.Doc], w, first, hull(spans)); ok {
					return in.newCut(ref.Doc, "", hull(spans), at)
				}
			}
		}
	}
	return nil
}

func (in Facts) newCut(doc int32, name string, s span.Span, at int) *Cut {
	d := in.Documents[doc]
	return &Cut{Doc: d.Doc, Line: line(d.Text, at), Span: name, Start: s.Start, End: s.End, At: at}
}

// cutIn is a cut strictly inside s, if no chunk holds s.
func cutIn(t *token.Table, w split.Windows, first int, s span.Span) (at int, ok bool) {
	x := split.ExtentOf(t, s.Start, s.End)
	if w.Whole(x, first) {
		return 0, false
	}
	_, l := w.Holders(x.N, first, x.Lo, x.Hi)
	at = t.Cut(first + l*w.Stride()) // where the core after the one that s begins in does
	return at, s.Start < at && at < s.End
}
