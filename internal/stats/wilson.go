package stats

import "math"

// Wilson is the score interval of a rate of k in n > 0 (Wilson 1927), at z, the
// normal quantile of (1 + level) / 2. Counts may be fractional: effective ones.
func Wilson(k, n, z float64) Interval {
	p, square := k/n, float64(z*z)
	centre := p + square/(2*n)
	half := float64(z * math.Sqrt(float64(p*(1-p))/n+square/float64(4*n*n)))
	whole := 1 + square/n
	return Interval{max(0, (centre-half)/whole), min(1, (centre+half)/whole)}
}

// ClopperPearson is the exact interval of a rate of k in n > 0 (Clopper and
// Pearson 1934) by quantiles of the beta distribution, which also take fractional
// counts. Its coverage is never below level; it is the wider one.
func ClopperPearson(k, n, level float64) Interval {
	alpha := (1 - level) / 2
	i := Interval{0, 1}
	if k > 0 {
		i.Low = bisect(0, 1, alpha, func(x float64) float64 { return beta(x, k, n-k+1) })
	}
	if k < n { // by the other tail, which alpha resolves
		i.High = 1 - bisect(0, 1, alpha, func(x float64) float64 { return beta(x, n-k, k+1) })
	}
	return i
}

// NoLossBound is the exact upper bound, at one-sided level 1-alpha, of the rate
// of losses where n questions have none: 1 - alpha^(1/n).
func NoLossBound(n, alpha float64) float64 { return 1 - Exp(Log(alpha)/n) }

// NoLossNeeds is how many questions without a loss prove, at one-sided level
// 1-alpha, that the rate of losses is below delta: ln(alpha) / ln(1-delta).
func NoLossNeeds(delta, alpha float64) float64 { return Log(alpha) / log1m(delta) }
