package quote

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kerf/internal/text/span"
)

// findPlain is find by trying every stretch of pieces, and of code points
// inside pieces that the fold leaves alone.
func findPlain(text, quote string, k Fold) []span.Span {
	type cutAt struct{ from, to int }
	var cuts []cutAt
	var out strings.Builder
	for at := 0; at < len(text); {
		n, folded := k.piece(text[at:])
		cuts = append(cuts, cutAt{at, out.Len()})
		if folded == text[at:at+n] {
			for i := range folded {
				if i > 0 {
					cuts = append(cuts, cutAt{at + i, out.Len() + i})
				}
			}
		}
		out.WriteString(folded)
		at += n
	}
	cuts = append(cuts, cutAt{len(text), out.Len()})
	var found []span.Span
	for at := range out.Len() {
		if !strings.HasPrefix(out.String()[at:], quote) || quote == "" {
			continue
		}
		first, last := -1, -1
		for _, c := range cuts {
			if c.to == at {
				first = c.from // the last one: pieces that vanish are left outside
			}
			if c.to == at+len(quote) && last < 0 {
				last = c.from
			}
		}
		if first >= 0 && last >= 0 {
			found = append(found, span.Span{Start: first, End: last})
		}
	}
	return found
}

func TestFindEqualsTryingEverything(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	alphabet := []string{"a", "A", "b", " ", "\n", "\r\n", "-", "\u00ad", "é", "e\u0301", "\u0301", "ﬁ", "fi", "“", "\"", "한", "ᄒ", "ᅡ", "ß", "İ", "\u00a0", "–"}
	text := func(n int) string {
		var b strings.Builder
		for range n {
			b.WriteString(alphabet[rng.IntN(len(alphabet))])
		}
		return b.String()
	}
	hits := 0
	for range 20_000 {
		doc := text(1 + rng.IntN(14))
		k := Differences()[rng.IntN(len(Differences()))].Fold
		quote := k.Apply(text(1 + rng.IntN(3))).text
		got, want := k.Apply(doc).Find(quote), findPlain(doc, quote, k)
		hits += len(got)
		if !slices.Equal(got, want) {
			t.Fatalf("%+v: %q in %q: %v, want %v", k, quote, doc, got, want)
		}
	}
	if hits < 1000 {
		t.Errorf("only %d places were found", hits)
	}
}
