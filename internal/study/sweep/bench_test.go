package sweep

import (
	"testing"

	"kerf/internal/study/plan"
)

// BenchmarkPhase is one placement of windows of 256 tokens over chroma-general:
// placing, ranking, packing and judging 472 questions, without a ledger.
func BenchmarkPhase(b *testing.B) {
	docs, questions := load(b, "chroma-general")
	s, err := New(plan.Default(), docs, questions, nil)
	if err != nil {
		b.Fatal(err)
	}
	w, err := s.NewWorker()
	if err != nil {
		b.Fatal(err)
	}
	arm := s.Experiment.Arms[0]
	supported, first := 0, 0
	for b.Loop() {
		first = first%arm.Stride() + 1
		if err := w.Place(b.Context(), arm, first); err != nil {
			b.Fatal(err)
		}
		if err := w.Ask(b.Context(), func(_ int, a *Answer) {
			if a.Supported() {
				supported++
			}
		}); err != nil {
			b.Fatal(err)
		}
	}
	if supported == 0 {
		b.Fatal("nothing is supported")
	}
}
