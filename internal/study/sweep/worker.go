package sweep

import (
	"fmt"
	"strconv"

	"kerf/internal/pipeline/lexical"
	"kerf/internal/pipeline/pack"
	"kerf/internal/pipeline/rank"
	"kerf/internal/study/compare"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
	"kerf/internal/text/token"
	"kerf/internal/verdict"
)

// Worker evaluates cells, one after another, reusing its memory. It is not safe
// for concurrent use: one a core.
type Worker struct {
	study   *Study
	counter []*token.Table
	format  pack.Format
	rules   pack.Rules
	judge   verdict.Judge

	arm       plan.Arm
	placement *lexical.Placement
	view      *lexical.View
	sights    []lexical.Sight // by reader
	costs     [][]int32       // by digits of the unit's number, by slot: 1 + tokens as a unit; 0: not counted yet
	sight     *lexical.Sight  // of the question's reader
	hits      []rank.Hit
	refs      []verdict.Ref
	ranks     []int // of refs
	whole     [1]span.Span
	rows      *rows
	prefixes  [][]string // by document, by number of the unit - 1
	checked   int        // contexts that checkAccess has held against their readers
}

// Answer is what one placement gives a question. Hits and Context are valid
// until the next one.
type Answer struct {
	Question *Question
	Hits     []rank.Hit
	Context  pack.Context
	Ranking  verdict.Ranks // over the hits
	Shown    verdict.Ranks // over the context's units
	Repeated int           // budget tokens of bytes that an earlier unit shows too
	TopK     int           // budget tokens of the first at_k hits, rendered as units
}

// Supported is the verdict of the budget view, Strict that without ignorable gaps.
func (a *Answer) Supported() bool { return a.Shown.UnionWS > 0 }
func (a *Answer) Strict() bool    { return a.Shown.Union > 0 }

// Within reports whether a rank is one of the first k.
func Within(rank, k int) bool { return rank > 0 && rank <= k }

// NewWorker is a worker over the study.
func (s *Study) NewWorker() (*Worker, error) {
	counter, err := s.Tables(s.Experiment.Budget.Tokenizer)
	if err != nil {
		return nil, err
	}
	b := s.Experiment.Budget
	w := &Worker{
		study: s, counter: counter, format: pack.Format(b.Format),
		judge: verdict.Judge{Texts: s.texts, Strict: s.Experiment.Ignorable == "strict"},
	}
	w.rules = pack.Rules{Budget: b.Tokens, Overflow: pack.Overflow(b.Overflow), Cost: w.cost, Fit: w.fit}
	if s.Experiment.Access == "clip" {
		w.rules.Pieces = w.pieces
	}
	return w, nil
}

// Place cuts and indexes the corpus for an arm with the first cut at first.
func (w *Worker) Place(arm plan.Arm, first int) error {
	return w.placeAt(arm, lexical.Everywhere(first))
}

// placeAt is Place with a first cut for each document.
func (w *Worker) placeAt(arm plan.Arm, first func(doc int) int) error {
	view, err := w.study.view(arm.Split.Tokenizer)
	if err != nil {
		return err
	}
	if w.placement == nil || w.view != view {
		w.view, w.placement = view, view.NewPlacement()
	}
	w.arm = arm
	w.placement.Place(compare.Windows(arm), first)
	w.sights = w.sights[:0]
	for i := range w.study.readers {
		readable := w.study.readers[i].readable
		w.sights = append(w.sights, w.placement.Look(func(doc int32) span.Set { return readable[doc] }, w.study.Experiment.Access == "clip"))
	}
	for i := range w.costs {
		w.costs[i] = zeroed(w.costs[i], len(w.placement.Chunks))
	}
	return nil
}

// Ask answers every question at the current placement, in order.
func (w *Worker) Ask(visit func(i int, a *Answer)) {
	var a Answer
	for i := range w.study.Questions {
		w.ask(i, &a)
		visit(i, &a)
	}
}

// ask answers question i.
func (w *Worker) ask(i int, a *Answer) {
	q := w.study.Questions[i]
	w.sight = &w.sights[q.Reader]
	depth := w.study.Experiment.Depth
	w.hits = w.placement.Search(i, q.Within, w.sight, depth+1, w.hits[:0])
	w.rules.CutOff = len(w.hits) > depth
	w.hits = w.hits[:min(depth, len(w.hits))]
	a.Question, a.Hits = q, w.hits
	w.rules.Pack(a.Hits, &a.Context)
	w.checkAccess(q, a)
	a.Ranking, a.Shown, a.Repeated, a.TopK = verdict.Ranks{}, verdict.Ranks{}, 0, 0
	n := 0
	for _, h := range a.Hits[:min(w.study.Experiment.AtK, len(a.Hits))] {
		for _, s := range w.pieces(h) {
			n++
			h.Span = s
			a.TopK += w.cost(n, h)
		}
	}
	if !q.Unanswerable {
		w.refs, w.ranks = w.refs[:0], w.ranks[:0]
		for i, h := range a.Hits {
			for _, s := range w.pieces(h) {
				w.refs, w.ranks = append(w.refs, verdict.Ref{Doc: h.Doc, Span: s}), append(w.ranks, i+1)
			}
		}
		a.Ranking = w.judge.Ranks(q.Evidence, w.refs)
		for _, r := range []*int{&a.Ranking.Single, &a.Ranking.Union, &a.Ranking.UnionWS, &a.Ranking.Span} {
			if *r > 0 {
				*r = w.ranks[*r-1] // a clipped hit is several intervals of one rank
			}
		}
		w.refs = w.refs[:0]
		for _, u := range a.Context.Units {
			w.refs = append(w.refs, verdict.Ref{Doc: u.Doc, Span: u.Span})
		}
		a.Shown = w.judge.Ranks(q.Evidence, w.refs)
	}
	if w.arm.Split.Overlap > 0 { // without overlap no two chunks share a byte
		a.Context.Again(func(doc int32, s span.Span) { a.Repeated += w.counter[doc].CountSlice("", s, "") })
	}
}

// checkAccess holds every unit of a context against what its reader may read
// (S1-149), independently of what ranking and packing went by.
func (w *Worker) checkAccess(q *Question, a *Answer) {
	reader := &w.study.readers[q.Reader]
	for _, u := range a.Context.Units {
		if !reader.mayRead(u.Doc, u.Span) {
			panic(fmt.Sprintf("BUG: question %s was shown %s of %s, which its reader may not read", q.QID, u.Span, w.study.Documents[u.Doc].Doc))
		}
	}
	w.checked++
}

// pieces are the parts of a hit that the question's reader sees.
// They are valid until the next call.
func (w *Worker) pieces(h rank.Hit) []span.Span {
	if p := w.sight.Pieces(h.Slot); p != nil {
		return p
	}
	w.whole[0] = h.Span
	return w.whole[:]
}

// cost is the tokens of a hit as unit n. Only the number of digits of n
// matters: in every tokenizer numbers of equally many digits, up to three in a
// BPE token, take equally many tokens.
func (w *Worker) cost(n int, h rank.Hit) int {
	digits := len(strconv.Itoa(n))
	for len(w.costs) <= digits {
		w.costs = append(w.costs, zeroed[int32](nil, len(w.placement.Chunks)))
	}
	known := &w.costs[digits][h.Slot]
	if whole := h.Span == w.placement.Chunks[h.Slot].Span; !whole {
		return w.count(n, h)
	} else if *known == 0 {
		*known = 1 + int32(w.count(n, h))
	}
	return int(*known) - 1
}

// before is what stands before the text of unit n of a document.
func (w *Worker) before(n int, doc int32) string {
	if w.prefixes == nil {
		w.prefixes = make([][]string, len(w.study.Documents))
	}
	for len(w.prefixes[doc]) < n {
		w.prefixes[doc] = append(w.prefixes[doc], w.format.Before(len(w.prefixes[doc])+1, w.study.Documents[doc].Doc))
	}
	return w.prefixes[doc][n-1]
}

func (w *Worker) count(n int, h rank.Hit) int {
	return w.counter[h.Doc].CountSlice(w.before(n, h.Doc), h.Span, w.format.After())
}

func (w *Worker) fit(n int, h rank.Hit, room int) span.Span {
	return w.counter[h.Doc].Fit(w.before(n, h.Doc), h.Span, w.format.After(), room)
}

// zeroed is s with n zeros.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
