// Package alike finds what stands in a corpus more than once: documents that are
// nearly the same, and the same policy with other numbers.
//
// A Word is a lexical term (package term): a run of letters, marks and digits in
// lower case, and overlapping pairs of code points in scripts that are written
// without blanks between words; white space, case and punctuation do not count.
// A Gram is five words that follow each other; a text of fewer words has one
// gram, all of them. Two documents are near-identical where at least nine tenths
// of the grams of both are in both (Jaccard of the two sets >= 0.9). A Sentence,
// a Number and what is masked are defined at Sentences and at mask.
//
// Nothing here is an estimate: every candidate is compared by its words.
package alike

import (
	"strings"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"kerf/internal/text/term"
)

// gramLength is the words of a gram.
const gramLength = 5

// words is a text's words as numbers from 1, equal words alike.
type words struct {
	ids    []uint32
	hashes []uint64 // of each id; hashes[0] is of no word
}

// numbering gives words their numbers.
type numbering map[string]uint32

func (n numbering) words(text string, hash func(string) uint64) words {
	t := term.Split(text)
	w := words{ids: make([]uint32, t.Len()), hashes: make([]uint64, len(n)+1)}
	for i, word := range t.All() {
		id, ok := n[word]
		if !ok {
			id = uint32(len(n) + 1)
			n[word] = id
		}
		if int(id) == len(w.hashes) {
			w.hashes = append(w.hashes, hash(word))
		}
		w.ids[i] = id
	}
	return w
}

// grams is how many grams begin in a text, repeated ones too.
func (w words) grams() int {
	if len(w.ids) == 0 {
		return 0
	}
	return max(1, len(w.ids)-gramLength+1)
}

// gram is the i-th gram; missing words are 0.
func (w words) gram(i int) (g [gramLength]uint32) {
	copy(g[:], w.ids[i:])
	return g
}

// Words is the number of words of a text.
func Words(text string) int { return term.Split(text).Len() }

// fnv is the 64-bit hash FNV-1a.
func fnv(s string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(s) {
		h = (h ^ uint64(s[i])) * 1099511628211
	}
	return h
}

// kept are the signs that Unicode calls punctuation and that tell two questions
// apart: "C" and "C#", "10" and "10%".
const kept = `#%&@*/\§‰`

// Plain is a question without what does not make it another one: NFKC, case
// folded, every run of punctuation and white space one blank, none at the edges.
// It is empty for a text of nothing else.
func Plain(question string) string {
	s := norm.NFKC.String(cases.Fold().String(norm.NFKC.String(question)))
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || unicode.IsPunct(r) && !strings.ContainsRune(kept, r)
	}), " ")
}
