package sweep

import (
	"context"

	"kerf/internal/study/plan"
)

// Deployed is an arm as it would be deployed: one index of its own, at the
// ordinary cuts. It is not safe for concurrent use.
type Deployed struct{ worker *Worker }

// Deploy indexes the corpus for an arm; an engine holds it as "deployed.ARM", so
// arms may share one. An arm of rankings has nothing to deploy.
//
// What the study computes on first use, token tables and positional index, it
// computes here: a study of its own for each arm makes that a part of each.
func (s *Study) Deploy(ctx context.Context, arm plan.Arm) (*Deployed, error) {
	w, err := s.NewWorker()
	if err != nil {
		return nil, err
	}
	first := 0
	if !arm.IsControl() {
		first = arm.Stride()
	}
	if err := w.placeAt(ctx, arm, "deployed."+arm.Name, "1/1", s.firstCuts(arm, first)); err != nil {
		_ = w.release(context.WithoutCancel(ctx)) // an index that is none
		return nil, err
	}
	if w.ranks() && len(s.Questions) > 0 {
		if _, err := w.find(ctx, 0); err != nil { // where chunks are many the first question makes what all need
			return nil, err
		}
	}
	return &Deployed{w}, nil
}

// Chunks is how many chunks the index holds.
func (d *Deployed) Chunks() int { return d.worker.cut.N }

// Search ranks the chunks for question i of the study as a run does, and gives the
// number of hits, at most the experiment's depth.
func (d *Deployed) Search(ctx context.Context, i int) (hits int, err error) {
	w := d.worker
	if _, err = w.find(ctx, i); err != nil {
		return 0, err
	}
	w.read(w.study.Experiment.Depth)
	for i, h := range w.hits {
		w.hits[i].Score = w.score(h)
	}
	return len(w.hits), nil
}

// Drop forgets the index.
func (d *Deployed) Drop(ctx context.Context) error { return d.worker.release(ctx) }
