package sweep

import (
	"context"
	"maps"
	"slices"

	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/ledger"
	"kerf/internal/study/plan"
	"kerf/internal/verdict"
)

// recordBlock runs the placements of a block. Their verdicts are kept as bits
// and their measures as counts; hits and contexts can be had again at any time.
func (w *Worker) recordBlock(ctx context.Context, c Cell) (map[string][]byte, error) {
	s := w.study
	b := newBlock(s, c)
	var described *IndexManifest
	for i := range c.Block {
		first := c.Label.FirstCut + i
		if err := w.Place(ctx, c.Arm, first); err != nil {
			return nil, err
		}
		if i == 0 {
			described = w.indexManifest(c)
		}
		var t verdict.Tally
		curve := w.newCurve()
		err := w.Ask(ctx, func(q int, a *Answer) {
			b.add(i, q, a, &t)
			curve.add(a)
		})
		if err != nil {
			return nil, err
		}
		b.measures = append(b.measures, curve.rows(first, plan.Label{J: first, P: c.Arm.Stride()}.String())...)
		b.phase(first, plan.Label{J: first, P: c.Arm.Stride()}.String(), w.cut.N, t.Measures(s.Experiment.K))
	}
	manifest := described.encode(w)
	index := ledger.Object(manifest)
	return map[string][]byte{
		indexFile:               manifest,
		ledger.PhaseBits.Name(): ledger.PhaseBits.Encode(index, b.bitRows(s, c)),
		ledger.Measure.Name():   ledger.Measure.Encode(index, append(b.measures, b.contextRows()...)),
	}, nil
}

type block struct {
	headline string
	atK      int
	names    []string
	bits     [][][]byte // by name, by question
	measures []ledger.MeasureRow
	evidence map[int]int // tokens -> contexts
	topK     map[int]int // the same in the top-k view
	repeated int
	empty    stats.Count
}

func newBlock(s *Study, c Cell) *block {
	b := &block{headline: s.headline(), atK: s.Experiment.AtK, names: append(slices.Clone(ledger.VerdictNames), ledger.BitsFeasible), evidence: map[int]int{}, topK: map[int]int{}}
	b.bits = make([][][]byte, len(b.names))
	for n := range b.bits {
		b.bits[n] = make([][]byte, len(s.Questions))
		for q := range b.bits[n] {
			b.bits[n][q] = make([]byte, (c.Block+7)/8)
		}
	}
	return b
}

// headline is the sample that headline figures are over.
func (s *Study) headline() string {
	all := make([]*golden.Question, len(s.Questions))
	for i, q := range s.Questions {
		all[i] = q.Question
	}
	return golden.Headline(all)
}

func (b *block) add(i, q int, a *Answer, t *verdict.Tally) {
	if a.Question.Unanswerable {
		return
	}
	verdicts := []bool{a.Supported(), a.Strict(), Within(a.Ranking.UnionWS, b.atK), Within(a.Ranking.Union, b.atK),
		a.Shown.Single > 0, Within(a.Ranking.Single, b.atK), a.Ranking.UnionWS > 0, a.Question.Feasible}
	for n, yes := range verdicts {
		if yes {
			b.bits[n][q][i/8] |= 1 << (i % 8)
		}
	}
	if a.Question.Sample != b.headline {
		return
	}
	t.Add(a.Ranking)
	b.evidence[a.Context.Tokens]++
	b.topK[a.TopK]++
	b.repeated += a.Repeated
	b.empty.Add(len(a.Context.Units) == 0)
}

func (b *block) bitRows(s *Study, c Cell) []ledger.PhaseBitsRow {
	var out []ledger.PhaseBitsRow
	for q, question := range s.Questions {
		if question.Unanswerable {
			continue
		}
		for n, name := range b.names {
			out = append(out, ledger.PhaseBitsRow{QID: question.QID, Measure: name, FirstCut: c.Label.FirstCut, Phases: c.Block, Bits: b.bits[n][q]})
		}
	}
	return out
}

func (b *block) contextRows() []ledger.MeasureRow {
	var out []ledger.MeasureRow
	add := func(name string, contexts map[int]int) {
		for _, tokens := range slices.Sorted(maps.Keys(contexts)) {
			out = append(out, ledger.MeasureRow{Name: name, Num: tokens, Den: contexts[tokens]})
		}
	}
	add(ledger.MeasureEvidence, b.evidence)
	add(ledger.MeasureTopK, b.topK)
	return append(out, ledger.MeasureRow{Name: ledger.MeasureRepeated, Num: b.repeated, Den: b.empty.Den},
		ledger.MeasureRow{Name: ledger.MeasureEmpty, Num: b.empty.Num, Den: b.empty.Den})
}

// phase keeps the measures of one placement.
func (b *block) phase(first int, label string, chunks int, measures []verdict.Measure) {
	b.measures = append(b.measures, ledger.MeasureRow{FirstCut: first, Label: label, Name: ledger.MeasureChunks, Num: chunks})
	for _, m := range measures {
		row := ledger.MeasureRow{FirstCut: first, Label: label, Name: m.Name}
		if m.Sum != nil {
			row.Sum, row.Den = m.Sum.Sum.RatString(), m.Sum.Den
		} else {
			row.Num, row.Den = m.Count.Num, m.Count.Den
		}
		b.measures = append(b.measures, row)
	}
}
