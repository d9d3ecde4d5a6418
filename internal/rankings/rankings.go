// Package rankings reads rankings/1: what any retriever found for each question,
// in its own order (formats.md, rankings/1).
//
// A File has one Ranking a question, a Ranking its Hits in rank order, beyond any
// cut-off. Every hit is verified against the frozen documents or a chunk table;
// nothing is guessed. A failed search is no empty one: it is missing, never a miss.
package rankings

import (
	"fmt"

	"kerf/internal/chunks"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/text/span"
)

// Kind is the kind and version that a file's header names.
const Kind = "rankings/1"

// Most is the largest file that is read, in bytes.
const Most = 1<<31 - 1

// Codes of the findings of this package.
const (
	CodeHeader    = "K331" // the header line is missing, of another kind, or stands twice
	CodeUnit      = "K332" // the unit of the offsets is not declared, or unknown
	CodeCorpus    = "K333" // the rankings are of another corpus
	CodeType      = "K334" // a value of the wrong type
	CodeMissing   = "K335" // a required field is missing or empty
	CodeOutcome   = "K336" // a line with hits and an error
	CodeQIDTwice  = "K337" // a question has two lines
	CodeDoc       = "K338" // a document that is not in the corpus
	CodeVersion   = "K339" // a version that the corpus does not know
	CodeNoVersion = "K340" // a hit without version, and the header names no corpus
	CodeRange     = "K341" // an interval that is empty or out of range
	CodeInside    = "K342" // an offset inside a character
	CodeText      = "K343" // a text that is not the slice
	CodeTwice     = "K344" // a hit twice in one ranking
	CodeNoID      = "K345" // an id that is not in the chunk table
	CodeChunk     = "K346" // an interval that is not the chunk's
	CodeNoPlace   = "K347" // a text without exactly one place
	CodeMixed     = "K348" // hits by id alone beside hits with places
	CodeNothing   = "K349" // the file holds no ranking
	CodeNoRanking = "K350" // a question without a line
	CodeNotAsked  = "K351" // lines of questions that are not asked (warning)
	CodeLarge     = "K352" // a file above the limit
)

// Hit is one retrieved piece of text, or an id alone.
type Hit struct {
	Doc            int32  // ordinal among the corpus's Documents; -1: a known older version, or a hit by id alone
	DocID, Version string // as the corpus has them; empty in a hit by id alone
	span.Span             // bytes in that version; zero for a hit by id alone, and where the text of an older version is needed to know them
	ID             string // "" if the hit names none
	Prefix         string // words that stood before the source text in the index: never evidence
	Score          float64
	Scored         bool // whether the hit has a Score, which is information: the order is the file's
}

// ByID reports whether h is an id alone, without a place in a text.
func (h *Hit) ByID() bool { return h.DocID == "" }

// Older reports whether h is from a known version that is no longer pinned.
func (h *Hit) Older() bool { return h.Doc < 0 && h.DocID != "" }

// Ranking is what one search found.
type Ranking struct {
	QID   string
	Hits  []Hit  // in rank order; none: a completed search that found nothing
	Error string // "" or why the search failed: missing, never a miss
	Line  int    // in the file
}

// File is a rankings file; Add fills it.
type File struct {
	File     string
	Name     string    // of the run, as the header says; may be empty
	Digest   string    // of the content
	ByID     bool      // hits are ids alone
	Rankings []Ranking // in file order

	byQID map[string]int
}

// Add appends a ranking. If its question has one already, that one is returned
// and nothing is added.
func (f *File) Add(r Ranking) (earlier *Ranking) {
	if earlier = f.Find(r.QID); earlier != nil {
		return earlier
	}
	if f.byQID == nil {
		f.byQID = map[string]int{}
	}
	f.byQID[r.QID] = len(f.Rankings)
	f.Rankings = append(f.Rankings, r)
	return nil
}

// Find is the ranking of a question, nil if the file has none.
func (f *File) Find(qid string) *Ranking {
	if i, ok := f.byQID[qid]; ok {
		return &f.Rankings[i]
	}
	return nil
}

// Against holds the file against the questions that are asked: each one without
// a line is an error, since an empty list is a search that found nothing; lines of
// other questions are counted in one warning. A file without a ranking has said so
// when it was read.
func (f *File) Against(questions []*golden.Question) finding.List {
	if len(f.Rankings) == 0 {
		return nil
	}
	var found finding.List
	asked := map[string]bool{}
	for _, q := range questions {
		asked[q.QID] = true
		if f.Find(q.QID) == nil {
			found = append(found, finding.Finding{Code: CodeNoRanking, Severity: finding.Error, File: f.File, QID: q.QID,
				Message:  fmt.Sprintf("no ranking for the labelled question %q", q.QID),
				Expected: "a line for every question", Found: "none",
				Hint:  `search it; "hits":[] is a search that found nothing, "error" one that failed`,
				Paste: fmt.Sprintf(`{"qid":%q,"error":"…"}`, q.QID)})
		}
	}
	rest, first := 0, ""
	for _, r := range f.Rankings {
		if !asked[r.QID] {
			if rest++; rest == 1 {
				first = r.QID
			}
		}
	}
	if rest > 0 {
		found = append(found, finding.Finding{Code: CodeNotAsked, Severity: finding.Warning, File: f.File,
			Message: fmt.Sprintf("lines of questions that are not asked: %d", rest), Found: fmt.Sprintf("%q is the first", first),
			Hint: "they are read and verified, and count nowhere"})
	}
	return found
}

// Among holds the hits of pinned versions against the chunks of the index that they
// are from: each must be one of them.
func (f *File) Among(t *chunks.Table) finding.List {
	type place struct {
		doc int32
		span.Span
	}
	known := map[place]bool{}
	for _, c := range t.Chunks {
		known[place{c.Doc, c.Span}] = true
	}
	var found finding.List
	more := 0
	for _, r := range f.Rankings {
		for i, h := range r.Hits {
			switch {
			case h.Doc < 0 || known[place{h.Doc, h.Span}]:
			case len(found) == mostOfACode:
				more++
			default:
				found = append(found, finding.Finding{Code: CodeChunk, Severity: finding.Error, File: f.File, Line: r.Line, QID: r.QID,
					Message:  fmt.Sprintf("%s: the hit at rank %d is no chunk of the table", r.QID, i+1),
					Expected: "a chunk of " + t.File, Found: fmt.Sprintf("%s bytes %s", h.DocID, h.Span), Hint: "the table may be of another index"})
			}
		}
	}
	if more > 0 {
		found = append(found, finding.Finding{Code: CodeChunk, Severity: finding.Error, File: f.File, Message: fmt.Sprintf("%d more findings of %s are not listed", more, CodeChunk)})
	}
	return found
}
