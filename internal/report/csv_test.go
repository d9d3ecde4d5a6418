package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kerf/internal/stats"
)

// readBack is a cell as docs/format/csv.md says to read it back.
func readBack(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && Formula(rest) {
		return rest
	}
	return cell
}

// Trial case rep-01: twelve texts and three numbers of a spreadsheet.
func TestSpreadsheetCells(t *testing.T) {
	texts := []string{"=1+1", "+49 30 1234", "-5", "-0.25", "@sum", "\t=2", "\u200b=3",
		`=HYPERLINK("http://127.0.0.1/x","y")`, "a,b", `say "hi"`, "two\nlines", "normal"}
	numbers := []int{-5, 0, 7}
	var rows [][]any
	for i, text := range texts {
		rows = append(rows, []any{i, text, numbers[i%3]})
	}
	var b bytes.Buffer
	if err := CSV(&b, Sheet{[]string{"id", "text", "number"}, rows}); err != nil {
		t.Fatal(err)
	}
	got, err := csv.NewReader(&b).ReadAll() // refuses rows of another width
	if err != nil || len(got) != 1+len(texts) {
		t.Fatal(len(got), err)
	}
	for i, row := range got[1:] {
		if readBack(row[1]) != texts[i] {
			t.Errorf("%q came back as %q", texts[i], row[1])
		}
		if prefixed := row[1] != texts[i]; prefixed != (i < 8) || prefixed && row[1][0] != '\'' {
			t.Errorf("%q is written as %q", texts[i], row[1])
		}
		if row[0] != strconv.Itoa(i) || row[2] != strconv.Itoa(numbers[i%3]) {
			t.Errorf("numbers %q, %q", row[0], row[2])
		}
	}
}

func TestFormula(t *testing.T) {
	for text, want := range map[string]bool{
		"": false, "x": false, "1-2": false, "a=b": false, "'": false, "'x": false, "·=1": false, "−5": false,
		"=": true, "  =1": true, "\u00a0+1": true, "\n=1": true, "\u2003@x": true, "\u202e=1": true, "\ufeff=1": true, "\u00ad-1": true, "\x00=1": true,
		"\u3164=1": true, "\ufe0f=1": true, "\tx": true, "\rx": true, "＝1": true, "－1": true, "'=1": true, "''\t": true,
	} {
		if Formula(text) != want {
			t.Errorf("Formula(%+q) is %v", text, !want)
		}
	}
}

func TestCSVFigures(t *testing.T) {
	var b bytes.Buffer
	err := CSV(&b, Sheet{[]string{"a", "num", "den", "missing"}, [][]any{
		{"count", stats.Count{Num: 3, Den: 8, Missing: 1}},
		{"sum", stats.Sum{Sum: big.NewRat(7, 3), Den: 472}},
		{"whole", stats.Sum{Sum: big.NewRat(20, 1), Den: 20, Missing: 2}},
		{"minus", stats.Sum{Sum: big.NewRat(-1, 4), Den: 1}},
		{"none", "not measured", "", ""},
	}})
	want := "a,num,den,missing\ncount,3,8,1\nsum,2.333333333333333,472,0\nwhole,20,20,2\nminus,-0.25,1,0\nnone,not measured,,\n"
	if err != nil || b.String() != want {
		t.Errorf("%v\n%swant\n%s", err, b.String(), want)
	}
}

// No text opens as a formula, and every text comes back.
func FuzzCSV(f *testing.F) {
	for _, s := range []string{"=1", "'=1", "''", "a\r\nb", "\u200b\t=", "x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var b bytes.Buffer
		if err := CSV(&b, Sheet{[]string{"a", "b"}, [][]any{{text, "z"}}}); err != nil {
			t.Fatal(err)
		}
		rows, err := csv.NewReader(&b).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		cell := rows[1][0]
		// Go's reader takes the carriage return of "\r\n" away, also inside of quotes.
		if got, want := readBack(cell), strings.ReplaceAll(text, "\r\n", "\n"); got != want && Formula(text) == Formula(want) {
			t.Errorf("%+q came back as %+q", want, got)
		}
		if cell != "" && slices.Contains([]byte("=+-@\t"), cell[0]) {
			t.Errorf("a formula: %+q", cell)
		}
	})
}

// TestReportSheet: every figure of the fixture's first arm, each sample apart, and
// no text of a question.
func TestReportSheet(t *testing.T) {
	r, _ := study(false)
	s := ReportSheet(r)
	var b bytes.Buffer
	if err := CSV(&b, s); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&b).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	arm := r.Arms[0]
	got := map[string]string{}
	for _, row := range rows[1:] {
		key := strings.Join(row[:6], " ")
		if _, twice := got[key]; twice {
			t.Errorf("two rows %s", key)
		}
		got[key] = strings.Join(row[6:], " ")
	}
	figure := func(c stats.Count) string { return fmt.Sprintf("%d %d %d", c.Num, c.Den, c.Missing) }
	v := arm.View("budget")
	for key, want := range map[string]string{
		" budget representative  all support":                             figure(v.Support),
		" budget representative  " + Label(v.Phase[2].Label) + " support": figure(v.Phase[2].Support),
		" budget representative  all flips":                               figure(v.Flips.Value),
		" top_k representative  all per_query_worst":                      figure(arm.View("top_k").PerQueryWorst),
	} {
		if got[arm.Arm+key] != want {
			t.Errorf("%s: %q, want %s", arm.Arm+key, got[arm.Arm+key], want)
		}
	}
	for _, q := range r.WorstQuestions {
		if strings.Contains(b.String(), q.Question) {
			t.Errorf("the question %q", q.Question)
		}
	}
	if Label("3/8") != "3of8" || Label("control") != "control" {
		t.Error("labels")
	}
}
