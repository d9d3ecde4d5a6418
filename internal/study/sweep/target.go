package sweep

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/ledger"
	"kerf/internal/study/plan"
	"kerf/internal/verdict"
)

// Target is a placement with a cut aimed at the evidence of one question
// (engine.md 1): one document has its first cut moved so that a cut falls there,
// every other keeps the ordinary placement. It stands in no mean.
type Target struct {
	Label    string // target:QID:SET:before, :between-N or :after; with @DOC where the set lies in several documents
	Question int    // ordinal
	Doc      int    // the document that is cut
	Token    int    // the token boundary aimed at
	FirstCut int    // 1..S, congruent to Token
}

// Targets are the targeted placements of an arm in the order of questions, sets,
// documents and places, and the labels whose place is no token boundary. Sets of
// one span that needs no other have none.
func (s *Study) Targets(arm plan.Arm) (targets []Target, unreachable []string, err error) {
	tables, err := s.Tables(arm.Split.Tokenizer)
	if err != nil {
		return nil, nil, err
	}
	for i, q := range s.Questions {
		for n, set := range q.Evidence {
			if !joint(q.Support[n]) {
				continue
			}
			refs := slices.Clone(set)
			slices.SortFunc(refs, func(a, b verdict.Ref) int {
				return cmp.Or(cmp.Compare(a.Doc, b.Doc), a.Start-b.Start, a.End-b.End)
			})
			refs = slices.Compact(refs)
			several := refs[0].Doc != refs[len(refs)-1].Doc
			for len(refs) > 0 {
				doc := refs[0].Doc
				in := 1
				for in < len(refs) && refs[in].Doc == doc {
					in++
				}
				for _, p := range places(refs[:in]) {
					label := fmt.Sprintf("target:%s:%d:%s", q.QID, n+1, p.name)
					if several {
						label += "@" + s.Documents[doc].Doc
					}
					token, ok := tables[doc].Boundary(p.at)
					if !ok {
						unreachable = append(unreachable, label)
						continue
					}
					targets = append(targets, Target{label, i, int(doc), token, congruent(token, arm.Stride())})
				}
				refs = refs[in:]
			}
		}
	}
	return targets, unreachable, nil
}

// firstCuts are the first cuts of every document.
func (t Target) firstCuts(stride int) func(doc int) int {
	return func(doc int) int {
		if doc == t.Doc {
			return t.FirstCut
		}
		return stride
	}
}

// joint reports whether a set has a boundary that a cut can be aimed at: two
// spans or more, or one that needs another.
func joint(set []*golden.Span) bool {
	return len(set) > 1 || slices.ContainsFunc(set, func(s *golden.Span) bool { return s.NeededBy != "" })
}

// congruent is the first cut of 1..stride that has a cut at token.
func congruent(token, stride int) int {
	if r := token % stride; r > 0 {
		return r
	}
	return stride
}

type place struct {
	name string
	at   int // byte
}

// places are where cuts are aimed in one document: before its first span,
// between one span and the next, after its last.
func places(spans []verdict.Ref) []place {
	out := []place{{"before", spans[0].Start}}
	last := spans[0].End
	for i, s := range spans[1:] {
		out = append(out, place{fmt.Sprintf("between-%d", i+1), s.Start})
		last = max(last, s.End)
	}
	return append(out, place{"after", last})
}

// recordTargets runs targeted placements: each asks the question that it is aimed
// at, or with target: worst all of them.
func (w *Worker) recordTargets(ctx context.Context, c Cell) (map[string][]byte, error) {
	s := w.study
	headline := s.headline()
	var rows []ledger.TargetRow
	var described *IndexManifest
	for i, t := range c.Targets {
		if err := w.placeAt(ctx, c.Arm, c.Name, t.Label, t.firstCuts(c.Arm.Stride())); err != nil {
			return nil, err
		}
		if i == 0 {
			described = w.indexManifest(c)
		}
		row := ledger.TargetRow{Label: t.Label, QID: s.Questions[t.Question].QID, Doc: s.Documents[t.Doc].Doc, Token: t.Token, FirstCut: t.FirstCut}
		own := func(a *Answer) {
			row.Support, row.SupportStrict, row.TopK = a.Supported(), a.Strict(), Within(a.Ranking.UnionWS, s.Experiment.AtK)
		}
		if s.Experiment.Phases.Target == plan.WorstTargets {
			var all stats.Count
			err := w.Ask(ctx, func(i int, a *Answer) {
				if i == t.Question {
					own(a)
				}
				if !a.Question.Unanswerable && a.Question.Sample == headline {
					all.Add(a.Supported())
				}
			})
			if err != nil {
				return nil, err
			}
			row.Supported, row.Asked = &all.Num, &all.Den
		} else {
			var a Answer
			w.foresee(t.Question, t.Question+1)
			if _, err := w.ask(ctx, t.Question, &a); err != nil {
				return nil, err
			}
			own(&a)
		}
		rows = append(rows, row)
	}
	manifest := described.encode(w)
	return map[string][]byte{indexFile: manifest, ledger.Aimed.Name(): ledger.Aimed.Encode(ledger.Object(manifest), rows)}, nil
}
