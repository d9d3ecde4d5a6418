// Package split cuts a text into chunks: which bytes are retrieved together.
//
// Windows of capacity C and overlap O have stride S = C - O, in tokens. A phase
// is the first interior cut, 1..S; further cuts follow at S. A core lies between
// two cuts or a cut and an edge of the text, so cores partition it; a chunk is
// its core extended by up to O following tokens. Cuts inside a code point move
// back to its start (engine.md 1).
package split

import (
	"fmt"

	"kerf/internal/text/span"
)

// Edge says what becomes of a chunk that lies wholly in the one before it.
type Edge string

const (
	DropContained Edge = "drop-contained" // it is not emitted (default)
	Keep          Edge = "keep"           // it is
)

// Windows are fixed windows over tokens: Size >= 1, 0 <= Overlap < Size.
type Windows struct {
	Size, Overlap int
	Edge          Edge
}

// Stride is the distance between cuts, in tokens.
func (w Windows) Stride() int { return w.Size - w.Overlap }

// Check names what is wrong with w, if anything.
func (w Windows) Check() error {
	switch {
	case w.Size < 1:
		return fmt.Errorf("size %d: expected at least 1", w.Size)
	case w.Overlap < 0 || w.Overlap >= w.Size:
		return fmt.Errorf("overlap %d with size %d: expected 0 <= overlap < size", w.Overlap, w.Size)
	case w.Edge != DropContained && w.Edge != Keep:
		return fmt.Errorf("edge %q: expected %s or %s", w.Edge, DropContained, Keep)
	}
	return nil
}

// State says what became of a core.
type State string

const (
	Emitted   State = "emitted"
	Contained State = "contained" // its chunk lies in the last emitted one
	Empty     State = "empty"     // its two cuts are the same byte
)

// Chunk is a core and what extends it.
type Chunk struct {
	span.Span             // bytes of the chunk
	First, Core, Last int // tokens: the chunk is [First, Last), its core [First, Core)
	State             State
}

// Tokens are the token boundaries of one text (token.Table).
type Tokens interface {
	Len() int
	Cut(i int) int
}

// Cores is the number of cores of n tokens with the first cut at first.
func (w Windows) Cores(n, first int) int {
	switch {
	case n == 0:
		return 0
	case n <= first:
		return 1
	}
	return 1 + (n-first+w.Stride()-1)/w.Stride()
}

// Place appends one Chunk for every core of the text, in order, whatever became
// of it: core k is dst[len(dst)+k]. first is 1..Stride.
func (w Windows) Place(t Tokens, first int, dst []Chunk) []Chunk {
	n := t.Len()
	start := t.Cut(0)
	end := -1 // of the last emitted chunk
	for k, cores := 0, w.Cores(n, first); k < cores; k++ {
		c := w.core(n, first, k)
		cut := t.Cut(c.Core)
		c.Span = span.Span{Start: start, End: cut}
		if start = cut; c.Last > c.Core {
			c.End = t.Cut(c.Last)
		}
		switch {
		case c.Start == cut:
			c.State = Empty
		case c.End <= end && w.Edge == DropContained:
			c.State = Contained
		default:
			c.State, end = Emitted, c.End
		}
		dst = append(dst, c)
	}
	return dst
}

// core is the k-th core and its chunk in tokens.
func (w Windows) core(n, first, k int) Chunk {
	next := first + k*w.Stride()
	start := next - w.Stride()
	if k == 0 {
		start = 0
	}
	return Chunk{First: start, Core: min(n, next), Last: min(n, next+w.Overlap)}
}

// Holders are the cores whose chunks hold the tokens from lo up to hi, 0 <= lo <
// hi <= n: from k up to and including l; none if k > l. This is arithmetic: the
// last core that begins at or before lo, and the first that reaches hi.
func (w Windows) Holders(n, first, lo, hi int) (k, l int) {
	if s := w.Stride(); lo >= first {
		l = 1 + (lo-first)/s
	}
	if need := hi - w.Overlap - first; need > 0 {
		s := w.Stride()
		k = min((need+s-1)/s, w.Cores(n, first)-1)
	}
	return k, l
}
