package ci

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"kerf/internal/release/gate"
	"kerf/internal/report"
	"kerf/internal/stats"
)

// A regression that is not enforced is one in every rendering, stops nobody, and
// reads as a pass in none.
func TestNotEnforced(t *testing.T) {
	g := unenforced()
	g.Screens = slices.DeleteFunc(g.Screens, func(s gate.Screen) bool { return s.Verdict == gate.Pass })
	for kind, write := range renderings(g) {
		got := render(t, write)
		if kind != "outputs" && kind != "quality.json" && kind != "sarif" && !strings.Contains(got, "REGRESSION (not enforced)") {
			t.Errorf("%s does not say so", kind)
		}
		if m := regexp.MustCompile(`(?i)\bpass\b|"error"|::error|<failure|<error|critical|major`).FindString(got); m != "" {
			t.Errorf("%s says %q", kind, m)
		}
	}
}

// Where the two sides are not comparable no measure passes, and no lost question
// is held against anybody.
func TestNotComparable(t *testing.T) {
	g := incomparable()
	g.Screens[0].Verdict = gate.Regression
	for kind, write := range renderings(g) {
		got := render(t, write)
		if m := regexp.MustCompile(`\bpass\b|REGRESSION|"kerf/regression",\n *"ruleIndex|<failure`).FindString(got); m != "" {
			t.Errorf("%s says %q", kind, m)
		}
	}
	for _, n := range notes(g, "") {
		if n.Judged == (n.Rule == ruleLost) {
			t.Errorf("%s: judged %v", n.Title, n.Judged)
		}
	}
}

// Errors are no failures.
func TestIncompleteIsAnError(t *testing.T) {
	got := render(t, renderings(incomplete())["junit.xml"])
	if !strings.Contains(got, `failures="0" errors="2" skipped="2"`) || !strings.Contains(got, `<error message="whole evidence, all placements: 3 of 46 questions have no result`) {
		t.Error(got)
	}
}

// A lost question is held against the candidate only where its own measure fell.
func TestWhatALostQuestionBelongsTo(t *testing.T) {
	g := regression()
	g.Screens[0].Verdict = gate.Pass
	g.Screens[1].Verdict = gate.Regression // mrr, which is another view
	for i, n := range notes(g, "")[2:] {
		if want := g.Changes[i].Segment == "refunds"; n.Judged != want {
			t.Errorf("%s of %s: judged %v", n.Title, g.Changes[i].Segment, n.Judged)
		}
	}
}

// What a note is about has one name, wherever its lines go and however it is judged,
// and no other has it.
func TestFingerprints(t *testing.T) {
	before := map[string]string{}
	for _, n := range append(notes(incomparable(), "kb"), notes(regression(), "kb")...) {
		if id := n.fingerprint(); before[id] != "" && before[id] != n.Name {
			t.Errorf("%s and %s are one", before[id], n.Name)
		} else {
			before[id] = n.Name
		}
	}
	g := unenforced()
	for i := range g.Changes {
		g.Changes[i].Label.Line += 5
		g.Changes[i].Candidate.Cause = "beyond the budget"
	}
	for _, n := range notes(g, "elsewhere") {
		if before[n.fingerprint()] != n.Name {
			t.Errorf("%s has another fingerprint", n.Name)
		}
	}
}

func TestPlaces(t *testing.T) {
	label, doc := gate.Place{File: "golden.jsonl", Line: 9}, gate.Place{File: "docs/a.md", Line: 3}
	for _, c := range []struct {
		folder          string
		label, evidence gate.Place
		want            gate.Place
		related         int
	}{
		{"", label, doc, gate.Place{File: "golden.jsonl", Line: 9}, 1},
		{"kb/eu", label, doc, gate.Place{File: "kb/eu/golden.jsonl", Line: 9}, 1},
		{"kb", gate.Place{File: "../golden.jsonl", Line: 9}, doc, gate.Place{File: "golden.jsonl", Line: 9}, 1},
		{"kb", gate.Place{File: "../../golden.jsonl", Line: 9}, doc, gate.Place{File: "kb/docs/a.md", Line: 3}, 0},
		{"kb", gate.Place{File: "/srv/golden.jsonl", Line: 9}, doc, gate.Place{File: "kb/docs/a.md", Line: 3}, 0},
		{"kb", gate.Place{}, gate.Place{File: "..", Line: 1}, gate.Place{File: "kb/kerf.yaml", Line: 1}, 0},
		{"", gate.Place{File: "golden.jsonl"}, gate.Place{}, gate.Place{File: "golden.jsonl", Line: 1}, 0},
		{"", label, label, gate.Place{File: "golden.jsonl", Line: 9}, 0},
	} {
		g := pass()
		g.Changes = []gate.Change{change("q", "lost", "cut here", 0, c.label, c.evidence, c.evidence)}
		n := notes(g, c.folder)[0]
		if n.Place != c.want || len(n.Related) != c.related {
			t.Errorf("%s: %+v and %+v: %+v, and %d more", c.folder, c.label, c.evidence, n.Place, len(n.Related))
		}
	}
}

// A testcase keeps its name, whatever becomes of it.
func TestTestcasesKeepTheirNames(t *testing.T) {
	names := func(g *gate.Gate) []string {
		var out []string
		for _, m := range regexp.MustCompile(`classname="kerf.gate" name="([^"]*whole[^"]*|mrr)"`).FindAllStringSubmatch(render(t, renderings(g)["junit.xml"]), -1) {
			out = append(out, m[1])
		}
		slices.Sort(out)
		return out
	}
	want := []string{"mrr", "whole evidence, all placements"}
	for name, g := range gates() {
		if got := names(g); !slices.Equal(got[:2], want) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// The gravest annotations come first, whatever the order of the files.
func TestGravestFirst(t *testing.T) {
	g := regression()
	g.Verdict = gate.Incomplete
	g.Missing = []string{"q-009 at 3/8: deadline"}
	got := render(t, renderings(g)["annotations"])
	if first, second, _ := strings.Cut(got, "\n"); !strings.Contains(first, "without a result") || !strings.HasPrefix(second, "::error file=kb/kerf.yaml,line=1,title=kerf gate%3A REGRESSION") {
		t.Errorf("first %q", first)
	}
	g.Verdict, g.Gone = gate.NotComparable, incomparable().Gone
	lines := strings.Split(render(t, renderings(g)["annotations"]), "\n")
	for i, want := range []string{"NOT COMPARABLE", "NOT COMPARABLE", "q-005 is gone", "q-006 is gone", "without a result"} {
		if !strings.Contains(lines[i], want) {
			t.Errorf("%d: %q, not %q", i, lines[i], want)
		}
	}
}

func TestSentences(t *testing.T) {
	g := incomplete()
	g.Missing = append(g.Missing, "q-010: deadline", "q-011: deadline")
	if got, want := sentence(g), "RAN ONLY IN PART: q-009 at 3/8 of tokens-256-51: deadline, not begun; 2 more without a result; whole evidence, all placements: 3 of 46 questions have no result on one side; missing never passes."; got != want {
		t.Errorf("%q", got)
	}
	g = regression()
	g.Screens = append(g.Screens, g.Screens[2])
	if got := sentence(g); strings.Contains(got, " more.") {
		t.Errorf("%q", got)
	}
	g.Screens = append(g.Screens, g.Screens[2])
	if got := sentence(g); !strings.HasSuffix(got, "; and 1 more.") {
		t.Errorf("%q", got)
	}
	g = pass()
	g.Screens = nil
	if got := sentence(g); got != "PASS: nothing was screened." {
		t.Errorf("%q", got)
	}
	if got := misses(g); got != nil {
		t.Errorf("%q", got)
	}
}

func TestFigures(t *testing.T) {
	g := pass()
	s := &g.Screens[0]
	s.Floor, s.CI.Measured = "4/5", false
	got := figures(g, s)
	want := []string{"whole evidence, all placements", "0.810 over 46", "0.815 over 46", "+0.25/46 = +0.5 points", "2.5/46 = 5.4 points; floor 0.800", "2", "3", stats.NotMeasured, "pass"}
	if !slices.Equal(got, want) {
		t.Errorf("%q", got)
	}
	for name, c := range map[string]gate.Change{
		"no cause is known":                     change("q", "gained", "", 0, gate.Place{}),
		"ranked 23rd; whole with the first hit": change("q", "lost", "ranked 23rd", 1, gate.Place{}),
	} {
		c.Baseline.Placements, c.Candidate.Placements = 1, 1
		if got := cause(&c); got != name {
			t.Errorf("%q", got)
		}
	}
	if got := place(gate.Place{}); got != "not known" {
		t.Errorf("%q", got)
	}
}

// A verdict that is none goes out of no door.
func TestUnknownVerdict(t *testing.T) {
	g := pass()
	g.Verdict = "pass\nverdict=pass"
	for kind, write := range renderings(g) {
		func() {
			defer func() {
				if recover() == nil && kind != "sarif" && kind != "annotations" && kind != "quality.json" {
					t.Errorf("%s: taken", kind)
				}
			}()
			var b strings.Builder
			if err := write(&b); err != nil {
				t.Errorf("%s: %v", kind, err)
			}
		}()
	}
}

// A name of somebody else is shown in so many columns, and no more.
func TestLongNames(t *testing.T) {
	g := poisoned(pass(), strings.Repeat("wide ", 10_000))
	g.Screens, g.Missing, g.Warnings = g.Screens[:2], nil, nil
	g.Gone, g.Changes = nil, nil
	head, _ := story(g)
	if len(head) > 3_000 {
		t.Errorf("a head of %d bytes", len(head))
	}
	if got := show(strings.Repeat("x", 500)); got != report.Clip(strings.Repeat("x", 500), named) {
		t.Errorf("%q", got)
	}
}

// No rendering advises, or claims more than a screen can.
func TestWording(t *testing.T) {
	forbidden := regexp.MustCompile(`(?i)\b(best|recommend\w*|safe|proves|winner|significant\w*|no regression)\b`)
	for name, g := range gates() {
		for kind, write := range renderings(g) {
			got := render(t, write)
			if m := forbidden.FindString(got); m != "" {
				t.Errorf("%s of %s says %q", kind, name, m)
			}
			if seen := strings.Contains(got, "at 46 questions it passes a true loss of 5.7 points half the time, 9.9 one time in six"); !seen && slices.Contains([]string{"txt", "md", "junit.xml", "annotations"}, kind) {
				t.Errorf("%s of %s does not say what it would miss", kind, name)
			}
		}
	}
}
