package token

import (
	"math/bits"
	"unicode/utf8"
)

// none is the rank of a pair that is no token.
const none = ^uint32(0)

// vocabulary finds the rank of a byte string among the tokens of an encoding.
//
// Its table is open addressing over a key of 64 bits. A token of up to 8 bytes
// is its own key; a longer one has a hash for a key and is compared with the
// bytes of the file. Nothing is allocated but flat arrays, so it is built in a few
// milliseconds. Most of these are misses of the caches, so the table is small, and
// three quarters full. Most byte strings that merging asks for are no token: a filter
// that fits into the second cache knows nearly all of these.
type vocabulary struct {
	blob    string   // all tokens, in rank order
	starts  []uint32 // starts[r] is where token r begins in blob; one more at the end
	slots   []slot   // a power of two of them, more than tokens
	shift   uint     // 64 - log2(len(slots))
	filter  []uint64 // two bits of 64 for each token whose home is among 8 slots
	pairs   []uint32 // rank of the two-byte token at first<<8 | second
	longest int      // bytes
	threes  []uint64 // a bit for each code point of three bytes that is a token
	mixed   []uint64 // see isMixed
}

type slot struct {
	key    uint64
	length uint32 // 0: empty
	rank   uint32
}

// newVocabulary reads a file written by gen.
func newVocabulary(file string) *vocabulary {
	n := int(le32(file))
	lengths, blob := file[4:4+n], file[4+n:]
	size := uint(bits.Len(uint(n)))
	v := &vocabulary{
		blob:   blob,
		starts: make([]uint32, n+1),
		slots:  make([]slot, 1<<size),
		shift:  64 - size,
		filter: make([]uint64, 1<<(size+3)>>6),
		pairs:  make([]uint32, 1<<16),
		threes: make([]uint64, 1<<16>>6),
		mixed:  make([]uint64, 1<<16>>6),
	}
	for i := range v.pairs {
		v.pairs[i] = none
	}
	at := 0
	for rank := range n {
		length := int(lengths[rank])
		token := blob[at : at+length]
		v.longest = max(v.longest, length)
		if length == 2 {
			v.pairs[int(token[0])<<8|int(token[1])] = uint32(rank)
		}
		v.noteCodePoints(token)
		key := keyOf(token)
		h, mark := v.hash(key, length)
		v.filter[h>>3] |= mark
		i := int(h)
		for v.slots[i].length != 0 {
			i = (i + 1) & (len(v.slots) - 1)
		}
		v.slots[i] = slot{key, uint32(length), uint32(rank)}
		at += length
		v.starts[rank+1] = uint32(at)
	}
	return v
}

// noteCodePoints of a token: that it is one of three bytes, or has part of one, at
// its start or end, beside others.
func (v *vocabulary) noteCodePoints(token string) {
	head := len(token) - 1
	if token[0]|token[head] < utf8.RuneSelf {
		return
	}
	for head > 0 && !utf8.RuneStart(token[head]) {
		head--
	}
	if utf8.RuneStart(token[0]) && len(token)-head == max(1, int(leads[token[head]>>4])) {
		if len(token) == 3 && head == 0 {
			at := three(token[0], token[1], token[2])
			v.threes[at>>6] |= 1 << (at & 63)
		}
		return
	}
	for i := 1; i < len(token); i++ {
		if b := token[i]; utf8.RuneStart(b) {
			v.mixed[int(token[i-1])<<2|int(b)>>6] |= 1 << (b & 63)
		}
	}
}

// rank of the token text[from:to], of at least one byte, or none.
func (v *vocabulary) rank(text string, from, to int) uint32 {
	n := to - from
	if n > 8 || from+8 > len(text) {
		return v.rankOf(text[from:to])
	}
	return v.rankOfKey(le64(text[from:])<<(64-8*n)>>(64-8*n), n) // keyOf, at once
}

// rankOfKey is the rank of a token of n bytes, up to 8, that are its key.
func (v *vocabulary) rankOfKey(key uint64, n int) uint32 {
	h, mark := v.hash(key, n)
	if v.filter[h>>3]&mark != mark {
		return none
	}
	for i := int(h); ; i = (i + 1) & (len(v.slots) - 1) {
		switch s := &v.slots[i]; {
		case s.key == key && s.length == uint32(n):
			return s.rank
		case s.length == 0:
			return none
		}
	}
}

// rankOf is the rank of a token by itself.
func (v *vocabulary) rankOf(token string) uint32 {
	n := len(token)
	if n > v.longest {
		return none
	}
	key := keyOf(token)
	h, mark := v.hash(key, n)
	if v.filter[h>>3]&mark != mark {
		return none
	}
	for i := int(h); ; i = (i + 1) & (len(v.slots) - 1) {
		s := &v.slots[i]
		if s.length == 0 {
			return none
		}
		if s.key == key && s.length == uint32(n) && (n <= 8 || v.bytes(s.rank) == token) {
			return s.rank
		}
	}
}

// bytes of the token of this rank.
func (v *vocabulary) bytes(rank uint32) string {
	return v.blob[v.starts[rank]:v.starts[rank+1]]
}

// hash is the home of a token among the slots, and its marks in the filter, for 8
// slots a word.
func (v *vocabulary) hash(key uint64, length int) (home, marks uint64) {
	h := (key ^ uint64(length)<<57) * 0x9E3779B97F4A7C15
	h ^= h >> 32
	h *= 0xD6E8FEB86659FD93
	return h >> (v.shift & 63), 1<<(h>>32&63) | 1<<(h>>26&63)
}

// keyOf is a key of 64 bits: the bytes themselves, the first the lowest, for up to
// 8 of them.
func keyOf(s string) uint64 {
	n := len(s)
	switch {
	case n > 8:
		var h uint64
		for i := 0; i < n-8; i += 8 {
			h = mix(h^le64(s[i:]), 0xA0761D6478BD642F)
		}
		return mix(h^le64(s[n-8:]), 0xE7037ED1A0B428DB)
	case n == 8:
		return le64(s)
	case n > 3:
		return uint64(le32(s)) | uint64(le32(s[n-4:]))>>(32-8*(n-4))<<32
	default:
		key := uint64(s[0])
		if n > 1 {
			key |= uint64(s[1]) << 8
		}
		if n > 2 {
			key |= uint64(s[2]) << 16
		}
		return key
	}
}

func mix(a, b uint64) uint64 {
	hi, lo := bits.Mul64(a^0x8EBC6AF09C88C6E3, b)
	return hi ^ lo
}

func le32(s string) uint32 {
	_ = s[3]
	return uint32(s[0]) | uint32(s[1])<<8 | uint32(s[2])<<16 | uint32(s[3])<<24
}

func le64(s string) uint64 {
	_ = s[7]
	return uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
}
