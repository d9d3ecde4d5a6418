package sweep

import (
	"reflect"
	"testing"

	"kerf/internal/pipeline/pack"
	"kerf/internal/pipeline/rank"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
)

// TestEqualContextsAreMadeOnce: rows of questions that share a context, and every
// question has one that does, are those of making each by itself.
func TestEqualContextsAreMadeOnce(t *testing.T) {
	shared := 0
	for seed := range uint64(150) {
		s, arm := randomStudy(t, seed, seed%2 == 0)
		var made [2]*rows
		for i := range made {
			w, err := s.NewWorker()
			if err != nil {
				t.Fatal(err)
			}
			made[i] = w.newRows()
			for _, first := range []int{1, arm.Stride()} {
				made[i].reset()
				if err := w.Place(t.Context(), arm, first); err != nil {
					t.Fatal(err)
				}
				err = w.Ask(t.Context(), func(_ int, a *Answer) {
					again, label := *a, *a.Question.Question
					question := *a.Question
					label.QID += " again"
					question.Question, again.Question = &label, &question
					for _, a := range []*Answer{a, &again} {
						if i == 1 {
							clear(made[i].contexts)
						}
						made[i].add(Cell{Arm: arm, Label: plan.Label{FirstCut: first}}, a)
					}
				})
				if err != nil {
					t.Fatal(err)
				}
			}
			if i == 0 {
				shared += len(made[i].budget) - len(made[i].contexts)
			}
			for slot, c := range w.cut.Chunks[:min(len(w.cut.Chunks), 40)] { // of every chunk, and of all but its end
				for _, end := range []int{c.End, c.Start} {
					if i == 1 {
						clear(made[i].contexts)
					}
					made[i].write("one", []pack.Unit{{Hit: rank.Hit{Doc: w.cut.Docs[slot], Slot: int32(slot), Span: span.Span{Start: c.Start, End: end}}}})
				}
			}
		}
		for i := range made {
			made[i].w, made[i].contexts, made[i].key, made[i].literal = nil, nil, nil, nil
		}
		if !reflect.DeepEqual(made[0], made[1]) {
			t.Fatalf("seed %d:\n%+v\nby itself\n%+v", seed, made[0], made[1])
		}
	}
	if shared < 150 {
		t.Errorf("only %d contexts were shared", shared)
	}
}
