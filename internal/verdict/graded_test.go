package verdict

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"
)

// plainGraded is a measure of one ranking, from the definitions: gains[i] is the
// relevance at rank i+1, judged that of every judged document.
func plainGraded(name string, k int, gains, judged []int) float64 {
	relevant := 0
	ideal := slices.Clone(judged)
	slices.Sort(ideal)
	slices.Reverse(ideal)
	for _, g := range judged {
		if g > 0 {
			relevant++
		}
	}
	if relevant == 0 {
		return 0
	}
	dcg := func(gains []int) (sum float64) {
		for i, g := range gains {
			if i < k {
				sum += float64(max(g, 0)) / math.Log2(float64(i+2))
			}
		}
		return sum
	}
	within, precision, first := 0, new(big.Rat), 0.0
	for i, g := range gains[:min(k, len(gains))] {
		if g <= 0 {
			continue
		}
		if within++; within == 1 {
			first = 1 / float64(i+1)
		}
		precision.Add(precision, big.NewRat(int64(within), int64(i+1)))
	}
	switch name {
	case "recall":
		return float64(within) / float64(relevant)
	case "mrr":
		return first
	case "ndcg":
		return dcg(gains) / dcg(ideal)
	case "map":
		f, _ := precision.Quo(precision, big.NewRat(int64(relevant), 1)).Float64()
		return f
	}
	panic("BUG: no measure " + name)
}

// TestGradedAgainstDefinitions: on random rankings every mean is the mean of the
// plain values, with failed searches missing, and the counts are those.
func TestGradedAgainstDefinitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 2))
	for range 300 {
		ks := []int{1 + rng.IntN(3), 5, 40}
		all := NewGraded(ks)
		want, n, relevant, hits := map[string]float64{}, 0, 0, 0
		for range rng.IntN(6) {
			if rng.IntN(5) == 0 {
				all.Miss()
				continue
			}
			gains := make([]int, rng.IntN(30))
			var found []Found
			var judged []int
			for i := range gains {
				if rng.IntN(3) == 0 {
					gains[i] = rng.IntN(6) - 2
					found = append(found, Found{i + 1, gains[i]})
					judged = append(judged, gains[i])
				}
			}
			for range rng.IntN(4) {
				judged = append(judged, rng.IntN(6)-2)
			}
			rng.Shuffle(len(judged), func(i, j int) { judged[i], judged[j] = judged[j], judged[i] })
			all.Add(found, judged)
			n++
			for _, g := range judged {
				if g > 0 {
					relevant++
				}
			}
			for _, g := range gains {
				if g > 0 {
					hits++
				}
			}
			for _, k := range ks {
				for _, name := range []string{"recall", "mrr", "ndcg"} {
					want[fmt.Sprintf("%s@%d", name, k)] += plainGraded(name, k, gains, judged)
				}
			}
			for _, name := range []string{"mrr", "ndcg", "map"} {
				want[name] += plainGraded(name, math.MaxInt, gains, judged)
			}
		}
		if all.Questions-all.Missing != n || all.Relevant != relevant || all.Found != hits {
			t.Fatalf("%d questions of which %d missing, %d relevant, %d found; want %d, %d, %d", all.Questions, all.Missing, all.Relevant, all.Found, n, relevant, hits)
		}
		measures := all.Measures()
		if len(measures) != 3*len(ks)+3 {
			t.Fatalf("%d measures", len(measures))
		}
		for _, m := range measures {
			got, ok := m.Sum.Rate()
			if ok != (n > 0) || m.Sum.Den != all.Questions || m.Sum.Missing != all.Missing {
				t.Fatalf("%s: %+v", m.Name, m.Sum)
			}
			if n > 0 && math.Abs(got-want[m.Name]/float64(n)) > 1e-12 {
				t.Fatalf("%s: %v, want %v", m.Name, got, want[m.Name]/float64(n))
			}
		}
	}
}

// TestGradedExact: fractions are exact, an ideal ranking has an nDCG of exactly 1,
// and beyond the cut-off mrr@k is 0 (sco-05, sco-06).
func TestGradedExact(t *testing.T) {
	for _, c := range []struct {
		name   string
		found  []Found
		judged []int
		want   map[string]string
	}{
		{"sco-05", []Found{{7, 1}}, []int{1}, map[string]string{"mrr@5": "0", "mrr@7": "1/7", "mrr@10": "1/7", "mrr": "1/7", "map": "1/7"}},
		{"sco-06", []Found{{1, 1}, {3, 1}}, []int{1, 1, 1}, map[string]string{"recall@1": "1/3", "recall@5": "2/3", "map": "5/9"}},
		{"ideal", []Found{{1, 3}, {2, 2}, {3, 1}}, []int{1, 2, 0, 3}, map[string]string{"ndcg@1": "1", "ndcg@5": "1", "ndcg": "1", "map": "1"}},
		{"no relevant document", []Found{{1, 0}}, []int{0, -1}, map[string]string{"recall@5": "0", "ndcg@5": "0", "mrr": "0", "map": "0"}},
	} {
		g := NewGraded([]int{1, 5, 7, 10})
		g.Add(c.found, c.judged)
		for _, m := range g.Measures() {
			if want, ok := c.want[m.Name]; ok && m.Sum.Sum.RatString() != want {
				t.Errorf("%s: %s is %s, want %s", c.name, m.Name, m.Sum.Sum.RatString(), want)
			}
			delete(c.want, m.Name)
		}
		if len(c.want) > 0 {
			t.Errorf("%s: no %v", c.name, c.want)
		}
	}
}
