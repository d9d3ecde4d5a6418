package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestQuantiles against numpy 1.24's methods, and a weighted distribution against
// the same one written out.
func TestQuantiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for range 500 {
		var values, written []float64
		var times []int64
		for range 1 + rng.IntN(6) {
			v, n := float64(rng.IntN(5)), 1+rng.IntN(3)
			values, times = append(values, v), append(times, int64(n))
			written = append(written, slices.Repeat([]float64{v}, n)...)
		}
		a, b := weighted(values, times), draws(written)
		for _, q := range []float64{0, 0.1, 0.25, 0.5, 0.77, 1} {
			if a.Quantile(q) != b.Quantile(q) || a.Inverse(q) != b.Inverse(q) || a.Below(4*q) != b.Below(4*q) {
				t.Fatalf("%v times %v at %v", values, times, q)
			}
		}
		closeTo(t, "sd", a.SD(), b.SD(), 1e-12)
	}
	d := draws([]float64{4, 1, 3, 2})
	for _, c := range []struct{ got, want float64 }{{d.Quantile(0.5), 2.5}, {d.Quantile(0.1), 1.3}, {d.Inverse(0.5), 2}, {d.Inverse(0.51), 3}, {d.Inverse(0), 1},
		{d.Inverse(1), 4}, {d.Below(2), 0.375}, {d.Below(2.5), 0.5}, {d.Below(0), 0}, {d.SD(), math.Sqrt(1.25)}} {
		closeTo(t, "of four", c.got, c.want, 1e-15)
	}
}
