package ci

import (
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"strings"
	"testing"

	"kerf/internal/release/gate"
	"kerf/internal/stats"
	"kerf/internal/study/diff"
	"kerf/internal/study/effect"
)

var update = flag.Bool("update", false, "rewrite the want files")

// pass is a screen of 46 questions at 8 placements that nothing falls in, but one
// question is lost within the tolerance and two are gained.
func pass() *gate.Gate {
	return &gate.Gate{Kerf: gate.Kind, Verdict: gate.Pass, Enforced: true,
		Baseline:   gate.Side{Name: "main@1a2b3c4d5e6f", Arm: "tokens-256-51", Commit: "1a2b3c4d5e6f708192a3b4c5d6e7f8091a2b3c4d", Kerf: "0.4.0"},
		Candidate:  gate.Side{Name: "working tree", Arm: "tokens-256-51", Kerf: "0.4.0"},
		Sample:     "representative",
		Questions:  diff.Questions{Paired: 46, Unanswerable: 2},
		Placements: 8,
		Screens: []gate.Screen{
			screen("support", "budget", "all", sum(149, 4, 46), sum(75, 2, 46), 2, 3),
			screen("mrr", "ranking", "ordinary", sum(251, 6, 46), sum(83, 2, 46), 3, 1),
		},
		Unmeasured: []string{"answer_accuracy"},
		Changes: []gate.Change{
			change("q-017", "lost", "cut here", 0, gate.Place{File: "golden.jsonl", Line: 18}, gate.Place{File: "docs/refunds.md", Line: 41}, gate.Place{File: "docs/refunds.md", Line: 57}),
			change("q-003", "gained", "", 0, gate.Place{File: "golden.jsonl", Line: 4}, gate.Place{File: "docs/shipping.md", Line: 3}),
			change("q-021", "gained", "", 0, gate.Place{File: "golden.jsonl", Line: 22}, gate.Place{File: "docs/shipping.md", Line: 9}),
		},
		Changed:  []string{"size", "overlap"},
		Warnings: []diff.Warning{{Code: "large-cluster", Message: "docs/refunds.md holds 12 of 46 questions"}},
	}
}

// regression falls by 6 of 46 questions, in one segment too.
func regression() *gate.Gate {
	g := pass()
	g.Verdict, g.Exit = gate.Regression, 1
	g.Screens[0] = screen("support", "budget", "all", sum(149, 4, 46), sum(125, 4, 46), 8, 1)
	s := screen("support", "budget", "all", sum(18, 1, 20), sum(13, 1, 20), 5, 0)
	s.Segment = "refunds"
	g.Screens = append(g.Screens, s)
	g.Changes = nil
	for i := range 12 {
		c := change(fmt.Sprintf("q-%03d", 10+i), "lost", []string{"cut here", "ranked 23rd", "dropped by the budget"}[i%3], 0,
			gate.Place{File: "golden.jsonl", Line: 11 + i}, gate.Place{File: "docs/refunds.md", Line: 31 + 7*i})
		c.Segment = []string{"refunds", "shipping"}[i%2]
		g.Changes = append(g.Changes, c)
	}
	return g
}

// unenforced is regression where fail_on is never.
func unenforced() *gate.Gate {
	g := regression()
	g.Enforced, g.Exit = false, 0
	return g
}

// incomparable has another budget than its baseline, and two questions fewer.
func incomparable() *gate.Gate {
	g := pass()
	g.Verdict, g.Exit = gate.NotComparable, 5
	g.Instrument = []gate.Instrument{{Name: "budget.tokens", Baseline: "1024", Candidate: "800"}, {Name: "reader", Baseline: "public", Candidate: "public, staff"}}
	g.Gone = []gate.Gone{{QID: "q-005", Why: "not in the golden set"}, {QID: "q-006", Why: "held out"}}
	g.Repair = []string{"gate", "--accept", "--reason", "the budget is 800 now"}
	return g
}

// incomplete has a question without a result.
func incomplete() *gate.Gate {
	g := pass()
	g.Verdict, g.Exit = gate.Incomplete, 4
	s := &g.Screens[0]
	s.Candidate.Missing, s.Drop, s.Verdict, s.Why = 3, "", gate.Incomplete, "3 of 46 questions have no result on one side; missing never passes"
	s.CI = stats.Maybe[effect.Interval]{}
	g.Missing = []string{"q-009 at 3/8 of tokens-256-51: deadline, not begun"}
	return g
}

func sum(num, den int64, n int) stats.Sum { return stats.Sum{Sum: big.NewRat(num, den), Den: n} }

// screen is a measure as gate.Build judges it, with its tolerance of least.
func screen(measure, view, placement string, baseline, candidate stats.Sum, lost, gained int) gate.Screen {
	n := baseline.Den
	tolerance := gate.LeastTolerance(n)
	before, _ := baseline.Rat()
	now, _ := candidate.Rat()
	s := gate.Screen{Measure: measure, View: view, Placement: placement, Baseline: baseline, Candidate: candidate,
		Drop: new(big.Rat).Sub(before, now).RatString(), Tolerance: tolerance.RatString(), Least: tolerance.RatString(), Verdict: gate.Pass, Lost: lost, Gained: gained,
		Misses: &gate.Misses{Questions: n, Half: .057, Sixth: .099, Provable: .077},
		CI:     stats.Measured(effect.Interval{Lo: -.2214, Hi: -.041, Level: .95, Method: "Tango, scaled counts", Unit: effect.Document, Questions: n, Clusters: 14, Estimand: effect.Population})}
	if measure == "mrr" {
		s.CI.Value.Lo, s.CI.Value.Hi = -.031, .017
	}
	if n == 20 {
		s.Misses = &gate.Misses{Questions: n, Half: .123, Sixth: .201, Provable: .168}
	}
	if !gate.Passes(before, now, tolerance) {
		s.Verdict, s.Why = gate.Regression, "more than the tolerance of "+new(big.Rat).Mul(tolerance, big.NewRat(100, 1)).FloatString(2)+" points"
	}
	return s
}

func change(qid, kind, cause string, at int, label gate.Place, evidence ...gate.Place) gate.Change {
	c := gate.Change{Label: label, Evidence: evidence, Change: diff.Change{QID: qid, View: "budget", Change: kind, Segment: "refunds",
		Baseline: diff.Standing{Hits: 7, Placements: 8}, Candidate: diff.Standing{Hits: 2, Placements: 8, Cause: cause}}}
	if kind == "lost" {
		c.Candidate.WholeAt = &at
	}
	return c
}

// renderings are the files that a gate makes, by the ends of their names.
func renderings(g *gate.Gate) map[string]func(io.Writer) error {
	return map[string]func(io.Writer) error{
		"txt":          func(w io.Writer) error { return Text(w, g) },
		"md":           func(w io.Writer) error { return Markdown(w, g, CommentLimit) },
		"summary.md":   func(w io.Writer) error { return Markdown(w, g, SummaryLimit) },
		"junit.xml":    func(w io.Writer) error { return JUnit(w, g, "kb") },
		"sarif":        func(w io.Writer) error { return SARIF(w, g, "kb") },
		"annotations":  func(w io.Writer) error { return Annotations(w, g, "kb") },
		"quality.json": func(w io.Writer) error { return CodeQuality(w, g, "kb") },
		"outputs":      func(w io.Writer) error { return Outputs(w, g) },
	}
}

func render(t testing.TB, write func(io.Writer) error) string {
	t.Helper()
	var b strings.Builder
	if err := write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func gates() map[string]*gate.Gate {
	return map[string]*gate.Gate{"pass": pass(), "regression": regression(), "unenforced": unenforced(), "incomparable": incomparable(), "incomplete": incomplete()}
}

func TestRenderings(t *testing.T) {
	for name, g := range gates() {
		for kind, write := range renderings(g) {
			if kind == "summary.md" { // nothing is cut of these
				if got, comment := render(t, write), render(t, renderings(g)["md"]); got != comment {
					t.Errorf("%s: comment and summary differ", name)
				}
				continue
			}
			got, file := render(t, write), "testdata/"+name+"."+kind+".want"
			if again := render(t, renderings(gates()[name])[kind]); again != got {
				t.Errorf("%s: not the same twice", file)
			}
			if *update {
				if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got != string(want) {
				t.Errorf("%s differs (-update rewrites it):\n%s", file, got)
			}
		}
	}
}
