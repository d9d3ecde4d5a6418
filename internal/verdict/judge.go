// Package verdict says what counts as found.
//
// Evidence is alternative sufficient sets of spans. A question is supported when
// every span of some set is covered by the union of the intervals shown; gaps of
// ignorable characters may be bridged. It is judged span by span: bytes between
// spans are not needed (requirements.md 5.2). The package knows intervals only,
// not where they came from.
package verdict

import (
	"strings"
	"unicode"

	"kerf/internal/text/span"
)

// Ref is an interval of a document, which is named by its ordinal.
type Ref struct {
	Doc int32
	span.Span
}

// Evidence is the alternative sufficient sets, each a list of spans.
type Evidence [][]Ref

// Ranks are the first places, from 1, at which a list of intervals shows
// something; 0 if it never does.
type Ranks struct {
	Single  int // one interval holds every span of some set
	Union   int // the intervals so far cover some set with no gap
	UnionWS int // the same, gaps of ignorable characters bridged
	Span    int // one interval wholly holds some span of a set
}

// Judge reads evidence against intervals of Texts, by document ordinal.
type Judge struct {
	Texts []string
	// Strict: no character is ignorable, so that UnionWS is Union. Else Unicode
	// White_Space is.
	Strict bool
	gaps   [][]span.Span // scratch: what is not covered yet, by span in order of the sets
}

// Ranks follows the intervals in order. With one span, Single and Union are the
// tutorial's single-span and union hit (requirements S2-010, S2-011); the
// reciprocal of Single is its MRR (S2-012).
func (j *Judge) Ranks(e Evidence, shown []Ref) Ranks {
	j.open(e)
	var r Ranks
	for i, u := range shown {
		if r.Single > 0 && r.Union > 0 && r.UnionWS > 0 && r.Span > 0 {
			break
		}
		at := 0
		for _, set := range e {
			touched, single := false, true
			for k, s := range set {
				if u.Doc != s.Doc || u.End <= s.Start || s.End <= u.Start {
					single = false
					continue
				}
				touched = true
				j.gaps[at+k] = subtract(j.gaps[at+k], u.Span)
				holds := u.Contains(s.Span)
				single = single && holds
				first(&r.Span, holds, i+1)
			}
			if touched {
				first(&r.Single, single, i+1)
			}
			if len(set) > 0 && (touched || i == 0) { // a set of blanks needs no touch, only to be looked at
				union, ws := true, true
				for k, s := range set {
					union = union && len(j.gaps[at+k]) == 0
					ws = ws && j.ignorable(s.Doc, j.gaps[at+k])
				}
				first(&r.Union, union, i+1)
				first(&r.UnionWS, ws, i+1)
			}
			at += len(set)
		}
	}
	return r
}

func first(rank *int, now bool, i int) {
	if now && *rank == 0 {
		*rank = i
	}
}

// open starts with every span of every set uncovered.
func (j *Judge) open(e Evidence) {
	n := 0
	for _, set := range e {
		for _, s := range set {
			if n == len(j.gaps) {
				j.gaps = append(j.gaps, nil)
			}
			j.gaps[n] = append(j.gaps[n][:0], s.Span)
			n++
		}
	}
}

// subtract removes s from disjoint ascending gaps, in place where it can.
func subtract(gaps []span.Span, s span.Span) []span.Span {
	for i := 0; i < len(gaps); i++ {
		g := gaps[i]
		if g.Clip(s).Empty() {
			continue
		}
		left, right := span.Span{Start: g.Start, End: s.Start}, span.Span{Start: s.End, End: g.End}
		switch {
		case left.Empty() && right.Empty():
			gaps = append(gaps[:i], gaps[i+1:]...)
			i--
		case left.Empty():
			gaps[i] = right
		case right.Empty():
			gaps[i] = left
		default:
			gaps = append(gaps[:i+1], gaps[i:]...)
			gaps[i], gaps[i+1] = left, right
			i++
		}
	}
	return gaps
}

// ignorable reports whether the gaps of a document hold nothing that counts.
func (j *Judge) ignorable(doc int32, gaps []span.Span) bool {
	for _, g := range gaps {
		if j.Strict || strings.TrimLeftFunc(j.Texts[doc][g.Start:g.End], unicode.IsSpace) != "" {
			return false
		}
	}
	return true
}

// Recall is, of the set of which the largest share of spans is covered with no
// gap, how many spans that is, and of how many; the first of equals. Without a
// set that has a span, of is 0.
func (j *Judge) Recall(e Evidence, shown []Ref) (covered, of int) {
	j.open(e)
	at := 0
	for _, set := range e {
		n := 0
		for k, s := range set {
			for _, u := range shown {
				if u.Doc == s.Doc {
					j.gaps[at+k] = subtract(j.gaps[at+k], u.Span)
				}
			}
			if len(j.gaps[at+k]) == 0 {
				n++
			}
		}
		if len(set) > 0 && (of == 0 || n*of > covered*len(set)) {
			covered, of = n, len(set)
		}
		at += len(set)
	}
	return covered, of
}

// Coverage is the diagnostic beside support: of the bytes of the set that is
// covered best, how many are covered (statistics.md 2, partial). It is never
// called support.
func (j *Judge) Coverage(e Evidence, shown []Ref) (covered, of int) {
	j.open(e)
	at := 0
	for _, set := range e {
		n, left := 0, 0
		for _, s := range set {
			for _, u := range shown {
				if u.Doc == s.Doc {
					j.gaps[at] = subtract(j.gaps[at], u.Span)
				}
			}
			n += s.Len()
			for _, g := range j.gaps[at] {
				left += g.Len()
			}
			at++
		}
		if n > 0 && (of == 0 || (n-left)*of > covered*n) {
			covered, of = n-left, n
		}
	}
	return covered, of
}
