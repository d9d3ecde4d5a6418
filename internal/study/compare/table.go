package compare

import (
	"fmt"
	"math/big"

	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/ledger"
	"kerf/internal/verdict"
)

// Cells reads a run's ledger: the bytes of a table of a cell. A cell without that
// table is an error.
type Cells func(table, cell string) ([]byte, error)

// table is what the ledger says of one arm: its verdicts by question and phase,
// whichever way they were stored. Questions are all of the run, in order;
// unanswerable ones have no verdicts.
type table struct {
	labels []string
	cuts   []int
	chunks []int
	failed []bool // by phase: no result

	support, supportStrict     [][]stats.Verdict // by question, by phase
	topK, topKStrict           [][]stats.Verdict
	singleUnit, singleUnitTopK [][]stats.Verdict
	candidates                 [][]stats.Verdict
	ranks                      [][]verdict.Ranks     // of cells that are no blocks
	curve                      []map[int]stats.Count // by phase: ceiling -> headline questions supported
	feasible                   []bool
	measures                   [][]verdict.Measure // by phase

	tokens     map[int]int // evidence tokens -> contexts of the headline sample's answerable questions
	topKTokens map[int]int // the same in the top-k view
	repeated   int
	empty      stats.Count
}

// Planned is a planned placement of an arm and the cell that holds it.
type Planned struct {
	Label    string
	FirstCut int
	Cell     string
	Failed   string // why there is no result; "" where there is
	Chunks   int    // from the index manifest; of blocks from the ledger
}

// newTable is a table without results.
func newTable(questions []*golden.Question, phases []Planned) *table {
	t := &table{tokens: map[int]int{}, topKTokens: map[int]int{}, feasible: make([]bool, len(questions))}
	for _, p := range phases {
		t.labels = append(t.labels, p.Label)
		t.cuts = append(t.cuts, p.FirstCut)
		t.chunks = append(t.chunks, p.Chunks)
		t.failed = append(t.failed, p.Failed != "")
		t.measures = append(t.measures, nil)
		t.curve = append(t.curve, map[int]stats.Count{})
	}
	for i := range questions {
		t.feasible[i] = true
	}
	t.ranks = make([][]verdict.Ranks, len(questions))
	for _, rows := range t.all() {
		*rows = make([][]stats.Verdict, len(questions))
		for i, q := range questions {
			if q.Unanswerable {
				continue
			}
			(*rows)[i] = make([]stats.Verdict, len(phases))
			for j := range (*rows)[i] {
				(*rows)[i][j] = stats.Missing
			}
		}
	}
	return t
}

// all are the verdict tables in the order of ledger.VerdictNames.
func (t *table) all() []*[][]stats.Verdict {
	return []*[][]stats.Verdict{&t.support, &t.supportStrict, &t.topK, &t.topKStrict, &t.singleUnit, &t.singleUnitTopK, &t.candidates}
}

func verdictOf(yes bool) stats.Verdict {
	if yes {
		return stats.Hit
	}
	return stats.Miss
}

// reader fills tables from cells.
type reader struct {
	questions []*golden.Question
	index     map[string]int // qid -> question
	headline  string
	ks        []int
	cells     Cells
	verdicts  bool // alone: of single placements, no measures, budgets or curves
}

// phase reads the cell of one placement into column j.
func (r *reader) phase(t *table, j int, p Planned) error {
	b, err := r.cells(ledger.Verdict.Name(), p.Cell)
	if err != nil {
		return err
	}
	verdicts, _, err := ledger.Verdict.Decode(b, "qid", "support", "support_strict", "top_k", "top_k_strict", "single_unit", "single_unit_top_k",
		"single_rank", "union_rank", "union_ws_rank", "span_rank")
	if err != nil {
		return fmt.Errorf("cell %s: %w", p.Cell, err)
	}
	var tally verdict.Tally
	for _, v := range verdicts {
		i, ok := r.index[v.QID]
		if !ok || r.questions[i].Unanswerable {
			return fmt.Errorf("cell %s: question %s is none of the run's answerable ones", p.Cell, v.QID)
		}
		for n, yes := range v.Verdicts() {
			(*t.all()[n])[i][j] = verdictOf(yes)
		}
		if t.ranks[i] == nil {
			t.ranks[i] = make([]verdict.Ranks, len(t.labels))
		}
		ranks := verdict.Ranks{Single: v.SingleRank, Union: v.UnionRank, UnionWS: v.UnionWSRank, Span: v.SpanRank}
		t.ranks[i][j] = ranks
		if r.questions[i].Sample == r.headline {
			tally.Add(ranks)
		}
	}
	if r.verdicts {
		return nil
	}
	for i, q := range r.questions {
		if !q.Unanswerable && q.Sample == r.headline && t.support[i][j] == stats.Missing {
			tally.Miss()
		}
	}
	t.measures[j] = tally.Measures(r.ks)
	if b, err = r.cells(ledger.Budget.Name(), p.Cell); err != nil {
		return err
	}
	budgets, _, err := ledger.Budget.Decode(b, "qid", "evidence_tokens", "repeated_tokens", "top_k_tokens", "units", "feasible")
	if err != nil {
		return fmt.Errorf("cell %s: %w", p.Cell, err)
	}
	for _, b := range budgets {
		i, ok := r.index[b.QID]
		if !ok {
			return fmt.Errorf("cell %s: question %s is none of the run's", p.Cell, b.QID)
		}
		t.feasible[i] = b.Feasible
		if q := r.questions[i]; !q.Unanswerable && q.Sample == r.headline {
			t.tokens[b.EvidenceTokens]++
			t.topKTokens[b.TopKTokens]++
			t.repeated += b.RepeatedTokens
			t.empty.Add(b.Units == 0)
		}
	}
	return nil
}

// ceilings reads the budget curve of one placement's cell into column j.
func (r *reader) ceilings(t *table, j int, p Planned) error {
	b, err := r.cells(ledger.Measure.Name(), p.Cell)
	if err != nil {
		return err
	}
	rows, _, err := ledger.Measure.Decode(b)
	if err != nil {
		return fmt.Errorf("cell %s: %w", p.Cell, err)
	}
	for _, m := range rows {
		if tokens, ok := ceiling(m); ok {
			t.curve[j][tokens] = stats.Count{Num: m.Num, Den: m.Den}
		}
	}
	return nil
}

// block reads a cell that holds the neighbouring placements from column j on.
func (r *reader) block(t *table, j int, cell string) error {
	b, err := r.cells(ledger.PhaseBits.Name(), cell)
	if err != nil {
		return err
	}
	bits, _, err := ledger.PhaseBits.Decode(b)
	if err != nil {
		return fmt.Errorf("cell %s: %w", cell, err)
	}
	for _, row := range bits {
		i, ok := r.index[row.QID]
		if !ok || r.questions[i].Unanswerable || j+row.Phases > len(t.labels) || len(row.Bits)*8 < row.Phases {
			return fmt.Errorf("cell %s: a row of question %s does not fit the run", cell, row.QID)
		}
		for p := range row.Phases {
			yes := row.Bits[p/8]>>(p%8)&1 == 1
			if row.Measure == ledger.BitsFeasible {
				t.feasible[i] = yes
			} else if n := ledger.VerdictBits(row.Measure); n >= 0 {
				(*t.all()[n])[i][j+p] = verdictOf(yes)
			}
		}
	}
	if b, err = r.cells(ledger.Measure.Name(), cell); err != nil {
		return err
	}
	rows, _, err := ledger.Measure.Decode(b)
	if err != nil {
		return fmt.Errorf("cell %s: %w", cell, err)
	}
	for _, m := range rows {
		switch m.Name {
		case ledger.MeasureEvidence:
			t.tokens[m.Num] += m.Den
		case ledger.MeasureTopK:
			t.topKTokens[m.Num] += m.Den
		case ledger.MeasureRepeated:
			t.repeated += m.Num
		case ledger.MeasureEmpty:
			t.empty = t.empty.Plus(stats.Count{Num: m.Num, Den: m.Den})
		default:
			at := m.FirstCut - t.cuts[0]
			if at < 0 || at >= len(t.cuts) {
				return fmt.Errorf("cell %s: first cut %d is not planned", cell, m.FirstCut)
			}
			if tokens, ok := ceiling(m); ok {
				t.curve[at][tokens] = stats.Count{Num: m.Num, Den: m.Den}
				continue
			}
			if m.Name == ledger.MeasureChunks {
				t.chunks[at] = m.Num
				continue
			}
			f, err := measureOf(m)
			if err != nil {
				return fmt.Errorf("cell %s: %w", cell, err)
			}
			t.measures[at] = append(t.measures[at], f)
		}
	}
	return nil
}

// measureOf is a row of the table measure as the figure that it holds.
func measureOf(m ledger.MeasureRow) (verdict.Measure, error) {
	if m.Sum == "" {
		return verdict.Measure{Name: m.Name, Count: &stats.Count{Num: m.Num, Den: m.Den}}, nil
	}
	sum, ok := new(big.Rat).SetString(m.Sum)
	if !ok {
		return verdict.Measure{}, fmt.Errorf("measure %s: %q is no rational number", m.Name, m.Sum)
	}
	return verdict.Measure{Name: m.Name, Sum: &stats.Sum{Sum: sum, Den: m.Den}}, nil
}
