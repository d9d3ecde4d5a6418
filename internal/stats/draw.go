package stats

import "math/bits"

// stream draws cluster ordinals. It is SplitMix64 (Steele, Lea and Flood 2014):
// a counter that grows by a constant, each value mixed by two multiplications.
// Integers alone: the same seed gives the same draws on every machine.
type stream uint64

const odd = 0x9e3779b97f4a7c15

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// replicate is the stream of a bootstrap's replicate, which does not depend on
// the replicates before it: it begins at value number of the sequence of seed.
func replicate(seed uint64, number int) stream {
	return stream(mix(seed + odd*uint64(number+1)))
}

// fill draws numbers below n into to, each with the same chance; n is below 2^32.
// A word times n has the number as its high half, and its low half is the word
// for the next number: four of them where n is at most 2^15, else two. The few
// words that would favour some numbers are thrown away (Lemire 2019; of several
// numbers a word, Brackett-Rozinsky and Lemire 2024). The next word is mixed before
// this one is used up: mixing does not wait for products, which take the longest.
func (s *stream) fill(to []uint32, n int) {
	state, size := uint64(*s), uint64(n)
	square := size * size
	if n <= 1<<15 {
		all := square * square
		reject := -all % all
		state += odd
		for next := mix(state); len(to) > 0; {
			a, low := bits.Mul64(next, size)
			b, low := bits.Mul64(low, size)
			state += odd
			next = mix(state)
			c, low := bits.Mul64(low, size)
			d, low := bits.Mul64(low, size)
			switch {
			case low < reject:
			case len(to) >= 4:
				to[0], to[1], to[2], to[3] = uint32(a), uint32(b), uint32(c), uint32(d)
				to = to[4:]
			default:
				to = to[copy(to, []uint32{uint32(a), uint32(b), uint32(c)}):]
			}
		}
		state -= odd
	} else {
		for reject := -square % square; len(to) > 0; {
			state += odd
			a, low := bits.Mul64(mix(state), size)
			b, low := bits.Mul64(low, size)
			if low >= reject {
				to = to[copy(to, []uint32{uint32(a), uint32(b)}):]
			}
		}
	}
	*s = stream(state)
}

// sum is the sum of as many numbers as there are, at most 2^15, drawn by the same
// words as fill draws them, none of which is written down.
func (s *stream) sum(numbers []uint64) (total uint64) {
	size := uint64(len(numbers))
	all := size * size * size * size
	reject := -all % all
	state := uint64(*s) + odd
	next := mix(state)
	for left := len(numbers) / 4; left > 0; {
		a, low := bits.Mul64(next, size)
		b, low := bits.Mul64(low, size)
		state += odd
		next = mix(state)
		c, low := bits.Mul64(low, size)
		d, low := bits.Mul64(low, size)
		if low >= reject {
			total += numbers[a] + numbers[b] + numbers[c] + numbers[d]
			left--
		}
	}
	*s = stream(state - odd)
	var rest [3]uint32
	s.fill(rest[:len(numbers)%4], len(numbers))
	return total + gather(numbers, rest[:len(numbers)%4])
}

// binomial is how many of trials succeed, each with the chance num/den, 0 <= num <=
// den. A trial succeeds where a number from 0 to 1 is below the chance, which the
// first binary digit decides in which the two differ. All trials get their next
// digit together, and only how many have which matters: so the bits of about two
// words serve 64 trials, and the counts have exactly their distribution.
func (s *stream) binomial(trials, num, den int) (successes int) {
	if num == den {
		return trials
	}
	rest, whole := uint64(num), uint64(den)
	for trials > 0 && rest > 0 {
		zeros := s.coins(trials)
		if rest *= 2; rest >= whole { // the chance's digit is 1: those with 0 are below it
			rest -= whole
			successes += zeros
			trials -= zeros
		} else { // it is 0: those with 1 are above it
			trials = zeros
		}
	}
	return successes
}

// coins is how many of n fair coins show heads.
func (s *stream) coins(n int) (heads int) {
	state := uint64(*s)
	for ; n >= 64; n -= 64 {
		state += odd
		heads += bits.OnesCount64(mix(state))
	}
	if n > 0 {
		state += odd
		heads += bits.OnesCount64(mix(state) >> (64 - n))
	}
	*s = stream(state)
	return heads
}
