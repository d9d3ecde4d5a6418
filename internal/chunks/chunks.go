// Package chunks is the chunks of somebody else's index over the frozen
// documents (chunks/1): each a named interval of one document, proved against
// its text.
//
// Offsets that a file gives are verified and never moved. Chunks of text alone
// are aligned once, document by document, in their order, and only where that
// order leaves each of them one place. Nothing is guessed.
package chunks

import (
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

// Kind is the kind and version that a table's header names.
const Kind = "chunks/1"

// Chunk is one chunk with its place in a document.
type Chunk struct {
	ID        string
	Doc       int32  // ordinal among the corpus's Documents
	span.Span        // bytes of the document's text, never empty
	Prefix    string // generated words before the source text; never evidence
	Line      int    // in the file, from 1
}

// Table is a chunks/1 file.
type Table struct {
	File   string
	Digest string     // "sha256:" and the digest of the file's bytes
	Unit   coord.Unit // of the offsets in the file; "" where the header declares none that is known
	Chunks []Chunk    // those with a place, in file order
	Open   []Open     // those without one, in file order

	Verified int // chunks whose offsets the file gives
	Exact    int // aligned, with exactly the text of the document
	Folded   int // aligned, with other white space than the document

	byID map[string]int // index into Chunks
}

// Open is a chunk of text alone that was not placed, and why.
type Open struct {
	ID     string
	Doc    int32
	Line   int
	Reason Reason
	Places []span.Span // where it could stand, in bytes; at most MostPlaces
	More   bool        // there are further places
}

// Reason is why a chunk was not placed.
type Reason string

const (
	NotFound  Reason = "not found"    // its text stands nowhere in the document
	Ambiguous Reason = "ambiguous"    // the order of the chunks leaves it several places
	NoOrder   Reason = "not in order" // its places all begin before those of the chunks before it
	Waiting   Reason = "waiting"      // another chunk of its document was not placed
)

// Find is the chunk with this id.
func (t *Table) Find(id string) (Chunk, bool) {
	i, ok := t.byID[id]
	if !ok {
		return Chunk{}, false
	}
	return t.Chunks[i], true
}
