package stats

import "math/big"

// Verdict is one cell of a table of questions and phases.
type Verdict int8

const (
	Missing Verdict = -1 // no result: the cell failed or was not begun
	Miss    Verdict = 0
	Hit     Verdict = 1
)

// Phases is what a table of verdicts, one row a question and one column a
// phase, says (statistics.md 3, engine.md 8). All figures are exact.
type Phases struct {
	Support       Count   // over questions x phases
	PerPhase      []Count // over questions, one a phase
	Worst         int     // the phase with the smallest support, the first of equals; -1 without a complete phase
	PerQueryWorst Count   // questions supported in every phase
	PerQueryBest  Count   // questions supported in some phase
	Flips         Count   // questions whose verdict is not the same in all phases
	Disagreement  Sum     // over questions of 2p(1-p), p = share of the phases that support it
}

// OverPhases computes the statistics of rows, all of them of length phases. A
// question with a missing cell counts in PerQueryWorst, PerQueryBest and Flips
// only where its other cells settle the matter, else as missing; in
// Disagreement it is missing.
func OverPhases(rows [][]Verdict, phases int) Phases {
	p := Phases{PerPhase: make([]Count, phases), Worst: -1, Disagreement: NewSum()}
	pairs := 0 // sum over complete questions of c(P - c)
	for _, row := range rows {
		hits, missing := 0, 0
		for j, v := range row {
			p.PerPhase[j].Den++
			switch v {
			case Hit:
				hits++
				p.PerPhase[j].Num++
			case Missing:
				missing++
				p.PerPhase[j].Missing++
			}
		}
		misses := phases - hits - missing
		p.PerQueryWorst.settle(missing == 0 && misses == 0, missing > 0 && misses == 0)
		p.PerQueryBest.settle(hits > 0, missing > 0 && hits == 0)
		p.Flips.settle(hits > 0 && misses > 0, missing > 0 && (hits == 0 || misses == 0))
		p.Disagreement.Den++
		if missing > 0 {
			p.Disagreement.Missing++
			continue
		}
		pairs += hits * misses
	}
	for j, c := range p.PerPhase {
		p.Support = p.Support.Plus(c)
		if c.Missing == 0 && (p.Worst < 0 || c.Num < p.PerPhase[p.Worst].Num) {
			p.Worst = j
		}
	}
	if phases > 0 {
		p.Disagreement.Sum = big.NewRat(2*int64(pairs), int64(phases)*int64(phases))
	}
	return p
}

func (c *Count) settle(hit, missing bool) {
	c.Den++
	switch {
	case missing:
		c.Missing++
	case hit:
		c.Num++
	}
}
