package plan

import "math/big"

// Cost is what an index of one arm holds, at the unshifted placement P/P.
type Cost struct {
	Tokens   int64    // of the corpus, under the arm's tokenizer
	Windows  int64    // chunks, those of White_Space alone among them
	Embedded int64    // tokens of all windows together: what an embedding model reads
	Limit    *big.Rat // Tokens * C/(C-O): what Embedded approaches in long documents
}

// Cost is the arm's cost for documents of so many tokens each. It is exact,
// except for cuts that fall into a code point and are moved.
func (a Arm) Cost(documents ...int) Cost {
	c := Cost{Limit: new(big.Rat)}
	for _, n := range documents {
		windows, embedded := a.Split.windows(int64(n))
		c.Tokens += int64(n)
		c.Windows += windows
		c.Embedded += embedded
	}
	c.Limit.Mul(new(big.Rat).SetInt64(c.Tokens), a.Split.Limit())
	return c
}

// Plus adds two costs, as of two arms.
func (c Cost) Plus(d Cost) Cost {
	return Cost{c.Tokens + d.Tokens, c.Windows + d.Windows, c.Embedded + d.Embedded, new(big.Rat).Add(c.Limit, d.Limit)}
}

// windows counts the windows [i*S, i*S + C) of a document of n tokens and the
// tokens in them. Under drop-contained the first window that reaches the end is
// the last; under keep one begins at every cut.
func (s Split) windows(n int64) (windows, tokens int64) {
	if n == 0 {
		return 0, 0
	}
	size, stride := int64(s.Size), int64(s.Size-s.Overlap)
	full := int64(0) // windows that end before the document does
	if n > size {
		full = (n - size + stride - 1) / stride
	}
	windows = full + 1
	if s.Edge == "keep" {
		windows = (n + stride - 1) / stride
	}
	// The others begin at full*S, ..., (windows-1)*S and reach the end.
	others := windows - full
	return windows, full*size + others*n - stride*(full+windows-1)*others/2
}
