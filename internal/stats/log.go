package stats

import "math"

// Log is the natural logarithm of a finite x > 0. math.Log is assembly on some
// machines and may be fused on others; this one rounds every product before it
// is added, so that it gives the same bits everywhere. Error below 1 ulp.
//
// The method is that of FreeBSD's e_log.c (Sun Microsystems 1993): x = 2^k *
// (1+f) with sqrt(2)/2 < 1+f < sqrt(2), s = f/(2+f), and a polynomial in s*s
// for log(1+f) = 2s + s*R.
func Log(x float64) float64 {
	const (
		ln2Hi = 6.93147180369123816490e-01
		ln2Lo = 1.90821492927058770002e-10
	)
	series := [...]float64{6.666666666666735130e-01, 3.999999999940941908e-01, 2.857142874366239149e-01,
		2.222219843214978396e-01, 1.818357216161805012e-01, 1.531383769920937332e-01, 1.479819860511658591e-01}
	f1, ki := math.Frexp(x)
	if f1 < math.Sqrt2/2 {
		f1 = float64(f1 * 2)
		ki--
	}
	f := f1 - 1
	k := float64(ki)
	s := f / (2 + f)
	s2 := float64(s * s)
	r := 0.0
	for i := len(series) - 1; i >= 0; i-- {
		r = float64(r*s2) + series[i]
	}
	r = float64(r * s2)
	half := float64(float64(0.5*f) * f)
	return float64(k*ln2Hi) - ((half - (float64(s*(half+r)) + float64(k*ln2Lo))) - f)
}
