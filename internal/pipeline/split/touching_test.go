package split

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kerf/internal/text/span"
)

// TestTouchingAgainstEveryChunk: chunks of any kind, nested and repeated, in a
// segmentation that is used again.
func TestTouchingAgainstEveryChunk(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	text := strings.Repeat("ab c   d ", 5)
	var s Segmentation
	for range 500 {
		var chunks []Located
		for d := range int32(3) {
			for range rng.IntN(9) {
				start := rng.IntN(len(text))
				chunks = append(chunks, Located{d, span.Span{Start: start, End: min(len(text), start+1+rng.IntN(1+rng.IntN(30)))}})
			}
		}
		slices.SortFunc(chunks, func(a, b Located) int { return cmp.Or(int(a.Doc-b.Doc), span.Compare(a.Span, b.Span)) })
		s.Take(3, func(int) string { return text }, chunks)
		doc, start := int32(rng.IntN(3)), rng.IntN(len(text))
		part := span.Span{Start: start, End: start + rng.IntN(6)}
		var got, want []int32
		s.Touching(doc, part, func(slot int32) { got = append(got, slot) })
		for slot, c := range s.Chunks {
			if s.Docs[slot] == doc && s.Live[slot] && !c.Clip(part).Empty() {
				want = append(want, int32(slot))
			}
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%v of document %d among %v: %v, want %v", part, doc, chunks, got, want)
		}
	}
}
