package report

import (
	"slices"
	"strings"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
)

// Sheet is a table for CSV: every row fills the columns.
type Sheet struct {
	Columns []string
	Rows    [][]any
}

// Label is the name of a placement in a sheet: "3of8", since a spreadsheet would
// take 3/8 for a day.
func Label(label string) string { return strings.Replace(label, "/", "of", 1) }

// ReportSheet is every figure of a report, one a row: views, segments and samples
// of each arm over all placements and at each, the measures of the raw ranking,
// and what the cuts alone do. It holds no text of a question or document.
func ReportSheet(r *compare.Report) Sheet {
	s := Sheet{Columns: []string{"arm", "view", "sample", "segment", "label", "measure", "num", "den", "missing"}}
	for i := range r.Arms {
		arm := &r.Arms[i]
		row := func(view, sample, segment, label, measure string, figure ...any) {
			s.Rows = append(s.Rows, append([]any{arm.Arm, view, sample, segment, Label(label), measure}, figure...))
		}
		for _, name := range []string{"budget", "top_k"} {
			v := arm.View(name)
			all := func(measure string, figure ...any) { row(name, r.Sample, "", "all", measure, figure...) }
			all("support", v.Support)
			all("support_strict", v.SupportStrict)
			all("per_query_worst", v.PerQueryWorst)
			all("per_query_best", v.PerQueryBest)
			all("flips", moving(v.Flips)...)
			all("disagreement", moving(v.Disagreement)...)
			all("single_unit", v.SingleUnit)
			all("support_feasible", v.SupportFeasible)
			for _, p := range v.Phase {
				row(name, r.Sample, "", p.Label, "support", p.Support)
			}
		}
		for _, part := range slices.Concat(arm.Segments, arm.Samples) {
			if part.Segment+part.Dependency == "" && part.Sample == r.Sample {
				continue // the view itself
			}
			name := part.Segment
			if part.Dependency != "" {
				name = "dependency " + part.Dependency
			}
			row("budget", part.Sample, name, "all", "support", part.Support)
			row("budget", part.Sample, name, "ordinary", "support", part.Ordinary)
			row("budget", part.Sample, name, "all", "flips", moving(part.Flips)...)
		}
		for _, phase := range arm.Measures {
			for _, m := range phase.List {
				if m.Count != nil {
					row("ranking", r.Sample, "", phase.Label, m.Name, *m.Count)
				} else {
					row("ranking", r.Sample, "", phase.Label, m.Name, *m.Sum)
				}
			}
		}
		row("cuts", r.Sample, "", "all", "spans_intact", measured(arm.Geometry.SpansIntact)...)
		row("cuts", r.Sample, "", "all", "sets_intact", measured(arm.Geometry.SetsIntact)...)
		row("cuts", r.Sample, "", "all", "hull_intact", measured(arm.Geometry.HullIntact)...)
	}
	return s
}

// moving are the cells of a figure that needs two placements.
func moving[T any](m compare.Moving[T]) []any {
	if !m.Applies {
		return []any{compare.NotApplicable, "", ""}
	}
	return []any{m.Value}
}

// measured are the cells of a figure that may not have been measured.
func measured[T any](m stats.Maybe[T]) []any {
	if !m.Measured {
		return []any{stats.NotMeasured, "", ""}
	}
	return []any{m.Value}
}
