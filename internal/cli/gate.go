package cli

import (
	"context"
	"errors"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/finding"
	"kerf/internal/release/gate"
	"kerf/internal/study/diff"
	"kerf/internal/study/plan"
)

// gating is the flags of gate.
type gating struct {
	against, baseline, phase, reason string
	noisy, accept                    bool
}

func (a *app) newGate() *cobra.Command {
	var f gating
	cmd := &cobra.Command{
		Use:   "gate",
		Short: "The fast screen of a pull request, and its ratchet",
		Long: `Compare the arm that kerf.yaml names under gate with what it was before, question
by question: at REF, read from git and run anew on today's documents and labels,
or in a baseline file, whose rankings are judged by today's labels. Without
either, REF is the merge base with the branch that the change goes into.

A measure may fall by its tolerance, max(0.05, 5/(2n)) for n questions, and no
more. This is an alarm, no proof: the output says which losses it would miss.

--accept writes the baseline file. It rises measure by measure, where the
improvement is told from chance; --reason takes everything, downwards too.

Exit: 0 pass, 1 regression, 2 trouble, 4 something has no result, 5 not
comparable: what measures differs, or a question is gone.`,
		Example: "  kerf -C kerf-demo gate --accept",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			for _, name := range []string{"against", "baseline"} { // a variable of a script that was never set is not the merge base
				if flag := cmd.Flags().Lookup(name); flag.Changed && flag.Value.String() == "" {
					return usage("--%s: empty; leave it out to compare with the merge base", name)
				}
			}
			switch {
			case f.against != "" && f.baseline != "" && !f.accept:
				return usage("--against and --baseline: one of the two")
			case f.accept && f.against != "":
				return usage("--accept writes a baseline file, and --against reads none")
			case f.reason != "" && !f.accept:
				return usage("--reason belongs to --accept")
			case f.accept && cmd.Flags().Changed("reason") && strings.TrimSpace(f.reason) == "":
				return usage("--reason: say why")
			case f.accept && f.phase != "":
				return usage("--phase: a baseline keeps every placement")
			}
			if f.accept {
				if err := a.kinds("gate --accept"); err != nil {
					return err
				}
				return a.gateAccept(cmd.Context(), f)
			}
			if err := a.kinds("gate", gateKinds...); err != nil {
				return err
			}
			return a.gate(cmd.Context(), f)
		},
	}
	flags := cmd.Flags()
	flags.StringVar(&f.against, "against", "", "compare with the arm at this commit, branch or tag, a `REF` of git")
	flags.StringVar(&f.baseline, "baseline", "", "compare with this baseline `FILE`")
	flags.BoolVar(&f.noisy, "allow-noisy", false, "take tolerances below max(0.05, 5/(2n))")
	flags.StringVar(&f.phase, "phase", "", "`P/P`: screen the deployed placement of the cuts alone, not the mean over all")
	flags.BoolVar(&f.accept, "accept", false, "write the baseline file (baseline.json, or --baseline FILE)")
	flags.StringVar(&f.reason, "reason", "", "with --accept: `WHY` the baseline takes what no bound allows")
	return cmd
}

// acceptance is the command that writes the baseline file.
func (f gating) acceptance(more ...string) []string {
	words := []string{"gate", "--accept"}
	if f.baseline != baselineName {
		words = append(words, "--baseline", f.baseline)
	}
	return append(words, more...)
}

// gated is today's project with the one arm that is screened.
func (a *app) gated(phase string) (*project, error) {
	began := a.Now()
	in, err := a.configured()
	if err != nil {
		return nil, err
	}
	e := in.experiment
	if in.found.Errors() == 0 && e.Gate.Arm == "" {
		var names []string
		for _, arm := range e.Arms {
			names = append(names, arm.Name)
		}
		if in.config == "" {
			return nil, usage("no kerf.yaml says which arm is deployed; kerf init writes one, with the line to change: gate: {arm: %s}", names[0])
		}
		return nil, usage("%s does not say which arm is deployed; add the line: gate: {arm: %s}", in.config, names[0])
	}
	arms := slices.DeleteFunc(slices.Clone(e.Arms), func(x plan.Arm) bool { return x.Name != e.Gate.Arm })
	if len(arms) == 0 {
		arms = nil // ask names what is wrong
	}
	p, err := a.ask(asking{arms: arms})
	if err != nil {
		return nil, err
	}
	p.began = began
	p.plan.Phases.Target = plan.NoTargets // what is aimed stands in no mean
	if phase != "" {
		if err := p.ordinary(phase); err != nil {
			return nil, err
		}
	}
	return p, nil
}

var placement = regexp.MustCompile(`^([1-9][0-9]*)/([1-9][0-9]*)$`)

// ordinary leaves the ordinary placement alone.
func (p *project) ordinary(phase string) error {
	arm := &p.plan.Arms[0]
	if m := placement.FindStringSubmatch(phase); m == nil || m[1] != m[2] {
		return usage("--phase %s: the placement that is deployed is the ordinary one, P/P, for example 8/8", phase)
	}
	p.plan.Phases = plan.Phases{Grid: 1, Target: plan.NoTargets}
	if arm.Moving.Grid > 0 {
		arm.Moving.Grid = 1
	}
	return nil
}

// rule is what kerf.yaml allows.
func (p *project) rule(f gating) gate.Rule {
	g := p.plan.Gate
	bounds := func(of []plan.Bound) map[string]*big.Rat {
		out := map[string]*big.Rat{}
		for _, b := range of {
			out[b.Measure] = b.Value.Rat()
		}
		return out
	}
	return gate.Rule{Tolerance: bounds(g.Tolerance), Floor: bounds(g.Floor), Segments: g.Segments, Ordinary: f.phase != "", Enforced: g.FailOn != "never", Noisy: f.noisy}
}

// segments refuses names that no question of the sample has.
func (a *app) segments(p *project) error {
	var known []string
	sample := headline(p.asked)
	for _, q := range p.asked {
		if q.Sample == sample && !q.Unanswerable && !slices.Contains(known, q.Segment) {
			known = append(known, q.Segment)
		}
	}
	var list finding.List
	for _, s := range p.plan.Gate.Segments {
		if !slices.Contains(known, s) {
			list = append(list, finding.Finding{Code: plan.CodeArm, Severity: finding.Error, File: p.config, Line: p.plan.Gate.At.Line,
				Message: "gate.segments: no answerable question of the " + sample + " sample is of segment " + s, Expected: "a segment of the golden set", Found: s, Hint: finding.DidYouMean(s, known)})
		}
	}
	return a.listed(list)
}

// ran is what one side gave.
type ran struct {
	side    diff.Side
	name    string // for the gate
	commit  string
	missing []string
	new     []string // questions that it has no ranking of
}

// candidate runs the arm as it is now.
func (a *app) candidate(ctx context.Context, p *project) (ran, error) {
	s, end, err := a.study(ctx, p, "")
	if err != nil {
		return ran{}, err
	}
	defer end()
	cells, err := s.Cells(false)
	if err != nil {
		return ran{}, err
	}
	facts, missing, err := a.measure(ctx, p, s, cells, "now")
	arm := p.plan.Arms[0].Name
	return ran{side: diff.Side{Given: "now", Kerf: Version, Arm: arm, Facts: &facts, Digest: p.brings()}, name: "working tree", missing: missing}, err
}

// brings is a digest of all that the arm brings, "" for nothing.
func (p *project) brings() string {
	var out []string
	for _, f := range p.brought {
		if f.table != nil {
			out = append(out, f.table.Digest)
		} else {
			out = append(out, f.rankings.Digest)
		}
	}
	return strings.Join(out, " ")
}

func (a *app) gate(ctx context.Context, f gating) error {
	defer a.garbage(readingGarbage)()
	p, g, err := a.screen(ctx, f)
	if err == nil {
		p.places(g)
		err = a.gateShow(p, g)
	}
	switch {
	case err != nil:
		return a.withoutVerdict(err)
	case g.Exit != exitDone:
		return exit(g.Exit, nil)
	}
	return nil
}

// screen compares both sides and judges.
func (a *app) screen(ctx context.Context, f gating) (*project, *gate.Gate, error) {
	p, err := a.gated(f.phase)
	if err != nil {
		return nil, nil, err
	}
	if err := a.segments(p); err != nil {
		return nil, nil, err
	}
	var g *gate.Gate
	if f.baseline != "" {
		g, err = a.gateBaseline(ctx, p, f)
	} else {
		g, err = a.gateAgainst(ctx, p, f)
	}
	var other incomparable
	if errors.As(err, &other) {
		if other.found != nil {
			fmt.Fprintln(a.Stderr, Escape(other.found.Err().Error()))
		}
		g, err = gate.Nothing(other.reason, p.rule(f)), nil
	}
	if err != nil {
		return nil, nil, err
	}
	if len(p.stale) > 0 {
		g.Missing = append(g.Missing, counted(len(p.stale), "question")+" left out: "+whyStale+" (stale: exclude)")
	}
	switch g.Decide(); {
	case g.Verdict != gate.NotComparable:
	case f.baseline == "": // another commit cannot be made comparable
		g.Warnings = append(g.Warnings, diff.Warning{Code: "merge-first", Message: "a person decides: merge what is not comparable by itself, and kerf gate compares the next change with it; or keep a baseline file, accepted with a reason"})
	default:
		g.Repair = f.acceptance("--reason", "WHY")
	}
	return p, g, nil
}

// refuseNoisy lists tolerances that are too small for their questions.
func (a *app) refuseNoisy(p *project, noisy []gate.Noisy) error {
	var list finding.List
	for _, n := range noisy {
		at := p.plan.Gate.At
		if b, ok := plan.Of(p.plan.Gate.Tolerance, n.Measure); ok {
			at = b.At
		}
		of := n.Measure
		if n.Segment != "" {
			of += " of segment " + n.Segment
		}
		least, _ := n.Least.Float64()
		list = append(list, finding.Finding{Code: plan.CodeNoisy, Severity: finding.Error, File: p.config, Line: at.Line, Column: at.Column,
			Message:  fmt.Sprintf("gate.tolerance of %s: %s is less than two and a half of %d questions; a fall of chance alone may exceed it", of, n.Tolerance.RatString(), n.Questions),
			Expected: fmt.Sprintf("at least max(0.05, 5/(2n)) = %s", n.Least.RatString()), Found: n.Tolerance.RatString(),
			Paste: fmt.Sprintf("tolerance: {%s: %.3g}", n.Measure, least+.0005), Hint: "or kerf gate --allow-noisy, which says so in its output"})
	}
	return a.listed(list)
}

// listed prints findings that end a command, if there is an error among them.
func (a *app) listed(found finding.List) error {
	if found.Errors() == 0 {
		return nil
	}
	fmt.Fprintln(a.Stderr, Escape(found.Err().Error()))
	return exit(exitTrouble, nil)
}

// compared is a difference. Without a question on both sides they are incomparable; a
// ledger that cannot be read is trouble.
func compared(base, now ran) (*diff.Diff, error) {
	d, err := diff.Brief(base.side, now.side)
	if errors.Is(err, diff.ErrNothing) {
		return nil, incomparable{reason: err.Error()}
	}
	return d, err
}

// screened compares both sides and judges. mrr is the side whose rankings the
// baseline of that measure is; nil: base.
func (a *app) screened(p *project, f gating, base ran, mrr *ran, now ran) (*gate.Gate, error) {
	d, err := compared(base, now)
	if err != nil {
		return nil, err
	}
	ranked := d
	if mrr != nil {
		if ranked, err = compared(*mrr, now); err != nil {
			return nil, err
		}
	}
	g, noisy := gate.Build(d, ranked, p.rule(f))
	if err := a.refuseNoisy(p, noisy); err != nil {
		return nil, err
	}
	g.Baseline = gate.Side{Name: base.name, Arm: base.side.Arm, Commit: base.commit, Kerf: base.side.Kerf}
	g.Candidate = gate.Side{Name: now.name, Arm: now.side.Arm, Kerf: now.side.Kerf}
	g.Missing = append(append(g.Missing, base.missing...), now.missing...)
	if len(base.new) > 0 {
		g.Warnings = append(g.Warnings, diff.Warning{Code: "new-questions", Message: fmt.Sprintf("%s of the golden set without a ranking in %s, so in no figure: %s",
			counted(len(base.new), "question"), base.name, shortList(base.new))})
	}
	return g, nil
}

// shortList names the first of many.
func shortList(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return strings.Join(names[:most], ", ") + fmt.Sprintf(" and %d more", len(names)-most)
}
