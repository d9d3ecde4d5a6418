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
		counts, length := count([]Chunk{c}, docs)
		for t, n := range counts {
			ix.posted[t] = append(ix.posted[t], entry{i, n})
		}
		ix.length = append(ix.length, length)
		total += length
	}
	ix.avglen = float64(total) / float64(len(chunks))
	return ix
}

// count counts the terms of some intervals, each read as a text of its own.
func count(intervals []Chunk, docs map[string]Document) (counts map[string]int, length int) {
	counts = map[string]int{}
	for _, c := range intervals {
		for _, t := range Terms(docs[c.Doc].Text[c.Start:c.End]) {
			counts[t]++
			length++
		}
	}
	return counts, length
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

// rank gives the first p.Depth hits among the chunks that the question may see.
// A chunk that its reader may not read wholly has the terms of its pieces.
func (ix index) rank(q Question, docs map[string]Document, p Params) []Hit {
	terms := Terms(q.Text)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	scores := make([]float64, len(ix.chunks)) // of the chunks as they are
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
		if len(q.Within) > 0 && !slices.Contains(q.Within, c.Doc) {
			continue
		}
		switch seen := pieces(docs[c.Doc], c, q.Reader, p.Clip); {
		case len(seen) == 0:
			continue
		case !slices.Equal(seen, []Chunk{c}):
			counts, length := count(seen, docs)
			scores[i], matched[i] = 0, false
			for _, t := range terms {
				if f := counts[t]; f > 0 {
					matched[i] = true
					scores[i] += ix.weight(ix.idf(len(ix.posted[t])), float64(f), float64(length))
				}
			}
		}
		if matched[i] {
			hits = append(hits, Hit{c, scores[i]})
		}
	}
	slices.SortFunc(hits, func(x, y Hit) int {
		return cmp.Or(cmp.Compare(y.Score, x.Score), cmp.Compare(x.Doc, y.Doc),
			cmp.Compare(x.Start, y.Start), cmp.Compare(x.End, y.End))
	})
	return hits[:min(p.Depth, len(hits))]
}

// pieces are what the reader sees of a chunk, in order: the chunk itself if he
// may read each byte of it; else, with clip, every maximal readable interval in
// it that is not white space alone, and without clip nothing.
func pieces(d Document, c Chunk, reader []string, clip bool) []Chunk {
	if d.Read == nil && d.Restrict == nil {
		return []Chunk{c}
	}
	may := readable(d, c, reader)
	if !slices.Contains(may, false) {
		return []Chunk{c}
	}
	var out []Chunk
	for from := 0; clip && from < len(may); from++ {
		to := from
		for to < len(may) && may[to] {
			to++
		}
		if piece := (Chunk{c.Doc, c.Start + from, c.Start + to}); !blank(d.Text[piece.Start:piece.End]) {
			out = append(out, piece)
		}
		from = to
	}
	return out
}

// readable marks the bytes of c that the reader may read: each restriction that
// covers one of them names the reader.
func readable(d Document, c Chunk, reader []string) []bool {
	all := d.Restrict
	if d.Read != nil {
		all = append([]Restriction{{0, len(d.Text), d.Read}}, all...)
	}
	may := slices.Repeat([]bool{true}, c.End-c.Start)
	for _, r := range all {
		if slices.ContainsFunc(r.Read, func(name string) bool { return slices.Contains(reader, name) }) {
			continue
		}
		for i := max(r.Start, c.Start); i < min(r.End, c.End); i++ {
			may[i-c.Start] = false
		}
	}
	return may
}
