package diff

import (
	"fmt"
	"slices"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/ledger"
	"kerf/internal/text/span"
	"kerf/internal/verdict"
)

// kept is what the ledger keeps of the ordinary placement.
type kept struct {
	judge   verdict.Judge
	ordinal map[string]int32       // of documents
	chunks  map[string][]span.Span // indexed, by document
	hits    map[string][]ledger.RetrievalRow
	shown   map[string][]verdict.Ref // in the contexts, by question
}

// open reads the ordinary placement's rows; nil where the ledger keeps none.
func (s *side) open() (*kept, error) {
	p := s.Phases[len(s.Phases)-1]
	if s.Blocks || p.Failed != "" {
		return nil, nil
	}
	k := &kept{verdict.Judge{Strict: s.Facts.Experiment.Ignorable == "strict"}, map[string]int32{},
		map[string][]span.Span{}, map[string][]ledger.RetrievalRow{}, map[string][]verdict.Ref{}}
	for i, d := range s.Facts.Documents {
		k.ordinal[d.Doc] = int32(i)
		k.judge.Texts = append(k.judge.Texts, d.Text)
	}
	boundaries, err := rows(s, ledger.Boundary, p)
	if err != nil {
		return nil, err
	}
	for _, r := range boundaries {
		if r.State == "indexed" {
			k.chunks[r.Doc] = append(k.chunks[r.Doc], span.Span{Start: r.Start, End: r.End})
		}
	}
	hits, err := rows(s, ledger.Retrieval, p)
	if err != nil {
		return nil, err
	}
	for _, r := range hits {
		k.hits[r.QID] = append(k.hits[r.QID], r)
	}
	contexts, err := rows(s, ledger.Context, p)
	if err != nil {
		return nil, err
	}
	for _, r := range contexts {
		k.shown[r.QID] = append(k.shown[r.QID], verdict.Ref{Doc: k.ordinal[r.Doc], Span: span.Span{Start: r.Start, End: r.End}})
	}
	return k, nil
}

func rows[R any](s *side, t *ledger.Table[R], p compare.Planned) ([]R, error) {
	b, err := s.Facts.Cells(t.Name(), p.Cell)
	if err != nil {
		return nil, err
	}
	out, _, err := t.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("cell %s: %w", p.Cell, err)
	}
	return out, nil
}

// standing is how a paired question fares in a view.
func (s *side) standing(n int, view string) Standing {
	var out Standing
	row := s.view(view)[s.questions[n]]
	for _, v := range row {
		if v != stats.Missing {
			out.Placements++
			out.Hits += int(v)
		}
	}
	last := len(row) - 1
	if s.Ranks != nil {
		if r, ok := s.at(n, last); ok {
			rank := r.UnionWS
			out.WholeAt = &rank
		}
	}
	if row[last] == stats.Miss {
		out.Cause = s.cause(n, view)
	}
	return out
}

func (s *side) view(name string) [][]stats.Verdict {
	if name == "top_k" {
		return s.TopK
	}
	return s.Support
}

// cause says why a question is not whole at the ordinary cuts: what became of the
// first chunk that holds a byte that is not shown, of the set of which most is.
func (s *side) cause(n int, view string) string {
	k := s.kept
	if k == nil {
		return "not kept: with phases: all the ledger has no hits"
	}
	q := s.question(n)
	shown := k.shown[q.QID]
	if view == "top_k" {
		shown = nil
		for _, h := range k.hits[q.QID] {
			if h.Rank <= s.Facts.Experiment.AtK {
				shown = append(shown, verdict.Ref{Doc: k.ordinal[h.Doc], Span: span.Span{Start: h.Start, End: h.End}})
			}
		}
	}
	var lost *verdict.Ref
	most := -1
	for _, set := range s.Facts.Evidence[s.questions[n]] {
		covered := 0
		var first *verdict.Ref
		for j := range set {
			if k.judge.Ranks(verdict.Evidence{{set[j]}}, shown).UnionWS > 0 {
				covered++
			} else if first == nil {
				first = &set[j]
			}
		}
		if covered > most {
			most, lost = covered, first
		}
	}
	if lost == nil { // the text of that version is gone, so that gaps of blanks are not known
		return "not known: the text is not there any more"
	}
	var seen []span.Span
	for _, r := range shown {
		if r.Doc == lost.Doc {
			seen = append(seen, r.Span)
		}
	}
	return s.became(n, *lost, span.Union(seen...).Gaps(lost.Span), view)
}

// became is what became of the first chunk that holds a byte of the gaps in a span.
func (s *side) became(n int, lost verdict.Ref, gaps []span.Span, view string) string {
	q, d := s.question(n), s.Facts.Documents[lost.Doc]
	hits := map[span.Span]ledger.RetrievalRow{}
	chunks, known := s.kept.chunks[d.Doc], len(s.kept.chunks) > 0
	for _, h := range s.kept.hits[q.QID] {
		if c := (span.Span{Start: h.Start, End: h.End}); h.Doc == d.Doc {
			hits[c] = h
			if !known { // rankings: the hits are all that is known of the chunks
				chunks = append(chunks, c)
			}
		}
	}
	whole := !known || slices.ContainsFunc(chunks, func(c span.Span) bool { return c.Contains(lost.Span) })
	for _, c := range chunks {
		if !slices.ContainsFunc(gaps, func(g span.Span) bool { return !g.Clip(c).Empty() }) {
			continue
		}
		h, hit := hits[c]
		outcome := h.Outcome
		switch {
		case !hit && len(q.Within) > 0 && !slices.Contains(q.Within, d.Doc):
			outcome = "outside within"
		case !hit && !d.Readable(s.reader(q)).Covers(c):
			outcome = "denied"
		case !hit:
			outcome = "unseen"
		case h.Lineage != "" && h.Outcome != "unread":
			outcome = "clipped"
		case view == "top_k":
			outcome = "beyond k"
		}
		return compare.Cause(whole, h.Rank, outcome)
	}
	switch {
	case known:
		return "no chunk holds it"
	case slices.ContainsFunc(chunks, func(c span.Span) bool { return !c.Clip(lost.Span).Empty() }):
		return "the hits that were read hold a part of it"
	}
	return compare.Cause(true, 0, "unseen")
}
