package compare

import (
	"math/big"

	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/effect"
	"kerf/internal/study/plan"
)

// pair compares arm c with arm b in one view, question by question.
func (in Facts) pair(candidate, baseline *table, c, b int, view string) Pair {
	p := Pair{Candidate: in.Arms[c].Arm.Name, Baseline: in.Arms[b].Arm.Name, View: view, Gained: []string{}, Lost: []string{},
		Ordinary: stats.NewSum(), Confounded: confounded(in.Arms[c].Arm, in.Arms[b].Arm)}
	x, y := candidate.support, baseline.support
	if view == "top_k" {
		x, y = candidate.topK, baseline.topK
	}
	ordinary := 0
	asked := in.headline()
	for _, i := range asked {
		p.Ordinary.Den++
		switch was, is := y[i][len(y[i])-1], x[i][len(x[i])-1]; {
		case was == stats.Missing || is == stats.Missing:
			p.Ordinary.Missing++
		case is > was:
			ordinary++
			p.Gained = append(p.Gained, in.Questions[i].QID)
		case is < was:
			ordinary--
			p.Lost = append(p.Lost, in.Questions[i].QID)
		}
	}
	p.Ordinary.Sum = big.NewRat(int64(ordinary), 1)
	differences := effect.Of(pick(x, asked), len(candidate.labels)).Less(effect.Of(pick(y, asked), len(baseline.labels)))
	p.Difference = effect.Total(differences)
	p.CI = effect.Standard(0).Of(differences, in.clusters(asked), effect.Scale(len(candidate.labels) == 1 && len(baseline.labels) == 1))
	return p
}

// clusters are those of some questions, ties made by all questions of the run.
func (in Facts) clusters(asked []int) []string {
	all := golden.Clusters(in.Questions)
	out := make([]string, len(asked))
	for n, i := range asked {
		out[n] = all[in.Questions[i]]
	}
	return out
}

// confounded names what differs between two arms beside size and overlap, the
// intervention that arms declare.
func confounded(a, b plan.Arm) []string {
	out := []string{}
	for _, f := range []struct{ name, a, b string }{
		{"split", a.Split.By, b.Split.By}, {"tokenizer", a.Split.Tokenizer, b.Split.Tokenizer},
		{"edge", a.Split.Edge, b.Split.Edge}, {"retrieve", a.Retrieve.By + a.Retrieve.Run, b.Retrieve.By + b.Retrieve.Run},
		{"scope", a.Moving.Scope, b.Moving.Scope},
	} {
		if f.a != f.b {
			out = append(out, f.name)
		}
	}
	return out
}
