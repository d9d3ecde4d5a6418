package sweep

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kerf/internal/pipeline/pack"
	"kerf/internal/pipeline/rank"
	"kerf/internal/pipeline/split"
	"kerf/internal/study/compare"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
	"kerf/internal/verdict"
)

// Explanation is one question's whole way under one arm: explain/1.
type Explanation struct {
	Kerf       string      `json:"kerf"`
	QID        string      `json:"qid"`
	Question   string      `json:"question"`
	Answer     string      `json:"answer"`
	Arm        string      `json:"arm"`
	Feasible   bool        `json:"feasible"`
	Placements []Placement `json:"placements"`
	Aimed      []Placement `json:"aimed,omitzero"` // with a cut aimed at this question's evidence, where the experiment asks for them
}

// Placement is what became of the question at one placement of the cuts.
type Placement struct {
	Label    string     `json:"label"`
	FirstCut int        `json:"first_cut"` // in the arm's tokens
	Support  bool       `json:"support"`
	Strict   bool       `json:"support_strict"`
	TopK     bool       `json:"top_k"`
	Hits     int        `json:"hits"`
	Units    int        `json:"units"`
	Tokens   int        `json:"evidence_tokens"`
	End      string     `json:"stop"`
	Evidence []Evidence `json:"evidence"` // of every set, in order
}

// Evidence is one span of one set, and the chunks that hold any of it.
type Evidence struct {
	Set     int     `json:"set"` // from 1
	Span    string  `json:"span"`
	Doc     string  `json:"doc"`
	Start   int     `json:"start"`
	End     int     `json:"end"`
	Intact  bool    `json:"intact"`  // one chunk holds it
	Covered bool    `json:"covered"` // by the context
	Cause   string  `json:"cause"`   // why it is not covered; "" where it is
	Chunks  []Piece `json:"chunks"`
}

// Piece is a chunk that holds some of the evidence.
type Piece struct {
	Start   int    `json:"start"`
	End     int    `json:"end"`
	Rank    int    `json:"rank"`             // 0: not among the ranked hits
	Outcome string `json:"outcome"`          // packed, truncated, overflow, skipped, unread; denied; not ranked
	Clipped string `json:"clipped,omitzero"` // what the reader sees of it, where that is not all: "clip [0,10) [20,30)"
}

// Explain follows a question through every placement of an arm.
func (s *Study) Explain(ctx context.Context, arm plan.Arm, question int, labels []plan.Label) (*Explanation, error) {
	w, err := s.NewWorker()
	if err != nil {
		return nil, err
	}
	q := s.Questions[question]
	x := &Explanation{Kerf: "explain/1", QID: q.QID, Question: q.Text, Answer: q.Answer.Text, Arm: arm.Name, Feasible: q.Feasible}
	for _, l := range labels {
		p, err := w.follow(ctx, question, arm, l.String(), l.FirstCut, s.firstCuts(arm, l.FirstCut))
		if err != nil {
			return nil, err
		}
		x.Placements = append(x.Placements, p)
	}
	if s.Experiment.Phases.Target == plan.NoTargets || !arm.Targeted() {
		return x, nil
	}
	targets, _, err := s.Targets(arm)
	if err != nil {
		return nil, err
	}
	for _, t := range targets {
		if t.Question != question {
			continue
		}
		p, err := w.follow(ctx, question, arm, t.Label, t.FirstCut, t.firstCuts(arm.Stride()))
		if err != nil {
			return nil, err
		}
		x.Aimed = append(x.Aimed, p)
	}
	return x, nil
}

// follow is what becomes of a question at one placement.
func (w *Worker) follow(ctx context.Context, question int, arm plan.Arm, label string, first int, cuts func(doc int) int) (Placement, error) {
	if err := w.placeAt(ctx, arm, Everywhere, label, cuts); err != nil {
		return Placement{}, err
	}
	var a Answer
	w.all = true
	w.foresee(question, question+1)
	answered, err := w.ask(ctx, question, &a)
	if err == nil && !answered {
		err = fmt.Errorf("arm %s: the search of question %s failed: %s", arm.Name, w.study.Questions[question].QID, w.missing[0].Reason)
	}
	if err = cmp.Or(err, w.release(ctx)); err != nil {
		return Placement{}, err
	}
	return Placement{
		Label: label, FirstCut: first, Support: a.Supported(), Strict: a.Strict(), TopK: Within(a.Ranking.UnionWS, w.study.Experiment.AtK),
		Hits: len(a.Hits), Units: len(a.Context.Units), Tokens: a.Context.Tokens, End: string(a.Context.End), Evidence: w.evidence(a.Question, &a),
	}, nil
}

// evidence says of each span where it went.
func (w *Worker) evidence(q *Question, a *Answer) []Evidence {
	shown := map[int32][]span.Span{}
	for _, u := range a.Context.Units {
		shown[u.Doc] = append(shown[u.Doc], u.Span)
	}
	var out []Evidence
	for n, set := range q.Evidence {
		for i, ref := range set {
			e := Evidence{Set: n + 1, Span: q.Support[n][i].Name, Doc: w.study.Documents[ref.Doc].Doc, Start: ref.Start, End: ref.End, Chunks: []Piece{}}
			p := w.cut
			for slot := p.First[ref.Doc]; slot < p.First[ref.Doc+1]; slot++ {
				c := p.Chunks[slot]
				if c.State != split.Emitted || c.Clip(ref.Span).Empty() {
					continue
				}
				e.Intact = e.Intact || c.Contains(ref.Span)
				e.Chunks = append(e.Chunks, w.piece(q, a, slot))
			}
			r := w.judge.Ranks(verdict.Evidence{{ref}}, refs(a.Context.Units))
			if e.Covered = r.UnionWS > 0; !e.Covered {
				e.Cause = cause(e, span.Union(shown[ref.Doc]...))
			}
			out = append(out, e)
		}
	}
	return out
}

func refs(units []pack.Unit) []verdict.Ref {
	out := make([]verdict.Ref, len(units))
	for i, u := range units {
		out[i] = verdict.Ref{Doc: u.Doc, Span: u.Span}
	}
	return out
}

func (w *Worker) piece(q *Question, a *Answer, slot int32) Piece {
	c := w.cut.Chunks[slot]
	p := Piece{Start: c.Start, End: c.End, Outcome: "not ranked"}
	if d := w.sights[q.Reader].Denied; d != nil && d[slot] {
		p.Outcome = "denied"
	} else if q.Within != nil && !slices.Contains(q.Within, int(w.cut.Docs[slot])) {
		p.Outcome = "outside within"
	}
	if i := slices.IndexFunc(a.Hits, func(h rank.Hit) bool { return h.Slot == slot }); i >= 0 {
		p.Rank, p.Outcome, p.Clipped = a.Places[i], string(a.Context.Outcome(i)), clipped(w.sights[q.Reader].Pieces(slot))
	}
	return p
}

// cause is why evidence is not covered: what became of the first chunk that
// holds a byte of it that the context does not show.
func cause(e Evidence, shown span.Set) string {
	for _, p := range e.Chunks {
		lost := false
		for _, gap := range shown.Gaps(span.Span{Start: e.Start, End: e.End}) {
			lost = lost || !gap.Clip(span.Span{Start: p.Start, End: p.End}).Empty()
		}
		if !lost {
			continue
		}
		outcome := p.Outcome
		if p.Clipped != "" && (outcome == "packed" || outcome == "merged") {
			outcome = "clipped"
		}
		return compare.Cause(e.Intact, p.Rank, outcome)
	}
	return "no chunk holds it"
}
