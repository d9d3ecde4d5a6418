package geometry

import (
	"kerf/internal/pipeline/split"
	"kerf/internal/text/token"
	"kerf/internal/verdict"
)

// Ordinary is the chunks of every document at the ordinary cuts of w, in bytes.
func Ordinary(w split.Windows, tables []*token.Table) (chunks []verdict.Ref) {
	for d, t := range tables {
		for _, c := range w.Place(t, w.Stride(), nil) {
			if c.State == split.Emitted {
				chunks = append(chunks, verdict.Ref{Doc: int32(d), Span: c.Span})
			}
		}
	}
	return chunks
}

// Omega is Chroma's precision_omega over one cut of the documents, in code
// points: the IoU of a retrieval that returns just the chunks which hold some
// of the references (verdict.Areas).
type Omega struct {
	Chunks    int
	Elsewhere int             // chunks that the published code places elsewhere
	Exact     []verdict.Areas // by question, as given
	Imitated  []verdict.Areas
}

// TakeOmega measures questions, each with evidence, over the chunks of texts.
func TakeOmega(texts []string, chunks []verdict.Ref, questions []verdict.Evidence) Omega {
	o := Omega{Chunks: len(chunks)}
	c := verdict.InCharacters(texts)
	exact, believed := make([][]verdict.Ref, len(texts)), make([][]verdict.Ref, len(texts))
	for _, chunk := range chunks {
		place, first := c.Place(chunk), c.FirstPlace(chunk)
		if place.Start != first.Start {
			o.Elsewhere++
		}
		exact[chunk.Doc], believed[chunk.Doc] = append(exact[chunk.Doc], place), append(believed[chunk.Doc], first)
	}
	for _, q := range questions {
		references := q.References()
		var places, firsts []verdict.Ref // of the documents that the references are in
		asked := map[int32]bool{}
		for i, r := range references {
			if !asked[r.Doc] {
				asked[r.Doc] = true
				places, firsts = append(places, exact[r.Doc]...), append(firsts, believed[r.Doc]...)
			}
			references[i] = c.Place(r)
		}
		o.Exact = append(o.Exact, verdict.Exact.Omega(places, references))
		o.Imitated = append(o.Imitated, verdict.Imitated.Omega(firsts, references))
	}
	return o
}
