package twin

import (
	"fmt"
	"slices"
	"unicode/utf8"
)

// context is what one question's reader is shown.
type context struct {
	text   string
	units  []Chunk
	tokens int
}

// with is the context with one more unit at its end. In the format numbered
// the literal string is counted whole, in bare each text by itself.
func (c context) with(u Chunk, docs map[string]Document, p Params) context {
	text := docs[u.Doc].Text[u.Start:u.End]
	next := context{units: append(slices.Clone(c.units), u)}
	if p.Format == "bare" {
		next.text = c.text + text
		next.tokens = c.tokens + p.Counter.Count(text)
		return next
	}
	next.text = c.text + fmt.Sprintf("[%d] %s\n%s\n\n", len(next.units), u.Doc, text)
	next.tokens = p.Counter.Count(next.text)
	return next
}

// cost is what some units cost as a context of their own.
func cost(units []Chunk, docs map[string]Document, p Params) int {
	var c context
	for _, u := range units {
		c = c.with(u, docs, p)
	}
	return c.tokens
}

// pack puts units, hits or their pieces in rank order, into the context until
// the budget ends it. One whose interval is there already is merged with it.
func pack(units []Chunk, docs map[string]Document, p Params) context {
	var c context
	for _, u := range units {
		if slices.Contains(c.units, u) {
			continue
		}
		if next := c.with(u, docs, p); next.tokens <= p.Budget {
			c = next
			continue
		}
		switch p.Overflow {
		case "stop":
			return c
		case "truncate":
			return c.withPrefix(u, docs, p)
		}
	}
	return c
}

// withPrefix is the context with the longest prefix of u that ends on a code
// point and fits; c itself where only the empty prefix fits, or none, or
// where the budget is 0 (a prefix of blanks may count nothing).
func (c context) withPrefix(u Chunk, docs map[string]Document, p Params) context {
	text := docs[u.Doc].Text
	for u.End--; u.End > u.Start && p.Budget > 0; u.End-- {
		if !utf8.RuneStart(text[u.End]) {
			continue
		}
		if next := c.with(u, docs, p); next.tokens <= p.Budget {
			return next
		}
	}
	return c
}

// repeated counts what the context spends on showing bytes again: for each
// unit, every maximal interval of its bytes that earlier units showed, each
// counted by itself.
func repeated(units []Chunk, docs map[string]Document, counter Tokenizer) int {
	tokens := 0
	for i, u := range units {
		again := seen(u, units[:i])
		for from := 0; from < len(again); from++ {
			to := from
			for to < len(again) && again[to] {
				to++
			}
			if to > from {
				tokens += counter.Count(docs[u.Doc].Text[u.Start+from : u.Start+to])
				from = to
			}
		}
	}
	return tokens
}
