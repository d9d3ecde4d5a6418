package report

import (
	"flag"
	"math/big"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/sweep"
)

var update = flag.Bool("update", false, "rewrite the want files")

func screen(t *testing.T, r *compare.Report, overlays []compare.Overlay, style Style) string {
	t.Helper()
	var b strings.Builder
	if err := Text(&b, r, overlays, style); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestText(t *testing.T) {
	for name, failed := range map[string]bool{"testdata/screen.want": false, "testdata/screen-failed.want": true} {
		r, overlays := study(failed)
		got := screen(t, r, overlays, Style{})
		if *update {
			if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if got != string(want) {
			t.Errorf("%s differs (-update rewrites it):\n%s", name, got)
		}
	}
}

func TestTextFits(t *testing.T) {
	r, overlays := study(true)
	r.Arms[0].Arm, r.Baseline, r.Pairs[0].Baseline = "検索の設定-二百五十六", "検索の設定-二百五十六", "検索の設定-二百五十六"
	w := &r.WorstQuestions[0]
	w.Arm, overlays[0].Arm = r.Baseline, r.Baseline
	w.Question = strings.Repeat("開封済みのソフトウェアは返品できますか。", 8)
	for _, width := range []int{60, 80, 100, 140} {
		got := screen(t, r, overlays, Style{Width: width})
		for _, l := range strings.Split(got, "\n") {
			if columns(l) > width {
				t.Errorf("%d columns of %d: %s", columns(l), width, l)
			}
		}
		lines := strings.Split(got, "\n")
		for i, l := range lines {
			if strings.HasPrefix(l, "arm  ") && width >= 100 {
				column := strings.Index(l, "whole evidence")
				for _, row := range lines[i+1 : i+4] {
					if at := columns(row[:strings.Index(row, "/46 ")-2]); at != column && !strings.HasPrefix(row, "512/0 ") {
						t.Errorf("width %d: column begins at %d, not at %d:\n%s\n%s", width, at, column, l, row)
					}
				}
			}
		}
	}
}

func TestFailsMost(t *testing.T) {
	r, _ := study(false)
	s := tell(r)
	if got := s.failsMost(&r.Arms[0]); got != "definition 5/9" {
		t.Error(got)
	}
	r.Arms[0].Segments = r.Arms[0].Segments[3:]
	if got := s.failsMost(&r.Arms[0]); got != "joint evidence 5/15" {
		t.Error(got)
	}
	r.Arms[0].Segments[0].Ordinary.Num = 15
	if got := s.failsMost(&r.Arms[0]); got != "none" {
		t.Error(got)
	}
	for i := range r.Arms {
		r.Arms[i].Segments = nil
	}
	if got := screen(t, r, nil, Style{}); strings.Contains(got, "fails most on") {
		t.Errorf("a column of nothing:\n%s", got)
	}
}

func TestColourOnlyWhenAsked(t *testing.T) {
	r, overlays := study(true)
	plain := screen(t, r, overlays, Style{})
	colour := screen(t, r, overlays, Style{Colour: true})
	if strings.ContainsRune(plain, 0x1b) || !strings.ContainsRune(colour, 0x1b) {
		t.Error("colours are not what was asked for")
	}
	for _, code := range []string{"\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[4m", "\x1b[31m"} {
		colour = strings.ReplaceAll(colour, code, "")
	}
	if colour != plain {
		t.Errorf("colour changes the text:\n%s", colour)
	}
}

// rep-03: control and direction characters appear by the names of their code
// points.
func TestTerminal(t *testing.T) {
	if got := Escape("bad \xff"); got != "bad \ufffd" {
		t.Errorf("%q", got)
	}
	for in, want := range map[string]string{
		"\x1b[31mred\x1b[0m":  "(U+001B)[31mred(U+001B)[0m",
		"\x1b]0;title\x07":    "(U+001B)]0;title(U+0007)",
		"PAID \u202eUNPAID":   "PAID (U+202E)UNPAID",
		"a\u2066b\u2069":      "a(U+2066)b(U+2069)",
		"line\rover":          "line(U+000D)over",
		"tab\tok":             "tab\tok",
		"שלום 30 ימים":        "שלום 30 ימים",
		"x\u200by":            "x\u200by",
		"\u009b31m":           "(U+009B)31m",
		"a\u2028b":            "a(U+2028)b",
		"two\nlines":          "two\nlines",
		"\ufeffmark, \x7fdel": "(U+FEFF)mark, (U+007F)del",
		"::error::x":          "(U+003A):error::x", // commands to the runners of GitHub and Azure
		"a\n \t::debug::x":    "a\n \t(U+003A):debug::x",
		"std::vector":         "std::vector",
		"q ##[group]":         "q ##(U+005B)group]",
		"##vso[task.x]":       "##vso(U+005B)task.x]",
		"## [1] head":         "## [1] head",
	} {
		if got := Escape(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
		r, overlays := study(false)
		r.Arms[0].Arm, r.Baseline, r.Pairs[0].Baseline, r.Run = in, in, in, in
		r.Warnings[0].Message, r.Golden.LeftOut[0].Reason = in, in
		r.WorstQuestions[0].QID, r.WorstQuestions[0].Question, r.WorstQuestions[0].Arm, r.WorstQuestions[0].Cut.Doc = in, in, in, in
		overlays[0].QID, overlays[0].Arm, overlays[0].Doc = in, in, in
		overlays[0].Text = strings.Replace(overlays[0].Text, "not refundable", (in + strings.Repeat("x", 14))[:14], 1)
		var canonical strings.Builder
		if err := JSON(&canonical, r); err != nil {
			t.Fatal(err)
		}
		for _, out := range []string{screen(t, r, overlays, Style{}), canonical.String()} {
			if i := strings.IndexFunc(out, dangerous); i >= 0 {
				t.Errorf("%q reaches the terminal: %q", in, out[max(0, i-20):min(len(out), i+20)])
			}
		}
	}
}

func TestColumns(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "返品": 4, "e\u0301": 1, "ｆ": 2, "ｱ": 1, "שלום": 4, "…": 1} {
		if got := columns(s); got != want {
			t.Errorf("columns(%q) = %d, want %d", s, got, want)
		}
	}
	for _, c := range []struct {
		in          string
		n           int
		right, left string
	}{
		{"abcdef", 6, "abcdef", "abcdef"}, {"abcdef", 4, "abc…", "…def"}, {"返品不可", 5, "返品…", "…不可"}, {"返品不可", 4, "返…", "…可"},
		{"ab cd", 4, "ab…", "…cd"}, {"abc", 1, "…", "…"},
	} {
		if got := clip(c.in, c.n); got != c.right {
			t.Errorf("clip(%q, %d) = %q, want %q", c.in, c.n, got, c.right)
		}
		if got := clipLeft(c.in, c.n); got != c.left {
			t.Errorf("clipLeft(%q, %d) = %q, want %q", c.in, c.n, got, c.left)
		}
	}
	if got := wrap("aa bb  cc ddddddddd e", 5, " "); got != "aa bb\n cc\n ddddddddd\n e" {
		t.Errorf("wrap: %q", got)
	}
}

func TestNext(t *testing.T) {
	r, _ := study(false)
	for qid, want := range map[string]string{"q-017": "explain q-017", "-q": "explain -- -q"} {
		r.WorstQuestions[0].QID = qid
		if got := strings.Join(Next(r), " "); got != want {
			t.Errorf("%q: %s", qid, got)
		}
	}
	r.WorstQuestions = nil
	if got := Next(r); !slices.Equal(got, []string{"cuts"}) {
		t.Error(got)
	}
}

// TestQuote: a quoted word is one word of a shell with the same bytes, and nothing
// in it steers a terminal.
func TestQuote(t *testing.T) {
	for word, want := range map[string]string{
		"q-017": "q-017", "a/b.c:1": "a/b.c:1", "": "''", "a b": "'a b'", "it's $(x)": `'it'\''s $(x)'`, "Prüfung": "'Prüfung'", "~": "'~'", "=x": "'=x'",
		"a\x1b[2J\n'\\": `$'a\033[2J\012\'\\'`, "q\u202e1": `$'q\342\200\2561'`, "\xff1": `$'\3771'`,
	} {
		got := Quote(word)
		if got != want || strings.ContainsFunc(got, dangerous) {
			t.Errorf("%q: %s, want %s", word, got, want)
		}
	}
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("bash not present")
	}
	for _, word := range []string{"q-017", "", "it's $(x)", "a\x1b[2J\n'\\", "q\u202e1", "\xff1", "a\tb", "\u009b31m"} {
		if out, err := exec.Command(bash, "-c", "printf %s "+Quote(word)).Output(); err != nil || string(out) != word {
			t.Errorf("%q: bash reads %s as %q: %v", word, Quote(word), out, err)
		}
	}
}

// TestExplainEscapes: no name, id, cause or mark from outside steers a terminal or
// forges a line.
func TestExplainEscapes(t *testing.T) {
	const bad = "x\x1b[2J\u202e\ny"
	x := &sweep.Explanation{QID: bad, Question: bad, Answer: bad, Arm: bad, Placements: []sweep.Placement{{Label: bad, Evidence: []sweep.Evidence{{Span: bad, Cause: bad}}}}}
	var b strings.Builder
	if err := Explain(&b, x, []Source{{Place: bad, Text: bad, Marks: []Mark{{At: 0, Text: bad}}}}); err != nil {
		t.Fatal(err)
	}
	if got := b.String(); strings.ContainsFunc(got, dangerous) || strings.Count(got, "\ny") != 0 {
		t.Errorf("%q", got)
	}
}

// TestNothingMeasured: where no question has a result, no sentence has a zero for it.
func TestNothingMeasured(t *testing.T) {
	none := stats.Count{Den: 48, Missing: 48}
	if got := moves(none); got != "come and go: not measured (48/48 missing)" {
		t.Error(got)
	}
	for c, want := range map[stats.Count]string{{Num: 0, Den: 1}: "0 of 1 question comes and goes", {Num: 1, Den: 3}: "1 of 3 questions comes and goes", {Num: 0, Den: 3, Missing: 1}: "0 of 3 questions (1 missing) come and go"} {
		if got := moves(c); got != want {
			t.Errorf("%+v: %s, want %s", c, got, want)
		}
	}
	r, _ := study(false)
	for i := range r.Arms {
		r.Arms[i].Views.Budget.Flips.Value = none
	}
	for i := range r.Pairs {
		r.Pairs[i].Ordinary = stats.Sum{Sum: new(big.Rat), Den: 48, Missing: 48}
		r.Pairs[i].Gained, r.Pairs[i].Lost = nil, nil
	}
	if got := tell(r).against(); strings.Contains(got, "gained") || strings.Contains(got, "0 of") || !strings.Contains(got, "not measured") {
		t.Error(got)
	}
}
