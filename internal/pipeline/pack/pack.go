// Package pack fills a context: which retrieved chunks the answer model gets to
// see, literally, under a budget of tokens.
//
// Hits enter in rank order as numbered units. A hit whose interval is already
// there is merged with it; one that does not fit is treated by the overflow
// rule. What was not taken keeps its reason.
package pack

import (
	"fmt"

	"kerf/internal/pipeline/rank"
	"kerf/internal/text/span"
)

// Overflow says what happens at the first unit that does not fit.
type Overflow string

const (
	Stop     Overflow = "stop"     // packing ends
	Skip     Overflow = "skip"     // the unit is passed over, packing goes on
	Truncate Overflow = "truncate" // the unit is shortened to its longest fitting prefix, packing ends
)

// Outcome is what became of a hit.
type Outcome string

const (
	Packed    Outcome = "packed"
	Truncated Outcome = "truncated" // a part of it is in the context
	Merged    Outcome = "merged"    // its interval is a unit already
	Skipped   Outcome = "skipped"   // did not fit, passed over
	Overflown Outcome = "overflow"  // did not fit, packing ended
	Unread    Outcome = "unread"    // packing had ended
)

// End is why packing ended.
type End string

const (
	EndHits      End = "end"   // every hit there is was read
	EndDepth     End = "depth" // the hits were cut off at the ranking's depth
	EndOverflow  End = "overflow"
	EndTruncated End = "truncated"
)

// Rules are a budget and how units are counted and shortened.
type Rules struct {
	Budget   int // tokens; 0 is legal and leaves the context empty
	Overflow Overflow
	// CutOff reports whether there are more hits than the ranking's depth; nil: no.
	CutOff func() bool
	// Cost is the tokens of h as unit n, from 1.
	Cost func(n int, h rank.Hit) int
	// Fit is the longest prefix of h's span that, as unit n, costs at most room;
	// empty if none does.
	Fit func(n int, h rank.Hit, room int) span.Span
	// Pieces are the parts of h that its reader sees, each a unit of its own; nil
	// means that every hit is seen whole.
	Pieces func(h rank.Hit) []span.Span
}

// Unit is one entry of a context.
type Unit struct {
	rank.Hit     // Span is what is shown, shorter than the chunk if it was truncated
	Rank     int // of the first hit that it is, from 1
	Tokens   int
}

// Context is what was packed. Outcomes says, hit by hit, what became of those
// that were read.
type Context struct {
	Units    []Unit
	Tokens   int
	End      End
	Outcomes []Outcome
}

// Outcome is what became of hit i, from 0.
func (c *Context) Outcome(i int) Outcome {
	if i < len(c.Outcomes) {
		return c.Outcomes[i]
	}
	return Unread
}

// Pack fills c, whose memory is used again, from hits in rank order. hit(i) is
// hit i, from 0, and false if there are not so many; none is asked for that is not
// read.
func (r Rules) Pack(hit func(i int) (rank.Hit, bool), c *Context) {
	c.Units, c.Outcomes, c.Tokens, c.End = c.Units[:0], c.Outcomes[:0], 0, EndHits
	ended := false
	for i := 0; !ended; i++ {
		h, ok := hit(i)
		if !ok {
			break
		}
		whole := [1]span.Span{h.Span}
		pieces := whole[:]
		if r.Pieces != nil {
			pieces = r.Pieces(h)
		}
		outcome := Merged
		for _, s := range pieces {
			h.Span = s
			var o Outcome
			if o, ended = r.unit(h, i+1, c); o != Merged {
				outcome = outcome.with(o)
			}
			if ended {
				break
			}
		}
		c.Outcomes = append(c.Outcomes, outcome)
	}
	if !ended && r.CutOff != nil && r.CutOff() {
		c.End = EndDepth
	}
}

// unit takes a unit or does not; ended is true where packing ends with it.
func (r Rules) unit(h rank.Hit, rank int, c *Context) (o Outcome, ended bool) {
	if c.holds(h) {
		return Merged, false
	}
	n := len(c.Units) + 1
	if cost := r.Cost(n, h); c.Tokens+cost <= r.Budget {
		c.add(h, rank, cost)
		return Packed, false
	}
	if r.Overflow == Skip {
		return Skipped, false
	}
	if r.Overflow == Truncate && r.Budget > 0 { // a prefix of blanks may cost nothing
		if s := r.Fit(n, h, r.Budget-c.Tokens); !s.Empty() {
			h.Span = s
			c.add(h, rank, r.Cost(n, h))
			c.End = EndTruncated
			return Truncated, true
		}
	}
	c.End = EndOverflow
	return Overflown, true
}

// with is the outcome of a hit of which one piece had o and another p: where
// some of it is in the context and some is not, it was shortened.
func (o Outcome) with(p Outcome) Outcome {
	switch {
	case o == Merged || o == p:
		return p
	case o == Packed || p == Packed || o == Truncated || p == Truncated:
		return Truncated
	}
	return p
}

func (c *Context) holds(h rank.Hit) bool {
	for _, u := range c.Units {
		if u.Doc == h.Doc && u.Span == h.Span {
			return true
		}
	}
	return false
}

func (c *Context) add(h rank.Hit, rank, cost int) {
	c.Units = append(c.Units, Unit{h, rank, cost})
	c.Tokens += cost
}

// Again calls f with every maximal interval of a unit that an earlier unit of
// the context shows as well.
func (c *Context) Again(f func(doc int32, s span.Span)) {
	for i, u := range c.Units {
		var shown []span.Span
		for _, v := range c.Units[:i] {
			if v.Doc == u.Doc {
				if s := v.Clip(u.Span); !s.Empty() {
					shown = append(shown, s)
				}
			}
		}
		for _, s := range span.Union(shown...) {
			f(u.Doc, s)
		}
	}
}

// Format is how a unit is written.
type Format string

const (
	Numbered Format = "numbered" // "[1] doc\n" + text + "\n\n"; the whole string is counted
	Bare     Format = "bare"     // the texts alone, each counted by itself
)

// Before is what stands before the text of unit n of a document.
func (f Format) Before(n int, doc string) string {
	if f == Bare {
		return ""
	}
	return fmt.Sprintf("[%d] %s\n", n, doc)
}

// After is what stands after the text of a unit.
func (f Format) After() string {
	if f == Bare {
		return ""
	}
	return "\n\n"
}
