package twin

import (
	"unicode"
	"unicode/utf8"
)

// FirstCut is the first interior cut, in tokens, of phase j of p over the
// stride: max(1, floor(stride*j/p + 1/2)) in integers.
func FirstCut(stride, j, p int) int { return max(1, (2*stride*j+p)/(2*p)) }

// bounds holds the byte offset of every token boundary, 0 first, each moved
// back to the start of the code point it falls into.
func bounds(text string, t Tokenizer) []int {
	out := []int{0}
	for _, end := range t.Ends(text) {
		b := int(end)
		for b < len(text) && !utf8.RuneStart(text[b]) {
			b--
		}
		out = append(out, b)
	}
	return out
}

// cut gives the chunks of one document that are indexed, in source order.
func cut(d Document, bound []int, p Params) []Chunk {
	tokens := len(bound) - 1
	var chunks []Chunk
	for from := 0; from < tokens; {
		to := p.firstCut(d.ID)
		if from > 0 {
			to = from + p.stride()
		}
		to = min(to, tokens)
		c := Chunk{d.ID, bound[from], bound[min(to+p.Overlap, tokens)]}
		emptyCore := bound[from] == bound[to]
		contained := len(chunks) > 0 && c.End <= chunks[len(chunks)-1].End
		if !emptyCore && !blank(d.Text[c.Start:c.End]) && (p.KeepContained || !contained) {
			chunks = append(chunks, c)
		}
		from = to
	}
	return chunks
}

func whiteSpace(r rune) bool { return unicode.Is(unicode.White_Space, r) }

func blank(text string) bool {
	for _, r := range text {
		if !whiteSpace(r) {
			return false
		}
	}
	return true
}
