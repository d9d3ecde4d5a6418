package score

import (
	"kerf/internal/adapter/trec"
	"kerf/internal/verdict"
)

// The rules by which the means over a TREC run are made.
const (
	Both     = "every judged query is ranked and every ranked one judged"
	TrecEval = "trec_eval: queries of both files"
	Complete = "trec_eval -c: every judged query, 0 without a ranking"
)

// TREC scores a run that was held against judgements; pairs are theirs. Queries
// that only one of the files has are left out of the means, or counted as trec_eval
// -c does where others is Complete; their number is in the rule. detail says that ByQuestion is wanted, which
// costs more than all else.
func TREC(run *trec.Run, pairs []trec.Pair, order trec.Order, others string, ks []int, atK int, detail bool) *Score {
	s := &Score{Kerf: Kind, File: run.Name, K: ks, AtK: atK, Rule: Rule{Order: string(order), By: "ids", Others: others, Tied: run.Tied},
		ByQuestion: []Question{}, Violations: []Violation{}, Failed: []Failure{}}
	all := verdict.NewGraded(ks)
	for _, p := range pairs {
		var found []verdict.Found
		switch {
		case p.Judged == nil:
			s.Rule.NotJudged++
			continue
		case p.Ranking == nil:
			s.Rule.NotRanked++
			if others != Complete {
				continue
			}
		default:
			found = p.Ranking.Found
			if p.Ranking.Depth > atK {
				s.Longer++
			}
		}
		if p.Relevant() == 0 {
			s.Rule.NoRelevant++
		}
		all.Add(found, p.Judged.Relevance)
		if detail {
			one := verdict.NewGraded(ks)
			one.Add(found, p.Judged.Relevance)
			s.ByQuestion = append(s.ByQuestion, Question{QID: p.QID, Measures: one.Measures()})
		}
	}
	s.sample("", all.Questions, all.Measures())
	return s
}
