package stats

import (
	"math"
	"slices"
)

// less is a minus b.
func less(a, b Statistic) Statistic {
	return func(totals []int64) (num, den int64) {
		an, ad := a(totals)
		bn, bd := b(totals)
		return an*bd - bn*ad, ad * bd
	}
}

// every is the statistic of every possible draw of at most ten clusters, and in how
// many orders each of them can be drawn.
func (s *Sums) every(f Statistic) (values []float64, times []int64) {
	totals := make([]int64, len(s.columns))
	var take func(g, left int, ways int64)
	take = func(g, left int, ways int64) {
		if g == s.clusters {
			if left == 0 {
				values, times = append(values, f.of(totals)), append(times, ways)
			}
			return
		}
		for k := 0; k <= left; k++ { // cluster g is drawn k times
			take(g+1, left-k, ways)
			ways = ways * int64(left-k) / int64(k+1) // times (left choose k), always whole
			s.add(totals, g, 1)
		}
		s.add(totals, g, int64(-left-1))
	}
	take(0, s.clusters, 1)
	return values, times
}

// enumerate is the bootstrap over every possible draw, without chance.
func (s *Sums) enumerate(f Statistic) Bootstrap {
	var all []float64
	values, times := s.every(f)
	for i, v := range values {
		all = append(all, slices.Repeat([]float64{v}, int(times[i]))...)
	}
	return s.over(draws(all), f)
}

// inverse is the least value that at least a share q of the values do not exceed
// (type 1; numpy's "inverted_cdf").
func (d Distribution) inverse(q float64) float64 {
	n := len(d.values)
	return d.values[min(max(int(math.Ceil(q*float64(n))), 1), n)-1]
}

// sd is the standard deviation, divided by the number of values.
func (d Distribution) sd() float64 {
	_, sd := MeanSD(d.values)
	return sd
}
