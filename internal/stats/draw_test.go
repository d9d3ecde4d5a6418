package stats

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
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
	if want := []uint32{3, 6, 8, 1, 9, 4, 3, 5, 0, 4, 5, 2}; !slices.Equal(draw, want) {
		t.Errorf("%v", draw)
	}
}

// TestNoFavourite: every number comes up as often as the others, also where the
// values of 16 bits do not divide evenly.
func TestNoFavourite(t *testing.T) {
	for _, n := range []int{1, 2, 3, 1000, 27000, 40000} {
		counts, draw, rounds := make([]float64, n), make([]uint32, n), max(20, 200000/n)
		for r := range rounds {
			from := replicate(9, r)
			from.fill(draw, n)
			for _, g := range draw {
				counts[g]++
			}
		}
		fits(t, fmt.Sprintf("%d numbers", n), counts, slices.Repeat([]float64{float64(rounds)}, n))
	}
}

// fits compares counts with those expected, by chi squared.
func fits(t *testing.T, what string, counts, expected []float64) {
	t.Helper()
	square := 0.0
	for i, c := range counts {
		square += (c - expected[i]) * (c - expected[i]) / expected[i]
	}
	degrees := float64(len(counts) - 1)
	if math.Abs(square-degrees) > 5*math.Sqrt(2*(degrees+1)) {
		t.Errorf("%s: chi squared %.1f with %.0f degrees of freedom", what, square, degrees)
	}
}

// TestBinomial: successes have the chances of the binomial distribution.
func TestBinomial(t *testing.T) {
	const rounds = 200000
	for _, c := range []struct{ trials, num, den int }{{1, 1, 3}, {2, 1, 2}, {5, 2, 7}, {6, 499, 500}, {9, 5, 8}} {
		counts, expected := make([]float64, c.trials+1), make([]float64, c.trials+1)
		for r := range rounds {
			from := replicate(3, r)
			counts[from.binomial(c.trials, c.num, c.den)]++
		}
		ways, p := 1.0, float64(c.num)/float64(c.den)
		for k := range expected {
			expected[k] = rounds * ways * math.Pow(p, float64(k)) * math.Pow(1-p, float64(c.trials-k))
			ways = ways * float64(c.trials-k) / float64(k+1)
		}
		for len(expected) > 2 && expected[0] < 5 { // too few for chi squared
			counts[1], expected[1] = counts[1]+counts[0], expected[1]+expected[0]
			counts, expected = counts[1:], expected[1:]
		}
		fits(t, fmt.Sprint(c), counts, expected)
	}
	// Many trials: mean and variance.
	sum, squares := 0.0, 0.0
	for r := range rounds {
		from := replicate(5, r)
		x := float64(from.binomial(1000, 37, 500)) - 74
		sum, squares = sum+x, squares+x*x
	}
	variance := 1000 * .074 * (1 - .074)
	if mean := sum / rounds; math.Abs(mean) > 5*math.Sqrt(variance/rounds) || math.Abs(squares/rounds/variance-1) > 5*math.Sqrt(2./rounds) {
		t.Errorf("mean %v, variance %v of %v", mean, squares/rounds, variance)
	}
}

// TestBinomialEqualsTwin: the same successes, and the same words used.
func TestBinomialEqualsTwin(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for round := range 2000 {
		den := 1 + rng.IntN(700)
		trials, num := rng.IntN(400), rng.IntN(den+1)
		from, words := replicate(11, round), plainWords(11, round)
		got, want := from.binomial(trials, num, den), plainBinomial(words, trials, num, den)
		from += odd
		if next := mix(uint64(from)); got != want || next != words() {
			t.Fatalf("%d trials of %d/%d: %d, want %d, or other words used", trials, num, den, got, want)
		}
	}
}

// plain is the replicates, one question after the other: SplitMix64 as its source
// texts have it, rows added one by one. strata is the stratum of each document, from 0.
func plain(v vectors, strata []int, seed uint64, draws int, f func(base, cand []int, n int) float64) (values []float64) {
	documents := make([][]int, slices.Max(strata)+1)
	for g, s := range strata {
		documents[s] = append(documents[s], g)
	}
	for r := range draws {
		base, cand, n := make([]int, len(v.Base)), make([]int, len(v.Cand)), 0
		words := plainWords(seed, r)
		for _, of := range documents {
			for _, g := range plainStratum(v, of, words) {
				for q, c := range v.Clusters {
					if c != g {
						continue
					}
					n++
					for p := range v.Base {
						base[p] += v.Base[p][q]
					}
					for p := range v.Cand {
						cand[p] += v.Cand[p][q]
					}
				}
			}
		}
		values = append(values, f(base, cand, n))
	}
	return values
}

// plainStratum draws among documents; where one in 16 or fewer are of different
// kinds, how many there are of each.
func plainStratum(v vectors, documents []int, words func() uint64) (drawn []int) {
	sums := map[int][]int{}
	for q, g := range v.Clusters {
		if sums[g] == nil {
			sums[g] = make([]int, len(v.Base)+len(v.Cand)+1)
		}
		for p, row := range slices.Concat(v.Base, v.Cand) {
			sums[g][p] += row[q]
		}
		sums[g][len(v.Base)+len(v.Cand)]++
	}
	var kinds [][]int
	for _, g := range documents {
		if i := slices.IndexFunc(kinds, func(k []int) bool { return slices.Equal(sums[k[0]], sums[g]) }); i >= 0 {
			kinds[i] = append(kinds[i], g)
		} else {
			kinds = append(kinds, []int{g})
		}
	}
	if n := len(documents); len(kinds) > 1 && 16*len(kinds) > n {
		for _, i := range plainDraws(words, n, n) {
			drawn = append(drawn, documents[i])
		}
		return drawn
	}
	slices.SortStableFunc(kinds, func(a, b []int) int { return len(b) - len(a) })
	left, of := len(documents), len(documents)
	for _, k := range kinds {
		n := plainBinomial(words, left, len(k), of)
		drawn = append(drawn, slices.Repeat(k[:1], n)...)
		left, of = left-n, of-len(k)
	}
	return drawn
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

// plainDraws is count numbers below groups: words written as
// numbers to the base groups, as many places as a word holds.
func plainDraws(words func() uint64, groups, count int) (drawn []uint32) {
	places := 4
	if groups > 1<<15 {
		places = 2
	}
	base, two64 := big.NewInt(int64(groups)), new(big.Int).Lsh(big.NewInt(1), 64)
	all := new(big.Int).Exp(base, big.NewInt(int64(places)), nil)
	least := new(big.Int).Mod(two64, all)
	for len(drawn) < count {
		product := new(big.Int).Mul(new(big.Int).SetUint64(words()), all)
		number, low := new(big.Int).DivMod(product, two64, new(big.Int))
		if low.Cmp(least) < 0 {
			continue // else some numbers would have a word more than others
		}
		for place := range places {
			weight := new(big.Int).Exp(base, big.NewInt(int64(places-1-place)), nil)
			digit := new(big.Int).Div(number, weight)
			drawn = append(drawn, uint32(digit.Mod(digit, base).Uint64()))
		}
	}
	return drawn[:count]
}

// plainWords are the words of replicate r.
func plainWords(seed uint64, r int) func() uint64 {
	state := seed
	for range r + 1 {
		state += 0x9e3779b97f4a7c15
	}
	state = plainMix(state)
	return func() uint64 {
		state += 0x9e3779b97f4a7c15
		return plainMix(state)
	}
}

// plainBinomial writes the number of every trial digit by digit, until it is seen
// whether the number is below num/den. The coins of a step are 64 of a word, in
// the last word as many as are left; heads is the digit 0.
func plainBinomial(words func() uint64, trials, num, den int) (successes int) {
	open := make([]*big.Rat, trials) // what is left of the chance, times 2 a digit
	for i := range open {
		open[i] = big.NewRat(int64(num), int64(den))
	}
	one, two := big.NewRat(1, 1), big.NewRat(2, 1)
	if num == den {
		return trials
	}
	for len(open) > 0 && open[0].Sign() > 0 {
		var next []*big.Rat
		var word uint64
		for i, chance := range open {
			if i%64 == 0 {
				word = words()
			}
			heads := word>>(63-i%64)&1 == 1
			chance.Mul(chance, two)
			switch digit := chance.Cmp(one) >= 0; {
			case digit && heads:
				successes++
			case digit:
				next = append(next, chance.Sub(chance, one))
			case heads:
				next = append(next, chance)
			}
		}
		open = next
	}
	return successes
}

// TestFillEqualsTwin where many values are thrown away, at every length.
func TestFillEqualsTwin(t *testing.T) {
	for _, n := range []int64{1, 3, 500, 10923, 27000, 1 << 15, 1<<15 + 1, 3 << 30, 1<<32 - 1} {
		for count := range 40 {
			n := int(n)
			if n < 0 {
				continue // an int has 32 bits
			}
			got := make([]uint32, count)
			from := replicate(7, count)
			from.fill(got, n)
			if want := plainDraws(plainWords(7, count), n, count); !slices.Equal(got, want) {
				t.Fatalf("%d numbers below %d: %v, want %v", count, n, got, want)
			}
		}
	}
}

// TestSumEqualsTwin: the sum of what fill would draw, and the same words used, also
// where many are thrown away.
func TestSumEqualsTwin(t *testing.T) {
	for _, n := range []int{1, 2, 3, 4, 5, 500, 10923, 27000, 27001, 27002, 27003, 1 << 15} {
		used, words := 0, plainWords(13, n)
		counted := func() uint64 {
			used++
			return words()
		}
		numbers, want := make([]uint64, n), uint64(0)
		for i := range numbers {
			numbers[i] = plainMix(uint64(i))
		}
		for _, g := range plainDraws(counted, n, n) {
			want += numbers[g]
		}
		from := replicate(13, n)
		end := from + stream(used)*odd
		if got := from.sum(numbers); got != want || from != end {
			t.Errorf("%d: %d, want %d; or other words used", n, got, want)
		}
		if thrown := used - (n+3)/4; n >= 27000 && n < 28000 && thrown == 0 {
			t.Errorf("%d: no word is thrown away", n)
		}
	}
}
