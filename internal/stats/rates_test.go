package stats

import (
	"math"
	"math/rand/v2"
	"testing"
)

const (
	z95 = 1.959963984540054
	z90 = 1.6448536269514722
)

func bounds(t *testing.T, what string, got Interval, low, high, tolerance float64) {
	t.Helper()
	closeTo(t, what+" low", got.Low, low, tolerance)
	closeTo(t, what+" high", got.High, high, tolerance)
}

// TestRates against SciPy 1.17.1, binomtest(k, n).proportion_ci.
func TestRates(t *testing.T) {
	for _, c := range []struct {
		k, n, level                                float64
		wilsonLow, wilsonHigh, exactLow, exactHigh float64
	}{
		{0, 10, .95, 0, 0.27753279986288926, 0, 0.30849710781876294},
		{10, 10, .95, 0.7224672001371109, 1, 0.6915028921812371, 1},
		{3, 10, .95, 0.10779126740630102, 0.6032218525388546, 0.06673951117773447, 0.652452850060008},
		{33, 46, .95, 0.574514387694541, 0.8267579761812937, 0.5653959222162207, 0.8401332980747059},
		{263, 300, .9, 0.8420316082060286, 0.9045685280887081, 0.8409605628471861, 0.9066719362190323},
		{1, 1000, .99, 0.00011741635361832165, 0.008460566219981695, 5.0125292607668415e-06, 0.007406286938353162},
	} {
		bounds(t, "Wilson", Wilson(c.k, c.n, NormalQuantile((1+c.level)/2)), c.wilsonLow, c.wilsonHigh, 1e-13)
		bounds(t, "Clopper-Pearson", ClopperPearson(c.k, c.n, c.level), c.exactLow, c.exactHigh, 1e-12)
	}
	for n := 1.0; n < 500; n++ {
		if none, every := Wilson(0, n, z95), Wilson(n, n, z95); none.Low < 0 || every.High > 1 {
			t.Errorf("of %v: %v %v", n, none, every)
		}
	}
}

// TestNoLoss: how many questions without a loss are needed, as statistics.md 8
// has it; the exact interval says the same.
func TestNoLoss(t *testing.T) {
	for alpha, needs := range map[float64][5]float64{0.05: {29, 59, 99, 149, 299}, 0.025: {36, 72, 122, 183, 368}} {
		for i, delta := range []float64{.1, .05, .03, .02, .01} {
			if got := math.Ceil(NoLossNeeds(delta, alpha)); got != needs[i] {
				t.Errorf("delta %v, alpha %v: %v questions, want %v", delta, alpha, got, needs[i])
			}
			if n := needs[i]; NoLossBound(n, alpha) >= delta || NoLossBound(n-1, alpha) < delta {
				t.Errorf("delta %v, alpha %v: %v questions do not just do", delta, alpha, n)
			}
		}
	}
	closeTo(t, "bound", NoLossBound(40, 0.025), ClopperPearson(0, 40, 0.95).High, 1e-14)
	for i, delta := range []float64{.1, .05, .03, .02, .01} { // Tango's, at alpha .05
		if n := [5]float64{25, 52, 88, 133, 268}[i]; Tango(0, 0, n, z90).Low <= -delta || Tango(0, 0, n-1, z90).Low > -delta {
			t.Errorf("delta %v: %v questions do not just do", delta, n)
		}
	}
}

// TestTango: the airway data's published interval (Fagerland, Lydersen and Laake
// 2014: -0.517 to -0.026), the closed form without any change, and others by the
// definition in 40 digits, the losses' rate found by its likelihood.
func TestTango(t *testing.T) {
	airway := Tango(1, 7, 21, z95)
	bounds(t, "airway", airway, -0.517, -0.026, 0.0005)
	for _, c := range []struct{ gains, losses, n, z, low, high float64 }{
		{1, 7, 21, z95, -0.51723227642137734, -0.026003032480868566},
		{0, 0, 50, z90, -0.051333185786270121, 0.051333185786270121},
		{12, 4, 100, z95, 0.0017827757440298039, 0.16558814783269942},
		{0, 5, 60, z95, -0.18068942018334412, -0.018147160179402654},
		{40, 40, 500, z95, -0.03561915426461211, 0.03561915426461211},
		{20, 0, 30, 2.5, 0.37931034482758621, 0.83576913193170696},
	} {
		bounds(t, "Tango", Tango(c.gains, c.losses, c.n, c.z), c.low, c.high, 1e-13)
		mirror := Tango(c.losses, c.gains, c.n, c.z)
		bounds(t, "mirrored", mirror, -c.high, -c.low, 1e-13)
	}
	closeTo(t, "no change", Tango(0, 0, 50, z90).Low, -z90*z90/(50+z90*z90), 1e-15)
	bounds(t, "all lost", Tango(0, 9, 9, z95), -1, (z95*z95-9)/(z95*z95+9), 1e-14) // there q is (1-D)/2
	small := Tango(.01, .07, .21, z95/10)                                          // the score grows with the root of all counts
	bounds(t, "a hundredth", small, airway.Low, airway.High, 1e-13)
	if half := Tango(2, 3.5, 25.5, z95); !(half.Low < -1.5/25.5 && -1.5/25.5 < half.High) {
		t.Errorf("fractional counts: %v", half)
	}
}

// TestJackknife: the mean of single questions has the textbook's standard error;
// ratios are compared with their plain computation.
func TestJackknife(t *testing.T) {
	values := []float64{3, 1, 4, 1, 5, 9, 2, 6}
	mean, variance, ok := paired(values, 1).Jackknife(Mean([]int{0}, 1))
	if !ok {
		t.Fatal("no variance")
	}
	closeTo(t, "mean", mean, 3.875, 1e-15)
	closeTo(t, "variance", variance, 7.553571428571429/8, 1e-14) // statistics.variance of Python
	i, ok := paired(values, 1).CRV3(Mean([]int{0}, 1), 0.95)
	if !ok {
		t.Fatal("no interval")
	}
	bounds(t, "t interval", i, 1.5773000431592457, 6.172699956840754, 1e-12) // SciPy 1.17.1, t.interval

	rng := rand.New(rand.NewPCG(2, 3))
	for range 200 {
		v := random(rng, 2+rng.IntN(20), 6, 1)
		s, base, cand, size := v.sums()
		estimate, variance, _ := s.Jackknife(less(Mean(cand, size), Mean(base, size)))
		theta := func(without int) float64 {
			sum, n := 0.0, 0.0
			for q, g := range v.Clusters {
				if g != without {
					sum, n = sum+float64(v.Cand[0][q]-v.Base[0][q]), n+1
				}
			}
			return sum / n
		}
		groups := float64(s.clusters)
		want := 0.0
		for g := range s.clusters {
			want += (groups - 1) / groups * (theta(g) - theta(-1)) * (theta(g) - theta(-1))
		}
		closeTo(t, "estimate", estimate, theta(-1), 1e-14)
		closeTo(t, "variance", variance, want, 1e-14)
	}
	if _, ok := NewSums([]int{1}, []int{2}).CRV3(Mean([]int{0}, 1), .95); ok {
		t.Error("an interval from one cluster")
	}
	if _, ok := NewSums([]int{1, 1}, []int{2, 2}).CRV3(Mean([]int{0}, 1), .95); ok {
		t.Error("an interval from no variance")
	}
}

// TestClustered: the design effect by hand, and intervals on effective counts.
func TestClustered(t *testing.T) {
	// m = (16+4+4)/8 = 3.
	for _, c := range [][3]float64{{1, 0, 1}, {1, .2, 1.4}, {2.5, .2, 2.5}, {.5, 0, 1}, {.5, -.2, 1}} {
		closeTo(t, "design effect", DesignEffect([]int{4, 2, 2}, c[0], c[1]), c[2], 1e-15)
	}
	// Nothing changed: the ratio is 1, the floor stays.
	sizes := []int{4, 2, 2}
	c, ok := PairedRates([]int{0, 0, 0}, []int{0, 0, 0}, sizes, 0.95, DefaultICC)
	z := StudentQuantile(0.975, 2)
	if !ok || c.Degrees != 2 || c.Estimate != 0 {
		t.Errorf("%+v", c)
	}
	closeTo(t, "n", c.N, 8/1.4, 1e-14)
	closeTo(t, "no change", c.Interval.Low, -z*z/(8/1.4+z*z), 1e-13)
	// All of it one way, every question: no variance either.
	c, ok = PairedRates([]int{4, 2, 2}, []int{0, 0, 0}, sizes, 0.95, DefaultICC)
	if !ok || c.Estimate != 1 || math.IsNaN(c.Interval.Low) || c.Interval.Low >= 0.9 {
		t.Errorf("%+v", c)
	}
	// One document lost everything it had: its variance is that of one document.
	// theta = -1/2; without each: 0, -2/3, -2/3. V = 2/3 (1/4 + 1/36 + 1/36).
	c, _ = PairedRates([]int{0, 0, 0}, []int{4, 0, 0}, sizes, 0.95, DefaultICC)
	deff := 2.0 / 3 * (1.0/4 + 2.0/36) / ((0.5 - 0.25) / 8)
	closeTo(t, "design effect of one document", c.DEFF, deff, 1e-13)
	want := Tango(0, 4/deff, 8/deff, z)
	bounds(t, "one document", c.Interval, want.Low, want.High, 1e-12)
	if _, ok := PairedRates([]int{1}, []int{0}, []int{2}, 0.95, DefaultICC); ok {
		t.Error("an interval from one cluster")
	}
}
