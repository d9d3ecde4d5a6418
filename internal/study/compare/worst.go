package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/pipeline/split"
	"kerf/internal/stats"
	"kerf/internal/study/ledger"
	"kerf/internal/text/span"
	"kerf/internal/text/token"
	"kerf/internal/verdict"
)

// worst are the headline questions that are not whole at every placement of an
// arm: those that come and go first, then those that are never whole. Among
// them first those of which a placement shows one span and not another, since
// that is how a rule loses its exception; then those whose evidence is cut, then
// the fewest hits.
func (in Facts) worst(p Planning, t *table) ([]WorstQuestion, error) {
	out := []WorstQuestion{}
	shown := make([]map[string][]verdict.Ref, len(p.Phases))
	for j := range p.Phases {
		var err error
		if shown[j], err = in.shown(p, j); err != nil {
			return nil, err
		}
	}
	for _, i := range in.headline() {
		w, err := in.standing(p, t, i, shown)
		if err != nil {
			return nil, err
		}
		if w.Label != "" {
			out = append(out, w)
		}
	}
	slices.SortStableFunc(out, func(a, b WorstQuestion) int {
		return cmp.Or(truth(a.Hits == 0)-truth(b.Hits == 0), truth(len(a.Shown) == 0)-truth(len(b.Shown) == 0),
			truth(a.Cut == nil)-truth(b.Cut == nil), a.Hits-b.Hits, strings.Compare(a.QID, b.QID))
	})
	return out, nil
}

// shown are the intervals in the contexts of a placement, by question; nil where
// the ledger keeps none.
func (in Facts) shown(p Planning, j int) (map[string][]verdict.Ref, error) {
	if p.Blocks || p.Phases[j].Failed != "" {
		return nil, nil
	}
	b, err := in.Cells(ledger.Context.Name(), p.Phases[j].Cell)
	if err != nil {
		return nil, err
	}
	rows, _, err := ledger.Context.Decode(b, "qid", "doc", "start", "end")
	if err != nil {
		return nil, fmt.Errorf("cell %s: %w", p.Phases[j].Cell, err)
	}
	ordinal := map[string]int32{}
	for i, d := range in.Documents {
		ordinal[d.Doc] = int32(i)
	}
	out := map[string][]verdict.Ref{}
	for _, r := range rows {
		out[r.QID] = append(out[r.QID], verdict.Ref{Doc: ordinal[r.Doc], Span: span.Span{Start: r.Start, End: r.End}})
	}
	return out, nil
}

// standing is how a question fares under an arm; Label is "" where it is whole
// at every placement that has a result. Of the placements that lose it, the one
// that is named says most: it shows a part of a set, else it cuts the evidence,
// else it is the first.
func (in Facts) standing(p Planning, t *table, i int, contexts []map[string][]verdict.Ref) (WorstQuestion, error) {
	w := WorstQuestion{QID: in.Questions[i].QID, Question: in.Questions[i].Text, Arm: p.Arm.Name, Shown: []string{}, Lost: []string{}}
	said := -1
	for j, v := range t.support[i] {
		if v == stats.Missing {
			continue
		}
		w.Phases++
		if v == stats.Hit {
			w.Hits++
			continue
		}
		shown, lost := in.half(i, contexts[j][in.Questions[i].QID])
		cut, err := in.cut(i, p, j)
		if err != nil {
			return w, err
		}
		if says := 2*truth(len(shown) > 0) + truth(cut != nil); says > said {
			said = says
			w.Label, w.Cut, w.Shown, w.Lost = t.labels[j], cut, shown, lost
		}
	}
	if w.Cut != nil { // counted once: it reads the document
		d := slices.IndexFunc(in.Documents, func(d *corpus.Document) bool { return d.Doc == w.Cut.Doc })
		w.Cut.Line, w.Cut.Page = line(in.Documents[d].Text, w.Cut.At), in.Documents[d].Page(w.Cut.At)
	}
	return w, nil
}

// half are the spans of the set of which most are shown, by name: those that
// are, and those that are not.
func (in Facts) half(i int, context []verdict.Ref) (shown, lost []string) {
	judge := verdict.Judge{Texts: in.texts(), Strict: in.Experiment.Ignorable == "strict"}
	shown, lost = []string{}, []string{}
	for n, set := range in.Evidence[i] {
		yes, no := []string{}, []string{}
		for k, ref := range set {
			if name := in.Questions[i].Support[n][k].Name; judge.Ranks(verdict.Evidence{{ref}}, context).UnionWS > 0 {
				yes = append(yes, name)
			} else {
				no = append(no, name)
			}
		}
		if n == 0 || len(yes) > len(shown) {
			shown, lost = yes, no
		}
	}
	return shown, lost
}

func (in Facts) texts() []string {
	out := make([]string, len(in.Documents))
	for i, d := range in.Documents {
		out[i] = d.Text
	}
	return out
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
func (in Facts) cut(question int, p Planning, j int) (*Cut, error) {
	q := in.Questions[question]
	through, err := in.through(p, j)
	if through == nil {
		return nil, err
	}
	for s, set := range in.Evidence[question] {
		for i, ref := range set {
			if at, ok := through(ref.Doc, ref.Span); ok {
				return in.newCut(ref.Doc, q.Support[s][i].Name, ref.Span, at), nil
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
				if at, ok := through(ref.Doc, hull(spans)); ok {
					return in.newCut(ref.Doc, "", hull(spans), at), nil
				}
			}
		}
	}
	return nil, nil
}

// through finds the cut in a span at placement j of an arm, by arithmetic where
// the chunks are windows; nil where nothing is known of them.
func (in Facts) through(p Planning, j int) (func(doc int32, s span.Span) (at int, ok bool), error) {
	if p.Arm.IsControl() {
		chunks, err := in.chunks(p, j)
		if chunks == nil {
			return nil, err
		}
		return func(doc int32, s span.Span) (int, bool) { return cutThrough(chunks(int(doc)), s) }, nil
	}
	tables, err := in.Tables(p.Arm.Split.Tokenizer)
	if err != nil {
		return nil, err
	}
	w, first := Windows(p.Arm), p.Phases[j].FirstCut // evidence lies in labelled documents, which all move
	return func(doc int32, s span.Span) (int, bool) { return cutIn(tables[doc], w, first, s) }, nil
}

func (in Facts) newCut(doc int32, name string, s span.Span, at int) *Cut {
	d := in.Documents[doc]
	return &Cut{Doc: d.Doc, Span: name, Start: s.Start, End: s.End, At: at}
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
