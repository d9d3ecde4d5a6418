package report

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"kerf/internal/study/compare"
	"kerf/internal/text/span"
)

func comment(t *testing.T, r *compare.Report, overlays []compare.Overlay) string {
	t.Helper()
	var b strings.Builder
	if err := Markdown(&b, r, overlays); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdown(t *testing.T) {
	r, overlays := full(true)
	got := comment(t, r, overlays)
	const name = "testdata/report.md.want"
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
	tables := 0
	for _, block := range strings.Split(got, "\n\n") { // a table has as many cells in every row
		if rows := strings.Split(strings.TrimSpace(block), "\n"); strings.HasPrefix(rows[0], "| ") {
			tables++
			for _, row := range rows {
				if strings.Count(row, "|") != strings.Count(rows[0], "|") {
					t.Errorf("%d bars, not %d: %s", strings.Count(row, "|"), strings.Count(rows[0], "|"), row)
				}
			}
		}
	}
	if tables < 15 {
		t.Errorf("only %d tables", tables)
	}
}

// Nothing in a text of somebody else is obeyed: no tag but ours, no mark-up, no
// link, no mention, no new line or cell.
func TestMarkdownObeysNothing(t *testing.T) {
	file, err := os.ReadFile("testdata/hostile.txt")
	if err != nil {
		t.Fatal(err)
	}
	values := append(strings.Split(strings.TrimSuffix(string(file), "\n"), "\n"),
		"a | b", "@octocat", "see #12 and GH-34 and owner/repo#5", "https://host.example/x", "www.host.example", "**bold** _it_ ~~x~~ `c`", "![i](u)", "[l](u)",
		"$a$", ":tada:", "\n\n# head\n- list\n| a | b |", "\\|", "1. one", "\u202egnp", "a\u0000b", "&lt;b&gt;", "a@b.example", "](x) <b>")
	ours := regexp.MustCompile(`</?(b|br|sub|sup|del)>`)
	for _, v := range values {
		r, overlays := study(false)
		w := &r.WorstQuestions[0]
		overlays = overlays[:1]
		overlays[0].QID, w.QID, w.Question = v, v, v
		overlays[0].Path, overlays[0].Text, overlays[0].Spans = v, v, []compare.Evidence{{Name: v, Role: v, Span: span.Span{End: len(v)}}}
		overlays[0].Cuts, overlays[0].Shown = nil, nil
		r.Arms[0].Segments[0].Dependency, r.Warnings[0].Message, r.Golden.Origin = v, v, map[string]int{v: 54}
		got := comment(t, r, overlays)
		if i := strings.IndexFunc(got, dangerous); i >= 0 {
			t.Errorf("%q: a control character reaches the comment", v)
		}
		rest := regexp.MustCompile(`&#[0-9]+;`).ReplaceAllString(ours.ReplaceAllString(got, ""), "·")
		for _, bad := range []string{"<", "@o", "@b", "#1", "#5", "GH-3", "://", "www.", ":tada:"} {
			if strings.Contains(rest, bad) {
				i := strings.Index(rest, bad)
				t.Errorf("%q: %q in %q", v, bad, rest[max(0, i-40):min(len(rest), i+40)])
			}
		}
		bare := regexp.MustCompile(`(^|[^\\])([*_\[\]~!\x60])`) // an escape before each
		for _, m := range bare.FindAllString(strings.ReplaceAll(rest, `\\`, ""), -1) {
			t.Errorf("%q: unescaped %q", v, m)
		}
		heads := 0
		for _, l := range strings.Split(got, "\n") {
			if strings.HasPrefix(l, "#") {
				heads++
			}
		}
		plain, o := study(false)
		if want := strings.Count(comment(t, plain, o), "\n#") + 1; heads != want {
			t.Errorf("%q: %d headings, not %d", v, heads, want)
		}
	}
}

func TestMarkdownIsCutBySection(t *testing.T) {
	r, overlays := study(false)
	for i := range 60 {
		r.Arms = append(r.Arms, r.Arms[1])
		r.Arms[len(r.Arms)-1].Arm = strings.Repeat("long-", 40) + string(rune('a'+i%26))
	}
	got := comment(t, r, overlays)
	if len(got) > 65_000 || !strings.Contains(got, "Left out here for its length") || !strings.Contains(got, "#### Reproduce") {
		t.Errorf("%d bytes: …%s", len(got), got[len(got)-200:])
	}
}
