package token

import (
	"slices"
	"strings"
	"testing"
	"unicode"
)

func TestNamed(t *testing.T) {
	for _, name := range Names() {
		tok, err := Named(name)
		if err != nil || tok.Name() != name {
			t.Errorf("Named(%q) = %v, %v", name, tok, err)
		}
		alone, err := Digest(name)
		if d := tok.Digest(); len(d) != len("sha256:")+64 || d != named(t, name).Digest() || d != alone || err != nil {
			t.Errorf("%s: digest %q, alone %q, %v", name, d, alone, err)
		}
	}
	const want = `unknown tokenizer "gpt2" (have codepoints, words, cl100k_base, o200k_base)`
	_, err := Named("gpt2")
	_, err2 := Digest("gpt2")
	for _, err := range []error{err, err2} {
		if err == nil || err.Error() != want {
			t.Errorf("got %v, want %s", err, want)
		}
	}
}

// Another version of Unicode would move tokens without a change of kerf: then
// the digests change too (see digest), and this says so first.
func TestUnicodeVersion(t *testing.T) {
	if unicode.Version != "15.0.0" {
		t.Errorf("Go's Unicode tables are %s, want 15.0.0", unicode.Version)
	}
}

func TestClassesAreGos(t *testing.T) {
	c := classes()
	for r := rune(0); r <= unicode.MaxRune; r++ {
		var want uint8
		for _, row := range []struct {
			is   bool
			bits uint8
		}{
			{unicode.IsLetter(r), letter},
			{unicode.IsNumber(r), number},
			{unicode.Is(unicode.White_Space, r), blank},
			{r == '\r' || r == '\n', newline},
			{unicode.In(r, unicode.Lu, unicode.Lt, unicode.Lm, unicode.Lo, unicode.M), upper},
			{unicode.In(r, unicode.Ll, unicode.Lm, unicode.Lo, unicode.M), lower},
		} {
			if row.is {
				want |= row.bits
			}
		}
		if c[r] != want {
			t.Fatalf("%U: class %b, want %b", r, c[r], want)
		}
	}
}

func TestEnds(t *testing.T) {
	for _, test := range []struct {
		name, text string
		want       []int32
	}{
		{"codepoints", "", nil},
		{"codepoints", "aé\U0001F642\r\n", []int32{1, 3, 7, 8, 9}},
		{"words", "", nil},
		{"words", " \n\u00a0", nil},
		{"words", "one", []int32{3}},
		{"words", "  one\u2003two\n", []int32{8, 12}},
		{"words", "a\u200bb c", []int32{6, 7}}, // the zero-width space is no White_Space
		{"cl100k_base", "", nil},
	} {
		tok := named(t, test.name)
		if got := tok.Ends(test.text); !slices.Equal(got, test.want) {
			t.Errorf("%s %q: ends %v, want %v", test.name, test.text, got, test.want)
		}
		if got := tok.Count(test.text); got != len(test.want) {
			t.Errorf("%s %q: count %d, want %d", test.name, test.text, got, len(test.want))
		}
	}
}

func TestControlLookAlikes(t *testing.T) { // tok-01
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		for text, want := range map[string]int{
			"Ends with <|endoftext|> literally.":                         11,
			"<|im_start|>system and <|fim_prefix|> are plain text here.": 19,
			"No marker.": 3,
		} {
			if got := bpe(t, name).Count(text); got != want {
				t.Errorf("%s %q: %d tokens, want %d", name, text, got, want)
			}
		}
	}
	if got := bpe(t, "cl100k_base").Count("<|endoftext|>"); got != 7 {
		t.Errorf("the marker alone: %d tokens, want 7", got)
	}
}

func TestLongRuns(t *testing.T) { // tok-02
	b := bpe(t, "cl100k_base")
	for _, test := range []struct {
		unit         string
		repeat, want int
	}{
		{"a", 20_000, 2_500}, {"a", 100_000, 12_500}, {"^", 20_000, 5_000}, {"a", 1_000_000, 125_000}, {"x1y2z3", 873_813, 6 * 873_813},
	} {
		text := strings.Repeat(test.unit, test.repeat)
		if got := b.Count(text); got != test.want {
			t.Errorf("%d times %q: %d tokens, want %d", test.repeat, test.unit, got, test.want)
		}
	}
}

func TestCountsDoNotAdd(t *testing.T) { // tok-03
	b := bpe(t, "cl100k_base")
	for _, test := range []struct {
		parts       []string
		sep         string
		sum, joined int
	}{
		{[]string{" docum", "entation"}, "", 4, 1},
		{[]string{"Step one of nine", "Step two of nine parts"}, "\n", 9, 10},
		{[]string{"The ", "notice ", "period ", "is ", "thirty ", "calendar ", "days ", "from ", "receipt."}, "", 19, 10},
	} {
		sum := 0
		for _, part := range test.parts {
			sum += b.Count(part)
		}
		if joined := b.Count(strings.Join(test.parts, test.sep)); sum != test.sum || joined != test.joined {
			t.Errorf("%q: sum %d, joined %d, want %d and %d", test.parts, sum, joined, test.sum, test.joined)
		}
	}
}

// uni-06: the cuts 1, 3, 4, 7 do not move; 2 moves to the arrow, 5 and 6 to
// the first of the two ideographs.
func TestTokensInsideCodePoints(t *testing.T) {
	table := NewTable(bpe(t, "cl100k_base"), "x ↯ y 漢字")
	var starts, cuts []int
	for i := range table.Len() + 1 {
		starts = append(starts, table.Start(i))
		cuts = append(cuts, table.Cut(i))
	}
	if want := []int{0, 1, 4, 5, 7, 9, 10, 11, 14}; !slices.Equal(starts, want) {
		t.Errorf("boundaries %v, want %v", starts, want)
	}
	if want := []int{0, 1, 2, 5, 7, 8, 8, 11, 14}; !slices.Equal(cuts, want) {
		t.Errorf("cuts %v, want %v", cuts, want)
	}
}

// The worked example 000-temporary-retention.
func TestTemporaryRetention(t *testing.T) {
	b := bpe(t, "cl100k_base")
	const text = "Requests may be retained for 30 days. This limit is 7 days for requests marked temporary."
	ids := []uint32{36395, 1253, 387, 35363, 369, 220, 966, 2919, 13, 1115, 4017, 374, 220, 22, 2919, 369, 7540, 13160, 13643, 13}
	if got := b.Encode(text); !slices.Equal(got, ids) {
		t.Errorf("ids %v, want %v", got, ids)
	}
	starts := []int32{0, 8, 12, 15, 24, 28, 29, 31, 36, 37, 42, 48, 51, 52, 53, 58, 62, 71, 78, 88}
	if got := b.Ends(text); !slices.Equal(got, append(starts[1:], int32(len(text)))) {
		t.Errorf("ends %v, want the starts %v and the end", got, starts)
	}
}
