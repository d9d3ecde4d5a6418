package stats

import "math"

// Interval is the two bounds of an interval at some confidence level: each bound
// is a one-sided one at (1 + level) / 2.
type Interval struct {
	Low  float64 `json:"low"`
	High float64 `json:"high"`
}

// Percentile is the interval between the quantiles of the draws (Efron 1979).
func (b Bootstrap) Percentile(level float64) Interval {
	alpha := (1 - level) / 2
	return Interval{b.Draws.Quantile(alpha), b.Draws.Quantile(1 - alpha)}
}

// Basic is the percentile interval reflected at the estimate (Davison and
// Hinkley 1997, 5.6).
func (b Bootstrap) Basic(level float64) Interval {
	p := b.Percentile(level)
	return Interval{float64(2*b.Estimate) - p.High, float64(2*b.Estimate) - p.Low}
}

// BCa is the bias-corrected and accelerated interval (Efron 1987), with the
// acceleration of the jackknife over clusters. ok is false where it is undefined:
// all draws equal, all on one side of the estimate, or no cluster matters.
func (b Bootstrap) BCa(level float64) (i Interval, ok bool) {
	bias, acceleration, ok := b.correction()
	if !ok {
		return i, false
	}
	alpha := (1 - level) / 2
	at := func(p float64) float64 {
		z := bias + NormalQuantile(p)
		return b.Draws.Quantile(NormalCDF(bias + z/(1-float64(acceleration*z))))
	}
	return Interval{at(alpha), at(1 - alpha)}, true
}

// correction is z0 and a of Efron 1987; draws equal to the estimate count half. A
// cluster's influence is the jackknife's distance from the mean of its stratum
// (Davison and Hinkley 1997, 5.4: a of several samples; of means, both are equal).
func (b Bootstrap) correction() (bias, acceleration float64, ok bool) {
	bias = NormalQuantile(b.Draws.Below(b.Estimate))
	sums, counts := map[int]float64{}, map[int]float64{}
	for g, v := range b.without {
		sums[b.strata[g]] += v
		counts[b.strata[g]]++
	}
	var squares, cubes float64
	for g, v := range b.without {
		d := sums[b.strata[g]]/counts[b.strata[g]] - v
		squares += float64(d * d)
		cubes += float64(d * d * d)
	}
	acceleration = cubes / float64(6*float64(squares*math.Sqrt(squares)))
	return bias, acceleration, !b.Degenerate && squares > 0 && !math.IsInf(bias, 0)
}
