package lexical

import "kerf/internal/pipeline/rank"

// find asks for the first depth hits, some at a time, and gives them their scores.
func (p *Placement) search(q int, docs []int, view *Sight, depth int) []rank.Hit {
	p.Ask(q, docs, view)
	for n := 1; n < depth; n *= 3 {
		p.Hits(n)
	}
	var out []rank.Hit
	for _, h := range p.Hits(depth) {
		h.Score = p.Score(h.Slot)
		out = append(out, h)
	}
	return out
}
