package stats

import "math"

// logGamma is ln Gamma(x) for x > 0, by Stirling's series from 16 on and by the
// recurrence below (Abramowitz and Stegun 6.1.40, 6.1.15). Its error is a few
// ulp of the largest term, x ln x.
func logGamma(x float64) float64 {
	below := 1.0
	for ; x < 16; x++ {
		below = float64(below * x)
	}
	// B_2k / (2k (2k-1)): the first left out is below 1e-17 at 16.
	series := [...]float64{1.0 / 12, -1.0 / 360, 1.0 / 1260, -1.0 / 1680, 1.0 / 1188, -691.0 / 360360, 1.0 / 156}
	s, x2 := 0.0, float64(x*x)
	for i := len(series) - 1; i >= 0; i-- {
		s = s/x2 + series[i]
	}
	const halfLog2Pi = 0.91893853320467274178032973640562
	return float64((x-0.5)*Log(x)) - x + halfLog2Pi + s/x - Log(below)
}

// beta is the regularised incomplete beta function I_x(a, b), 0 <= x <= 1 and
// a, b > 0, by its continued fraction (Didonato and Morris 1992, in the form of
// Abramowitz and Stegun 26.5.8, evaluated by Lentz's method). Relative error
// about 1e-12 for a + b up to 1,000 and 1e-10 up to 150,000.
func beta(x, a, b float64) float64 {
	switch {
	case x <= 0:
		return 0
	case x >= 1:
		return 1
	case x > (a+1)/(a+b+2): // there the fraction of the other tail is the quick one
		return 1 - beta(1-x, b, a)
	}
	const tiny, enough = 1e-300, 1e-16
	nonzero := func(v float64) float64 {
		if math.Abs(v) < tiny {
			return tiny
		}
		return v
	}
	d := 1 / nonzero(1-float64((a+b)*x)/(a+1))
	c, f := 1.0, d
	for m := 1.0; m < 1e6; m++ {
		m2 := 2 * m
		even := float64(float64(m*(b-m))*x) / float64((a+m2-1)*(a+m2))
		d = 1 / nonzero(1+float64(even*d))
		c = nonzero(1 + even/c)
		f = float64(f * float64(d*c))
		odd := -float64(float64((a+m)*(a+b+m))*x) / float64((a+m2)*(a+m2+1))
		d = 1 / nonzero(1+float64(odd*d))
		c = nonzero(1 + odd/c)
		step := float64(d * c)
		f = float64(f * step)
		if math.Abs(step-1) < enough {
			break
		}
	}
	front := float64(a*Log(x)) + float64(b*log1m(x)) + logGamma(a+b) - logGamma(a) - logGamma(b)
	return float64(Exp(front)*f) / a
}

// log1m is ln(1-x), 0 <= x < 1, also where x is small.
func log1m(x float64) float64 {
	y := 1 - x
	if y == 1 {
		return -x
	}
	return Log(y) * (x / (1 - y)) // the rounding of 1-x cancels (Kahan)
}

// bisect is where f, which does not fall, passes target between low and high: the
// largest float64 that halving comes to with f below target, or low.
func bisect(low, high, target float64, f func(float64) float64) float64 {
	for {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			return low
		}
		if f(mid) < target {
			low = mid
		} else {
			high = mid
		}
	}
}
