package stats

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// TestFractions: the sum over the common denominator is the sum one by one.
func TestFractions(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for range 200 {
		f, want := Fractions{}, new(big.Rat)
		for range rng.IntN(60) {
			num, den := rng.Int64N(9), 1+rng.Int64N(400)
			f.Add(num, den)
			want.Add(want, big.NewRat(num, den))
		}
		if got := f.Sum(); got.Cmp(want) != 0 {
			t.Fatalf("%v: %v, want %v", f, got, want)
		}
	}
}
