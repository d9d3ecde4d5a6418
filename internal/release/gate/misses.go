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
	sum, total := 0.0, 0.0
	binomial(n, gains, func(gained int, w float64) {
		total += w
		sum += float64(w * atMost(gained+whole, n-gained, (gains+drop)/(1-gains)))
	})
	return sum / total
}

// atMost is the chance of at most so many events among n of chance p.
func atMost(most, n int, p float64) float64 {
	if most >= n {
		return 1
	}
	if p >= 1 {
		return 0
	}
	sum, total := 0.0, 0.0
	binomial(n, p, func(k int, w float64) {
		total += w
		if k <= most {
			sum += w
		}
	})
	return sum / total
}

// rare is the weight from which on numbers are left out: they are beyond the last
// digit of a sum.
const rare = 1e-20

// binomial calls add for each number of events among n of chance p < 1, with its chance
// by that of the commonest number.
func binomial(n int, p float64, add func(k int, weight float64)) {
	next := func(k int) float64 { return float64(n-k) * p / (float64(k+1) * (1 - p)) } // chance of k+1 by that of k
	mode := min(n, int(float64(n+1)*p))
	add(mode, 1)
	for k, w := mode, 1.0; k > 0 && w > rare; {
		k--
		w /= next(k)
		add(k, w)
	}
	for k, w := mode, 1.0; k < n && w > rare; {
		w *= next(k)
		k++
		add(k, w)
	}
}
