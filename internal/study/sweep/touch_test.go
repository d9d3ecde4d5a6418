package sweep

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"kerf/internal/pipeline/pack"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
	"kerf/internal/verdict"
)

// TestHitsThatTouchAreEnough: the hits that are read, and of the others those that
// touch the evidence, give the answers that all hits give. Some evidence is blank,
// some lies anywhere.
func TestHitsThatTouchAreEnough(t *testing.T) {
	blank, deep := 0, 0
	for seed := range uint64(400) {
		s, arm := randomStudy(t, seed, seed%3 == 0)
		rng := rand.New(rand.NewPCG(seed, 5))
		s.Experiment.K, s.Experiment.AtK = []int{1 + rng.IntN(3)}, 1+rng.IntN(3)
		for _, q := range s.Questions {
			if rng.IntN(2) == 0 {
				continue
			}
			q.Unanswerable, q.Evidence = false, nil
			for range 1 + rng.IntN(3) {
				var set []verdict.Ref
				for range rng.IntN(3) {
					d := rng.IntN(len(s.texts))
					a, b := rng.IntN(len(s.texts[d])+1), rng.IntN(len(s.texts[d])+1)
					set = append(set, verdict.Ref{Doc: int32(d), Span: span.Span{Start: min(a, b), End: max(a, b)}})
				}
				q.Evidence = append(q.Evidence, set)
			}
		}
		var answers [2][]string
		for i := range answers {
			w, err := s.NewWorker()
			if err == nil {
				err = w.Place(t.Context(), arm, arm.Stride())
			}
			if err != nil {
				t.Fatal(err)
			}
			w.all = i == 1
			err = w.Ask(t.Context(), func(_ int, a *Answer) {
				if w.all {
					deep += max(0, len(a.Hits)-len(a.Context.Outcomes)-5)
				}
				if len(a.Hits) > 0 && a.Ranking.UnionWS == 1 && a.Ranking.Span == 0 {
					blank++
				}
				answers[i] = append(answers[i], fmt.Sprint(a.Ranking, a.Shown, a.Repeated, a.TopK, a.Context))
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		equal(t, fmt.Sprintf("seed %d: answers", seed), answers[0], answers[1])
	}
	if blank == 0 || deep == 0 {
		t.Errorf("%d answers show what is blank, %d hits are not read: nothing was put to the test", blank, deep)
	}
}

// TestFirstHitShowsBlanks: evidence of nothing but blanks is shown by any hit.
func TestFirstHitShowsBlanks(t *testing.T) {
	s := three(t)
	q := s.Questions[1]
	q.Evidence = verdict.Evidence{{{Doc: 1, Span: span.Span{Start: 22, End: 23}}}}
	w, err := s.NewWorker()
	if err == nil {
		err = w.Place(t.Context(), plan.Arm{Name: "arm", Split: plan.Split{By: "tokens", Tokenizer: "codepoints", Size: 22, Edge: "drop-contained"}, Retrieve: plan.Retrieve{By: "bm25"}}, 22)
	}
	var a Answer
	if err == nil {
		_, err = w.ask(t.Context(), 1, &a)
	}
	if want := (verdict.Ranks{UnionWS: 1}); err != nil || a.Ranking != want {
		t.Errorf("%+v, %v; want %+v", a.Ranking, err, want)
	}
}

// TestCutOff: where packing has read every hit it says whether there are more than
// the depth; and the first at_k hits are counted where no cut-off goes so far.
func TestCutOff(t *testing.T) {
	s := three(t)
	arm := plan.Arm{Name: "arm", Split: plan.Split{By: "tokens", Tokenizer: "codepoints", Size: 10, Edge: "drop-contained"}, Retrieve: plan.Retrieve{By: "bm25"}}
	for depth, end := range map[int]pack.End{1: pack.EndDepth, 2: pack.EndHits, 3: pack.EndHits} { // two hits
		s.Experiment.Depth = depth
		w, err := s.NewWorker()
		if err == nil {
			err = w.Place(t.Context(), arm, 10)
		}
		var a Answer
		if err == nil {
			_, err = w.ask(t.Context(), 1, &a)
		}
		if err != nil || a.Context.End != end || len(a.Hits) != min(depth, 2) {
			t.Errorf("depth %d: %s after %d hits, %v; want %s", depth, a.Context.End, len(a.Hits), err, end)
		}
	}
	s.Experiment.Depth, s.Experiment.K, s.Experiment.AtK, s.Experiment.Budget.Tokens = 5, []int{1}, 2, 5
	w, err := s.NewWorker()
	if err == nil {
		err = w.Place(t.Context(), arm, 10)
	}
	var a Answer
	if err == nil {
		_, err = w.ask(t.Context(), 1, &a)
	}
	if err != nil || a.TopK != 20 || len(a.Context.Units) != 0 {
		t.Errorf("%d tokens of the first two hits, %d units, %v; want 20 and none", a.TopK, len(a.Context.Units), err)
	}
}
