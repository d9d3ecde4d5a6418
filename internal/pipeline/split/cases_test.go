package split

import (
	"encoding/json"
	"os"
	"slices"
	"testing"
	"unicode/utf8"

	"kerf/internal/text/token"
)

func table(t *testing.T, tokenizer, text string) *token.Table {
	t.Helper()
	tok, err := token.Named(tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	return token.NewTable(tok, text)
}

// TestCasesOfWindows cuts whole documents by the ordinary splitter: the last
// placement, P/P. want is in code points.
func TestCasesOfWindows(t *testing.T) {
	const (
		song    = "la la la la la la la la la la\n"
		letters = "abcdefghijklmnopqrstuvw"
		thai    = "พนักงานต้องแจ้งลาออกล่วงหน้าอย่างน้อยสามสิบวันก่อนวันที่มีผลบังคับใช้ตามสัญญาจ้างงานฉบับนี้เว้นแต่จะตกลงกันเป็นอย่างอื่น"
		chinese = "本合同自双方签字之日起生效，任何一方解除合同须提前三十日书面通知对方，试用期内提前三日通知即可。违约方应承担由此产生的全部费用和损失。"
		counted = "One two three four five six seven eight nine ten eleven."
		twoWays = "תקופת ההודעה היא 30 ימים. حق الإلغاء خلال ١٤ يومًا من الاستلام (§ 5)."
	)
	for _, c := range []struct {
		name, tokenizer, text string
		w                     Windows
		want                  [][2]int
	}{
		// Text that repeats: a chunk is where it was cut, not where its text was seen first.
		{"off-01", "codepoints", song, Windows{11, 5, DropContained}, [][2]int{{0, 11}, {6, 17}, {12, 23}, {18, 29}, {24, 30}}},
		// A word's token runs to the next word, so ends take the blank along; starts do not drift.
		{"off-04", "words", counted, Windows{4, 1, DropContained}, [][2]int{{0, 19}, {14, 34}, {28, 49}, {45, 56}}},
		{"spl-02", "codepoints", letters, Windows{10, 3, DropContained}, [][2]int{{0, 10}, {7, 17}, {14, 23}}},
		{"spl-02 keep", "codepoints", letters, Windows{10, 3, Keep}, [][2]int{{0, 10}, {7, 17}, {14, 23}, {21, 23}}},
		{"spl-03", "codepoints", "k1k2k3k4k5", Windows{6, 4, DropContained}, [][2]int{{0, 6}, {2, 8}, {4, 10}}},
		{"spl-03 short", "codepoints", "k1k2k3k4k5", Windows{20, 5, DropContained}, [][2]int{{0, 10}}},
		{"spl-03 keep", "codepoints", "k1k2k3k4k5", Windows{6, 4, Keep}, [][2]int{{0, 6}, {2, 8}, {4, 10}, {6, 10}, {8, 10}}},
		{"spl-05 Thai", "codepoints", thai, Windows{20, 0, DropContained}, [][2]int{{0, 20}, {20, 40}, {40, 60}, {60, 80}, {80, 100}, {100, 120}}},
		{"spl-05 Chinese", "codepoints", chinese, Windows{20, 0, DropContained}, [][2]int{{0, 20}, {20, 40}, {40, 60}, {60, 67}}},
		{"uni-08", "codepoints", twoWays, Windows{20, 5, DropContained}, [][2]int{{0, 20}, {15, 35}, {30, 50}, {45, 65}, {60, 69}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got [][2]int
			var joined string
			for _, k := range c.w.Place(table(t, c.tokenizer, c.text), c.w.Stride(), nil) {
				if k.State != Emitted {
					continue
				}
				start := utf8.RuneCountInString(c.text[:k.Start])
				got = append(got, [2]int{start, start + utf8.RuneCountInString(c.text[k.Start:k.End])})
				joined += c.text[k.Start:k.End]
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("%v, want %v", got, c.want)
			}
			if c.w.Overlap == 0 && joined != c.text {
				t.Errorf("the chunks join to %q", joined)
			}
		})
	}
}

// TestCutsInsideCodePoints (uni-06): one-token windows. The cuts after tokens
// 1, 3, 4 and 7 stay; the others move back, and a core that this leaves empty
// gives no chunk.
func TestCutsInsideCodePoints(t *testing.T) {
	const text = "x ↯ y 漢字"
	tab := table(t, "cl100k_base", text)
	var stay []int
	for i := 1; i < tab.Len(); i++ {
		if tab.Cut(i) == tab.Start(i) {
			stay = append(stay, i)
		}
	}
	if tab.Len() != 8 || !slices.Equal(stay, []int{1, 3, 4, 7}) {
		t.Errorf("%d tokens; cuts that do not move: %v", tab.Len(), stay)
	}
	w := Windows{1, 0, DropContained}
	if got, want := emitted(w, tab, 1), [][2]int{{0, 1}, {1, 2}, {2, 5}, {5, 7}, {7, 8}, {8, 11}, {11, 14}}; !slices.Equal(got, want) {
		t.Errorf("chunks %v, want %v", got, want)
	}
	if c := w.Place(tab, 1, nil)[5]; c.State != Empty {
		t.Errorf("core 5 is %s, want %s", c.State, Empty)
	}
}

// TestPhaseSweepOfRetention runs the report's fixture over all placements, row
// by row, against the report's counts and the closed form of engine.md 9. The
// fixture is ASCII: its bytes are its code points.
func TestPhaseSweepOfRetention(t *testing.T) {
	content, err := os.ReadFile("testdata/phase-sweep-retention.json")
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Text            string
		Rule, Qualifier [2]int
		Sweeps          []struct {
			Capacity, Overlap, Phases, Rule, Qualifier, Both int
			Rows                                             [][4]int // by first cut: chunks, and what is whole
		}
	}
	if err := json.Unmarshal(content, &f); err != nil {
		t.Fatal(err)
	}
	tab := table(t, "codepoints", f.Text)
	spans := [3][2]int{f.Rule, f.Qualifier, {f.Rule[0], f.Qualifier[1]}}
	for _, s := range f.Sweeps {
		for _, edge := range []Edge{DropContained, Keep} {
			w := Windows{s.Capacity, s.Overlap, edge}
			var whole [3]int
			var rows [][4]int
			for first := 1; first <= w.Stride(); first++ {
				chunks := emitted(w, tab, first)
				row := [4]int{len(chunks)}
				for i, p := range spans {
					arithmetic := w.Whole(ExtentOf(tab, p[0], p[1]), first)
					looking := slices.ContainsFunc(chunks, func(c [2]int) bool { return c[0] <= p[0] && p[1] <= c[1] })
					if arithmetic != looking {
						t.Errorf("%+v first %d, %v whole: %v by arithmetic, %v by looking", w, first, p, arithmetic, looking)
					}
					if looking {
						row[1+i] = 1
						whole[i]++
					}
				}
				rows = append(rows, row)
			}
			if w.Stride() != s.Phases || whole != [3]int{s.Rule, s.Qualifier, s.Both} {
				t.Errorf("%+v: %d placements leave %v whole", w, w.Stride(), whole)
			}
			if len(s.Rows) > 0 && !slices.Equal(rows, s.Rows) {
				t.Errorf("%+v: rows %v\nwant %v", w, rows, s.Rows)
			}
			for i, p := range spans {
				if closed := w.Survival(p[1] - p[0]); closed != whole[i] {
					t.Errorf("%+v: closed form %d for %v, counted %d", w, closed, p, whole[i])
				}
			}
		}
	}
}

func TestCheckNamesTheFault(t *testing.T) {
	for _, c := range []struct {
		w    Windows
		want string
	}{
		{Windows{10, 9, Keep}, ""},
		{Windows{1, 0, DropContained}, ""},
		{Windows{0, 0, Keep}, "size 0: expected at least 1"},
		{Windows{10, 10, Keep}, "overlap 10 with size 10: expected 0 <= overlap < size"},
		{Windows{10, 11, Keep}, "overlap 11 with size 10: expected 0 <= overlap < size"},
		{Windows{10, -1, Keep}, "overlap -1 with size 10: expected 0 <= overlap < size"},
		{Windows{10, 1, "drop"}, `edge "drop": expected drop-contained or keep`},
	} {
		if err := c.w.Check(); (err == nil) != (c.want == "") || err != nil && err.Error() != c.want {
			t.Errorf("%+v: %v, want %q", c.w, err, c.want)
		}
	}
}

// TestPlaceAgainstDefinition compares Place with engine.md 1 read word by word,
// over tokens whose boundaries may move: cores partition the text, chunks keep
// their order, nothing dropped is missing from the chunk before.
func TestPlaceAgainstDefinition(t *testing.T) {
	for _, text := range []string{"", "a", "ab漢字", "👍🏽x漢", "aéb é", "漢字漢字漢字"} {
		for _, name := range []string{"cl100k_base", "codepoints", "words"} {
			tab := table(t, name, text)
			for size := 1; size <= 6; size++ {
				for overlap := range size {
					for _, edge := range []Edge{DropContained, Keep} {
						w := Windows{size, overlap, edge}
						for first := 1; first <= w.Stride(); first++ {
							if got, want := emitted(w, tab, first), plainPlace(tab, w, first); !slices.Equal(got, want) {
								t.Fatalf("%q %s %+v first %d: %v, want %v", text, name, w, first, got, want)
							}
						}
					}
				}
			}
		}
	}
}

func plainPlace(tab *token.Table, w Windows, first int) [][2]int {
	n := tab.Len()
	edges := []int{0}
	for c := first; c < n; c += w.Stride() {
		edges = append(edges, c)
	}
	if n > 0 {
		edges = append(edges, n)
	}
	var out [][2]int
	for i := 1; i < len(edges); i++ {
		c := [2]int{tab.Cut(edges[i-1]), tab.Cut(min(n, edges[i]+w.Overlap))}
		emptyCore := c[0] == tab.Cut(edges[i])
		inLast := len(out) > 0 && out[len(out)-1][0] <= c[0] && c[1] <= out[len(out)-1][1]
		if !emptyCore && (!inLast || w.Edge == Keep) {
			out = append(out, c)
		}
	}
	return out
}
