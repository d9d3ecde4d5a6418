package lexical

import (
	"slices"

	"kerf/internal/pipeline/split"
	"kerf/internal/text/span"
)

// Sight is what one reader sees of a placement's chunks. The zero value is
// everything.
type Sight struct {
	split.Sight
	clips []clip // beside Clipped
}

// clip is how a clipped chunk is ranked: by the terms of its pieces alone, each
// cut from the text as it stands; N, n and avglen stay those of the whole index
// (engine.md 5).
type clip struct {
	norm   float64
	counts []count // by term id, ascending
}

type count struct {
	id int32
	n  int32
}

// Look is split.Segmentation.Look for this placement.
func (p *Placement) Look(readable func(doc int32) span.Set, clip bool) Sight {
	s := Sight{Sight: p.Segmentation.Look(p.text, readable, clip)}
	for _, c := range s.Clipped {
		s.clips = append(s.clips, p.clip(c.Slot, c.Pieces))
	}
	return s
}

func (p *Placement) clip(slot int32, pieces []span.Span) clip {
	length := 0
	for _, s := range pieces {
		length += p.read(p.Docs[slot], s)
	}
	c := clip{norm: p.normOf(float64(length))}
	p.tally.drop(func(id, n int32) { c.counts = append(c.counts, count{id, n}) })
	slices.SortFunc(c.counts, func(a, b count) int { return int(a.id - b.id) })
	return c
}

// score adds the terms of a question in their order, as Search does.
func (c *clip) score(idf []float64, terms []int32) float64 {
	score := 0.0
	for _, id := range terms {
		if i, ok := slices.BinarySearchFunc(c.counts, id, func(x count, id int32) int { return int(x.id - id) }); ok {
			score += weightOf(idf[id], float64(c.counts[i].n), c.norm)
		}
	}
	return score
}

// at is the place of a slot among the clipped ones.
func (s *Sight) at(slot int32) (i int, ok bool) {
	if len(s.Clipped) == 0 {
		return 0, false
	}
	return slices.BinarySearchFunc(s.Clipped, slot, func(c split.Clipped, slot int32) int { return int(c.Slot - slot) })
}
