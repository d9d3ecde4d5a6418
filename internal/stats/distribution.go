package stats

import (
	"cmp"
	"math"
	"slices"
	"sort"
)

// Distribution is values with how often each occurs.
type Distribution struct {
	values []float64 // ascending
	upTo   []int64   // how many are at most this one in order; nil: each occurs once
}

// draws is the distribution of values, which it sorts.
func draws(values []float64) Distribution {
	slices.Sort(values)
	return Distribution{values: values}
}

// weighted is the distribution of values that occur times times.
func weighted(values []float64, times []int64) Distribution {
	order := make([]int, len(values))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(values[i], values[j]) })
	d, n := Distribution{}, int64(0)
	for _, i := range order {
		n += times[i]
		d.values, d.upTo = append(d.values, values[i]), append(d.upTo, n)
	}
	return d
}

// Len is the number of values.
func (d Distribution) Len() int64 {
	if d.upTo != nil {
		return d.upTo[len(d.upTo)-1]
	}
	return int64(len(d.values))
}

// at is value number k in order, from 0.
func (d Distribution) at(k int64) float64 {
	if d.upTo != nil {
		return d.values[sort.Search(len(d.upTo), func(i int) bool { return d.upTo[i] > k })]
	}
	return d.values[k]
}

// Quantile is the q-quantile, 0 <= q <= 1, between neighbouring values by linear
// interpolation (type 7 of Hyndman and Fan 1996; numpy's "linear").
func (d Distribution) Quantile(q float64) float64 {
	at := float64(q * float64(d.Len()-1))
	k := math.Floor(at)
	low := d.at(int64(k))
	if at == k {
		return low
	}
	return low + float64((at-k)*(d.at(int64(k)+1)-low))
}

// Inverse is the least value that at least a share q of the values do not exceed
// (type 1; numpy's "inverted_cdf").
func (d Distribution) Inverse(q float64) float64 {
	k := int64(math.Ceil(float64(q * float64(d.Len()))))
	return d.at(min(max(k, 1), d.Len()) - 1)
}

// Below is the share of the values below x, those equal to x counted half.
func (d Distribution) Below(x float64) float64 {
	count := func(i int) int64 {
		switch {
		case i == 0:
			return 0
		case d.upTo != nil:
			return d.upTo[i-1]
		}
		return int64(i)
	}
	less := count(sort.SearchFloat64s(d.values, x))
	most := count(sort.Search(len(d.values), func(i int) bool { return d.values[i] > x }))
	return float64(less+most) / 2 / float64(d.Len())
}

// SD is the standard deviation, divided by Len.
func (d Distribution) SD() float64 {
	n := float64(d.Len())
	each := func(f func(v float64) float64) (sum float64) {
		last := int64(0)
		for i, v := range d.values {
			times := int64(1)
			if d.upTo != nil {
				times, last = d.upTo[i]-last, d.upTo[i]
			}
			sum += float64(float64(times) * f(v))
		}
		return sum
	}
	mean := each(func(v float64) float64 { return v }) / n
	return math.Sqrt(each(func(v float64) float64 { return float64((v - mean) * (v - mean)) }) / n)
}

// Constant reports whether all values are equal.
func (d Distribution) Constant() bool { return d.values[0] == d.values[len(d.values)-1] }
