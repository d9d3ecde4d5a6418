package effect

import (
	"math/big"
	"math/rand/v2"
	"slices"
	"testing"

	"kerf/internal/stats"
)

func TestWorst(t *testing.T) {
	const x = stats.Missing
	// The third placement is always the worst; the second and the fourth question
	// have a gap and are left out.
	rows := [][]stats.Verdict{{1, 1, 0}, {x, 0, 1}, {1, 1, 0}, {0, 0, x}, {1, 0, 0}}
	w, ok := Standard(3).Worst(rows, numbered(1, 5), 3)
	if !ok || !slices.Equal(w.Chosen, []int{0, w.Chosen[1], 10000 - w.Chosen[1]}) || w.Interval != (Bounds{}) {
		t.Errorf("%+v", w)
	}
	// Of three questions drawn, all three are the last one in 1 of 27 draws: then the
	// second placement is as bad, and is the first of equals.
	if w.Chosen[1] < 300 || w.Chosen[1] > 450 {
		t.Errorf("second placement in %d of 10,000, expected about 370", w.Chosen[1])
	}
	// Few clusters are never drawn without the last question: it is the only one of its own.
	w, _ = Standard(3).Worst(rows, []string{"a", "a", "a", "a", "b"}, 3)
	if w.Chosen[1] != 0 || w.Interval != (Bounds{}) {
		t.Errorf("%+v", w)
	}
	if w, _ := Standard(3).Worst([][]stats.Verdict{{1, 0}, {1, 1}, {0, 0}}, []string{"a", "a", "b"}, 2); w.Interval != (Bounds{0, 2. / 3}) || !slices.Equal(w.Chosen, []int{w.Chosen[0], 10000 - w.Chosen[0]}) {
		t.Errorf("%+v", w)
	}
	if _, ok := Standard(3).Worst(rows[1:2], numbered(1, 1), 3); ok {
		t.Error("the worst of nothing")
	}
	// Twelve clusters and more are drawn whole: two questions that cancel out leave
	// no doubt in any draw.
	var paired [][]stats.Verdict
	for range 12 {
		paired = append(paired, []stats.Verdict{1, 0}, []stats.Verdict{0, 1})
	}
	if w, _ := Standard(3).Worst(paired[:8], numbered(4, 2), 2); w.Interval.Low >= .5 {
		t.Errorf("four clusters are few, questions are drawn: %+v", w)
	}
	w, _ = Standard(3).Worst(paired, numbered(12, 2), 2)
	if w.Interval != (Bounds{.5, .5}) || !slices.Equal(w.Chosen, []int{10000, 0}) {
		t.Errorf("clusters are not whole: %+v", w)
	}
}

func TestAnchored(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 4))
	var c, b [][]stats.Verdict
	for range 40 {
		c = append(c, []stats.Verdict{stats.Verdict(r.IntN(2)), 1, stats.Verdict(min(1, r.IntN(3)))})
		b = append(b, []stats.Verdict{1, stats.Verdict(r.IntN(2))})
	}
	clusters := numbered(20, 2)
	got, ok := Standard(1).Anchored(c, Of(b, 2), clusters, 3)
	if !ok {
		t.Fatal("not measured")
	}
	lo, least, phase := 1., big.NewRat(100, 1), -1
	for j := range 3 {
		var d []*big.Rat
		sum := new(big.Rat)
		for i := range c {
			x := new(big.Rat).Sub(big.NewRat(int64(c[i][j]), 1), big.NewRat(int64(b[i][0]+b[i][1]), 2))
			d = append(d, x)
			sum.Add(sum, x)
		}
		lo = min(lo, Standard(1).Of(d, clusters, Fine).Value.Lo)
		if sum.Cmp(least) < 0 {
			least, phase = sum, j
		}
	}
	if got.Lo != lo || got.Phase != phase || got.Difference.Sum.Cmp(least) != 0 || got.Difference.Den != 40 {
		t.Errorf("%+v, want %v %d %v", got, lo, phase, least)
	}
	if _, ok := Standard(1).Anchored([][]stats.Verdict{{stats.Missing}}, Of([][]stats.Verdict{{1}}, 1), []string{""}, 1); ok {
		t.Error("anchored on nothing")
	}
	// The least bound is looked for among all placements.
	second, _ := Standard(1).Anchored([][]stats.Verdict{{1, 0}, {1, 1}, {1, 0}}, Of([][]stats.Verdict{{1}, {1}, {1}}, 1), make([]string, 3), 2)
	near(t, "second", second.Lo, Standard(1).Of(rats("-1", "0", "-1"), make([]string, 3), Verdicts).Value.Lo)
	// Two arms of one placement each are verdicts.
	one, _ := Standard(1).Anchored([][]stats.Verdict{{1}, {0}}, Of([][]stats.Verdict{{0}, {0}}, 1), []string{"", ""}, 1)
	want := Standard(1).Of(rats("1", "0"), []string{"", ""}, Verdicts).Value.Lo
	near(t, "verdicts", one.Lo, want)
}

func TestVariances(t *testing.T) {
	// Rows and columns alone: every verdict is its question's.
	if v := Variances([][]stats.Verdict{{1, 1}, {0, 0}}, 2); v.Value != (Variance{"1", "0", "0"}) {
		t.Errorf("%+v", v)
	}
	if v := Variances([][]stats.Verdict{{1, 0}, {1, 0}}, 2); v.Value != (Variance{"0", "1", "0"}) {
		t.Errorf("%+v", v)
	}
	if v := Variances([][]stats.Verdict{{1, 0}, {0, 1}}, 2); v.Value != (Variance{"0", "0", "1"}) {
		t.Errorf("%+v", v)
	}
	for _, rows := range [][][]stats.Verdict{{{1, 1}, {1, 1}}, {{1, stats.Missing}, nil}} {
		if Variances(rows, 2).Measured {
			t.Error("shares of no variance")
		}
	}
	if Variances([][]stats.Verdict{{1}, {0}}, 1).Measured {
		t.Error("shares of one placement")
	}
	// Against the definition: means of rows and columns about the grand mean.
	r := rand.New(rand.NewPCG(9, 9))
	for range 50 {
		n, p := 1+r.IntN(7), 2+r.IntN(5)
		rows := make([][]stats.Verdict, n)
		grand, byRow, byColumn := new(big.Rat), make([]*big.Rat, n), make([]*big.Rat, p)
		for j := range byColumn {
			byColumn[j] = new(big.Rat)
		}
		for i := range rows {
			byRow[i] = new(big.Rat)
			for j := range p {
				rows[i] = append(rows[i], stats.Verdict(r.IntN(2)))
				x := big.NewRat(int64(rows[i][j]), 1)
				grand.Add(grand, new(big.Rat).Mul(x, big.NewRat(1, int64(n*p))))
				byRow[i].Add(byRow[i], new(big.Rat).Mul(x, big.NewRat(1, int64(p))))
				byColumn[j].Add(byColumn[j], new(big.Rat).Mul(x, big.NewRat(1, int64(n))))
			}
		}
		square := func(x *big.Rat) *big.Rat { return new(big.Rat).Mul(x, x) }
		var parts [4]big.Rat
		for i := range n {
			for j := range p {
				x := big.NewRat(int64(rows[i][j]), 1)
				q, f := new(big.Rat).Sub(byRow[i], grand), new(big.Rat).Sub(byColumn[j], grand)
				parts[0].Add(&parts[0], square(q))
				parts[1].Add(&parts[1], square(f))
				parts[3].Add(&parts[3], square(new(big.Rat).Sub(x, grand)))
				x.Sub(x, byRow[i]).Sub(x, byColumn[j]).Add(x, grand)
				parts[2].Add(&parts[2], square(x))
			}
		}
		got := Variances(rows, p)
		if !got.Measured {
			continue
		}
		share := func(i int) string { return new(big.Rat).Quo(&parts[i], &parts[3]).RatString() }
		if want := (Variance{share(0), share(1), share(2)}); got.Value != want {
			t.Errorf("%+v, want %+v", got.Value, want)
		}
	}
}
