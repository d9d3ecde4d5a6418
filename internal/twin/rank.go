package twin

import (
	"cmp"
	"slices"
)

// index counts the terms of the chunks of one phase.
type index struct {
	chunks []Chunk
	length []int              // terms in each chunk
	avglen float64            // mean of length
	posted map[string][]entry // per term, chunks ascending
	log    func(float64) float64
}

type entry struct{ chunk, count int }

func newIndex(chunks []Chunk, docs map[string]Document, log func(float64) float64) index {
	ix := index{chunks: chunks, posted: map[string][]entry{}, log: log}
	total := 0
	for i, c := range chunks {
		terms := Terms(docs[c.Doc].Text[c.Start:c.End])
		counts := map[string]int{}
		for _, t := range terms {
			counts[t]++
		}
		for t, n := range counts {
			ix.posted[t] = append(ix.posted[t], entry{i, n})
		}
		ix.length = append(ix.length, len(terms))
		total += len(terms)
	}
	ix.avglen = float64(total) / float64(len(chunks))
	return ix
}

// BM25's constants: saturation and the weight of length.
const k1, b = 1.2, 0.75

// Each operation of a weight is rounded by itself, so that no machine fuses
// two. idf is of a term that matching chunks hold.
func (ix index) idf(matching int) float64 {
	chunks, n := float64(len(ix.chunks)), float64(matching)
	return ix.log(float64(1 + float64(float64(chunks-n+0.5)/float64(n+0.5))))
}

// weight is the share in a score of a term that a chunk of length terms holds
// f times.
func (ix index) weight(idf, f, length float64) float64 {
	norm := float64(k1 * float64(1-b+float64(float64(b*length)/ix.avglen)))
	tf := float64(f*(k1+1)) / float64(f+norm)
	return float64(idf * tf)
}

// rank gives the first depth hits among the chunks that the question may see.
func (ix index) rank(q Question, docs map[string]Document, depth int) []Hit {
	terms := Terms(q.Text)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	scores := make([]float64, len(ix.chunks))
	matched := make([]bool, len(ix.chunks))
	for _, t := range terms {
		idf := ix.idf(len(ix.posted[t]))
		for _, e := range ix.posted[t] {
			matched[e.chunk] = true
			scores[e.chunk] += ix.weight(idf, float64(e.count), float64(ix.length[e.chunk]))
		}
	}
	var hits []Hit
	for i, c := range ix.chunks {
		if matched[i] && (len(q.Within) == 0 || slices.Contains(q.Within, c.Doc)) && readable(docs[c.Doc], c, q.Reader) {
			hits = append(hits, Hit{c, scores[i]})
		}
	}
	slices.SortFunc(hits, func(x, y Hit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Doc, y.Doc),
			cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
	})
	return hits[:min(depth, len(hits))]
}

// readable reports whether the reader may read every byte of c: each
// restriction that covers one of them names the reader.
func readable(d Document, c Chunk, reader []string) bool {
	all := d.Restrict
	if d.Read != nil {
		all = append([]Restriction{{0, len(d.Text), d.Read}}, all...)
	}
	for _, r := range all {
		touches := max(r.Start, c.Start) < min(r.End, c.End)
		named := slices.ContainsFunc(r.Read, func(name string) bool { return slices.Contains(reader, name) })
		if touches && !named {
			return false
		}
	}
	return true
}
