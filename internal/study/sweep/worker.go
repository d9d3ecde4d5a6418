package sweep

import (
	"context"
	"fmt"

	"kerf/internal/pipeline/lexical"
	"kerf/internal/pipeline/pack"
	"kerf/internal/pipeline/rank"
	"kerf/internal/pipeline/split"
	"kerf/internal/spool"
	"kerf/internal/study/compare"
	"kerf/internal/study/ledger"
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
	foreign   *foreign            // what the arm brought; nil: nothing
	cut       *split.Segmentation // of the placement
	placement *lexical.Placement  // of the placement, where kerf ranks
	view      *lexical.View       // that it is over; nil: over chunks that were cut elsewhere
	own       split.Segmentation  // cut, where kerf does not rank
	built     string              // index that the arm's engine holds; "": none
	slots     map[string]int32    // of its chunks, by id
	clips     []lexical.Sight     // by reader, where kerf ranks
	sights    []split.Sight       // by reader
	units     units
	sight     *split.Sight // of the question's reader
	all       bool         // answers have all their hits
	hits      []rank.Hit   // that were read; all, where kerf does not rank
	places    []int        // by hit: its rank
	more      bool         // there are more hits than the depth of the experiment, where kerf does not rank
	refs      []verdict.Ref
	touching  []touching // hits that touch the question's evidence
	ranked    []int      // of refs: their ranks
	whole     [1]span.Span
	rows      *rows
	missing   []ledger.MissingRow   // of the placement: questions whose search failed
	violation []ledger.ViolationRow // of the placement: hits that their question should not have been given
	checked   int                   // contexts that checkAccess has held against their readers
}

// Answer is what one placement gives a question. Hits and Context are valid
// until the next one.
type Answer struct {
	Question *Question
	Hits     []rank.Hit // the first, as many as were read; where kerf ranks they have no scores
	Places   []int      // by hit: its rank, from 1; hits that are violations leave gaps
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
	if err := s.weigh(); err != nil {
		return nil, err
	}
	b := s.Experiment.Budget
	w := &Worker{
		study: s, counter: counter, format: pack.Format(b.Format),
		judge: verdict.Judge{Texts: s.texts, Strict: s.Experiment.Ignorable == "strict"},
	}
	w.rules = pack.Rules{Budget: b.Tokens, Overflow: pack.Overflow(b.Overflow), CutOff: w.cutOff, Cost: w.cost, Fit: w.fit}
	if s.Experiment.Access == "clip" {
		w.rules.Pieces = w.pieces
	}
	return w, nil
}

// Place cuts and indexes the corpus for an arm with the first cut at first; of an
// arm whose cuts do not move that is 0.
func (w *Worker) Place(ctx context.Context, arm plan.Arm, first int) error {
	return w.placeAt(ctx, arm, Everywhere, Everywhere, w.study.firstCuts(arm, first))
}

// Everywhere is the name of an index that no cell asked for.
const Everywhere = "placement"

// placeAt is Place with a first cut for each document; name and label are those of
// the index and of the placement where another engine is told.
func (w *Worker) placeAt(ctx context.Context, arm plan.Arm, name, label string, first func(doc int) int) error {
	if err := w.release(ctx); err != nil {
		return err
	}
	w.arm, w.foreign = arm, w.study.foreign[arm.Name]
	if w.foreign != nil {
		w.foreign.locate()
	}
	w.missing, w.violation = w.missing[:0], w.violation[:0]
	if err := w.segment(first); err != nil {
		return err
	}
	w.sights, w.clips = w.sights[:0], w.clips[:0]
	clip := w.study.Experiment.Access == "clip"
	for i := range w.study.readers {
		readable := func(doc int32) span.Set { return w.study.readers[i].readable[doc] }
		if w.cut == &w.own {
			w.sights = append(w.sights, w.cut.Look(w.study.text, readable, clip))
			continue
		}
		sight := w.placement.Look(readable, clip)
		w.clips, w.sights = append(w.clips, sight), append(w.sights, sight.Sight)
	}
	w.units.reset(len(w.cut.Chunks))
	if arm.Retrieve.Foreign() {
		return w.build(ctx, name, label)
	}
	return nil
}

// foresee tells kerf's ranking that of the placement's questions those from first up
// to end are asked.
func (w *Worker) foresee(first, end int) {
	if w.ranks() {
		w.placement.Foresee(w.study.Experiment.Depth+1, first, end, func(q int) (docs []int, view *lexical.Sight) {
			return w.study.Questions[q].Within, &w.clips[w.study.Questions[q].Reader]
		})
	}
}

// segment makes the chunks of the placement, and where kerf ranks their weights.
func (w *Worker) segment(first func(doc int) int) error {
	s := w.study
	switch arm := w.arm; {
	case arm.IsControl() && arm.Retrieve.By == "bm25":
		if w.placement == nil || w.view != nil {
			w.view, w.placement = nil, s.index().Given()
		}
		w.placement.Take(w.foreign.chunks, w.foreign.prefixes)
		w.cut = &w.placement.Segmentation
	case arm.IsControl():
		w.own.Take(len(s.texts), s.text, w.foreign.chunks)
		w.cut = &w.own
	case arm.Retrieve.Foreign():
		tables, err := s.Tables(arm.Split.Tokenizer)
		if err != nil {
			return err
		}
		w.own.Cut(compare.Windows(arm), len(s.texts), s.text, func(doc int) split.Tokens { return tables[doc] }, first)
		w.cut = &w.own
	default:
		view, err := s.view(arm.Split.Tokenizer)
		if err != nil {
			return err
		}
		if w.placement == nil || w.view != view {
			w.view, w.placement = view, view.NewPlacement()
		}
		w.placement.Place(compare.Windows(arm), first)
		w.cut = &w.placement.Segmentation
	}
	return nil
}

// Ask answers every question at the current placement, in order, but for those
// whose search failed.
func (w *Worker) Ask(ctx context.Context, visit func(i int, a *Answer)) error {
	w.study.spool.Expect(true)
	defer w.study.spool.Expect(false)
	var a Answer
	w.foresee(0, len(w.study.Questions))
	for i := range w.study.Questions {
		answered, err := w.ask(ctx, i, &a)
		if err != nil {
			return err
		}
		if answered {
			visit(i, &a)
		}
		w.study.spool.Passed(len(a.Context.Units) * spool.Around)
	}
	return nil
}

// ask answers question i, or does not, where its search failed.
func (w *Worker) ask(ctx context.Context, i int, a *Answer) (answered bool, err error) {
	q := w.study.Questions[i]
	w.sight = &w.sights[q.Reader]
	if answered, err = w.find(ctx, i); !answered {
		return false, err
	}
	e := &w.study.Experiment
	if w.read(max(e.AtK, e.K[len(e.K)-1])); w.all {
		w.read(e.Depth)
	}
	w.rules.Pack(w.hit, &a.Context)
	a.Question, a.Hits, a.Places = q, w.hits, w.places
	w.checkAccess(q, a)
	a.Ranking, a.Shown, a.Repeated, a.TopK = verdict.Ranks{}, verdict.Ranks{}, 0, 0
	n := 0
	for i, h := range a.Hits {
		if a.Places[i] > w.study.Experiment.AtK {
			break
		}
		for _, s := range w.pieces(h) {
			n++
			h.Span = s
			a.TopK += w.cost(n, h)
		}
	}
	if !q.Unanswerable {
		a.Ranking = w.judgeHits(q)
		w.refs = w.refs[:0]
		for _, u := range a.Context.Units {
			w.refs = append(w.refs, verdict.Ref{Doc: u.Doc, Span: u.Span})
		}
		a.Shown = w.judge.Ranks(q.Evidence, w.refs)
	}
	if w.arm.IsControl() || w.arm.Split.Overlap > 0 { // else no two chunks share a byte
		a.Context.Again(func(doc int32, s span.Span) { a.Repeated += w.counter[doc].CountSlice("", s, "") })
	}
	return true, nil
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

// zeroed is s with n zeros.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
