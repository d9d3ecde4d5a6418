package stats

import (
	"math"
	"slices"
	"testing"
)

// TestSeed: the first outputs of SplitMix64 for 1234567, as published with the
// reference source (Vigna 2015), and the same draws on every machine.
func TestSeed(t *testing.T) {
	state := uint64(1234567)
	for _, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		state += odd
		if got := mix(state); got != want {
			t.Errorf("%d, want %d", got, want)
		}
	}
	draw := make([]uint32, 12)
	from := replicate(1, 0)
	from.fill(draw, 10)
	if want := []uint32{3, 4, 6, 3, 9, 2, 4, 9, 5, 1, 9, 0}; !slices.Equal(draw, want) {
		t.Errorf("%v", draw)
	}
}

// TestNoFavourite: every number comes up as often as the others, also where the
// values of 16 bits do not divide evenly.
func TestNoFavourite(t *testing.T) {
	for _, n := range []int{1, 2, 3, 1000, 16000, 40000} {
		counts, draw, rounds := make([]float64, n), make([]uint32, n), max(20, 200000/n)
		for r := range rounds {
			from := replicate(9, r)
			from.fill(draw, n)
			for _, g := range draw {
				counts[g]++
			}
		}
		square := 0.0 // chi squared with n-1 degrees of freedom
		for _, c := range counts {
			square += (c - float64(rounds)) * (c - float64(rounds)) / float64(rounds)
		}
		if sd := math.Sqrt(2 * float64(n)); math.Abs(square-float64(n-1)) > 5*sd {
			t.Errorf("%d numbers: chi squared %.0f", n, square)
		}
	}
}

// plain is the replicates, one question after the other: SplitMix64 and a
// rejection as its source texts have them, rows added one by one.
func plain(v vectors, seed uint64, draws int, f func(base, cand []int, n int) float64) (values []float64) {
	groups := slices.Max(v.Clusters) + 1
	questions := make([][]int, groups)
	for q, g := range v.Clusters {
		questions[g] = append(questions[g], q)
	}
	for r := range draws {
		base, cand, n := make([]int, len(v.Base)), make([]int, len(v.Cand)), 0
		for _, g := range plainDraws(seed, r, groups, groups) {
			for _, q := range questions[g] {
				n++
				for p := range v.Base {
					base[p] += v.Base[p][q]
				}
				for p := range v.Cand {
					cand[p] += v.Cand[p][q]
				}
			}
		}
		values = append(values, f(base, cand, n))
	}
	return values
}

func plainMix(z uint64) uint64 {
	z ^= z / (1 << 30)
	z *= 0xbf58476d1ce4e5b9
	z ^= z / (1 << 27)
	z *= 0x94d049bb133111eb
	return z ^ z/(1<<31)
}

func plainWorst(base, cand []int, n int) float64 {
	return float64(slices.Min(cand)-slices.Min(base)) / float64(n)
}

// plainDraws is count numbers below groups, for replicate r.
func plainDraws(seed uint64, r, groups, count int) (drawn []uint32) {
	state := seed
	for range r + 1 {
		state += 0x9e3779b97f4a7c15
	}
	state = plainMix(state)
	all := uint64(65536)
	if groups > 16384 {
		all = 1 << 32
	}
	var left []uint64
	for len(drawn) < count {
		if len(left) == 0 {
			state += 0x9e3779b97f4a7c15
			for word := plainMix(state); len(left) < map[uint64]int{65536: 4, 1 << 32: 2}[all]; word /= all {
				left = append(left, word%all)
			}
		}
		if p := left[0] * uint64(groups); p%all >= all%uint64(groups) {
			drawn = append(drawn, uint32(p/all))
		}
		left = left[1:]
	}
	return drawn
}

// TestFillEqualsTwin where many values are thrown away, at every length.
func TestFillEqualsTwin(t *testing.T) {
	for _, n := range []int{1, 3, 500, 10923, 16384, 16385, 3 << 30, 1<<32 - 1} {
		for count := range 40 {
			got := make([]uint32, count)
			from := replicate(7, count)
			from.fill(got, n)
			if want := plainDraws(7, count, n, count); !slices.Equal(got, want) {
				t.Fatalf("%d numbers below %d: %v, want %v", count, n, got, want)
			}
		}
	}
}
