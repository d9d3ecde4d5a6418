package compare

import (
	"fmt"
	"strconv"
	"strings"

	"kerf/internal/stats"
	"kerf/internal/study/ledger"
	"kerf/internal/study/plan"
)

// Aimed is a cell of targeted placements.
type Aimed struct {
	Cell      string
	Failed    string // why there is no result; "" where there is
	Questions []int  // the question that each of its placements is aimed at
}

// targets is what cuts aimed at the evidence do, beside the ordinary phases of
// the same questions; nil where none were asked for.
func (in Facts) targets(p Planning, t *table) (*Targets, error) {
	if in.Experiment.Phases.Target == plan.NoTargets {
		return nil, nil
	}
	out := &Targets{Unreachable: append([]string{}, p.Unreachable...)}
	headline := map[int]bool{}
	for _, i := range in.headline() {
		headline[i] = true
	}
	rows := map[int][]stats.Verdict{}
	var order []int
	for _, cell := range p.Targets {
		results, err := in.aimed(cell)
		if err != nil {
			return nil, err
		}
		for n, i := range cell.Questions {
			if !headline[i] {
				continue
			}
			if rows[i] == nil {
				order = append(order, i)
			}
			v := stats.Missing
			if results != nil {
				row := results[n]
				v = verdictOf(row.Support)
				if row.Supported != nil && row.Asked != nil {
					c := stats.Count{Num: *row.Supported, Den: *row.Asked}
					if !out.Worst.Measured || c.Num < out.Worst.Value.Support.Num {
						out.Worst = stats.Measured(Worst{row.Label, c})
					}
				}
			}
			rows[i] = append(rows[i], v)
			out.Placements++
		}
	}
	out.Questions = len(order)
	for _, i := range order {
		out.Support = out.Support.Plus(total([][]stats.Verdict{rows[i]}))
		out.Grid = out.Grid.Plus(total([][]stats.Verdict{t.support[i]}))
		over := stats.OverPhases([][]stats.Verdict{rows[i]}, len(rows[i]))
		out.Lost.Den++
		switch { // lost at some placement: not supported at every one
		case over.PerQueryWorst.Missing > 0:
			out.Lost.Missing++
		case over.PerQueryWorst.Num == 0:
			out.Lost.Num++
		}
	}
	return out, nil
}

// aimed reads a cell of targeted placements; nil where it has no result.
func (in Facts) aimed(cell Aimed) ([]ledger.TargetRow, error) {
	if cell.Failed != "" {
		return nil, nil
	}
	b, err := in.Cells(ledger.Aimed.Name(), cell.Cell)
	if err != nil {
		return nil, err
	}
	rows, _, err := ledger.Aimed.Decode(b)
	if err != nil {
		return nil, fmt.Errorf("cell %s: %w", cell.Cell, err)
	}
	if len(rows) != len(cell.Questions) {
		return nil, fmt.Errorf("cell %s: %d targets where %d were planned", cell.Cell, len(rows), len(cell.Questions))
	}
	return rows, nil
}

// curve is the support under every ceiling, the declared budget among them.
func (in Facts) curve(t *table, v View) []Ceiling {
	out := []Ceiling{}
	if len(in.Experiment.Budget.Curve) == 0 {
		return out
	}
	declared := Ceiling{in.Experiment.Budget.Tokens, v.Support, v.Ordinary()}
	for _, tokens := range in.Experiment.Budget.Curve {
		if tokens > declared.Tokens && (len(out) == 0 || out[len(out)-1].Tokens < declared.Tokens) {
			out = append(out, declared)
		}
		if tokens == declared.Tokens {
			out = append(out, declared)
			continue
		}
		c := Ceiling{Tokens: tokens}
		for j := range t.labels {
			at, ok := t.curve[j][tokens]
			if !ok {
				at = stats.Count{Den: v.Phase[j].Support.Den, Missing: v.Phase[j].Support.Den}
			}
			c.Support = c.Support.Plus(at)
			c.Ordinary = at
		}
		out = append(out, c)
	}
	if out[len(out)-1].Tokens < declared.Tokens {
		out = append(out, declared)
	}
	return out
}

// ceiling is the ceiling of a row of the table measure, if it is of the curve.
func ceiling(m ledger.MeasureRow) (tokens int, ok bool) {
	rest, ok := strings.CutPrefix(m.Name, ledger.MeasureCurve)
	if !ok {
		return 0, false
	}
	tokens, err := strconv.Atoi(rest)
	return tokens, err == nil
}
