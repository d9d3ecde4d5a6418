package stats

import "math/bits"

// Sums is a table of whole numbers, each a sum over the questions of a cluster:
// what a bootstrap over clusters needs to know. Rows never are; a paired
// bootstrap without clusters has one question in each.
//
// Several columns share a word of 64 bits, each in a lane that is wide enough for
// the sum of any draw, so that one addition adds them all.
type Sums struct {
	clusters int
	columns  [][]int64 // as given
	least    []int64   // of each column; taken away before it is packed
	lanes    []lane
	words    [][]uint64 // by word, by cluster, those of a stratum together
	strata   []int      // the stratum of each cluster
}

type lane struct {
	word  int // -1: the column is constant
	shift int
	mask  uint64
}

// largest is what a sum must stay below: a float64 holds it.
const largest = 1 << 53

// NewSums reads columns, each with one number for every cluster. It panics if
// there is no cluster, or if |number| times clusters is 2^53 or more.
func NewSums[N int | int64](columns ...[]N) *Sums {
	s := &Sums{clusters: len(columns[0]), strata: make([]int, len(columns[0]))}
	free := 0 // bits left in the last word
	for _, numbers := range columns {
		if len(numbers) != s.clusters || s.clusters == 0 {
			panic("BUG: columns of different length, or of none")
		}
		column := make([]int64, s.clusters)
		for g, v := range numbers {
			column[g] = int64(v)
		}
		s.columns = append(s.columns, column)
		least, most := column[0], column[0]
		for _, v := range column {
			least, most = min(least, v), max(most, v)
		}
		if limit := largest / int64(s.clusters); least <= -limit || most >= limit {
			panic("BUG: a sum that a float64 does not hold")
		}
		s.least = append(s.least, least)
		width := bits.Len64(uint64(s.clusters) * uint64(most-least))
		if width == 0 {
			s.lanes = append(s.lanes, lane{word: -1})
			continue
		}
		if width > free {
			s.words = append(s.words, make([]uint64, s.clusters))
			free = 64
		}
		at := lane{len(s.words) - 1, 64 - free, 1<<width - 1}
		for g, v := range column {
			s.words[at.word][g] |= uint64(v-least) << at.shift
		}
		s.lanes = append(s.lanes, at)
		free -= width
	}
	return s
}

// gather is the sum of the numbers drawn.
func gather(numbers []uint64, draw []uint32) uint64 {
	var a, b uint64
	for len(draw) >= 4 {
		a += numbers[draw[0]] + numbers[draw[1]]
		b += numbers[draw[2]] + numbers[draw[3]]
		draw = draw[4:]
	}
	for _, g := range draw {
		a += numbers[g]
	}
	return a + b
}

// A Statistic is a fraction of totals, one for each column of a Sums; den > 0.
// It is whole numbers until the last division, so that equal fractions are equal.
type Statistic func(totals []int64) (num, den int64)

func (f Statistic) of(totals []int64) float64 {
	num, den := f(totals)
	if den <= 0 {
		panic("BUG: a statistic over nothing")
	}
	return float64(num) / float64(den)
}

// Mean is the mean of cells: the sum of some columns (the placements of one arm)
// over as many times the column size, which counts a cluster's questions.
func Mean(columns []int, size int) Statistic {
	return func(totals []int64) (num, den int64) {
		for _, c := range columns {
			num += totals[c]
		}
		return num, int64(len(columns)) * totals[size]
	}
}

// Worst is the least mean of the columns: which of them it is, is found anew in
// every replicate (statistics.md 6).
func Worst(columns []int, size int) Statistic {
	return func(totals []int64) (num, den int64) {
		num = totals[columns[0]]
		for _, c := range columns {
			num = min(num, totals[c])
		}
		return num, totals[size]
	}
}
