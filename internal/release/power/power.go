// Package power says how many questions prove that an arm is no worse than
// another by more than a margin: by the exact rule where nothing is lost, by the
// formula as a first guess, and by simulation with the interval that decides.
//
// Numbers only. Rates, margins and effects are shares of questions, 0.05 for 5
// points; documents are the clusters that questions are drawn in.
package power

import (
	"math"
	"sync"

	"kerf/internal/stats"
)

// Rule is when a paired comparison on hits and misses is taken as proof that no
// more than Margin of the questions are lost on balance (statistics.md 5).
type Rule struct {
	Margin float64 // above 0, below 1
	Alpha  float64 // one-sided, above 0, below .5
	Floor  float64 // ICC that the interval's design effect assumes at least
}

// Accepts applies the rule to the questions gained, lost and asked in each
// document, of which there must be stats.FewClusters at least: the lower bound of
// stats.PairedRates is above -Margin, and there are as many questions as the
// exact rule needs; effective ones where nothing is lost.
func (r Rule) Accepts(gains, losses, sizes []int) bool {
	need := stats.NoLossNeeds(r.Margin, r.Alpha)
	n, lost := sum(sizes), sum(losses)
	if len(sizes) < stats.FewClusters || float64(n) < need {
		return false
	}
	c, ok := stats.PairedRates(gains, losses, sizes, 1-2*r.Alpha, r.Floor)
	return ok && c.Interval.Low > -r.Margin && (lost > 0 || c.N >= need)
}

// Change is how one question changes from one arm to the other.
type Change struct {
	Losses, Gains float64 // chance of each; together at most 1
	ICC           float64 // correlation of the changes of two questions of a document, 0 to 1
}

// Changed is the change with this chance of either and this difference of gains
// and losses.
func Changed(discordance, effect, icc float64) Change {
	return Change{Losses: (discordance - effect) / 2, Gains: (discordance + effect) / 2, ICC: icc}
}

// Draw is the questions gained and lost of a document with size questions. It is
// Polya's urn: a question changes as an earlier one of its document did with
// chance k ICC / (1 - ICC + k ICC), k being their number, and else on its own.
// Counts are then Dirichlet-multinomial with exactly that correlation.
func (c Change) Draw(r *Random, size int) (gains, losses int) {
	for k := range size {
		alike := float64(float64(k) * c.ICC)
		lost, gained := c.Losses, c.Gains
		if k > 0 && float64(r.Float64()*(1-c.ICC+alike)) < alike {
			lost, gained = float64(losses)/float64(k), float64(gains)/float64(k)
		}
		switch u := r.Float64(); {
		case u < lost:
			losses++
		case u < lost+gained:
			gains++
		}
	}
	return gains, losses
}

// Simulate is in how many of trials the rule accepts changes of documents of
// these sizes. Trial t depends on seed and t alone, its document d on those
// before it, so that more documents are the same ones and others: any number of
// jobs gives the same answer.
func (r Rule) Simulate(c Change, sizes []int, seed uint64, trials, jobs int) (accepted int) {
	counts := make([]int, max(jobs, 1))
	var wait sync.WaitGroup
	for job := range counts {
		wait.Go(func() {
			gains, losses := make([]int, len(sizes)), make([]int, len(sizes))
			for t := job; t < trials; t += len(counts) {
				random := Trial(seed, t)
				for d, size := range sizes {
					gains[d], losses[d] = c.Draw(random, size)
				}
				if r.Accepts(gains, losses, sizes) {
					counts[job]++
				}
			}
		})
	}
	wait.Wait()
	return sum(counts)
}

// Guess is the number of questions by the formula for paired rates (Connor 1987,
// with the variance of the null hypothesis at the margin; statistics.md 8). It
// is too small by about a tenth: the power there is .68 to .79 where it says .8.
// A discordance below the margin is raised to it, for none smaller can reach it.
func Guess(margin, discordance, effect, alpha, power, deff float64) float64 {
	p := max(discordance, margin)
	null := float64(-stats.NormalQuantile(alpha) * math.Sqrt(p-float64(margin*margin)))
	real := float64(stats.NormalQuantile(power) * math.Sqrt(max(0, p-float64(effect*effect))))
	ratio := (null + real) / (margin + effect)
	return float64(float64(ratio*ratio) * deff)
}

// SmallestMargin is the margin for which Guess gives n questions; 1 if there is
// none smaller.
func SmallestMargin(n, discordance, effect, alpha, power, deff float64) float64 {
	low, high := max(0, -effect), 1.0
	for {
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			return high
		}
		if Guess(mid, discordance, effect, alpha, power, deff) > n {
			low = mid
		} else {
			high = mid
		}
	}
}

// ICC is the intraclass correlation of the changes (+1, 0, -1) within documents,
// by analysis of variance (Donner 1986), from -1 to 1, to nine decimals. ok is
// false where it is undefined: one document, one question in each, or nothing that varies.
func ICC(gains, losses, sizes []int) (icc float64, ok bool) {
	n, squares, between, within, change := 0, 0, 0.0, 0.0, sum(gains)-sum(losses)
	for _, size := range sizes {
		n += size
		squares += size * size
	}
	if len(sizes) < 2 || n == len(sizes) {
		return 0, false
	}
	mean := float64(change) / float64(n)
	for g, size := range sizes {
		d := gains[g] - losses[g]
		here := float64(d) / float64(size)
		away := here - mean
		between += float64(float64(size) * float64(away*away))
		within += float64(gains[g]+losses[g]) - float64(float64(d)*here)
	}
	between /= float64(len(sizes) - 1)
	within /= float64(n - len(sizes))
	size := (float64(n) - float64(squares)/float64(n)) / float64(len(sizes)-1)
	if all := between + float64((size-1)*within); all > 0 {
		return math.Round(float64((between-within)/all*1e9)) / 1e9, true
	}
	return 0, false
}

func sum(counts []int) (n int) {
	for _, v := range counts {
		n += v
	}
	return n
}
