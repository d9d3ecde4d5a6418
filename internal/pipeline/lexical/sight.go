package lexical

import (
	"slices"

	"kerf/internal/pipeline/split"
	"kerf/internal/text/span"
)

// Sight is what one reader sees of a placement's chunks. The zero value is
// everything. A clipped chunk is denied as a whole and ranked by its pieces.
type Sight struct {
	Denied  []bool // by slot; nil: none
	Clipped []Clip // by slot, ascending
}

// Clip is a chunk of which a reader may read some pieces: it is ranked by the
// terms of the pieces alone, each cut from the text as it stands; N, n and
// avglen stay those of the whole index (engine.md 5).
type Clip struct {
	slot   int32
	Pieces []span.Span
	norm   float64
	counts []count // by term id, ascending
}

type count struct {
	id int32
	n  int32
}

// Look is the sight of a reader who may read readable(doc) of each document; nil
// is all of it. With clip, a chunk that is readable in part is clipped, else it
// is denied.
func (p *Placement) Look(readable func(doc int32) span.Set, clip bool) Sight {
	var s Sight
	for slot, c := range p.Chunks {
		set := span.Set(nil)
		if p.Live[slot] {
			set = readable(p.Docs[slot])
		}
		if set == nil || set.Covers(c.Span) {
			continue
		}
		if s.Denied == nil {
			s.Denied = make([]bool, len(p.Chunks))
		}
		s.Denied[slot] = true
		if clip {
			if pieces := p.pieces(slot, c, set); len(pieces) > 0 {
				s.Clipped = append(s.Clipped, p.clip(int32(slot), pieces))
			}
		}
	}
	return s
}

// pieces are the readable parts of a chunk that are not blank.
func (p *Placement) pieces(slot int, c split.Chunk, readable span.Set) []span.Span {
	text := p.view.texts[p.Docs[slot]].Source
	return slices.DeleteFunc(readable.Intersect(span.Set{c.Span}), func(s span.Span) bool { return Blank(text[s.Start:s.End]) })
}

func (p *Placement) clip(slot int32, pieces []span.Span) Clip {
	t := p.view.texts[p.Docs[slot]]
	n, length := map[int32]int32{}, 0
	for _, s := range pieces {
		length += p.terms(t, s, func(id, by int32) { n[id] += by })
		lo, _ := slices.BinarySearch(t.Starts, int32(s.Start))
		for i := lo; i < t.Len() && int(t.Ends[i]) <= s.End; i++ {
			if id, ok := p.view.ids[t.Term(i)]; ok {
				n[id]++
			}
		}
	}
	c := Clip{slot: slot, Pieces: pieces, norm: p.normOf(float64(length))}
	for id, f := range n {
		if f > 0 {
			c.counts = append(c.counts, count{id, f})
		}
	}
	slices.SortFunc(c.counts, func(a, b count) int { return int(a.id - b.id) })
	return c
}

// score adds the terms of a question in their order, as Search does.
func (c *Clip) score(idf []float64, terms []int32) float64 {
	score := 0.0
	for _, id := range terms {
		if i, ok := slices.BinarySearchFunc(c.counts, id, func(x count, id int32) int { return int(x.id - id) }); ok {
			score += weightOf(idf[id], float64(c.counts[i].n), c.norm)
		}
	}
	return score
}

// Pieces are the parts of a clipped chunk that the reader sees; nil if the chunk
// is not clipped.
func (s *Sight) Pieces(slot int32) []span.Span {
	i, ok := slices.BinarySearchFunc(s.Clipped, slot, func(c Clip, slot int32) int { return int(c.slot - slot) })
	if !ok {
		return nil
	}
	return s.Clipped[i].Pieces
}
