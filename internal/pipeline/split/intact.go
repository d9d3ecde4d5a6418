package split

// Extent is a span in tokens: the last boundary at or before its start, and the
// first at or after its end. A chunk holds the span just when it holds [Lo, Hi).
type Extent struct {
	N      int // tokens of the text
	Lo, Hi int
}

// ExtentOf is the smallest interval of tokens whose cuts enclose the bytes from
// start to end.
func ExtentOf(t Tokens, start, end int) Extent {
	e := Extent{N: t.Len(), Hi: t.Len()}
	for a, b := 0, e.N; a <= b; { // the last cut at or before start
		if m := (a + b) / 2; t.Cut(m) <= start {
			e.Lo, a = m, m+1
		} else {
			b = m - 1
		}
	}
	for a, b := 0, e.N; a <= b; { // the first cut at or after end
		if m := (a + b) / 2; t.Cut(m) >= end {
			e.Hi, b = m, m-1
		} else {
			a = m + 1
		}
	}
	return e
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
