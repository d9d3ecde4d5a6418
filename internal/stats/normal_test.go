package stats

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

// within reports relative errors.
func within(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance*math.Abs(want)) && got != want {
		t.Errorf("%s: %v, want %v, relative error %.1e", what, got, want, math.Abs(got/want-1))
	}
}

// TestExp against the series in big.Float, and at the ends.
func TestExp(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	worst := 0.0
	for i := range 20000 {
		x := (rng.Float64() - 0.5) * []float64{1e-9, 1, 20, 1400}[i%4]
		worst = max(worst, ulps(Exp(x), bigExp(x)))
	}
	if worst >= 1 {
		t.Errorf("error of %.3f ulp", worst)
	}
	for _, c := range [][2]float64{{0, 1}, {-746, 0}, {710, math.Inf(1)}, {math.Inf(-1), 0}} {
		if got := Exp(c[0]); got != c[1] {
			t.Errorf("Exp(%v) = %v, want %v", c[0], got, c[1])
		}
	}
	if !math.IsNaN(Exp(math.NaN())) {
		t.Error("a number from NaN")
	}
}

func bigExp(x float64) *big.Float {
	z := num(0).Quo(num(x), num(4096))
	sum, term := num(1), num(1)
	for i := 1; i < 60; i++ {
		term.Mul(term, num(0).Quo(z, num(float64(i))))
		sum.Add(sum, term)
	}
	for range 12 {
		sum.Mul(sum, sum)
	}
	return sum
}

// TestNormal against SciPy 1.17.1, norm.cdf and norm.ppf.
func TestNormal(t *testing.T) {
	for _, c := range [][2]float64{{-10, 7.61985302416047e-24}, {-5, 2.866515718791933e-07},
		{-3.0001, 0.0013494549132607172}, {-3, 0.0013498980316300933}, {-1.96, 0.024997895148220435}, {-0.5, 0.3085375387259869}, {0, 0.5},
		{0.1, 0.539827837277029}, {1, 0.8413447460685429}, {2.5, 0.9937903346742238}, {3.5, 0.9997673709209645}, {6, 0.9999999990134123}} {
		within(t, "cdf", NormalCDF(c[0]), c[1], 2e-14)
	}
	within(t, "cdf", NormalCDF(-37), 5.725571222524577e-300, 2e-13) // mpmath
	for _, c := range [][2]float64{{1e-300, -37.0470962993612}, {1e-10, -6.361340902404056}, {0.025, -1.9599639845400545}, {0.05, -1.6448536269514729},
		{0.3, -0.5244005127080409}, {0.9, 1.2815515655446004}, {0.975, 1.959963984540054}, {0.9999, 3.719016485455709}} {
		within(t, "quantile", NormalQuantile(c[0]), c[1], 1e-14)
	}
	if NormalQuantile(0.5) != 0 || !math.IsInf(NormalQuantile(0), -1) || !math.IsInf(NormalQuantile(1), 1) || !math.IsNaN(NormalQuantile(1.1)) || !math.IsNaN(NormalQuantile(math.NaN())) {
		t.Error("the ends")
	}
	for x := -8.0; x < 8; x += 1.0 / 64 { // against the system's, which is as good but not the same everywhere
		within(t, "cdf", NormalCDF(x), math.Erfc(-x/math.Sqrt2)/2, 2e-14)
		if NormalCDF(x) > NormalCDF(x+1.0/64) {
			t.Errorf("falls at %v", x)
		}
	}
}

// TestStudent against SciPy 1.17.1, t.cdf and t.ppf.
func TestStudent(t *testing.T) {
	for _, c := range [][3]float64{{-2.2, 1, 0.13579974878009188}, {-2.2, 3, 0.05758597598823534}, {1.5, 11, 0.919120991472273},
		{-30, 5, 3.8593243102480265e-07}, {0, 4, 0.5}, {-2, 399, 0.023088820293838432}, {-1e-05, 2.5, 0.4999963819127598}, {4, 1e6, 0.9999683264829949}} {
		within(t, "cdf", StudentCDF(c[0], c[1]), c[2], 1e-12)
	}
	for _, c := range [][3]float64{{.975, 1, 12.706204736174694}, {.975, 4, 2.7764451051977934}, {.95, 11, 1.7958848187040433},
		{.025, 59, -2.000995378088268}, {.975, 399, 1.965927295920882}, {1e-6, 2, -707.1057205259339}, {.6, .5, 0.3979754267847907}} {
		within(t, "quantile", StudentQuantile(c[0], c[1]), c[2], 1e-12)
	}
	within(t, "infinitely many degrees of freedom", StudentQuantile(0.975, math.Inf(1)), 1.959963984540054, 1e-14)
	if StudentQuantile(0.5, 3) != 0 || !math.IsInf(StudentQuantile(1, 3), 1) || !math.IsNaN(StudentQuantile(.5, 0)) || !math.IsNaN(StudentQuantile(-1, 3)) {
		t.Error("the ends")
	}
}

// TestBeta against SciPy 1.17.1, betainc and gammaln.
func TestBeta(t *testing.T) {
	for _, c := range [][4]float64{{.3, 2, 5, 0.5798250000000003}, {.9, .5, .5, 0.7951672353008665}, {.001, 3, 1000, 0.08057759036020444},
		{.5, 500, 480, 0.26135600646786494}, {.02, 20, 980, 0.5288467221457421}, {1e-10, 1, 1, 1e-10}, {1e-20, 1, 5, 5e-20}, {.7, 1e5, 5e4, 1}, {.6667, 1e5, 5e4, 0.5106815818237974}, {0, 1, 2, 0}, {1, 1, 2, 1}} {
		within(t, "beta", beta(c[0], c[1], c[2]), c[3], 1e-10)
		if c[1]+c[2] <= 1003 {
			within(t, "beta", beta(c[0], c[1], c[2]), c[3], 1e-12)
		}
	}
	for _, c := range [][2]float64{{.5, 0.5723649429247001}, {1.5, -0.12078223763524526}, {7.25, 7.0521854507385395}, {15.999, 27.89653040276015},
		{16, 27.899271383840894}, {100, 359.1342053695754}, {1e6, 12815504.569147611}} {
		within(t, "logGamma", logGamma(c[0]), c[1], 2e-14)
	}
	for _, x := range []float64{1, 2} {
		if got := logGamma(x); math.Abs(got) > 1e-14 {
			t.Errorf("logGamma(%v) = %v", x, got)
		}
	}
}
