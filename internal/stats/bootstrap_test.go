package stats

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// vectors is verdicts of two arms by placement and question, the questions'
// documents, and paired scores.
type vectors struct {
	X, Y       []float64
	Clusters   []int
	Base, Cand [][]int
}

// sums is the columns of base, then of cand, then the number of questions.
func (v vectors) sums() (s *Sums, base, cand []int, size int) {
	groups := slices.Max(v.Clusters) + 1
	var columns [][]int
	add := func(row []int) {
		sums := make([]int, groups)
		for q, hit := range row {
			sums[v.Clusters[q]] += hit
		}
		columns = append(columns, sums)
	}
	for _, arm := range [][][]int{v.Base, v.Cand} {
		for _, row := range arm {
			add(row)
		}
	}
	add(slices.Repeat([]int{1}, len(v.Clusters)))
	for i := range v.Base {
		base, cand = append(base, i), append(cand, len(v.Base)+i)
	}
	return NewSums(columns...), base, cand, len(columns) - 1
}

// paired is one column of values times unit, and a column of ones.
func paired(values []float64, unit float64) *Sums {
	var column []int
	for _, v := range values {
		column = append(column, int(math.Round(v*unit)))
	}
	return NewSums(column, slices.Repeat([]int{1}, len(values)))
}

func differences(x, y []float64) (d []float64) {
	for i := range x {
		d = append(d, y[i]-x[i])
	}
	return d
}

func closeTo(t *testing.T, what string, got, want, tolerance float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tolerance) {
		t.Errorf("%s: %.17g, want %.17g (%.1e)", what, got, want, tolerance)
	}
}

// TestEnumerate: whole bootstrap distributions, computed by another program.
func TestEnumerate(t *testing.T) {
	type quantiles map[string]struct {
		Linear  float64 `json:"linear"`
		Inverse float64 `json:"inverted_cdf"`
	}
	var want struct {
		X, Y []float64
		Diff struct {
			Estimate, SD float64
			Quantiles    quantiles
			BCa          struct {
				Bias         float64    `json:"z0_midrank"`
				Acceleration float64    `json:"acceleration"`
				CI           [2]float64 `json:"ci95_linear"`
			}
		} `json:"diff_mean"`
		Cluster struct {
			vectors
			Mean           float64   `json:"estimate_phaseavg"`
			MeanQuantiles  quantiles `json:"phaseavg"`
			Worst          float64   `json:"estimate_worst"`
			WorstQuantiles quantiles `json:"worst_recomputed_per_replicate"`
			WorstSD        float64   `json:"sd_worst"`
			PerQuery       float64   `json:"per_query_worst_difference_estimate_(other_statistic)"`
		}
	}
	b, err := os.ReadFile("testdata/bootstrap_exact.json")
	if err == nil {
		err = json.Unmarshal(b, &want)
	}
	if err != nil {
		t.Fatal(err)
	}
	const exact = 1e-12
	check := func(name string, b Bootstrap, estimate, sd float64, q quantiles) {
		t.Helper()
		if b.Degenerate || len(q) != 5 {
			t.Fatalf("%s: %+v", name, b)
		}
		closeTo(t, name, b.Estimate, estimate, exact)
		if sd >= 0 {
			closeTo(t, name+" sd", b.Draws.sd(), sd, exact)
		}
		for p, w := range q {
			var share float64
			if err := json.Unmarshal([]byte(p), &share); err != nil {
				t.Fatal(err)
			}
			closeTo(t, name+" "+p, b.Draws.Quantile(share), w.Linear, exact)
			closeTo(t, name+" inverse "+p, b.Draws.inverse(share), w.Inverse, exact)
		}
	}
	diff := paired(differences(want.X, want.Y), 100).enumerate(Mean([]int{0}, 1))
	for i := range diff.Draws.values { // hundredths
		diff.Draws.values[i] /= 100
	}
	for i := range diff.without {
		diff.without[i] /= 100
	}
	diff.Estimate /= 100
	check("difference", diff, want.Diff.Estimate, want.Diff.SD, want.Diff.Quantiles)
	if n := len(diff.Draws.values); n != 46656 {
		t.Errorf("%d draws of 6 from 6", n)
	}
	bias, acceleration, ok := diff.correction()
	if !ok {
		t.Error("no correction")
	}
	closeTo(t, "z0", bias, want.Diff.BCa.Bias, exact)
	closeTo(t, "acceleration", acceleration, want.Diff.BCa.Acceleration, exact)
	bca, ok := diff.BCa(0.95)
	if !ok {
		t.Error("no BCa")
	}
	closeTo(t, "BCa low", bca.Low, want.Diff.BCa.CI[0], exact)
	closeTo(t, "BCa high", bca.High, want.Diff.BCa.CI[1], exact)

	sums, base, cand, size := want.Cluster.sums()
	mean := sums.enumerate(less(Mean(cand, size), Mean(base, size)))
	check("mean over placements", mean, want.Cluster.Mean, -1, want.Cluster.MeanQuantiles)
	worst := sums.enumerate(less(Worst(cand, size), Worst(base, size)))
	check("worst placement", worst, want.Cluster.Worst, want.Cluster.WorstSD, want.Cluster.WorstQuantiles)
	if worst.Estimate == want.Cluster.PerQuery {
		t.Error("the worst placement is not the mean of the questions' worst")
	}
}

// TestAgainstSciPy: 200,000 draws against as many by SciPy 1.10 and numpy. Both
// have Monte Carlo errors: a bound that is said to be a quantile of the draws
// must lie between those quantiles which are four standard errors away.
func TestAgainstSciPy(t *testing.T) {
	file := filepath.Join("..", "..", "..", "shared", "reference", "bootstrap_ref.json")
	b, err := os.ReadFile(file)
	if err != nil {
		t.Skip("shared references not present: " + file)
	}
	var ref struct {
		vectors
		Results map[string]json.RawMessage
	}
	if err := json.Unmarshal(b, &ref); err != nil {
		t.Fatal(err)
	}
	const draws, seed = 200000, 20261130
	sums, base, cand, size := ref.sums()
	ones := ref.vectors
	for i := range ones.Clusters {
		ones.Clusters[i] = i
	}
	single, _, _, _ := ones.sums()
	xy := paired(differences(ref.X, ref.Y), 1e6)
	micro := func(totals []int64) (int64, int64) { return totals[0], 1e6 * totals[1] }
	first := less(Mean(cand[:1], size), Mean(base[:1], size))
	average, worst := less(Mean(cand, size), Mean(base, size)), less(Worst(cand, size), Worst(base, size))
	const slack = 4 * 1.4142135623730951 / 447.21359549995793 // sqrt(2 / draws)
	quantile := func(what string, d Distribution, q, want float64) {
		t.Helper()
		e := slack * math.Sqrt(q*(1-q))
		low, high := d.Quantile(max(q-e, 0)), d.Quantile(min(q+e, 1))
		if !(low-1e-12 <= want && want <= high+1e-12) {
			t.Errorf("%s: %v to %v, want %v", what, low, high, want)
		}
	}
	checked := 0
	for name, b := range map[string]Bootstrap{
		"diff_mean_xy": xy.Bootstrap(seed, draws, micro), "diff_mean_phase0": single.Bootstrap(seed, draws, first),
		"diff_mean_phaseavg": single.Bootstrap(seed, draws, average),
	} {
		bias, acceleration, ok := b.correction()
		if !ok {
			t.Errorf("%s: no correction", name)
		}
		for _, method := range []string{"percentile", "basic", "BCa"} {
			for level, digits := range map[float64]string{0.9: "0.9", 0.95: "0.95"} {
				var want struct{ Estimate, Low, High, SE float64 }
				key := name + "/" + method + "/" + digits
				if err := json.Unmarshal(ref.Results[key], &want); err != nil {
					t.Fatal(err)
				}
				checked++
				closeTo(t, key+" estimate", b.Estimate, want.Estimate, 1e-12)
				closeTo(t, key+" se", b.Draws.sd(), want.SE, 0.01*want.SE)
				alpha := (1 - level) / 2
				switch method {
				case "percentile":
					quantile(key, b.Draws, alpha, want.Low)
					quantile(key, b.Draws, 1-alpha, want.High)
				case "basic":
					quantile(key, b.Draws, 1-alpha, 2*b.Estimate-want.Low)
					quantile(key, b.Draws, alpha, 2*b.Estimate-want.High)
				case "BCa":
					if name == "diff_mean_phase0" {
						// Where draws equal the estimate, SciPy compares rounded means,
						// which makes most of them less. With its means rounded to 12
						// digits, SciPy 1.17.1 gives these, for each of three seeds.
						if want.Low, want.High = 1.0/30, 7.0/30; level == 0.95 {
							want.Low, want.High = 1.0/60, 0.25
						}
					}
					for _, side := range []struct{ p, want float64 }{{alpha, want.Low}, {1 - alpha, want.High}} {
						z := bias + NormalQuantile(side.p)
						quantile(key, b.Draws, NormalCDF(bias+z/(1-acceleration*z)), side.want)
					}
				}
			}
		}
	}
	_, acceleration, _ := xy.Bootstrap(seed, 10, micro).correction()
	var want struct{ Estimate float64 }
	if err := json.Unmarshal(ref.Results["diff_mean_xy/acceleration"], &want.Estimate); err != nil {
		t.Fatal(err)
	}
	closeTo(t, "acceleration", acceleration, want.Estimate, 1e-12)
	for name, f := range map[string]Statistic{
		"cluster_diff_phaseavg": average, "cluster_diff_worstphase": worst,
		"cluster_worst_base": Worst(base, size), "cluster_worst_cand": Worst(cand, size),
	} {
		var want struct {
			Estimate, SE float64
			P025         float64 `json:"p2.5"`
			P05          float64 `json:"p5"`
			P95          float64 `json:"p95"`
			P975         float64 `json:"p97.5"`
		}
		if err := json.Unmarshal(ref.Results[name+"/percentile"], &want); err != nil {
			t.Fatal(err)
		}
		b := sums.Bootstrap(seed, draws, f)
		closeTo(t, name, b.Estimate, want.Estimate, 1e-12)
		closeTo(t, name+" se", b.Draws.sd(), want.SE, 0.01*want.SE)
		for _, q := range []struct{ at, want float64 }{{.025, want.P025}, {.05, want.P05}, {.95, want.P95}, {.975, want.P975}} {
			quantile(name, b.Draws, q.at, q.want)
		}
		checked++
	}
	if checked != 22 || len(ref.Results) != 23 {
		t.Errorf("%d of %d results checked", checked, len(ref.Results))
	}
}

// random draws verdicts of two arms, by document.
func random(rng *rand.Rand, documents, most, phases int) (v vectors) {
	for g := range documents {
		for range 1 + rng.IntN(most) {
			v.Clusters = append(v.Clusters, g)
		}
	}
	for range phases {
		var base, cand []int
		for range v.Clusters {
			base, cand = append(base, rng.IntN(2)), append(cand, rng.IntN(2))
		}
		v.Base, v.Cand = append(v.Base, base), append(v.Cand, cand)
	}
	return v
}

// TestBootstrapEqualsTwin: the same replicates, bit by bit.
func TestBootstrapEqualsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	counted, drawn := 0, 0
	for round := range 200 {
		documents, draws := 1+rng.IntN(40), 20
		if round%4 == 0 { // few kinds
			documents = 60 + rng.IntN(200)
		}
		v := random(rng, documents, 1+rng.IntN(9), 1+rng.IntN(16))
		if round%4 == 0 {
			v = random(rng, documents, 1, 1)
		}
		sums, base, cand, size := v.sums()
		strata := make([]int, documents)
		if round%3 > 0 {
			for g := range strata {
				strata[g] = rng.IntN(1 + rng.IntN(4))
			}
			for s, in := range slices.Compact(slices.Sorted(slices.Values(strata))) { // none is empty
				for g := range strata {
					if strata[g] == in {
						strata[g] = s
					}
				}
			}
			sums = sums.Within(strata)
		}
		for _, s := range sums.drawing(mostKinds).strata {
			if s.kinds != nil {
				counted++
			} else {
				drawn++
			}
		}
		got := sums.Bootstrap(uint64(round), draws, less(Worst(cand, size), Worst(base, size)))
		want := plain(v, strata, uint64(round), draws, plainWorst)
		slices.Sort(want)
		if !slices.Equal(got.Draws.values, want) {
			t.Fatalf("round %d: %v, want %v", round, got.Draws.values, want)
		}
	}
	if counted < 50 || drawn < 50 {
		t.Errorf("%d strata by kinds, %d cluster by cluster", counted, drawn)
	}
}

// TestKinds: counting kinds gives the distribution that every possible draw gives.
func TestKinds(t *testing.T) {
	const rounds = 200000
	values := []int{0, -1, 0, 0, 3, -1, 0, -1, 7}
	s := NewSums(values, slices.Repeat([]int{1}, len(values)))
	mean := Mean([]int{0}, 1)
	chances := map[float64]float64{}
	every, times := s.every(mean)
	for i, v := range every {
		chances[v] += float64(times[i]) / math.Pow(9, 9)
	}
	if s.drawing(mostKinds).strata[0].kinds != nil {
		t.Fatal("nine clusters are few")
	}
	for name, most := range map[string]float64{"clusters": 0, "kinds": 1} {
		d := s.drawing(most)
		if kinds := d.strata[0].kinds; most > 0 && !slices.Equal(kinds, []kind{{0, 4}, {1, 3}, {4, 1}, {8, 1}}) {
			t.Fatal(kinds)
		}
		drawn := map[float64]float64{}
		for r := range rounds {
			v := mean.of(d.next(replicate(21, r)))
			if drawn[v]++; chances[v] == 0 {
				t.Fatalf("%s: %v is no possible draw", name, v)
			}
		}
		var counts, expected []float64
		for _, v := range slices.Sorted(maps.Keys(chances)) {
			if i := len(expected) - 1; i >= 0 && expected[i] < 5 { // too few for chi squared
				counts[i], expected[i] = counts[i]+drawn[v], expected[i]+rounds*chances[v]
				continue
			}
			counts, expected = append(counts, drawn[v]), append(expected, rounds*chances[v])
		}
		fits(t, name, counts, expected)
	}
}

// TestManyClusters: beyond 2^15 a word has two numbers in place of four.
func TestManyClusters(t *testing.T) {
	for _, n := range []int{1 << 15, 1<<15 + 1} {
		numbers, want := make([]int, n), int64(0)
		for g := range numbers {
			numbers[g] = int(plainMix(uint64(g)) >> 40)
		}
		for _, g := range plainDraws(plainWords(17, 0), n, n) {
			want += int64(numbers[g])
		}
		if got := NewSums(numbers).drawing(mostKinds).next(replicate(17, 0)); got[0] != want {
			t.Errorf("%d clusters: %d, want %d", n, got[0], want)
		}
	}
}

// TestMostKinds: one in 16 of the clusters may differ, in whichever word.
func TestMostKinds(t *testing.T) {
	for kinds, counted := range map[int]bool{1: true, 4: true, 5: false} {
		a, b := make([]int64, 64), make([]int64, 64)
		for g := range a { // 64 times 2^40 fill two words
			a[g], b[g] = int64(g%kinds%2)<<40, int64(g%kinds/2)<<40
		}
		s := NewSums(a, b)
		got := s.drawing(mostKinds).strata[0].kinds
		if counted && len(got) != kinds || !counted && got != nil || kinds > 2 && len(s.words) != 2 {
			t.Errorf("%d kinds in %d words: %v", kinds, len(s.words), got)
		}
	}
}

// TestWithin: every draw has as many clusters of a stratum as it has, and the
// acceleration is that of several samples (Davison and Hinkley 1997, 5.4).
func TestWithin(t *testing.T) {
	values, strata := []int{5, 0, 2, 9, 1, 4, 4, 8}, []int{1, 0, 1, 1, 0, 0, 2, 1}
	which := []int{0, 1, 0, 0, 1, 1, 100, 0} // one of stratum 0, a hundred of 2
	s := NewSums(values, which, slices.Repeat([]int{1}, 8)).Within(strata)
	counts := s.Bootstrap(1, 1000, Mean([]int{1}, 2))
	if !counts.Degenerate || counts.Estimate != 103./8 {
		t.Errorf("strata come in other numbers: %+v", counts)
	}
	b := s.Bootstrap(1, 100000, Mean([]int{0}, 2))
	variance, squares, cubes := 0., 0., 0.
	for stratum := range 3 {
		var x []float64
		for g, v := range values {
			if strata[g] == stratum {
				x = append(x, float64(v))
			}
		}
		mean, sd := MeanSD(x)
		variance += float64(len(x)) * sd * sd / 64
		for _, v := range x { // influence n_s/n (v - mean), divided by n_s
			l := (v - mean) / 8
			squares, cubes = squares+l*l, cubes+l*l*l
		}
	}
	closeTo(t, "sd", b.Draws.sd(), math.Sqrt(variance), .01*math.Sqrt(variance))
	_, acceleration, ok := b.correction()
	if !ok {
		t.Error("no correction")
	}
	closeTo(t, "acceleration", acceleration, cubes/6/math.Pow(squares, 1.5), 1e-12)
	if one := NewSums([]int{1, 2}, []int{1, 1}).Within([]int{0, 1}).Bootstrap(1, 10, Mean([]int{0}, 1)); !one.Degenerate {
		t.Errorf("one cluster in each stratum: %+v", one)
	}
}

// TestDegenerate: draws that are all equal say so, few clusters too.
func TestDegenerate(t *testing.T) {
	same := NewSums([]int{2, 2, 2}, []int{4, 4, 4}).Bootstrap(1, 100, Mean([]int{0}, 1))
	if _, ok := same.BCa(0.95); ok || !same.Degenerate || same.Estimate != 0.5 || same.Percentile(0.9) != (Interval{0.5, 0.5}) {
		t.Errorf("%+v", same)
	}
	one := NewSums([]int{1}, []int{4}).Bootstrap(1, 100, Mean([]int{0}, 1))
	if _, ok := one.BCa(0.95); ok || !one.Degenerate {
		t.Errorf("%+v", one)
	}
	aside := Bootstrap{Estimate: 0, Draws: draws([]float64{1, 2, 3}), Clusters: 3, without: []float64{1, 2, 4}, strata: make([]int, 3)}
	if i, ok := aside.BCa(0.95); ok {
		t.Errorf("all draws above the estimate: %v", i)
	}
	column := make([]int, FewClusters)
	column[0] = -3
	b := NewSums(column, slices.Repeat([]int{1}, FewClusters)).Bootstrap(1, 1000, Mean([]int{0}, 1))
	if b.Degenerate || b.Estimate != -0.25 || b.Draws.Quantile(0) < -3 || b.Draws.Quantile(1) != 0 {
		t.Errorf("%+v", b)
	}
	for name, f := range map[string]func(){
		"no cluster":        func() { NewSums[int](nil) },
		"different lengths": func() { NewSums([]int{1}, []int{1, 2}) },
		"a stratum short":   func() { NewSums([]int{1, 2}).Within([]int{1}) },
		"too large":         func() { NewSums([]int64{1 << 52, 0}) },
		"too far below 0":   func() { NewSums([]int64{0, -1 << 52}) },
		"nothing below":     func() { NewSums([]int{1}, []int{0}).Bootstrap(1, 1, Mean([]int{0}, 1)) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s: no panic", name)
				}
			}()
			f()
		}()
	}
}

// TestWide: sums that 32 bits do not hold give the same bits where an int has no
// more, drawn one by one and by kinds.
func TestWide(t *testing.T) {
	for n, want := range map[int]string{
		1500: "0.051873397827148435 {0.0460797730922699 0.05818256146113078} {0.046365703179452634 0.058575495313989555} {0.04595223543001998 0.05779456022427689} 1.3304963908948177",
		3000: "0.051873397827148435 {0.04780499011675517 0.05611863141059875} {0.04836770216116834 0.05717923413634514} {0.04768889312906042 0.05605790252523645} 1.3304963908948177",
	} {
		ranks, ones := make([]int64, n), slices.Repeat([]int64{1}, n)
		for q := range ranks {
			ranks[q] = 1 << 20 / int64(1+q*7919%100)
		}
		mean := func(totals []int64) (num, den int64) { return totals[0], 1 << 20 * totals[1] }
		s := NewSums(ranks, ones)
		b := s.Bootstrap(1, 1000, mean)
		bca, _ := b.BCa(.95)
		crv, _ := s.CRV3(mean, .95)
		if got := fmt.Sprint(b.Estimate, b.Percentile(.95), bca, crv, DesignEffect(ranks, 1, 1e-6)); got != want {
			t.Errorf("%d: %s, want %s", n, got, want)
		}
	}
}

func BenchmarkBootstrap(b *testing.B) {
	rng := rand.New(rand.NewPCG(6, 6))
	for _, n := range []int{500, 5000} {
		var scores []float64
		var v vectors // verdicts of one placement, a question a document
		for i := range n {
			scores = append(scores, rng.Float64()-0.45)
			v.Clusters = append(v.Clusters, i)
		}
		v.Base, v.Cand = make([][]int, 1), make([][]int, 1)
		for range n {
			v.Base[0], v.Cand[0] = append(v.Base[0], min(1, rng.IntN(5))), append(v.Cand[0], min(1, rng.IntN(6)))
		}
		change := func(base, cand []int, n int) float64 { return float64(cand[0]-base[0]) / float64(n) }
		verdicts, _, _, size := v.sums()
		b.Run(fmt.Sprintf("verdicts/%d", n), func(b *testing.B) {
			for b.Loop() {
				verdicts.Bootstrap(1, 10000, less(Mean([]int{1}, size), Mean([]int{0}, size)))
			}
		})
		b.Run(fmt.Sprintf("verdicts/twin/%d", n), func(b *testing.B) {
			strata := make([]int, n)
			for b.Loop() {
				plain(v, strata, 1, 1, change) // of one draw
			}
		})
		sums := paired(scores, 1e6)
		b.Run(fmt.Sprintf("scores/%d", n), func(b *testing.B) {
			for b.Loop() {
				sums.Bootstrap(1, 10000, Mean([]int{0}, 1))
			}
		})
	}
	for _, n := range []int{60, 400} {
		v := random(rng, n, 8, 16)
		sums, base, cand, size := v.sums()
		b.Run(fmt.Sprintf("worst/%d", n), func(b *testing.B) {
			for b.Loop() {
				sums.Bootstrap(1, 10000, less(Worst(cand, size), Worst(base, size)))
			}
		})
		b.Run(fmt.Sprintf("twin/%d", n), func(b *testing.B) {
			strata := make([]int, n)
			for b.Loop() {
				plain(v, strata, 1, 10000, plainWorst)
			}
		})
	}
}
