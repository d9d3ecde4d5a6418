package plan

import (
	"fmt"
	"math/big"
	"regexp"
	"slices"

	"kerf/internal/finding"
)

// Gate says what `kerf gate` screens, and when it fails. It changes no result.
type Gate struct {
	Arm       string   // whose figures are screened; "": the experiment's only arm
	FailOn    string   // "regression", or "never": the exit code is 0 then
	Tolerance []Bound  // by measure: how far it may fall, in file order; others have the default
	Floor     []Bound  // by measure: the least value that passes
	Segments  []string // whose support is screened by itself
	At        Place    // of the arm, else of the key; zero without a gate
}

// Bound is a limit of a measure, a share from 0 to 1.
type Bound struct {
	Measure string // support, mrr
	Value   Fraction
	At      Place
}

// Of is the bound of a measure; ok is false where it has none.
func Of(bounds []Bound, measure string) (b Bound, ok bool) {
	i := slices.IndexFunc(bounds, func(b Bound) bool { return b.Measure == measure })
	if i < 0 {
		return b, false
	}
	return bounds[i], true
}

// Rat is the fraction.
func (f Fraction) Rat() *big.Rat { return big.NewRat(f.Num, f.Den) }

var (
	gateMeasures = []string{"support", "mrr"}
	gateLater    = []string{"answer_accuracy"}
	failOn       = []string{"regression", "never"}
	decimal      = regexp.MustCompile(`^(0|1|0?\.[0-9]{1,9}|1\.0{1,9})$`)
)

func (r *reader) gate(n *node, path string, g *Gate) {
	g.At = n.at
	bounds := func(to *[]Bound) func(*node, string) {
		return func(n *node, path string) {
			var fields []field
			for _, measure := range gateMeasures {
				fields = append(fields, field{measure, func(n *node, path string) {
					if v, ok := r.share(n, path); ok {
						*to = append(*to, Bound{measure, v, n.at})
					}
				}})
			}
			r.fields(n, path, gateLater, fields...)
		}
	}
	r.fields(n, path, nil,
		field{"arm", func(n *node, path string) { r.text(&g.Arm)(n, path); g.At = n.at }},
		field{"fail_on", r.choice(&g.FailOn, failOn)},
		field{"tolerance", bounds(&g.Tolerance)},
		field{"floor", bounds(&g.Floor)},
		field{"segments", r.texts(&g.Segments)})
}

// share reads a finite share from 0 to 1, exactly as it is written.
func (r *reader) share(n *node, path string) (f Fraction, ok bool) {
	if n.kind == scalar && !n.quoted && decimal.MatchString(n.text) {
		v, _ := new(big.Rat).SetString(n.text)
		return Fraction{v.Num().Int64(), v.Denom().Int64()}, true
	}
	if m := percent.FindStringSubmatch(n.text); m != nil && n.kind == scalar {
		v, _ := new(big.Rat).SetString(m[1])
		if v.Quo(v, big.NewRat(100, 1)); v.Cmp(big.NewRat(1, 1)) <= 0 {
			return Fraction{v.Num().Int64(), v.Denom().Int64()}, true
		}
	}
	r.value(n, path, "a share, finite and not negative, from 0 to 1 (0.05 or 5%)", "")
	return f, false
}

// gated finds the gate's arm among those that could be read.
func (r *reader) gated(e *Experiment, whole bool) {
	var names []string
	for _, a := range e.Arms {
		names = append(names, a.Name)
	}
	switch g := &e.Gate; {
	case g.Arm == "" && len(names) == 1:
		g.Arm = names[0]
	case g.Arm != "" && whole && !slices.Contains(names, g.Arm):
		r.report(g.At, finding.Finding{Code: CodeArm, Message: fmt.Sprintf("gate.arm %s is no arm", excerpt(g.Arm)),
			Expected: "the name of an arm", Found: excerpt(g.Arm), Hint: finding.DidYouMean(g.Arm, names)})
	}
}
