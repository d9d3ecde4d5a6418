package compare

import (
	"testing"

	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/ledger"
)

// The tokens of both views are counted from the ledger, by cells and by blocks.
func TestContextTokens(t *testing.T) {
	questions := []*golden.Question{{QID: "a"}, {QID: "b"}}
	r := reader{questions: questions, index: map[string]int{"a": 0, "b": 1}}
	files := map[string][]byte{
		"verdict":    ledger.Verdict.Encode("i", []ledger.VerdictRow{{QID: "a"}, {QID: "b"}}),
		"budget":     ledger.Budget.Encode("i", []ledger.BudgetRow{{QID: "a", EvidenceTokens: 5, TopKTokens: 700, Units: 1}, {QID: "b", EvidenceTokens: 3, TopKTokens: 900, Units: 1}}),
		"phase_bits": ledger.PhaseBits.Encode("i", nil),
		"measure": ledger.Measure.Encode("i", []ledger.MeasureRow{
			{Name: ledger.MeasureEvidence, Num: 3, Den: 1}, {Name: ledger.MeasureEvidence, Num: 5, Den: 1},
			{Name: ledger.MeasureTopK, Num: 700, Den: 1}, {Name: ledger.MeasureTopK, Num: 900, Den: 1},
			{Name: ledger.MeasureEmpty, Den: 2}}),
	}
	r.cells = func(table, cell string) ([]byte, error) { return files[table], nil }
	phases := []Planned{{Label: "1/1", Cell: "c"}}
	for name, read := range map[string]func(*table) error{
		"cell":  func(t *table) error { return r.phase(t, 0, phases[0]) },
		"block": func(t *table) error { return r.block(t, 0, "c") },
	} {
		table := newTable(questions, phases)
		if err := read(table); err != nil {
			t.Fatal(name, err)
		}
		in := Facts{Questions: questions}
		budget := in.view(table, []int{0, 1}, table.tokens, table.support, table.supportStrict, table.singleUnit).ContextTokens
		topK := in.view(table, []int{0, 1}, table.topKTokens, table.topK, table.topKStrict, table.singleUnitTopK).ContextTokens
		if budget != stats.Measured(Quantile{P50: 3, P95: 5, Den: 2}) || topK != stats.Measured(Quantile{P50: 700, P95: 900, Den: 2}) {
			t.Errorf("%s: %+v, %+v", name, budget, topK)
		}
	}
}
