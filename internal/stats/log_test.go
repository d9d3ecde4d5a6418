package stats

import (
	"math"
	"math/big"
	"math/rand/v2"
	"testing"
)

const precision = 160

// bigLog is ln x for x > 0 from its series, far beyond float64: x = m 2^k, ln x
// = k ln 2 + 2 artanh((m-1)/(m+1)).
func bigLog(x float64) *big.Float {
	m, k := math.Frexp(x)
	sum := artanh2(m)
	ln2 := artanh2(2)
	return sum.Add(sum, ln2.Mul(ln2, num(float64(k))))
}

// artanh2 is 2 artanh((m-1)/(m+1)) = ln m, for m from 1/2 to 2.
func artanh2(m float64) *big.Float {
	z := num(0).Quo(num(0).Sub(num(m), num(1)), num(0).Add(num(m), num(1)))
	square := num(0).Mul(z, z)
	sum := num(0)
	for i := 1; i < 120; i += 2 { // z <= 1/3: 3^-120 is below 2^-190
		sum.Add(sum, num(0).Quo(z, num(float64(i))))
		z.Mul(z, square)
	}
	return sum.Mul(sum, num(2))
}

func num(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// ulps is the distance of got from the exact value in units of got's last place.
func ulps(got float64, exact *big.Float) float64 {
	if got == 0 && exact.Sign() == 0 {
		return 0
	}
	diff := num(0).Sub(num(got), exact)
	ulp := math.Abs(math.Nextafter(got, math.Inf(1)) - got)
	f, _ := num(0).Quo(diff, num(ulp)).Float64()
	return math.Abs(f)
}

// TestLogAgainstSeries: on every idf argument of up to 100 chunks, on a random
// sample of those of up to 10 million, near 1, and over the whole range.
func TestLogAgainstSeries(t *testing.T) {
	worst, at := 0.0, 0.0
	check := func(x float64) {
		if e := ulps(Log(x), bigLog(x)); e > worst || math.IsNaN(e) {
			worst, at = e, x
		}
	}
	idf := func(n, with int) { check(1 + (float64(n-with)+0.5)/(float64(with)+0.5)) }
	for n := 1; n <= 100; n++ {
		for with := 0; with <= n; with++ {
			idf(n, with)
		}
	}
	rng := rand.New(rand.NewPCG(6, 6))
	for range 1500 {
		n := 1 + rng.IntN(10_000_000)
		idf(n, rng.IntN(n+1))
		check(1 + math.Ldexp(rng.Float64()-0.5, -rng.IntN(52)))
		check(math.Ldexp(0.5+rng.Float64()/2, rng.IntN(2000)-1000))
	}
	for x := 1.0; x < 1.0000000000000004; x = math.Nextafter(x, 2) {
		check(x)
	}
	check(math.Sqrt2 / 2)
	check(math.Nextafter(math.Sqrt2/2, 0))
	check(math.Sqrt2)
	check(math.SmallestNonzeroFloat64)
	check(math.MaxFloat64)
	t.Logf("largest error %.4f ulp, at %v", worst, at)
	if !(worst < 1) {
		t.Errorf("error %v ulp at %v", worst, at)
	}
	if Log(1) != 0 || math.Signbit(Log(1)) {
		t.Errorf("ln 1 = %v", Log(1))
	}
}

// TestLogBits fixes the bits: they are the same on every machine, since scores
// are compared for equality.
func TestLogBits(t *testing.T) {
	for _, c := range []struct {
		x    float64
		bits uint64
	}{
		{1, 0x0000000000000000},
		{2, 0x3fe62e42fefa39ef},
		{3, 0x3ff193ea7aad030a},
		{10, 0x40026bb1bbb55516},
		{0.5, 0xbfe62e42fefa39ef},
		{0.1, 0xc0026bb1bbb55515},
		{1.0000000000000002, 0x3cafffffffffffff},
		{0.9999999999999999, 0xbca0000000000000},
		{1.4142135623730951, 0x3fd62e42fefa39f0},
		{0.7071067811865476, 0xbfd62e42fefa39ee},
		{1e-300, 0xc085963447f87fb5},
		{1e300, 0x4085963447f87fb5},
		{1.41, 0x3fd5fd5fabe64084},
		{0.7071067811865475, 0xbfd62e42fefa39f1},
		{1.3, 0x3fd0ca937be1b9dc},
		{1.9, 0x3fe48a11293d785b},
		{123.456, 0x401343774f3e2362},
		{7389.05609893065, 0x4021d0c54cc7ffd0},
		{1 + 0.5/1.5, 0x3fd269621134db92},
		{1 + 1.5/3.5, 0x3fd6d3c324e13f4f},
		{1 + 0.5/4.5, 0x3fbaf8e8210a4161},
		{1 + 99.5/1.5, 0x4010d6afe84fc0ac},
		{1 + 1777.5/1.5, 0x401c5038c66877fe},
		{1 + 888.5/890.5, 0x3fe6250ea52b8fd7},
		{1 + 0.5/1778.5, 0x3f326c035171956c},
		{1 + 9999999.5/1.5, 0x402f6cddec725674},
	} {
		if got := math.Float64bits(Log(c.x)); got != c.bits {
			t.Errorf("Log(%v) = %#016x (%v), want %#016x (%v)", c.x, got, math.Float64frombits(got), c.bits, math.Float64frombits(c.bits))
		}
	}
}
