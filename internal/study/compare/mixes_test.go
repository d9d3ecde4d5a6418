package compare

import (
	"maps"
	"math/big"
	"testing"

	"kerf/internal/golden"
	"kerf/internal/stats"
)

// TestMixes: the report has the mix of origins, authors, methods and reviews of
// the questions that are asked, counted here in the lines as they are written.
func TestMixes(t *testing.T) {
	set := handbook(t)
	set.Questions[0].Author, set.Questions[1].Method, set.Questions[2].Origin, set.Questions[3].Review = "", "", "", golden.Review{TaskCoverage: "too narrow"}
	g := describe(Facts{Questions: set.Questions, HeldOut: &HeldOut{Questions: 3, Uses: 2}, Stale: set.Questions[:2]})
	count := func(of func(*golden.Question) string) map[string]int {
		out := map[string]int{}
		for _, q := range set.Questions {
			if v := of(q); v != "" {
				out[v]++
			} else {
				out["not stated"]++
			}
		}
		return out
	}
	for name, c := range map[string]struct{ got, want map[string]int }{
		"author": {g.Author, count(func(q *golden.Question) string { return q.Author })},
		"method": {g.Method, count(func(q *golden.Question) string { return q.Method })},
		"origin": {g.Origin, count(func(q *golden.Question) string { return q.Origin })},
		"review": {g.Review, map[string]int{"answerability": 59, "evidence": 59, "paraphrase": 59, "task_coverage": 1}},
	} {
		if !maps.Equal(c.got, c.want) {
			t.Errorf("%s: %v, want %v", name, c.got, c.want)
		}
	}
	overlap := stats.NewSum()
	for _, sum := range g.Overlap {
		overlap.Sum, overlap.Den = new(big.Rat).Add(overlap.Sum, sum.Sum), overlap.Den+sum.Den
	}
	if len(g.Overlap) != 5 || overlap.Den != 48 || g.HeldOut.Uses != 2 || g.Stale.Asked != 48 || g.Stale.WithStale != 50 {
		t.Errorf("%d origins over %d questions, %+v, %+v", len(g.Overlap), overlap.Den, g.HeldOut, g.Stale)
	}
}
