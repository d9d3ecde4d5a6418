// Package golden is the labelled questions: what is asked, which exact spans of
// which document versions are the evidence, and which sets of them suffice.
//
// A Set is one golden/1 file. A Question has named Spans and Support, its
// alternative sufficient sets: any one of them, wholly covered, is enough.
package golden

import (
	"slices"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

// Set is a golden file.
type Set struct {
	File      string
	Unit      coord.Unit // of the offsets in the file; "" where the header declares none that is known
	Questions []*Question
	Documents []*corpus.Document // carried by fixture objects, which bring their own source text; see With

	Chunks string // digest of the chunk table that Question.Relevant is of, "" if the header pins none

	rows [][]byte // the file as it was read, cut after each line break
}

// With is c and the documents that the set carries itself: what its labels are
// resolved against. c is not changed.
func (s *Set) With(c *corpus.Corpus) *corpus.Corpus {
	if c == nil {
		c = &corpus.Corpus{}
	}
	all := *c
	all.Documents = slices.Clone(c.Documents)
	for _, d := range s.Documents {
		if all.Find(d.Doc) == nil {
			all.Documents = append(all.Documents, d)
			slices.SortFunc(all.Documents, func(a, b *corpus.Document) int { return strings.Compare(a.Doc, b.Doc) })
		}
	}
	return &all
}

// Question is one line.
type Question struct {
	QID, Text    string
	Spans        []*Span // in file order
	Support      [][]*Span
	Relevant     []string // ids of the chunks that answer it, in place of spans; nil otherwise. See Place
	Answer       Answer
	Unanswerable bool     // "answerable": false
	Dependency   []string // exception, definition, referent, numerical_scope, cross_reference
	Segment      string   // "" if the line names none
	Sample       string   // representative (default) or enriched
	Split        string   // dev (default) or heldout
	Within       []string // documents that the search is limited to; nil: all
	Reader       []string // nil: the experiment's
	Cluster      string   // "" if the line names none
	Origin       string   // log, ticket, chat, owner, synthetic, or ""
	Author       string
	Method       string
	Review       Review
	Adjudication Adjudication
	Tags         map[string]*jsonl.Value
	At           *jsonl.Value // the line's object; nil for a question made in memory

	rewritten bool // labelled by Place: Encode writes the line anew
}

// Span is one labelled piece of evidence.
type Span struct {
	Name     string
	Doc      string
	Version  string    // as written; "" if absent
	Start    int       // as written, in the file's unit
	End      int       // likewise
	Bytes    span.Span // in the pinned version, where the slice equals Quote; zero if Draft, Stale or refused by a finding
	Quote    string
	Prefix   string
	Suffix   string
	Role     string // rule, exception, definition, referent, scope, evidence
	NeededBy string // name of the span that needs this one
	Draft    bool   // doc and quote alone: not placed yet
	Stale    bool   // labels a version that is no longer pinned
	At       *jsonl.Value

	completed bool // placed by Anchor: Encode writes it anew
}

// Answer is the answer contract.
type Answer struct {
	Text, Scope, Condition string
	MustMention            []string
	IfIncomplete           string // "abstain", or the narrower answer that stays permissible
}

// Review is a person's look at a question.
type Review struct{ Answerability, Evidence, Paraphrase, TaskCoverage, By string }

// Adjudication is what two labellers agreed on, and why.
type Adjudication struct {
	State     string // unadjudicated (default), agreed, disputed, resolved
	By        []string
	Reasons   map[string]string // span name -> why it is needed
	Decisions []Decision
}

// Decision is one step of an adjudication.
type Decision struct{ By, Decision, Reason string }
