package report

import (
	"fmt"
	"math/big"
	"slices"
	"strings"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
)

// heat is the whole evidence of windowed arms by size and overlap, as a table:
// every cell says in words what its shade does.
type heat struct {
	Note  string
	Sizes []string
	Rows  []heatRow
}

type heatRow struct {
	Overlap string
	Cells   []heatCell
}

type heatCell struct {
	Arm, Text, Sub, Role string
	Shade                int // 0 to 5, by share
}

// newHeat is nil where the arms of the baseline's tokenizer and retrieval are no
// grid of two sizes and two overlaps at least.
func newHeat(s story) *heat {
	if s.base == nil || s.base.Window == nil || s.questions() == 0 {
		return nil
	}
	var arms []*compare.Arm
	for i := range s.Arms {
		if a := &s.Arms[i]; a.Window != nil && a.Tokenizer == s.base.Tokenizer && a.Retrieve == s.base.Retrieve && a.Split == s.base.Split {
			arms = append(arms, a)
		}
	}
	sizes, overlaps, at := lattice(arms)
	if len(sizes) < 2 || len(overlaps) < 2 {
		return nil
	}
	h := &heat{Note: fmt.Sprintf("Whole at the ordinary cuts; below it the paired difference to %s, over the same questions. Sizes in tokens (%s).", s.Baseline, s.base.Tokenizer)}
	if rest := len(s.Arms) - len(arms); rest > 0 {
		h.Note += " " + plural(rest, "arm is", "arms are") + " no part of this grid."
	}
	for _, n := range sizes {
		h.Sizes = append(h.Sizes, number(n))
	}
	lo, hi := shares(arms)
	for y, overlap := range overlaps {
		row := heatRow{Overlap: overlap}
		for x := range sizes {
			row.Cells = append(row.Cells, s.heatCell(at[y][x], lo, hi))
		}
		h.Rows = append(h.Rows, row)
	}
	return h
}

func (s story) heatCell(a *compare.Arm, lo, hi float64) heatCell {
	c := heatCell{Arm: a.Arm, Text: fraction(a.Views.Budget.Ordinary())}
	if share, ok := a.Views.Budget.Ordinary().Rate(); ok && hi > lo {
		c.Shade = min(5, int(6*(share-lo)/(hi-lo)))
	}
	switch {
	case a == s.base:
		c.Sub, c.Role = rate(a.Views.Budget.Ordinary()), "baseline"
		return c
	case a == s.candidate:
		c.Role = "candidate"
	}
	c.Sub = stats.NotMeasured
	for i := range s.Pairs {
		if p := &s.Pairs[i]; p.View == "budget" && p.Candidate == a.Arm && p.Baseline == s.Baseline {
			c.Sub = difference(p.Ordinary)
		}
	}
	return c
}

// shares are the smallest and the largest support at the ordinary cuts.
func shares(arms []*compare.Arm) (lo, hi float64) {
	lo, hi = 1, 0
	for _, a := range arms {
		if r, ok := a.Views.Budget.Ordinary().Rate(); ok {
			lo, hi = min(lo, r), max(hi, r)
		}
	}
	return lo, hi
}

// lattice lays arms out by overlap and size where there is one arm for each
// pair: overlaps in tokens if they are the same for every size, else in percent
// of the size, rounded down.
func lattice(arms []*compare.Arm) (sizes []int, overlaps []string, at [][]*compare.Arm) {
	for _, a := range arms {
		sizes = append(sizes, a.Size)
	}
	slices.Sort(sizes)
	sizes = slices.Compact(sizes)
	row := func(name string, of func(size int) int) {
		var cells []*compare.Arm
		for _, size := range sizes {
			if i := slices.IndexFunc(arms, func(a *compare.Arm) bool { return a.Size == size && a.Overlap == of(size) }); i >= 0 {
				cells = append(cells, arms[i])
			}
		}
		used := slices.ContainsFunc(at, func(r []*compare.Arm) bool { return len(cells) > 0 && slices.Contains(r, cells[0]) })
		if len(cells) == len(sizes) && !used {
			overlaps, at = append(overlaps, name), append(at, cells)
		}
	}
	var tokens []int
	for _, a := range arms {
		tokens = append(tokens, a.Overlap)
	}
	slices.Sort(tokens)
	for _, n := range slices.Compact(tokens) {
		row(plural(n, "token", "tokens"), func(int) int { return n })
	}
	if len(sizes)*len(at) == len(arms) {
		return sizes, overlaps, at
	}
	overlaps, at = nil, nil
	for _, step := range []int{5, 1} {
		for percent := 0; percent < 100; percent += step {
			name := fmt.Sprintf("%d %% of the size", percent)
			if percent == 0 {
				name = "no overlap"
			}
			row(name, func(size int) int { return size * percent / 100 })
		}
	}
	if len(sizes)*len(at) != len(arms) {
		return nil, nil, nil
	}
	order := make([]int, len(at))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return at[a][len(sizes)-1].Overlap - at[b][len(sizes)-1].Overlap })
	names, rows := make([]string, len(at)), make([][]*compare.Arm, len(at))
	for i, k := range order {
		names[i], rows[i] = overlaps[k], at[k]
	}
	return sizes, names, rows
}

// curve is the picture of support under further budgets.
type curve struct {
	Title, Summary string
	Width, Height  string
	Ticks, Labels  []tick
	Declared       *tick // the budget of every other figure
	Lines          []polyline
	Floor          bool
}

// polyline is one arm's line of a curve.
type polyline struct {
	Name, Class, Shape, Path string
	Points                   []point
	NameX, NameY             string
}

const curveHeight = 280.0

// newCurve is nil where no compared arm has two points.
func newCurve(s story) *curve {
	var arms []*compare.Arm
	for _, a := range s.compared() {
		if len(a.Curve) >= 2 {
			arms = append(arms, a)
		}
	}
	n := s.questions()
	if len(arms) == 0 || n == 0 {
		return nil
	}
	c := &curve{Title: "Whole evidence by context budget", Width: px(stripWidth), Height: px(curveHeight)}
	lo, hi, most := n, 0, 0
	for _, a := range arms {
		for _, p := range a.Curve {
			most = max(most, p.Tokens)
			if r, ok := p.Support.Rate(); ok {
				lo, hi = min(lo, int(r*float64(n))), max(hi, int(r*float64(n))+1)
			}
		}
	}
	lo, hi, step := axis(lo, hi, n)
	c.Floor = lo > 0
	const side = 150.0 // room for the names at the ends of the lines
	height := curveHeight - top - bottom
	x := func(tokens int) float64 { return left + (stripWidth-side-left)*float64(tokens)/float64(max(1, most)) }
	y := func(share float64) float64 { return top + height*(float64(hi)-share*float64(n))/float64(hi-lo) }
	for q := lo; q <= hi; q += step {
		at := y(float64(q) / float64(n))
		c.Ticks = append(c.Ticks, tick{X: px(left), X2: px(stripWidth - side), Y: px(at), TextY: px(at + textOffsetY), Text: fmt.Sprintf("%d/%d", q, n)})
	}
	at := -100.0
	for _, p := range arms[0].Curve {
		if px := x(p.Tokens); px-at >= 44 {
			at = px
			c.Labels = append(c.Labels, tick{X: fmt.Sprintf("%.1f", px), Y: fmt.Sprintf("%.1f", curveHeight-bottom+20), Text: number(p.Tokens)})
		}
	}
	if b := s.Budget.Tokens; b <= most {
		c.Declared = &tick{X: px(x(b)), X2: px(x(b) + 5), Y: px(top), TextY: px(top + 10), Text: fmt.Sprintf("declared: %s", number(b))}
	}
	const apart = 16.0
	var ends []float64 // of the lines
	for i, a := range arms {
		class := "candidate"
		if a == s.base || s.base == nil && i == 0 {
			class = "baseline"
		}
		l := polyline{Name: a.Arm, Class: class, Shape: map[string]string{"baseline": "○", "candidate": "●"}[class]}
		var path []string
		var nameX, nameY float64
		for _, p := range a.Curve {
			r, ok := p.Support.Rate()
			if !ok {
				continue
			}
			path = append(path, px(x(p.Tokens))+","+px(y(r)))
			l.Points = append(l.Points, point{X: px(x(p.Tokens)), Y: px(y(r)),
				Title: fmt.Sprintf("%s, %s tokens: %s at the ordinary cuts, %s over questions and placements", a.Arm, number(p.Tokens), fraction(p.Ordinary), fraction(p.Support))})
			nameX, nameY = x(p.Tokens)+10, y(r)+textOffsetY
		}
		ends = append(ends, nameY)
		l.NameX = px(nameX)
		l.Path = strings.Join(path, " ")
		last := a.Curve[len(a.Curve)-1]
		c.Summary += fmt.Sprintf("%s: %s at %s tokens, %s at %s. ", a.Arm, fraction(a.Curve[0].Ordinary), number(a.Curve[0].Tokens), fraction(last.Ordinary), number(last.Tokens))
		c.Lines = append(c.Lines, l)
	}
	if len(ends) == 2 && max(ends[0]-ends[1], ends[1]-ends[0]) < apart { // their names would cover each other
		upper := min(ends[0], ends[1])
		if ends[0] <= ends[1] {
			ends = []float64{upper, upper + apart}
		} else {
			ends = []float64{upper + apart, upper}
		}
	}
	for i := range c.Lines {
		c.Lines[i].NameY = px(ends[i])
	}
	return c
}

// axis widens an interval of questions to lines a round number apart, five at most
// or so; none below 0 or above n.
func axis(lo, hi, n int) (from, to, step int) {
	for _, step = range []int{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000} {
		if hi-lo <= 4*step {
			break
		}
	}
	step = max(step, (hi-lo+3)/4)
	return max(0, lo/step*step-step), min(n, (hi+step)/step*step), step
}

// curves is the same in figures, every arm.
func (s story) curves() table {
	t := table{Caption: "Whole evidence under further budgets", Head: []string{"configuration"},
		Note: "At the ordinary cuts, and below it over questions and placements. Each budget is the evidence's ceiling; the declared one is " + number(s.Budget.Tokens) + "."}
	for i := range s.Arms {
		if a := &s.Arms[i]; len(a.Curve) >= 2 {
			if len(t.Head) == 1 {
				for _, p := range a.Curve {
					t.Head = append(t.Head, number(p.Tokens)+" tokens")
				}
			}
			if len(t.Rows) == maxRows || len(a.Curve) != len(t.Head)-1 {
				continue
			}
			row := []cell{name(a)}
			for _, p := range a.Curve {
				row = append(row, figure(fraction(p.Ordinary), "mean "+strings.ReplaceAll(rate(p.Support), "\n", "; ")))
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// stages is the rank ceiling: what each stage still holds.
func (s story) stages() table {
	t := table{Caption: "The ceiling of each stage",
		Note: "Whole evidence in all that a stage hands on, over questions and placements. Candidates: all ranked hits; packed: the context. What is lost between two stages is lost there.",
		Head: []string{"configuration", "candidates", "fused", "reranked", "expanded", "packed", "lost in packing"}}
	moving := func(m compare.Moving[stats.Count]) cell {
		if !m.Applies {
			return figure(compare.NotApplicable, "")
		}
		return count(m.Value)
	}
	for i := range s.Arms {
		a := &s.Arms[i]
		if g := &a.Stages; g.Candidates.Den > 0 && len(t.Rows) < maxRows {
			lost := stats.NotMeasured
			if g.Candidates.Missing == g.Packed.Missing && g.Candidates.Den == g.Packed.Den {
				lost = fmt.Sprintf("%d/%d", g.Candidates.Num-g.Packed.Num, g.Packed.Den-g.Packed.Missing)
			}
			t.Rows = append(t.Rows, []cell{name(a), count(g.Candidates), moving(g.Fused), moving(g.Reranked), moving(g.Expanded), count(g.Packed), figure(lost, "")})
		}
	}
	return t
}

// targets is how much worse cuts are that are aimed at the evidence.
func (s story) targets() table {
	t := table{Caption: "Cuts aimed at the evidence: a stress reading",
		Note: "Before a question's first span, between two, after its last. They stand in no mean above: a stress statistic, not an expected frequency. Aimed less usual: the share under the aimed placements less that under the usual ones, of the same questions; below zero, aimed cuts lose more.",
		Head: []string{"configuration", "aimed placements", "whole under aimed cuts", "the same questions under the usual placements", "aimed less usual", "questions that some aimed cut loses", "lowest aimed placement, all questions"}}
	for i := range s.Arms {
		a := &s.Arms[i]
		g := a.Targets
		if g == nil || len(t.Rows) == maxRows {
			continue
		}
		less := figure(stats.NotMeasured, "")
		if aimed, ok := g.Support.Rat(); ok {
			if grid, ok := g.Grid.Rat(); ok {
				less = figure(signed(times100(new(big.Rat).Sub(aimed, grid)), 1)+" points", "of "+plural(g.Questions, "question", "questions"))
			}
		}
		row := []cell{name(a), figure(number(g.Placements), "of "+plural(g.Questions, "question", "questions")), count(g.Support), count(g.Grid), less, count(g.Lost), lowest(g.Worst)}
		if len(g.Unreachable) > 0 {
			row[1].Sub += "\n" + plural(len(g.Unreachable), "place is", "places are") + " no token boundary"
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}
