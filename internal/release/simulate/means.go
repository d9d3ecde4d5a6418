package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/big"
	"strconv"

	"kerf/internal/release/power"
	"kerf/internal/stats"
	"kerf/internal/study/effect"
)

// placements are those that a question's difference is the mean of.
const placements = 8

// means is what is seen of some documents over placements: of each question its
// document, and the placements gained, less those lost.
type means struct{ change, document []int }

// often is how many of the placements a prone question changes in.
const often = .5

// means is trial t. A question is prone to lose, prone to gain, or neither, by
// Polya's urn within its document; one that is prone changes in each placement by
// the toss of a coin, so that rates are those of c. Of the others a share of restless come and go:
// a quarter of their placements is gained, a quarter lost.
func (d design) means(c truth, restless float64, t int) (m means) {
	h := fnv.New64a()
	fmt.Fprint(h, "means", d, c.name, restless)
	r := power.Trial(h.Sum64(), t)
	change := power.Change{Losses: c.losses / often, Gains: c.gains / often, ICC: d.icc}
	for document := range d.documents {
		size := d.size(r)
		gains, losses := change.Draw(r, size)
		for q := range size {
			of := 0
			for range placements {
				switch u := r.Float64(); {
				case q < gains+losses:
					if u < often {
						of++
					}
				case u < .25:
					of--
				case u < .5:
					of++
				}
			}
			switch {
			case q < gains:
			case q < gains+losses:
				of = -of
			case r.Float64() >= restless:
				of = 0
			}
			m.change, m.document = append(m.change, of), append(m.document, document)
		}
	}
	return m
}

// kerf is the lower bound that kerf gives.
func (m means) kerf() float64 {
	var values []*big.Rat
	var clusters []string
	for q, of := range m.change {
		values, clusters = append(values, big.NewRat(int64(of), placements)), append(clusters, strconv.Itoa(m.document[q]))
	}
	return effect.Design{Level: level, ICC: stats.DefaultICC}.Of(values, clusters, effect.Fine).Value.Lo
}

// bounds are the lower bounds of the ways to decide over placements, in the order
// of averaged.
func (m means) bounds() []float64 {
	n, documents := float64(len(m.change)), 1+m.document[len(m.document)-1]
	sums, sizes := make([]int, documents), make([]int, documents)
	var up, down, squares float64
	for q, of := range m.change {
		sums[m.document[q]] += of
		sizes[m.document[q]]++
		v := float64(of) / placements
		up, down, squares = up+max(v, 0), down+max(-v, 0), squares+float64(v*v)
	}
	estimate, variance, ok := stats.NewSums(sums, sizes).Jackknife(func(t []int64) (num, den int64) { return t[0], placements * t[1] })
	if !ok {
		panic("BUG: one document")
	}
	quantile := stats.StudentQuantile((1+level)/2, float64(documents-1))
	ratio, independent := 1.0, ((up+down)/n-float64(estimate*estimate))/n // as if placements were questions
	if independent > 0 {
		ratio = variance / independent
	}
	deff := stats.DesignEffect(sizes, ratio, stats.DefaultICC)
	counts := stats.Tango(up/deff, down/deff, n/deff, quantile).Low
	if up+down == 0 {
		counts = min(counts, -stats.NoLossBound(n/deff, alpha))
	}
	own := m.kerf()
	if variance == 0 { // no information: the others fall back on this one
		return []float64{counts, counts, counts, own}
	}
	below := func(variance float64) float64 { return estimate - float64(quantile*math.Sqrt(variance)) }
	floor := stats.DesignEffect(sizes, 1, stats.DefaultICC) * (squares/n - float64(estimate*estimate)) / n
	notes := below(variance)
	if documents < 20 {
		notes = min(notes, counts)
	}
	return []float64{below(variance), below(max(variance, floor)), notes, own}
}

// averaged are the ways to decide over placements.
var averaged = []string{"CRV3-t", "CRV3-t, floor", "design notes", "kerf"}

// overPlacements is how the ways to decide over placements do, which the design
// notes leave open (statistics.md 5 and 12).
func overPlacements(w io.Writer, trials, jobs int) {
	fmt.Fprintf(w, `
## Means over %d placements

%d trials a cell; standard error of .05: %s. A question is prone to lose or to gain, by Polya's urn with the ICC named, and
then changes in each placement with the chance %v, so that the rates are those named. "come and go": 30 %% of the other questions gain a quarter
of their placements and lose a quarter, which is no effect. "CRV3-t" alone; "floor": with a variance of at least
1 + (m-1)·.2 times that of independent questions; "design notes": their rule, CRV3-t, and below 20 documents no narrower than Tango on fractional
counts divided by the design effect of verdicts (where no variance is seen these three are Tango so divided); "kerf": its own code, Tango on
counts scaled to the variance of "floor". Below 12 documents it says nothing about others.
`, placements, trials, thousandths(math.Sqrt(alpha*(1-alpha)/float64(trials))), often)
	names := []string{"ICC", "questions", "documents"}
	for _, restless := range []string{"", ", come and go"} {
		for _, name := range averaged {
			names = append(names, name+restless)
		}
	}
	for _, c := range []truth{common, rare, equal} {
		what := "False accepts"
		if c == equal {
			what = "Accepts where nothing is worse, and in parentheses how far the bound lies below the estimate on average, in points"
		}
		fmt.Fprintf(w, "\n### %s: %s\n", c.name, what)
		head(w, names...)
		for _, d := range averagedDesigns() {
			cells := []string{fmt.Sprint(d.icc), fmt.Sprint(d.questions), fmt.Sprint(d.documents)}
			for _, restless := range []float64{0, .3} {
				below := make([][]float64, trials)
				hits := count(trials, jobs, func(t int) (out []bool) {
					m := d.means(c, restless, t)
					estimate := float64(total(m.change)) / placements / float64(len(m.change))
					for _, low := range m.bounds() {
						out = append(out, low > -margin)
						below[t] = append(below[t], estimate-low)
					}
					return out
				})
				for i, n := range hits {
					text := thousandths(float64(n) / float64(trials))
					if c == equal {
						sum := 0.0
						for _, b := range below {
							sum += b[i]
						}
						text += fmt.Sprintf(" (%.1f)", 100*sum/float64(trials))
					}
					cells = append(cells, text)
				}
			}
			row(w, cells...)
		}
	}
}

// averagedDesigns are those of the tables over placements.
func averagedDesigns() (out []design) {
	for _, questions := range []int{4, 25} {
		for _, icc := range []float64{0, .2, .5} {
			for _, documents := range []int{12, 15, 19, 20, 30} {
				out = append(out, design{icc, questions, documents})
			}
		}
	}
	return out
}
