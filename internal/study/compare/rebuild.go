package compare

import (
	"fmt"
	"slices"

	"kerf/internal/stats"
	"kerf/internal/study/ledger"
)

// Rebuild is how far two indexes differ that another engine built of the same
// chunks, those of the ordinary placement: its own noise (requirements 5.10).
// Counts are over the questions that headline figures are over.
type Rebuild struct {
	Rankings stats.Count `json:"rankings"` // questions with other hits, or in another order, as far as the views read
	Support  stats.Count `json:"support"`  // questions with another verdict in the budget view
	TopK     stats.Count `json:"top_k"`    // in the top-k view
}

// rebuild compares the two builds of an arm; nil where it has no second one.
func (in Facts) rebuild(p Planning) (*stats.Maybe[Rebuild], error) {
	if p.Rebuild == nil {
		return nil, nil
	}
	first := p.Phases[len(p.Phases)-1]
	if first.Failed != "" || p.Rebuild.Failed != "" {
		return &stats.Maybe[Rebuild]{}, nil
	}
	var out Rebuild
	hits, err := both(in, ledger.Retrieval, first, *p.Rebuild, func(r ledger.RetrievalRow) (string, ledger.RetrievalRow) {
		return r.QID, ledger.RetrievalRow{Rank: r.Rank, Doc: r.Doc, Start: r.Start, End: r.End}
	})
	if err != nil {
		return nil, err
	}
	verdicts, err := both(in, ledger.Verdict, first, *p.Rebuild, func(r ledger.VerdictRow) (string, [2]bool) {
		return r.QID, [2]bool{r.Support, r.TopK}
	})
	if err != nil {
		return nil, err
	}
	for _, i := range in.headline() {
		q := in.Questions[i]
		out.Rankings.Add(!slices.Equal(hits[0][q.QID], hits[1][q.QID]))
		if a, b := verdicts[0][q.QID], verdicts[1][q.QID]; len(a) == 1 && len(b) == 1 {
			out.Support.Add(a[0][0] != b[0][0])
			out.TopK.Add(a[0][1] != b[0][1])
		}
	}
	m := stats.Measured(out)
	return &m, nil
}

// both reads a table of two cells, rows by question as see sees them.
func both[R any, S comparable](in Facts, t *ledger.Table[R], a, b Planned, see func(R) (qid string, seen S)) (out [2]map[string][]S, err error) {
	for i, p := range []Planned{a, b} {
		content, err := in.Cells(t.Name(), p.Cell)
		if err != nil {
			return out, err
		}
		rows, _, err := t.Decode(content)
		if err != nil {
			return out, fmt.Errorf("cell %s: %w", p.Cell, err)
		}
		out[i] = map[string][]S{}
		for _, r := range rows {
			qid, seen := see(r)
			out[i][qid] = append(out[i][qid], seen)
		}
	}
	return out, nil
}
