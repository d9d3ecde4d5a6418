package compare

import (
	"math/big"

	"kerf/internal/stats"
	"kerf/internal/study/plan"
)

// pair compares arm c with arm b in one view, question by question.
func (in Facts) pair(candidate, baseline *table, c, b int, view string) Pair {
	p := Pair{Candidate: in.Arms[c].Arm.Name, Baseline: in.Arms[b].Arm.Name, View: view, Gained: []string{}, Lost: []string{},
		Ordinary: stats.NewSum(), Difference: stats.NewSum(), Confounded: confounded(in.Arms[c].Arm, in.Arms[b].Arm)}
	x, y := candidate.support, baseline.support
	if view == "top_k" {
		x, y = candidate.topK, baseline.topK
	}
	ordinary := 0
	for _, i := range in.headline() {
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
		p.Difference.Den++
		if d, ok := difference(x[i], y[i]); ok {
			p.Difference.Sum.Add(p.Difference.Sum, d)
		} else {
			p.Difference.Missing++
		}
	}
	p.Ordinary.Sum = big.NewRat(int64(ordinary), 1)
	return p
}

// difference is the mean over the phases that both have of x - y; arms of
// unequal numbers of phases share none, and it is the difference of their means
// over complete rows (statistics.md 3, "phases: all").
func difference(x, y []stats.Verdict) (*big.Rat, bool) {
	if len(x) != len(y) {
		a, ok := mean(x)
		b, also := mean(y)
		if !ok || !also {
			return nil, false
		}
		return a.Sub(a, b), true
	}
	sum, n := 0, 0
	for j := range x {
		if x[j] != stats.Missing && y[j] != stats.Missing {
			sum += int(x[j]) - int(y[j])
			n++
		}
	}
	if n == 0 {
		return nil, false
	}
	return big.NewRat(int64(sum), int64(n)), true
}

func mean(row []stats.Verdict) (*big.Rat, bool) {
	hits := 0
	for _, v := range row {
		if v == stats.Missing {
			return nil, false
		}
		hits += int(v)
	}
	return big.NewRat(int64(hits), int64(len(row))), len(row) > 0
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
