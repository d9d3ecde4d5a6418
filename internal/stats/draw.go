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

// fill draws numbers below n into to, each with the same chance. A value of 16
// bits, 32 where n is above 2^14, is taken times n and its high half is the
// number; the few values that would favour some numbers are thrown away (Lemire
// 2019). The values of a word are used from its low end.
func (s *stream) fill(to []uint32, n int) {
	state := uint64(*s)
	size := uint64(n)
	i := 0
	if n <= 1<<14 {
		reject := (1 << 16) % size
		for i < len(to) {
			state += odd
			word := mix(state)
			if len(to)-i >= 4 {
				a, b, c, d := (word&0xffff)*size, (word>>16&0xffff)*size, (word>>32&0xffff)*size, (word>>48)*size
				if min(a&0xffff, b&0xffff, c&0xffff, d&0xffff) >= reject {
					four := to[i : i+4 : i+4]
					four[0], four[1], four[2], four[3] = uint32(a>>16), uint32(b>>16), uint32(c>>16), uint32(d>>16)
					i += 4
					continue
				}
			}
			for k := 0; k < 4 && i < len(to); k++ {
				if p := (word & 0xffff) * size; p&0xffff >= reject {
					to[i] = uint32(p >> 16)
					i++
				}
				word >>= 16
			}
		}
	} else {
		reject := (1 << 32) % size
		for i < len(to) {
			state += odd
			word := mix(state)
			for k := 0; k < 2 && i < len(to); k++ {
				if high, low := bits.Mul64(word<<32, size); low>>32 >= reject {
					to[i] = uint32(high)
					i++
				}
				word >>= 32
			}
		}
	}
	*s = stream(state)
}
