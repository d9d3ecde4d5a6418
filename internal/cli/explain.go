package cli

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kerf/internal/golden"
	"kerf/internal/report"
	"kerf/internal/study/compare"
	"kerf/internal/study/plan"
	"kerf/internal/study/sweep"
)

func (a *app) newExplain() *cobra.Command {
	var arm string
	cmd := &cobra.Command{
		Use:   "explain [QID]",
		Short: "One question's whole way: cuts, ranks, what was packed, verdicts",
		Long: `Follow one question through every placement of an arm's cuts: where each span
of its evidence was cut, at which rank its chunks came, whether they were packed
or dropped and why. Without QID: the worst question of the baseline arm.`,
		Example: "  kerf -C kerf-demo explain q-006",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.kinds("explain", ".json"); err != nil {
				return err
			}
			p, err := a.project()
			if err != nil {
				return err
			}
			qid := ""
			if len(args) > 0 {
				qid = args[0]
			}
			return a.explain(cmd.Context(), p, qid, arm)
		},
	}
	cmd.Flags().StringVar(&arm, "arm", "", "the `ARM` to follow it through (default: the baseline)")
	return cmd
}

func (a *app) explain(ctx context.Context, p *project, qid, arm string) error {
	arm = cmp.Or(arm, p.plan.Baseline)
	n := slices.IndexFunc(p.plan.Arms, func(x plan.Arm) bool { return x.Name == arm })
	if n < 0 {
		var names []string
		for _, x := range p.plan.Arms {
			names = append(names, x.Name)
		}
		return usage("no arm %s: %s", arm, meant(arm, names))
	}
	if qid == "" {
		out, err := a.sweep(ctx, p, running{hits: "read"})
		if err != nil {
			return err
		}
		if out.failed > 0 {
			fmt.Fprintf(a.Stderr, "kerf: the worst question is not known yet: %s without a result; name a question, or let the run go on\n", counted(out.failed, "cell"))
			a.next("run")
			return exit(exitPart, nil)
		}
		first := slices.IndexFunc(p.asked, func(q *golden.Question) bool { return !q.Unanswerable })
		switch {
		case len(out.report.WorstQuestions) > 0:
			qid = out.report.WorstQuestions[0].QID
		case first < 0:
			return usage("every question is an unanswerable control: there is no evidence to follow")
		default:
			a.say("every question keeps its evidence whole at every placement of the cuts of arm %s; this is the first", out.report.Baseline)
			qid = p.asked[first].QID
		}
	}
	var qids []string
	for _, q := range p.asked {
		qids = append(qids, q.QID)
	}
	i := slices.Index(qids, qid)
	switch {
	case p.why[qid] != "":
		return usage("question %s is not asked (%s)", qid, p.why[qid])
	case i < 0:
		return usage("no question %s among the %d asked%s", qid, len(qids), guess(qid, qids))
	case p.asked[i].Unanswerable:
		return usage("question %s is an unanswerable control: it has no evidence to follow", qid)
	}
	s, end, err := a.study(ctx, p, p.plan.Arms[n].Name)
	if err != nil {
		return err
	}
	defer end()
	labels, err := p.plan.Phases.Labels(p.plan.Arms[n])
	if err != nil {
		return err
	}
	x, err := s.Explain(ctx, p.plan.Arms[n], i, labels)
	if err != nil {
		return err
	}
	err = a.answer(x, func() error { return a.explainText(s, x) })
	if err == nil {
		a.next("cuts")
	}
	return err
}

func (a *app) explainText(s *sweep.Study, x *sweep.Explanation) error {
	facts, err := s.Planned()
	if err != nil {
		return err
	}
	overlays, err := facts.Sources(x.QID, x.Arm)
	if err != nil {
		return err
	}
	return report.Explain(a.Stdout, x, sources(overlays))
}

// mostLabels is how many placements have their cuts drawn over the source.
const mostLabels = 32

// sources draws overlays as text: spans in brackets with their names, each cut
// with the placements that it belongs to.
func sources(overlays []compare.Overlay) []report.Source {
	var out []report.Source
	for _, o := range overlays {
		s := report.Source{Place: o.Place(), Text: o.Text}
		for _, e := range o.Spans {
			s.Marks = append(s.Marks, report.Mark{At: e.Start, Text: "[" + cmp.Or(e.Role, e.Name) + ": "}, report.Mark{At: e.End, Text: "]"})
		}
		if len(o.Placement) <= mostLabels {
			for _, c := range o.Cuts {
				s.Marks = append(s.Marks, report.Mark{At: c.At, Text: "|" + c.Label + "|"})
			}
		}
		slices.SortStableFunc(s.Marks, func(x, y report.Mark) int { return x.At - y.At })
		out = append(out, s)
	}
	return out
}
