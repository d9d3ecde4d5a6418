package gate

import (
	"math"
	"math/big"

	"kerf/internal/stats"
)

// gains is the share of questions that gain where the screen's blindness is
// computed: that of the table in statistics.md 8.
const gains = .02

// exactQuestions is how many questions the chance of passing is summed up for;
// above it the normal distribution with the same mean and variance stands in, which
// differs there by less than what is printed.
const exactQuestions = 1000

// misses are the true losses that a screen with this tolerance passes over n
// questions.
func misses(n int, tolerance *big.Rat) *Misses {
	if n == 0 {
		return nil
	}
	return &Misses{Questions: n, Half: loss(n, tolerance, 1.0/2), Sixth: loss(n, tolerance, 1.0/6), Provable: round(stats.NoLossBound(float64(n), .025))}
}

// loss is the least true loss, to a tenth of a point, that passes with chance
// chance or less, of those that leave room for the gains; 1: none does.
func loss(n int, tolerance *big.Rat, chance float64) float64 {
	lo, hi := 0, int(math.Round(1000*(1-2*gains)))
	if PassChance(n, tolerance, float64(hi)/1000) > chance {
		return 1 // whatever is lost passes
	}
	for lo < hi {
		if mid := (lo + hi) / 2; PassChance(n, tolerance, float64(mid)/1000) <= chance {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return float64(lo) / 1000
}

func round(share float64) float64 { return math.Round(1000*share) / 1000 }

// PassChance is the chance that a measure over n independent questions, each a hit
// or a miss, passes where its true value falls by drop: a question gains with
// chance .02 and is lost with .02 + drop (statistics.md 8). Exact, but for
// exactQuestions.
func PassChance(n int, tolerance *big.Rat, drop float64) float64 {
	allowed := new(big.Rat).Mul(tolerance, big.NewRat(int64(n), 1))
	whole := int(new(big.Int).Quo(allowed.Num(), allowed.Denom()).Int64()) // questions that may be lost on balance
	if n > exactQuestions {
		mean, variance := float64(n)*drop, float64(n)*(2*gains+drop-float64(drop*drop))
		return stats.NormalCDF((float64(whole) + .5 - mean) / math.Sqrt(variance))
	}
	sum := 0.0
	for i, v := range Changes(n, gains+drop, gains) {
		if i >= n-whole {
			sum += v
		}
	}
	return sum
}

// Changes is the chance of each number of gains less losses among n questions, at
// place n + that number.
func Changes(n int, losses, gains float64) []float64 {
	p, next := make([]float64, 2*n+1), make([]float64, 2*n+1)
	p[n] = 1
	for done := range n {
		clear(next)
		for i := n - done; i <= n+done; i++ {
			v := p[i]
			next[i] += float64(v * (1 - losses - gains))
			next[i-1] += float64(v * losses)
			next[i+1] += float64(v * gains)
		}
		p, next = next, p
	}
	return p
}
