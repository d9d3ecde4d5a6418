package power

import (
	"math"
	"testing"

	"kerf/internal/stats"
)

// TestPublished: the figures of statistics.md 8, formula and exact rule.
func TestPublished(t *testing.T) {
	for _, c := range []struct {
		margin, discordance, power float64
		n                          float64
	}{
		{.05, .05, .8, 120}, {.05, .05, .9, 167}, {.05, .10, .8, 244}, {.05, .10, .9, 338}, {.05, .20, .8, 491}, {.05, .20, .9, 681},
		{.02, .05, .8, 769}, {.02, .05, .9, 1066}, {.02, .10, .8, 1542}, {.02, .10, .9, 2137}, {.02, .20, .8, 3088}, {.02, .20, .9, 4278},
		{.10, .10, .8, 58}, {.10, .10, .9, 81}, {.10, .20, .8, 120}, {.10, .20, .9, 167},
	} {
		if got := math.Ceil(Guess(c.margin, c.discordance, 0, .05, c.power, 1)); got != c.n {
			t.Errorf("margin %v, discordance %v, power %v: %v questions, want %v", c.margin, c.discordance, c.power, got, c.n)
		}
		deff := 1 + (4-1)*.2
		if got, want := Guess(c.margin, c.discordance, 0, .05, c.power, deff), 1.6*Guess(c.margin, c.discordance, 0, .05, c.power, 1); math.Abs(got-want) > 1e-9 {
			t.Errorf("with a design effect of 1.6: %v, want %v", got, want)
		}
		n := Guess(c.margin, c.discordance, 0, .05, c.power, 1)
		if got := SmallestMargin(n, c.discordance, 0, .05, c.power, 1); math.Abs(got-c.margin) > 1e-9 {
			t.Errorf("%v questions prove %v, want %v", n, got, c.margin)
		}
	}
	for i, margin := range []float64{.10, .05, .03, .02, .01} {
		for alpha, want := range map[float64]int{.05: []int{29, 59, 99, 149, 299}[i], .025: []int{36, 72, 122, 183, 368}[i]} {
			if got := (Rule{Margin: margin, Alpha: alpha}).Whole(); got != want {
				t.Errorf("margin %v, alpha %v: %d questions without a loss, want %d", margin, alpha, got, want)
			}
		}
	}
}

// TestRule: the floors decide where the interval alone would accept.
func TestRule(t *testing.T) {
	ones := func(n int) []int {
		sizes := make([]int, n)
		for i := range sizes {
			sizes[i] = 1
		}
		return sizes
	}
	r := Rule{Margin: .05, Alpha: .05, Floor: .2}
	for _, n := range []int{58, 59} {
		gains := make([]int, n)
		c, _ := stats.PairedRates(gains, gains, ones(n), .9, .2)
		if got := r.Accepts(gains, gains, ones(n)); c.Interval.Low <= -.05 || got != (n == 59) {
			t.Errorf("%d questions without a change: %v, interval %v", n, got, c.Interval)
		}
	}
	// 59 questions in 30 documents are fewer effective ones.
	twos := append(ones(1), make([]int, 29)...)
	for i := range 29 {
		twos[i+1] = 2
	}
	if none := make([]int, 30); r.Accepts(none, none, twos) {
		t.Error("59 questions in 30 documents are accepted")
	}
	// 11 documents never do; 12 of the same kind do.
	for _, n := range []int{11, 12} {
		sizes, gains, losses := make([]int, n), make([]int, n), make([]int, n)
		for i := range sizes {
			sizes[i], gains[i] = 1000, 300
		}
		losses[0] = 1
		c, _ := stats.PairedRates(gains, losses, sizes, .9, .2)
		if got := r.Accepts(gains, losses, sizes); c.Interval.Low <= -.05 || got != (n == 12) {
			t.Errorf("%d documents: %v, interval %v", n, got, c.Interval)
		}
	}
	// Fewer questions than the exact rule needs, in spite of a good interval.
	gains, losses := ones(58), make([]int, 58)
	gains[0], losses[0] = 0, 1
	c, _ := stats.PairedRates(gains, losses, ones(58), .9, .2)
	if c.Interval.Low <= -.05 || r.Accepts(gains, losses, ones(58)) {
		t.Errorf("58 questions: accepted, or not for want of them: %v", c.Interval)
	}
}

// TestDraw: rates and correlation of the urn are those asked for, and documents
// of two questions come with exactly the chances of the model.
func TestDraw(t *testing.T) {
	const trials = 200_000
	for _, icc := range []float64{0, .2, .5, 1} {
		c := Change{Losses: .3, Gains: .1, ICC: icc}
		random := Trial(1, 2)
		seen := map[[2]int]int{}
		for range trials {
			g, l := c.Draw(random, 2)
			seen[[2]int{g, l}]++
		}
		for outcome, p := range pairs(c) {
			if got, se := float64(seen[outcome])/trials, math.Sqrt(p*(1-p)/trials); math.Abs(got-p) > 5*se {
				t.Errorf("ICC %v: %v in a share %v, want %v", icc, outcome, got, p)
			}
			delete(seen, outcome)
		}
		if len(seen) > 0 {
			t.Errorf("ICC %v: impossible %v", icc, seen)
		}
	}
	c := Change{Losses: .3, Gains: .1, ICC: .4}
	random := Trial(3, 4)
	var gains, losses, sizes []int
	for range 20_000 {
		g, l := c.Draw(random, 5)
		gains, losses, sizes = append(gains, g), append(losses, l), append(sizes, 5)
	}
	icc, ok := ICC(gains, losses, sizes)
	if n := float64(5 * len(sizes)); !ok || math.Abs(icc-.4) > .02 || math.Abs(float64(sum(losses))/n-.3) > .01 || math.Abs(float64(sum(gains))/n-.1) > .01 {
		t.Errorf("ICC %v, %d gains, %d losses", icc, sum(gains), sum(losses))
	}
}

// pairs is the chance of each (gains, losses) of two questions of a document.
func pairs(c Change) map[[2]int]float64 {
	p := []float64{1 - c.Losses - c.Gains, c.Losses, c.Gains}
	counts := [][2]int{{0, 0}, {0, 1}, {1, 0}}
	out := map[[2]int]float64{}
	for i, a := range counts {
		for j, b := range counts {
			chance := (1 - c.ICC) * p[i] * p[j]
			if i == j {
				chance += c.ICC * p[i]
			}
			if chance > 0 {
				out[[2]int{a[0] + b[0], a[1] + b[1]}] += chance
			}
		}
	}
	return out
}

// TestEnumeration: the simulated power is that of going through every possible
// outcome: of independent questions, and of documents of two.
func TestEnumeration(t *testing.T) {
	r := Rule{Margin: .25, Alpha: .05, Floor: .1}
	for _, c := range []Change{Changed(.3, 0, .2), Changed(.3, -.25, .2), Changed(.1, .05, .6)} {
		for _, size := range []int{1, 2} {
			single := map[[2]int]float64{{0, 0}: 1 - c.Losses - c.Gains, {0, 1}: c.Losses, {1, 0}: c.Gains}
			if size == 2 {
				single = pairs(c)
			}
			const documents, trials = 12, 20_000
			sizes := make([]int, documents)
			for d := range sizes {
				sizes[d] = size
			}
			want := enumerate(r, single, sizes)
			got := float64(r.Simulate(c, sizes, 7, trials, 2)) / trials
			if se := math.Sqrt(want * (1 - want) / trials); math.Abs(got-want) > 4*se+1e-12 {
				t.Errorf("%+v, %d a document: simulated %v, enumerated %v", c, size, got, want)
			}
		}
	}
}

// TestGuessIsTooSmall: where the formula promises .8, every possible outcome of 120
// questions together gives .681, the least that statistics.md 8 names, and 159
// questions, which it names as needed, give .8.
func TestGuessIsTooSmall(t *testing.T) {
	r, c := Rule{Margin: .05, Alpha: .05}, Changed(.05, 0, 0)
	single := map[[2]int]float64{{0, 0}: .95, {0, 1}: .025, {1, 0}: .025}
	for n, want := range map[int]float64{120: .6812, 159: .8006} {
		sizes := make([]int, n)
		for i := range sizes {
			sizes[i] = 1
		}
		if got := enumerate(r, single, sizes); math.Abs(got-want) > 5e-5 {
			t.Errorf("%d questions: power %v, want %v", n, got, want)
		}
		if got := float64(r.Simulate(c, sizes, 3, 2000, 2)) / 2000; math.Abs(got-want) > .04 {
			t.Errorf("%d questions: simulated %v, want %v", n, got, want)
		}
	}
}

// enumerate is the chance that r accepts documents of equal sizes, each of which
// comes out as single says.
func enumerate(r Rule, single map[[2]int]float64, sizes []int) (power float64) {
	var outcomes [][2]int
	for g := range 3 {
		for l := range 3 {
			if single[[2]int{g, l}] > 0 {
				outcomes = append(outcomes, [2]int{g, l})
			}
		}
	}
	gains, losses := make([]int, len(sizes)), make([]int, len(sizes))
	var take func(o, d int, chance float64)
	take = func(o, d int, chance float64) {
		if d == len(sizes) {
			if r.Accepts(gains, losses, sizes) {
				power += chance
			}
			return
		}
		if o == len(outcomes) {
			return
		}
		for k := 0; ; k++ { // of the documents from d on, k come out as o
			take(o+1, d+k, chance)
			if d+k == len(sizes) {
				return
			}
			gains[d+k], losses[d+k] = outcomes[o][0], outcomes[o][1]
			chance *= single[outcomes[o]] * float64(len(sizes)-d-k) / float64(k+1)
		}
	}
	take(0, 0, 1)
	return power
}

// TestCores: the same trials whatever they are shared among.
func TestCores(t *testing.T) {
	r, c := Rule{Margin: .1, Alpha: .05, Floor: .2}, Changed(.1, 0, .2)
	sizes := []int{3, 1, 4, 1, 5, 9, 2, 6, 5, 3, 5, 8, 9, 7}
	want := r.Simulate(c, sizes, 11, 501, 1)
	if want == 0 || want == 501 {
		t.Fatalf("%d of 501 says nothing", want)
	}
	for _, jobs := range []int{0, 2, 7, 600} {
		if got := r.Simulate(c, sizes, 11, 501, jobs); got != want {
			t.Errorf("%d jobs: %d, want %d", jobs, got, want)
		}
	}
	if r.Simulate(c, sizes, 12, 501, 1) == want && r.Simulate(c, sizes, 13, 501, 1) == want {
		t.Error("the seed makes no difference")
	}
}

// TestICC: values by hand (analysis of variance), and where there is none.
func TestICC(t *testing.T) {
	// d = (+1 +1) (0 0) (-1 0): MSB = (4/2 + 1/2 - 1/6)/2, MSW = (1 - 1/2)/3.
	icc, ok := ICC([]int{2, 0, 0}, []int{0, 0, 1}, []int{2, 2, 2})
	b, w := (2+.5-1./6)/2, .5/3
	if want := (b - w) / (b + w); !ok || math.Abs(icc-want) > 1e-9 {
		t.Errorf("ICC %v %v, want %v", icc, ok, want)
	}
	// Sizes 1, 2 and 3: n0 = (6 - 14/6)/2.
	icc, ok = ICC([]int{1, 1, 0}, []int{0, 0, 1}, []int{1, 2, 3})
	b, w = (1+.5+1./3-1./6)/2, (0+.5+2./3)/3
	if n0 := (6 - 14./6) / 2; !ok || math.Abs(icc-(b-w)/(b+(n0-1)*w)) > 1e-9 {
		t.Errorf("ICC %v %v", icc, ok)
	}
	for _, none := range [][3][]int{
		{{1}, {1}, {4}}, {{1, 0}, {0, 1}, {1, 1}}, {{0, 0}, {0, 0}, {3, 3}}, {{3, 3}, {0, 0}, {3, 3}},
	} {
		if icc, ok := ICC(none[0], none[1], none[2]); ok {
			t.Errorf("%v: ICC %v", none, icc)
		}
	}
}

// TestRandom: the values of SplitMix64 from state 0, as its authors publish them.
func TestRandom(t *testing.T) {
	r := new(Random)
	for _, want := range []uint64{0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, 0x06c45d188009454f} {
		if got := r.Float64(); got != float64(want>>11)/(1<<53) {
			t.Errorf("%v, want %x", got, want)
		}
	}
}
