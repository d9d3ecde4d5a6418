package report

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/text/span"
)

func TestStripHasAPointForEveryPhase(t *testing.T) {
	for _, failed := range []bool{false, true} {
		r, overlays := study(failed)
		strips := parse(t, render(t, r, overlays)).all("svg", "strip")
		if len(strips) != 1 {
			t.Fatalf("%d strips", len(strips))
		}
		for i, class := range []string{"baseline", "candidate"} {
			phases := r.Arms[i].Views.Budget.Phase
			series := strips[0].all("g", class)
			points := series[0].all("g", "point")
			if len(points) != len(phases) {
				t.Fatalf("%s: %d points for %d phases", class, len(points), len(phases))
			}
			if n := len(series[0].all("g", "lowest")); n != 1 {
				t.Errorf("%s: %d lowest points", class, n)
			}
			for j, p := range points {
				circle := p.all("circle", "")[0]
				missing := slices.Contains(strings.Fields(p.Attr["class"]), "missing")
				if missing != (phases[j].Support.Missing > 0) {
					t.Errorf("%s %s: missing = %v", class, phases[j].Label, missing)
				}
				if !strings.Contains(p.text(), phases[j].Label+": ") {
					t.Errorf("%s: point %d says %q", class, j, p.text())
				}
				for k := range j {
					before := points[k].all("circle", "")[0]
					if coordinate(t, before.Attr["cx"]) >= coordinate(t, circle.Attr["cx"]) {
						t.Errorf("%s: point %d stands left of point %d", class, j, k)
					}
					a, b := phases[k].Support, phases[j].Support
					if a.Missing+b.Missing > 0 {
						continue
					}
					if a.Num < b.Num != (coordinate(t, before.Attr["cy"]) > coordinate(t, circle.Attr["cy"])) {
						t.Errorf("%s: %v and %v stand the wrong way round", class, a, b)
					}
				}
			}
		}
	}
}

func coordinate(t *testing.T, s string) float64 {
	t.Helper()
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestPageIsSelfContained(t *testing.T) {
	r, overlays := study(true)
	page := render(t, r, overlays)
	root := parse(t, page)
	root.walk(func(e *element) {
		if slices.Contains([]string{"script", "link", "img", "iframe", "object", "base", "form"}, e.Name) {
			t.Errorf("<%s>", e.Name)
		}
		for name, value := range e.Attr {
			if strings.HasPrefix(name, "on") || name == "style" || name == "src" || name == "href" && !strings.HasPrefix(value, "#w") {
				t.Errorf("%s=%q", name, value)
			}
		}
	})
	policy := root.all("meta", "")[1].Attr["content"]
	css := root.all("style", "")[0].Children[0].Text
	sum := sha256.Sum256([]byte(css))
	if want := "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"; !strings.Contains(policy, want) || !strings.Contains(policy, "default-src 'none'") {
		t.Errorf("policy %s does not allow the style sheet, %s", policy, want)
	}
	for _, want := range []string{"prefers-color-scheme: dark", "@media print"} {
		if !strings.Contains(css, want) {
			t.Errorf("no %s", want)
		}
	}
	if strings.Contains(strings.ReplaceAll(string(page), "http://www.w3.org/2000/svg", ""), "://") {
		t.Error("the page names an address")
	}
}

// rep-02: texts of documents, questions and file names are shown, never obeyed.
func TestHostileTexts(t *testing.T) {
	file, err := os.ReadFile("testdata/hostile.txt")
	if err != nil {
		t.Fatal(err)
	}
	values := strings.Split(strings.TrimSuffix(string(file), "\n"), "\n")
	if len(values) != 9 {
		t.Fatalf("%d values", len(values))
	}
	plain, overlays := study(false)
	names := map[string]bool{}
	parse(t, render(t, plain, overlays)).walk(func(e *element) { names[e.Name] = true })
	for _, v := range values {
		r, _ := study(false)
		r.Run, r.Baseline, r.Arms[0].Arm, r.Arms[0].Segments[0].Dependency = v, v, v, v
		r.Pairs[0].Baseline, r.Pairs[0].Confounded = v, []string{v}
		r.Golden.Origin = map[string]int{v: 1}
		r.Warnings[0].Message, r.Reproduce.Inputs[0].Name, r.Reader = v, v, []string{v}
		r.HardViolations = []compare.Violation{{Kind: "access", Arm: v, QID: v, Doc: v}}
		w := compare.WorstQuestion{QID: v, Question: v, Arm: v, Hits: 1, Phases: 8, Label: "2/8", Cut: &compare.Cut{Doc: v + ".md", Line: 1, Span: v, End: len(v), At: 1}}
		r.WorstQuestions = []compare.WorstQuestion{w}
		o := compare.Overlay{QID: v, Arm: v, Doc: v + ".md", Path: v + ".md", Line: 1, Text: v, Label: "2/8", Spans: []compare.Evidence{{Name: v, Role: v, Span: span.Span{End: len(v)}}}}
		root := parse(t, render(t, r, []compare.Overlay{o}))
		root.walk(func(e *element) {
			if !names[e.Name] {
				t.Errorf("%q makes an element %q", v, e.Name)
			}
			for name, value := range e.Attr {
				if strings.HasPrefix(name, "on") || name == "href" && !strings.HasPrefix(value, "#w") {
					t.Errorf("%q makes an attribute %s=%q", v, name, value)
				}
			}
		})
		card := root.all("article", "card")[0]
		link := card.all("a", "")[0]
		if link.text() != v || link.Attr["title"] != v {
			t.Errorf("%q: link text %q, title %q", v, link.text(), link.Attr["title"])
		}
		if got := card.all("h3", "")[0].text(); got != v {
			t.Errorf("%q: question %q", v, got)
		}
		if got := card.all("q", "")[0].text(); got != v {
			t.Errorf("%q: quote %q", v, got)
		}
		drawn := root.all("div", "source")[0]
		if got := drawn.all("span", "")[0].text(); got != v {
			t.Errorf("%q: source %q", v, got)
		}
		if got := root.all("figcaption", "")[0].all("bdi", "")[0]; got.text() != v+".md:1" || got.Attr["title"] != v+".md:1" {
			t.Errorf("%q: place %q, %q", v, got.text(), got.Attr["title"])
		}
	}
}

// A direction control in a source must not turn round what follows it.
func TestSourceShowsDirectionControls(t *testing.T) {
	r, overlays := study(false)
	overlays[0].Text = strings.Replace(overlays[0].Text, "The ", "\u202e ", 1)
	if got := parse(t, render(t, r, overlays)).all("div", "source")[0].text(); !strings.HasPrefix(got, "(U+202E) ") {
		t.Errorf("source %.20q", got)
	}
}

func TestPiecesCoverTheText(t *testing.T) {
	r, overlays := study(false)
	o := &overlays[0]
	o.Overlap = []span.Span{{Start: 40, End: 90}}
	var b strings.Builder
	drawn := 0
	for _, p := range pieces(o) {
		b.WriteString(p.Text)
		if p.Drawn {
			drawn++
		}
	}
	if b.String() != o.Text || drawn != 1 {
		t.Errorf("%d cuts drawn over %q", drawn, b.String())
	}
	page := parse(t, render(t, r, overlays))
	for class, want := range map[string]string{
		"e0": "Opened software is not refundable", "e1": "unless it arrived defective.",
		"left": "unless it arrived defective. “Delivery” means the carrier scan, not the order date.",
		"lap":  o.Text[40:90],
	} {
		got := ""
		for _, e := range page.all("div", "source")[0].all("span", class) {
			got += e.text()
			if e.Attr["title"] == "" {
				t.Errorf("%s: %q has no state in words", class, e.text())
			}
		}
		if got != want {
			t.Errorf("%s: %q", class, got)
		}
	}
}

// Where every placement is run no hit is stored: nothing is said to be unshown.
func TestUntraced(t *testing.T) {
	r, overlays := study(false)
	overlays[0].Untraced, overlays[0].Shown = true, nil
	page := parse(t, render(t, r, overlays))
	if n := len(page.all("article", "card")); n != 0 {
		t.Errorf("%d answers that we would get wrong", n)
	}
	if got := page.all("figcaption", "")[0].text(); !strings.Contains(got, "not stored") {
		t.Errorf("caption %q", got)
	}
	if got := screen(t, r, overlays, Style{}); strings.Contains(got, "not shown") || !strings.Contains(got, "refundable | unless") {
		t.Errorf("screen:\n%s", got)
	}
}

// Where a question has alternative sets, what was not shown is said of the set of
// which most was.
func TestAlternativeSets(t *testing.T) {
	r, overlays := study(false)
	o, q := &overlays[0], &r.WorstQuestions[0]
	start := strings.Index(source, "“Delivery”")
	o.Spans = append(o.Spans, compare.Evidence{Name: "other", Span: span.Span{Start: start, End: len(source)}})
	if got := len(unshown(q, o)); got != 2 {
		t.Errorf("without names: %d pieces", got)
	}
	q.Shown, q.Lost = []string{"rule"}, []string{"qualifier"}
	card := parse(t, render(t, r, overlays)).all("article", "card")[0].text()
	if strings.Contains(card, "carrier scan") || strings.Count(card, "unless it arrived defective.") != 2 {
		t.Errorf("card %q", card)
	}
	q.Cut = nil
	if got := screen(t, r, overlays, Style{}); !strings.Contains(got, "not shown to the model: unless it arrived defective.\n") || !strings.Contains(got, "no cut inside its evidence") {
		t.Errorf("screen:\n%s", got)
	}
}

// A page holds what fits: many arms, all placements, long and hostile texts.
func TestPageStaysSmall(t *testing.T) {
	r, _ := study(false)
	rows := verdicts(1, 46, 2048, .7, .3)
	for i := range 60 {
		r.Arms = append(r.Arms, makeArm(fmt.Sprintf("tokens-%d-0", i+2), &compare.Window{Size: 2048, Stride: 2048, Tokenizer: "words"}, rows))
	}
	r.Arms[0], r.Arms[1] = makeArm("512/0", r.Arms[0].Window, rows), makeArm("512/102", r.Arms[1].Window, rows)
	long := strings.Repeat("<\"&", 1500)
	var overlays []compare.Overlay
	for i := range 500 {
		w := compare.WorstQuestion{QID: fmt.Sprintf("q%d", i), Question: long[:300], Arm: "512/0", Hits: 3, Phases: 2048, Label: "1/2048"}
		o := compare.Overlay{QID: w.QID, Arm: w.Arm, Text: long, Label: w.Label, Placement: make([]compare.PhaseResult, 2048)}
		for j := range 1000 {
			o.Cuts = append(o.Cuts, compare.Placed{Label: label(j, 2048), At: j})
			r.Warnings = append(r.Warnings, compare.Warning{Code: "w", Message: "text"})
		}
		r.WorstQuestions, overlays = append(r.WorstQuestions, w), append(overlays, o)
	}
	page := render(t, r, overlays)
	if len(page) > 1_000_000 {
		t.Errorf("%d bytes", len(page))
	}
	if n := len(parse(t, page).all("g", "point")); n != 2*2048 {
		t.Errorf("%d points", n)
	}
}

// Reports with little in them are still pages and screens.
func TestSmallReports(t *testing.T) {
	one := compare.Report{Kerf: compare.Kind, Sample: "enriched", Golden: compare.Golden{Questions: 3, Unanswerable: 3}}
	control, _ := study(false)
	control.Arms, control.Baseline, control.Pairs = control.Arms[2:], "whole-sections", nil
	redacted, _ := study(false)
	for i := range redacted.WorstQuestions {
		redacted.WorstQuestions[i].Question = ""
	}
	lost, _ := study(false)
	lost.Arms[0].Views.Budget.Disagreement = compare.Moved(stats.Sum{Den: 46, Missing: 46})
	lost.WorstQuestions = nil
	for want, r := range map[string]*compare.Report{
		"Nothing to measure: 0 of 3 questions are answerable in the enriched sample.":                             &one,
		"No arm has a second placement of the cuts: how much they matter is not measured.":                        control,
		"arm 512/0, 8 placements); 17 of 46 questions come and go.":                                               redacted,
		"Disagreement is not measured: in arm 512/0 no question has a result at every placement (46/46 missing).": lost,
	} {
		if got := parse(t, render(t, r, nil)).text(); !strings.Contains(got, want) {
			t.Errorf("page has no %q", want)
		}
		var b strings.Builder
		if err := Text(&b, r, nil, Style{}); err != nil || !strings.Contains(strings.Join(strings.Fields(b.String()), " "), want) {
			t.Errorf("%v: screen has no %q:\n%s", err, want, b.String())
		}
	}
}
