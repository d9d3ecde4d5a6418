package lexical

import (
	"kerf/internal/pipeline/split"
	"kerf/internal/text/term"
)

// Given is an empty placement over x whose chunks were cut elsewhere; Take fills
// it.
func (x *Index) Given() *Placement { return (&View{Index: x}).NewPlacement() }

// Take indexes chunks as they are, in the order of their documents, starts and
// ends. prefixes, by slot, are words that stand before a chunk's text in the
// index; nil: none. Nothing is known of such chunks that would allow arithmetic:
// each text is read, once.
func (p *Placement) Take(chunks []split.Located, prefixes []string) {
	p.Segmentation.Take(len(p.view.texts), p.text, chunks)
	p.prefixes = prefixes
	p.open(len(p.Chunks))
	for slot, c := range p.Chunks {
		p.count(slot)
		p.view.spool.Passed(c.Len())
	}
	p.weigh()
}

// readGiven is read of a chunk with what stands before it.
func (p *Placement) readGiven(slot int) (length int) {
	c := p.Chunks[slot]
	text := p.text(int(p.Docs[slot]))[c.Start:c.End]
	if p.prefixes != nil {
		text = p.prefixes[slot] + text
	}
	t := term.Split(text)
	for _, word := range t.All() {
		if id, ok := p.view.ids[word]; ok {
			p.tally.one(id)
		}
	}
	return t.Len()
}
