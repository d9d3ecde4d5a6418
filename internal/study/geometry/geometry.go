// Package geometry is what the cuts alone do to the evidence: no index, no
// ranking, no budget. For every placement of the cuts it asks whether a span
// lies whole in some chunk (engine.md 9).
//
// A span is intact at a placement where some chunk holds it; a set is intact
// where each of its spans is; its hull is intact where one chunk holds them all.
package geometry

import (
	"kerf/internal/pipeline/split"
	"kerf/internal/stats"
	"kerf/internal/text/token"
	"kerf/internal/verdict"
)

// Counts are over placements; of spans, over spans x placements.
type Counts struct {
	Spans stats.Count `json:"spans_intact"`
	Sets  stats.Count `json:"sets_intact"` // questions with some set that is
	Hull  stats.Count `json:"hull_intact"`
}

func (c Counts) plus(d Counts) Counts {
	return Counts{c.Spans.Plus(d.Spans), c.Sets.Plus(d.Sets), c.Hull.Plus(d.Hull)}
}

// Survey is the counts of some questions.
type Survey struct {
	Questions []Counts // as given
	Phases    []Counts // by placement, over questions
	Total     Counts
}

// All is every first cut of a stride, 1..stride.
func All(stride int) []int {
	firsts := make([]int, stride)
	for i := range firsts {
		firsts[i] = i + 1
	}
	return firsts
}

// Take surveys questions under w at the placements firsts; tables are the
// documents' token tables under w's tokenizer. A question without evidence has
// no counts.
func Take(w split.Windows, tables []*token.Table, questions []verdict.Evidence, firsts []int) Survey {
	s := Survey{Questions: make([]Counts, len(questions)), Phases: make([]Counts, len(firsts))}
	for i, e := range questions {
		if len(e) == 0 {
			continue
		}
		q := measure(tables, e)
		total := &s.Questions[i]
		for j, first := range firsts {
			spans, sets, hull := q.at(w, first)
			for _, c := range []*Counts{total, &s.Phases[j]} {
				c.Spans.Num += spans
				c.Spans.Den += len(q.spans)
				c.Sets.Add(sets)
				c.Hull.Add(hull)
			}
		}
		s.Total = s.Total.plus(*total)
	}
	return s
}

// question is evidence in tokens: the distinct spans, and each set as indices
// of spans with its hull, if it lies in one document.
type question struct {
	spans []split.Extent
	sets  []set
	whole []bool // scratch, by span
}

type set struct {
	spans []int
	hull  split.Extent
	one   bool // all spans are of one document
}

func measure(tables []*token.Table, e verdict.Evidence) question {
	var q question
	known := map[verdict.Ref]int{}
	for _, refs := range e {
		s := set{one: true}
		for i, r := range refs {
			n, ok := known[r]
			if !ok {
				n = len(q.spans)
				known[r] = n
				q.spans = append(q.spans, split.ExtentOf(tables[r.Doc], r.Start, r.End))
			}
			s.spans = append(s.spans, n)
			x := q.spans[n]
			if i == 0 {
				s.hull = x
				continue
			}
			s.one = s.one && r.Doc == refs[0].Doc
			s.hull.Lo, s.hull.Hi = min(s.hull.Lo, x.Lo), max(s.hull.Hi, x.Hi)
		}
		q.sets = append(q.sets, s)
	}
	return q
}

// at is how many spans are intact with the first cut at first, and whether some
// set is, and the hull of one.
func (q *question) at(w split.Windows, first int) (spans int, sets, hull bool) {
	q.whole = q.whole[:0]
	for _, x := range q.spans {
		whole := w.Whole(x, first)
		if whole {
			spans++
		}
		q.whole = append(q.whole, whole)
	}
	for _, s := range q.sets {
		all := true
		for _, i := range s.spans {
			all = all && q.whole[i]
		}
		sets = sets || all
		hull = hull || s.one && w.Whole(s.hull, first)
	}
	return spans, sets, hull
}
