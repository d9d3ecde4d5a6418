// Package twin is the plain, slow second implementation of what a sweep
// means, for tests alone: it cuts strings, rebuilds the index of every phase
// from its chunks' own texts, builds contexts as strings and judges sets of
// bytes. It shares no code with the engine, so a difference is a defect of
// one of the two or a gap in the text both were written from.
//
// Words: a chunk is one window of one document, a hit a ranked chunk, a unit
// an interval presented in a context, a set one of the alternative lists of
// evidence that support an answer.
package twin

import (
	"math"
	"slices"
)

// Document is one source text with its access labels.
type Document struct {
	ID, Text string
	// Read names who may read the document; nil restricts nobody.
	Read []string
	// Restrict holds further restrictions on parts of it.
	Restrict []Restriction
}

// Restriction limits the bytes [Start, End) to the readers named in Read.
type Restriction struct {
	Start, End int
	Read       []string
}

// Question is one question with its filters and labels.
type Question struct {
	QID, Text string
	// Within lists the documents searched; empty searches all.
	Within []string
	// Reader is who asks, taken as it stands: the caller puts the default.
	Reader []string
	// Support holds the alternative sets; none marks an unanswerable question.
	Support [][]Evidence
}

// Evidence is the byte interval [Start, End) of document Doc, not empty, both
// ends on code points.
type Evidence struct {
	Doc        string
	Start, End int
}

// Tokenizer cuts a text into tokens: Ends gives the byte end of each in
// order, Count their number.
type Tokenizer struct {
	Ends  func(text string) []int32
	Count func(text string) int
}

// Params says how to cut, rank and pack.
type Params struct {
	// Size, Overlap and FirstCut are in tokens of Window, 0 <= Overlap < Size,
	// 1 <= FirstCut <= Size-Overlap.
	Size, Overlap, FirstCut int
	// FirstCuts holds the first cut of some documents, by id, within the same
	// limits; every other has FirstCut.
	FirstCuts map[string]int
	// KeepContained is the edge policy `keep` instead of `drop-contained`.
	KeepContained bool
	Window        Tokenizer
	// Clip cuts a chunk that the reader may read in part to its readable pieces
	// instead of leaving it out.
	Clip bool
	// Depth is the number of hits ranked, K the number of hits the top-k view reads.
	Depth, K int
	// Budget is the largest count, in tokens of Counter, of a context.
	Budget  int
	Counter Tokenizer
	// Format is "numbered" or "bare", Overflow "stop", "skip" or "truncate".
	Format, Overflow string
	// Strict lets coverage bridge no white space in Budget and TopK.
	Strict bool
	// Log is the natural logarithm; nil is math.Log.
	Log func(float64) float64
}

func (p Params) stride() int { return p.Size - p.Overlap }

func (p Params) firstCut(doc string) int {
	if first, ok := p.FirstCuts[doc]; ok {
		return first
	}
	return p.FirstCut
}

func (p Params) check() {
	switch {
	case p.Overlap < 0 || p.Overlap >= p.Size:
		panic("BUG: overlap outside [0, size)")
	case p.Format != "numbered" && p.Format != "bare":
		panic("BUG: format " + p.Format)
	case p.Overflow != "stop" && p.Overflow != "skip" && p.Overflow != "truncate":
		panic("BUG: overflow " + p.Overflow)
	}
}

// Chunk is the byte interval [Start, End) of document Doc.
type Chunk struct {
	Doc        string
	Start, End int
}

func (c Chunk) holds(e Evidence) bool {
	return c.Doc == e.Doc && c.Start <= e.Start && e.End <= c.End
}

// Hit is a chunk with its score.
type Hit struct {
	Chunk
	Score float64
}

// sight is what one reader sees of a hit: the chunk itself, or its pieces.
type sight struct {
	rank   int // from 1
	pieces []Chunk
}

// shown lists the pieces of hits, in order.
func shown(hits []sight) (pieces []Chunk) {
	for _, h := range hits {
		pieces = append(pieces, h.pieces...)
	}
	return pieces
}

// Result is one phase. Every slice but Chunks is indexed like the questions;
// all are zero for a question without support.
type Result struct {
	// Chunks are those indexed, documents in the order given.
	Chunks []Chunk
	// Rankings holds at most Depth hits a question.
	Rankings [][]Hit
	// Contexts are the literal contexts, Units the intervals in them, in order.
	Contexts []string
	Units    [][]Chunk
	// Tokens is the count of each context, Repeated the tokens in it of bytes
	// that an earlier unit of the same context showed already.
	Tokens, Repeated []int
	// TopKTokens is what the first K hits cost as units, repeats included.
	TopKTokens []int
	// Budget and TopK say whether the context and the first K hits support the
	// question; the strict ones bridge no white space.
	Budget, TopK, BudgetStrict, TopKStrict []bool
	// SingleRank is the rank, from 1, of the first hit of which one piece holds a
	// whole set; UnionRank the smallest k whose first k hits cover a set (UnionWSRank:
	// white space bridged). 0 is none among the Depth hits.
	SingleRank, UnionRank, UnionWSRank []int
	// SingleUnit says whether one unit of the context holds a whole set.
	SingleUnit []bool
	// Feasible says whether the evidence of some set fits the budget by itself.
	Feasible []bool
}

// Run cuts, indexes, ranks, packs and judges one phase.
func Run(docs []Document, questions []Question, p Params) Result {
	p.check()
	if p.Log == nil {
		p.Log = math.Log
	}
	byID := map[string]Document{}
	for _, d := range docs {
		byID[d.ID] = d
	}
	r := Result{}
	for _, d := range docs {
		r.Chunks = append(r.Chunks, cut(d, bounds(d.Text, p.Window), p)...)
	}
	ix := newIndex(r.Chunks, byID, p.Log)
	for _, q := range questions {
		hits := ix.rank(q, byID, p)
		seen := make([]sight, len(hits))
		for i, h := range hits {
			seen[i] = sight{i + 1, pieces(byID[h.Doc], h.Chunk, q.Reader, p.Clip)}
		}
		c := pack(shown(seen), byID, p)
		top := shown(seen[:min(p.K, len(seen))])

		r.Rankings = append(r.Rankings, hits)
		r.Contexts = append(r.Contexts, c.text)
		r.Units = append(r.Units, c.units)
		r.Tokens = append(r.Tokens, c.tokens)
		r.TopKTokens = append(r.TopKTokens, cost(top, byID, p))
		r.Repeated = append(r.Repeated, repeated(c.units, byID, p.Counter))
		r.Budget = append(r.Budget, supported(q, c.units, byID, p.Strict))
		r.TopK = append(r.TopK, supported(q, top, byID, p.Strict))
		r.BudgetStrict = append(r.BudgetStrict, supported(q, c.units, byID, true))
		r.TopKStrict = append(r.TopKStrict, supported(q, top, byID, true))
		r.SingleRank = append(r.SingleRank, singleRank(q, seen))
		r.UnionRank = append(r.UnionRank, unionRank(q, seen, byID, true))
		r.UnionWSRank = append(r.UnionWSRank, unionRank(q, seen, byID, false))
		r.SingleUnit = append(r.SingleUnit, slices.ContainsFunc(c.units, func(u Chunk) bool { return holdsSet(u, q) }))
		r.Feasible = append(r.Feasible, feasible(q, byID, p))
	}
	return r
}
