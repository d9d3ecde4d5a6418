package quote

import (
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

// TestFindAllTwin: many quotes at once, against one after another.
func TestFindAllTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	found, long := 0, 0
	for range 500 {
		var b strings.Builder
		for range r.IntN(400) {
			b.WriteString([]string{"a", "b", "é", "ab", " ", "\n ", "\r\n", "\u00a0", "保"}[r.IntN(9)])
		}
		text := b.String()
		f := Blanks().Apply(text)
		var quotes []string
		for range r.IntN(8) {
			runes := []rune(text)
			at := r.IntN(len(runes) + 1)
			q := string(runes[at:min(len(runes), at+r.IntN(40))])
			if r.IntN(4) == 0 {
				q += "x"
			}
			quotes = append(quotes, Blanks().Quote(q))
		}
		got := f.FindAll(quotes)
		for i, q := range quotes {
			if want := f.Find(q); !reflect.DeepEqual(got[i], want) {
				t.Fatalf("%q in %q: got %v, want %v", q, text, got[i], want)
			}
			if found += len(got[i]); len(q) >= window && len(got[i]) > 0 {
				long++
			}
		}
	}
	if found < 1000 || long < 300 {
		t.Errorf("found %d, of long quotes %d", found, long)
	}
}

func BenchmarkFindAll(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 10))
	words := make([]string, 1<<20)
	for i := range words {
		words[i] = []string{"the", "deposit", "of", "customers", "within", "thirty", "days", "returned\n"}[r.IntN(8)]
	}
	text := strings.Join(words, " ")
	f := Blanks().Apply(text)
	var quotes []string
	for i := range 500 {
		quotes = append(quotes, Blanks().Quote(text[i*1000:i*1000+150]))
	}
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		f.FindAll(quotes)
	}
}
