package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
)

// full is study with all that a report may hold beside it: stages, a curve,
// aimed cuts, a grid of sizes and overlaps, unadjudicated questions.
func full(failed bool) (*compare.Report, []compare.Overlay) {
	r, overlays := study(failed)
	for _, size := range []int{256, 512} {
		for _, overlap := range []int{0, size / 5} {
			name := fmt.Sprintf("%d/%d", size, overlap)
			if arm(r, name) == nil {
				a := makeArm(name, &compare.Window{Size: size, Overlap: overlap, Stride: size - overlap, Tokenizer: "cl100k_base"}, verdicts(uint64(size+overlap), 46, 8, .6, .2))
				r.Arms = append(r.Arms, a)
				r.Pairs = append(r.Pairs, compare.Pair{Candidate: name, Baseline: r.Baseline, View: "budget",
					Ordinary:   stats.Sum{Sum: stats.NewSum().Sum, Den: 46},
					Difference: stats.NewSum()})
			}
		}
	}
	for i := range r.Arms {
		a := &r.Arms[i]
		packed := a.Views.Budget.Support
		more := packed
		more.Num = min(more.Num+20, more.Den-more.Missing)
		a.Stages = compare.Stages{Candidates: more, Packed: packed}
		for j, tokens := range []int{256, 512, 1024, 2048} {
			c := packed
			c.Num = c.Num * (j + 1) / 4
			o := a.Views.Budget.Ordinary()
			o.Num = o.Num * (j + 1) / 4
			a.Curve = append(a.Curve, compare.Ceiling{Tokens: tokens, Support: c, Ordinary: o})
		}
		if a.Window != nil {
			a.Targets = &compare.Targets{Placements: 120, Questions: 46, Support: stats.Count{Num: 50, Den: 120}, Grid: packed, Lost: stats.Count{Num: 29, Den: 46},
				Worst: stats.Measured(compare.Worst{Label: "t17", Support: stats.Count{Num: 21, Den: 46}}), Unreachable: []string{"t3"}}
		}
	}
	r.Golden.Unadjudicated = []string{r.WorstQuestions[0].QID, r.Pairs[0].Gained[0], "q-045", "q-046"}
	r.Golden.Author, r.Golden.Method = map[string]int{"ann": 54}, map[string]int{"from ticket, paraphrased": 54}
	r.Golden.Review = map[string]int{"answerability": 50, "evidence": 50, "paraphrase": 20}
	return r, overlays
}

func TestHeat(t *testing.T) {
	r, overlays := full(false)
	page := parse(t, render(t, r, overlays))
	tables := page.all("table", "heat")
	if len(tables) != 1 {
		t.Fatalf("%d heatmaps", len(tables))
	}
	cells := tables[0].all("td", "")
	if len(cells) != 4 {
		t.Fatalf("%d cells", len(cells))
	}
	roles := map[string]string{"512/0": "baseline", "512/102": "candidate"}
	for _, c := range cells {
		name := c.Attr["title"]
		v := arm(r, name).Views.Budget.Ordinary()
		lines := strings.Split(c.text(), "\n")
		if lines[0] != v.String() {
			t.Errorf("%s: %q", name, lines)
		}
		if role := roles[name]; role != "" && (lines[len(lines)-1] != role || !slices.Contains(strings.Fields(c.Attr["class"]), role)) {
			t.Errorf("%s is not marked as %s: %q, %s", name, role, lines, c.Attr["class"])
		}
		if name != r.Baseline && !strings.Contains(lines[1], "/46 = ") {
			t.Errorf("%s: no paired difference in %q", name, lines)
		}
		for _, other := range cells {
			w := arm(r, other.Attr["title"]).Views.Budget.Ordinary()
			if a, b := c.Attr["class"][:2], other.Attr["class"][:2]; v.Num < w.Num && a > b {
				t.Errorf("%s has %s at %v, %s has %s at %v", name, a, v, other.Attr["title"], b, w)
			}
		}
	}
	if head := tables[0].all("thead", "")[0].text(); !strings.Contains(head, "size 256") {
		t.Error(head)
	}
	for _, c := range []struct {
		arms [][2]int // size, overlap
		want string   // overlaps, "" for no grid
	}{
		{[][2]int{{256, 0}, {256, 51}, {512, 0}, {512, 102}, {1024, 0}, {1024, 204}, {2048, 0}, {2048, 409}}, "no overlap, 20 % of the size"},
		{[][2]int{{256, 0}, {256, 50}, {512, 0}, {512, 50}}, "0 tokens, 50 tokens"},
		{[][2]int{{10, 0}, {10, 3}, {7, 0}, {7, 2}}, "no overlap, 30 % of the size"},
		{[][2]int{{256, 0}, {256, 51}, {512, 0}}, ""},
		{[][2]int{{256, 0}, {512, 0}}, "0 tokens"}, // one row: newHeat draws none
		{[][2]int{{256, 0}, {256, 0}, {512, 0}, {512, 0}}, ""},
		{[][2]int{{256, 0}, {256, 51}, {512, 0}, {512, 300}}, ""},
	} {
		var arms []*compare.Arm
		for _, a := range c.arms {
			arms = append(arms, &compare.Arm{Window: &compare.Window{Size: a[0], Overlap: a[1]}})
		}
		if _, overlaps, _ := lattice(arms); strings.Join(overlaps, ", ") != c.want {
			t.Errorf("%v: %q", c.arms, overlaps)
		}
	}
	plain, o := study(false)
	if n := len(parse(t, render(t, plain, o)).all("table", "heat")); n != 0 {
		t.Error("a heatmap of no grid")
	}
}

func TestCurve(t *testing.T) {
	r, overlays := full(false)
	page := parse(t, render(t, r, overlays))
	pictures := page.all("svg", "curve")
	if len(pictures) != 1 {
		t.Fatalf("%d curves", len(pictures))
	}
	lines := pictures[0].all("g", "series")
	if len(lines) != 2 {
		t.Fatalf("%d lines", len(lines))
	}
	names := pictures[0].all("text", "end")
	if a, b := coordinate(t, names[0].Attr["y"]), coordinate(t, names[1].Attr["y"]); a-b < 12 && b-a < 12 {
		t.Errorf("names cover each other: %g and %g", a, b)
	}
	for i, l := range lines {
		a := r.Arms[i]
		points := l.all("g", "point")
		if len(points) != len(a.Curve) {
			t.Fatalf("%d points", len(points))
		}
		for j, p := range points {
			if want := fmt.Sprintf("%s, %s tokens: %s at the ordinary cuts", a.Arm, number(a.Curve[j].Tokens), a.Curve[j].Ordinary); !strings.HasPrefix(p.text(), want) {
				t.Errorf("%q, want %q", p.text(), want)
			}
			if j > 0 {
				c, before := p.all("circle", "")[0], points[j-1].all("circle", "")[0]
				if coordinate(t, c.Attr["cx"]) <= coordinate(t, before.Attr["cx"]) || coordinate(t, c.Attr["cy"]) > coordinate(t, before.Attr["cy"]) {
					t.Errorf("point %d stands wrong", j)
				}
			}
		}
	}
	if text := pictures[0].text(); !strings.Contains(text, "declared: 1,024") {
		t.Error(text)
	}
	r.Arms[0].Curve, r.Arms[1].Curve = r.Arms[0].Curve[:1], nil
	if n := len(parse(t, render(t, r, overlays)).all("svg", "curve")); n != 0 {
		t.Error("a curve of one point")
	}
}

func TestUnadjudicatedIsFlagged(t *testing.T) {
	r, overlays := full(false)
	page := parse(t, render(t, r, overlays))
	card := page.all("article", "card")[0].text()
	if !strings.Contains(card, "unadjudicated") {
		t.Errorf("card %q", card)
	}
	if want := r.Pairs[0].Gained[0] + " (unadjudicated)"; !strings.Contains(page.text(), want) {
		t.Errorf("no %q", want)
	}
	s := tell(r)
	for _, c := range []struct{ in, want string }{
		{"", "none"}, {"q-045", "q-045 (all unadjudicated)"}, {"q-045 q-046", "q-045, q-046 (all unadjudicated)"}, {"q-044 q-045", "q-044, q-045 (unadjudicated)"}, {"q-044", "q-044"},
	} {
		if got := s.list(strings.Fields(c.in)); got != c.want {
			t.Errorf("%q: %q, want %q", c.in, got, c.want)
		}
	}
	want := "Labels: origin: ticket 30/54, owner 20/54, synthetic 4/54; author: ann 54/54; method: from ticket, paraphrased 54/54; reviewed by a person: answerability 50/54, evidence 50/54, paraphrase 20/54; unadjudicated: 4/54."
	if got := page.all("header", "verdict")[0].text(); !strings.Contains(got, want) {
		t.Errorf("header %q", got)
	}
}

// A page shows first the questions of which one span was shown and another not.
func TestHalvesComeFirst(t *testing.T) {
	r, overlays := study(false)
	second := r.WorstQuestions[1]
	second.Shown, second.Lost = []string{"rule"}, []string{"qualifier"}
	r.WorstQuestions[1] = second
	o := overlays[0]
	o.QID, o.Arm, o.Label = second.QID, second.Arm, second.Label
	page := newPage(r, append(overlays, o), nil)
	if len(page.Wrong) != 2 || page.Wrong[0].QID != second.QID {
		t.Errorf("%d cards, the first %s", len(page.Wrong), page.Wrong[0].QID)
	}
}

func TestRedact(t *testing.T) {
	r, overlays := full(true)
	clear := append([]string{source}, r.WorstQuestions[0].Question)
	for _, q := range r.WorstQuestions {
		clear = append(clear, q.Question)
	}
	hidden, masked := Redact(r, overlays)
	var canonical strings.Builder
	if err := JSON(&canonical, hidden); err != nil {
		t.Fatal(err)
	}
	outputs := map[string]string{"text": screen(t, hidden, masked, Style{}), "json": canonical.String(),
		"html": string(render(t, hidden, masked)), "markdown": comment(t, hidden, masked)}
	for name, out := range outputs {
		for _, c := range clear {
			for i := 0; i+20 <= len(c); i++ {
				if strings.Contains(out, c[i:i+20]) {
					t.Fatalf("%s: %q", name, c[i:i+20])
				}
			}
		}
		if !strings.Contains(out, digest(r.WorstQuestions[0].Question)) || !strings.Contains(out, "returns.md") {
			t.Errorf("%s: no digest of the question, or no file name", name)
		}
		if strings.Contains(out, "xxxx") {
			t.Errorf("%s shows the mask", name)
		}
	}
	for _, name := range []string{"html", "markdown"} {
		if want := digest("Opened software is not refundable") + " "; !strings.Contains(outputs[name], want) {
			t.Errorf("%s: no digest of the rule", name)
		}
	}
	if r.WorstQuestions[0].Question != "May I return opened software?" || overlays[0].Text != source || overlays[0].Spans[0].Digest != "" {
		t.Error("the originals are changed")
	}
	if again, _ := Redact(hidden, masked); again != hidden {
		t.Error("redacted twice")
	}
}
