// Package lexical is BM25 over any segmentation, from one positional index.
//
// The index is built once from the documents and the questions. For every
// placement of the cuts a term's chunks are a range of cores found by
// arithmetic; only the fragments at the two edges of each chunk are read from
// the text. The answer equals an index rebuilt from the chunks' texts (a test
// demands it), statistics and all.
package lexical

import (
	"fmt"
	"slices"
	"strings"

	"kerf/internal/pipeline/split"
	"kerf/internal/text/term"
	"kerf/internal/text/token"
)

// Index is the positional index of the questions' terms over the documents, in
// the order given.
type Index struct {
	texts     []*term.Text
	ids       map[string]int32 // question term -> id, in the order of the terms' bytes
	postings  [][]posting      // by id, in document order
	questions [][]int32        // by question: ids of its distinct terms, in the order of their bytes
}

// posting is one whole occurrence of a term: the document and the term's index there.
type posting struct{ doc, term int32 }

// New indexes texts for the questions.
func New(texts, questions []string) *Index {
	x := &Index{ids: map[string]int32{}}
	perQuestion := make([][]string, len(questions))
	var all []string
	for i, q := range questions {
		ts := term.Terms(q)
		slices.Sort(ts)
		perQuestion[i] = slices.Compact(ts)
		all = append(all, perQuestion[i]...)
	}
	slices.Sort(all)
	for i, t := range slices.Compact(all) {
		x.ids[strings.Clone(t)] = int32(i)
	}
	for _, ts := range perQuestion {
		ids := make([]int32, len(ts))
		for i, t := range ts {
			ids[i] = x.ids[t]
		}
		x.questions = append(x.questions, ids)
	}
	x.postings = make([][]posting, len(x.ids))
	for d, text := range texts {
		t := term.Split(text)
		x.texts = append(x.texts, t)
		for i := range t.Len() {
			if id, ok := x.ids[t.Term(i)]; ok {
				x.postings[id] = append(x.postings[id], posting{int32(d), int32(i)})
			}
		}
	}
	return x
}

// View is the index in the token ordinals of one tokenizer.
type View struct {
	*Index
	tables []*token.Table
	places [][]place // by term id
}

// place is a posting as an extent of tokens: a chunk holds the term just when it
// holds the tokens [lo, hi).
type place struct{ doc, lo, hi int32 }

// Under is the index under one tokenizer; tables are the documents', in order.
func (x *Index) Under(tables []*token.Table) *View {
	if len(tables) != len(x.texts) {
		panic(fmt.Sprintf("BUG: %d token tables for %d documents", len(tables), len(x.texts)))
	}
	v := &View{Index: x, tables: tables, places: make([][]place, len(x.postings))}
	for id, ps := range x.postings {
		out := make([]place, len(ps))
		for i, p := range ps {
			t := x.texts[p.doc]
			e := split.ExtentOf(tables[p.doc], int(t.Starts[p.term]), int(t.Ends[p.term]))
			out[i] = place{p.doc, int32(e.Lo), int32(e.Hi)}
		}
		v.places[id] = out
	}
	return v
}
