package rank

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"kerf/internal/text/span"
)

func hit(score float64, doc int32, start, end int) Hit {
	return Hit{Doc: doc, Span: span.Span{Start: start, End: end}, Score: score}
}

// TestOrder lists hits in the one order there is, each key deciding once.
func TestOrder(t *testing.T) {
	ordered := []Hit{
		hit(2, 5, 9, 10),
		hit(1, 0, 5, 9),
		hit(1, 1, 0, 9),
		hit(1, 1, 2, 5),
		hit(1, 1, 2, 6),
		hit(1, 2, 0, 1),
		hit(0.5, 0, 0, 1),
	}
	for i, a := range ordered {
		for j, b := range ordered {
			if got := Compare(a, b); sign(got) != sign(i-j) {
				t.Errorf("%v and %v: %d", a, b, got)
			}
		}
	}
}

func sign(n int) int { return min(1, max(-1, n)) }

// TestTotalOrder: on hits that often agree in some keys the order is
// antisymmetric and transitive, equal only where every key is, and any
// shuffling sorts to the same list.
func TestTotalOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	var hits []Hit
	for range 60 {
		hits = append(hits, hit(float64(rng.IntN(3)), int32(rng.IntN(3)), rng.IntN(3), 3+rng.IntN(3)))
	}
	for _, a := range hits {
		for _, b := range hits {
			ab := sign(Compare(a, b))
			if ab != -sign(Compare(b, a)) || (ab == 0) != (a == b) {
				t.Fatalf("%v and %v: %d and %d", a, b, Compare(a, b), Compare(b, a))
			}
			for _, c := range hits {
				if ab <= 0 && Compare(b, c) <= 0 && Compare(a, c) > 0 {
					t.Fatalf("%v, %v, %v", a, b, c)
				}
			}
		}
	}
	slices.SortFunc(hits, Compare)
	for range 20 {
		again := slices.Clone(hits)
		rng.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
		slices.SortFunc(again, Compare)
		if !slices.Equal(again, hits) {
			t.Fatal("a shuffled list sorts differently")
		}
	}
}

// plainSort sorts key by key, the least significant first.
func plainSort(hits []Hit) {
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(a.End, b.End) })
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(a.Start, b.Start) })
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(a.Doc, b.Doc) })
	slices.SortStableFunc(hits, func(a, b Hit) int { return cmp.Compare(b.Score, a.Score) })
}

// The two benchmarks do the same work: sort 1,000 hits, of which some share their
// scores, and some their documents too.
func BenchmarkSort(b *testing.B) {
	hits, sorted := bench(b)
	for b.Loop() {
		copy(sorted, hits)
		slices.SortFunc(sorted, Compare)
	}
}

func BenchmarkPlainSort(b *testing.B) {
	hits, sorted := bench(b)
	for b.Loop() {
		copy(sorted, hits)
		plainSort(sorted)
	}
}

// bench is hits, and room to sort them in.
func bench(b *testing.B) (hits, room []Hit) {
	rng := rand.New(rand.NewPCG(4, 5))
	for range 1000 {
		start := rng.IntN(50)
		hits = append(hits, hit(float64(rng.IntN(500)), int32(rng.IntN(20)), start, start+1+rng.IntN(50)))
	}
	room, plain := slices.Clone(hits), slices.Clone(hits)
	slices.SortFunc(room, Compare)
	plainSort(plain)
	if !slices.Equal(room, plain) {
		b.Fatal("the two sort differently")
	}
	return hits, room
}
