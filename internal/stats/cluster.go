package stats

import "math"

// Jackknife is a statistic and its variance from leaving out each cluster in
// turn, (G-1)/G times the squared distances from the statistic of all clusters
// (CRV3; MacKinnon, Nielsen and Webb 2023). ok is false for one cluster.
func (s *Sums) Jackknife(f Statistic) (estimate, variance float64, ok bool) {
	b := s.over(draws([]float64{0}), f)
	for _, v := range b.without {
		d := v - b.Estimate
		variance += float64(d * d)
	}
	g := float64(s.clusters)
	return b.Estimate, float64((g-1)/g) * variance, s.clusters > 1
}

// CRV3 is the interval of a statistic by its jackknife variance and Student's t
// with one degree of freedom less than there are clusters. ok is false for one
// cluster, and where the variance is 0, which is no information and not a proof.
func (s *Sums) CRV3(f Statistic, level float64) (i Interval, ok bool) {
	estimate, variance, ok := s.Jackknife(f)
	if !ok || variance == 0 {
		return i, false
	}
	half := float64(StudentQuantile((1+level)/2, float64(s.clusters-1)) * math.Sqrt(variance))
	return Interval{estimate - half, estimate + half}, true
}

// DefaultICC is the intraclass correlation that is assumed at least, where no
// pilot gives another (statistics.md 5).
const DefaultICC = 0.2

// DesignEffect is how many clustered questions are worth one independent one, at
// least 1: the larger of 1 + (m-1) icc, m being the mean cluster size of a
// question, and of ratio, the variance over clusters by that of independent
// questions. Where the latter is 0 there is no ratio; it is given as 1.
func DesignEffect[N int | int64](sizes []N, ratio, icc float64) float64 {
	var questions, squares int64
	for _, n := range sizes {
		questions += int64(n)
		squares += int64(n) * int64(n)
	}
	m := float64(squares) / float64(questions)
	return max(1+float64((m-1)*icc), ratio, 1)
}

// Clustered is an interval on effective counts.
type Clustered struct {
	Estimate float64
	Interval Interval
	DEFF     float64
	N        float64 // effective questions: n / DEFF
	Degrees  int     // of freedom of t
}

// PairedRates is the interval of the difference of two rates over clustered
// questions: Tango's, on counts divided by the design effect and with t of one
// degree of freedom less than there are clusters (statistics.md 5: a combination
// of Tango 1998 with the effective sample sizes of Donner and of Saha 2016). Of
// each cluster: questions gained, lost, and in all, at least 1. ok is false for
// one cluster.
func PairedRates(gains, losses, sizes []int, level, icc float64) (c Clustered, ok bool) {
	s := NewSums(gains, losses, sizes)
	change := func(t []int64) (num, den int64) { return t[0] - t[1], t[2] }
	estimate, variance, ok := s.Jackknife(change)
	if !ok {
		return c, false
	}
	gained, lost, n := total(gains), total(losses), total(sizes)
	iid := ((gained+lost)/n - float64(estimate*estimate)) / n
	ratio := 1.0
	if iid > 0 {
		ratio = variance / iid
	}
	c = Clustered{Estimate: estimate, DEFF: DesignEffect(sizes, ratio, icc), Degrees: len(sizes) - 1}
	c.N = n / c.DEFF
	c.Interval = Tango(gained/c.DEFF, lost/c.DEFF, c.N, StudentQuantile((1+level)/2, float64(c.Degrees)))
	return c, true
}

func total(counts []int) (sum float64) {
	for _, v := range counts {
		sum += float64(v)
	}
	return sum
}
