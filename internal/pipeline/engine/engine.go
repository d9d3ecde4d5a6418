// Package engine is what a retriever that is not kerf's own is asked: to hold the
// chunks of a placement, and to rank them for a question.
package engine

import "context"

// Chunk is what an engine indexes. ID is unique within its index and says nothing
// else; Start and End are bytes of the document Doc.
type Chunk struct {
	ID         string
	Doc        string
	Start, End int
	Text       string
	Readers    []string // names, one of which the reader needs; nil: everyone may read it
}

// Query is one question to one index.
type Query struct {
	QID    string
	Text   string
	K      int      // the most hits wanted, at least 1
	Reader []string // the names of who asks; nil: whoever may read everything
	Docs   []string // the only documents to search; nil: all
}

// Hit is a chunk that an engine found. Hits stand in the engine's own order, the
// best first; Score is finite and for information.
type Hit struct {
	ID    string
	Score float64
}

// Identity is what the answers of an engine depend on beside chunks and question.
// All of it belongs into the key of a result.
type Identity struct {
	Name         string
	Model        string
	Settings     string   // canonical JSON (RFC 8785), "" for none
	Capabilities []string // sorted, each once
}

// Engine is another program that ranks. Its methods are called one after another,
// never at the same time.
//
// An error of Search alone leaves the engine usable when errors.As finds a
// *Refused in it; after any other error every further call fails as well.
type Engine interface {
	// Identity is the same at any time.
	Identity() Identity
	// Index builds the index of this name, of the placement label of an arm. A name
	// that was never used or was dropped begins empty; one that is in use is an error.
	Index(ctx context.Context, index, arm, label string, chunks []Chunk) error
	// Search gives at most q.K hits, each of a chunk of the index, no chunk twice,
	// all within q.Docs and readable by q.Reader. No hits: searched and found nothing.
	Search(ctx context.Context, index string, q Query) ([]Hit, error)
	// Drop forgets an index.
	Drop(ctx context.Context, index string) error
}

// Refused is a request that an engine answered with an error, and that concerns
// nothing but this request.
type Refused struct {
	Op     string // index, search or drop
	Reason string // as the engine gave it, untrusted
}

func (r *Refused) Error() string { return r.Op + " refused: " + r.Reason }
