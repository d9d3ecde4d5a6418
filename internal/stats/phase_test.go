package stats

import (
	"math/big"
	"math/rand/v2"
	"testing"
)

// table reads rows of 0, 1 and ? (no result).
func table(rows ...string) [][]Verdict {
	out := make([][]Verdict, len(rows))
	for i, r := range rows {
		for _, c := range r {
			out[i] = append(out[i], map[rune]Verdict{'0': Miss, '1': Hit, '?': Missing}[c])
		}
	}
	return out
}

// TestOrderOfAggregation (sta-06): the minimum of the means is not the mean of
// the minima; they have two names.
func TestOrderOfAggregation(t *testing.T) {
	p := OverPhases(table("110", "001", "101", "111"), 3)
	if p.Support != (Count{8, 12, 0}) || p.Worst != 1 || p.PerPhase[p.Worst] != (Count{2, 4, 0}) || p.PerQueryWorst != (Count{1, 4, 0}) {
		t.Errorf("%+v", p)
	}
	if p.PerPhase[0] != (Count{3, 4, 0}) || p.PerPhase[2] != (Count{3, 4, 0}) {
		t.Errorf("by phase %v", p.PerPhase)
	}
}

// TestWorstPhase (worked example 000-worst-phase): all placements tie at 3/4,
// no question holds in all of them.
func TestWorstPhase(t *testing.T) {
	p := OverPhases(table("1101", "1011", "0111", "1110"), 4)
	if p.Worst != 0 || p.PerPhase[p.Worst] != (Count{3, 4, 0}) || p.PerQueryWorst != (Count{0, 4, 0}) || p.Support != (Count{12, 16, 0}) {
		t.Errorf("%+v", p)
	}
	if p.Flips != (Count{4, 4, 0}) || p.PerQueryBest != (Count{4, 4, 0}) {
		t.Errorf("%+v", p)
	}
	// Each question: p = 3/4, 2p(1-p) = 3/8.
	if mean, ok := p.Disagreement.Rat(); !ok || mean.Cmp(big.NewRat(3, 8)) != 0 {
		t.Errorf("disagreement %v", mean)
	}
}

// TestMissingCells: a missing cell is no miss. What the other cells settle is
// settled, the rest is missing.
func TestMissingCells(t *testing.T) {
	p := OverPhases(table("11?", "00?", "10?", "???", "111"), 3)
	for _, c := range []struct {
		name      string
		got, want Count
	}{
		{"support", p.Support, Count{6, 15, 6}},
		{"phase 3", p.PerPhase[2], Count{1, 5, 4}},
		{"every phase", p.PerQueryWorst, Count{1, 5, 2}}, // 00? and 10? fail already
		{"some phase", p.PerQueryBest, Count{3, 5, 2}},
		{"flips", p.Flips, Count{1, 5, 3}}, // 10? flips already
	} {
		if c.got != c.want {
			t.Errorf("%s: %v, want %v", c.name, c.got, c.want)
		}
	}
	if p.Disagreement.Missing != 4 || p.Disagreement.Den != 5 {
		t.Errorf("disagreement %+v", p.Disagreement)
	}
	if p.Worst != -1 {
		t.Errorf("worst %d: no placement is complete", p.Worst)
	}
	if p := OverPhases(table("1?1", "111"), 3); p.Worst != 0 { // the placement without a result is not the worst
		t.Errorf("worst %d", p.Worst)
	}
}

func TestNoQuestions(t *testing.T) {
	p := OverPhases(nil, 2)
	if _, ok := p.Support.Rat(); ok {
		t.Error("a rate over nothing")
	}
	if _, ok := p.Disagreement.Rat(); ok {
		t.Error("a disagreement over nothing")
	}
}

// TestOverPhasesAgainstEnumeration fills missing cells in every possible way:
// what comes out the same each time is settled. Complete rows are compared with
// fractions and with the pairs of placements that disagree.
func TestOverPhasesAgainstEnumeration(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for round := range 3000 {
		phases := 1 + rng.IntN(6)
		rows := make([][]Verdict, rng.IntN(6))
		for i := range rows {
			for range phases {
				v := Verdict(rng.IntN(2))
				if rng.IntN(6) == 0 {
					v = Missing
				}
				rows[i] = append(rows[i], v)
			}
		}
		got, want := OverPhases(rows, phases), plainPhases(rows, phases)
		if got.Support != want.Support || got.Worst != want.Worst || got.PerQueryWorst != want.PerQueryWorst ||
			got.PerQueryBest != want.PerQueryBest || got.Flips != want.Flips ||
			got.Disagreement.Den != want.Disagreement.Den || got.Disagreement.Missing != want.Disagreement.Missing ||
			got.Disagreement.Sum.Cmp(want.Disagreement.Sum) != 0 {
			t.Fatalf("round %d %v:\n%+v\nwant\n%+v", round, rows, got, want)
		}
		for j := range phases {
			if got.PerPhase[j] != want.PerPhase[j] {
				t.Fatalf("round %d %v: phase %d is %v, want %v", round, rows, j, got.PerPhase[j], want.PerPhase[j])
			}
		}
	}
}

func plainPhases(rows [][]Verdict, phases int) Phases {
	w := Phases{PerPhase: make([]Count, phases), Worst: -1, Disagreement: NewSum()}
	for j := range phases {
		for _, row := range rows {
			w.PerPhase[j] = w.PerPhase[j].Plus(cell(row[j]))
			w.Support = w.Support.Plus(cell(row[j]))
		}
	}
	var least *big.Rat
	for j, c := range w.PerPhase {
		if c.Missing > 0 {
			continue
		}
		rate := new(big.Rat)
		if r, ok := c.Rat(); ok {
			rate = r
		}
		if least == nil || rate.Cmp(least) < 0 {
			least, w.Worst = rate, j
		}
	}
	for _, row := range rows {
		w.PerQueryWorst = w.PerQueryWorst.Plus(settled(row, func(hits, n int) bool { return hits == n }))
		w.PerQueryBest = w.PerQueryBest.Plus(settled(row, func(hits, n int) bool { return hits > 0 }))
		w.Flips = w.Flips.Plus(settled(row, func(hits, n int) bool { return 0 < hits && hits < n }))
		w.Disagreement.Den++
		disagree, complete := int64(0), true
		for _, a := range row {
			complete = complete && a != Missing
			for _, b := range row { // 2p(1-p) is the share of ordered pairs that differ
				if a != b {
					disagree++
				}
			}
		}
		if !complete {
			w.Disagreement.Missing++
			continue
		}
		w.Disagreement.Sum.Add(w.Disagreement.Sum, big.NewRat(disagree, int64(phases*phases)))
	}
	return w
}

func cell(v Verdict) Count {
	switch v {
	case Hit:
		return Count{1, 1, 0}
	case Missing:
		return Count{0, 1, 1}
	}
	return Count{0, 1, 0}
}

// settled asks is of every way to fill the missing cells.
func settled(row []Verdict, is func(hits, n int) bool) Count {
	hits, missing := 0, 0
	for _, v := range row {
		switch v {
		case Hit:
			hits++
		case Missing:
			missing++
		}
	}
	yes, no := 0, 0
	for extra := 0; extra <= missing; extra++ {
		if is(hits+extra, len(row)) {
			yes++
		} else {
			no++
		}
	}
	switch {
	case yes > 0 && no > 0, missing == len(row): // without any result nothing is settled, not even at one phase
		return Count{0, 1, 1}
	case yes > 0:
		return Count{1, 1, 0}
	}
	return Count{0, 1, 0}
}
