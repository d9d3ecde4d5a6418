package stats

import "math"

// Spread is the mean of x and its standard deviation, the root of the mean
// squared deviation (divided by n, not n-1). Terms are added in order and every
// product is rounded, so that the bits are the same everywhere; NaN for no value.
func Spread(x []float64) (mean, sd float64) {
	n := float64(len(x))
	for _, v := range x {
		mean += v
	}
	mean /= n
	for _, v := range x {
		d := v - mean
		sd += float64(d * d)
	}
	return mean, math.Sqrt(sd / n)
}
