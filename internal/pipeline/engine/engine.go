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
// An error in which errors.As finds a *Refused concerns that request alone: the
// engine can be asked on. After any other error every further call fails as well.
type Engine interface {
	// Identity is the same at any time.
	Identity() Identity
	// Index builds the index of this name, of the placement label of an arm, in place
	// of what the name held before. The chunks' ids are unique.
	Index(ctx context.Context, index, arm, label string, chunks []Chunk) error
	// Search gives at most q.K hits, each of a chunk of an index that was built, no
	// chunk twice, all within q.Docs and readable by q.Reader. No hits: searched and
	// found nothing.
	Search(ctx context.Context, index string, q Query) ([]Hit, error)
	// Drop forgets an index.
	Drop(ctx context.Context, index string) error
}

// Refused is a request without a usable answer: the engine answered it with an
// error, or with something that breaks a rule. It is never a miss.
type Refused struct {
	Op   string // index, search or drop
	QID  string // of a search
	Rule string // the rule that the answer breaks; "" for an error of the engine's own
	// What is wrong: for an error of its own, the engine's words. Untrusted.
	Reason string
}

// The rules that an answer can break.
const (
	RuleCount    = "count"    // an index that does not hold the chunks that it was given
	RuleK        = "k"        // more hits than were asked for, or fewer than for a smaller k
	RuleKnown    = "known"    // a hit that is no chunk of the index
	RuleRepeated = "repeated" // a chunk twice
	RuleFilter   = "filter"   // a hit outside the documents, or that the reader may not read
)

func (r *Refused) Error() string {
	what := r.Op
	if r.QID != "" {
		what += " of question " + r.QID
	}
	if r.Rule == "" {
		return what + ": the engine answered with an error: " + r.Reason
	}
	return what + ": " + r.Reason
}
