package gate

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"kerf/internal/stats"
	"kerf/internal/study/diff"
)

// Rule is what may happen to the measures.
type Rule struct {
	Tolerance map[string]*big.Rat // by measure; absent: LeastTolerance
	Floor     map[string]*big.Rat // by measure; absent: none
	Segments  []string            // whose support is screened too; each of an answerable question of the sample
	Ordinary  bool                // at the ordinary cuts, not over all placements
	Enforced  bool
	Noisy     bool // tolerances below LeastTolerance are taken
}

// Noisy is a tolerance that is smaller than so many questions can carry.
type Noisy struct {
	Measure, Segment string
	Questions        int
	Tolerance, Least *big.Rat
}

// exits are the exit codes of the verdicts (docs/exit-codes.md).
var exits = map[Verdict]int{Pass: 0, Regression: 1, Incomplete: 4, NotComparable: 5}

// gravity is the order in which verdicts decide the whole.
var gravity = []Verdict{NotComparable, Incomplete, Regression, Pass}

// Exit is the exit code of an enforced verdict.
func (v Verdict) Exit() int { return exits[v] }

// Build screens the candidate of d; ranked is the comparison that MRR is taken from,
// which may be another, for a baseline rises measure by measure. The caller adds the
// rest: sides, places, what differs of the instrument, what is gone, new or missing.
// Tolerances that are too small for their questions are refused, all of them, unless
// the rule takes noisy ones.
func Build(d, ranked *diff.Diff, rule Rule) (*Gate, []Noisy) {
	g := Nothing("", rule)
	g.Sample, g.Questions, g.Placements = d.Sample, d.Questions, d.Candidate.Placements
	for _, w := range d.Warnings {
		if w.Code != "not-compared" { // new and gone questions have names here
			g.Warnings = append(g.Warnings, w)
		}
	}
	g.Changed = append(append(g.Changed, d.Intervention...), d.Confounded...)
	var noisy []Noisy
	screen := func(d *diff.Diff, measure, segment string) {
		s, ok := rule.screen(d, measure, segment)
		name := measure
		if segment != "" {
			name += " of segment " + segment
		}
		if !ok {
			g.Unmeasured = append(g.Unmeasured, name)
			if segment != "" {
				g.Missing = append(g.Missing, name+" was asked for and is not measured")
			} else if rule.Tolerance[measure] != nil || rule.Floor[measure] != nil {
				g.Missing = append(g.Missing, name+" has a limit and is not measured")
			}
			return
		}
		if tolerance, least := rat(s.Tolerance), rat(s.Least); tolerance.Cmp(least) < 0 {
			if !rule.Noisy {
				noisy = append(noisy, Noisy{measure, segment, s.Baseline.Den, tolerance, least})
			}
			g.warn("noisy-tolerance", "%s: a tolerance of %s is less than two and a half of %d questions (%s); a fall of chance alone may exceed it", measure, s.Tolerance, s.Baseline.Den, s.Least)
		}
		if rat(s.Tolerance).Cmp(big.NewRat(1, 1)) >= 0 {
			g.warn("never-fails", "%s: a tolerance of %s lets every fall pass (questions: %d)", name, s.Tolerance, s.Baseline.Den)
		}
		g.Screens = append(g.Screens, s)
	}
	screen(d, "support", "")
	screen(ranked, "mrr", "")
	for _, segment := range slices.Sorted(slices.Values(rule.Segments)) {
		screen(d, "support", segment)
	}
	slices.Sort(g.Unmeasured)
	if len(g.Screens) == 0 {
		g.Missing = append(g.Missing, "no measure")
	}
	for _, kind := range []string{"lost", "gained"} {
		for _, c := range d.Changes {
			if c.View == "budget" && c.Change == kind {
				g.Changes = append(g.Changes, Change{Change: c, Evidence: []Place{}})
			}
		}
	}
	g.Decide()
	return g, noisy
}

// Nothing is a gate of nothing: the reason says why there is no other side.
func Nothing(reason string, rule Rule) *Gate {
	return &Gate{Kerf: Kind, Enforced: rule.Enforced, Reason: reason, Questions: diff.Questions{OnlyBaseline: []string{}, OnlyCandidate: []string{}, Relabelled: []string{}},
		Unmeasured: []string{"answer_accuracy"}, Screens: []Screen{}, Missing: []string{}, Instrument: []Instrument{}, Gone: []Gone{},
		Changes: []Change{}, Changed: []string{}, Warnings: []diff.Warning{}}
}

func (g *Gate) warn(code, format string, args ...any) {
	g.Warnings = append(g.Warnings, diff.Warning{Code: code, Message: fmt.Sprintf(format, args...)})
}

// Decide sets verdict and exit code from what the gate holds: the gravest of all.
func (g *Gate) Decide() {
	all := []Verdict{Pass}
	for _, s := range g.Screens {
		all = append(all, s.Verdict)
	}
	if len(g.Missing) > 0 {
		all = append(all, Incomplete)
	}
	if g.Reason != "" || len(g.Instrument)+len(g.Gone) > 0 {
		all = append(all, NotComparable)
	}
	g.Verdict = slices.MinFunc(all, func(a, b Verdict) int { return cmp.Compare(slices.Index(gravity, a), slices.Index(gravity, b)) })
	if g.Exit = exits[g.Verdict]; !g.Enforced {
		g.Exit = 0
	}
}

// screen holds one measure against its tolerance; ok is false where nobody
// measured it. MRR is that of the ordinary cuts: a ranking is kept to its full
// depth there alone.
func (r Rule) screen(d *diff.Diff, measure, segment string) (s Screen, ok bool) {
	view, placement := "budget", "all"
	if measure == "mrr" {
		view = "ranking"
	}
	if measure == "mrr" || r.Ordinary || d.Baseline.Placements == 1 && d.Candidate.Placements == 1 {
		placement = "ordinary"
	}
	i := slices.IndexFunc(d.Effects, func(e diff.Effect) bool {
		return e.Measure == measure && e.View == view && e.Placement == placement && e.Sample == d.Sample && e.Segment == segment && e.Dependency == ""
	})
	if i < 0 {
		return s, false
	}
	e := d.Effects[i]
	n := e.Difference.Den
	least := LeastTolerance(n)
	tolerance, declared := r.Tolerance[measure]
	if !declared || segment != "" && !r.Noisy && tolerance.Cmp(least) < 0 { // what is declared is for all questions; a part has fewer
		tolerance = least
	}
	s = Screen{Measure: measure, Segment: segment, View: view, Placement: placement, Baseline: e.Baseline.Value, Candidate: e.Candidate.Value,
		Tolerance: tolerance.RatString(), Least: least.RatString(), Lost: e.Lost, Gained: e.Gained, CI: e.CI, Verdict: Pass, Misses: misses(n, tolerance)}
	floor := r.Floor[measure]
	if floor != nil && segment == "" {
		s.Floor = floor.RatString()
	}
	s.judge(e.Difference, tolerance, floor)
	return s, true
}

// judge gives the verdict: a missing result is no fall and no pass.
func (s *Screen) judge(difference stats.Sum, tolerance, floor *big.Rat) {
	missing := max(difference.Missing, s.Baseline.Missing, s.Candidate.Missing)
	before, known := s.Baseline.Rat()
	now, also := s.Candidate.Rat()
	if missing > 0 || !known || !also {
		s.Verdict, s.Why = Incomplete, fmt.Sprintf("%d of %d questions have no result on one side; missing never passes", missing, difference.Den)
		return
	}
	s.Drop = new(big.Rat).Sub(before, now).RatString()
	switch {
	case !Passes(before, now, tolerance):
		s.Verdict, s.Why = Regression, "more than the tolerance of "+points(tolerance)
	case s.Floor != "" && now.Cmp(floor) < 0:
		s.Verdict, s.Why = Regression, points(now)+" are below the floor of "+points(floor)
	}
}

// points is a share for people; the exact ones stand beside it, and those of mrr have
// dozens of digits.
func points(share *big.Rat) string {
	return new(big.Rat).Mul(share, big.NewRat(100, 1)).FloatString(2) + " points"
}

// rat reads what RatString wrote.
func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic("BUG: " + s + " is no fraction")
	}
	return r
}
