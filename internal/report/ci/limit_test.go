package ci

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/go-json-experiment/json"

	"kerf/internal/release/gate"
)

// many is a regression that n questions are lost in.
func many(n int) *gate.Gate {
	g := regression()
	g.Changes = nil
	for i := range n {
		g.Changes = append(g.Changes, change(fmt.Sprintf("q-%05d", i), "lost", "cut here", 0, gate.Place{File: "golden.jsonl", Line: 2 + i}, gate.Place{File: "docs/refunds.md", Line: 1 + i}))
	}
	g.Changes = append(g.Changes, pass().Changes[1:]...)
	return g
}

func TestManyLostQuestions(t *testing.T) {
	const all = 10_000
	g := many(all)
	for kind, limit := range map[string]int{"md": CommentLimit, "summary.md": SummaryLimit} {
		got := render(t, renderings(g)[kind])
		const cut = "\nLeft out here for its length: more lost questions (9,990 entries); gained at the ordinary cuts (2 entries). `kerf gate --json` has everything.\n"
		if len(got) > limit || !strings.HasSuffix(got, cut) || !strings.Contains(got, "the first 10 of 10,000") || strings.Contains(got, "<details>") {
			t.Errorf("%s: %d bytes: …%s", kind, len(got), got[max(0, len(got)-300):])
		}
	}
	// what has no room in a comment may have it in a summary
	if got := render(t, renderings(many(2_000))["summary.md"]); strings.Contains(got, "Left out") || !strings.Contains(got, "q-01999") {
		t.Errorf("a summary of %d bytes is cut", len(got))
	}
	if got := render(t, renderings(many(2_000))["md"]); !strings.Contains(got, "more lost questions (1,990 entries)") || strings.Contains(got, "q-01999") {
		t.Errorf("a comment of %d bytes is not cut", len(got))
	}

	lines := strings.Split(strings.TrimSuffix(render(t, renderings(g)["annotations"]), "\n"), "\n")
	kinds := map[string]int{}
	for _, l := range lines {
		kind, _, _ := strings.Cut(strings.TrimPrefix(l, "::"), " ")
		kinds[kind]++
	}
	if kinds["error"] != AnnotationLimit || kinds["warning"] != 1 || kinds["notice"] != 2 {
		t.Errorf("annotations: %v", kinds)
	}
	if want := fmt.Sprintf("::9,993 more: %s has everything", everything); !strings.HasSuffix(lines[AnnotationLimit-1], want) { // 2 measures and 7 questions are there
		t.Errorf("the last error is %q, not %q", lines[AnnotationLimit-1], want)
	}

	if text := render(t, renderings(g)["txt"]); !strings.Contains(text, "\n… and 9,995 more in kerf gate --json\n") || strings.Count(text, "\n") > 30 {
		t.Errorf("the screen:\n%s", text)
	}

	for i := range 25 {
		g.Gone = append(g.Gone, gate.Gone{QID: fmt.Sprint("gone-", i), Why: "held out"})
	}
	if text := render(t, renderings(g)["txt"]); !strings.Contains(text, "\ngone gone-19: held out\n… and 5 more in kerf gate --json\n") {
		t.Errorf("the screen:\n%s", text)
	}
	g.Gone = nil

	var suites junitSuites
	if err := xml.Unmarshal([]byte(render(t, renderings(g)["junit.xml"])), &suites); err != nil {
		t.Fatal(err)
	}
	if s := suites.Suites[0]; s.Failures != all+2 || len(s.Cases) != all+4 || s.Tests != len(s.Cases) || suites.Tests != s.Tests {
		t.Errorf("JUnit: %+v, %d cases", s.junitCounts, len(s.Cases))
	}

	var entries []quality
	if err := json.Unmarshal([]byte(render(t, renderings(g)["quality.json"])), &entries); err != nil {
		t.Fatal(err)
	}
	if len(entries) != all+2 {
		t.Errorf("%d entries of code quality", len(entries))
	}
}

// Exactly as many annotations as there is room for are all there; one more is said.
func TestAnnotationsAtTheLimit(t *testing.T) {
	for lost, want := range map[int]string{8: "q-00007", 9: "2 more"} { // beside two measures
		lines := strings.Split(render(t, renderings(many(lost))["annotations"]), "\n")
		if !strings.HasPrefix(lines[AnnotationLimit-1], "::error ") || !strings.Contains(lines[AnnotationLimit-1], want) || strings.HasPrefix(lines[AnnotationLimit], "::error ") {
			t.Errorf("%d lost: the tenth is %q, then %q", lost, lines[AnnotationLimit-1], lines[AnnotationLimit])
		}
	}
}

func TestSARIFAtTheLimit(t *testing.T) {
	for lost, want := range map[int]int{ResultLimit - 2: ResultLimit, ResultLimit - 1: 2} { // beside two measures
		var log sarifLog
		if err := json.Unmarshal([]byte(render(t, renderings(many(lost))["sarif"])), &log); err != nil {
			t.Fatal(err)
		}
		run := log.Runs[0]
		if len(run.Results) != want {
			t.Errorf("%d lost: %d results, not %d", lost, len(run.Results), want)
		}
		says := run.Invocations[0].Notices[0].Message.Text
		if cut := strings.Contains(says, "lost questions (4,999)"); cut != (want == 2) {
			t.Errorf("%d lost: the first notification is %q", lost, says)
		}
	}
}

// After a section that is left out no later one is kept.
func TestSARIFIsCutFromTheEnd(t *testing.T) {
	g := many(3)
	for i := range ResultLimit + 1 {
		g.Gone = append(g.Gone, gate.Gone{QID: fmt.Sprint("gone-", i), Why: "held out"})
	}
	kept, cut := fitting(notes(g, ""))
	if len(kept) != 2 || len(cut) != 2 || cut[0] != (leftOff{"questions that are gone", ResultLimit + 1}) || cut[1] != (leftOff{"lost questions", 3}) {
		t.Errorf("%d kept, left out %v", len(kept), cut)
	}
}

// At whatever limit: never longer, whole sections from the front, and the others
// named, all of them, in order.
func TestMarkdownIsCutByWholeSections(t *testing.T) {
	g := poisoned(incomparable(), "x|y")
	g.Changes = append(many(30).Changes, g.Changes...)
	head, sections := story(g)
	full := render(t, func(w io.Writer) error { return Markdown(w, g, SummaryLimit) })
	seen := map[int]bool{}
	limits := map[int]bool{}
	for kept := range len(sections) + 1 { // where exactly so many have room, and one byte on each side
		n := len(head) + len(leftOut(sections[kept:]))
		for _, s := range sections[:kept] {
			n += len("\n#### \n\n") + len(s.title) + len(s.body)
		}
		limits[n-1], limits[n], limits[n+1] = true, true, true
	}
	for limit := 0; limit < len(full); limit += 997 {
		limits[limit] = true
	}
	for limit := range limits {
		var b strings.Builder
		err := Markdown(&b, g, limit)
		got := b.String()
		if err != nil {
			if got != "" || limit >= len(head)+len(leftOut(sections)) {
				t.Errorf("limit %d: %v, and %d bytes", limit, err, len(got))
			}
			continue
		}
		if len(got) > limit {
			t.Errorf("limit %d: %d bytes", limit, len(got))
		}
		text, rest, cut := strings.Cut(got, "\nLeft out here")
		kept := strings.Count(text, "\n#### ")
		seen[kept] = true
		if !strings.HasPrefix(full, text) || cut == (kept == len(sections)) || strings.Count(text, "<details>") != strings.Count(text, "</details>") {
			t.Errorf("limit %d: %d of %d sections, cut %v", limit, kept, len(sections), cut)
		}
		if next := strings.TrimPrefix(full, text); next != "" && !strings.HasPrefix(next, "\n#### ") {
			t.Errorf("limit %d: cut before %.40q", limit, next)
		}
		at := 0
		for _, s := range sections[kept:] {
			i := strings.Index(rest[at:], s.title[1:])
			if i < 0 {
				t.Errorf("limit %d: %q is left out and not named", limit, s.title)
			}
			at += max(0, i)
		}
	}
	if !seen[0] || !seen[1] || !seen[len(sections)-1] || !seen[len(sections)] { // naming a short one takes more room than itself
		t.Errorf("kept %v of %d sections", seen, len(sections))
	}
}
