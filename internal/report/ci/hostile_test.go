package ci

import (
	"encoding/xml"
	"io"
	"net/url"
	"path"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/go-json-experiment/json"

	"kerf/internal/release/gate"
	"kerf/internal/report"
)

// hostile are names that somebody could give to a question, a file or an arm.
func hostile() []string {
	return []string{"a | b", "]]>", "--", "<!-- kerf gate -->", "\u202egnp.exe", "a\x00b\x1b[31mc", "::error::x", "  ::stop-commands::t", "\n::error::x", "\r\n::add-mask::x",
		"##[error]x", "##vso[task.complete result=Succeeded]", "q\n\n# head\n- list", "`c`", "[l](javascript:alert(1))", `[l\](0)`, "![i](u)", "@octocat", "see #12", "https://host.example/x",
		"javascript:alert(1)", "<script>alert(1)</script>", "&lt;b&gt;", "<details>", "</details>", "{0}", "x,line=9::y", "title=z", "%0A::error::x", "%25", "verdict=pass\nexit=0", "\ufffe\uffff", "\xff\xfe", "\ufeffq", "a\u2028b",
		"](", "|", "\\", "\\|", " q ", "EOF\nEOF"}
}

// poisoned is a gate with v in the place of every text of somebody else.
func poisoned(g *gate.Gate, v string) *gate.Gate {
	g.Baseline.Name, g.Baseline.Arm, g.Baseline.Kerf, g.Candidate.Name, g.Candidate.Arm, g.Candidate.Kerf, g.Sample = v, v, v, v, v, v, v
	s := screen("support", "budget", "all", sum(18, 1, 20), sum(13, 1, 20), 5, 0)
	s.Segment, s.Why = v, v
	g.Screens = append(g.Screens, s)
	g.Unmeasured, g.Missing, g.Changed = append(g.Unmeasured, v), append(g.Missing, v), append(g.Changed, v)
	g.Instrument = append(g.Instrument, gate.Instrument{Name: v, Baseline: v, Candidate: v})
	g.Gone = append(g.Gone, gate.Gone{QID: v, Why: v})
	g.Repair = append(g.Repair, v)
	for _, kind := range []string{"lost", "gained"} {
		c := change(v, kind, v, 3, gate.Place{File: v, Line: 3}, gate.Place{File: "docs/" + v, Line: 4})
		c.Segment = v
		g.Changes = append(g.Changes, c)
	}
	g.Warnings[0].Code, g.Warnings[0].Message = v, v
	return g
}

func TestHostileNames(t *testing.T) {
	plain := poisoned(incomparable(), "harmless")
	for _, v := range hostile() {
		g := poisoned(incomparable(), v)
		for kind, write := range renderings(g) {
			got, calm := render(t, write), render(t, renderings(plain)[kind])
			if got != report.EscapeJSON(got) || !utf8.ValidString(got) || strings.ContainsAny(got, "\r\t") {
				t.Errorf("%q: %s holds a control character", v, kind)
			}
			if a, b := strings.Count(got, "\n"), strings.Count(calm, "\n"); a != b {
				t.Errorf("%q: %s has %d lines, not %d", v, kind, a, b)
			}
			switch kind {
			case "txt":
				obeysNothing(t, got)
			case "md":
				markdownShows(t, v, got, calm)
			case "junit.xml":
				junitShows(t, v, got)
			case "sarif":
				sarifShows(t, v, got)
			case "annotations":
				for line := range strings.Lines(got) {
					annotationShows(t, strings.TrimSuffix(line, "\n"))
				}
			case "outputs":
				if got != "verdict=not-comparable\nexit=5\n" {
					t.Errorf("%q: outputs %q", v, got)
				}
			}
		}
	}
}

// obeysNothing: no line is a command to a runner that reads the log.
func obeysNothing(t *testing.T, log string) {
	t.Helper()
	for line := range strings.Lines(log) {
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") || strings.Contains(line, "##vso[") {
			t.Errorf("a command in %q", line)
		}
	}
}

func markdownShows(t *testing.T, v, got, calm string) {
	t.Helper()
	body, ok := strings.CutPrefix(got, marker)
	if !ok {
		t.Fatalf("%q: no marker", v)
	}
	ours := regexp.MustCompile(`</?(sub|code|details|summary)>`)
	if a, b := len(ours.FindAllString(body, -1)), len(ours.FindAllString(calm, -1)); a != b {
		t.Errorf("%q: %d tags, not %d", v, a, b)
	}
	rest := regexp.MustCompile(`&#[0-9]+;`).ReplaceAllString(ours.ReplaceAllString(body, ""), "·")
	for _, bad := range []string{"<", "@o", "#12", "://"} {
		if i := strings.Index(rest, bad); i >= 0 {
			t.Errorf("%q: %q in %q", v, bad, rest[max(0, i-40):min(len(rest), i+40)])
		}
	}
	rest = strings.ReplaceAll(rest, `\\`, "") // an escaped backslash escapes nothing
	for _, m := range regexp.MustCompile("(^|[^\\\\])[*_\\[\\]~!`]").FindAllString(rest, -1) {
		t.Errorf("%q: unescaped %q", v, m)
	}
	width := 0
	for line := range strings.Lines(body) {
		bars := strings.Count(line, "|")
		if width > 0 && bars > 0 && bars != width {
			t.Errorf("%q: %d bars, not %d: %s", v, bars, width, line)
		}
		width = bars
	}
}

func junitShows(t *testing.T, v, got string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader(got))
	d.Strict = true
	cases := 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatalf("%q: %v", v, err)
		}
		switch e := token.(type) {
		case xml.Comment, xml.Directive:
			t.Errorf("%q: %v", v, e)
		case xml.StartElement:
			if e.Name.Local == "testcase" {
				cases++
			}
		}
	}
	if want := 3 + 2 + 3 + 1 + 3 + 2; cases != want { // screens, not measured, settings, without a result, gone, lost
		t.Errorf("%q: %d testcases, not %d", v, cases, want)
	}
}

func sarifShows(t *testing.T, v, got string) {
	t.Helper()
	var log sarifLog
	if err := json.Unmarshal([]byte(got), &log); err != nil {
		t.Fatalf("%q: %v", v, err)
	}
	found := false
	for _, r := range log.Runs[0].Results {
		if strings.Contains(r.Message.Text, "](") || strings.Count(r.Message.Text, "{")%2 > 0 {
			t.Errorf("%q: a link or a placeholder in %q", v, r.Message.Text)
		}
		for _, l := range append(r.Locations, r.Related...) {
			at := l.Physical.Artifact.URI
			if !regexp.MustCompile(`^[-A-Za-z0-9._~/%]+$`).MatchString(at) || strings.HasPrefix(at, "/") || strings.HasPrefix(at, "..") {
				t.Errorf("%q: uri %q", v, at)
			}
			file, err := url.PathUnescape(at)
			if err != nil {
				t.Errorf("%q: %v", v, err)
			}
			found = found || file == path.Join("kb", v)
		}
	}
	if !found {
		t.Errorf("%q: its file is nowhere", v)
	}
}

// annotationShows reads a line as GitHub's runner does.
func annotationShows(t testing.TB, line string) {
	t.Helper()
	rest, ok := strings.CutPrefix(line, "::")
	command, message, found := strings.Cut(rest, "::")
	if !ok || !found || strings.ContainsAny(line, "\r\n") || strings.Contains(message, "##[") {
		t.Fatalf("%q is no annotation", line)
	}
	kind, properties, _ := strings.Cut(command, " ")
	if kind != "error" && kind != "warning" && kind != "notice" {
		t.Errorf("a command %q in %q", kind, line)
	}
	var names []string
	for _, p := range strings.Split(properties, ",") {
		name, _, _ := strings.Cut(p, "=")
		names = append(names, name)
	}
	if all := strings.Join(names, " "); all != "title" && all != "file line title" {
		t.Errorf("properties %s in %q", all, line)
	}
}

func FuzzAnnotations(f *testing.F) {
	for _, v := range hostile() {
		f.Add(v, v)
	}
	f.Fuzz(func(t *testing.T, name, text string) {
		g := poisoned(regression(), name)
		g.Warnings[0].Message, g.Missing, g.Changes = text, []string{text}, g.Changes[10:]
		lines := strings.Split(strings.TrimSuffix(render(t, func(w io.Writer) error { return Annotations(w, g, name) }), "\n"), "\n")
		if len(lines) > 3*AnnotationLimit {
			t.Errorf("%d lines", len(lines))
		}
		for _, l := range lines {
			annotationShows(t, l)
		}
		obeysNothing(t, render(t, func(w io.Writer) error { return Text(w, g) }))
		// what was escaped comes back as it was
		back := strings.NewReplacer("%0D", "\r", "%0A", "\n", "%3A", ":", "%2C", ",", "%25", "%")
		if got := back.Replace(property(name)); got != name {
			t.Errorf("%q comes back as %q", name, got)
		}
		if got := back.Replace(escaped(text)); got != text {
			t.Errorf("%q comes back as %q", text, got)
		}
	})
}

func FuzzMarkdownCells(f *testing.F) {
	for _, v := range hostile() {
		f.Add(v)
	}
	f.Fuzz(func(t *testing.T, v string) {
		got := table([]string{"a", "b"}, [][]string{{v, "x"}, {"y", v}})
		lines := strings.Split(got, "\n")
		if len(lines) != 5 || lines[4] != "" {
			t.Fatalf("%q makes %d lines", v, len(lines))
		}
		for _, l := range lines[:4] {
			if strings.Count(l, "|") != 3 {
				t.Errorf("%q makes cells: %s", v, l)
			}
		}
		if got != report.EscapeJSON(got) || strings.ContainsAny(got, "<>\r\t") {
			t.Errorf("%q comes through: %q", v, got)
		}
	})
}
