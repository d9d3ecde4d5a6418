package main

import (
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/big"

	"kerf/internal/release/power"
	"kerf/internal/stats"
	"kerf/internal/study/effect"
)

// rates are the chances of a question of each document to lose and to gain: of
// these documents, so that their mean is exactly that of c. One in three documents
// has nine parts of ten of the losses, or all have alike.
func (d design) rates(c truth, uneven bool) (losses, gains []float64) {
	heavy := (d.documents + 2) / 3
	for g := range d.documents {
		share := 1.0
		if uneven {
			share = .1 * float64(d.documents) / float64(d.documents-heavy)
			if g < heavy {
				share = .9 * float64(d.documents) / float64(heavy)
			}
		}
		losses, gains = append(losses, float64(c.losses*share)), append(gains, c.gains)
	}
	return losses, gains
}

// these is what kerf says of few documents in trial t: whether it accepts at one
// placement, and by means over placements; then the same by the bootstrap that
// stands beside; then the paired t by means.
func (d design) these(c truth, uneven bool, t int) []bool {
	h := fnv.New64a()
	fmt.Fprint(h, "these", d, c.name, uneven)
	r := power.Trial(h.Sum64(), t)
	losses, gains := d.rates(c, uneven)
	var one, mean []*big.Rat
	var clusters []string
	for g := range d.documents {
		for range d.questions {
			last, sum := 0, 0
			u := r.Float64()
			for range placements { // a question that is prone changes by the toss of a coin
				last = 0
				if v := r.Float64(); v < often && u < losses[g]/often {
					last = -1
				} else if v < often && u < (losses[g]+gains[g])/often {
					last = 1
				}
				sum += last
			}
			one, mean = append(one, big.NewRat(int64(last), 1)), append(mean, big.NewRat(int64(sum), placements))
			clusters = append(clusters, fmt.Sprint(g))
		}
	}
	design := effect.Design{Level: level, ICC: stats.DefaultICC, Draws: draws, Seed: uint64(t)}
	var out []bool
	for _, f := range []func([]*big.Rat, effect.Scale) float64{
		func(values []*big.Rat, scale effect.Scale) float64 {
			return design.Of(values, clusters, scale).Value.Lo
		},
		func(values []*big.Rat, _ effect.Scale) float64 {
			return design.Bootstrap(values, clusters).Value.Percentile.Low
		},
	} {
		out = append(out, f(one, effect.Verdicts) > -margin, f(mean, effect.Fine) > -margin)
	}
	former, ok := pairedT(mean)
	if !ok {
		return append(out, out[1])
	}
	return append(out, former > -margin)
}

// pairedT is the lower bound of the textbook's paired t interval; ok is false where
// no variance is seen.
func pairedT(values []*big.Rat) (low float64, ok bool) {
	n, sum, squares := float64(len(values)), 0.0, 0.0
	for _, v := range values { // eighths: sums of them and of their squares are exact
		x, _ := v.Float64()
		sum, squares = sum+x, squares+float64(x*x)
	}
	variance := (float64(n*squares) - float64(sum*sum)) / (n - 1) / n / n
	return sum/n - float64(stats.StudentQuantile(1-alpha, n-1)*math.Sqrt(variance)), variance > 0
}

// fixedDocuments is the table of estimand F: what is true of these documents is
// the margin, and other documents are not spoken of.
func fixedDocuments(w io.Writer, trials, jobs int) {
	fmt.Fprintf(w, `
## These documents only (estimand F)

%d trials a cell; standard error of .05: %s. Below 12 documents kerf speaks of these alone: the documents and their rates stay, their questions are
drawn anew. "even": all documents have the same rates; "uneven": one in three has nine parts of ten of the losses. Every document has as many
questions as named. One placement: Tango; means over %d placements: Tango on scaled counts; questions change as in the tables above. Beside it the
percentile bootstrap of questions within their documents, which never decides, and the paired t, which decided before
(where no variance is seen, with kerf's bound).
`, trials, thousandths(math.Sqrt(alpha*(1-alpha)/float64(trials))), placements)
	head(w, "rates", "", "questions", "documents", "kerf, one placement", "kerf, means", "bootstrap, one placement", "bootstrap, means", "paired t, means")
	for _, c := range []truth{common, rare, equal} {
		for _, uneven := range []bool{false, true} {
			for _, questions := range []int{4, 25} {
				for _, documents := range []int{3, 5, 8, 11} {
					d := design{0, questions, documents}
					cells := []string{c.name, map[bool]string{false: "even", true: "uneven"}[uneven], fmt.Sprint(questions), fmt.Sprint(documents)}
					for _, n := range count(trials, jobs, func(t int) []bool { return d.these(c, uneven, t) }) {
						cells = append(cells, thousandths(float64(n)/float64(trials)))
					}
					row(w, cells...)
				}
			}
		}
	}
}
