package verdict

import (
	"slices"
	"strings"

	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

// Areas are what Chroma's report "Evaluating Chunking" (2024) makes its
// measures of, for one question, in the unit of the intervals (the report counts
// characters). Its excerpts are the references here: every span of every set,
// since the report knows no alternatives.
//
//	recall = Found / Of, precision = Found / Shown, IoU = Found / (Shown + Lost)
//
// precision_omega is the IoU of Omega. A measure whose denominator is 0 is
// undefined.
type Areas struct {
	Found int `json:"found"` // of the references, what is shown, once
	Of    int `json:"of"`    // of the references in all
	Shown int `json:"shown"`
	Lost  int `json:"lost"` // of the references, what is not shown
}

// Definition is how the Areas are computed.
type Definition string

const (
	// Exact: intervals are half-open, references are a set.
	Exact Definition = "exact"
	// Imitated: as the code published with the report does it. Ends are closed,
	// so that a chunk which only touches a reference counts as one that holds
	// some of it; where references overlap, their lengths are added. Its chunks
	// are at their Characters.FirstPlace.
	Imitated Definition = "imitated"
)

// Omega is the areas of a perfect retrieval: Shown is the union of all chunks
// that hold some of a reference. It depends on the cuts alone.
func (d Definition) Omega(chunks, references []Ref) Areas {
	var shown []Ref
	for _, c := range chunks {
		for _, r := range references {
			start, end := max(c.Start, r.Start), min(c.End, r.End)
			if c.Doc == r.Doc && (start < end || d == Imitated && start == end) {
				shown = append(shown, c)
				break
			}
		}
	}
	a := d.against(shown, references)
	a.Shown, a.Lost = area(shown), area(references)-a.Found
	return a
}

// Retrieved is the areas of a ranking's first hits: Shown is the sum of their
// lengths, so that what several hits show is counted each time; the report does
// so on purpose. Hits of other documents count too.
func (d Definition) Retrieved(hits, references []Ref) Areas {
	a := d.against(hits, references)
	for _, h := range hits {
		a.Shown += h.Len()
	}
	return a
}

// against is the areas of the references against the union of shown.
func (d Definition) against(shown, references []Ref) Areas {
	union := area(shown)
	a := Areas{Of: area(references)}
	a.Found = a.Of + union - area(shown, references...)
	a.Lost = a.Of - a.Found
	if d == Imitated {
		a.Of, a.Lost = 0, 0
		for _, r := range references {
			a.Of += r.Len()
			a.Lost += area(shown, r) - union
		}
	}
	return a
}

// area is the length of the union.
func area(some []Ref, more ...Ref) (n int) {
	spans := map[int32][]span.Span{}
	for _, refs := range [][]Ref{some, more} {
		for _, r := range refs {
			spans[r.Doc] = append(spans[r.Doc], r.Span)
		}
	}
	for _, s := range spans {
		n += span.Union(s...).Len()
	}
	return n
}

// Characters places intervals of texts as the report does, in code points.
type Characters struct {
	texts []string
	maps  []*coord.Map
}

// InCharacters reads the texts, by document ordinal, once.
func InCharacters(texts []string) *Characters {
	c := &Characters{texts: texts}
	for _, text := range texts {
		c.maps = append(c.maps, coord.New(text))
	}
	return c
}

// Place is the interval r of bytes, whose ends are code points, in code points.
func (c *Characters) Place(r Ref) Ref {
	for _, b := range []*int{&r.Start, &r.End} {
		n, err := c.maps[r.Doc].Offset(coord.CodePoint, *b)
		if err != nil {
			panic("BUG: a chunk or a span inside a code point: " + err.Error())
		}
		*b = n
	}
	return r
}

// FirstPlace is where the published code believes the chunk r to lie: at the
// first occurrence of its text, and without a final full stop, which that code
// takes away.
func (c *Characters) FirstPlace(r Ref) Ref {
	text := c.texts[r.Doc][:r.End] // at the latest it occurs where it is
	chunk := strings.TrimSuffix(text[r.Start:], ".")
	at := strings.Index(text, chunk)
	return c.Place(Ref{r.Doc, span.Span{Start: at, End: at + len(chunk)}})
}

// References are the distinct spans of all sets, in order.
func (e Evidence) References() (refs []Ref) {
	for _, set := range e {
		for _, r := range set {
			if !slices.Contains(refs, r) {
				refs = append(refs, r)
			}
		}
	}
	return refs
}
