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

// Whole reports whether some chunk holds the extent with the first cut at first:
// the chunk of the core that its start lies in reaches furthest, to the first cut
// behind that start and the overlap beyond.
func (w Windows) Whole(e Extent, first int) bool {
	next := e.Lo + 1 + mod(first-e.Lo-1, w.Stride()) // the first cut behind Lo; beyond the text it is the text's end
	return next+w.Overlap >= e.Hi
}

// mod is a modulo m, 0 <= mod < m, also of a negative a.
func mod(a, m int) int {
	if a %= m; a < 0 {
		a += m
	}
	return a
}

// Survival is the closed form of how many of the S placements leave a span of
// length tokens whole: min(S, max(0, C - length + 1)), for a text of at least S
// tokens and cuts that no code point moves (engine.md 9, statistics.md 3).
func (w Windows) Survival(length int) int {
	return min(w.Stride(), max(0, w.Size-length+1))
}
