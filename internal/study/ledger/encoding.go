package ledger

import (
	"encoding/binary"
	"fmt"
	"math"
	mathbits "math/bits"
)

// The encodings of Apache Parquet that kerf writes
// (github.com/apache/parquet-format, Encodings.md).

// appendPacked packs the low width bits of each value, least significant first.
// The values' bits must be a whole number of bytes.
func appendPacked(dst []byte, values []uint64, width int) []byte {
	var acc uint64
	n := 0
	for _, v := range values {
		acc |= v << n
		n += width
		if n >= 64 {
			dst = binary.LittleEndian.AppendUint64(dst, acc)
			n -= 64
			acc = v >> (width - n)
		}
	}
	for ; n > 0; n -= 8 {
		dst = append(dst, byte(acc))
		acc >>= 8
	}
	return dst
}

// unpack reads value i of width bits from packed bytes; the caller has checked
// that it is there. width is 0..64.
func unpack(packed []byte, i, width int) uint64 {
	bit := i * width
	var v uint64
	for got := 0; got < width; {
		b := uint64(packed[bit>>3]) >> (bit & 7)
		n := min(8-bit&7, width-got)
		v |= b & (1<<n - 1) << got
		got += n
		bit += n
	}
	return v
}

const (
	deltaBlock = 128 // values a block
	deltaMini  = 32  // values a miniblock
)

// appendDelta is DELTA_BINARY_PACKED; differences wrap around.
func appendDelta(dst []byte, values []int64) []byte {
	dst = binary.AppendUvarint(dst, deltaBlock)
	dst = binary.AppendUvarint(dst, deltaBlock/deltaMini)
	dst = binary.AppendUvarint(dst, uint64(len(values)))
	if len(values) == 0 {
		return binary.AppendVarint(dst, 0)
	}
	dst = binary.AppendVarint(dst, values[0])
	var deltas [deltaBlock]uint64
	for at := 1; at < len(values); at += deltaBlock {
		n := min(deltaBlock, len(values)-at)
		least := int64(math.MaxInt64)
		for i := range n {
			d := values[at+i] - values[at+i-1]
			deltas[i] = uint64(d)
			least = min(least, d)
		}
		dst = binary.AppendVarint(dst, least)
		widths := len(dst)
		dst = append(dst, 0, 0, 0, 0)
		for m := 0; m*deltaMini < n; m++ {
			mini := deltas[m*deltaMini : (m+1)*deltaMini]
			var all uint64
			for i := range mini {
				if m*deltaMini+i >= n {
					mini[i] = 0
					continue
				}
				mini[i] -= uint64(least)
				all |= mini[i]
			}
			width := mathbits.Len64(all)
			dst[widths+m] = byte(width)
			dst = appendPacked(dst, mini, width)
		}
	}
	return dst
}

// decodeDelta calls each for every one of exactly n values.
func decodeDelta(b []byte, n int, each func(i int, v int64) error) error {
	r := reader{b: b}
	block, minis, count, v := r.uvarint(), r.uvarint(), r.uvarint(), r.varint()
	switch {
	case r.err != nil:
		return r.err
	case block == 0 || block > 1<<16 || minis == 0 || minis > block || block%minis != 0 || block/minis%32 != 0:
		return fmt.Errorf("delta blocks of %d values in %d parts", block, minis)
	case count != uint64(n):
		return fmt.Errorf("%d values where %d were announced", count, n)
	case n == 0:
		return nil
	}
	if err := each(0, v); err != nil {
		return err
	}
	size := int(block / minis)
	for i := 1; i < n; {
		least := r.varint()
		widths := r.take(int(minis))
		if r.err != nil {
			return r.err
		}
		for m := 0; m < int(minis) && i < n; m++ {
			width := int(widths[m])
			if width > 64 {
				return fmt.Errorf("%d bits a value", width)
			}
			packed := r.take(size / 8 * width)
			if r.err != nil {
				return r.err
			}
			for j := 0; j < size && i < n; j++ {
				v += least + int64(unpack(packed, j, width))
				if err := each(i, v); err != nil {
					return err
				}
				i++
			}
		}
	}
	return nil
}

// minRun is the shortest run that is stored as a run.
const minRun = 8

// appendHybrid is the RLE / bit-packing hybrid of codes below 1 << width.
func appendHybrid(dst []byte, codes []int32, width int) []byte {
	for i := 0; i < len(codes); {
		if n := runLength(codes[i:]); n >= minRun {
			dst = binary.AppendUvarint(dst, uint64(n)<<1)
			for shift := 0; shift < width; shift += 8 {
				dst = append(dst, byte(codes[i]>>shift))
			}
			i += n
			continue
		}
		start := i
		for i < len(codes) && (i == start || !runStarts(codes[i:])) {
			i += 8
		}
		groups := (i - start) / 8
		dst = binary.AppendUvarint(dst, uint64(groups)<<1|1)
		var group [8]uint64
		for g := start; g < i; g += 8 {
			for j := range group {
				group[j] = 0
				if g+j < len(codes) {
					group[j] = uint64(codes[g+j])
				}
			}
			dst = appendPacked(dst, group[:], width)
		}
	}
	return dst
}

func runLength(codes []int32) int {
	n := 1
	for n < len(codes) && codes[n] == codes[0] {
		n++
	}
	return n
}

func runStarts(codes []int32) bool {
	return len(codes) >= minRun && runLength(codes[:minRun]) == minRun
}

// decodeHybrid calls each for every one of exactly n codes, and returns how
// many bytes they took.
func decodeHybrid(b []byte, n, width int, each func(i, code int) error) (int, error) {
	if width > 31 {
		return 0, fmt.Errorf("%d bits a code", width)
	}
	r := reader{b: b}
	for i := 0; i < n; {
		head := r.uvarint()
		if r.err != nil {
			return 0, r.err
		}
		count := head >> 1
		if count == 0 || count > 1<<31 {
			return 0, fmt.Errorf("a run of %d", count)
		}
		if head&1 == 0 {
			code := 0
			for j, c := range r.take((width + 7) / 8) {
				code |= int(c) << (8 * j)
			}
			if r.err != nil {
				return 0, r.err
			}
			for end := min(n, i+int(min(count, 1<<30))); i < end; i++ {
				if err := each(i, code); err != nil {
					return 0, err
				}
			}
			continue
		}
		// The writer may leave out the bytes of a last group that hold no value.
		left := min(uint64(n-i), count*8)
		packed := r.take(int(min(count*uint64(width), uint64(len(b)))))
		if r.err != nil {
			return 0, r.err
		}
		if uint64(len(packed))*8 < left*uint64(width) {
			return 0, errShort
		}
		for j := range int(left) {
			if err := each(i, int(unpack(packed, j, width))); err != nil {
				return 0, err
			}
			i++
		}
	}
	return r.at, nil
}
