package compare

import (
	"fmt"
	"slices"

	"kerf/internal/pipeline/split"
	"kerf/internal/stats"
	"kerf/internal/study/geometry"
	"kerf/internal/study/ledger"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
	"kerf/internal/verdict"
)

// FirstCuts are the first cuts of documents at an arm's placement first. Where
// labelled documents alone move, those without evidence keep the ordinary cut.
func FirstCuts(a plan.Arm, first int, evidence []verdict.Evidence) func(doc int) int {
	if a.Moving.Scope != plan.Labelled {
		return func(int) int { return first }
	}
	labelled := map[int]bool{}
	for _, e := range evidence {
		for _, set := range e {
			for _, r := range set {
				labelled[int(r.Doc)] = true
			}
		}
	}
	return func(doc int) int {
		if labelled[doc] {
			return first
		}
		return a.Stride()
	}
}

// chunks are the chunks of every document at placement j, by document: windows,
// or those that the ledger has of an arm whose cuts do not move; nil where
// nothing is known of them.
func (in Facts) chunks(p Planning, j int) (func(doc int) []split.Chunk, error) {
	if !p.Arm.IsControl() {
		tables, err := in.Tables(p.Arm.Split.Tokenizer)
		if err != nil {
			return nil, err
		}
		w, first := Windows(p.Arm), FirstCuts(p.Arm, p.Phases[j].FirstCut, in.Evidence)
		var room []split.Chunk
		return func(doc int) []split.Chunk {
			room = w.Place(tables[doc], first(doc), room[:0])
			return room
		}, nil
	}
	if p.Phases[j].Failed != "" {
		return nil, nil
	}
	b, err := in.Cells(ledger.Boundary.Name(), p.Phases[j].Cell)
	if err != nil {
		return nil, err
	}
	rows, _, err := ledger.Boundary.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("cell %s: %w", p.Phases[j].Cell, err)
	}
	if len(rows) == 0 {
		return nil, nil
	}
	of := make([][]split.Chunk, len(in.Documents))
	doc := 0
	for _, r := range rows {
		for doc < len(in.Documents) && in.Documents[doc].Doc != r.Doc {
			doc++
		}
		if doc == len(in.Documents) || r.Start < 0 || r.End < r.Start || r.End > len(in.Documents[doc].Text) {
			return nil, fmt.Errorf("cell %s: a boundary of %s fits no document", p.Phases[j].Cell, r.Doc)
		}
		of[doc] = append(of[doc], split.Chunk{Span: span.Span{Start: r.Start, End: r.End}, State: split.Emitted})
	}
	return func(doc int) []split.Chunk { return of[doc] }, nil
}

// fixed is the geometry of chunks that do not move: counts over the questions
// asked, of spans over theirs.
func (in Facts) fixed(chunks func(doc int) []split.Chunk, asked []int) Geometry {
	var g geometry.Counts
	for _, i := range asked {
		spans := map[verdict.Ref]bool{}
		sets, hulls := false, false
		for _, set := range in.Evidence[i] {
			all, one := true, len(set) > 0
			for _, r := range set {
				whole, ok := spans[r]
				if !ok {
					whole = holds(chunks(int(r.Doc)), r.Span)
					spans[r] = whole
					g.Spans.Add(whole)
				}
				all, one = all && whole, one && r.Doc == set[0].Doc
			}
			sets = sets || all
			if one {
				h := set[0].Span
				for _, r := range set {
					h = hull([]span.Span{h, r.Span})
				}
				hulls = hulls || holds(chunks(int(set[0].Doc)), h)
			}
		}
		if len(in.Evidence[i]) > 0 {
			g.Sets.Add(sets)
			g.Hull.Add(hulls)
		}
	}
	return Geometry{stats.Measured(g.Spans), stats.Measured(g.Sets), stats.Measured(g.Hull)}
}

func holds(chunks []split.Chunk, s span.Span) bool {
	return slices.ContainsFunc(chunks, func(c split.Chunk) bool { return c.Contains(s) })
}

// cutThrough is a chunk's end strictly inside s, if no chunk holds s: of the
// chunks that hold its first byte the furthest reaches there.
func cutThrough(chunks []split.Chunk, s span.Span) (at int, ok bool) {
	for _, c := range chunks {
		if c.Contains(s) {
			return 0, false
		}
		if c.Start <= s.Start && s.Start < c.End {
			at = max(at, c.End)
		}
	}
	return at, s.Start < at && at < s.End
}

// violations are the hits of an arm that their questions should not have been
// given, and the questions whose search failed, in the ledger's order.
func (in Facts) violations(p Planning) ([]Violation, []string, error) {
	var out []Violation
	var failed []string
	for _, ph := range p.Phases {
		if p.Arm.Rankings == "" || ph.Failed != "" {
			continue
		}
		b, err := in.Cells(ledger.Violation.Name(), ph.Cell)
		if err != nil {
			return nil, nil, err
		}
		rows, _, err := ledger.Violation.Decode(b)
		if err != nil {
			return nil, nil, fmt.Errorf("cell %s: %w", ph.Cell, err)
		}
		for _, r := range rows {
			out = append(out, Violation{r.Kind, p.Arm.Name, ph.Label, r.QID, r.Rank, r.Doc, r.Version, r.Start, r.End})
		}
		if b, err = in.Cells(ledger.Missing.Name(), ph.Cell); err != nil {
			return nil, nil, err
		}
		missing, _, err := ledger.Missing.Decode(b)
		if err != nil {
			return nil, nil, fmt.Errorf("cell %s: %w", ph.Cell, err)
		}
		for _, m := range missing {
			failed = append(failed, m.QID)
		}
	}
	return out, failed, nil
}
