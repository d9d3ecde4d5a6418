package report

import (
	"fmt"

	"kerf/internal/study/compare"
)

// strip is the picture of every phase of the compared arms: share of questions
// upwards, placement to the right. All numbers are ready for SVG attributes.
type strip struct {
	Title, Summary string
	Width, Height  string
	Ticks          []tick
	Labels         []tick // of placements, thinned out where there are many
	Series         []series
	Floor          bool // the axis does not begin at 0
}

type tick struct{ X, X2, Y, TextY, Text string }

type series struct {
	Name, Class, Shape string
	Points             []point
	Headline           string
}

type point struct {
	X, Y, Title, Class string
	Mark               string // text at the lowest placement
	MarkX, MarkY       string
	Anchor             string
}

const (
	stripWidth, stripHeight           = 960.0, 300.0
	left, right, top, bottom          = 84.0, 24.0, 24.0, 52.0
	plotWidth, plotHeight             = stripWidth - left - right, stripHeight - top - bottom
	maxLabels                         = 17
	markAbove, markBelow, textOffsetY = -12.0, 20.0, 4.0
)

func newStrip(s story) *strip {
	arms := s.compared()
	if len(arms) == 0 || s.questions() == 0 {
		return nil
	}
	n := s.questions()
	lo, hi, step := bounds(arms, n)
	y := func(rate float64) float64 { return top + plotHeight*(float64(hi)-rate*float64(n))/float64(hi-lo) }
	p := &strip{Width: px(stripWidth), Height: px(stripHeight), Floor: lo > 0,
		Title: "Whole evidence at every placement of the cuts"}
	for q := lo; q <= hi; q += step {
		at := y(float64(q) / float64(n))
		p.Ticks = append(p.Ticks, tick{X: px(left), X2: px(stripWidth - right), Y: px(at), TextY: px(at + textOffsetY), Text: fmt.Sprintf("%d/%d", q, n)})
	}
	most := arms[0]
	for i, a := range arms {
		p.Series = append(p.Series, drawArm(a, []string{"baseline", "candidate"}[i], y))
		p.Summary += fmt.Sprintf("%s: %s. ", a.Arm, p.Series[i].Headline)
		if a.Phases > most.Phases {
			most = a
		}
	}
	phases := most.Views.Budget.Phase
	every := (len(phases) + maxLabels - 1) / maxLabels
	for j := range phases {
		if last := len(phases) - 1; j == last || j%every == 0 && last-j >= every {
			p.Labels = append(p.Labels, tick{X: px(across(j, len(phases))), Y: px(stripHeight - bottom + 20), Text: phases[j].Label})
		}
	}
	return p
}

// bounds are the axis in questions of n, and the step between its lines: at most
// seven of them, one question apart at least, none below 0.
func bounds(arms []*compare.Arm, n int) (lo, hi, step int) {
	lo, hi = n, 0
	for _, a := range arms {
		for _, p := range a.Views.Budget.Phase {
			if d := p.Support.Den - p.Support.Missing; d > 0 {
				lo, hi = min(lo, n*p.Support.Num/d), max(hi, (n*p.Support.Num+d-1)/d)
			}
		}
	}
	if lo > hi {
		lo, hi = 0, n
	}
	return axis(lo, hi, n)
}

// across is the x of phase j of n.
func across(j, n int) float64 {
	if n == 1 {
		return left + plotWidth
	}
	return left + plotWidth*float64(j+1)/float64(n)
}

func drawArm(a *compare.Arm, class string, y func(float64) float64) series {
	v := &a.Views.Budget
	s := series{Name: a.Arm, Class: class, Shape: map[string]string{"baseline": "○", "candidate": "●"}[class]}
	if a.IsControl() {
		s.Headline = "unshifted control, 1 placement; " + fraction(v.Ordinary()) + " whole"
	} else {
		s.Headline = fmt.Sprintf("disagreement %s; come and go (flips) %s at P = %d", disagreement(v.Disagreement), flips(v.Flips), a.Phases)
	}
	for j, p := range v.Phase {
		x := across(j, len(v.Phase))
		rate, ok := p.Support.Rate()
		pt := point{X: px(x), Class: "point"}
		if len(v.Phase) <= maxTitles {
			pt.Title = fmt.Sprintf("%s, placement %s: %s", a.Arm, p.Label, fraction(p.Support))
			if p.FirstCut > 0 {
				pt.Title += fmt.Sprintf(", first cut after %s tokens", number(p.FirstCut))
			}
		}
		switch {
		case !ok:
			pt.Class, pt.Y = "point missing", px(stripHeight-bottom-8)
			pt.Mark, pt.MarkX, pt.MarkY, pt.Anchor = "no result", px(x), px(stripHeight-bottom-20), anchor(x)
		default:
			pt.Y = px(y(rate))
		}
		if !a.IsControl() && v.Worst.Measured && v.Worst.Value.Label == p.Label {
			pt.Class += " lowest"
			pt.Mark = fmt.Sprintf("lowest %s: %s", p.Label, fraction(p.Support))
			pt.MarkX, pt.MarkY, pt.Anchor = px(x), px(y(rate)+markBelow), anchor(x)
			if class == "candidate" {
				pt.MarkY = px(y(rate) + markAbove)
			}
		}
		s.Points = append(s.Points, pt)
	}
	return s
}

// anchor keeps a text at x inside the picture.
func anchor(x float64) string {
	switch {
	case x < left+90:
		return "start"
	case x > stripWidth-right-90:
		return "end"
	}
	return "middle"
}

func px(f float64) string { return fmt.Sprintf("%.1f", f) }
