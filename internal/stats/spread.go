package stats

import "math"

// Spread is how N values lie, none: not measured.
type Spread struct {
	N    int            `json:"n"`
	Mean Maybe[float64] `json:"mean"`
	SD   Maybe[float64] `json:"sd"` // as MeanSD has it
}

// SpreadOf is the spread of values.
func SpreadOf(values []float64) Spread {
	s := Spread{N: len(values)}
	if s.N > 0 {
		mean, sd := MeanSD(values)
		s.Mean, s.SD = Measured(mean), Measured(sd)
	}
	return s
}

// MeanSD is the mean of x and its standard deviation, the root of the mean
// squared deviation (divided by n, not n-1). Terms are added in order and every
// product is rounded, so that the bits are the same everywhere; NaN for no value.
func MeanSD(x []float64) (mean, sd float64) {
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
