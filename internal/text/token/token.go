// Package token cuts text into the tokens that budgets and windows are counted
// in.
//
// A Tokenizer partitions a text into tokens, which are byte intervals; a BPE
// tokenizer (cl100k_base, o200k_base) also gives their ids. It works on pieces:
// a scanner cuts the text into pieces (words, numbers, punctuation, blanks),
// and each piece is cut into tokens by itself. A Table is the tokens of one
// document, made once; it counts and fits any slice of the document without
// tokenising more than the slice's edges.
//
// Texts are valid UTF-8. An invalid byte is taken for a code point of its own.
package token

import (
	"crypto/sha256"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Tokenizer is one of Names. It is safe for use by several goroutines.
type Tokenizer interface {
	// Name is one of Names.
	Name() string
	// Digest is "sha256:…" over the algorithm's version and its tables: equal
	// digests, equal tokens.
	Digest() string
	// Ends is the byte end of each token in order. The tokens partition the
	// text, except that a text of White_Space alone has no `words` token.
	Ends(text string) []int32
	// Count is len(Ends(text)).
	Count(text string) int

	pieces
}

// pieces is what a Table needs to know of a tokenizer: it cuts a text into
// pieces, and each piece into tokens by itself.
type pieces interface {
	// piece is the end of the piece that begins at p < len(text), a function
	// of text[p:] alone.
	piece(text string, p int) int
	// countPiece is the number of tokens of the piece text[from:to].
	countPiece(text string, from, to int) int
	// pieceEnds appends the end of each of them, as an offset of text.
	pieceEnds(ends []int32, text string, from, to int) []int32
}

// Named is the tokenizer of this name; its tables are made once per process.
func Named(name string) (Tokenizer, error) {
	switch name {
	case "codepoints":
		return codepoints{}, nil
	case "words":
		return words{}, nil
	case "cl100k_base":
		return cl100k(), nil
	case "o200k_base":
		return o200k(), nil
	}
	return nil, fmt.Errorf("unknown tokenizer %q (have %s)", name, strings.Join(Names(), ", "))
}

// Digest is that of the tokenizer of this name, for whoever counts no token: its tables
// are not made.
func Digest(name string) (string, error) {
	switch name {
	case "cl100k_base":
		return cl100kDigest(), nil
	case "o200k_base":
		return o200kDigest(), nil
	}
	t, err := Named(name)
	if err != nil {
		return "", err
	}
	return t.Digest(), nil
}

// Names lists every tokenizer.
func Names() []string {
	return []string{"codepoints", "words", "cl100k_base", "o200k_base"}
}

// digest names an algorithm's version, the Unicode version where its tables
// matter, and a vocabulary.
func digest(algorithm, vocabulary string) string {
	h := sha256.New()
	fmt.Fprintf(h, "%s\nunicode %s\n%s", algorithm, unicode.Version, vocabulary)
	return fmt.Sprintf("sha256:%x", h.Sum(nil))
}

// codepoints has one token for each code point.
type codepoints struct{}

func (codepoints) Name() string          { return "codepoints" }
func (codepoints) Digest() string        { return digest("codepoints 1", "") }
func (codepoints) Count(text string) int { return utf8.RuneCountInString(text) }

func (codepoints) Ends(text string) []int32 {
	ends := make([]int32, 0, utf8.RuneCountInString(text))
	for p := 0; p < len(text); {
		_, w := utf8.DecodeRuneInString(text[p:])
		p += w
		ends = append(ends, int32(p))
	}
	return ends
}

func (codepoints) piece(text string, p int) int {
	_, w := utf8.DecodeRuneInString(text[p:])
	return p + w
}

func (codepoints) countPiece(string, int, int) int { return 1 }

func (codepoints) pieceEnds(ends []int32, _ string, _, to int) []int32 {
	return append(ends, int32(to))
}

// words has one token for each run without White_Space; it reaches to the next
// word, and the first begins at 0.
type words struct{}

func (words) Name() string   { return "words" }
func (words) Digest() string { return digest("words 1", "") }

func (t words) Count(text string) int {
	n := 0
	for p := 0; p < len(text); p = t.piece(text, p) {
		n += t.countPiece(text, p, len(text))
	}
	return n
}

func (t words) Ends(text string) []int32 {
	ends := make([]int32, 0, t.Count(text))
	if cap(ends) == 0 {
		return ends
	}
	for p := 0; p < len(text); {
		p = t.piece(text, p)
		ends = append(ends, int32(p))
	}
	return ends
}

// piece is blanks, a word and the blanks after it; only at the start of a text
// are there blanks in front.
func (words) piece(text string, p int) int {
	c := classes()
	return c.run(text, c.runWithout(text, c.run(text, p, blank), blank), blank)
}

// countPiece is 0 for blanks alone, which are a piece only in a text of blanks.
func (words) countPiece(text string, from, to int) int {
	if classes().run(text[:to], from, blank) == to {
		return 0
	}
	return 1
}

func (t words) pieceEnds(ends []int32, text string, from, to int) []int32 {
	if t.countPiece(text, from, to) == 0 {
		return ends
	}
	return append(ends, int32(to))
}
