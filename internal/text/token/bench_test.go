package token

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kerf/internal/text/span"
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

// BenchmarkSetUp is what the first use of each costs a process: both parts, the
// classes once.
func BenchmarkSetUp(b *testing.B) {
	b.Run("classes", func(b *testing.B) {
		for b.Loop() {
			newClasses()
		}
	})
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

// BenchmarkLongRuns counts pieces without end, beside a heap for the whole of each.
func BenchmarkLongRuns(b *testing.B) {
	r := rand.New(rand.NewPCG(17, 18))
	of := func(n int, signs string) string {
		some, text := []rune(signs), strings.Builder{}
		for range n {
			text.WriteRune(some[r.IntN(len(some))])
		}
		return text.String()
	}
	for _, run := range []struct{ name, text string }{
		{"x-16000", strings.Repeat("x", 16_000)},
		{"a-100000", strings.Repeat("a", 100_000)},
		{"a-1000000", strings.Repeat("a", 1_000_000)},
		{"blanks-300", strings.Repeat(" ", 300)},
		{"blanks-100000", strings.Repeat(" ", 100_000)},
		{"dashes-100000", strings.Repeat("-", 100_000)},
		{"letters-100000", of(100_000, "abcdefghijklmnopqrstuvwxyz")},
		{"signs-100000", of(100_000, "!-/*#=.,;:_()[]{}<>|&")},
		{"chinese-100000", of(100_000, "本合同自双方签字之日起生效任何一方解除须提前三十书面通知对试用期内违约应承担由此产的全部费和损失")},
		{"emoji-families-10000", strings.Repeat("👨‍👩‍👧🙂🇩🇪👩🏽‍💻", 2_500)},
	} {
		vocab := bpe(b, "cl100k_base").vocab
		for _, way := range []struct {
			name  string
			split func(ends []int32, text string, from, to int) []int32
		}{{"windows", vocab.split}, {"heap", vocab.mergeLong}} {
			b.Run(run.name+"/"+way.name, func(b *testing.B) {
				b.SetBytes(int64(len(run.text)))
				for b.Loop() {
					way.split(nil, run.text, 0, len(run.text))
				}
			})
		}
	}
}

// BenchmarkScripts counts the tokens of texts of five languages, and of a little of
// each with the plain twin.
func BenchmarkScripts(b *testing.B) {
	for _, script := range []struct{ name, set string }{
		{"english", "squad2-dev"}, {"german", "xquad-de"}, {"arabic", "xquad-ar"}, {"chinese", "xquad-zh"}, {"japanese", "jsquad"},
	} {
		files, err := filepath.Glob(filepath.Join(shared(b), "data", script.set, "corpus", "*"))
		if err != nil || len(files) == 0 {
			b.Fatal(script.set, err)
		}
		var all strings.Builder
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				b.Fatal(err)
			}
			all.Write(text)
		}
		text := all.String()
		for _, name := range []string{"cl100k_base", "o200k_base"} {
			tok, plain := bpe(b, name), plainBPEs()[name]
			b.Run(script.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					tok.Count(text)
				}
			})
			little := text[:codePoint(text, 3000)]
			b.Run(script.name+"/"+name+"/plain", func(b *testing.B) {
				b.SetBytes(int64(len(little)))
				for b.Loop() {
					plain.encode(little)
				}
			})
		}
	}
}

func BenchmarkNewTable(b *testing.B) {
	text := finance(b)
	for _, name := range Names() {
		tok := named(b, name)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				NewTable(tok, text)
			}
		})
	}
}

// BenchmarkKinds encodes texts of few words, and a piece of each with the plain twin.
func BenchmarkKinds(b *testing.B) {
	for _, kind := range []struct{ name, text string }{
		{"code", "func (t *Table) Cut(i int) int {\n\treturn codePoint(t.text, t.Start(i)) // moved back\n}\n\n"},
		{"blanks", strings.Repeat(" ", 300) + "\n\n\t\t \n    x\n"},
		{"digits", "3141592653589 7932384626 0.5\n"},
		{"emoji", "👨‍👩‍👧🙂🇩🇪 ok "},
	} {
		text := strings.Repeat(kind.text, 1+200_000/len(kind.text))
		for _, name := range []string{"cl100k_base", "o200k_base"} {
			tok, plain := bpe(b, name), plainBPEs()[name]
			b.Run(kind.name+"/"+name, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					tok.Encode(text)
				}
			})
			b.Run(kind.name+"/"+name+"/plain", func(b *testing.B) {
				b.SetBytes(int64(len(kind.text)))
				for b.Loop() {
					plain.encode(kind.text)
				}
			})
		}
	}
}

// BenchmarkBounds looks boundaries up, against a list of them.
func BenchmarkBounds(b *testing.B) {
	text := strings.Repeat("Requests “may” be retained for 30 days — für Straße. ", 20_000)
	for _, name := range []string{"codepoints", "cl100k_base"} {
		tok := named(b, name)
		found := 0
		table, list := NewTable(tok, text), append([]int32{0}, tok.Ends(text)...)
		b.Run(name+"/start", func(b *testing.B) {
			for i := 0; b.Loop(); i = (i + 7919) % table.Len() {
				table.Start(i)
			}
		})
		b.Run(name+"/boundary", func(b *testing.B) {
			for x := 0; b.Loop(); x = (x + 7919) % len(text) {
				table.Boundary(x)
			}
		})
		b.Run(name+"/boundary/plain", func(b *testing.B) {
			for x := 0; b.Loop(); x = (x + 7919) % len(text) {
				found, _ = slices.BinarySearch(list, int32(x))
			}
		})
		_ = found
	}
}

// Slices of 256 and 2048 tokens as a numbered context has them, against
// tokenising the literal string.
func BenchmarkCountSlice(b *testing.B) {
	text := finance(b)
	thai := strings.Repeat("คำขอเก็บได้วันยกเว้นชั่วคราวและข้อมูลจะถูกลบ", 4000)
	for _, bench := range []struct {
		name, text string
	}{{"english", text}, {"one-piece", thai}, {"one-letter", strings.Repeat("a", 200_000)}} {
		for _, size := range []int{256, 2048} {
			table := NewTable(named(b, "cl100k_base"), bench.text)
			slice := func(i int) span.Span {
				at := i * 7919 % (table.Len() - size)
				return span.Span{Start: table.Cut(at), End: table.Cut(at + size)}
			}
			name := fmt.Sprintf("%s/%d", bench.name, size)
			b.Run(name+"/table", func(b *testing.B) {
				b.ReportAllocs()
				for i := 0; b.Loop(); i++ {
					table.CountSlice("[12] policy.md\n", slice(i), "\n\n")
				}
			})
			b.Run(name+"/plain", func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					s := slice(i)
					table.tokenizer.Count("[12] policy.md\n" + bench.text[s.Start:s.End] + "\n\n")
				}
			})
			b.Run(name+"/fit", func(b *testing.B) {
				for i := 0; b.Loop(); i++ {
					table.Fit("[12] policy.md\n", slice(i), "\n\n", size/2)
				}
			})
		}
	}
}
