package sweep

import (
	"cmp"
	"slices"

	"kerf/internal/pipeline/rank"
	"kerf/internal/verdict"
)

// touching is a hit with its rank.
type touching struct {
	rank int
	rank.Hit
}

// judgeHits is what the hits show as far as the depth of the experiment.
//
// Where kerf ranks, only those hits are looked at that share a byte with the
// evidence: another changes nothing that is covered. The first hit is looked at
// always, since a set of blanks is shown as soon as anything is.
func (w *Worker) judgeHits(q *Question) verdict.Ranks {
	w.refs, w.ranked = w.refs[:0], w.ranked[:0]
	if w.ranks() && !w.all {
		for _, t := range w.touch(q) {
			w.refer(t.Hit, t.rank)
		}
	} else {
		for i, h := range w.hits {
			w.refer(h, w.places[i])
		}
	}
	r := w.judge.Ranks(q.Evidence, w.refs)
	for _, at := range []*int{&r.Single, &r.Union, &r.UnionWS, &r.Span} {
		if *at > 0 {
			*at = w.ranked[*at-1] // a clipped hit is several intervals of one rank
		}
	}
	return r
}

func (w *Worker) refer(h rank.Hit, rank int) {
	for _, s := range w.pieces(h) {
		w.refs, w.ranked = append(w.refs, verdict.Ref{Doc: h.Doc, Span: s}), append(w.ranked, rank)
	}
}

// touch gives the first hit and those that share a byte with the evidence, in the
// order of their ranks.
func (w *Worker) touch(q *Question) []touching {
	w.touching = w.touching[:0]
	add := func(slot int32) {
		if slices.ContainsFunc(w.touching, func(t touching) bool { return t.Slot == slot }) {
			return
		}
		if r := w.placement.Rank(slot, w.study.Experiment.Depth); r > 0 {
			w.touching = append(w.touching, touching{r, rank.Hit{Doc: w.cut.Docs[slot], Slot: slot, Span: w.cut.Chunks[slot].Span}})
		}
	}
	if len(w.hits) > 0 {
		add(w.hits[0].Slot)
	}
	for _, set := range q.Evidence {
		for _, s := range set {
			w.cut.Touching(s.Doc, s.Span, add)
		}
	}
	slices.SortFunc(w.touching, func(a, b touching) int { return cmp.Compare(a.rank, b.rank) })
	return w.touching
}
