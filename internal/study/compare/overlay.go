package compare

import (
	"kerf/internal/corpus"
	"kerf/internal/text/span"
)

// Overlay is a piece of source text with everything that happened to it, for
// one question under one arm. A question whose evidence lies far apart, or in
// several documents, has several. All positions are byte offsets into Text.
type Overlay struct {
	QID, Arm  string
	Doc, Path string
	Offset    int           // of Text in the document, bytes
	Line      int           // of the first byte of Text, from 1
	Page      string        // of the first evidence in it; "" in a document without pages
	Text      string        // whole code points
	Label     string        // the phase that Overlap and Shown are of; WorstQuestion.Label
	Spans     []Evidence    // sorted by start
	Cuts      []Placed      // of all phases, by position; cuts at 0 or len(Text) included
	Overlap   []span.Span   // what two chunks of Label share, sorted
	Shown     []Shown       // what retrieval did with chunks of Label, by rank
	Untraced  bool          // that is not known: no row of it is stored
	Redacted  bool          // Text is masked, byte for byte; Evidence has digests
	Gone      bool          // the text of this version is not there any more: nothing but Placement is known
	Placement []PhaseResult // every phase, in order
}

// Evidence is a labelled span.
type Evidence struct {
	Name, Role string // role may be ""
	Digest     string // of its text, where the overlay is redacted; else ""
	span.Span
}

// Placed is a cut: where a core of the phase begins.
type Placed struct {
	Label string
	At    int
}

// Shown is the part of a chunk that lies in Text.
type Shown struct {
	span.Span
	Rank   int  // from 1
	Packed bool // in the context; false: retrieved, and left out of it
}

// PhaseResult is the verdict on the question in one phase.
type PhaseResult struct {
	Label     string
	Supported bool
	Missing   bool // no result; Supported is then false
}

// Place is where the overlay is, for people.
func (o *Overlay) Place() string { return corpus.Place(o.Path, o.Page, o.Line) }

// Place is where the cut is, for people.
func (c *Cut) Place() string { return corpus.Place(c.Doc, c.Page, c.Line) }
