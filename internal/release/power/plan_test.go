package power

import (
	"math"
	"testing"

	"kerf/internal/stats"
)

func assumed() Plan {
	return Plan{Rule: Rule{Margin: .1, Alpha: .05, Floor: .2}, Discordance: .1, ICC: .2, Sizes: []int{4}, Power: .8, Seed: 5, Trials: 400, Jobs: 2}
}

// TestPlan: each size is enough, and one document fewer is not.
func TestPlan(t *testing.T) {
	p := assumed()
	zero := p.ZeroLosses()
	if want := (Size{48, 12}); zero != want { // 29 x 1.6 = 46.4
		t.Errorf("zero losses %v, want %v", zero, want)
	}
	p.Margin = .05
	if zero, want := p.ZeroLosses(), (Size{96, 24}); zero != want { // 58.4 x 1.6 = 93.4
		t.Errorf("zero losses %v, want %v", zero, want)
	}
	none := func(n int) bool {
		return p.Accepts(make([]int, n), make([]int, n), p.documents(n))
	}
	if !none(24) || none(23) {
		t.Error("the rule does not say so")
	}
	if got, want := p.Guess(), (Size{392, 98}); got != want { // 243.2 x 1.6 = 389.1
		t.Errorf("guess %v, want %v", got, want)
	}
	p.Margin = .1
	needed, at, ok := p.Needed()
	if !ok || needed.Questions != 4*needed.Documents || at != p.At(needed.Documents) {
		t.Fatalf("needed %v %v %v", needed, at, ok)
	}
	if before := p.At(needed.Documents - 1); at.Share() < .8 || before.Share() >= .8 {
		t.Errorf("needed %v: power %v, with one document fewer %v", needed, at.Share(), before.Share())
	}
	if f := p.FalseAccepts(needed.Documents); f.Share() > .05+3*f.Error() || f.Accepted == 0 {
		t.Errorf("false accepts %v", f)
	}
	if got, want := assumed().FalseAccepts(30), (Trials{p.Simulate(Change{.1, 0, .2}, p.documents(30), 5, 400, 1), 400}); got != want {
		t.Errorf("at the margin %v, want %v", got, want)
	}
}

// TestGivesUp: a plan beyond MostQuestions says so.
func TestGivesUp(t *testing.T) {
	p := assumed()
	p.Margin, p.Discordance, p.Trials = .005, .9, 1
	p.Sizes = []int{1000}
	p.Power = .999
	if needed, _, ok := p.Needed(); ok || needed.Questions <= MostQuestions {
		t.Errorf("needed %v", needed)
	}
}

// TestSmallest: what a number of questions proves is what that margin needs.
func TestSmallest(t *testing.T) {
	p := assumed()
	p.Sizes = []int{3, 5}
	s := p.Smallest(94) // 3 5 3 5 … of 24 documents the last has 2
	if want := (Size{94, 24}); s.Size != want {
		t.Fatalf("%v, want %v", s.Size, want)
	}
	sizes := p.documents(24)
	sizes[23] = 3
	deff := stats.DesignEffect(append(sizes[:23:23], 94-sum(sizes[:23])), 1, .2)
	if got := 94 / deff * math.Log(1-s.ZeroLosses); math.Abs(got-math.Log(.05)) > 1e-9 {
		t.Errorf("zero losses %v", s.ZeroLosses)
	}
	if got := Guess(s.Formula, .1, 0, .05, .8, deff); math.Abs(got-94) > 1e-6 {
		t.Errorf("the formula gives %v questions for %v", got, s.Formula)
	}
	if s := p.Smallest(40); s.Documents != 10 || s.ZeroLosses != 1 || s.Formula != 1 {
		t.Errorf("10 documents prove %v", s)
	}
}

// TestAssumptions: effect, a discordance below the margin and an ICC above the
// floor are all taken into account.
func TestAssumptions(t *testing.T) {
	for effect, want := range map[float64]float64{.02: 123.92, -.02: 674.64} { // ((1.6449 sqrt .0975 + .8416 sqrt .0996) / (.05 + effect))^2
		got := Guess(.05, .1, effect, .05, .8, 1)
		if math.Abs(got-want) > .05 {
			t.Errorf("effect %v: %v questions, want %v", effect, got, want)
		}
		if back := SmallestMargin(got, .1, effect, .05, .8, 1); math.Abs(back-.05) > 1e-9 {
			t.Errorf("effect %v: %v questions prove %v", effect, got, back)
		}
	}
	if got := SmallestMargin(Guess(.4, .5, -.35, .05, .8, 1), .5, -.35, .05, .8, 1); math.Abs(got-.4) > 1e-9 {
		t.Errorf("a margin just above what is lost: %v", got)
	}
	if a, b := Guess(.05, .01, 0, .05, .8, 1), Guess(.05, .05, 0, .05, .8, 1); a != b {
		t.Errorf("%v questions for a discordance below the margin, %v at it", a, b)
	}
	p := assumed()
	p.Margin, p.ICC = .05, .5
	if got, want := p.Guess(), (Size{612, 153}); got != want { // 243.24 x 2.5 = 608.1
		t.Errorf("guess %v, want %v", got, want)
	}
	s := p.Smallest(48)
	if got := Guess(s.Formula, .1, 0, .05, .8, 2.5); s.Documents != 12 || math.Abs(got-48) > 1e-6 || s.ZeroLosses >= 1 {
		t.Errorf("12 documents prove %v", s)
	}
	p = assumed()
	p.Discordance, p.Effect = .05, .03
	if got, want := p.At(30).Accepted, p.Simulate(Change{.01, .04, .2}, p.documents(30), 5, 400, 1); got != want {
		t.Errorf("with an effect %d, want %d", got, want)
	}
	if got, want := p.FalseAccepts(30).Accepted, p.Simulate(Change{.1, 0, .2}, p.documents(30), 5, 400, 1); got != want {
		t.Errorf("at the margin %d, want %d", got, want)
	}
	if *Trial(5, 0) == *Trial(5, 1) || *Trial(5, 0) == *Trial(6, 0) {
		t.Error("two trials are one")
	}
}
