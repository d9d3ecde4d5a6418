package lexical

import (
	"kerf/internal/pipeline/split"
	"kerf/internal/text/term"
)

// Given is an empty placement over x whose chunks were cut elsewhere; Take fills
// it.
func (x *Index) Given() *Placement { return &Placement{view: &View{Index: x}} }

// Take indexes chunks as they are, in the order of their documents, starts and
// ends. prefixes, by slot, are words that stand before a chunk's text in the
// index; nil: none. Nothing is known of such chunks that would allow arithmetic:
// each text is read, once.
func (p *Placement) Take(chunks []split.Located, prefixes []string) {
	p.Segmentation.Take(len(p.view.texts), p.text, chunks)
	p.norm = resize(p.norm, len(p.Chunks))
	p.Terms = 0
	lists := make([][]uint64, len(p.view.ids))
	n := map[int32]uint32{}
	for slot, c := range p.Chunks {
		if !p.Live[slot] {
			continue
		}
		text := p.text(int(p.Docs[slot]))[c.Start:c.End]
		if prefixes != nil {
			text = prefixes[slot] + text
		}
		t := term.Split(text)
		p.norm[slot] = float64(t.Len())
		p.Terms += int64(t.Len())
		clear(n)
		for i := range t.Len() {
			if id, ok := p.view.ids[t.Term(i)]; ok {
				n[id]++
			}
		}
		for id, f := range n {
			lists[id] = append(lists[id], uint64(slot)<<32|uint64(f))
		}
	}
	p.normalise()
	p.uncounted()
	for id, counts := range lists {
		from := len(p.counts)
		p.counts = append(p.counts, counts...)
		p.list(id, from)
	}
	p.estimate()
}
