package split

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kerf/internal/text/token"
)

// BenchmarkPlace is windows of 500 code points, overlap 100, with the table that
// says where these begin; plain is the twin that walks over all of them.
func BenchmarkPlace(b *testing.B) {
	w := Windows{500, 100, DropContained}
	tok, err := token.Named("codepoints")
	if err != nil {
		b.Fatal(err)
	}
	for name, sentence := range map[string]string{
		"ascii": "Requests may be retained for 30 days, unless they were marked temporary.\n",
		"mixed": "Requests “may” be retained for 30 days — unless für Straße, or they were marked temporary; see section 2.3 of this.\n",
		"cjk":   "保存期限は三十日です。",
	} {
		text := strings.Repeat(sentence, 1+1_400_000/len(sentence))
		var chunks []Chunk
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				chunks = w.Place(token.NewTable(tok, text), w.Stride(), chunks[:0])
			}
		})
		b.Run(name+"/plain", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				chunks = w.Place(plainTokens(text), w.Stride(), chunks[:0])
			}
		})
	}
}

// TestPlaceAgainstWalk: the same cuts from a table and from the walk.
func TestPlaceAgainstWalk(t *testing.T) {
	scraps := []string{"a", "é", "漢", "\U0001F642", " ", "\n", "“may”", "e\u0301", "plain words of ASCII that fill a block of 64 bytes of the text and more "}
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		var b strings.Builder
		few := 1 + r.IntN(len(scraps))
		for range r.IntN(200) {
			b.WriteString(scraps[r.IntN(few)])
		}
		text := b.String()
		w := Windows{Size: 1 + r.IntN(90), Edge: Keep}
		w.Overlap = r.IntN(w.Size)
		first := 1 + r.IntN(w.Stride())
		if got, want := w.Place(table(t, "codepoints", text), first, nil), w.Place(plainTokens(text), first, nil); !slices.Equal(got, want) {
			t.Fatalf("%q %+v first %d: %v, want %v", text, w, first, got, want)
		}
	}
}

// walked are the byte offsets of code points, and the end.
type walked []int

func (w walked) Len() int      { return len(w) - 1 }
func (w walked) Cut(i int) int { return w[i] }

func plainTokens(text string) walked {
	offsets := make(walked, 0, utf8.RuneCountInString(text)+1)
	for i := range text {
		offsets = append(offsets, i)
	}
	return append(offsets, len(text))
}
