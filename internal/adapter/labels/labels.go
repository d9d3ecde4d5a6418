// Package labels reads the labelled sets and the chunks of other tools, and proves
// every offset in them.
//
// A Kind's reader turns files into documents, questions and chunks as they state
// them; then each passage is held against the text that it is said to be of. What
// is wrong is refused and listed, never moved: kerf does not choose between an
// offset and a quote, nor between two places of one quote.
package labels

import (
	"path"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

// Codes of the findings of this package.
const (
	CodeForm     = "K401" // not what the kind's files hold
	CodeText     = "K402" // the text at the offset is another one
	CodePlace    = "K403" // an offset that is no place in its document
	CodeDoc      = "K404" // a document that is not there
	CodeUnproved = "K405" // an offset without the text that would prove it
	CodeTwice    = "K406" // one id for two things
	CodeNoTarget = "K407" // evidence that the file itself does not hold
	CodeDisagree = "K408" // two ways to name a passage that do not agree
	CodeNothing  = "K409" // no question, or no evidence
	CodeOrder    = "K410" // an offset of a repeated text that the order of the chunks contradicts
	CodeColumn   = "K411" // a column that questions do not have
	CodeSelector = "K412" // a way to name a passage that kerf does not follow
)

// Texts says where the documents of a kind are.
type Texts int

const (
	Inside  Texts = iota // in the files
	Outside              // in the corpus
	Either               // in the files, or in the corpus
)

// Kind is one kind of foreign files.
type Kind struct {
	Name  string
	Texts Texts
	read  func(files []File, names Names, c *corpus.Corpus) *foreign
}

// Import reads files and proves what they hold: against the documents in them,
// and against those of c, which may be empty, where they hold none.
func (k Kind) Import(files []File, names Names, c *corpus.Corpus) *Imported {
	f := k.read(files, names, c)
	f.kind = k.Name
	return f.prove(c)
}

// Kinds are all kinds, in the order of the help page.
func Kinds() []Kind {
	return []Kind{
		{"chroma", Outside, readChroma},
		{"legalbench-rag", Outside, readLegalBench},
		{"squad", Inside, readSQuAD},
		{"hotpotqa", Inside, readHotpotQA},
		{"beir", Inside, readBEIR},
		{"label-studio", Inside, readLabelStudio},
		{"w3c", Outside, readW3C},
		{"llamaindex", Either, readLlamaIndex},
		{"langchain", Outside, readLangChain},
	}
}

// File is one input: its name in messages, and its bytes.
type File struct {
	Name    string
	Content []byte
}

// Names leads from the names of foreign documents to those of the corpus: by Map
// where it has the name, else without Prefix and with Suffix.
type Names struct {
	Prefix, Suffix string
	Map            map[string]string
}

func (n Names) doc(foreign string) string {
	if doc, ok := n.Map[foreign]; ok {
		return doc
	}
	return strings.TrimPrefix(foreign, n.Prefix) + n.Suffix
}

// foreign is what files hold, as they state it.
type foreign struct {
	kind      string
	Unit      coord.Unit // of every offset in it
	Documents []document // in file order
	Questions []question
	Chunks    []chunk
	Found     finding.List // what could not be read
	Skipped   []Skipped    // what is rightly left out, and why

	questions int // stated, with those that could not be read
	chunks    int // likewise
}

// Skipped counts what is left out for one reason.
type Skipped struct {
	Reason string `json:"reason"`
	Count  int    `json:"count"`
}

// document is a text that the files hold themselves.
type document struct {
	Doc, Text string
	Source    string // where it came from, "" if the file does not say
	At        place
}

// question is a question with its evidence as claims. Its Spans and Support are
// empty until it is proved.
type question struct {
	golden.Question
	Sets [][]claim // alternatives, each with all the passages it needs
	At   place
}

// claim is a passage that a file names.
type claim struct {
	Doc            string
	Start, End     int       // in the unit of the file, if Offset
	Offset         bool      // the file gives start and end
	Part           span.Span // what of the document the file speaks of, in the same unit; empty: all
	Quote          string
	Prefix, Suffix string // what surrounds it, as far as the file says
	Role           string // as in golden/1
	Note           string // what a reader must know to find the offsets in the file
	At             place
}

// chunk is a chunk of an index; its Quote is its text.
type chunk struct {
	ID string
	claim
}

// place is where something stands in a file, line and column from 1.
type place struct {
	File         string
	Line, Column int
}

// finding places a finding.
func (p place) finding(f finding.Finding) finding.Finding {
	f.File, f.Line, f.Column = p.File, p.Line, p.Column
	if f.Severity == "" {
		f.Severity = finding.Error
	}
	return f
}

// skip counts one more that is left out for this reason.
func (f *foreign) skip(reason string) {
	for i := range f.Skipped {
		if f.Skipped[i].Reason == reason {
			f.Skipped[i].Count++
			return
		}
	}
	f.Skipped = append(f.Skipped, Skipped{reason, 1})
}

// stem is the last part of a name without its extension, in lower case.
func stem(name string) string {
	base := path.Base(strings.ReplaceAll(name, `\`, "/"))
	return strings.ToLower(strings.TrimSuffix(base, path.Ext(base)))
}
