package report

import (
	"bytes"
	"encoding/json"
	"math/big"
	"reflect"
	"strings"
	"testing"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
)

func TestFigures(t *testing.T) {
	sum := func(a, b int64, den, missing int) stats.Sum {
		return stats.Sum{Sum: big.NewRat(a, b), Den: den, Missing: missing}
	}
	for _, c := range []struct{ got, want string }{
		{number(0), "0"}, {number(999), "999"}, {number(1002), "1,002"}, {number(1234567), "1,234,567"}, {number(-1234), "-1,234"}, {number(-123), "-123"},
		{fraction(stats.Count{Num: 3, Den: 4}), "3/4"},
		{fraction(stats.Count{Num: 3, Den: 6, Missing: 2}), "3/6 (2 missing)"},
		{fraction(stats.Count{Den: 6, Missing: 6}), "not measured (6/6 missing)"},
		{fraction(stats.Count{}), "undefined (0/0)"},
		{rate(stats.Count{Num: 1, Den: 3}), "33.3 % of 3"},
		{rate(stats.Count{Num: 3, Den: 6, Missing: 2}), "75.0 % of 4\n50.0 to 83.3 % of 6"},
		{rate(stats.Count{Den: 6, Missing: 6}), ""}, {rate(stats.Count{}), ""},
		{mean(sum(7, 3, 4, 0), 3), "0.583 over 4"},
		{mean(sum(7, 3, 4, 1), 3), "0.778 over 3 (1 of 4 missing)"},
		{mean(sum(0, 1, 4, 4), 3), "not measured (4/4 missing)"}, {mean(stats.NewSum(), 3), "undefined (0/0)"},
		{difference(sum(4, 1, 46, 0)), "+4/46 = +8.7 points"},
		{difference(sum(-1, 8, 46, 2)), "-0.13/44 = -0.3 points, 2/46 missing"},
		{difference(sum(0, 1, 46, 0)), "+0/46 = +0.0 points"},
		{resolution(30), "1/30 = 3.3 points"}, {resolution(50), "1/50 = 2.0 points"}, {resolution(0), ""}, // S2-014
		{inHundred(big.NewRat(1, 300)), "fewer than 1 in 100"}, {inHundred(big.NewRat(0, 1)), "0 in 100"}, {inHundred(big.NewRat(16, 100)), "16 in 100"},
		{ratio(stats.Measured("5/4")), "5/4 = 1.250"}, {ratio(stats.Maybe[string]{}), "not measured"}, // S1-160
		{interval(stats.Maybe[compare.Interval]{}), "not measured"},
		{interval(stats.Measured(compare.Interval{Lo: .01, Hi: .17, Level: .95, Method: "cluster t", Unit: "document cluster", Clusters: 41, Estimand: "D"})),
			"95 % CI +1.0 to +17.0 points over 41 clusters (document cluster, cluster t, estimand D)"},
		{interval(stats.Measured(compare.Interval{Lo: -.02, Hi: .17, Level: .95, Method: "Tango, scaled counts", Unit: "question", Questions: 46, Clusters: 5, Estimand: "F", Warnings: []string{"floor"}})),
			"95 % CI -2.0 to +17.0 points over 46 questions (question, Tango, scaled counts, estimand F: these documents only, no variance seen), which does not tell the arms apart"},
	} {
		if c.got != c.want {
			t.Errorf("%q, want %q", c.got, c.want)
		}
	}
}

func TestCanonicalJSON(t *testing.T) {
	r, _ := study(true)
	var first, second, again bytes.Buffer
	if err := JSON(&first, r); err != nil {
		t.Fatal(err)
	}
	other, _ := study(true)
	if err := JSON(&second, other); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("two writings differ")
	}
	var back compare.Report
	if err := json.Unmarshal(first.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if err := JSON(&again, &back); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), again.Bytes()) {
		t.Errorf("read and written again:\n%s\n%s", first.Bytes(), again.Bytes())
	}
	if bytes.Contains(first.Bytes(), []byte("null")) || bytes.Count(first.Bytes(), []byte("\n")) != 1 || !bytes.HasSuffix(first.Bytes(), []byte("}\n")) {
		t.Error("not one line without null")
	}
	if got, want := back.Arms[0].Window, r.Arms[0].Window; !reflect.DeepEqual(got, want) || back.Arms[2].Window != nil {
		t.Errorf("window %+v", got)
	}
}

func TestSameInputsSameBytes(t *testing.T) {
	var want []byte
	for range 5 {
		r, overlays := study(true)
		page := render(t, r, overlays)
		if want != nil && !bytes.Equal(page, want) {
			t.Fatal("two pages differ")
		}
		want = page
	}
}

// TestIntervalInTheStory: an interval over placements stands beside the difference
// over placements, never beside the one at the ordinary cuts alone.
func TestIntervalInTheStory(t *testing.T) {
	r, _ := study(false)
	p := tell(r).pair
	p.CI = stats.Measured(compare.Interval{Lo: -.02, Hi: .17, Level: .95, Method: "Tango, scaled counts", Unit: "document cluster", Questions: 46, Clusters: 41, Estimand: "D"})
	_, said, found := strings.Cut(tell(r).against(), "over the placements of both "+difference(p.Difference))
	if !found || !strings.Contains(said, "95 % CI -2.0 to +17.0 points over 41 clusters (document cluster, Tango, scaled counts, estimand D), which does not tell the arms apart") {
		t.Errorf("%q", said)
	}
	if twice := tell(r).decides(); twice != "" {
		t.Errorf("said twice: %q", twice)
	}
}
