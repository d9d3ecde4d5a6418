// Package span is the algebra of half-open byte intervals over one text.
//
// A Span is one interval; a Set is a union of them in canonical form: sorted,
// disjoint, no two touching, none empty. Everything kerf says about evidence
// (covered, visible, readable, cut) is said with these.
package span

import (
	"fmt"
	"slices"
)

// Span is the half-open interval [Start, End) of byte offsets from 0.
type Span struct{ Start, End int }

// Len is the number of bytes, 0 for an empty or reversed span.
func (s Span) Len() int { return max(0, s.End-s.Start) }

// Empty reports whether s holds no byte.
func (s Span) Empty() bool { return s.End <= s.Start }

// Contains reports whether every byte of t is in s. An empty t is contained
// in every span.
func (s Span) Contains(t Span) bool {
	return t.Empty() || (s.Start <= t.Start && t.End <= s.End)
}

// Clip is the part of s that is inside t; the zero Span if there is none.
func (s Span) Clip(t Span) Span {
	c := Span{max(s.Start, t.Start), min(s.End, t.End)}
	if c.Empty() {
		return Span{}
	}
	return c
}

// String prints the span as [start,end).
func (s Span) String() string { return fmt.Sprintf("[%d,%d)", s.Start, s.End) }

// Compare orders spans by start, then by end.
func Compare(a, b Span) int {
	if a.Start != b.Start {
		return a.Start - b.Start
	}
	return a.End - b.End
}

// Set is a union of spans in canonical form; make one with Union.
type Set []Span

// Union is the set of all bytes in any of the spans. Touching spans join.
func Union(spans ...Span) Set {
	kept := make(Set, 0, len(spans))
	for _, s := range spans {
		if !s.Empty() {
			kept = append(kept, s)
		}
	}
	return kept.join()
}

// join brings spans, none of them empty, into canonical form in place.
func (u Set) join() Set {
	if !slices.IsSortedFunc(u, Compare) {
		slices.SortFunc(u, Compare)
	}
	out := u[:0]
	for _, s := range u {
		if n := len(out); n > 0 && s.Start <= out[n-1].End {
			out[n-1].End = max(out[n-1].End, s.End)
			continue
		}
		out = append(out, s)
	}
	return out
}

// Len is the number of bytes in the set.
func (u Set) Len() int {
	n := 0
	for _, s := range u {
		n += s.Len()
	}
	return n
}

// Covers reports whether every byte of s is in u: no gap at all.
func (u Set) Covers(s Span) bool {
	i := u.at(s.Start)
	return s.Empty() || (i < len(u) && u[i].Contains(s))
}

// at is the index of the first member that ends after offset.
func (u Set) at(offset int) int {
	i, _ := slices.BinarySearchFunc(u, offset, func(s Span, off int) int {
		if s.End > off {
			return 1
		}
		return -1
	})
	return i
}

// Gaps are the parts of s that are not in u, in order.
func (u Set) Gaps(s Span) []Span {
	var gaps []Span
	cursor := s.Start
	for _, m := range u[u.at(s.Start):] {
		if m.Start >= s.End {
			break
		}
		if m.Start > cursor {
			gaps = append(gaps, Span{cursor, m.Start})
		}
		cursor = m.End
	}
	if cursor < s.End {
		gaps = append(gaps, Span{cursor, s.End})
	}
	return gaps
}

// Intersect is the set of bytes in both.
func (u Set) Intersect(v Set) Set {
	out := Set{}
	for i, j := 0, 0; i < len(u) && j < len(v); {
		if c := u[i].Clip(v[j]); !c.Empty() {
			out = append(out, c)
		}
		if u[i].End < v[j].End {
			i++
		} else {
			j++
		}
	}
	return out
}

// Minus is the set of bytes of u that are not in v.
func (u Set) Minus(v Set) Set {
	out := Set{}
	for _, s := range u {
		out = append(out, v.Gaps(s)...)
	}
	return out
}
