package sweep

import (
	"kerf/internal/pipeline/rank"
	"kerf/internal/text/span"
	"kerf/internal/text/token"
)

// units counts the tokens of chunks as units of a context.
type units struct {
	before [][]string       // by document, by number of the unit - 1: what the format writes before it
	frames [][]*token.Frame // by digits of the unit's number, by document: what it writes around it
	// Of the placement:
	apart []int32   // by slot: 1 + tokens that the chunk adds to its frame's; -1: not easily seen; 0: not looked at yet
	costs [][]int32 // by digits, by slot, where that is -1: 1 + tokens as a unit; 0: not counted yet
}

// reset forgets what was counted of the chunks.
func (u *units) reset(chunks int) {
	u.apart = zeroed(u.apart, chunks)
	for i := range u.costs {
		u.costs[i] = zeroed(u.costs[i], chunks)
	}
}

// cost is the tokens of a hit as unit n. Only the number of digits of n
// matters: in every tokenizer numbers of equally many digits, up to three in a
// BPE token, take equally many tokens.
func (w *Worker) cost(n int, h rank.Hit) int {
	u, table := &w.units, w.counter[h.Doc]
	digits := 1
	for m := n; m > 9; m /= 10 {
		digits++
	}
	for len(u.costs) <= digits {
		u.costs = append(u.costs, make([]int32, len(w.cut.Chunks)))
		u.frames = append(u.frames, make([]*token.Frame, len(w.study.Documents)))
	}
	whole, prefixed := h.Span == w.cut.Chunks[h.Slot].Span, w.prefixed()
	frame := u.frames[digits][h.Doc]
	if frame == nil && !prefixed {
		frame = table.Frame(w.before(n, h), w.format.After())
		u.frames[digits][h.Doc] = frame
	}
	count := func() int {
		if prefixed {
			return table.CountSlice(w.before(n, h), h.Span, w.format.After())
		}
		return table.CountFramed(frame, h.Span)
	}
	if !whole {
		return count()
	}
	apart := &u.apart[h.Slot]
	if *apart == 0 {
		*apart = -1
		if !prefixed {
			if tokens, ok := table.Apart(frame, h.Span); ok {
				*apart = 1 + int32(tokens)
			}
		}
	}
	if *apart > 0 {
		return frame.Tokens + int(*apart) - 1
	}
	known := &u.costs[digits][h.Slot]
	if *known == 0 {
		*known = 1 + int32(count())
	}
	return int(*known) - 1
}

// before is what stands before the text of a hit as unit n: the format's own
// words, and those that came with the chunk and are no evidence.
func (w *Worker) before(n int, h rank.Hit) string {
	u := &w.units
	if u.before == nil {
		u.before = make([][]string, len(w.study.Documents))
	}
	for len(u.before[h.Doc]) < n {
		u.before[h.Doc] = append(u.before[h.Doc], w.format.Before(len(u.before[h.Doc])+1, w.study.Documents[h.Doc].Doc))
	}
	if w.prefixed() {
		return u.before[h.Doc][n-1] + w.foreign.prefixes[h.Slot]
	}
	return u.before[h.Doc][n-1]
}

// prefixed reports whether words came with the chunks that stand before them.
func (w *Worker) prefixed() bool {
	return w.foreign != nil && w.foreign.prefixes != nil && w.arm.IsControl()
}

func (w *Worker) fit(n int, h rank.Hit, room int) span.Span {
	return w.counter[h.Doc].Fit(w.before(n, h), h.Span, w.format.After(), room)
}
