package cli

import (
	"fmt"
	"io"
	"math/big"
	"slices"
	"strings"

	"kerf/internal/report"
	"kerf/internal/stats"
	"kerf/internal/study/diff"
)

// mostChanges is how many lost questions are named, and how many gained ones.
const mostChanges = 5

// diffText is one sentence, one small table, what became of the first questions
// that were lost, and what a reader must know.
func (a *app) diffText(d *diff.Diff) error {
	var b strings.Builder
	base, cand := report.Clip(d.Baseline.Given, 40), report.Clip(d.Candidate.Given, 40)
	b.WriteString(diffSentence(d, base, cand) + "\n\n")
	rows := [][]string{{"", base, cand, "difference", "95 % CI, points", "gained", "lost"}}
	for i := range d.Effects {
		e := &d.Effects[i]
		if e.Sample != d.Sample || e.IsPart() || !shownEffect(e) {
			continue
		}
		ci := stats.NotMeasured
		if v := e.CI; v.Measured {
			ci = inPoints(v.Value.Lo) + " to " + inPoints(v.Value.Hi)
		}
		rows = append(rows, []string{effectName(e), report.Mean(e.Baseline.Value), report.Mean(e.Candidate.Value), report.Difference(e.Difference), ci, fmt.Sprint(e.Gained), fmt.Sprint(e.Lost)})
	}
	report.Columns(&b, rows)
	if h := &d.Effects[0]; h.CI.Measured {
		v := h.CI.Value
		fmt.Fprintf(&b, "questions: %d, the %s sample, in %s, the largest with %d; resampled: %s; estimand %s; design effect %.2f, %.1f effective questions; bootstrap beside it: %s\n",
			h.Difference.Den, d.Sample, counted(d.Clusters.Count, d.Clusters.Unit), d.Clusters.Largest.Num, v.Unit, v.Estimand, v.DEFF, v.Effective, bootstrapText(h))
	}
	b.WriteByte('\n')
	for _, kind := range []string{"lost", "gained"} {
		changesText(&b, d, kind, base, cand)
	}
	stripsText(&b, d, base, cand)
	if x := d.Exploratory; x != nil {
		e := &d.Effects[x.Effect]
		fmt.Fprintf(&b, "exploratory: the largest of %d differences of parts is %s, %s: %s; %s. It was chosen for its size, which its interval does not know\n",
			x.Cells, partName(e), effectName(e), report.Difference(e.Difference), report.Interval(e.CI))
	}
	for _, w := range d.Warnings {
		fmt.Fprintf(&b, "warning %s: %s\n", w.Code, w.Message)
	}
	_, err := io.WriteString(a.Stdout, Escape(b.String()))
	return err
}

// diffSentence names no arm as ahead where the interval holds 0.
func diffSentence(d *diff.Diff, base, cand string) string {
	e := &d.Effects[0]
	where := "at the ordinary cuts"
	if e.Placement == "all" {
		where = "over the placements of the cuts"
	}
	figures := fmt.Sprintf("%s (%s)", report.Difference(e.Difference), report.Interval(e.CI))
	switch v := e.CI.Value; {
	case !e.CI.Measured:
		return fmt.Sprintf("%s against %s: not measured, no question has a result on both sides.", cand, base)
	case v.Lo > 0:
		return fmt.Sprintf("%s keeps more evidence whole than %s, %s: %s.", cand, base, where, figures)
	case v.Hi < 0:
		return fmt.Sprintf("%s keeps less evidence whole than %s, %s: %s.", cand, base, where, figures)
	}
	return fmt.Sprintf("%s and %s are not told apart, %s: %s.", cand, base, where, figures)
}

// shownEffect says whether the table has a row of a measure; the others stand in
// --json.
func shownEffect(e *diff.Effect) bool {
	switch e.Measure {
	case "support":
		return e.View == "budget" || e.Placement == "ordinary"
	case "flips", "per_query_worst":
		return e.View == "budget"
	case "mrr":
		return e.Placement == "ordinary"
	}
	return false
}

func effectName(e *diff.Effect) string {
	name := map[string]string{"support": "whole evidence", "flips": "come and go", "per_query_worst": "whole everywhere"}[e.Measure]
	if name == "" {
		name = e.Measure
	}
	if e.Measure == "support" {
		name += map[string]string{"budget": "", "top_k": ", first k hits"}[e.View]
		name += map[string]string{"all": ", all placements", "ordinary": ", ordinary cuts"}[e.Placement]
	}
	return name
}

func partName(e *diff.Effect) string {
	if e.Dependency != "" {
		return e.Sample + " dependency " + e.Dependency
	}
	return e.Sample + " segment " + e.Segment
}

// inPoints is a share in points, with its sign.
func inPoints(f float64) string { return fmt.Sprintf("%+.1f", 100*f) }

func bootstrapText(e *diff.Effect) string {
	b := e.Bootstrap.Value
	out := "percentile " + inPoints(b.Percentile.Low) + " to " + inPoints(b.Percentile.High)
	if b.BCa.Measured {
		out += ", BCa " + inPoints(b.BCa.Value.Low) + " to " + inPoints(b.BCa.Value.High)
	}
	if b.Degenerate {
		out += ", degenerate"
	}
	return out
}

// changesText names the first questions of the budget view that were lost, or
// gained, each with its cause in the arm that does not have it.
func changesText(b *strings.Builder, d *diff.Diff, kind, base, cand string) {
	var lines []string
	for _, c := range d.Changes {
		if c.View != "budget" || c.Change != kind {
			continue
		}
		arm, s := cand, c.Candidate
		if kind == "gained" {
			arm, s = base, c.Baseline
		}
		line := fmt.Sprintf("  %s  in %s: %s", c.QID, arm, s.Cause)
		switch {
		case s.WholeAt == nil:
		case *s.WholeAt == 0:
			line += "; never whole among the ranked hits"
		default:
			line += fmt.Sprintf("; whole with the first %d hits", *s.WholeAt)
		}
		if c.Baseline.Placements+c.Candidate.Placements > 2 {
			line += fmt.Sprintf(" (placements: whole at %d of %d, then %d of %d)", c.Baseline.Hits, c.Baseline.Placements, c.Candidate.Hits, c.Candidate.Placements)
		}
		lines = append(lines, line)
	}
	if len(lines) == 0 {
		return
	}
	fmt.Fprintf(b, "%s at the ordinary cuts: %s\n", kind, counted(len(lines), "question"))
	for i, line := range lines {
		if i == mostChanges {
			fmt.Fprintf(b, "  … and %d more in --json\n", len(lines)-i)
			break
		}
		b.WriteString(line + "\n")
	}
}

// stripsText is the worst placements: a stress reading.
func stripsText(b *strings.Builder, d *diff.Diff, base, cand string) {
	for _, s := range d.Strips {
		if s.View != "budget" || len(s.Phase) < 2 || !s.Worst.Measured {
			continue
		}
		arm, chosen := base, 0
		if s.Arm == "candidate" {
			arm = cand
		}
		for _, c := range s.Chosen {
			if c.Label == s.Worst.Value.Label {
				chosen = c.Draws
			}
		}
		fmt.Fprintf(b, "worst placement of %s: %s, %s; the worst in %s of %s draws", arm, s.Worst.Value.Label, report.Share(s.Worst.Value.Support), report.Number(chosen), report.Number(d.Draws))
		if v := s.Variance; v.Measured {
			fmt.Fprintf(b, "; variance: question %s, placement %s, both together %s of all", percentOf(v.Value.Question), percentOf(v.Value.Phase), percentOf(v.Value.QuestionPhase))
		}
		b.WriteByte('\n')
	}
	for _, x := range d.Anchored {
		if x.View == "budget" && len(d.Strips[0].Phase)+len(d.Strips[1].Phase) > 2 {
			fmt.Fprintf(b, "every placement of %s against the mean of %s: the least at %s, %s; one-sided 97.5 %% bound of all of them %s points\n", cand, base, x.Label, report.Difference(x.Difference), inPoints(x.Lo))
		}
	}
}

// percentOf is a share "a/b" in per cent.
func percentOf(share string) string {
	r, ok := new(big.Rat).SetString(share)
	if !ok {
		return share
	}
	return r.Mul(r, big.NewRat(100, 1)).FloatString(1) + " %"
}

// diffNext is the command to go on with: the first lost question, where its run
// is of this kerf.yaml; else the candidate's own figures.
func diffNext(d *diff.Diff) []string {
	if d.Candidate.Run == "" {
		return []string{"score", d.Candidate.Given}
	}
	for _, c := range d.Changes {
		if c.Change == "lost" && c.View == "budget" && !strings.HasPrefix(c.QID, "-") {
			return []string{"explain", c.QID, "--arm", d.Candidate.Arm}
		}
	}
	return []string{"view", d.Candidate.Run, "-o", "report.html"}
}

// diffSheet is the effects, one a row.
func diffSheet(d *diff.Diff) report.Sheet {
	s := report.Sheet{Columns: []string{"measure", "view", "placement", "sample", "segment", "dependency", "lo", "hi", "method", "estimand", "clusters", "gained", "lost", "num", "den", "missing"}}
	for _, e := range d.Effects {
		ci := []any{"", "", stats.NotMeasured, "", ""}
		if v := e.CI.Value; e.CI.Measured {
			ci = []any{v.Lo, v.Hi, v.Method, v.Estimand, v.Clusters}
		}
		s.Rows = append(s.Rows, slices.Concat([]any{e.Measure, e.View, e.Placement, e.Sample, e.Segment, e.Dependency}, ci, []any{e.Gained, e.Lost, e.Difference}))
	}
	return s
}
