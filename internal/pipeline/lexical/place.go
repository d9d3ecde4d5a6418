package lexical

import (
	"kerf/internal/pipeline/split"
	"kerf/internal/stats"
	"kerf/internal/text/span"
	"kerf/internal/text/term"
)

// BM25's constants (Robertson and Zaragoza 2009, equation 3.15; idf with the
// 1 + inside the logarithm, so that no term counts against a chunk).
const (
	k1 = 1.2
	b  = 0.75
)

// Placement is the index at one placement of the cuts. It can be placed anew;
// it is not safe for concurrent use.
type Placement struct {
	split.Segmentation       // every core of every document
	Terms              int64 // terms in all indexed chunks

	view *View

	avglen    float64    // terms a chunk
	norm      []float64  // by slot: k1(1 - b + b*len/avglen)
	idf       []float64  // by term id
	fragments [][2]int32 // scratch

	tally tally
	estimates
	ranking
	prefixes  []string   // by slot: words before a chunk that was cut elsewhere; nil: none
	few       int        // so many chunks are counted and estimated at once
	wide      bool       // there are more
	within    []int32    // by term id: chunks of those counted last that have it
	foreseen  [][]uint64 // by question, from firstSeen: keys of its first hits and of what may be one
	firstSeen int
}

// NewPlacement is an empty placement over v; Place fills it.
func (v *View) NewPlacement() *Placement {
	return &Placement{view: v, estimates: estimates{ceiling: fine}, tally: tally{widest: 16}, few: few}
}

// Place cuts every document by w, document d with its first cut at first(d), and
// counts every question term in every chunk.
func (p *Placement) Place(w split.Windows, first func(doc int) int) {
	cores := 0
	for doc, t := range p.view.tables {
		cores += w.Cores(t.Len(), first(doc))
	}
	p.open(cores)
	p.Begin()
	for doc, t := range p.view.tables {
		text, from := p.text(doc), len(p.Chunks)
		p.Append(w, text, t, first(doc))
		for slot := from; slot < len(p.Chunks); slot++ {
			p.count(slot)
		}
		p.view.spool.Passed(len(text))
	}
	p.End()
	p.weigh()
}

// open begins the counting of so many chunks. Where they are many their counts are
// made again when they are needed, and not kept.
func (p *Placement) open(chunks int) {
	p.tally.open(chunks, len(p.view.ids))
	if p.wide = chunks > p.few; !p.wide {
		p.tally.keep(0, chunks)
	}
}

// count counts the terms of a chunk.
func (p *Placement) count(slot int) {
	t := &p.tally
	t.lengths[slot] = int32(p.look(slot))
	if !p.wide {
		t.close(slot, t.having)
		return
	}
	t.drop(func(id, _ int32) { t.having[id]++ })
}

// recount keeps the counts of the chunks with slots from lo up to hi.
func (p *Placement) recount(lo, hi int) {
	p.tally.keep(lo, hi)
	p.within = resize(p.within, len(p.tally.having))
	for slot := lo; slot < hi; slot++ {
		p.look(slot)
		p.tally.close(slot, p.within)
		p.view.spool.Passed(p.Chunks[slot].Len())
	}
}

// look makes the chunk in this slot the one at hand and tallies its terms.
func (p *Placement) look(slot int) (length int) {
	switch {
	case !p.Live[slot]:
		return 0
	case p.view.tables != nil:
		return p.read(p.Docs[slot], p.Chunks[slot].Span)
	}
	return p.readGiven(slot)
}

// read counts the terms of a slice of a document and tallies those that a question
// has.
func (p *Placement) read(doc int32, s span.Span) (length int) {
	t := p.view.texts[doc]
	lo, hi, fragments := t.Slice(s.Start, s.End, p.fragments[:0])
	p.view.found[doc].count(&p.tally, lo, hi)
	for _, f := range fragments {
		if id, ok := p.view.ids[term.Lower(t.Source[f[0]:f[1]])]; ok {
			p.tally.one(id)
		}
	}
	p.fragments = fragments
	return hi - lo + len(fragments)
}

// weigh makes of what was counted what the scores need.
func (p *Placement) weigh() {
	t := &p.tally
	p.Terms = 0
	for _, n := range t.lengths {
		p.Terms += int64(n)
	}
	if p.N > 0 {
		p.avglen = float64(p.Terms) / float64(p.N)
	}
	p.norm, p.idf = sized(p.norm, len(t.lengths)), sized(p.idf, len(t.having))
	for slot, n := range t.lengths {
		p.norm[slot] = p.normOf(float64(n))
	}
	for id, n := range t.having {
		p.idf[id] = stats.Log(float64(1 + float64((float64(p.N-int(n))+0.5)/(float64(n)+0.5))))
	}
	p.rescale()
	p.foreseen = p.foreseen[:0]
	if p.lo, p.hi = 0, 0; !p.wide {
		p.estimate(0, int32(len(p.Chunks)), t.having)
	}
}

func (p *Placement) text(doc int) string { return p.view.texts[doc].Source }

// Everywhere is the same first cut in every document.
func Everywhere(first int) func(doc int) int { return func(int) int { return first } }

// normOf is the part of BM25's denominator that depends on a chunk's length.
func (p *Placement) normOf(length float64) float64 {
	return float64(k1 * float64(1-b+float64(float64(b*length)/p.avglen)))
}

// weightOf is what f occurrences of a term add to a chunk's score.
func weightOf(idf, f, norm float64) float64 {
	tf := float64(f*(k1+1)) / float64(f+norm)
	return float64(idf * tf)
}

// resize is s with n zero elements.
func resize[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}

// sized is s with n elements of any value.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n, n+n/8)
	}
	return s[:n]
}
