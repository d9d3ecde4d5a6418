package stats

import "math"

// Tango is the score interval of a paired difference of two rates, (gains -
// losses) / n, from what changed (Tango 1998): the differences D at which the
// score statistic, with the losses' rate estimated under D, is at most z. z is
// the normal quantile of (1 + level) / 2, or one of Student's t. Counts may be
// fractional: effective ones. n > 0, gains and losses at most n together.
func Tango(gains, losses, n, z float64) Interval {
	change := (gains - losses) / n
	rising := func(d float64) float64 { return -tango(gains, losses, n, d) }
	return Interval{bisect(-1, change, -z, rising), bisect(change, 1, z, rising)}
}

// tango is the score statistic of a difference d. It falls as d grows.
func tango(gains, losses, n, d float64) float64 {
	free := float64(d * (1 - d))
	// The losses' rate q is the larger root of 2n q^2 + b q - losses d (1-d) = 0.
	b := float64((2*n-gains+losses)*d) - gains - losses
	root := math.Sqrt(max(0, float64(b*b)+float64(float64(8*n*losses)*free)))
	q := (root - b) / (4 * n)
	variance := max(0, float64(n*(float64(2*q)+free))) // 0 only where d is 1 or -1
	return (gains - losses - float64(n*d)) / math.Sqrt(variance)
}
