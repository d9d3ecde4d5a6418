package token

import (
	_ "embed" // the vocabularies
	"sync"
)

//go:generate go run ./gen cl100k_base.tiktoken cl100k_base.vocab
//go:generate go run ./gen o200k_base.tiktoken o200k_base.vocab

//go:embed cl100k_base.vocab
var cl100kFile string

//go:embed o200k_base.vocab
var o200kFile string

var cl100k = sync.OnceValue(func() *BPE { return newBPE("cl100k_base", cl100kFile, cl100kDigest, scanCl100k) })

var o200k = sync.OnceValue(func() *BPE { return newBPE("o200k_base", o200kFile, o200kDigest, scanO200k) })

var cl100kDigest = sync.OnceValue(func() string { return digest("cl100k_base 1", cl100kFile) })

var o200kDigest = sync.OnceValue(func() string { return digest("o200k_base 1", o200kFile) })

// BPE is a byte-pair encoding with a vocabulary of tiktoken. Its ids are those
// of tiktoken's encode_ordinary: what looks like a control token, such as
// <|endoftext|>, is ordinary text.
type BPE struct {
	name    string
	digest  func() string
	vocab   *vocabulary
	classes *classTable
	scan    func(c *classTable, s string, p int) int
}

func newBPE(name, file string, digest func() string, scan func(*classTable, string, int) int) *BPE {
	return &BPE{
		name:    name,
		digest:  digest,
		vocab:   newVocabulary(file),
		classes: classes(),
		scan:    scan,
	}
}

// Name is the encoding's name.
func (b *BPE) Name() string { return b.name }

// Digest covers the vocabulary and the version of Unicode.
func (b *BPE) Digest() string { return b.digest() }

// Encode is the ids of the text's tokens.
func (b *BPE) Encode(text string) []uint32 {
	ids := make([]uint32, 0, len(text)/4+1)
	var buf [2 * window]int32
	for p := 0; p < len(text); {
		end := b.piece(text, p)
		if rank := b.vocab.rank(text, p, end); rank != none {
			ids, p = append(ids, rank), end
			continue
		}
		for _, to := range b.vocab.split(buf[:0], text, p, end) {
			ids = append(ids, b.vocab.rank(text, p, int(to)))
			p = int(to)
		}
	}
	return ids
}

// Ends is the byte end of each token in order.
func (b *BPE) Ends(text string) []int32 {
	ends := make([]int32, 0, len(text)/4+1)
	for p := 0; p < len(text); {
		end := b.piece(text, p)
		ends = b.pieceEnds(ends, text, p, end)
		p = end
	}
	return ends
}

// Count is the number of tokens.
func (b *BPE) Count(text string) int {
	n := 0
	for p := 0; p < len(text); {
		end := b.piece(text, p)
		n += b.countPiece(text, p, end)
		p = end
	}
	return n
}

func (b *BPE) piece(text string, p int) int { return b.scan(b.classes, text, p) }

func (b *BPE) countPiece(text string, from, to int) int {
	if b.vocab.rank(text, from, to) != none {
		return 1
	}
	var buf [2 * window]int32
	return len(b.vocab.split(buf[:0], text, from, to))
}

func (b *BPE) pieceEnds(ends []int32, text string, from, to int) []int32 {
	if b.vocab.rank(text, from, to) != none {
		return append(ends, int32(to))
	}
	return b.vocab.split(ends, text, from, to)
}
