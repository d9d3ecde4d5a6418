package stats

import "math"

// Exp is e to the power x, with the same bits on every machine, which math.Exp
// does not promise: every product is rounded before it is added. Error below
// 1 ulp where the result is normal; 0 below, +Inf above what a float64 holds.
//
// The method is that of FreeBSD's e_exp.c (Sun Microsystems 2004): x = k ln 2 +
// r with |r| <= ln 2 / 2, and a rational approximation of e^r.
func Exp(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01
		ln2Lo = 1.90821492927058770002e-10
	)
	switch {
	case math.IsNaN(x):
		return x
	case x > 709.782712893383973096:
		return math.Inf(1)
	case x < -745.13321910194110842:
		return 0
	}
	series := [...]float64{1.66666666666666657415e-01, -2.77777777770155933842e-03, 6.61375632143793436117e-05,
		-1.65339022054652515390e-06, 4.13813679705723846039e-08}
	k := math.Floor(float64(x*math.Log2E) + 0.5)
	hi, lo := x-float64(k*ln2Hi), float64(k*ln2Lo)
	r := hi - lo
	t := float64(r * r)
	c := 0.0
	for i := len(series) - 1; i >= 0; i-- {
		c = float64(c*t) + series[i]
	}
	c = r - float64(c*t)
	return math.Ldexp(1-((lo-float64(r*c)/(2-c))-hi), int(k))
}
