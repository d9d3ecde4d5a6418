package token

import (
	"math/bits"
	"slices"
	"unicode/utf8"
)

// blockBits: a block stands for 64 bytes of the text, a bit for each.
const blockBits = 6

// bounds are the token boundaries of a text as bits, so that the tokens before a
// byte are a sum and a count of bits, and the byte of a boundary is a short
// search: 24 bytes for 64 of the text, whatever its tokens. Where each byte is a
// token there is nothing to hold.
type bounds struct {
	n       int     // tokens
	blocks  []block // of the offsets 0 to len(text); nil: every byte is a token, and a piece
	samples []int32 // samples[j] is the block of boundary j<<blockBits; one more at the end, the last block
}

type block struct {
	tokens uint64 // bit b: a token begins, or the last one ends, at byte b of the block
	heads  uint64 // likewise of pieces, which begin with a token
	before int32  // boundaries in earlier blocks
}

// ones are the bytes of a word that are 1.
const ones = 0x0101010101010101

// codePointBounds are those of one token for each code point; ok is false if the
// text is not UTF-8, in which an invalid byte is a token too.
func codePointBounds(text string) (b bounds, ok bool) {
	n, high := len(text), uint64(0)
	for ; n >= 8; n -= 8 {
		high |= le64(text[n-8:])
	}
	for n--; n >= 0; n-- {
		high |= uint64(text[n])
	}
	if high&(0x80*ones) == 0 {
		return bounds{n: len(text)}, true
	}
	if !utf8.ValidString(text) {
		return bounds{}, false
	}
	b.blocks = make([]block, len(text)>>blockBits+1)
	for k := range b.blocks {
		set := uint64(0)
		rest := text[k<<blockBits:]
		rest = rest[:min(len(rest), 1<<blockBits)]
		i := 0
		for ; i+8 <= len(rest); i += 8 {
			// A byte begins a code point unless it is 10xxxxxx; the product puts
			// the lowest bits of the eight bytes side by side into the uppermost.
			w := le64(rest[i:])
			set |= (^w>>7 | w>>6) & ones * 0x0102040810204080 >> 56 << i
		}
		for ; i < len(rest); i++ {
			if utf8.RuneStart(rest[i]) {
				set |= 1 << i
			}
		}
		b.blocks[k].tokens, b.blocks[k].heads = set, set
	}
	b.add(len(text))
	b.addHead(len(text))
	b.count()
	return b, true
}

// pieceBounds cuts the text into pieces, and these into tokens.
func pieceBounds(p pieces, text string) bounds {
	b := bounds{blocks: make([]block, len(text)>>blockBits+1)}
	var ends []int32
	last := 0 // boundary
	b.add(last)
	for at := 0; at < len(text); {
		b.addHead(last)
		end := p.piece(text, at)
		ends = p.pieceEnds(ends[:0], text, at, end)
		for _, x := range ends {
			last = int(x)
			b.add(last)
		}
		at = end
	}
	b.addHead(last)
	b.count()
	return b
}

func (b *bounds) add(x int) { b.blocks[x>>blockBits].tokens |= 1 << (x & 63) }

func (b *bounds) addHead(x int) { b.blocks[x>>blockBits].heads |= 1 << (x & 63) }

// count sums up once all boundaries are there.
func (b *bounds) count() {
	n := 0
	b.samples = make([]int32, 0, len(b.blocks)>>2)
	for k := range b.blocks {
		here := &b.blocks[k]
		here.before = int32(n)
		n += bits.OnesCount64(here.tokens)
		if len(b.samples)<<blockBits < n { // at most one more: a block has no more than 64
			b.samples = append(b.samples, int32(k))
		}
	}
	b.samples = slices.Clip(append(b.samples, int32(len(b.blocks)-1)))
	b.n = n - 1
}

// Len is the number of tokens, N.
func (b *bounds) Len() int { return b.n }

// Start is the byte offset of the boundary before token i, 0 <= i <= N.
func (b *bounds) Start(i int) int {
	if b.blocks == nil {
		return i
	}
	k, last := int(b.samples[i>>blockBits]), int(b.samples[i>>blockBits+1])
	for k < last {
		if m := (k + last + 1) / 2; int(b.blocks[m].before) <= i {
			k = m
		} else {
			last = m - 1
		}
	}
	here := &b.blocks[k]
	return k<<blockBits + bit(here.tokens, i-int(here.before))
}

// bit is the place of the bit that has n set bits below it, of a set with more
// than n.
func bit(set uint64, n int) int {
	// Set bits of pairs, of fours, of bytes, of all bytes up to each: those with
	// at most n are below the byte that is looked for.
	sums := set - set>>1&0x5555555555555555
	sums = sums&0x3333333333333333 + sums>>2&0x3333333333333333
	sums = (sums + sums>>4) & (0x0F * ones) * ones
	below := bits.OnesCount64(((uint64(n)*ones|0x80*ones)-sums)&(0x80*ones)) * 8
	n -= int(sums << 8 >> below & 0xFF)
	set >>= below
	for ; n > 0; n-- {
		set &= set - 1
	}
	return below + bits.TrailingZeros64(set)
}

// Boundary is the number of tokens before byte x, if a token begins or ends
// there.
func (b *bounds) Boundary(x int) (i int, ok bool) {
	return b.find(x), b.blocks == nil || b.blocks[x>>blockBits].tokens>>(x&63)&1 != 0
}

// find is the index of the last boundary at or before byte x.
func (b *bounds) find(x int) int {
	if b.blocks == nil {
		return x
	}
	here := &b.blocks[x>>blockBits]
	return int(here.before) + bits.OnesCount64(here.tokens<<(^x&63)) - 1
}

// isHead reports whether a piece begins, or the last one ends, at byte x.
func (b *bounds) isHead(x int) bool {
	return b.blocks == nil || b.blocks[x>>blockBits].heads>>(x&63)&1 != 0
}

// headAt is the last piece boundary at or before byte x, -1 if there is none.
func (b *bounds) headAt(x int) int {
	if b.blocks == nil || x < 0 {
		return x
	}
	k := x >> blockBits
	set := b.blocks[k].heads << (^x & 63) >> (^x & 63)
	for set == 0 {
		if k--; k < 0 {
			return -1
		}
		set = b.blocks[k].heads
	}
	return k<<blockBits + bits.Len64(set) - 1
}

// headAfter is the first piece boundary after byte x, which is before the last
// one.
func (b *bounds) headAfter(x int) int {
	x++
	if b.blocks == nil {
		return x
	}
	k := x >> blockBits
	set := b.blocks[k].heads >> (x & 63) << (x & 63)
	for set == 0 {
		k++
		set = b.blocks[k].heads
	}
	return k<<blockBits + bits.TrailingZeros64(set)
}
