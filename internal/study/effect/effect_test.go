package effect

import (
	"encoding/json"
	"errors"
	"io/fs"
	"math"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"kerf/internal/stats"
)

func rats(texts ...string) []*big.Rat {
	out := make([]*big.Rat, len(texts))
	for i, s := range texts {
		if s != "" {
			out[i], _ = new(big.Rat).SetString(s)
		}
	}
	return out
}

// numbered are n clusters of m questions each.
func numbered(n, m int) []string {
	var out []string
	for c := range n {
		for range m {
			out = append(out, strconv.Itoa(c))
		}
	}
	return out
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 1e-12) {
		t.Errorf("%s: %.17g, want %.17g", what, got, want)
	}
}

// TestSumsArePlain: means, differences and totals are those of fractions added one by one.
func TestSumsArePlain(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	rare := 0
	for range 300 {
		placements, most := 1+r.IntN(8), []int{1, 6, 100, 1 << 20, 1<<31 - 2}[r.IntN(5)]
		rows := func() Rows {
			nums, dens := make([]int, 5*placements), make([]int, 5*placements)
			for i := range nums {
				if r.IntN(6) > 0 {
					dens[i] = 1 + r.IntN(most)
					nums[i] = r.IntN(dens[i] + 1)
				}
			}
			return Rows{5, placements, func(i, j int) (num, den int) { return nums[i*placements+j], dens[i*placements+j] }}
		}
		a, b := rows(), rows()
		means, less := a.Means(), a.Less(b)
		total := new(big.Rat)
		for i := range 5 {
			mean, difference, n, both := new(big.Rat), new(big.Rat), 0, 0
			for j := range placements {
				xn, xd := a.At(i, j)
				yn, yd := b.At(i, j)
				if xd > 0 {
					mean.Add(mean, big.NewRat(int64(xn), int64(xd)))
					n++
				}
				if xd > 0 && yd > 0 {
					difference.Add(difference, big.NewRat(int64(xn), int64(xd)))
					difference.Sub(difference, big.NewRat(int64(yn), int64(yd)))
					both++
				}
			}
			if (n == 0) != (means[i] == nil) || (both == 0) != (less[i] == nil) {
				t.Fatal(n, both, means[i], less[i])
			}
			if n > 0 && means[i].Cmp(mean.Quo(mean, big.NewRat(int64(n), 1))) != 0 || both > 0 && less[i].Cmp(difference.Quo(difference, big.NewRat(int64(both), 1))) != 0 {
				t.Errorf("mean %v, want %v; difference %v, want %v", means[i], mean, less[i], difference)
			}
			if n > 0 {
				total.Add(total, mean)
				if mean.Denom().BitLen() > 40 {
					rare++
				}
			}
		}
		if got := Total(means).Sum; got.Cmp(total) != 0 {
			t.Errorf("total %v, want %v", got, total)
		}
	}
	if rare < 50 {
		t.Error(rare)
	}
}

func TestDifferences(t *testing.T) {
	const x = stats.Missing
	candidate := Of([][]stats.Verdict{{1, 1, 0, 1}, {1, x, 0, 1}, {x, x, 1, 1}}, 4)
	same(t, candidate.Less(Of([][]stats.Verdict{{0, 1, 0, 0}, {0, 1, x, 1}, {0, 1, x, x}}, 4)), "1/2", "1/2", "")
	same(t, candidate.Means(), "3/4", "2/3", "1")
	same(t, candidate.Ordinary().Means(), "1", "1", "1")
	// An unshifted control is a constant; with a gap, the mean of a row is unknown.
	control := Of([][]stats.Verdict{{1}, {1}, {x}}, 1)
	d := control.Less(Of([][]stats.Verdict{{0, 1, 1}, {0, x, 1}, {1, 1, 0}}, 3))
	same(t, d, "1/3", "", "")
	if s := Total(d); s.Sum.RatString() != "1/3" || s.Den != 3 || s.Missing != 2 {
		t.Errorf("total %s of %d, %d missing", s.Sum.RatString(), s.Den, s.Missing)
	}
	// Values are any fractions: reciprocal ranks 1/2, 1/3 against 1, none.
	ranks := [][]int{{2, 3}, {1, 0}}
	at := func(i int) Rows {
		return Rows{1, 2, func(_, j int) (num, den int) { return min(1, ranks[i][j]), max(1, ranks[i][j]) }}
	}
	same(t, at(0).Less(at(1)), "-1/12")
	if s := Total(rats("1/2", "1/3", "", "1")); s.Sum.RatString() != "11/6" || s.Den != 4 || s.Missing != 1 {
		t.Errorf("total %v", s)
	}
}

func same(t *testing.T, got []*big.Rat, want ...string) {
	t.Helper()
	for i, w := range rats(want...) {
		if (got[i] == nil) != (w == nil) || w != nil && got[i].Cmp(w) != 0 {
			t.Errorf("question %d: %v, want %v", i, got[i], w)
		}
	}
}

func TestWhole(t *testing.T) {
	nums, den := whole(rats("1/2", "-1/3", "0", "2"))
	if den != 6 || !slices.Equal(nums, []int64{3, -2, 0, 12}) {
		t.Errorf("%v / %d", nums, den)
	}
	// Where the common denominator is too large, the nearest multiple of 2^-20.
	nums, den = whole(rats("1/1048573", "-1/3", "-1/2", "1"))
	if den != most || !slices.Equal(nums, []int64{1, -349525, -524288, most}) {
		t.Errorf("%v / %d", nums, den)
	}
}

// TestAirway is a published interval (Fagerland 2014): 21 patients, 7 lost, 1
// gained; these documents only, so the design effect is 1 and the quantile normal.
func TestAirway(t *testing.T) {
	d := rats("-1", "-1", "-1", "-1", "-1", "-1", "-1", "1", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0", "0")
	i := Standard(1).Of(d, make([]string, 21), Verdicts).Value
	if math.Abs(i.Lo+0.517) > 5e-4 || math.Abs(i.Hi+0.026) > 5e-4 {
		t.Errorf("%v to %v", i.Lo, i.Hi)
	}
	if i.Estimand != Fixed || i.Unit != Question || i.Degrees != 0 || i.DEFF != 1 || i.Clusters != 1 || i.Questions != 21 || i.Method != "Tango" ||
		!slices.Equal(i.Warnings, []string{OnlyThese}) {
		t.Errorf("%+v", i)
	}
}

// TestNothingChanged: no change is not no variance. 50 questions in 50 clusters
// have no design effect: at one-sided 95 % Tango's bound is -z^2/(n+z^2), the exact
// one 1 - .05^(1/50), and the wider one is given.
func TestNothingChanged(t *testing.T) {
	zero := make([]*big.Rat, 50)
	for i := range zero {
		zero[i] = new(big.Rat)
	}
	design := Standard(1)
	design.Level = 0.9
	one := design.Of(zero, make([]string, 50), Verdicts).Value // in one cluster: F
	near(t, "exact, normal", one.Lo, -(1 - math.Pow(.05, 1./50)))
	if -one.Lo < 0.0513 {
		t.Errorf("%v is narrower than Tango's", one.Lo)
	}
	for _, scale := range []Scale{Verdicts, Fine} {
		i := design.Of(zero, numbered(50, 1), scale).Value
		q := stats.StudentQuantile(.95, 49)
		near(t, "the wider of both", i.Lo, -max(q*q/(50+q*q), 1-math.Pow(.05, 1./50)))
		near(t, "other side", i.Hi, -i.Lo)
		if i.Method != "Tango, effective counts" || !slices.Contains(i.Warnings, Floor) || i.Effective != 50 || i.Degrees != 49 {
			t.Errorf("%+v", i)
		}
		// Five questions a cluster are at least 1 + 4 x .2 = 1.8 times fewer.
		c := design.Of(slices.Concat(zero, zero[:25]), numbered(15, 5), scale).Value
		near(t, "design effect", c.DEFF, 1.8)
		near(t, "effective", c.Effective, 75/1.8)
		q, n := stats.StudentQuantile(.95, 14), 75/1.8
		near(t, "with t", c.Lo, -max(q*q/(n+q*q), 1-math.Pow(.05, 1/n)))
	}
	near(t, "none below", design.NoneBelow(59), 1-math.Pow(.05, 1./59))
}

// TestAllAlike: every question lost the same: a variance of 0 is the floor's too.
// Thirds, because their mean of squares less the square of the mean is not 0 in
// floats.
func TestAllAlike(t *testing.T) {
	for _, lost := range []string{"-1/4", "-1/3"} {
		d := slices.Repeat(rats(lost), 24)
		for _, clusters := range [][]string{numbered(24, 1), numbered(12, 2), numbered(2, 12)} {
			i := Standard(1).Of(d, clusters, Fine).Value
			if !slices.Contains(i.Warnings, Floor) || !(i.Lo < -.4 && -.2 < i.Hi && i.Hi < 0) || i.Method == "Tango, scaled counts" {
				t.Errorf("%+v", i)
			}
		}
	}
	// Documents are alike, questions are not: the floor, of the questions' variance.
	i := Standard(1).Of(slices.Repeat(rats("1/2", "-1/2"), 12), numbered(12, 2), Fine).Value
	if !slices.Contains(i.Warnings, Floor) || i.DEFF != 1.2 || i.Method != "Tango, scaled counts" {
		t.Errorf("%+v", i)
	}
	half := stats.StudentQuantile(.975, 11) * math.Sqrt(1.2*.25/24)
	if !(i.Hi < half && i.Hi > .9*half) {
		t.Errorf("%v to %v, by the normal distribution %v", i.Lo, i.Hi, half)
	}
	near(t, "symmetric", i.Lo, -i.Hi)
}

// TestFixed: below 12 clusters questions stand for themselves, with t of their
// number: 4, 0, 2, -1, 0 quarters have 15 sixteenths of variance over 5 where 7
// quarters of whole changes would have 27 (5 x 21 - 25 = 80 of 5 x 28 - 25 = 115).
func TestFixed(t *testing.T) {
	i := Standard(1).Of(rats("1", "0", "1/2", "-1/4", "0"), []string{"a", "a", "b", "b", "b"}, Fine).Value
	q := 2.7764451051977987 // t at .975, 4 degrees of freedom
	want := stats.Tango(1.5, .25, 5, q*math.Sqrt(80./115))
	near(t, "lo", i.Lo, want.Low)
	near(t, "hi", i.Hi, want.High)
	if i.Method != "Tango, scaled counts" || i.Degrees != 4 || i.DEFF != 1 || i.Estimand != Fixed || i.Clusters != 2 {
		t.Errorf("%+v", i)
	}
}

// TestOfEqualsItsTwin computes intervals again by definition, on random questions:
// verdicts, means over placements, differences of reciprocal ranks.
func TestOfEqualsItsTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	seen := map[string]int{}
	for trial := range 600 {
		n, groups, p := 12+r.IntN(60), 6+r.IntN(20), 1+r.IntN(5)
		clusters, d := make([]string, n), make([]*big.Rat, n)
		for i := range d {
			clusters[i] = strconv.Itoa(r.IntN(groups))
			switch {
			case r.IntN(9) == 0:
			case trial%3 == 0:
				d[i] = new(big.Rat).Sub(big.NewRat(1, int64(1+r.IntN(7))), big.NewRat(1, int64(1+r.IntN(7))))
			default:
				d[i] = big.NewRat(int64(r.IntN(2*p+1)-p)*int64(min(1, r.IntN(3))), int64(p))
			}
		}
		scale := Scale(p == 1 && trial%3 > 0)
		got := Standard(1).Of(d, clusters, scale)
		want, by := twin(d, clusters, bool(scale))
		if !got.Measured {
			t.Fatal("not measured")
		}
		g := got.Value
		near(t, "lo", g.Lo, want[0])
		near(t, "hi", g.Hi, want[1])
		near(t, "effective", g.DEFF*g.Effective, float64(g.Questions))
		seen[g.Method+by]++
	}
	for _, k := range []string{"Tango", "Tango, effective counts, floor", "Tango, effective counts, clusters", "Tango, scaled counts", "Tango, scaled counts, floor", "Tango, scaled counts, clusters"} {
		if seen[k] < 10 {
			t.Errorf("%s: %d of 600; %v", k, seen[k], seen)
		}
	}
}

// TestScaledCounts: what the interval of means over placements must be in its
// limits, whatever the questions.
func TestScaledCounts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for trial := range 200 {
		documents, m, placements := 12+r.IntN(20), 1+r.IntN(5), 1+r.IntN(8)
		clusters := numbered(documents, m)
		// Some documents lose, some gain, and their questions in some placements.
		a, b := make([][]stats.Verdict, documents*m), make([][]stats.Verdict, documents*m)
		for i := range a {
			prone := r.IntN(2)
			for range placements {
				v := stats.Verdict(r.IntN(2))
				a[i], b[i] = append(a[i], v), append(b[i], v^stats.Verdict(prone*r.IntN(2)))
			}
		}
		d := Of(b, placements).Less(Of(a, placements))
		i := Standard(1).Of(d, clusters, Fine).Value
		for q := range a { // each placement twice
			a[q], b[q] = slices.Concat(a[q], a[q]), slices.Concat(b[q], b[q])
		}
		twice := Standard(1).Of(Of(b, 2*placements).Less(Of(a, 2*placements)), clusters, Fine).Value
		if twice.Lo != i.Lo || twice.Hi != i.Hi || twice.DEFF != i.DEFF {
			t.Fatalf("trial %d: %+v; each placement twice: %+v", trial, i, twice)
		}
		swapped := Standard(1).Of(Of(a, placements).Less(Of(b, placements)), clusters, Fine).Value
		near(t, "arms swapped, lo", swapped.Lo, -i.Hi)
		near(t, "arms swapped, hi", swapped.Hi, -i.Lo)
		if placements == 1 {
			if whole := Standard(1).Of(d, clusters, Verdicts).Value; whole.Lo != i.Lo || whole.Hi != i.Hi || whole.DEFF != i.DEFF {
				t.Fatalf("one placement: %+v, as verdicts %+v", i, whole)
			}
		}
		total := Total(d)
		if mean, _ := total.Rate(); !(-1 <= i.Lo && i.Lo <= mean && mean <= i.Hi && i.Hi <= 1) {
			t.Fatalf("trial %d: %v in %+v", trial, mean, i)
		}
		narrow := Interval{Lo: 1, Hi: -1}
		for _, icc := range []float64{0, .1, .2, .5, 1} {
			wider := Design{Level: .95, ICC: icc}.Of(d, clusters, Fine).Value
			if wider.Lo > narrow.Lo || wider.Hi < narrow.Hi || wider.DEFF > narrow.DEFF && !(wider.Lo < narrow.Lo && wider.Hi > narrow.Hi) {
				t.Fatalf("trial %d: ICC %v: %+v after %+v", trial, icc, wider, narrow)
			}
			narrow = wider
		}
	}
}

// TestHardlyAnyVariance: the less there is, the more the interval is that of a mean
// with t; near 1 it stays a share.
func TestHardlyAnyVariance(t *testing.T) {
	for _, den := range []int64{100, 10_000, 500_000} {
		var d []*big.Rat
		for i := range int64(24) {
			d = append(d, big.NewRat(den/4+i%2, den))
		}
		i := Standard(1).Of(d, numbered(24, 1), Fine).Value
		half := stats.StudentQuantile(.975, 23) / float64(den) * math.Sqrt(.25/23) // the jackknife divides by 23
		if got := (i.Hi - i.Lo) / 2 / half; math.Abs(got-1) > 1e-5 && den > 100 || math.Abs(got-1) > 1e-3 {
			t.Errorf("steps of 1/%d: %v times the half width", den, got)
		}
	}
	for documents := range 60 { // a design effect rounds nothing that is 1
		for m := range 6 {
			all := slices.Repeat(rats("1"), (documents+1)*(m+1))
			if i := Standard(1).Of(all, numbered(documents+1, m+1), Fine).Value; i.Hi != 1 || i.Lo >= 1 {
				t.Errorf("all of %d x %d gained: %+v", documents+1, m+1, i)
			}
		}
	}
	for _, last := range []string{"7/8", "0", "-1", "1048575/1048576"} {
		for _, clusters := range [][]string{numbered(24, 1), numbered(12, 2), numbered(1, 24)} {
			i := Standard(1).Of(append(slices.Repeat(rats("1"), 23), rats(last)...), clusters, Fine).Value
			r, _ := new(big.Rat).SetString(last)
			v, _ := r.Float64()
			if mean := (23 + v) / 24; !(i.Lo < mean && mean <= i.Hi && i.Hi <= 1 && i.Lo >= -1) {
				t.Errorf("all but %s gained: %v in %+v", last, mean, i)
			}
		}
	}
}

// twin is Of by the text of docs/format/diff.md, with floats and maps: counts are
// divided. It also says which variance decided.
func twin(d []*big.Rat, clusters []string, verdicts bool) (bounds [2]float64, by string) {
	sum, size := map[string]float64{}, map[string]float64{}
	var n, theta, gain, loss, squares float64
	for i, x := range d {
		if x == nil {
			continue
		}
		v, _ := x.Float64()
		sum[clusters[i]] += v
		size[clusters[i]]++
		n++
		theta += v
		gain += max(v, 0)
		loss += max(-v, 0)
		squares += v * v
	}
	theta /= n
	g := float64(len(size))
	var v3, m float64
	for c := range size {
		without := (theta*n - sum[c]) / (n - size[c])
		v3 += (g - 1) / g * (without - theta) * (without - theta)
		m += size[c] * size[c] / n
	}
	independent, tango := (squares/n-theta*theta)/n, ((gain+loss)/n-theta*theta)/n
	alike := independent < 1e-15
	if alike { // nothing changed, or all alike
		independent, tango, v3 = 1, 1, 1
	}
	variance, z := independent, stats.NormalQuantile(.975)
	if g >= 12 {
		floor := (1 + (m-1)*.2) * independent
		variance, z, by = max(v3, floor), stats.StudentQuantile(.975, g-1), ", clusters"
		if floor > v3 {
			by = ", floor"
		}
	} else if !verdicts && !alike {
		z = stats.StudentQuantile(.975, n-1)
	}
	k := variance / tango
	i := stats.Tango(gain/k, loss/k, n/k, z)
	if gain+loss == 0 {
		exact := 1 - math.Pow(.025, variance/n)
		i.Low, i.High = min(i.Low, -exact), max(i.High, exact)
	}
	return [2]float64{i.Low, i.High}, by
}

func TestMissingAndNothing(t *testing.T) {
	if Standard(1).Of(rats("", ""), []string{"a", "b"}, Verdicts).Measured || Standard(1).Bootstrap(rats(""), []string{"a"}).Measured {
		t.Error("an interval of nothing")
	}
	if i, _ := Standard(1).Rate(rats(""), []string{"a"}); i.Measured {
		t.Error("a rate of nothing")
	}
	i := Standard(1).Of(rats("1", ""), []string{"a", "b"}, Fine).Value // one question: no variance
	if i.Questions != 1 || i.Clusters != 1 || !slices.Equal(i.Warnings, []string{OnlyThese, Gaps, Floor}) || i.Lo > -.5 || i.Hi != 1 {
		t.Errorf("%+v", i)
	}
	large := append(slices.Repeat([]string{"big"}, 4), numbered(11, 1)...)
	if i := Standard(1).Of(append(make15(), rats("0", "1", "0", "0")...), append(slices.Clone(large), "w", "x", "y", "z"), Verdicts).Value; !slices.Contains(i.Warnings, Large) {
		t.Errorf("4 of 19 questions are no large cluster: %+v", i)
	}
	large[0] = "own"
	if i := Standard(1).Of(make15(), large, Verdicts).Value; slices.Contains(i.Warnings, Large) {
		t.Errorf("3 of 15 are one: %+v", i)
	}
}

func make15() []*big.Rat {
	return rats("1", "0", "-1", "0", "0", "0", "0", "1", "0", "0", "0", "0", "0", "0", "0")
}

func TestRate(t *testing.T) {
	z := stats.NormalQuantile(.975)
	for _, c := range []struct {
		pairs string // hits of each document of two questions
		deff  float64
	}{
		{"121221212221", 1.2},                    // what is seen, 11/12 * 420/264^2 / (19/24 * 5/24 / 24), is less than the least, 1 + (2-1) * .2
		{"202020202020", 11. / 484 / (.25 / 24)}, // without a document, the mean is 10/22 or 12/22
		{"222222222220", 11. / 12 * (11*4 + 484) / 264 / 264 / (22. / 24 * 2 / 24 / 24)}, // 20/22 - 22/24 and 22/22 - 22/24
	} {
		var values []string
		hits := 0.
		for _, n := range c.pairs {
			values = append(values, []string{"0", "1", "1"}[n-'0'], []string{"0", "0", "1"}[n-'0'])
			hits += float64(n - '0')
		}
		got, exact := Standard(1).Rate(rats(values...), numbered(12, 2))
		want := stats.Wilson(hits/c.deff, 24/c.deff, z)
		if exact != nil || got.Value.Degrees != 0 {
			t.Errorf("%+v", got)
		}
		near(t, c.pairs+" deff", got.Value.DEFF, c.deff)
		near(t, c.pairs+" low", got.Value.Lo, want.Low)
		near(t, c.pairs+" high", got.Value.Hi, want.High)
	}
	fixed, exact := Standard(1).Rate(rats("1", "1", "1"), make([]string, 3))
	if exact == nil || fixed.Value.Method != "Wilson" {
		t.Fatalf("%+v", fixed)
	}
	near(t, "exact low", exact.Low, math.Pow(.025, 1./3))
	if _, exact = Standard(1).Rate(rats("0", "0"), make([]string, 2)); exact == nil || exact.Low != 0 {
		t.Errorf("no hit: %v", exact)
	}
}

// TestBootstrap compares the drawn quantiles with those of every possible draw:
// of few clusters, questions are drawn in each.
func TestBootstrap(t *testing.T) {
	a, b := []int{4, 3, 4, 2}, []int{-4, -3, -4, 0} // quarters
	d := rats("1", "-1", "3/4", "-3/4", "1", "-1", "1/2", "0")
	got := Standard(7).Bootstrap(d, []string{"a", "b", "a", "b", "a", "b", "a", "b"}).Value
	var every []float64
	for i := range 256 {
		for j := range 256 {
			sum := 0
			for _, shift := range []int{0, 2, 4, 6} {
				sum += a[i>>shift&3] + b[j>>shift&3]
			}
			every = append(every, float64(sum)/32)
		}
	}
	slices.Sort(every)
	if want := (Bounds{every[1638], every[63897]}); got.Percentile != want || got.Unit != Question || got.Degenerate || !got.BCa.Measured {
		t.Errorf("%+v, every draw: %+v", got, want)
	}
	if !Standard(7).Bootstrap(d, numbered(8, 1)).Value.Degenerate {
		t.Error("each question is the only one of its document")
	}
	same := Standard(7).Bootstrap(rats("1/2", "1/2"), numbered(1, 2)).Value
	if !same.Degenerate || same.BCa.Measured || same.Percentile != (Bounds{.5, .5}) {
		t.Errorf("%+v", same)
	}
	if c := Standard(7).Bootstrap(slices.Concat(d, d, d), numbered(12, 2)).Value; c.Unit != Document {
		t.Errorf("%+v", c)
	}
}

// TestReference: clustered intervals of another program (shared/reference), by its
// own tolerance: 60 questions in 14 documents, 16 placements.
func TestReference(t *testing.T) {
	content, err := os.ReadFile("../../../../shared/reference/bootstrap_ref.json")
	if errors.Is(err, fs.ErrNotExist) {
		t.Skip("shared references not present: ", err)
	} else if err != nil {
		t.Fatal(err)
	}
	var ref struct {
		Clusters   []int
		Base, Cand [][]stats.Verdict // by placement
	}
	var raw struct{ Results map[string]json.RawMessage }
	if err := errors.Join(json.Unmarshal(content, &ref), json.Unmarshal(content, &raw)); err != nil {
		t.Fatal(err)
	}
	quantile := func(name, q string) float64 {
		var r map[string]any
		if err := json.Unmarshal(raw.Results[name], &r); err != nil {
			t.Fatal(err)
		}
		return r[q].(float64)
	}
	turn := func(rows [][]stats.Verdict) [][]stats.Verdict {
		out := make([][]stats.Verdict, len(ref.Clusters))
		for i := range out {
			for _, row := range rows {
				out[i] = append(out[i], row[i])
			}
		}
		return out
	}
	var clusters []string
	for _, c := range ref.Clusters {
		clusters = append(clusters, strconv.Itoa(c))
	}
	d := Of(turn(ref.Cand), 16).Less(Of(turn(ref.Base), 16))
	b := Standard(1).Bootstrap(d, clusters).Value
	name := "cluster_diff_phaseavg/percentile"
	if i := b.Percentile; math.Abs(i.Low-quantile(name, "p2.5")) > .001 || math.Abs(i.High-quantile(name, "p97.5")) > .001 {
		t.Errorf("difference %+v", i)
	}
	name = "cluster_worst_base/percentile"
	if w, _ := Standard(1).Worst(turn(ref.Base), clusters, 16); math.Abs(w.Interval.Low-quantile(name, "p2.5")) > .01 || math.Abs(w.Interval.High-quantile(name, "p97.5")) > .01 {
		t.Errorf("worst placement %+v", w.Interval)
	}
}

// BenchmarkOf is the interval of 500 means over placements in 60 documents, and its
// twin's.
func BenchmarkOf(b *testing.B) {
	r := rand.New(rand.NewPCG(5, 5))
	var d []*big.Rat
	var clusters []string
	for range 500 {
		d, clusters = append(d, big.NewRat(int64(r.IntN(17)-8), 8)), append(clusters, strconv.Itoa(r.IntN(60)))
	}
	b.Run("exact", func(b *testing.B) {
		for b.Loop() {
			Standard(1).Of(d, clusters, Fine)
		}
	})
	b.Run("twin", func(b *testing.B) {
		for b.Loop() {
			twin(d, clusters, false)
		}
	})
}
