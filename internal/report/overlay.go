package report

import (
	"slices"
	"strings"

	"kerf/internal/study/compare"
	"kerf/internal/text/span"
)

// packed is the part of an overlay that stands in the context.
func packed(o *compare.Overlay) span.Set {
	var in []span.Span
	for _, s := range o.Shown {
		if s.Packed {
			in = append(in, s.Span)
		}
	}
	return span.Union(in...)
}

// concerns are the spans in an overlay that the question's verdict at the drawn
// placement is about: those of the set of which most was shown, or all evidence
// where the question names none.
func concerns(q *compare.WorstQuestion, o *compare.Overlay) []compare.Evidence {
	var out []compare.Evidence
	for _, e := range o.Spans {
		if len(q.Shown)+len(q.Lost) == 0 || slices.Contains(q.Shown, e.Name) || slices.Contains(q.Lost, e.Name) {
			out = append(out, e)
		}
	}
	return out
}

func places(evidence []compare.Evidence) span.Set {
	var out []span.Span
	for _, e := range evidence {
		out = append(out, e.Span)
	}
	return span.Union(out...)
}

// unshown is what of that evidence no chunk in the context held, white space
// aside. Nothing is known of an untraced overlay.
func unshown(q *compare.WorstQuestion, o *compare.Overlay) []span.Span {
	if o.Untraced || o.Gone {
		return nil
	}
	var out []span.Span
	for _, gap := range places(concerns(q, o)).Minus(packed(o)) {
		if strings.TrimSpace(o.Text[gap.Start:gap.End]) != "" {
			out = append(out, gap)
		}
	}
	return out
}

// piece is a run of source text with one state, or a cut (Text empty).
type piece struct {
	Text  string
	Class string // CSS classes: evidence (e0 … e3), shown, left, lap
	State string // the same in words
	Cut   string // label of a cut that falls here
	Drawn bool   // Cut belongs to the drawn placement
	Ends  string // name of an evidence that ends here
}

// pieces divides an overlay's text wherever a state changes.
func pieces(o *compare.Overlay) []piece {
	edges := []int{0, len(o.Text)}
	add := func(s span.Span) { edges = append(edges, s.Start, s.End) }
	for _, e := range o.Spans {
		add(e.Span)
	}
	for _, s := range o.Shown {
		add(s.Span)
	}
	for _, s := range o.Overlap {
		add(s)
	}
	var cuts []compare.Placed
	for _, c := range o.Cuts {
		if c.Label == o.Label || len(o.Placement) <= maxPlacing {
			cuts = append(cuts, c)
			edges = append(edges, c.At)
		}
	}
	slices.Sort(edges)
	edges = slices.Compact(edges)
	var out []piece
	for i, at := range edges {
		for _, c := range cuts {
			if c.At == at {
				out = append(out, piece{Cut: c.Label, Drawn: c.Label == o.Label})
			}
		}
		if i+1 == len(edges) {
			break
		}
		p := state(o, span.Span{Start: at, End: edges[i+1]})
		for _, e := range o.Spans {
			if e.End == edges[i+1] {
				p.Ends = strings.TrimSpace(p.Ends + " " + evidenceName(e))
			}
		}
		out = append(out, p)
	}
	return out
}

func evidenceName(e compare.Evidence) string {
	if e.Role == "" || e.Role == e.Name {
		return e.Name
	}
	return e.Name + " (" + e.Role + ")"
}

// state is the piece s of o's text; s lies wholly inside or outside everything
// that is drawn.
func state(o *compare.Overlay, s span.Span) piece {
	p := piece{Text: escape(excerpt(o, s), directs)} // or a piece could turn round the ones after it
	var classes, words []string
	for i, e := range o.Spans {
		if e.Contains(s) {
			classes = append(classes, []string{"e0", "e1", "e2", "e3"}[i%4])
			words = append(words, "evidence "+evidenceName(e))
			break
		}
	}
	retrieved := slices.ContainsFunc(o.Shown, func(h compare.Shown) bool { return h.Contains(s) })
	switch {
	case o.Untraced:
		words = append(words, "what was shown is not stored")
	case packed(o).Covers(s):
		classes, words = append(classes, "shown"), append(words, "shown to the model")
	case retrieved:
		classes, words = append(classes, "left"), append(words, "retrieved, left out of the context")
	default:
		words = append(words, "not retrieved")
	}
	if slices.ContainsFunc(o.Overlap, func(l span.Span) bool { return l.Contains(s) }) {
		classes, words = append(classes, "lap"), append(words, "overlap of two chunks")
	}
	p.Class, p.State = strings.Join(classes, " "), strings.Join(words, "; ")
	return p
}
