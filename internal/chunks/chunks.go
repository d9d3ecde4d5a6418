// Package chunks is the chunks of somebody else's index over the frozen
// documents (chunks/1): each a named interval of one document, proved against
// its text.
//
// Offsets that a file gives are verified and never moved. Chunks of text alone
// are aligned once, document by document, in their order, and only where that
// order leaves the document's list one placement. Nothing is guessed.
package chunks

import (
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

// Kind is the kind and version that a table's header names.
const Kind = "chunks/1"

// Most is the largest file that is read, in bytes.
const Most = 1<<31 - 1

// MostPlaces is how many places of one chunk are listed.
const MostPlaces = 100

// Codes of the findings of this package, explained in docs/codes.md.
const (
	CodeHeader     = "K301" // the header line is missing, of another kind, or stands twice
	CodeUnit       = "K302" // the unit of the offsets is not declared, or unknown
	CodeField      = "K303" // a field that is missing, empty or of another type
	CodeTwice      = "K304" // two chunks have one id
	CodePosition   = "K305" // an id that is a bare position
	CodeDoc        = "K306" // a document that is not in the corpus
	CodeVersion    = "K307" // a version that is not pinned
	CodeNothing    = "K308" // neither a text to place nor an interval
	CodeInterval   = "K309" // an interval that holds nothing, or half of one
	CodeRange      = "K310" // an interval that reaches outside its document
	CodeInside     = "K311" // an offset inside a character
	CodeText       = "K312" // the text is not the slice
	CodeNotFound   = "K313" // a text that stands nowhere in its document
	CodeAmbiguous  = "K314" // a text that the order leaves several places
	CodeNotInOrder = "K315" // a text that stands only before its place in the order
	CodeSlip       = "K316" // a key that looks like a missing one (warning)
	CodeNoChunk    = "K317" // the file holds no chunk
	CodeMore       = "K318" // further problems of a code, counted
)

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
	Open   []Open     // those without one although nothing else is wrong with them, in file order
	Lines  int        // chunks that could be read, with a place or not

	Verified int // chunks whose offsets the file gives
	Exact    int // aligned, with exactly the text of the document
	Folded   int // aligned, with other white space than the document

	byID map[string]int32 // index into Chunks
}

// Open is a chunk of text alone that was not placed, and why.
type Open struct {
	ID     string
	Doc    int32
	Line   int
	Reason Reason
	Unit   coord.Unit  // of Places: the file's, byte where that cannot name them
	Places []span.Span // where it could stand, ascending; at most MostPlaces
	More   bool        // there are further places
}

// Reason is why a chunk was not placed.
type Reason string

const (
	NotFound   Reason = "not found"    // its text stands nowhere in the document
	Ambiguous  Reason = "ambiguous"    // the order of the chunks leaves it several places
	NotInOrder Reason = "not in order" // all its places are before the one that the chunk before it needs
	Waiting    Reason = "waiting"      // another chunk of its document is open
)

// Find is the chunk with this id.
func (t *Table) Find(id string) (Chunk, bool) {
	i, ok := t.byID[id]
	if !ok {
		return Chunk{}, false
	}
	return t.Chunks[i], true
}
