package report

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"kerf/internal/study/compare"
)

// Words that would advise, or claim more than was measured (S2-045, S1-142).
var forbidden = regexp.MustCompile(`(?i)\b(best|recommended|recommend|recommends|safe|proves|winner|significant|significantly)\b`)

// A share of something: it needs its denominator beside it (S1-092).
var (
	share       = regexp.MustCompile(`\d( %|%| points| in 100)`)
	denominator = regexp.MustCompile(`\d/\d|\bof \d|\bover \d`)
	nothing     = regexp.MustCompile(`^(not measured|not applicable|undefined)$`)
)

// Columns that hold amounts, not shares of questions or contexts.
var amounts = []string{"questions", "indexed tokens", "indexed units", "unique source tokens", "repeated source tokens", "multiplier", "limit",
	"index bytes", "embedding tokens", "latency", "billed"}

// blocks are the smallest texts of a page that are read as one.
func blocks(root *element) []string {
	var out []string
	for _, name := range []string{"h1", "h2", "h3", "p", "li", "dt", "dd", "figcaption", "caption", "th", "td", "text", "title"} {
		for _, e := range root.all(name, "") {
			out = append(out, e.text())
		}
	}
	root.walk(func(e *element) { out = append(out, e.Attr["title"], e.Attr["aria-label"]) })
	return out
}

func TestWording(t *testing.T) {
	r, overlays := full(true) // a failed cell, a control arm, an unanswerable segment
	var screen, canonical strings.Builder
	if err := Text(&screen, r, overlays, Style{}); err != nil {
		t.Fatal(err)
	}
	if err := JSON(&canonical, r); err != nil {
		t.Fatal(err)
	}
	written := comment(t, r, overlays)
	page := parse(t, render(t, r, overlays))
	for name, text := range map[string]string{"text": screen.String(), "json": canonical.String(), "markdown": plain(written), "html": strings.Join(blocks(page), "\n")} {
		if found := forbidden.FindAllString(text, -1); found != nil {
			t.Errorf("%s says %q", name, found)
		}
		for _, must := range map[string][]string{
			"text":     {"not proof", "stress statistic, not an expected frequency", "interval: not measured", "unanswerable", "missing cell 512/102 3/8", "(41 missing)", "not applicable", "counted once", "1/46 = 2.2 points", "ad087516f2c1", "77c1d2e3f405", "5f0e4d3c2b1a"},
			"html":     {"not proof", "stress statistic, not an expected frequency", "interval: not measured", "missing cell 512/102 3/8", "41 missing", "not applicable", "counted once", "1/46 = 2.2 points", "unanswerable control", "0/2 answerable", "ad087516f2c1", "no result", "4 of 54 questions are synthetic", "Secondary view", "Primary view", "a stress reading", "unadjudicated: 4/54"},
			"markdown": {"not proof", "stress statistic, not an expected frequency", "interval: not measured", "missing cell 512/102 3/8", "41 missing", "not applicable", "counted once", "1/46 = 2.2 points", "unanswerable control", "0/2 answerable", "ad087516f2c1", "4 of 54 questions are synthetic", "Secondary view", "Primary view", "a stress reading", "unadjudicated: 4/54"},
			"json":     {`"flips":"not applicable"`, `"ci":"not measured"`, `"missing_cells":[{"arm":"512/102","phase":"3/8"`, `"latency":"not measured"`, `"gained":["q-001"`},
		}[name] {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), must) {
				t.Errorf("%s does not say %q", name, must)
			}
		}
	}
	read := append(blocks(page), strings.Split(joinWrapped(screen.String()), "\n")...)
	for _, l := range strings.Split(plain(written), "\n") {
		read = append(read, strings.Split(l, "|")...) // lines, and the cells of tables
	}
	for _, block := range read {
		if strings.HasSuffix(strings.TrimSpace(block), "% of the size") { // a setting, no figure
			continue
		}
		if share.MatchString(block) && !denominator.MatchString(block) {
			t.Errorf("no denominator in %q", block)
		}
	}
	// every cell of figures
	cells := 0
	for _, table := range page.all("table", "") {
		var heads []string
		for _, h := range table.all("thead", "")[0].all("th", "") {
			heads = append(heads, h.text())
		}
		for _, row := range table.all("tbody", "")[0].all("tr", "") {
			for i, c := range append(row.all("th", ""), row.all("td", "")...) {
				if !strings.Contains(c.Attr["class"], "figure") || slices.Contains(amounts, heads[i]) {
					continue
				}
				cells++
				main, _, _ := strings.Cut(c.text(), "\n")
				if !denominator.MatchString(c.text()) && !nothing.MatchString(main) {
					t.Errorf("%s: no denominator in %q", heads[i], c.text())
				}
			}
		}
	}
	if cells < 100 {
		t.Errorf("only %d cells looked at", cells)
	}
	// n is questions: never the product in what is read first
	for _, headline := range []string{page.all("h1", "")[0].text(), strings.SplitN(screen.String(), "\nwarning", 2)[0]} {
		if strings.Contains(headline, "368") || !strings.Contains(headline, "46 questions") {
			t.Errorf("headline %q", headline)
		}
	}
}

// plain is Markdown without its marks.
func plain(s string) string {
	s = regexp.MustCompile(`</?[a-z]+>`).ReplaceAllString(s, " ")
	return strings.NewReplacer(`\`, "", "&#8203;", "", "&gt;", ">", "&lt;", "<").Replace(s)
}

// joinWrapped undoes the wrapping of a screen: a line that begins with blanks,
// or follows a full line, goes on.
func joinWrapped(s string) string {
	return regexp.MustCompile(`([^\n]{70,})\n *`).ReplaceAllString(s, "$1 ")
}

// The checks of TestWording see what they are for.
func TestWordingChecks(t *testing.T) {
	for text, bad := range map[string]bool{"the best arm": true, "per_query_best": false, "Significantly": true, "unsafe": false} {
		if forbidden.MatchString(text) != bad {
			t.Errorf("%q", text)
		}
	}
	for text, ok := range map[string]bool{"63.0 %": false, "63.0 % of 46": true, "+8 points": false, "+8/46 = +17.4 points": true, "16 in 100": false} {
		if share.MatchString(text) && denominator.MatchString(text) != ok {
			t.Errorf("%q", text)
		}
	}
}

// TestHardConstraints: violations are hits, and contexts are what is checked.
func TestHardConstraints(t *testing.T) {
	s := story{Report: &compare.Report{ContextsChecked: 9}}
	if got, want := strings.Join(s.hard(), " "), "Authorisation: 0 violations in 9 contexts, each held against its own reader. Pinned versions: 0 violations in 9 contexts."; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	s.HardViolations = []compare.Violation{{Kind: "access"}, {Kind: "within"}, {Kind: "within"}}
	want := []string{"Authorisation: 1 hit that the reader may not read, in none of 9 contexts, each held against its own reader.", "Pinned versions: 0 violations in 9 contexts.",
		"Documents searched: 2 hits outside of those that the question is limited to, in none of 9 contexts."}
	if got := s.hard(); !slices.Equal(got[:3], want) || len(got) != 6 {
		t.Errorf("got %q", got)
	}
}
