package cli

import (
	"fmt"
	"strconv"
	"strings"

	"kerf/internal/report"
	"kerf/internal/stats"
	"kerf/internal/study/score"
	"kerf/internal/verdict"
)

func scoreText(out scoreOutput) string {
	var b strings.Builder
	if n := len(out.Violations); n > 0 {
		kinds := map[string]int{}
		for _, v := range out.Violations {
			kinds[v.Kind]++
		}
		var parts []string
		for _, kind := range []string{"version", "access", "within"} {
			if kinds[kind] > 0 {
				parts = append(parts, fmt.Sprintf("%d %s", kinds[kind], kind))
			}
		}
		fmt.Fprintf(&b, "%s: %s\n", strings.ToUpper(counted(n, "hard violation")), strings.Join(parts, ", "))
		for i, v := range out.Violations {
			if i == 10 {
				fmt.Fprintf(&b, "  … and %d more in --json\n", n-i)
				break
			}
			fmt.Fprintf(&b, "  %s: rank %d, %s %s: %s\n", v.QID, v.Rank, v.Doc, short(v.Version), violated(v.Kind))
		}
		b.WriteByte('\n')
	}
	for _, s := range out.Samples {
		name := out.File
		if out.Name != "" {
			name += " (" + out.Name + ")"
		}
		if s.Sample != "" {
			name += ", " + s.Sample
		}
		fmt.Fprintf(&b, "%s: %s, one is worth %s points\n", name, counted(s.Questions, "question"), fmt.Sprintf("%.2f", 100/float64(s.Questions)))
		rows := [][]string{{"measure", "value"}}
		for _, m := range s.Measures {
			rows = append(rows, measureRow(m))
		}
		report.Columns(&b, rows)
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "order: %s; %s with equal scores\n", out.Rule.Order, counted(out.Rule.Tied, "group"))
	switch {
	case out.Rule.Gaps == "white_space":
		b.WriteString("support and union_hit_ws bridge gaps of white space; union_hit, recall and single_hit bridge none\n")
	case out.Rule.Gaps == "strict":
		b.WriteString("support bridges no gap (ignorable: strict); union_hit_ws bridges white space\n")
	}
	if out.Rule.Others != "" {
		fmt.Fprintf(&b, "means: %s", out.Rule.Others)
		if out.Rule.Others != score.Both {
			fmt.Fprintf(&b, "; %d judged and not ranked, %d ranked and not judged, %d without a relevant document", out.Rule.NotRanked, out.Rule.NotJudged, out.Rule.NoRelevant)
		}
		b.WriteByte('\n')
	}
	if n := len(out.Failed); n > 0 {
		fmt.Fprintf(&b, "failed searches: %d, missing in every measure, no misses; the first: %s: %s\n", n, out.Failed[0].QID, report.Clip(out.Failed[0].Error, 80))
	}
	for _, l := range out.LeftOut {
		fmt.Fprintf(&b, "not asked: %s (%s)\n", counted(l.Questions, "question"), l.Reason)
	}
	if out.Controls > 0 {
		fmt.Fprintf(&b, "in no measure: %s\n", counted(out.Controls, "unanswerable question"))
	}
	for _, w := range out.Warnings {
		b.WriteString(w.String() + "\n")
	}
	return b.String()
}

func violated(kind string) string {
	switch kind {
	case "version":
		return "not the pinned version"
	case "access":
		return "its reader may not read all of it"
	case "within":
		return "outside of the documents that the question is limited to"
	}
	panic("BUG: no such violation: " + kind)
}

// measureRow is a row of the table: name, value, rate.
func measureRow(m verdict.Measure) []string {
	if m.Count != nil {
		return []string{m.Name, report.Share(*m.Count)}
	}
	sum := m.Sum.Sum.RatString()
	if exact, _ := m.Sum.Sum.Float64(); len(sum) > 16 || score.Irrational(m.Name) {
		sum = strconv.FormatFloat(exact, 'f', 4, 64)
	}
	value := fmt.Sprintf("sum %s of %d", sum, m.Sum.Den)
	if m.Sum.Missing > 0 {
		value += fmt.Sprintf(", %d missing", m.Sum.Missing)
	}
	rate := stats.NotMeasured
	if f, ok := m.Sum.Rate(); ok {
		rate = fmt.Sprintf("%.4f", f)
	}
	return []string{m.Name, value + ", mean " + rate}
}
