package stats

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// TestSorted: as the library sorts, whatever the bits.
func TestSorted(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	for round := range 500 {
		values := make([]float64, rng.IntN(70))
		for i := range values {
			switch round % 3 {
			case 0:
				values[i] = float64(rng.IntN(9) - 4)
			case 1:
				values[i] = (rng.Float64() - .5) * math.Pow(2, float64(rng.IntN(200)-100))
			default:
				for values[i] = math.NaN(); math.IsNaN(values[i]) || values[i] == 0; { // +0 and -0 are equal
					values[i] = math.Float64frombits(rng.Uint64())
				}
			}
		}
		want := slices.Sorted(slices.Values(values))
		if got := sorted(slices.Clone(values)); !slices.Equal(got, want) {
			t.Fatalf("%v, want %v", got, want)
		}
	}
}

// TestQuantiles against numpy 1.24's methods.
func TestQuantiles(t *testing.T) {
	d := draws([]float64{4, 1, 3, 2})
	for _, c := range []struct{ got, want float64 }{{d.Quantile(0.5), 2.5}, {d.Quantile(0.1), 1.3}, {d.inverse(0.5), 2}, {d.inverse(0.51), 3}, {d.inverse(0), 1},
		{d.inverse(1), 4}, {d.Below(2), 0.375}, {d.Below(2.5), 0.5}, {d.Below(0), 0}, {d.sd(), math.Sqrt(1.25)}} {
		closeTo(t, "of four", c.got, c.want, 1e-15)
	}
}
