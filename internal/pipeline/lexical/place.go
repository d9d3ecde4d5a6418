package lexical

import (
	"slices"

	"kerf/internal/pipeline/rank"
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

	avglen  float64    // terms a chunk
	norm    []float64  // by slot: k1(1 - b + b*len/avglen)
	idf     []float64  // by term id
	lists   [][]weight // by term id, in slot order
	weights []weight   // what lists point into
	counts  []uint64   // scratch: slot<<32 | occurrences
	index   []int32    // scratch, by slot: 1 + place in counts
	edges   []edge
	bounds  [][2]int32
	score   []float64 // scratch, by slot
	best    heap
}

// weight is what a term adds to a chunk's score.
type weight struct {
	slot int32
	w    float64
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
	p.weigh(w, first)
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

// weigh fills lists: for each term the chunks that have it and what it is worth.
func (p *Placement) weigh(w split.Windows, firstOf func(doc int) int) {
	p.index = resize(p.index, len(p.Chunks))
	p.unweighed()
	edges := p.edges
	stride, overlap := w.Stride(), w.Overlap
	for id, places := range p.view.places {
		counts := p.counts[:0]
		doc, base, cores, first := int32(-1), 0, 0, 0
		for _, o := range places {
			if o.doc != doc {
				doc, base = o.doc, int(p.First[o.doc])
				cores = int(p.First[o.doc+1]) - base
				first = firstOf(int(doc))
			}
			// split.Windows.Holders, with the cores counted once a document.
			k, l := 0, 0
			if int(o.lo) >= first {
				l = 1 + (int(o.lo)-first)/stride
			}
			if need := int(o.hi) - overlap - first; need > 0 {
				k = min((need+stride-1)/stride, cores-1)
			}
			for slot := base + k; slot <= base+l; slot++ {
				counts = p.count(counts, int32(slot), 1)
			}
		}
		whole := len(counts)
		for len(edges) > 0 && edges[0].id == int32(id) {
			counts = p.count(counts, edges[0].slot, edges[0].by)
			edges = edges[1:]
		}
		for _, c := range counts {
			p.index[c>>32] = 0
		}
		if len(counts) > whole {
			slices.Sort(counts)
		}
		counts = slices.DeleteFunc(counts, func(c uint64) bool { return uint32(c) == 0 })
		p.counts = counts
		p.list(id, counts)
	}
}

// unweighed is the state before any term has a list.
func (p *Placement) unweighed() {
	p.score = resize(p.score, len(p.Chunks))
	p.lists = resize(p.lists, len(p.view.ids))
	p.idf = resize(p.idf, len(p.view.ids))
	p.weights = p.weights[:0]
}

// list makes the list of a term from its counts: slot<<32 | occurrences, in slot
// order.
func (p *Placement) list(id int, counts []uint64) {
	p.idf[id] = stats.Log(float64(1 + float64((float64(p.N-len(counts))+0.5)/(float64(len(counts))+0.5))))
	from := len(p.weights)
	for _, c := range counts {
		slot, f := int32(c>>32), float64(uint32(c))
		p.weights = append(p.weights, weight{slot, weightOf(p.idf[id], f, p.norm[slot])})
	}
	p.lists[id] = p.weights[from:len(p.weights):len(p.weights)]
}

// count changes the occurrences in slot; chunks that are not indexed have none.
func (p *Placement) count(counts []uint64, slot, by int32) []uint64 {
	switch i := p.index[slot]; {
	case !p.Live[slot]:
	case i > 0:
		counts[i-1] += uint64(int64(by))
	default:
		counts = append(counts, uint64(slot)<<32+uint64(int64(by)))
		p.index[slot] = int32(len(counts))
	}
	return counts
}

// Search ranks the chunks for question q and appends the first depth hits to
// dst, in rank.Compare's order. docs limits the search to these documents (in
// order; nil: all); view is what the reader sees of the chunks.
func (p *Placement) Search(q int, docs []int, view *Sight, depth int, dst []rank.Hit) []rank.Hit {
	p.best = p.best[:0]
	if docs == nil {
		for _, id := range p.view.questions[q] {
			p.add(p.lists[id])
		}
		p.collect(0, int32(len(p.Chunks)), view, depth)
	}
	for _, d := range docs {
		from, to := p.First[d], p.First[d+1]
		for _, id := range p.view.questions[q] {
			p.add(between(p.lists[id], from, to))
		}
		p.collect(from, to, view, depth)
	}
	for i, c := range view.Clipped {
		if docs != nil && !slices.Contains(docs, int(p.Docs[c.Slot])) {
			continue
		}
		if s := (scored{view.clips[i].score(p.idf, p.view.questions[q]), c.Slot}); s.score > 0 && (len(p.best) < depth || depth > 0 && p.best[0].worse(s)) {
			p.best.push(s, depth)
		}
	}
	from := len(dst)
	dst = append(dst, make([]rank.Hit, len(p.best))...)
	for n := len(p.best) - 1; n >= 0; n-- { // the worst first
		dst[from+n] = p.hit(p.best[0].slot, p.best[0].score)
		p.best[0] = p.best[n]
		p.best = p.best[:n]
		p.best.down()
	}
	return dst
}

// collect moves the scores of the slots from lo up to hi into the heap of the
// best, and leaves zeros. Slots come in order, so that one that ties with the
// worst of a full heap is worse than it.
func (p *Placement) collect(lo, hi int32, view *Sight, depth int) {
	score := p.score[lo:hi]
	if depth == 0 {
		clear(score)
		return
	}
	least := 0.0 // what a score must be above
	if len(p.best) == depth {
		least = p.best[0].score
	}
	for i, s := range score {
		score[i] = 0
		if s <= least {
			continue
		}
		slot := lo + int32(i)
		if view.Denied != nil && view.Denied[slot] {
			continue
		}
		if p.best.push(scored{s, slot}, depth); len(p.best) == depth {
			least = p.best[0].score
		}
	}
}

// between is the part of a list with slots from lo up to hi.
func between(list []weight, lo, hi int32) []weight {
	at := func(slot int32) int {
		i, _ := slices.BinarySearchFunc(list, slot, func(w weight, s int32) int { return int(w.slot - s) })
		return i
	}
	return list[at(lo):at(hi)]
}

// add adds a term's weights. Every weight is positive, so 0 means no match.
func (p *Placement) add(list []weight) {
	score := p.score
	for _, w := range list {
		score[w.slot] += w.w
	}
}

func (p *Placement) hit(slot int32, score float64) rank.Hit {
	return rank.Hit{Doc: p.Docs[slot], Slot: slot, Span: p.Chunks[slot].Span, Score: score}
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
