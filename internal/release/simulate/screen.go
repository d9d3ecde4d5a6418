package main

import (
	"fmt"
	"io"
	"math"
	"math/big"

	"kerf/internal/release/gate"
)

// screen is the pass table of statistics.md 8, without chance, of the gate's own
// arithmetic.
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
		tolerance := big.NewRat(max(5, int64(n)/10), 2*int64(n)) // max(1/20, 5/(2n)): each n/10 is whole
		share, _ := tolerance.Float64()
		fixed, own := []string{fmt.Sprint(n), "0.05"}, []string{fmt.Sprint(n), fmt.Sprintf("kerf, %.3f", share)}
		for j, d := range drops {
			p := published8[i][j]
			got := gate.PassChance(n, big.NewRat(1, 20), d)
			text := fmt.Sprintf("%s (%s)", thousandths(got), thousandths(p))
			if math.Abs(got-p) > .0005+3*math.Sqrt(p*(1-p)/200_000) {
				text += "*"
			}
			fixed, own = append(fixed, text), append(own, thousandths(gate.PassChance(n, tolerance, d)))
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
