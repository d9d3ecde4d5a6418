package twin

import (
	"cmp"
	"slices"
)

// seen marks the bytes of c that any of the shown intervals holds.
func seen(c Chunk, shown []Chunk) []bool {
	bytes := make([]bool, c.End-c.Start)
	for _, s := range shown {
		if s.Doc == c.Doc {
			for i := max(s.Start, c.Start); i < min(s.End, c.End); i++ {
				bytes[i-c.Start] = true
			}
		}
	}
	return bytes
}

// covered reports whether every byte of e is shown, white space excepted
// unless strict.
func covered(e Evidence, shown []Chunk, docs map[string]Document, strict bool) bool {
	bytes := seen(Chunk(e), shown)
	for i, r := range docs[e.Doc].Text[e.Start:e.End] {
		if !bytes[i] && (strict || !whiteSpace(r)) {
			return false
		}
	}
	return true
}

// supported reports whether every span of some set is covered.
func supported(q Question, shown []Chunk, docs map[string]Document, strict bool) bool {
	return slices.ContainsFunc(q.Support, func(set []Evidence) bool {
		for _, e := range set {
			if !covered(e, shown, docs, strict) {
				return false
			}
		}
		return true
	})
}

// holdsSet reports whether c holds every span of some set whole.
func holdsSet(c Chunk, q Question) bool {
	return slices.ContainsFunc(q.Support, func(set []Evidence) bool {
		for _, e := range set {
			if !c.holds(e) {
				return false
			}
		}
		return true
	})
}

// singleRank is the rank of the first hit of which one piece holds a whole set.
func singleRank(q Question, hits []sight) int {
	for _, h := range hits {
		for _, piece := range h.pieces {
			if holdsSet(piece, q) {
				return h.rank
			}
		}
	}
	return 0
}

// unionRank is the smallest rank up to which the pieces together cover a set.
func unionRank(q Question, hits []sight, docs map[string]Document, strict bool) int {
	for k, h := range hits {
		if supported(q, shown(hits[:k+1]), docs, strict) {
			return h.rank
		}
	}
	return 0
}

// feasible reports whether the spans of some set, joined where they overlap
// or touch and shown as units in order of document and start, fit the budget.
func feasible(q Question, docs map[string]Document, p Params) bool {
	return slices.ContainsFunc(q.Support, func(set []Evidence) bool {
		sorted := slices.Clone(set)
		slices.SortFunc(sorted, func(x, y Evidence) int {
			return cmp.Or(cmp.Compare(x.Doc, y.Doc), cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
		})
		var units []Chunk
		for _, e := range sorted {
			if n := len(units); n > 0 && units[n-1].Doc == e.Doc && e.Start <= units[n-1].End {
				units[n-1].End = max(units[n-1].End, e.End)
			} else {
				units = append(units, Chunk(e))
			}
		}
		return cost(units, docs, p) <= p.Budget
	})
}
