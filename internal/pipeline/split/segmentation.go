package split

import (
	"slices"
	"strings"
	"unicode"

	"kerf/internal/text/span"
)

// Segmentation is the chunks of all documents, in order. The place of a chunk
// among them is its slot.
type Segmentation struct {
	Chunks []Chunk // by slot
	Docs   []int32 // by slot: the document
	First  []int32 // by document: its first slot; one more at the end
	Live   []bool  // by slot: the chunk is emitted and not blank, so it is indexed
	N      int     // indexed chunks

	longest int // bytes of a chunk
}

// Located is a chunk that was cut elsewhere.
type Located struct {
	Doc int32
	span.Span
}

// Cut makes s the windows of so many documents: document d has the text text(d),
// the tokens tokens(d) and its first cut at first(d). Its memory is used again.
func (s *Segmentation) Cut(w Windows, documents int, text func(doc int) string, tokens func(doc int) Tokens, first func(doc int) int) {
	s.Begin()
	for d := range documents {
		s.Append(w, text(d), tokens(d), first(d))
	}
	s.End()
}

// Begin makes s that of no document. Append appends the next one's windows; after
// the last, End ends it.
func (s *Segmentation) Begin() {
	s.Chunks, s.Docs, s.First, s.Live, s.N = s.Chunks[:0], s.Docs[:0], s.First[:0], s.Live[:0], 0
	s.longest = 0
}

// Append appends the windows of a document with this text, these tokens and this
// first cut.
func (s *Segmentation) Append(w Windows, text string, tokens Tokens, first int) {
	from, doc := len(s.Chunks), int32(len(s.First))
	s.First = append(s.First, int32(from))
	s.Chunks = w.Place(tokens, first, s.Chunks)
	for _, c := range s.Chunks[from:] {
		s.add(doc, c.State == Emitted && !Blank(text[c.Start:c.End]))
	}
}

// End ends what Begin began.
func (s *Segmentation) End() { s.First = append(s.First, int32(len(s.Chunks))) }

// Take makes s chunks as they are, in the order of their documents, starts and
// ends. They have no tokens.
func (s *Segmentation) Take(documents int, text func(doc int) string, chunks []Located) {
	s.Begin()
	for d := range documents {
		s.First = append(s.First, int32(len(s.Chunks)))
		t := text(d)
		for len(chunks) > 0 && chunks[0].Doc == int32(d) {
			c := chunks[0]
			s.Chunks = append(s.Chunks, Chunk{Span: c.Span, State: Emitted})
			s.add(c.Doc, !Blank(t[c.Start:c.End]))
			chunks = chunks[1:]
		}
	}
	if len(chunks) > 0 {
		panic("BUG: chunks out of order")
	}
	s.End()
}

// add says of the first chunk that it is not known of yet what document it is of.
func (s *Segmentation) add(doc int32, live bool) {
	s.longest = max(s.longest, s.Chunks[len(s.Docs)].Len())
	s.Docs, s.Live = append(s.Docs, doc), append(s.Live, live)
	if live {
		s.N++
	}
}

// Touching calls f with the slot of every indexed chunk that shares a byte with a
// span of a document.
func (s *Segmentation) Touching(doc int32, t span.Span, f func(slot int32)) {
	from := s.First[doc]
	of := s.Chunks[from:s.First[doc+1]]
	i, _ := slices.BinarySearchFunc(of, t.End, func(c Chunk, end int) int { return c.Start - end })
	for i--; i >= 0 && of[i].Start+s.longest > t.Start; i-- {
		if c := of[i]; s.Live[from+int32(i)] && !c.Clip(t).Empty() {
			f(from + int32(i))
		}
	}
}

// Sight is what one reader sees of a segmentation's chunks. The zero value is
// everything. A clipped chunk is denied as a whole.
type Sight struct {
	Denied  []bool    // by slot; nil: none
	Clipped []Clipped // by slot, ascending
}

// Clipped is a chunk of which a reader may read some pieces that are not blank.
type Clipped struct {
	Slot   int32
	Pieces []span.Span
}

// Look is the sight of a reader who may read readable(doc) of each document; nil
// is all of it. With clip, a chunk that is readable in part is clipped, else it
// is denied.
func (s *Segmentation) Look(text func(doc int) string, readable func(doc int32) span.Set, clip bool) Sight {
	var out Sight
	for slot, c := range s.Chunks {
		set := span.Set(nil)
		if s.Live[slot] {
			set = readable(s.Docs[slot])
		}
		if set == nil || set.Covers(c.Span) {
			continue
		}
		if out.Denied == nil {
			out.Denied = make([]bool, len(s.Chunks))
		}
		out.Denied[slot] = true
		if !clip {
			continue
		}
		var pieces []span.Span
		for _, p := range set.Intersect(span.Set{c.Span}) {
			if !Blank(text(int(s.Docs[slot]))[p.Start:p.End]) {
				pieces = append(pieces, p)
			}
		}
		if len(pieces) > 0 {
			out.Clipped = append(out.Clipped, Clipped{int32(slot), pieces})
		}
	}
	return out
}

// Pieces are the parts of a clipped chunk that the reader sees; nil if the chunk
// is not clipped.
func (s *Sight) Pieces(slot int32) []span.Span {
	i, ok := slices.BinarySearchFunc(s.Clipped, slot, func(c Clipped, slot int32) int { return int(c.Slot - slot) })
	if !ok {
		return nil
	}
	return s.Clipped[i].Pieces
}

// Blank reports whether a text is nothing but Unicode White_Space.
func Blank(text string) bool { return strings.TrimLeftFunc(text, unicode.IsSpace) == "" }
