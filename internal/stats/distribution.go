package stats

import (
	"math"
	"sort"
)

// Distribution is values, the draws of a bootstrap.
type Distribution struct {
	values []float64 // ascending
}

// draws is the distribution of values, which it sorts.
func draws(values []float64) Distribution {
	return Distribution{values: sorted(values)}
}

// sorted is values in order, which it may overwrite; none is NaN. Bytes of their
// bits are counted and values moved, the last byte first (LSD radix sort): the bits
// of two numbers are in order once those of negative ones are turned and the sign of
// the others is set. Bytes that are the same in all are skipped.
func sorted(values []float64) []float64 {
	keys, to := make([]uint64, len(values)), make([]uint64, len(values))
	var counts [8][256]int
	for i, v := range values {
		k := math.Float64bits(v)
		k ^= uint64(int64(k)>>63) | 1<<63
		keys[i] = k
		for b := range counts {
			counts[b][byte(k>>(8*b))]++
		}
	}
	for b := range counts {
		place, at := &counts[b], 0
		if len(keys) == 0 || place[byte(keys[0]>>(8*b))] == len(keys) {
			continue
		}
		for d, n := range place {
			place[d], at = at, at+n
		}
		for _, k := range keys {
			d := byte(k >> (8 * b))
			to[place[d]] = k
			place[d]++
		}
		keys, to = to, keys
	}
	for i, k := range keys {
		values[i] = math.Float64frombits(k ^ (^uint64(int64(k)>>63) | 1<<63))
	}
	return values
}

// Quantile is the q-quantile, 0 <= q <= 1, between neighbouring values by linear
// interpolation (type 7 of Hyndman and Fan 1996; numpy's "linear").
func (d Distribution) Quantile(q float64) float64 {
	at := float64(q * float64(len(d.values)-1))
	k := math.Floor(at)
	low := d.values[int(k)]
	if at == k {
		return low
	}
	return low + float64((at-k)*(d.values[int(k)+1]-low))
}

// Below is the share of the values below x, those equal to x counted half.
func (d Distribution) Below(x float64) float64 {
	less := sort.SearchFloat64s(d.values, x)
	most := sort.Search(len(d.values), func(i int) bool { return d.values[i] > x })
	return float64(less+most) / 2 / float64(len(d.values))
}

// Constant reports whether all values are equal.
func (d Distribution) Constant() bool { return d.values[0] == d.values[len(d.values)-1] }
