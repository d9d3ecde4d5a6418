package power

// Random is the chance of one trial: SplitMix64 (Steele, Lea and Flood 2014), a
// counter whose values are mixed. Whole numbers alone: the same on every machine.
type Random uint64

const odd = 0x9e3779b97f4a7c15

func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Trial is the chance of trial t, which does not depend on other trials.
func Trial(seed uint64, t int) *Random {
	r := Random(mix(seed + odd*uint64(t+1)))
	return &r
}

// Float64 is a number from 0 to below 1, a multiple of 2^-53.
func (r *Random) Float64() float64 {
	*r += odd
	return float64(mix(uint64(*r))>>11) / (1 << 53)
}
