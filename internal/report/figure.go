package report

import (
	"math/big"
	"slices"
	"strconv"
	"strings"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/effect"
)

// number is n with a comma every three digits.
func number(n int) string { return Number(n) }

// decimal is r with this number of decimals.
func decimal(r *big.Rat, decimals int) string { return r.FloatString(decimals) }

// signed is decimal with a plus for what is not negative.
func signed(r *big.Rat, decimals int) string {
	s := decimal(r, decimals)
	if !strings.HasPrefix(s, "-") {
		return "+" + s
	}
	return s
}

// fraction is num/den with the missing cells named: never a rate alone (S1-092).
func fraction(c stats.Count) string {
	switch {
	case c.Den == 0:
		return "undefined (0/0)"
	case c.Missing == c.Den:
		return stats.NotMeasured + " (" + strconv.Itoa(c.Missing) + "/" + strconv.Itoa(c.Den) + " missing)"
	}
	return c.String()
}

// rate is the share behind a fraction, with its denominator; where cells are
// missing, the share of those with a result and on a second line both bounds. It
// is empty where fraction says all there is.
func rate(c stats.Count) string {
	r, ok := c.Rat()
	if !ok {
		return ""
	}
	if c.Missing == 0 {
		return percent(r) + " of " + number(c.Den)
	}
	bound := func(num int) string { return decimal(times100(big.NewRat(int64(num), int64(c.Den))), 1) }
	return percent(r) + " of " + number(c.Den-c.Missing) + "\n" + bound(c.Num) + " to " + bound(c.Num+c.Missing) + " % of " + number(c.Den)
}

// percent is a share in percent. A share that is not all, or not nothing, never
// reads as if it were.
func percent(r *big.Rat) string {
	switch text := decimal(times100(r), 1); {
	case text == "100.0" && r.Cmp(big.NewRat(1, 1)) < 0:
		return ">99.9 %"
	case text == "0.0" && r.Sign() > 0:
		return "<0.1 %"
	default:
		return text + " %"
	}
}

// Share is a count with its share in percent.
func Share(c stats.Count) string {
	r, ok := c.Rat()
	if !ok {
		return fraction(c)
	}
	return c.String() + " " + percent(r)
}

func times100(r *big.Rat) *big.Rat { return new(big.Rat).Mul(r, big.NewRat(100, 1)) }

// mean is the value of a sum over its denominator.
func mean(s stats.Sum, decimals int) string {
	r, ok := s.Rat()
	if !ok {
		if s.Den == 0 {
			return "undefined (0/0)"
		}
		return stats.NotMeasured + " (" + strconv.Itoa(s.Missing) + "/" + strconv.Itoa(s.Den) + " missing)"
	}
	out := decimal(r, decimals) + " over " + number(s.Den-s.Missing)
	if s.Missing > 0 {
		out += " (" + number(s.Missing) + " of " + number(s.Den) + " missing)"
	}
	return out
}

// difference is a sum of differences over questions, as questions and as points.
func difference(s stats.Sum) string {
	r, ok := s.Rat()
	if !ok {
		return mean(s, 1)
	}
	decimals := 0
	if !s.Sum.IsInt() {
		decimals = 2
	}
	out := signed(s.Sum, decimals) + "/" + strconv.Itoa(s.Den-s.Missing) + " = " + signed(times100(r), 1) + " points"
	if s.Missing > 0 {
		out += ", " + number(s.Missing) + "/" + number(s.Den) + " missing"
	}
	return out
}

// resolution is how much one question of den moves a share (S2-014); empty for none.
func resolution(den int) string {
	if den == 0 {
		return ""
	}
	return "1/" + strconv.Itoa(den) + " = " + decimal(big.NewRat(100, int64(den)), 1) + " points"
}

// inHundred is a share in words.
func inHundred(r *big.Rat) string {
	if r.Sign() > 0 && r.Cmp(big.NewRat(1, 200)) < 0 {
		return "fewer than 1 in 100"
	}
	return decimal(times100(r), 0) + " in 100"
}

// flips is the figure "come and go".
func flips(m compare.Moving[stats.Count]) string {
	if !m.Applies {
		return compare.NotApplicable
	}
	return fraction(m.Value)
}

func disagreement(m compare.Moving[stats.Sum]) string {
	if !m.Applies {
		return compare.NotApplicable
	}
	return mean(m.Value, 3)
}

// whole is the number that was measured, or "not measured".
func whole(m stats.Maybe[int]) string {
	if !m.Measured {
		return stats.NotMeasured
	}
	return number(m.Value)
}

func words(m stats.Maybe[string]) string {
	if !m.Measured {
		return stats.NotMeasured
	}
	return m.Value
}

// ratio is a stored "a/b" with its decimal value.
func ratio(m stats.Maybe[string]) string {
	if !m.Measured {
		return stats.NotMeasured
	}
	r, ok := new(big.Rat).SetString(m.Value)
	if !ok {
		return m.Value
	}
	return m.Value + " = " + decimal(r, 3)
}

// interval is a confidence interval in points with all that it depends on
// (S1-128).
func interval(ci stats.Maybe[compare.Interval]) string {
	if !ci.Measured {
		return stats.NotMeasured
	}
	points := func(f float64) string {
		r, ok := new(big.Rat).SetString(strconv.FormatFloat(100*f, 'f', -1, 64))
		if !ok {
			return stats.NotMeasured
		}
		return signed(r, 1)
	}
	v := ci.Value
	over, why := number(v.Clusters)+" clusters", v.Unit+", "+v.Method+", estimand "+v.Estimand
	if v.Unit == effect.Question {
		over = plural(v.Questions, "question", "questions")
	}
	if v.Estimand == effect.Fixed {
		why += ": these documents only"
	}
	if slices.Contains(v.Warnings, effect.Floor) {
		why += ", no variance seen"
	}
	out := strconv.FormatFloat(100*v.Level, 'f', -1, 64) + " % CI " + points(v.Lo) + " to " + points(v.Hi) + " points over " + over + " (" + why + ")"
	if v.Lo <= 0 && 0 <= v.Hi {
		out += ", which does not tell the arms apart"
	}
	return out
}

// extremes are the smallest and the largest support over the complete phases of
// a view; ok is false without one.
func extremes(v *compare.View) (lo, hi compare.Phase, ok bool) {
	for _, p := range v.Phase {
		if p.Support.Missing > 0 {
			continue
		}
		if !ok || p.Support.Num < lo.Support.Num {
			lo = p
		}
		if !ok || p.Support.Num > hi.Support.Num {
			hi = p
		}
		ok = true
	}
	return lo, hi, ok
}

// Difference is a paired difference in questions and in points: "+4/46 = +8.7 points".
func Difference(s stats.Sum) string { return difference(s) }

// Interval is a confidence interval of a difference in points, with all that it
// depends on; one that holds 0 does not tell the arms apart, and it says so.
func Interval(ci stats.Maybe[compare.Interval]) string { return interval(ci) }

// Mean is a mean over questions: "0.583 over 48".
func Mean(s stats.Sum) string { return strings.ReplaceAll(mean(s, 3), "\n", " ") }
