package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"strings"
	"sync"

	"kerf/internal/release/power"
	"kerf/internal/stats"
)

// The decision that is simulated: no loss of 5 points, at one-sided alpha .05.
const (
	margin = .05
	alpha  = .05
	level  = 1 - 2*alpha
	draws  = 500 // of a bootstrap
)

// design is documents as they come: so many, of about so many questions.
type design struct {
	icc       float64
	questions int // mean of 1 + Poisson; 1: exactly one
	documents int
}

func (d design) String() string {
	return fmt.Sprintf("icc %v, %d questions a document, %d documents", d.icc, d.questions, d.documents)
}

// designs are those of statistics.md 5, and 4 and 25 questions at each ICC.
func designs() []design {
	var out []design
	add := func(icc float64, questions int, documents ...int) {
		for _, g := range documents {
			out = append(out, design{icc, questions, g})
		}
	}
	for _, questions := range []int{4, 25} {
		for _, icc := range []float64{0, .2, .5} {
			add(icc, questions, 8, 12, 20, 30, 50, 100)
		}
	}
	add(0, 1, 50, 100, 200)
	add(.5, 6, 20, 50, 100)
	return out
}

// a truth is how questions change.
type truth struct {
	name          string
	losses, gains float64
}

var (
	common = truth{"losses .08, gains .03", .08, .03} // just the margin
	rare   = truth{"losses .05, no gains", .05, 0}    // just the margin
	equal  = truth{"losses .03, gains .03", .03, .03} // no effect
)

// methods are the ways to decide, in the order of accepts.
var methods = []string{"point", "iid percentile", "percentile", "basic", "BCa", "CRV3-t", "Tango", "Tango-DEFF .05", "Tango-DEFF .2", "kerf"}

const crv3, deff05, kerf = 5, 7, 9

// sample is what is seen of some documents.
type sample struct{ gains, losses, sizes []int }

// draw is trial t of a design under a truth.
func (d design) draw(c truth, t int) sample {
	h := fnv.New64a()
	fmt.Fprint(h, d, c.name)
	r := power.Trial(h.Sum64(), t)
	var s sample
	for range d.documents {
		size := d.size(r)
		g, l := power.Change{Losses: c.losses, Gains: c.gains, ICC: d.icc}.Draw(r, size)
		s.gains, s.losses, s.sizes = append(s.gains, g), append(s.losses, l), append(s.sizes, size)
	}
	return s
}

// size is the questions of a document: 1 and Knuth's Poisson of the others.
func (d design) size(r *power.Random) int {
	size := 1
	for p := r.Float64(); p >= stats.Exp(-float64(d.questions-1)); p = float64(p * r.Float64()) {
		size++
	}
	return size
}

func rule(floor float64) power.Rule { return power.Rule{Margin: margin, Alpha: alpha, Floor: floor} }

// accepts is what each method says of a sample. A bootstrap interval without width
// is taken as it stands, as textbooks do, and so is CRV3's; BCa is then undefined.
func (s sample) accepts(t int) []bool {
	gained, lost, n := total(s.gains), total(s.losses), total(s.sizes)
	// One question a row: which document it is of does not matter here.
	changes, ones := make([]int, n), make([]int, n)
	for i := range n {
		ones[i] = 1
		switch {
		case i < gained:
			changes[i] = 1
		case i < gained+lost:
			changes[i] = -1
		}
	}
	mean := func(t []int64) (num, den int64) { return t[0], t[1] }
	iid := stats.NewSums(changes, ones).Bootstrap(uint64(t), draws, mean)
	sums := stats.NewSums(s.gains, s.losses, s.sizes)
	change := func(t []int64) (num, den int64) { return t[0] - t[1], t[2] }
	clustered := sums.Bootstrap(uint64(t), draws, change)
	above := func(low float64) bool { return low > -margin }
	out := []bool{
		20*(gained-lost) >= -n,
		above(iid.Percentile(level).Low), above(clustered.Percentile(level).Low), above(clustered.Basic(level).Low),
	}
	bca, ok := clustered.BCa(level)
	out = append(out, ok && above(bca.Low))
	c, ok := sums.CRV3(change, level)
	if !ok {
		c.Low = clustered.Estimate
	}
	tango := stats.Tango(float64(gained), float64(lost), float64(n), stats.NormalQuantile(1-alpha))
	out = append(out, above(c.Low), above(tango.Low))
	for _, floor := range []float64{.05, stats.DefaultICC} {
		i, ok := stats.PairedRates(s.gains, s.losses, s.sizes, level, floor)
		out = append(out, ok && above(i.Interval.Low))
	}
	return append(out, rule(stats.DefaultICC).Accepts(s.gains, s.losses, s.sizes))
}

// count is how often each of several answers is yes over trials.
func count(trials, jobs int, answers func(t int) []bool) []int {
	all := make([][]bool, trials)
	var wait sync.WaitGroup
	for job := range jobs {
		wait.Go(func() {
			for t := job; t < trials; t += jobs {
				all[t] = answers(t)
			}
		})
	}
	wait.Wait()
	out := make([]int, len(all[0]))
	for _, answers := range all {
		for i, yes := range answers {
			if yes {
				out[i]++
			}
		}
	}
	return out
}

// falseAccepts is the table of statistics.md 5: the truth is the margin.
func falseAccepts(w io.Writer, trials, jobs int) {
	fmt.Fprintf(w, `
## False accepts, truth at the margin

Share of trials that accept "no loss of 5 points", nominal %v. Standard error of .05: %s. In parentheses the figure of
the design notes (2,000 or 1,200 trials); * where the two are further apart than three standard errors of their difference.
"kerf": Tango-DEFF with the floor at ICC .2, 12 documents, and the exact rule.
`, alpha, thousandths(math.Sqrt(alpha*(1-alpha)/float64(trials))))
	for _, c := range []truth{common, rare} {
		fmt.Fprintf(w, "\n### %s\n", c.name)
		head(w, append([]string{"ICC", "questions", "documents"}, methods...)...)
		for _, d := range designs() {
			hits := count(trials, jobs, func(t int) []bool { return d.draw(c, t).accepts(t) })
			cells := []string{fmt.Sprint(d.icc), fmt.Sprint(d.questions), fmt.Sprint(d.documents)}
			for m, n := range hits {
				cells = append(cells, beside(n, trials, published(d, c, m)))
			}
			row(w, cells...)
		}
	}
}

// powers is the table of statistics.md 5: the truth is no effect.
func powers(w io.Writer, trials, jobs int) {
	fmt.Fprintf(w, "\n## Accepts where nothing is worse: %s\n\nThe design notes do not name the rates of this column; these fit it.\n", equal.name)
	head(w, "ICC", "questions", "documents", "Tango-DEFF .05", "Tango-DEFF .2", "kerf")
	for _, d := range designs() {
		hits := count(trials, jobs, func(t int) []bool {
			s := d.draw(equal, t)
			var out []bool
			for _, floor := range []float64{.05, stats.DefaultICC} {
				i, ok := stats.PairedRates(s.gains, s.losses, s.sizes, level, floor)
				out = append(out, ok && i.Interval.Low > -margin)
			}
			return append(out, rule(stats.DefaultICC).Accepts(s.gains, s.losses, s.sizes))
		})
		row(w, fmt.Sprint(d.icc), fmt.Sprint(d.questions), fmt.Sprint(d.documents),
			beside(hits[0], trials, published(d, equal, deff05)), beside(hits[1], trials, nil), beside(hits[2], trials, nil))
	}
}

// beside is a share with the published one.
func beside(n, trials int, p *share) string {
	got := float64(n) / float64(trials)
	text := thousandths(got)
	if p == nil {
		return text
	}
	text += " (" + thousandths(p.value) + ")"
	pooled := (float64(n) + p.value*float64(p.trials)) / float64(trials+p.trials)
	if math.Abs(got-p.value) > 3*math.Sqrt(pooled*(1-pooled)*(1/float64(trials)+1/float64(p.trials))) {
		text += "*"
	}
	return text
}

// thousandths is a share with three decimals, .050 for one in twenty.
func thousandths(v float64) string { return strings.TrimPrefix(fmt.Sprintf("%.3f", v), "0") }

func total(counts []int) (n int) {
	for _, v := range counts {
		n += v
	}
	return n
}
