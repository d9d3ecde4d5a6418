package token

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func finance(b *testing.B) string {
	text, err := os.ReadFile(filepath.Join(shared(b), "data", "chroma-general", "corpus", "finance.md"))
	if err != nil {
		b.Fatal(err)
	}
	return string(text)
}

func BenchmarkEncode(b *testing.B) {
	text := finance(b)
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		tok := bpe(b, name)
		b.Run(name+"/ids", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				tok.Encode(text)
			}
		})
		b.Run(name+"/ends", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				tok.Ends(text)
			}
		})
		b.Run(name+"/pieces", func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				for p := 0; p < len(text); p = tok.piece(text, p) {
				}
			}
		})
	}
}

func BenchmarkSetUp(b *testing.B) {
	b.Run("cl100k_base", func(b *testing.B) {
		for b.Loop() {
			newVocabulary(cl100kFile)
		}
	})
	b.Run("o200k_base", func(b *testing.B) {
		for b.Loop() {
			newVocabulary(o200kFile)
		}
	})
}

func BenchmarkLongRun(b *testing.B) {
	for _, n := range []int{16_000, 160_000, 1_000_000} {
		text := strings.Repeat("x", n)
		tok := bpe(b, "cl100k_base")
		b.Run(map[int]string{16_000: "16000", 160_000: "160000", 1_000_000: "1000000"}[n], func(b *testing.B) {
			for b.Loop() {
				tok.Count(text)
			}
		})
	}
}
