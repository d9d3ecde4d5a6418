package lexical

import (
	"math"
	"math/bits"
	"slices"

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

	avglen float64    // terms a chunk
	norm   []float64  // by slot: k1(1 - b + b*len/avglen)
	idf    []float64  // by term id
	lists  [][]uint64 // by term id, in slot order: slot<<32 | occurrences
	counts []uint64   // what lists point into
	edges  []edge
	bounds [][2]int32 // scratch

	estimates
	ranking
}

// edge is what the edges of a chunk do to a question's term: a fragment is one
// occurrence more (by 1), a term that begins with orphaned marks one less (-1).
type edge struct{ id, slot, by int32 }

// NewPlacement is an empty placement over v; Place fills it.
func (v *View) NewPlacement() *Placement { return &Placement{view: v} }

// Place cuts every document by w, document d with its first cut at first(d), and
// weighs every question term in every chunk.
func (p *Placement) Place(w split.Windows, first func(doc int) int) {
	p.Cut(w, len(p.view.tables), p.text, func(doc int) split.Tokens { return p.view.tables[doc] }, first)
	p.measure()
	p.count(w, first)
}

func (p *Placement) text(doc int) string { return p.view.texts[doc].Source }

// Everywhere is the same first cut in every document.
func Everywhere(first int) func(doc int) int { return func(int) int { return first } }

// measure counts the terms of each chunk and finds the fragments that are
// question terms.
func (p *Placement) measure() {
	n := len(p.Chunks)
	p.norm = resize(p.norm, n)
	p.edges = p.edges[:0]
	p.Terms = 0
	for slot, c := range p.Chunks {
		if !p.Live[slot] {
			continue
		}
		length := p.terms(p.view.texts[p.Docs[slot]], c.Span, func(id, by int32) { p.edges = append(p.edges, edge{id, int32(slot), by}) })
		p.Terms += int64(length)
		p.norm[slot] = float64(length)
	}
	p.normalise()
	slices.SortStableFunc(p.edges, func(a, b edge) int { return int(a.id - b.id) })
}

// normalise makes norm of the chunks' lengths.
func (p *Placement) normalise() {
	if p.N == 0 {
		return
	}
	p.avglen = float64(p.Terms) / float64(p.N)
	for slot, length := range p.norm {
		if p.Live[slot] {
			p.norm[slot] = p.normOf(length)
		}
	}
}

// normOf is the part of BM25's denominator that depends on a chunk's length.
func (p *Placement) normOf(length float64) float64 {
	return float64(k1 * float64(1-b+float64(float64(b*length)/p.avglen)))
}

// weightOf is what f occurrences of a term add to a chunk's score.
func weightOf(idf, f, norm float64) float64 {
	tf := float64(f*(k1+1)) / float64(f+norm)
	return float64(idf * tf)
}

// terms is the number of terms of a slice of a text. edge is called for what its
// edges do to question terms: a fragment is one occurrence more than lie inside
// it whole, a term whose marks lost their base one less.
func (p *Placement) terms(t *term.Text, s span.Span, edge func(id, by int32)) int {
	lo, hi, fragments := t.Slice(s.Start, s.End, p.bounds[:0])
	p.bounds = fragments
	for _, f := range fragments {
		if id, ok := p.view.ids[term.Lower(t.Source[f[0]:f[1]])]; ok {
			edge(id, 1)
		}
	}
	if len(fragments) > 0 && int(fragments[0][0]) == s.Start {
		t.Orphaned(s.Start, s.End, int(fragments[0][1]), func(i int) {
			if id, ok := p.view.ids[t.Term(i)]; ok {
				edge(id, -1)
			}
		})
	}
	return hi - lo + len(fragments)
}

// count fills lists: for each term the chunks that have it and how often.
func (p *Placement) count(w split.Windows, firstOf func(doc int) int) {
	p.uncounted()
	edges := p.edges
	divide := newDivider(w.Stride())
	for id, places := range p.view.places {
		from := len(p.counts)
		doc, base, last, first := int32(-1), 0, 0, 0
		for _, o := range places {
			if o.doc != doc {
				doc, base = o.doc, int(p.First[o.doc])
				last = int(p.First[o.doc+1]) - base - 1
				first = firstOf(int(doc))
			}
			// split.Windows.Holders with one division: the last core that begins at or
			// before the term, then those before it that reach its end.
			l, reach := 0, first+w.Overlap
			if int(o.lo) >= first {
				l = 1 + divide.by(int(o.lo)-first)
				reach += l * w.Stride()
			}
			if int(o.hi) > reach && l < last {
				continue
			}
			k := l
			for k > 0 && int(o.hi) <= reach-w.Stride() {
				k, reach = k-1, reach-w.Stride()
			}
			for slot := base + k; slot <= base+l; slot++ {
				if n := len(p.counts); n > from && p.counts[n-1]>>32 == uint64(slot) {
					p.counts[n-1]++
				} else if w.Overlap == 0 || !again(p.counts[from:], uint64(slot)) {
					if p.Live[slot] { // chunks that are not indexed have no terms
						p.counts = append(p.counts, uint64(slot)<<32|1)
					}
				}
			}
		}
		for ; len(edges) > 0 && edges[0].id == int32(id); edges = edges[1:] {
			p.counts = change(p.counts, from, edges[0])
		}
		p.list(id, from)
	}
	p.estimate()
}

// divider divides by a number below 1<<32: it is the reciprocal times 1<<64,
// rounded up, or 0 for 1.
type divider uint64

func newDivider(d int) divider { return divider(math.MaxUint64/uint64(d) + 1) }

// by is x/d for x from 0 up to 1<<32: what rounding up adds is less than 1/d
// (Granlund and Montgomery 1994).
func (d divider) by(x int) int {
	if d == 0 {
		return x
	}
	high, _ := bits.Mul64(uint64(d), uint64(x))
	return int(high)
}

// again counts one more occurrence in slot if it has one. Occurrences come in the
// order of the last slots that have them, so it is one of the last.
func again(counts []uint64, slot uint64) bool {
	for i := len(counts) - 1; i >= 0 && counts[i]>>32 >= slot; i-- {
		if counts[i]>>32 == slot {
			counts[i]++
			return true
		}
	}
	return false
}

// uncounted is the state before any term has a list.
func (p *Placement) uncounted() {
	p.lists = resize(p.lists, len(p.view.ids))
	p.idf = resize(p.idf, len(p.view.ids))
	p.counts = p.counts[:0]
}

// list makes the counts from there on the list of a term.
func (p *Placement) list(id, from int) {
	list := p.counts[from:len(p.counts):len(p.counts)]
	p.lists[id] = list
	p.idf[id] = stats.Log(float64(1 + float64((float64(p.N-len(list))+0.5)/(float64(len(list))+0.5))))
}

// change makes an edge's change in the counts that begin at from.
func change(counts []uint64, from int, e edge) []uint64 {
	i, _ := slices.BinarySearch(counts[from:], uint64(e.slot)<<32)
	i += from
	if i == len(counts) || int32(counts[i]>>32) != e.slot {
		return slices.Insert(counts, i, uint64(e.slot)<<32+uint64(int64(e.by)))
	}
	if counts[i] += uint64(int64(e.by)); uint32(counts[i]) == 0 {
		counts = slices.Delete(counts, i, i+1)
	}
	return counts
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
		return make([]T, n)
	}
	return s[:n]
}
