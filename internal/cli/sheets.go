package cli

import (
	"bytes"
	"io"
	"path/filepath"

	"kerf/internal/report"
	"kerf/internal/stats"
	"kerf/internal/study/score"
)

// tabular is answer for a command that has a sheet too: for --format csv, and for
// -o files that end in .csv. It is made only for these: it may be as large as v.
func (a *app) tabular(v any, sheet func() report.Sheet, text func() error) error {
	rest := *a
	rest.outputs = nil
	for _, o := range a.outputs {
		if filepath.Ext(o) != ".csv" {
			rest.outputs = append(rest.outputs, o)
		} else if err := a.writeSheet(o, sheet()); err != nil {
			return err
		}
	}
	if a.format == "csv" {
		text = func() error { return a.printSheet(sheet()) }
	}
	return rest.answer(v, text)
}

// printSheet writes a sheet to standard output; what would steer a terminal is
// named there as in any text, and only there.
func (a *app) printSheet(s report.Sheet) error {
	var b bytes.Buffer
	err := report.CSV(&b, s)
	if err == nil && a.OutTerminal {
		_, err = io.WriteString(a.Stdout, Escape(b.String()))
	} else if err == nil {
		_, err = a.Stdout.Write(b.Bytes())
	}
	return err
}

func (a *app) writeSheet(file string, s report.Sheet) error {
	var b bytes.Buffer
	if err := report.CSV(&b, s); err != nil {
		return err
	}
	return writeFile(a.path(file), b.Bytes())
}

// sheet is cuts/1, totals first.
func (out cutsOutput) sheet() report.Sheet {
	s := report.Sheet{Columns: []string{"qid", "sample", "size", "overlap", "tokenizer", "label", "measure", "num", "den", "missing"}}
	add := func(qid, sample string, arm cutsArm, label string, spans, sets, hull stats.Count) {
		for _, m := range []struct {
			name string
			stats.Count
		}{{"spans_intact", spans}, {"sets_intact", sets}, {"hull_intact", hull}} {
			s.Rows = append(s.Rows, []any{qid, sample, arm.Size, arm.Overlap, arm.Tokenizer, report.Label(label), m.name, m.Count})
		}
	}
	for _, t := range out.Totals {
		add("", t.Sample, t.cutsArm, "all", t.Spans, t.Sets, t.Hull)
		for _, p := range t.Phase {
			add("", t.Sample, t.cutsArm, p.Label, p.Spans, p.Sets, p.Hull)
		}
	}
	for _, q := range out.Questions {
		add(q.QID, "", q.cutsArm, "all", q.Spans, q.Sets, q.Hull)
	}
	return s
}

// sheet is score/1: each sample over its questions, then every question.
func (out scoreOutput) sheet() report.Sheet {
	s := report.Sheet{Columns: []string{"qid", "sample", "measure", "num", "den", "missing"}}
	add := func(qid, sample string, measures score.Measures) {
		for _, m := range measures {
			if m.Count != nil {
				s.Rows = append(s.Rows, []any{qid, sample, m.Name, *m.Count})
			} else {
				s.Rows = append(s.Rows, []any{qid, sample, m.Name, *m.Sum})
			}
		}
	}
	for _, x := range out.Samples {
		add("", x.Sample, x.Measures)
	}
	for _, q := range out.ByQuestion {
		add(q.QID, q.Sample, q.Measures)
	}
	return s
}
