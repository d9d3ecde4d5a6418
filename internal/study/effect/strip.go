package effect

import (
	"math"
	"math/big"
	"slices"

	"kerf/internal/stats"
)

// Worst is the least placement over draws of whole clusters, or, below
// stats.FewClusters, of questions, each in its cluster; found anew in each draw.
type Worst struct {
	Interval Bounds // percentile: conservative below, too low above where placements are close (statistics.md 6)
	Chosen   []int  // by placement: the draws in which it was the worst, the first of equals
}

// Worst draws the questions of rows that have every result; ok is false without
// one. Rows are of length phases.
func (d Design) Worst(rows [][]stats.Verdict, clusters []string, phases int) (w Worst, ok bool) {
	columns := make([][]int, phases+1) // the last counts questions
	group := map[string]int{}
	var of []int
	var kept [][]stats.Verdict
	for i, row := range rows {
		if !complete(row) {
			continue
		}
		g, known := group[clusters[i]]
		if !known {
			g = len(group)
			group[clusters[i]] = g
		}
		of, kept = append(of, g), append(kept, row)
	}
	if len(kept) == 0 || phases == 0 {
		return w, false
	}
	strata := make([]int, len(group))
	if len(group) < stats.FewClusters {
		strata = slices.Clone(of)
		for i := range of {
			of[i] = i
		}
	}
	var all []int
	for j := range columns {
		columns[j] = make([]int, len(strata))
		if j < phases {
			all = append(all, j)
		}
	}
	for i, row := range kept {
		for j, v := range row {
			columns[j][of[i]] += int(v)
		}
		columns[phases][of[i]]++
	}
	s := stats.NewSums(columns...).Within(strata)
	w.Interval = Bounds(s.Bootstrap(d.Seed, d.Draws, stats.Worst(all, phases)).Percentile(d.Level))
	which := s.Bootstrap(d.Seed, d.Draws, func(totals []int64) (num, den int64) {
		for j := range phases {
			if totals[j] < totals[num] {
				num = int64(j)
			}
		}
		return num, 1
	}).Draws
	for j := range phases {
		share := which.Below(float64(j)+0.5) - which.Below(float64(j)-0.5)
		w.Chosen = append(w.Chosen, int(math.Round(float64(share*float64(d.Draws)))))
	}
	return w, true
}

// Anchored is the least of the differences between one placement of the
// candidate and the baseline's mean.
type Anchored struct {
	Phase      int
	Difference stats.Sum
	Lo         float64 // the least of the one-sided bounds at (1 + Level) / 2
}

// Anchored holds every placement of the candidate, rows of length phases, against
// the baseline's mean over its placements: a loss in any of them is a loss
// (statistics.md 6, i). ok is false where no question has a result.
func (d Design) Anchored(candidate [][]stats.Verdict, baseline Rows, clusters []string, phases int) (a Anchored, ok bool) {
	mean, rows := baseline.Means(), Of(candidate, phases)
	scale := Scale(baseline.Placements == 1)
	var least *big.Rat
	for j := range phases {
		one := Rows{rows.N, 1, func(i, _ int) (num, den int) { return rows.At(i, j) }}
		differences := Less(one.Means(), mean)
		i := d.Of(differences, clusters, scale)
		if !i.Measured {
			continue
		}
		total := Total(differences)
		r, _ := total.Rat()
		if !ok || i.Value.Lo < a.Lo {
			a.Lo = i.Value.Lo
		}
		if !ok || r.Cmp(least) < 0 {
			a.Phase, a.Difference, least = j, total, r
		}
		ok = true
	}
	return a, ok
}

// Variance is how much of the variance of verdicts over questions and placements
// is due to which question it is, to which placement, and to neither alone, as
// fractions "a/b" of it.
type Variance struct {
	Question      string `json:"question"`
	Phase         string `json:"phase"`
	QuestionPhase string `json:"question_phase"`
}

// Variances divides the sum of squares of rows, of those that have every result:
// an analysis of variance of two ways without repetition. It is not measured for
// one placement, and where every verdict is the same.
func Variances(rows [][]stats.Verdict, phases int) stats.Maybe[Variance] {
	columns := make([]int64, phases)
	var n, hits, byRow int64
	for _, row := range rows {
		if !complete(row) {
			continue
		}
		n++
		var c int64
		for j, v := range row {
			columns[j] += int64(v)
			c += int64(v)
		}
		hits += c
		byRow += c * c
	}
	p := int64(phases)
	// N = n p cells; every sum of squares is multiplied by N.
	all := hits*n*p - hits*hits
	if phases < 2 || all == 0 {
		return stats.Maybe[Variance]{}
	}
	var byColumn int64
	for _, c := range columns {
		byColumn += c * c
	}
	question, phase := byRow*n-hits*hits, byColumn*p-hits*hits
	share := func(part int64) string { return big.NewRat(part, all).RatString() }
	return stats.Measured(Variance{share(question), share(phase), share(all - question - phase)})
}
