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
	p.tally.open(len(p.Chunks), len(p.view.ids))
	for slot, c := range p.Chunks {
		length := 0
		if p.Live[slot] {
			text := p.text(int(p.Docs[slot]))[c.Start:c.End]
			if prefixes != nil {
				text = prefixes[slot] + text
			}
			t := term.Split(text)
			length = t.Len()
			for _, word := range t.All() {
				if id, ok := p.view.ids[word]; ok {
					p.tally.one(id)
				}
			}
		}
		p.tally.close(slot, length)
		p.view.spool.Passed(c.Len())
	}
	p.weigh()
}
