package stats

import (
	"maps"
	"math/big"
	"slices"
)

// Fractions is a sum of fractions in the making: denominator -> sum of
// numerators. Adding is an addition of integers; the exact sum is made once.
type Fractions map[int64]int64

// Add adds num/den; den > 0.
func (f Fractions) Add(num, den int64) { f[den] += num }

// Sum is the exact sum, over the least common multiple of the denominators.
func (f Fractions) Sum() *big.Rat {
	dens := slices.Sorted(maps.Keys(f))
	lcm, d, q := big.NewInt(1), new(big.Int), new(big.Int)
	for _, den := range dens {
		a, b := den, q.Mod(lcm, d.SetInt64(den)).Int64()
		for b != 0 {
			a, b = b, a%b
		}
		lcm.Mul(lcm, d.SetInt64(den/a))
	}
	sum := new(big.Int)
	for _, den := range dens {
		q.Quo(lcm, d.SetInt64(den))
		sum.Add(sum, q.Mul(q, d.SetInt64(f[den])))
	}
	return new(big.Rat).SetFrac(sum, lcm)
}
