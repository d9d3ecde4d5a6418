package quote

import (
	"slices"
	"strings"
	"testing"

	"kerf/internal/text/span"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		text, quote string
		want        []int
	}{
		{"abab", "ab", []int{0, 2}},
		{"aaa", "aa", []int{0, 1}},
		{"ééé", "éé", []int{0, 2}},
		{"abc", "", nil},
		{"abc", "d", nil},
	} {
		if got := Find(c.text, c.quote); !slices.Equal(got, c.want) {
			t.Errorf("%q in %q: %v, want %v", c.quote, c.text, got, c.want)
		}
	}
}

func TestSurroundings(t *testing.T) {
	text := strings.Repeat("é", 40) + "X" + strings.Repeat("字", 33)
	prefix, suffix := Surroundings(text, span.Span{Start: 80, End: 81})
	if prefix != strings.Repeat("é", 32) || suffix != strings.Repeat("字", 32) {
		t.Errorf("%q %q", prefix, suffix)
	}
	if prefix, suffix = Surroundings("aXb", span.Span{Start: 0, End: 3}); prefix != "" || suffix != "" {
		t.Errorf("%q %q", prefix, suffix)
	}
	// 32 code points of four bytes, cut out of more
	if prefix, _ = Surroundings(strings.Repeat("😀", 50), span.Span{Start: 160, End: 164}); prefix != strings.Repeat("😀", 32) {
		t.Errorf("%q", prefix)
	}
	if prefix, _ = Surroundings("a"+strings.Repeat("😀", 31)+"éé", span.Span{Start: 1 + 31*4 + 2, End: 1 + 31*4 + 4}); prefix != strings.Repeat("😀", 31)+"é" {
		t.Errorf("%q", prefix)
	}
}

func TestWords(t *testing.T) {
	for _, c := range []struct {
		text string // | is the place
		cuts bool
		word string
	}{
		{"in 20|46 it", true, "2046"}, {"|in", false, ""}, {"in|", false, ""}, {"in| it", false, ""},
		{"don|'t", false, ""}, {"e|\u0301a", true, "e\u0301a"}, {"規|則", false, ""}, {"カ|ー", false, ""},
		{"ค|น", false, ""}, {"서|울", true, "서울"}, {"כ|ל", true, "כל"}, {"A|則", false, ""}, {"a|_", false, ""},
	} {
		at := strings.Index(c.text, "|")
		text := c.text[:at] + c.text[at+1:]
		if got := CutsWord(text, at); got != c.cuts {
			t.Errorf("%s: %v", c.text, got)
		}
		if got := text[WordStart(text, at):WordEnd(text, at)]; got != c.word {
			t.Errorf("%s: word %q, want %q", c.text, got, c.word)
		}
	}
}
