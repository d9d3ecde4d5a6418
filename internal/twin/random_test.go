package twin

import (
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// TestRandom checks that one seed gives one corpus, that each kind of trouble
// occurs, and what must hold between the parts of a result.
func TestRandom(t *testing.T) {
	seen := map[string]int{}
	note := func(what string, holds bool) {
		if holds {
			seen[what]++
		} else {
			seen[what] += 0
		}
	}
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		docs, questions := Random(rng)
		p := RandomParams(rng, codepoints, words)
		if p.Clip {
			RandomAccess(rng, docs)
		}
		again := rand.New(rand.NewPCG(seed, 2))
		docs2, questions2 := Random(again)
		if p2 := RandomParams(again, codepoints, words); p2.Clip {
			RandomAccess(again, docs2)
		}
		if !reflect.DeepEqual(docs, docs2) || !reflect.DeepEqual(questions, questions2) {
			t.Fatal("one seed, two corpora")
		}
		r := Run(docs, questions, p)
		for _, d := range docs {
			note("blank document", blank(d.Text))
			note("tiny document", p.Window.Count(d.Text) < p.stride())
			note("document access", d.Read != nil)
			note("span access", d.Restrict != nil)
		}
		for i, q := range questions {
			note("within", q.Within != nil)
			note("unanswerable", q.Support == nil)
			note("several sets", len(q.Support) > 1)
			note("several documents", len(q.Support) > 0 && slices.ContainsFunc(q.Support[0], func(e Evidence) bool { return e.Doc != q.Support[0][0].Doc }))
			note("no hits", len(r.Rankings[i]) == 0)
			note("hits", len(r.Rankings[i]) > 3)
			note("empty context", len(r.Rankings[i]) > 0 && r.Contexts[i] == "")
			note("context", len(r.Units[i]) > 2)
			note("supported", r.Budget[i])
			note("supported strictly, not single", r.BudgetStrict[i] && !r.SingleUnit[i])
			note("bridged", r.UnionRank[i] != r.UnionWSRank[i])
			note("bridged in the context", r.Budget[i] && !r.BudgetStrict[i])
			note("feasible, not supported", r.Feasible[i] && !r.Budget[i])
			note("infeasible", len(q.Support) > 0 && !r.Feasible[i])
			note("repeated", r.Repeated[i] > 0)
			most := clipped(docs, q, r.Rankings[i], p.Clip)
			note("clipped", most == 1)
			note("clipped to pieces", most > 1)
			note("clipped, single", most > 0 && r.SingleRank[i] > 0)
			note("more pieces than hits", len(r.Units[i]) > len(r.Rankings[i]))
			note("the same piece twice", merged(docs, q, r.Rankings[i], p.Clip))
			note("piece shortened", most > 1 && p.Overflow == "truncate" && r.Tokens[i] == p.Budget)
			note("cut elsewhere", p.FirstCuts != nil)
			note("shortened", !p.Clip && len(r.Units[i]) > 0 && !slices.Contains(r.Chunks, r.Units[i][len(r.Units[i])-1]))

			hits := r.Rankings[i]
			switch k := r.UnionRank[i]; {
			case len(hits) > p.Depth:
				t.Fatal("more hits than depth")
			case r.Tokens[i] > p.Budget:
				t.Fatal("a context above its budget")
			case r.TopKStrict[i] != (k > 0 && k <= p.K):
				t.Fatal("top-k and union rank differ")
			case r.SingleRank[i] > 0 && (k == 0 || k > r.SingleRank[i]):
				t.Fatal("a single hit that is no union hit")
			case k > 0 && (r.UnionWSRank[i] == 0 || r.UnionWSRank[i] > k):
				t.Fatal("a strict union hit that is none with blanks bridged")
			}
		}
	}
	for what, n := range seen {
		if n < 10 {
			t.Errorf("%s: %d times only", what, n)
		}
	}
	t.Log(seen)
}

// clipped gives the most pieces that a clipped hit has, 0 if none is clipped.
func clipped(docs []Document, q Question, hits []Hit, clip bool) (most int) {
	for _, h := range hits {
		d := docs[slices.IndexFunc(docs, func(d Document) bool { return d.ID == h.Doc })]
		if seen := pieces(d, h.Chunk, q.Reader, clip); !slices.Equal(seen, []Chunk{h.Chunk}) {
			most = max(most, len(seen))
		}
	}
	return most
}

// merged reports whether two hits show the same piece.
func merged(docs []Document, q Question, hits []Hit, clip bool) bool {
	seen := map[Chunk]bool{}
	for _, h := range hits {
		d := docs[slices.IndexFunc(docs, func(d Document) bool { return d.ID == h.Doc })]
		for _, piece := range pieces(d, h.Chunk, q.Reader, clip) {
			if seen[piece] {
				return true
			}
			seen[piece] = true
		}
	}
	return false
}
