package score

import (
	"testing"

	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/text/span"
	"kerf/internal/verdict"
)

// TestCharacters against one question at a time: the hits in code points, those
// of older versions nowhere, failed searches missing, samples apart.
func TestCharacters(t *testing.T) {
	older, failed, two := 0, 0, 0
	for seed := range uint64(300) {
		s := draw(seed)
		got := Characters(s.f, s.questions, s.c, []int{1, 3})
		texts := []string{}
		ordinal := map[string]int32{}
		for i, d := range s.c.Documents {
			ordinal[d.Doc] = int32(i)
			texts = append(texts, d.Text)
		}
		c := verdict.InCharacters(texts)
		notPinned, next := 0, 0
		for _, sample := range golden.Samples() {
			for _, k := range []int{1, 3} {
				var recall []float64
				missing := 0
				for _, q := range s.questions {
					r := s.f.Find(q.QID)
					for _, h := range r.Hits {
						if h.Older() && k == 1 && q.Sample == sample {
							notPinned++
						}
					}
					if q.Sample != sample || q.Unanswerable {
						continue
					}
					if r.Error != "" {
						missing++
						continue
					}
					var hits, believed, references []verdict.Ref
					for i, h := range r.Hits {
						if i < k && !h.Older() {
							hits = append(hits, c.Place(verdict.Ref{Doc: h.Doc, Span: h.Span}))
							believed = append(believed, c.FirstPlace(verdict.Ref{Doc: h.Doc, Span: h.Span}))
						}
					}
					seen := map[verdict.Ref]bool{}
					for _, set := range q.Support {
						for _, sp := range set {
							if r := c.Place(verdict.Ref{Doc: ordinal[sp.Doc], Span: span.Span(sp.Bytes)}); !seen[r] {
								seen[r] = true
								references = append(references, r)
							}
						}
					}
					want := ChromaQuestion{q.QID, k, verdict.Exact.Retrieved(hits, references), verdict.Imitated.Retrieved(believed, references)}
					if got.Questions[next] != want {
						t.Fatalf("seed %d: %+v, want %+v", seed, got.Questions[next], want)
					}
					next++
					recall = append(recall, float64(want.Exact.Found)/float64(want.Exact.Of))
				}
				failed += missing
				if len(recall)+missing == 0 {
					continue
				}
				if sample == golden.Enriched {
					two++
				}
				row := got.Rows[0]
				got.Rows = got.Rows[2:]
				if row.Sample != sample || row.K != k || row.Definition != verdict.Exact || row.Missing != missing || row.Recall != stats.SpreadOf(recall) {
					t.Fatalf("seed %d: %+v, want %s at %d: %v, %d missing", seed, row, sample, k, stats.SpreadOf(recall), missing)
				}
			}
		}
		if got.NotPinned != notPinned || next != len(got.Questions) || len(got.Rows) > 0 {
			t.Fatalf("seed %d: %d hits of older versions, want %d; %d questions more, rows %v", seed, got.NotPinned, notPinned, len(got.Questions)-next, got.Rows)
		}
		older += notPinned
	}
	if older == 0 || failed == 0 || two == 0 {
		t.Errorf("the draws are too tame: %d older, %d failed, %d of the second sample", older, failed, two)
	}
}
