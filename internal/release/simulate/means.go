package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"

	"kerf/internal/release/power"
	"kerf/internal/stats"
)

// placements are those that a question's difference is the mean of.
const placements = 8

// means is what is seen of some documents over placements: sums over questions of
// the placements gained and lost on balance.
type means struct {
	change, sizes []int   // by document; change in placements
	up, down      int     // placements, of questions that gain, that lose on balance
	squares       float64 // sum of the squared changes of questions
}

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
	for range d.documents {
		size := d.size(r)
		gains, losses := change.Draw(r, size)
		sum := 0
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
			sum += of
			m.up, m.down = m.up+max(of, 0), m.down+max(-of, 0)
			m.squares += float64(of * of)
		}
		m.change, m.sizes = append(m.change, sum), append(m.sizes, size)
	}
	return m
}

// bounds are the lower bounds of the ways to decide over placements, in the order
// of averaged.
func (m means) bounds() []float64 {
	n, g := float64(total(m.sizes)), len(m.sizes)
	estimate, variance, ok := stats.NewSums(m.change, m.sizes).Jackknife(func(t []int) (num, den int) { return t[0], placements * t[1] })
	if !ok {
		panic("BUG: one document")
	}
	quantile := stats.StudentQuantile((1+level)/2, float64(g-1))
	below := func(variance float64) float64 { return estimate - float64(quantile*math.Sqrt(variance)) }
	up, down := float64(m.up)/placements, float64(m.down)/placements
	ratio, independent := 1.0, ((up+down)/n-float64(estimate*estimate))/n // as if placements were questions
	if independent > 0 {
		ratio = variance / independent
	}
	tango := func(deff float64) float64 {
		low := stats.Tango(up/deff, down/deff, n/deff, quantile).Low
		if m.up+m.down == 0 {
			low = min(low, -stats.NoLossBound(n/deff, alpha))
		}
		return low
	}
	counts := tango(stats.DesignEffect(m.sizes, ratio, stats.DefaultICC))
	if variance == 0 { // no information: every way falls back on this one
		return []float64{counts, counts, counts, counts}
	}
	floor := stats.DesignEffect(m.sizes, 1, stats.DefaultICC) * (m.squares/(placements*placements)/n - float64(estimate*estimate)) / n
	own := below(variance)
	if g < 20 {
		own = min(own, counts)
	}
	return []float64{below(variance), below(max(variance, floor)), tango(max(variance, floor) / independent), own}
}

// averaged are the ways to decide over placements.
var averaged = []string{"CRV3-t", "CRV3-t, floor", "Tango, scaled", "kerf"}

// overPlacements is how the ways to decide over placements do, which the design
// notes leave open (statistics.md 5 and 12).
func overPlacements(w io.Writer, trials, jobs int) {
	fmt.Fprintf(w, `
## Means over %d placements

%d trials a cell; standard error of .05: %s. A question is prone to lose or to gain, by Polya's urn with the ICC named, and
then changes in each placement with the chance %v, so that the rates are those named. "come and go": 30 %% of the other questions gain a quarter
of their placements and lose a quarter, which is no effect. "CRV3-t" alone; "floor": with a variance of at least
1 + (m-1)·.2 times that of independent questions; "scaled": Tango on fractional counts, divided so that they have that variance; "kerf": CRV3-t, and
below 20 documents no narrower than Tango on fractional counts divided by the design effect of verdicts. Where no variance is seen all are the last.
Of 8 documents kerf itself says nothing about others.
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
					estimate := float64(total(m.change)) / placements / float64(total(m.sizes))
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
			for _, documents := range []int{8, 12, 15, 19, 20, 30} {
				out = append(out, design{icc, questions, documents})
			}
		}
	}
	return out
}
