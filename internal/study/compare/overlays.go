package compare

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kerf/internal/pipeline/split"
	"kerf/internal/stats"
	"kerf/internal/study/ledger"
	"kerf/internal/text/span"
)

// How much source is drawn around evidence, and how far apart two spans may lie
// to be drawn as one piece; in bytes.
const (
	margin = 160
	apart  = 1200
)

// Overlays draw the source behind questions under an arm: at the first n of
// worst, which are the report's WorstQuestions.
func (in Facts) Overlays(worst []WorstQuestion, n int) ([]Overlay, error) {
	tables := in.tables
	if tables == nil {
		var err error
		if tables, err = in.read(); err != nil {
			return nil, err
		}
	}
	retrieved := map[string][]ledger.RetrievalRow{}
	var out []Overlay
	for _, w := range worst[:min(n, len(worst))] {
		arm := slices.IndexFunc(in.Arms, func(p Planning) bool { return p.Arm.Name == w.Arm })
		question := in.question(w.QID)
		if arm < 0 || question < 0 {
			return nil, fmt.Errorf("question %s under arm %s is not of this run", w.QID, w.Arm)
		}
		o, err := in.overlay(in.Arms[arm], tables[arm], question, w.Label, retrieved)
		if err != nil {
			return nil, err
		}
		out = append(out, o...)
	}
	return out, nil
}

// Sources draw the source behind a question under an arm with the cuts of every
// placement, and nothing of any result.
func (in Facts) Sources(qid, arm string) ([]Overlay, error) {
	n := slices.IndexFunc(in.Arms, func(p Planning) bool { return p.Arm.Name == arm })
	i := in.question(qid)
	if n < 0 || i < 0 {
		return nil, fmt.Errorf("question %s under arm %s is not of this experiment", qid, arm)
	}
	p := in.Arms[n]
	for j := range p.Phases {
		p.Phases[j].Failed = "not asked"
	}
	return in.overlay(p, newTable(in.Questions, p.Phases), i, p.Phases[0].Label, nil)
}

func (in Facts) question(qid string) int {
	for i, q := range in.Questions {
		if q.QID == qid {
			return i
		}
	}
	return -1
}

func (in Facts) overlay(p Planning, t *table, question int, label string, retrieved map[string][]ledger.RetrievalRow) ([]Overlay, error) {
	at := slices.Index(t.labels, label)
	if at < 0 {
		return nil, fmt.Errorf("arm %s has no placement %s", p.Arm.Name, label)
	}
	rows, err := in.retrieval(p, at, retrieved)
	if err != nil {
		return nil, err
	}
	placed := make([]func(doc int) []split.Chunk, len(p.Phases))
	for j := range p.Phases {
		if placed[j], err = in.chunks(p, j); err != nil {
			return nil, err
		}
	}
	q := in.Questions[question]
	var out []Overlay
	for _, piece := range in.pieces(question) {
		d := in.Documents[piece.doc]
		o := Overlay{QID: q.QID, Arm: p.Arm.Name, Doc: d.Doc, Path: cmp.Or(d.Path, d.Doc), Offset: piece.Start, Line: line(d.Text, piece.Start), Page: d.Page(piece.Start + piece.spans[0].Start),
			Text: d.Text[piece.Start:piece.End], Label: label, Spans: piece.spans, Untraced: p.Blocks}
		for j, v := range t.support[question] {
			o.Placement = append(o.Placement, PhaseResult{t.labels[j], v == stats.Hit, v == stats.Missing})
			var end int // of the chunk before
			if placed[j] == nil {
				continue
			}
			for k, c := range placed[j](int(piece.doc)) {
				if c.State == split.Empty {
					continue
				}
				if k > 0 && piece.Start <= c.Start && c.Start <= piece.End {
					o.Cuts = append(o.Cuts, Placed{t.labels[j], c.Start - piece.Start})
				}
				if shared := piece.Clip(span.Span{Start: c.Start, End: end}); j == at && !shared.Empty() {
					o.Overlap = append(o.Overlap, shift(shared, piece.Start))
				}
				end = max(end, c.End)
			}
		}
		slices.SortStableFunc(o.Cuts, func(a, b Placed) int { return a.At - b.At })
		o.Overlap = span.Union(o.Overlap...)
		for _, r := range rows {
			if s := piece.Clip(span.Span{Start: r.Start, End: r.End}); r.QID == q.QID && r.Doc == d.Doc && !s.Empty() {
				o.Shown = append(o.Shown, Shown{shift(s, piece.Start), r.Rank, r.Outcome == "packed" || r.Outcome == "truncated"})
			}
		}
		out = append(out, o)
	}
	return out, nil
}

func shift(s span.Span, by int) span.Span { return span.Span{Start: s.Start - by, End: s.End - by} }

// retrieval are the hits of a placement; a block of placements keeps none.
func (in Facts) retrieval(p Planning, at int, known map[string][]ledger.RetrievalRow) ([]ledger.RetrievalRow, error) {
	cell := p.Phases[at].Cell
	if p.Blocks || p.Phases[at].Failed != "" {
		return nil, nil
	}
	if rows, ok := known[cell]; ok {
		return rows, nil
	}
	b, err := in.Cells(ledger.Retrieval.Name(), cell)
	if err != nil {
		return nil, err
	}
	rows, _, err := ledger.Retrieval.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("cell %s: %w", cell, err)
	}
	known[cell] = rows
	return rows, nil
}

// excerpt is a piece of a document with the evidence in it.
type excerpt struct {
	span.Span
	doc   int32
	spans []Evidence // relative to the piece
}

// pieces are the parts of the documents that hold the evidence of a question.
func (in Facts) pieces(question int) []excerpt {
	type named struct {
		Evidence
		doc int32
	}
	var all []named
	q := in.Questions[question]
	for s, set := range in.Evidence[question] {
		for i, ref := range set {
			all = append(all, named{Evidence{Name: q.Support[s][i].Name, Role: q.Support[s][i].Role, Span: ref.Span}, ref.Doc})
		}
	}
	slices.SortStableFunc(all, func(a, b named) int {
		if a.doc != b.doc {
			return int(a.doc - b.doc)
		}
		return span.Compare(a.Span, b.Span)
	})
	all = slices.CompactFunc(all, func(a, b named) bool { return a.doc == b.doc && a.Name == b.Name && a.Span == b.Span })
	var out []excerpt
	for _, e := range all {
		if n := len(out); n > 0 && out[n-1].doc == e.doc && e.Start-out[n-1].End < apart {
			out[n-1].End = max(out[n-1].End, e.End)
			out[n-1].spans = append(out[n-1].spans, e.Evidence)
			continue
		}
		out = append(out, excerpt{e.Span, e.doc, []Evidence{e.Evidence}})
	}
	for i := range out {
		x := &out[i]
		x.Span = widen(in.Documents[x.doc].Text, x.Span)
		for j := range x.spans {
			x.spans[j].Span = shift(x.spans[j].Span, x.Start)
		}
	}
	return out
}

// widen is s with some text around it, up to the ends of lines where they are
// near, and always of whole code points.
func widen(text string, s span.Span) span.Span {
	start, end := max(0, s.Start-margin), min(len(text), s.End+margin)
	for start > 0 && !utf8.RuneStart(text[start]) {
		start--
	}
	for end < len(text) && !utf8.RuneStart(text[end]) {
		end++
	}
	if i := strings.LastIndexByte(text[start:s.Start], '\n'); i >= 0 && start > 0 {
		start += i + 1
	}
	if i := strings.IndexByte(text[s.End:end], '\n'); i >= 0 && end < len(text) {
		end = s.End + i
	}
	return span.Span{Start: start, End: end}
}
