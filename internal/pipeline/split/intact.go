package split

// Extent is a span in tokens: the last boundary at or before its start, and the
// first at or after its end. A chunk holds the span just when it holds [Lo, Hi).
type Extent struct {
	N      int // tokens of the text
	Lo, Hi int
}

// Whole reports whether some chunk holds the extent with the first cut at first.
func (w Windows) Whole(e Extent, first int) bool {
	k, l := w.Holders(e.N, first, e.Lo, e.Hi)
	return k <= l
}

// Survival is the closed form of how many of the S placements leave a span of
// length tokens whole: min(S, max(0, C - length + 1)), for a text of at least S
// tokens and cuts that no code point moves (engine.md 9, statistics.md 3).
func (w Windows) Survival(length int) int {
	return min(w.Stride(), max(0, w.Size-length+1))
}
