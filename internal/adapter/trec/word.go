package trec

import (
	"encoding/binary"
	"math/bits"
)

// every is a byte in all eight places of a word.
const every = 0x0101010101010101

// digits reads the digits of text from at on, up to eight, all at once: pairs, then
// all. Where there is none, or at most eight bytes are left of text, size is 0 and n
// nothing.
func digits(text []byte, at int) (n, size int) {
	if len(text)-at <= 8 {
		return 0, 0
	}
	w := binary.LittleEndian.Uint64(text[at:]) ^ '0'*every
	// No carry comes from below the first that is none.
	bit := bits.TrailingZeros64((w | (w + (0x7f-9)*every)) & (0x80 * every))
	w <<= -(bit &^ 7) & 63 // zeros before the number
	w = w*10 + w>>8
	const pair = 0xff_0000_00ff
	return int((w&pair*(100+1_000_000<<32) + w>>16&pair*(1+10_000<<32)) >> 32), bit >> 3
}

// decimal reads a finite decimal number. Up to 15 digits and their power of ten
// are exact in a float64, so that the quotient is the nearest one (Clinger 1990);
// other numbers go to strconv.
func decimal(text []byte, at int) (v float64, end int) {
	from, sign := at, 1.0
	if at < len(text) && text[at] == '-' {
		at, sign = at+1, -1
	}
	whole, size := digits(text, at)
	at += size
	v = float64(whole)
	if 0 < size && size < 8 && text[at] == '.' {
		var part int
		part, size = digits(text, at+1)
		at += 1 + size
		v = float64(int64(whole)*tens[size]+int64(part)) / float64(tens[size])
	}
	if size == 0 || !separates(text[at]) {
		end = columnEnd(text, from)
		if v, ok := score(text[from:end]); ok {
			return v, end
		}
		return 0, len(text)
	}
	return sign * v, at
}

// tens are the powers of ten of up to eight places.
var tens = [...]int64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8}
