package verdict

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"kerf/internal/stats"
)

// Found is a judged document in a ranking: its rank, from 1, and its relevance.
type Found struct{ Rank, Relevance int }

// Graded counts rankings by id, whose documents are judged by graded relevance.
// The measures are those of trec_eval 9: recall, recip_rank, ndcg_cut, ndcg,
// map. A document is relevant when its relevance is above 0, and its gain is its
// relevance; all others gain nothing. Recall, reciprocal ranks and precision are
// exact. nDCG is no rational number: it is a float64, whose gains are added in
// rank order and whose questions in the order of Add; its Sum is that float64.
type Graded struct {
	Questions int // of which Missing have no result
	Missing   int
	Relevant  int // relevant documents of the questions with a result
	Found     int // those of them that are in the rankings

	cuts    []int             // the cut-offs, then one that cuts nothing
	found   []stats.Fractions // for each cut: found within it / relevant
	first   map[int]int       // rank of the first relevant document -> questions
	average stats.Fractions   // precision at each relevant document / relevant
	gain    []float64         // for each cut: nDCG, summed
	logs    []float64         // ln(i+1): the base of the logarithm cancels
	hits    []Found           // scratch: the relevant of one ranking
	ideal   []int             // scratch: relevances, the largest first
}

// NewGraded counts at the cut-offs ks, each at least 1.
func NewGraded(ks []int) *Graded {
	g := &Graded{cuts: append(slices.Clone(ks), math.MaxInt), first: map[int]int{}, average: stats.Fractions{}}
	for range g.cuts {
		g.found = append(g.found, stats.Fractions{})
	}
	g.gain = make([]float64, len(g.cuts))
	return g
}

// Miss counts a question without a result.
func (g *Graded) Miss() { g.Questions, g.Missing = g.Questions+1, g.Missing+1 }

// Add counts one question: the judged documents that its ranking holds, in rank
// order, and the relevance of all its judged documents, in any order. Without a
// relevant document every measure is 0, as in trec_eval.
func (g *Graded) Add(found []Found, judged []int) {
	g.Questions++
	g.hits, g.ideal = g.hits[:0], g.ideal[:0]
	for _, f := range found {
		if f.Relevance > 0 {
			g.hits = append(g.hits, f)
		}
	}
	for _, relevance := range judged {
		if relevance > 0 {
			g.ideal = append(g.ideal, relevance)
		}
	}
	g.Relevant += len(g.ideal)
	g.Found += len(g.hits)
	if len(g.hits) == 0 {
		return
	}
	slices.SortFunc(g.ideal, func(a, b int) int { return b - a })
	relevant := int64(len(g.ideal))
	g.first[g.hits[0].Rank]++
	for i, f := range g.hits {
		g.average.Add(int64(i+1), int64(f.Rank)*relevant)
	}
	for i, k := range g.cuts {
		n, got, best := 0, 0.0, 0.0
		for n < len(g.hits) && g.hits[n].Rank <= k {
			got += float64(g.hits[n].Relevance) / g.log(g.hits[n].Rank)
			n++
		}
		for j, relevance := range g.ideal[:min(k, len(g.ideal))] {
			best += float64(relevance) / g.log(j+1)
		}
		g.found[i].Add(int64(n), relevant)
		g.gain[i] += got / best
	}
}

// log is ln(rank+1), with the same bits on every machine.
func (g *Graded) log(rank int) float64 {
	for i := len(g.logs); i <= rank; i++ {
		g.logs = append(g.logs, stats.Log(float64(i+1)))
	}
	return g.logs[rank]
}

// Measures are, for every cut-off k in order, recall@k (the share of the
// relevant documents within the first k), mrr@k (the reciprocal rank of the
// first relevant one, 0 beyond k) and ndcg@k; then mrr, ndcg and map, the
// average precision over all relevant documents, over the whole depth. All are
// sums over questions.
func (g *Graded) Measures() []Measure {
	var out []Measure
	sum := func(name string, exact *big.Rat) {
		out = append(out, Measure{Name: name, Sum: &stats.Sum{Sum: exact, Den: g.Questions, Missing: g.Missing}})
	}
	for i, k := range g.cuts {
		at := fmt.Sprintf("@%d", k)
		if i == len(g.cuts)-1 {
			at = ""
		} else {
			sum("recall"+at, g.found[i].Sum())
		}
		first := stats.Fractions{}
		for rank, n := range g.first {
			if rank <= k {
				first.Add(int64(n), int64(rank))
			}
		}
		sum("mrr"+at, first.Sum())
		sum("ndcg"+at, new(big.Rat).SetFloat64(g.gain[i]))
	}
	sum("map", g.average.Sum())
	return out
}
