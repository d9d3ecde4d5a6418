package trec

import (
	"encoding/binary"
	"hash/maphash"
	"math/bits"
)

// seed makes hashes that nobody can foresee, so that no file is slow on purpose.
// They reach no result.
type seed struct {
	long  maphash.Seed
	short [2]uint64
}

func newSeed() seed {
	s := seed{long: maphash.MakeSeed()}
	for i := range s.short {
		s.short[i] = maphash.String(s.long, string(rune('a'+i))) | 1
	}
	return s
}

// hash is the hash of an id. Ids of 4 to 16 bytes, the usual ones, are two words
// that may overlap, and one multiplication (as in wyhash).
func (s *seed) hash(b []byte) uint32 {
	var x, y uint64
	switch n := len(b); {
	case n < 4 || n > 16:
		return uint32(maphash.Bytes(s.long, b))
	case n < 8:
		x, y = uint64(binary.LittleEndian.Uint32(b)), uint64(binary.LittleEndian.Uint32(b[n-4:]))
	default:
		x, y = binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[n-8:])
	}
	hi, lo := bits.Mul64(x^s.short[0], y^s.short[1]^uint64(len(b)))
	return uint32(hi ^ lo)
}

// table is an empty hash table for n documents, at most a quarter full, so that
// most find their place free; 0 is a free slot. It takes the room of slots where
// that is large enough.
func table(slots []uint32, n int) []uint32 {
	size := 1 << bits.Len(uint(4*n))
	if size > cap(slots) {
		return make([]uint32, size)
	}
	slots = slots[:size]
	clear(slots)
	return slots
}
