package sweep

import (
	"strconv"

	"kerf/internal/pipeline/pack"
	"kerf/internal/stats"
	"kerf/internal/study/ledger"
	"kerf/internal/verdict"
)

// curve counts, for one placement, the headline questions that are supported
// under further budgets.
type curve struct {
	w        *Worker
	headline string
	counts   []stats.Count // by ceiling
	context  pack.Context
}

func (w *Worker) newCurve() *curve {
	return &curve{w: w, headline: w.study.headline(), counts: make([]stats.Count, len(w.study.Experiment.Budget.Curve))}
}

// add packs an answer's hits anew under every ceiling.
func (c *curve) add(a *Answer) {
	if a.Question.Unanswerable || a.Question.Sample != c.headline {
		return
	}
	rules := c.w.rules
	for i, tokens := range c.w.study.Experiment.Budget.Curve {
		rules.Budget = tokens
		rules.Pack(c.w.hit, &c.context)
		refs := c.w.refs[:0]
		for _, u := range c.context.Units {
			refs = append(refs, verdict.Ref{Doc: u.Doc, Span: u.Span})
		}
		c.w.refs = refs
		c.counts[i].Add(c.w.judge.Ranks(a.Question.Evidence, refs).UnionWS > 0)
	}
}

// rows are the curve's rows of the table measure.
func (c *curve) rows(first int, label string) []ledger.MeasureRow {
	var out []ledger.MeasureRow
	for i, tokens := range c.w.study.Experiment.Budget.Curve {
		out = append(out, ledger.MeasureRow{FirstCut: first, Label: label, Name: ledger.MeasureCurve + strconv.Itoa(tokens), Num: c.counts[i].Num, Den: c.counts[i].Den})
	}
	return out
}
