package stats

import (
	"math"
	"slices"
	"testing"
)

// TestAllEqual (sta-01): a bootstrap of equal outcomes is flagged, and Wilson's
// and the exact interval stand beside it.
func TestAllEqual(t *testing.T) {
	ones := slices.Repeat([]int{1}, 20)
	b := NewSums(ones, ones).Bootstrap(1, 10_000, Mean([]int{0}, 1))
	if b.Estimate != 1 || !b.Degenerate || b.Draws.sd() != 0 || b.Percentile(0.95) != (Interval{1, 1}) {
		t.Errorf("%+v", b)
	}
	if _, ok := b.BCa(0.95); ok {
		t.Error("an interval of no information")
	}
	near(t, "Wilson", Wilson(20, 20, NormalQuantile(0.975)), Interval{0.838875, 1}, 1e-5)
	near(t, "exact", ClopperPearson(20, 20, 0.95), Interval{0.831567, 1}, 1e-5)
}

// TestPairedIndices (sta-02): pairs are drawn together, so a constant difference
// has no spread. Scores are tenths.
func TestPairedIndices(t *testing.T) {
	s := NewSums([]int{3, 5, 7, 9}, []int{2, 4, 6, 8}, []int{1, 1, 1, 1})
	b := s.Bootstrap(1, 10_000, less(Mean([]int{0}, 2), Mean([]int{1}, 2)))
	if b.Estimate != 1 || b.Draws.sd() != 0 || b.Percentile(0.95) != (Interval{1, 1}) {
		t.Errorf("%+v", b)
	}
}

// TestWholeDocuments (sta-03): three documents of 4, 3 and 3 questions are drawn
// whole; 27 draws, all of them counted.
func TestWholeDocuments(t *testing.T) {
	s := NewSums([]int{4, 0, 2}, []int{4, 3, 3})
	b := s.enumerate(Mean([]int{0}, 1))
	if math.Abs(b.Estimate-0.6) > 1e-15 || len(b.Draws.values) != 27 || math.Abs(b.Draws.sd()-0.242954) > 1e-6 || b.Clusters != 3 {
		t.Errorf("%+v: %d draws, sd %v", b, len(b.Draws.values), b.Draws.sd())
	}
	for q, want := range map[float64]float64{0: 0, 1: 1, 0.5: 0.6} {
		if got := b.Draws.inverse(q); math.Abs(got-want) > 1e-15 {
			t.Errorf("quantile %v: %v, want %v", q, got, want)
		}
	}
	sd := s.Bootstrap(1, 10_000, Mean([]int{0}, 1)).Draws.sd()
	if math.Abs(sd-0.242954) > 0.02*0.242954 {
		t.Errorf("10,000 draws: %v", sd)
	}
}

func near(t *testing.T, what string, got, want Interval, within float64) {
	t.Helper()
	if math.Abs(got.Low-want.Low) > within || math.Abs(got.High-want.High) > within {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}
