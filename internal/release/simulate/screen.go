package main

import (
	"fmt"
	"io"
	"math"
)

// screen is the pass table of statistics.md 8, without chance: a paired change of
// n questions passes where gains less losses are at least minus the tolerance.
func screen(w io.Writer) {
	fmt.Fprint(w, `
## The screen: how often it passes, exact

Independent questions, gains .02, losses .02 and the true drop. "0.05": passes where the mean has not fallen by more than
.05; in parentheses the figure of the design notes (200,000 draws). "kerf": the tolerance of the gate, max(.05, 5/(2n)).
`)
	drops := []float64{0, .02, .05, .08, .10, .15}
	names := []string{"n", "tolerance"}
	for _, d := range drops {
		names = append(names, fmt.Sprintf("drop %v", d))
	}
	head(w, names...)
	for i, n := range []int{20, 30, 50, 100, 200} {
		fixed, own := []string{fmt.Sprint(n), "0.05"}, []string{fmt.Sprint(n), fmt.Sprintf("kerf, %.3f", max(.05, 2.5/float64(n)))}
		for j, d := range drops {
			change := changes(n, .02+d, .02)
			p := published8[i][j]
			got := passes(change, n/20)
			text := fmt.Sprintf("%s (%s)", thousandths(got), thousandths(p))
			if math.Abs(got-p) > .0005+3*math.Sqrt(p*(1-p)/200_000) {
				text += "*"
			}
			fixed, own = append(fixed, text), append(own, thousandths(passes(change, max(n/20, 2)))) // 5/(2n) of n is 2.5 questions
		}
		row(w, fixed...)
		row(w, own...)
	}
}

var published8 = [][]float64{
	{.957, .858, .677, .496, .397, .207},
	{.924, .770, .522, .323, .225, .082},
	{.963, .817, .516, .269, .161, .036},
	{.996, .924, .577, .232, .102, .008},
	{1, .968, .553, .122, .028, 0},
}

// changes is the chance of each number of gains less losses of n questions, at
// place n + that number.
func changes(n int, losses, gains float64) []float64 {
	p := make([]float64, 2*n+1)
	p[n] = 1
	for range n {
		next := make([]float64, len(p))
		for i, v := range p {
			if v > 0 {
				next[i] += float64(v * (1 - losses - gains))
				next[i-1] += float64(v * losses)
				next[i+1] += float64(v * gains)
			}
		}
		p = next
	}
	return p
}

// passes is the chance that no more than so many questions are lost on balance.
func passes(change []float64, lost int) (sum float64) {
	for i, v := range change {
		if i >= len(change)/2-lost {
			sum += v
		}
	}
	return sum
}
