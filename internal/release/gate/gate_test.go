package gate

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"strings"
	"testing"

	"kerf/internal/stats"
	"kerf/internal/study/diff"
)

// TestExactFractions: the worked example 002-gate and gat-02. A drop of exactly the
// tolerance passes, whatever binary fractions make of it.
func TestExactFractions(t *testing.T) {
	content, err := os.ReadFile("testdata/exact.txt")
	if err != nil {
		t.Fatal(err)
	}
	cases := 0
	for line := range strings.Lines(string(content)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Fields(line)
		if got := Passes(rat(f[1]), rat(f[0]), rat(f[2])); got != (f[3] == "pass") {
			t.Errorf("%s: passes %v", strings.TrimSpace(line), got)
		}
		cases++
	}
	if cases != 39 {
		t.Errorf("%d cases", cases)
	}
	// Equal totals: 0 0 0 3 3 3 and 0 1 2 2 2 2 thirds.
	before, now := new(big.Rat), new(big.Rat)
	for i, v := range []int64{0, 1, 2, 2, 2, 2} {
		before.Add(before, big.NewRat(3*int64(i/3), 3))
		now.Add(now, big.NewRat(v, 3))
	}
	if !Passes(before, now, new(big.Rat)) {
		t.Errorf("%s and %s thirds differ", before, now)
	}
}

func TestLeastTolerance(t *testing.T) {
	for n, want := range map[int]string{1: "5/2", 10: "1/4", 20: "1/8", 49: "5/98", 50: "1/20", 51: "1/20", 5000: "1/20"} {
		if got := LeastTolerance(n).RatString(); got != want {
			t.Errorf("%d questions: %s, want %s", n, got, want)
		}
	}
}

// made is a comparison of 20 questions as diff gives it.
func made(before, now int64, missing int) *diff.Diff {
	sum := func(v int64) stats.Sum { return stats.Sum{Sum: big.NewRat(v, 1), Den: 20, Missing: missing} }
	effect := func(measure, view, placement string) diff.Effect {
		return diff.Effect{Measure: measure, View: view, Placement: placement, Sample: "representative",
			Baseline: diff.Level{Value: sum(before)}, Candidate: diff.Level{Value: sum(now)}, Difference: sum(now - before), Lost: 4, Gained: 1}
	}
	return &diff.Diff{Sample: "representative", Baseline: diff.Named{Placements: 8}, Candidate: diff.Named{Placements: 8}, Effects: []diff.Effect{
		effect("support", "budget", "all"), effect("support", "budget", "ordinary"), effect("mrr", "ranking", "all"), effect("mrr", "ranking", "ordinary")},
		Changes:  []diff.Change{{QID: "a", View: "budget", Change: "gained"}, {QID: "b", View: "budget", Change: "lost"}, {QID: "b", View: "top_k", Change: "lost"}},
		Warnings: []diff.Warning{{Code: "not-compared"}, {Code: "confounded"}}}
}

// withSegment adds a segment s whose support is so many of 20 on both sides.
func withSegment(d *diff.Diff, hits int64) *diff.Diff {
	e := made(hits, hits, 0).Effects[0]
	e.Segment = "s"
	d.Effects = append(d.Effects, e)
	return d
}

func TestVerdicts(t *testing.T) {
	enforced := Rule{Enforced: true}
	floor := Rule{Enforced: true, Floor: map[string]*big.Rat{"support": big.NewRat(9, 10)}}
	for name, c := range map[string]struct {
		d       *diff.Diff
		rule    Rule
		verdict Verdict
		exit    int
		support Verdict
	}{
		"no fall":                   {made(10, 10, 0), enforced, Pass, 0, Pass},
		"the tolerance":             {made(10, 10-2, 0), enforced, Pass, 0, Pass}, // 2.5 of 20
		"more":                      {made(10, 10-3, 0), enforced, Regression, 1, Regression},
		"more, not enforced":        {made(10, 10-3, 0), Rule{}, Regression, 0, Regression},
		"below the floor":           {made(17, 17, 0), floor, Regression, 1, Regression},
		"at the floor":              {made(18, 18, 0), floor, Pass, 0, Pass},
		"missing is no pass":        {made(10, 10, 3), enforced, Incomplete, 4, Incomplete},
		"missing is no regression":  {made(15, 9, 3), enforced, Incomplete, 4, Incomplete},
		"all missing":               {made(0, 0, 20), enforced, Incomplete, 4, Incomplete},
		"missing, not enforced":     {made(10, 10, 3), Rule{}, Incomplete, 0, Incomplete},
		"a floor is of all":         {withSegment(made(10, 10, 0), 2), Rule{Enforced: true, Segments: []string{"s"}, Floor: map[string]*big.Rat{"support": big.NewRat(1, 2)}}, Pass, 0, Pass},
		"declared, larger":          {made(10, 10-3, 0), Rule{Enforced: true, Tolerance: map[string]*big.Rat{"support": big.NewRat(3, 20), "mrr": big.NewRat(3, 20)}}, Pass, 0, Pass},
		"only mrr has a larger one": {made(10, 10-3, 0), Rule{Enforced: true, Tolerance: map[string]*big.Rat{"mrr": big.NewRat(3, 20)}}, Regression, 1, Regression},
	} {
		g, noisy := Build(c.d, c.d, c.rule)
		if g.Verdict != c.verdict || g.Exit != c.exit || g.Screens[0].Verdict != c.support || len(noisy) > 0 {
			t.Errorf("%s: %s, exit %d, support %s, %v", name, g.Verdict, g.Exit, g.Screens[0].Verdict, noisy)
		}
		if (g.Screens[0].Why == "") != (c.support == Pass) {
			t.Errorf("%s: why %q", name, g.Screens[0].Why)
		}
	}
}

// TestGravest: what cannot be compared is neither a pass nor a regression.
func TestGravest(t *testing.T) {
	d := made(10, 2, 0)
	for _, set := range []func(g *Gate){
		func(g *Gate) { g.Gone = []Gone{{"q5", "not in the golden set"}} },
		func(g *Gate) {
			g.Instrument = []Instrument{{"budget.tokens", "3000", "2000"}}
			g.Missing = []string{"a"}
		},
	} {
		g, _ := Build(d, d, Rule{Enforced: true})
		set(g)
		if g.Decide(); g.Verdict != NotComparable || g.Exit != 5 {
			t.Errorf("%s, exit %d", g.Verdict, g.Exit)
		}
	}
	empty := made(10, 10, 0)
	empty.Effects = nil
	if g, _ := Build(empty, empty, Rule{Enforced: true}); g.Verdict != Incomplete {
		t.Errorf("nothing screened: %s", g.Verdict)
	}
	nothing := Nothing("main has no kerf.yaml", Rule{Enforced: true})
	if nothing.Decide(); nothing.Verdict != NotComparable || nothing.Exit != 5 {
		t.Errorf("%+v", nothing)
	}
	g, _ := Build(d, d, Rule{Enforced: true})
	g.Missing = []string{"now, placement 3/8: timeout"}
	if g.Decide(); g.Verdict != Incomplete || g.Exit != 4 {
		t.Errorf("%s, exit %d", g.Verdict, g.Exit)
	}
}

// TestWhatIsScreened: the placements, changes of the budget view alone and lost
// first, segments, and what nobody measured.
func TestWhatIsScreened(t *testing.T) {
	d := made(10, 10, 0)
	part := d.Effects[0]
	part.Segment = "rule"
	part.Baseline.Value.Den, part.Difference.Den = 8, 8
	d.Effects = append(d.Effects, part)
	mrr := made(12, 10, 0)
	mrr.Effects[3].Baseline.Value.Sum = big.NewRat(19, 1)
	g, _ := Build(d, mrr, Rule{Enforced: true, Segments: []string{"rule"}})
	var got []string
	for _, s := range g.Screens {
		got = append(got, s.Measure+" "+s.Segment+" "+s.View+" "+s.Placement+" "+s.Tolerance)
	}
	if want := "support  budget all 1/8; mrr  ranking ordinary 1/8; support rule budget all 5/16"; strings.Join(got, "; ") != want {
		t.Errorf("%s\nwant %s", strings.Join(got, "; "), want)
	}
	if g.Screens[1].Drop != "9/20" {
		t.Errorf("mrr is not that of its own baseline: %+v", g.Screens[1])
	}
	if len(g.Changes) != 2 || g.Changes[0].QID != "b" || g.Changes[1].QID != "a" || len(g.Warnings) != 1 || g.Warnings[0].Code != "confounded" {
		t.Errorf("%+v %+v", g.Changes, g.Warnings)
	}
	g, _ = Build(d, d, Rule{Ordinary: true})
	if g.Screens[0].Placement != "ordinary" {
		t.Errorf("%+v", g.Screens[0])
	}
	bare := made(10, 10, 0)
	bare.Effects = bare.Effects[:2] // no ranks are kept
	g, _ = Build(bare, bare, Rule{})
	if strings.Join(g.Unmeasured, " ") != "answer_accuracy mrr" || g.Verdict != Pass {
		t.Errorf("%v %s", g.Unmeasured, g.Verdict)
	}
	if g, _ := Build(bare, bare, Rule{Tolerance: map[string]*big.Rat{"mrr": big.NewRat(1, 2)}}); g.Verdict != Incomplete || len(g.Missing) != 1 {
		t.Errorf("a limit of what is not measured: %s %v", g.Verdict, g.Missing)
	}
	g, _ = Build(bare, bare, Rule{Segments: []string{"new"}}) // which no compared question has
	if strings.Join(g.Unmeasured, ", ") != "answer_accuracy, mrr, support of segment new" || len(g.Screens) != 1 || g.Verdict != Incomplete {
		t.Errorf("%v %+v", g.Unmeasured, g.Screens)
	}
}

func TestNoisyTolerances(t *testing.T) {
	d := made(10, 10, 0)
	small := map[string]*big.Rat{"support": big.NewRat(1, 20), "mrr": new(big.Rat)}
	_, noisy := Build(d, d, Rule{Tolerance: small})
	if len(noisy) != 2 || noisy[0].Least.RatString() != "1/8" || noisy[0].Questions != 20 || noisy[1].Measure != "mrr" {
		t.Errorf("%+v", noisy)
	}
	part := withSegment(made(10, 10, 0), 10) // what all questions carry a part may not
	part.Effects[4].Difference.Den = 8
	ok := Rule{Tolerance: map[string]*big.Rat{"support": big.NewRat(1, 8)}, Segments: []string{"s"}}
	if g, noisy := Build(part, part, ok); len(noisy) != 0 || g.Screens[2].Tolerance != "5/16" {
		t.Errorf("%+v %+v", noisy, g.Screens)
	}
	ok.Noisy = true
	if g, _ := Build(part, part, ok); g.Screens[2].Tolerance != "1/8" {
		t.Errorf("%+v", g.Screens)
	}
	if g, noisy := Build(d, d, Rule{Tolerance: small, Noisy: true}); len(noisy) != 0 || g.Warnings[len(g.Warnings)-1].Code != "noisy-tolerance" {
		t.Errorf("%+v %+v", noisy, g.Warnings)
	}
}

// TestPassChance: the sum against every outcome of a few questions, and
// the normal distribution against the sum where one hands over to the other.
func TestPassChance(t *testing.T) {
	const n = 5
	for _, drop := range []float64{0, .1, .5} {
		for allowed := range 3 {
			want := 0.0
			for outcome := range int(math.Pow(3, n)) { // base 3: same, lost, gained
				p, net := 1.0, 0
				for range n {
					switch outcome % 3 {
					case 0:
						p *= 1 - 2*gains - drop
					case 1:
						p *= gains + drop
						net--
					case 2:
						p *= gains
						net++
					}
					outcome /= 3
				}
				if net >= -allowed {
					want += p
				}
			}
			if got := PassChance(n, big.NewRat(int64(allowed), n), drop); math.Abs(got-want) > 1e-12 {
				t.Errorf("drop %v, %d may be lost: %v, want %v", drop, allowed, got, want)
			}
		}
	}
	for _, drop := range []float64{.02, .05, .08} {
		tolerance := big.NewRat(1, 20)
		if exact, near := PassChance(exactQuestions, tolerance, drop), PassChance(exactQuestions+1, tolerance, drop); math.Abs(exact-near) > .01 {
			t.Errorf("drop %v: %v at %d questions, %v at one more", drop, exact, exactQuestions, near)
		}
	}
}

// changes is the chance of each number of gains less losses among n questions, at
// place n + that number.
func changes(n int, losses, gains float64) []float64 {
	p, next := make([]float64, 2*n+1), make([]float64, 2*n+1)
	p[n] = 1
	for done := range n {
		clear(next)
		for i := n - done; i <= n+done; i++ {
			v := p[i]
			next[i] += float64(v * (1 - losses - gains))
			next[i-1] += float64(v * losses)
			next[i+1] += float64(v * gains)
		}
		p, next = next, p
	}
	return p
}

// plainChance is PassChance, question by question.
func plainChance(n int, tolerance *big.Rat, drop float64) (sum float64) {
	allowed := new(big.Rat).Mul(tolerance, big.NewRat(int64(n), 1))
	whole := int(new(big.Int).Quo(allowed.Num(), allowed.Denom()).Int64())
	for i, v := range changes(n, gains+drop, gains) {
		if i >= n-whole {
			sum += v
		}
	}
	return sum
}

// TestPassChancePlain: the sum over gains and losses is that of all questions one by
// one, and no loss that is printed is another by it.
func TestPassChancePlain(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 20, 49, 50, 51, 118, 300, 472} {
		for _, tolerance := range []*big.Rat{{}, LeastTolerance(n), big.NewRat(1, 3), big.NewRat(9, 10), big.NewRat(2, 1)} {
			for drop := 0; drop <= 960; drop += 40 {
				got, want := PassChance(n, tolerance, float64(drop)/1000), plainChance(n, tolerance, float64(drop)/1000)
				if math.Abs(got-want) > 1e-12 {
					t.Errorf("n %d, tolerance %s, drop %d: %v, want %v", n, tolerance, drop, got, want)
				}
			}
			for _, chance := range []float64{1. / 2, 1. / 6} {
				at := int(math.Round(1000 * loss(n, tolerance, chance)))
				passes := func(drop int) bool { return plainChance(n, tolerance, float64(drop)/1000) > chance }
				if at == 1000 && !passes(960) || at < 1000 && (passes(at) || at > 0 && !passes(at-1)) {
					t.Errorf("n %d, tolerance %s, chance %v: a loss of %d", n, tolerance, chance, at)
				}
			}
		}
	}
}

// TestMisses: statistics.md 8 has .516 for a drop of .05 and .161 for .10 at n = 50.
func TestMisses(t *testing.T) {
	m := misses(50, big.NewRat(1, 20))
	if m.Half < .050 || m.Half > .053 || m.Sixth < .098 || m.Sixth > .101 || m.Provable != .071 {
		t.Errorf("%+v", m)
	}
	if misses(0, big.NewRat(1, 20)) != nil {
		t.Error("no question misses something")
	}
}

// TestJSONHasNoNull: every list is one, also an empty one.
func TestJSONHasNoNull(t *testing.T) {
	d := made(10, 10, 0)
	d.Changes, d.Warnings = nil, nil
	g, _ := Build(d, d, Rule{})
	b, err := json.Marshal(g)
	if err != nil {
		t.Fatal(err)
	}
	if s := strings.ReplaceAll(string(b), `"only_baseline":null,"only_candidate":null,"relabelled":null`, ""); strings.Contains(s, "null") {
		t.Errorf("%s", s)
	}
}
