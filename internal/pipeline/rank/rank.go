// Package rank is the order of what retrieval finds.
//
// There is one total order everywhere: score descending, then document id by
// its bytes, then start, then end (engine.md 4).
package rank

import (
	"cmp"

	"kerf/internal/text/span"
)

// Hit is a chunk found for a question. Doc is the ordinal of its document in
// the corpus, whose documents are sorted by id, so that comparing ordinals
// compares ids.
type Hit struct {
	Doc int32
	// Slot is the ordinal of the chunk among all cores of the placement; within
	// one document it ascends with the start.
	Slot int32
	span.Span
	Score float64
}

// Compare is the total order.
func Compare(a, b Hit) int {
	return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Doc, b.Doc), cmp.Compare(a.Start, b.Start), cmp.Compare(a.End, b.End))
}
