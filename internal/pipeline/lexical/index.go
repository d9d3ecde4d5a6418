// Package lexical is BM25 over any segmentation, from one positional index.
//
// The index is built once from the documents and the questions. At every
// placement of the cuts a chunk has a range of its document's terms; only the
// fragments at its two edges are read from the text. The answer equals an index
// rebuilt from the chunks' texts (a test demands it), statistics and all.
package lexical

import (
	"fmt"
	"slices"
	"strings"

	"kerf/internal/spool"
	"kerf/internal/text/term"
	"kerf/internal/text/token"
)

// Index is the positional index of the questions' terms over the documents, in
// the order given.
type Index struct {
	texts     []*term.Text
	ids       map[string]int32 // question term -> id, in the order of the terms' bytes
	found     []found          // by document
	spool     *spool.Spool
	questions [][]int32 // by question: ids of its distinct terms, in the order of their bytes
}

// New indexes texts, which lie in the spool, for the questions.
func New(texts, questions []string, s *spool.Spool) *Index {
	x := &Index{ids: map[string]int32{}, spool: s}
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
	var ids []int32
	for _, text := range texts {
		t := term.Split(text)
		x.texts = append(x.texts, t)
		f := found{bits: make([]uint64, t.Len()/64+1)}
		ids = ids[:0]
		for i, word := range t.All() {
			if id, ok := x.ids[word]; ok {
				f.bits[i/64] |= 1 << (i % 64)
				ids = append(ids, id)
			}
		}
		f.close(ids, len(x.ids))
		f.into(s)
		t.Into(s)
		x.found = append(x.found, f)
	}
	return x
}

// View is the index with the token tables of one tokenizer, by which chunks are cut.
type View struct {
	*Index
	tables []*token.Table
}

// Under is the index under one tokenizer; tables are the documents', in order.
func (x *Index) Under(tables []*token.Table) *View {
	if len(tables) != len(x.texts) {
		panic(fmt.Sprintf("BUG: %d token tables for %d documents", len(tables), len(x.texts)))
	}
	return &View{x, tables}
}
