package term

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"
)

func TestUnicodeVersion(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Fatalf("Go's Unicode tables are %s; the lexical terms are defined over 15.0.0", unicode.Version)
	}
}

func TestTerms(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
	}{
		{"", nil},
		{" .,", nil},
		{"Fee_1 is 30 €", []string{"fee_1", "is", "30"}},
		{"café CAFE\u0301", []string{"café", "cafe\u0301"}},
		{"İ", []string{"i"}},
		{"東", []string{"東"}},
		{"東京都", []string{"東京", "京都"}},
		{"v2東京x", []string{"v2", "東京", "x"}},
		{"ラーメン", []string{"ラー", "ーメ", "メン"}},
		{"か\u3099き", []string{"か\u3099", "\u3099き"}},
		{"\u3099き", []string{"\u3099", "き"}},
		{"สวัส", []string{"สว", "วั", "ัส"}},
		{"مرحبا بك", []string{"مرحبا", "بك"}},
	} {
		if got := Terms(c.text); !slices.Equal(got, c.want) {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// slice is the terms of a part as Text.Slice says them.
func slice(x *Text, start, end int) []string {
	lo, hi, fragments := x.Slice(start, end, nil)
	var out []string
	for i, s := range x.All() {
		if lo <= i && i < hi {
			out = append(out, s)
		}
	}
	for _, f := range fragments {
		out = append(out, Lower(x.Source[f[0]:f[1]]))
	}
	slices.Sort(out)
	return out
}

var seeds = []string{
	"", "a", "abc def", "  one-two  ", "東京都庁 x", "漢\u3099abc漢\u3099\u3099字_1", "สวัสดีชาวโลก abc", "か\u3099\u3099きく゛ab",
	"e\u0301a\u0301漢e\u0301", "\u3099a", "ｶﾞｰｰﾟabc", "a\u3099b漢\u3099", "नमस्ते दुनिया", "x漢x漢漢x", "👍🏽a漢👍", "漢\u3099a",
}

// TestSliceIsSplitOfTheSlice compares every slice of the seeds with the plain twin.
func TestSliceIsSplitOfTheSlice(t *testing.T) {
	for _, text := range seeds {
		checkSlices(t, text)
	}
}

// TestSlicesOfLongTexts: more than one word of bits, segments that fill some of them
// and gaps that do, edges at all places of a word.
func TestSlicesOfLongTexts(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "漢", "\u3099", "e\u0301", " ", "-", "สวัส"}
	for range 4 {
		var b strings.Builder
		for b.Len() < 130 {
			b.WriteString(strings.Repeat(parts[r.IntN(len(parts))], 1+r.IntN(6)*r.IntN(10)))
		}
		checkSlices(t, b.String())
	}
	checkSlices(t, strings.Repeat("x", 128))
	checkSlices(t, strings.Repeat(".", 64)+strings.Repeat("x", 64))
	checkSlices(t, strings.Repeat("漢", 64)+"x")
}

func FuzzSlice(f *testing.F) {
	for _, s := range seeds {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if utf8.ValidString(text) && len(text) < 60 {
			checkSlices(t, text)
		}
	})
}

func checkSlices(t *testing.T, text string) {
	t.Helper()
	x := Split(text)
	for i := 0; i <= len(text); i++ {
		for j := i; j <= len(text); j++ {
			if i < len(text) && !utf8.RuneStart(text[i]) || j < len(text) && !utf8.RuneStart(text[j]) {
				continue
			}
			want := Terms(text[i:j])
			slices.Sort(want)
			if got := slice(x, i, j); !slices.Equal(got, want) {
				t.Fatalf("%q[%d:%d]: %q, want %q", text, i, j, got, want)
			}
		}
	}
}
