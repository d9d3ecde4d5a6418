package sweep

import (
	"context"
	"slices"

	"kerf/internal/pipeline/engine"
	"kerf/internal/pipeline/rank"
	"kerf/internal/study/ledger"
)

// find asks the arm's retrieval question i. Where kerf ranks, hits are found when
// they are read; else hits and places are filled as far as the depth of the
// experiment. It is false where a search failed that nobody can repeat: a line of
// rankings that says so.
func (w *Worker) find(ctx context.Context, i int) (found bool, err error) {
	depth := w.study.Experiment.Depth
	w.hits, w.places = w.hits[:0], w.places[:0]
	q := w.study.Questions[i]
	switch {
	case w.arm.Rankings != "":
		if found = w.given(q, depth); !found {
			return false, nil
		}
	case w.arm.Retrieve.Foreign():
		if err := w.search(ctx, q, depth+1); err != nil {
			return false, err
		}
	default:
		w.placement.Ask(i, q.Within, &w.clips[q.Reader])
		return true, nil
	}
	for len(w.places) < len(w.hits) {
		w.places = append(w.places, len(w.places)+1)
	}
	n := len(w.hits)
	for n > 0 && w.places[n-1] > depth {
		n--
	}
	w.more = n < len(w.hits)
	w.hits, w.places = w.hits[:n], w.places[:n]
	return true, nil
}

// ranks reports whether kerf ranks the arm's chunks.
func (w *Worker) ranks() bool { return w.cut != &w.own }

// read fills hits and places up to hit n, from 1, or to the last if there are not
// so many.
func (w *Worker) read(n int) {
	if n = min(n, w.study.Experiment.Depth); !w.ranks() || n <= len(w.hits) {
		return
	}
	w.hits = append(w.hits, w.placement.Hits(n)[len(w.hits):]...)
	for len(w.places) < len(w.hits) {
		w.places = append(w.places, len(w.places)+1)
	}
}

// hit is hit i, from 0.
func (w *Worker) hit(i int) (h rank.Hit, ok bool) {
	if w.read(i + 1); i >= len(w.hits) {
		return rank.Hit{}, false
	}
	return w.hits[i], true
}

// cutOff reports whether there are more hits than the depth of the experiment.
func (w *Worker) cutOff() bool {
	if !w.ranks() {
		return w.more
	}
	depth := w.study.Experiment.Depth
	return len(w.placement.Hits(depth+1)) > depth
}

// score is the score of a hit.
func (w *Worker) score(h rank.Hit) float64 {
	if !w.ranks() {
		return h.Score
	}
	return w.placement.Score(h.Slot)
}

// The kinds of violation.
const (
	violatesVersion = "version" // a version that is not pinned
	violatesAccess  = "access"  // bytes that the question's reader may not read
	violatesWithin  = "within"  // a document that the question's search leaves out
)

// given takes the hits of the arm's rankings. A hit that its question should not
// have been given is a violation: it keeps its rank, is no evidence and enters no
// context.
func (w *Worker) given(q *Question, depth int) bool {
	r := w.foreign.Rankings.Find(q.QID)
	if r == nil || r.Error != "" {
		reason := "no line in the rankings"
		if r != nil {
			reason = r.Error
		}
		w.missing = append(w.missing, ledger.MissingRow{QID: q.QID, Reason: reason})
		return false
	}
	for i, h := range r.Hits {
		kind, slot := "", int32(-1)
		if h.Doc >= 0 {
			slot = w.foreign.slot(&r.Hits[i])
		}
		switch {
		case h.Doc < 0:
			kind = violatesVersion
		case w.sight.Denied != nil && w.sight.Denied[slot] && w.sight.Pieces(slot) == nil:
			kind = violatesAccess
		case q.Within != nil && !slices.Contains(q.Within, int(h.Doc)):
			kind = violatesWithin
		}
		if kind == "" {
			w.hits = append(w.hits, rank.Hit{Doc: h.Doc, Slot: slot, Span: h.Span, Score: h.Score})
			w.places = append(w.places, i+1)
		} else if i < depth {
			w.violation = append(w.violation, ledger.ViolationRow{QID: q.QID, Kind: kind, Rank: i + 1, Doc: h.DocID, Version: h.Version, Start: h.Start, End: h.End})
		}
	}
	return true
}

// search asks the arm's engine for k hits.
func (w *Worker) search(ctx context.Context, q *Question, k int) error {
	s := w.study
	query := engine.Query{QID: q.QID, Text: q.Text, K: k, Reader: []string{s.readers[q.Reader].key()}, Docs: q.Question.Within}
	hits, err := w.foreign.Engine.Search(ctx, w.built, query)
	if err != nil {
		return err
	}
	for _, h := range hits {
		slot := w.slots[h.ID]
		w.hits = append(w.hits, rank.Hit{Doc: w.cut.Docs[slot], Slot: slot, Span: w.cut.Chunks[slot].Span, Score: h.Score})
	}
	return nil
}
