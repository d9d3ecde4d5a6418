package coord

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"
	"unicode/utf8"

	"kerf/internal/text/token"
)

func TestParseUnit(t *testing.T) {
	for _, s := range []string{"byte", "codepoint", "utf16", "token:words", "token:o200k_base"} {
		if u, err := ParseUnit(s); err != nil || string(u) != s {
			t.Errorf("ParseUnit(%q) = %q, %v", s, u, err)
		}
	}
	for s, want := range map[string]string{
		"":           `unknown unit "" (have byte, codepoint, utf16, token:NAME)`,
		"char":       `unknown unit "char" (have byte, codepoint, utf16, token:NAME)`,
		"token:gpt2": `unit "token:gpt2": unknown tokenizer "gpt2" (have codepoints, words, cl100k_base, o200k_base)`,
	} {
		if _, err := ParseUnit(s); err == nil || err.Error() != want {
			t.Errorf("ParseUnit(%q): %v, want %s", s, err, want)
		}
	}
}

// span translates both ends and wants the way back to give them again.
func span(t *testing.T, m *Map, u Unit, from, to int) [2]int {
	t.Helper()
	var out [2]int
	for i, offset := range []int{from, to} {
		b, err := m.Byte(u, offset)
		if err != nil {
			t.Fatalf("%s %d: %v", u, offset, err)
		}
		back, err := m.Offset(u, b)
		if err != nil || back != offset {
			t.Fatalf("%s %d is byte %d is %d, %v", u, offset, b, back, err)
		}
		out[i] = b
	}
	return out
}

// The worked example `coordinates`: one span in three units, 14 texts.
func TestWorkedCoordinates(t *testing.T) {
	raw, err := os.ReadFile("testdata/coordinates.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct {
		Name, Text, Quote, SHA256 string
		TextBytes                 int `json:"text_bytes"`
		TextCodePoints            int `json:"text_code_points"`
		TextUTF16                 int `json:"text_utf16"`
		CL100kTokens              int `json:"cl100k_tokens"`
		Occurrences               []struct {
			Bytes, UTF16 [2]int
			CodePoints   [2]int `json:"code_points"`
		}
	}
	if err := json.Unmarshal(raw, &cases); err != nil {
		t.Fatal(err)
	}
	if len(cases) != 14 {
		t.Errorf("%d cases, want 14", len(cases))
	}
	for _, c := range cases {
		t.Run(c.Name, func(t *testing.T) {
			m := New(c.Text)
			if got := fmt.Sprintf("%x", sha256.Sum256([]byte(c.Text))); got != c.SHA256 {
				t.Fatalf("digest %s, want %s", got, c.SHA256)
			}
			for u, want := range map[Unit]int{Byte: c.TextBytes, CodePoint: c.TextCodePoints, UTF16: c.TextUTF16, "token:cl100k_base": c.CL100kTokens} {
				if got, err := m.Offset(u, len(c.Text)); err != nil || got != want {
					t.Errorf("%s: size %d, %v, want %d", u, got, err, want)
				}
				if b, err := m.Byte(u, want); err != nil || b != len(c.Text) {
					t.Errorf("%s: end at byte %d, %v, want %d", u, b, err, len(c.Text))
				}
				if _, err := m.Byte(u, want+1); err == nil {
					t.Errorf("%s: no error for %d", u, want+1)
				}
			}
			for _, o := range c.Occurrences {
				for u, s := range map[Unit][2]int{Byte: o.Bytes, CodePoint: o.CodePoints, UTF16: o.UTF16} {
					if got := span(t, m, u, s[0], s[1]); got != o.Bytes || c.Text[got[0]:got[1]] != c.Quote {
						t.Errorf("%s %v: bytes %v, want %v", u, s, got, o.Bytes)
					}
				}
			}
		})
	}
}

// The five refusals of the same example, as far as they are of coordinates:
// where the offsets are places, the slice is not the quote.
func TestWorkedRefusals(t *testing.T) {
	for _, test := range []struct {
		text   string
		unit   Unit
		offset int
		want   string
	}{
		{"é", Byte, 1, "byte offset 1 is not on a character boundary: it is inside U+00E9 at bytes [0,2)"},
		{"\U0001F642x", UTF16, 1, "utf16 offset 1 is not on a character boundary: it is inside U+1F642 at bytes [0,4)"},
		{"Gebühr 30", CodePoint, 10, "codepoint offset 10 is out of range: the text has 9"},
		{"a", Byte, -1, "byte offset -1 is out of range: the text has 1"},
		{"漢", "token:cl100k_base", 1, "token:cl100k_base offset 1 is not on a character boundary: it is inside U+6F22 at bytes [0,3)"},
	} {
		if b, err := New(test.text).Byte(test.unit, test.offset); err == nil || err.Error() != test.want {
			t.Errorf("%q %s %d: byte %d, %v, want %s", test.text, test.unit, test.offset, b, err, test.want)
		}
	}
	for _, test := range []struct {
		text, quote string
		from, to    int
	}{
		{"cafe\u0301", "caf\u00e9", 0, 5},
		{"a\r\nbc", "bc", 2, 4},
	} {
		if s := span(t, New(test.text), CodePoint, test.from, test.to); test.text[s[0]:s[1]] == test.quote {
			t.Errorf("%q [%d,%d) is %q", test.text, test.from, test.to, test.quote)
		}
	}
	for _, test := range []struct {
		unit Unit
		b    int
		want string
	}{
		{CodePoint, 2, "byte offset 2 is not on a character boundary: it is inside U+00E9 at bytes [1,3)"},
		{UTF16, 4, "byte offset 4 is out of range: the text has 3"},
		{"token:words", 1, "byte offset 1 is not on a boundary of words"},
	} {
		if got, err := New("aé").Offset(test.unit, test.b); err == nil || err.Error() != test.want {
			t.Errorf("%s of byte %d: %d, %v, want %s", test.unit, test.b, got, err, test.want)
		}
	}
}

func TestFourUnits(t *testing.T) { // uni-01
	const text = "\U0001F98A Kündigung: \U0001F642\U0001F643 Frist 30 Tage \U0001F9D1\U0001F3FE\u200D\U0001F33E gilt."
	for _, test := range []struct {
		quote                  string
		codePoint, byte, utf16 [2]int
	}{
		{"Kündigung", [2]int{2, 11}, [2]int{5, 15}, [2]int{3, 12}},
		{"Frist 30 Tage", [2]int{16, 29}, [2]int{26, 39}, [2]int{19, 32}},
		{"gilt", [2]int{35, 39}, [2]int{56, 60}, [2]int{41, 45}},
		{"\U0001F643", [2]int{14, 15}, [2]int{21, 25}, [2]int{16, 18}},
	} {
		checkQuote(t, text, test.quote, test.codePoint, test.byte, test.utf16)
	}
}

func TestRightToLeft(t *testing.T) { // uni-08
	const text = "תקופת ההודעה היא 30 ימים. حق الإلغاء خلال ١٤ يومًا من الاستلام (§ 5)."
	for _, test := range []struct {
		quote                  string
		codePoint, byte, utf16 [2]int
	}{
		{"30 ימים", [2]int{17, 24}, [2]int{31, 42}, [2]int{17, 24}},
		{"١٤ يومًا", [2]int{42, 50}, [2]int{73, 88}, [2]int{42, 50}},
		{"§ 5", [2]int{64, 67}, [2]int{112, 116}, [2]int{64, 67}},
	} {
		checkQuote(t, text, test.quote, test.codePoint, test.byte, test.utf16)
	}
	// Windows of 20 code points, 5 of them shared: the last ends at the end.
	m := New(text)
	table := token.NewTable(must(token.Named("codepoints")), text)
	for _, w := range [][2]int{{0, 20}, {15, 35}, {30, 50}, {45, 65}, {60, 69}} {
		if got, want := span(t, m, CodePoint, w[0], w[1]), [2]int{table.Cut(w[0]), table.Cut(w[1])}; got != want {
			t.Errorf("window %v: bytes %v, want %v", w, got, want)
		}
	}
}

func must(tok token.Tokenizer, err error) token.Tokenizer {
	if err != nil {
		panic(err)
	}
	return tok
}

func checkQuote(t *testing.T, text, quote string, codePoint, byte, utf16 [2]int) {
	t.Helper()
	for u, s := range map[Unit][2]int{CodePoint: codePoint, Byte: byte, UTF16: utf16} {
		if got := span(t, New(text), u, s[0], s[1]); got != byte || text[got[0]:got[1]] != quote {
			t.Errorf("%q: %s %v is bytes %v, want %v", quote, u, s, got, byte)
		}
	}
}

func TestCRLFLines(t *testing.T) { // off-06
	const text = "Zeile 1\r\nGebühr: 5 €\r\n\r\nEnde\r\n"
	m := New(text)
	codePoints := [][2]int{{0, 9}, {9, 22}, {22, 24}, {24, 30}}
	for i, want := range [][2]int{{0, 9}, {9, 25}, {25, 27}, {27, 33}} {
		if got := span(t, m, CodePoint, codePoints[i][0], codePoints[i][1]); got != want {
			t.Errorf("line %d: bytes %v, want %v", i+1, got, want)
		}
		if line, column := m.LineColumn(want[0]); line != i+1 || column != 1 {
			t.Errorf("byte %d: %d:%d, want %d:1", want[0], line, column, i+1)
		}
		if line, column := m.LineColumn(want[1] - 1); line != i+1 || column != codePoints[i][1]-codePoints[i][0] {
			t.Errorf("byte %d: %d:%d, want line %d", want[1]-1, line, column, i+1)
		}
	}
}

func TestInvalidUTF8(t *testing.T) {
	for _, test := range []struct {
		in       string
		position int
		bad      bool
	}{
		{"", 0, false}, {"aé\ufffd\U0001F642", 0, false}, {"\xff", 0, true}, {"aé\xe4b", 3, true},
		{"ab\xe2\x82", 2, true}, {"\xed\xa0\x80", 0, true}, {"x\xc0\xaf", 1, true}, {"\ufeff\xf4\x90\x80\x80", 3, true},
	} {
		if position, bad := InvalidUTF8([]byte(test.in)); position != test.position || bad != test.bad {
			t.Errorf("%q: %d, %v, want %d, %v", test.in, position, bad, test.position, test.bad)
		}
	}
}

// checkMap compares every byte and every offset, and one beyond each end, with
// a plain walk.
func checkMap(t *testing.T, text string) {
	t.Helper()
	m := New(text)
	places := map[Unit][]int{} // the byte of each offset, -1 inside a code point
	line, column := 1, 1
	for b, r := range text {
		places[CodePoint] = append(places[CodePoint], b)
		places[UTF16] = append(places[UTF16], b)
		if utf16.RuneLen(r) == 2 {
			places[UTF16] = append(places[UTF16], -1)
		}
		places[Byte] = append(places[Byte], b)
		for i := range utf8.RuneLen(r) {
			if i > 0 {
				places[Byte] = append(places[Byte], -1)
			}
			if l, c := m.LineColumn(b + i); l != line || c != column {
				t.Fatalf("byte %d: %d:%d, want %d:%d", b+i, l, c, line, column)
			}
		}
		column++
		if r == '\n' {
			line, column = line+1, 1
		}
	}
	for _, u := range []Unit{Byte, CodePoint, UTF16} {
		places[u] = append(places[u], len(text))
	}
	for _, name := range token.Names() {
		u := Unit("token:" + name)
		for _, b := range append([]int32{0}, must(token.Named(name)).Ends(text)...) {
			if int(b) < len(text) && !utf8.RuneStart(text[b]) {
				b = -1
			}
			places[u] = append(places[u], int(b))
		}
	}
	for u, want := range places {
		for offset := -1; offset <= len(want); offset++ {
			ok := 0 <= offset && offset < len(want) && want[offset] >= 0
			b, err := m.Byte(u, offset)
			if (err == nil) != ok || ok && b != want[offset] {
				t.Fatalf("%q: %s %d is byte %d, %v, want %v", text, u, offset, b, err, want)
			}
		}
		for b := -1; b <= len(text)+1; b++ {
			offset := slices.Index(want, b)
			got, err := m.Offset(u, b)
			if ok := b >= 0 && offset >= 0; (err == nil) != ok || ok && got != offset {
				t.Fatalf("%q: byte %d is %s %d, %v, want %d", text, b, u, got, err, offset)
			}
		}
	}
}

var seeds = []string{"", "a", "aé\U0001F642漢\n", "\r\n\r\n", "\ufeff 30\u00a0days", "e\u0301\u0301", " \n ", "\U0001F469\u200D\U0001F469\u200D\U0001F467"}

func TestMapAgainstWalk(t *testing.T) {
	for _, s := range seeds {
		checkMap(t, s)
		// Code points that lie across the checkpoints in every way.
		for shift := range 5 {
			checkMap(t, strings.Repeat("x", shift)+strings.Repeat(s+"\U0001F642é漢\n", 130))
		}
	}
	checkMap(t, strings.Repeat("plain ASCII\n", 100))
}

func FuzzMap(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, uint16(200))
	}
	f.Fuzz(func(t *testing.T, text string, pad uint16) {
		if len(text) > 300 || !utf8.ValidString(text) {
			return
		}
		checkMap(t, strings.Repeat("-", int(pad)%600)+text)
	})
}
