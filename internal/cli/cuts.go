package cli

import (
	"cmp"
	"context"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/golden"
	"kerf/internal/report"
	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/geometry"
	"kerf/internal/study/plan"
	"kerf/internal/verdict"
)

// cutting is the flags of cuts.
type cutting struct {
	tokenizer     string
	size, overlap []string
	phases        string
	compat        string
}

func (a *app) newCuts() *cobra.Command {
	var c cutting
	cmd := &cobra.Command{
		Use:   "cuts",
		Short: "How often the cuts alone leave the evidence whole: no index, no model",
		Long: `For every question and every placement of the cuts: does each span of the
evidence lie whole in some chunk, does every span of some support set, does one
chunk hold a whole set? Exhaustive over all placements, with the documents' real
edges. Default: the arms of kerf.yaml, else the eight configurations.`,
		Example: "  kerf -C kerf-demo cuts --size 256,512 --overlap 0,20%",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			kinds := []string{".json", ".csv"}
			if c.compat != "" {
				kinds = kinds[:1]
			}
			if err := a.kinds("cuts", kinds...); err != nil {
				return err
			}
			if c.compat != "" && (c.compat != "chroma" || cmd.Flags().Changed("phases")) {
				return usage("--compat %s: expected chroma, without --phases", c.compat)
			}
			p, err := a.ask(asking{alone: c.compat == ""})
			if err != nil {
				return err
			}
			if len(c.size) == 0 && cmd.Flags().Changed("tokenizer") {
				return usage("--tokenizer goes with --size")
			}
			arms, err := c.arms(p.plan)
			if err != nil {
				return err
			}
			if c.compat != "" {
				return a.omega(cmd.Context(), p, arms)
			}
			return a.cuts(cmd.Context(), p, c, arms)
		},
	}
	f := cmd.Flags()
	f.StringVar(&c.tokenizer, "tokenizer", "cl100k_base", "the tokens that sizes are counted in, with --size")
	f.StringSliceVar(&c.size, "size", nil, "`LIST` of sizes in tokens")
	f.StringSliceVar(&c.overlap, "overlap", nil, "`LIST` of overlaps in tokens or percent of the size (default 0), with --size")
	f.StringVar(&c.phases, "phases", "all", "placements: all, or how many of a grid j/P (then each is listed)")
	f.StringVar(&c.compat, "compat", "", "chroma: precision_omega of the ordinary cuts instead, exact and as published")
	return cmd
}

// arms are those of the flags, read as kerf.yaml's grid is, else the experiment's.
func (c cutting) arms(e plan.Experiment) ([]plan.Arm, error) {
	if len(c.size) == 0 {
		if len(c.overlap) > 0 {
			return nil, usage("--overlap goes with --size")
		}
		if c.compat != "" {
			return e.Arms, nil
		}
		var moving []plan.Arm
		for _, arm := range e.Arms {
			alike := func(b plan.Arm) bool {
				return b.Split.Tokenizer == arm.Split.Tokenizer && compare.Windows(b) == compare.Windows(arm)
			}
			if !arm.IsControl() && !slices.ContainsFunc(moving, alike) {
				moving = append(moving, arm)
			}
		}
		if len(moving) == 0 {
			return nil, usage("no arm of the experiment has cuts that move; --size 256,512 names some")
		}
		return moving, nil
	}
	if len(c.overlap) == 0 {
		c.overlap = []string{"0"}
	}
	yaml := fmt.Sprintf("kerf: experiment/1\nphases: {grid: 1}\ngrid: {size: [%s], overlap: [%s], tokenizer: %s}\n", strings.Join(c.size, ", "), strings.Join(c.overlap, ", "), strconv.Quote(c.tokenizer))
	parsed, found := plan.Parse("--size, --overlap, --tokenizer", []byte(yaml))
	for i, f := range found { // of the flag, not of a file that nobody wrote
		f.Line, f.Column, f.Paste = 0, 0, ""
		for _, flag := range []string{"size", "overlap", "tokenizer"} {
			if _, rest, ok := strings.Cut(f.Message, " "); ok && strings.HasPrefix(f.Message, "grid."+flag) {
				f.File, f.Message = "--"+flag, f.Found+" "+rest
			}
		}
		found[i] = f
	}
	if err := found.Err(); err != nil {
		return nil, exit(exitTrouble, err)
	}
	return parsed.Arms, nil
}

// cutsOutput is cuts/1.
type cutsOutput struct {
	Kerf      string         `json:"kerf"`
	Questions []cutsQuestion `json:"questions"` // worst first
	Totals    []cutsTotal    `json:"totals"`
}

type cutsArm struct {
	Size      int    `json:"size"`
	Overlap   int    `json:"overlap"`
	Tokenizer string `json:"tokenizer"`
}

type cutsQuestion struct {
	QID string `json:"qid"`
	cutsArm
	geometry.Counts
}

type cutsTotal struct {
	cutsArm
	Sample     string `json:"sample"` // samples are never pooled
	Placements int    `json:"placements"`
	geometry.Counts
	Phase []cutsPhase `json:"phase,omitempty"`
}

type cutsPhase struct {
	Label    string `json:"label"`
	FirstCut int    `json:"first_cut"`
	geometry.Counts
}

func (a *app) cuts(ctx context.Context, p *project, c cutting, arms []plan.Arm) error {
	s, err := p.study()
	if err != nil {
		return err
	}
	out := cutsOutput{Kerf: "cuts/1", Questions: []cutsQuestion{}}
	for _, arm := range arms {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		labels, grid, err := c.placements(arm)
		if err != nil {
			return err
		}
		tables, err := s.Tables(arm.Split.Tokenizer)
		if err != nil {
			return err
		}
		firsts := make([]int, len(labels))
		for i, l := range labels {
			firsts[i] = l.FirstCut
		}
		of := cutsArm{arm.Split.Size, arm.Split.Overlap, arm.Split.Tokenizer}
		for _, sample := range []string{golden.Representative, golden.Enriched} {
			var evidence []verdict.Evidence
			var qids []string
			for _, q := range s.Questions {
				if q.Sample == sample && !q.Unanswerable {
					evidence, qids = append(evidence, q.Evidence), append(qids, q.QID)
				}
			}
			if len(qids) == 0 && sample != golden.Headline(p.asked) {
				continue
			}
			survey := geometry.Take(compare.Windows(arm), tables, evidence, firsts)
			for i, qid := range qids {
				out.Questions = append(out.Questions, cutsQuestion{qid, of, survey.Questions[i]})
			}
			total := cutsTotal{cutsArm: of, Sample: sample, Placements: len(labels), Counts: survey.Total}
			for j, l := range labels {
				if grid {
					total.Phase = append(total.Phase, cutsPhase{l.String(), l.FirstCut, survey.Phases[j]})
				}
			}
			out.Totals = append(out.Totals, total)
		}
	}
	slices.SortStableFunc(out.Questions, func(x, y cutsQuestion) int {
		return cmp.Or(rate(x.Sets).Cmp(rate(y.Sets)), rate(x.Spans).Cmp(rate(y.Spans)), strings.Compare(x.QID, y.QID))
	})
	if err := a.tabular(out, out.sheet, func() error { return a.cutsText(p, out) }); err != nil {
		return err
	}
	var still []string
	for _, arm := range p.plan.Arms {
		if arm.IsControl() && len(c.size) == 0 {
			still = append(still, arm.Name)
		}
	}
	if still != nil {
		a.say("left out, since their chunks do not move: %s", strings.Join(still, ", "))
	}
	a.next("run")
	return nil
}

func (c cutting) placements(arm plan.Arm) (labels []plan.Label, grid bool, err error) {
	if c.phases == "all" {
		labels, err = plan.Labels(arm.Stride(), arm.Stride())
		return labels, false, err
	}
	n, err := strconv.Atoi(c.phases)
	if err != nil || n < 1 {
		return nil, false, usage("--phases %s: expected all or a number of placements", c.phases)
	}
	if labels, err = plan.Labels(arm.Stride(), n); err != nil {
		return nil, false, usage("--phases %d: %w", n, err)
	}
	return labels, true, nil
}

func rate(c stats.Count) *big.Rat {
	if r, ok := c.Rat(); ok {
		return r
	}
	return big.NewRat(1, 1)
}

// cutsText prints the totals and the ten worst questions.
func (a *app) cutsText(p *project, out cutsOutput) error {
	const worst = 10
	text := map[string]string{}
	for _, q := range p.asked {
		text[q.QID] = q.Text
	}
	var b strings.Builder
	rows := [][]string{{"size/overlap", "placements", "spans whole", "sets whole", "in one chunk"}}
	for _, t := range out.Totals {
		name := t.name()
		if t.Sample != golden.Representative {
			name += ", " + t.Sample
		}
		rows = append(rows, []string{name, fmt.Sprint(t.Placements), report.Share(t.Spans), report.Share(t.Sets), report.Share(t.Hull)})
		for _, ph := range t.Phase {
			rows = append(rows, []string{"  " + ph.Label, "cut " + fmt.Sprint(ph.FirstCut), report.Share(ph.Spans), report.Share(ph.Sets), report.Share(ph.Hull)})
		}
	}
	report.Columns(&b, rows)
	b.WriteString("spans: over spans x placements. sets: questions with every span of a set whole in some chunk, over questions x placements. Geometry alone: nothing was retrieved.\n\nworst:\n")
	rows = nil
	for _, q := range out.Questions[:min(worst, len(out.Questions))] {
		rows = append(rows, []string{q.QID, q.name(), "sets whole " + report.Share(q.Sets), report.Clip(text[q.QID], 60)})
	}
	report.Columns(&b, rows)
	_, err := fmt.Fprint(a.Stdout, Escape(b.String()))
	return err
}

func (c cutsArm) name() string { return fmt.Sprintf("%d/%d %s", c.Size, c.Overlap, c.Tokenizer) }
