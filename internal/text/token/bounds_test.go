package token

import (
	"math/bits"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// plainBounds are boundaries as lists of bytes.
type plainBounds struct{ tokens, heads []int }

func plainBoundsOf(tok Tokenizer, text string) (b plainBounds) {
	b.tokens = []int{0}
	last := func() int { return b.tokens[len(b.tokens)-1] }
	for p := 0; p < len(text); {
		b.heads = append(b.heads, last())
		end := tok.piece(text, p)
		for _, x := range tok.pieceEnds(nil, text, p, end) {
			b.tokens = append(b.tokens, int(x))
		}
		p = end
	}
	b.heads = slices.Compact(append(b.heads, last()))
	return b
}

// lastAt is the index of the last of ascending places at or before x, -1 if there
// is none.
func lastAt(places []int, x int) int {
	i := len(places) - 1
	for i >= 0 && places[i] > x {
		i--
	}
	return i
}

func checkBits(t *testing.T, tok Tokenizer, text string) {
	t.Helper()
	got, want := NewTable(tok, text), plainBoundsOf(tok, text)
	if got.Len() != len(want.tokens)-1 {
		t.Fatalf("%s %q: %d tokens, want %d", tok.Name(), text, got.Len(), len(want.tokens)-1)
	}
	for i, x := range want.tokens {
		if got.Start(i) != x {
			t.Fatalf("%s %q: boundary %d at %d, want %d", tok.Name(), text, i, got.Start(i), x)
		}
	}
	for x := 0; x <= len(text); x++ {
		last := lastAt(want.tokens, x)
		if i, ok := got.Boundary(x); i != last || ok != (want.tokens[last] == x) {
			t.Fatalf("%s %q: byte %d is behind %d tokens, %v; want %d", tok.Name(), text, x, i, ok, last)
		}
		head := lastAt(want.heads, x)
		if h := got.headAt(x); h != want.heads[head] || got.isHead(x) != (h == x) {
			t.Fatalf("%s %q: the last piece at %d begins at %d, %v; want %d", tok.Name(), text, x, h, got.isHead(x), want.heads[head])
		}
		if head+1 < len(want.heads) && got.headAfter(x) != want.heads[head+1] {
			t.Fatalf("%s %q: the next piece after %d begins at %d, want %d", tok.Name(), text, x, got.headAfter(x), want.heads[head+1])
		}
		settled := -1
		if head >= margin {
			settled = want.heads[head-margin]
		}
		if s := got.settled(x); max(s, -1) != settled {
			t.Fatalf("%s %q: settled at %d up to %d, want %d", tok.Name(), text, x, s, settled)
		}
	}
}

// TestBoundsAgainstLists: texts of ASCII, of all scripts, of tokens that are longer
// than blocks and of bytes that are not UTF-8, at all distances from the blocks'
// edges.
func TestBoundsAgainstLists(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 10))
	for _, name := range Names() {
		tok := named(t, name)
		for _, text := range []string{"", "a", " ", "\u3000", "é", "\xff", "a\xe6\xbc", strings.Repeat("\xbc", 200), strings.Repeat("x", 64), strings.Repeat("漢", 64)} {
			checkBits(t, tok, text)
		}
		for i := range 150 {
			text := strings.Repeat("-", r.IntN(70)) + randomText(r, r.IntN(60))
			switch i % 5 {
			case 0:
				text = strings.Map(func(r rune) rune { return r & 0x7F }, text)
			case 1:
				text += strings.Repeat("漢x", r.IntN(300)) + "\n" + text
			case 2:
				at := r.IntN(len(text) + 1)
				text = text[:at] + string([]byte{byte(0x80 + r.IntN(0x80))}) + text[at:]
			}
			checkBits(t, tok, text)
		}
	}
}

func TestBit(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	sets := []uint64{1, 1 << 63, ^uint64(0), 0xFF << 56, 0x8000000000000001}
	for range 2000 {
		sets = append(sets, r.Uint64(), r.Uint64()&r.Uint64()&r.Uint64()|1)
	}
	for _, set := range sets {
		n := 0
		for at := range 64 {
			if set>>at&1 == 0 {
				continue
			}
			if got := bit(set, n); got != at {
				t.Fatalf("%#x: bit %d at %d, want %d", set, n, got, at)
			}
			n++
		}
		if n != bits.OnesCount64(set) {
			t.Fatal(n)
		}
	}
}
