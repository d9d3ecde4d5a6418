package ci

import (
	"fmt"
	"io"
	"strings"

	"kerf/internal/release/gate"
	"kerf/internal/report"
)

// The room that GitHub gives, in bytes. A summary has 1 MiB, of which a margin stays
// for what else a step writes.
const (
	CommentLimit = 65_536
	SummaryLimit = 900 << 10
)

// marker is the first line: a sticky comment finds itself by it.
const marker = "<!-- kerf gate -->\n"

// mostRows is how many rows of a list stand open; the others are folded away.
const mostRows = 10

// section is a part of a comment, which is there as a whole or not at all.
type section struct {
	title   string
	entries int // rows of its table
	body    string
}

// Markdown writes the screen in GitHub's Markdown, for a comment or a summary of a
// job, in limit bytes at most. What does not fit is left out by whole sections from
// the end, and the last line says which, and where they are. It is an error where not
// even the verdict fits.
func Markdown(w io.Writer, g *gate.Gate, limit int) error {
	head, sections := story(g)
	for kept := len(sections); kept >= 0; kept-- {
		var b strings.Builder
		b.WriteString(head)
		for _, s := range sections[:kept] {
			b.WriteString("\n#### " + s.title + "\n\n" + s.body)
		}
		b.WriteString(leftOut(sections[kept:]))
		if b.Len() <= limit {
			_, err := io.WriteString(w, b.String())
			return err
		}
	}
	return fmt.Errorf("the verdict alone is longer than %d bytes", limit)
}

func leftOut(sections []section) string {
	var cut []string
	for _, s := range sections {
		cut = append(cut, fmt.Sprintf("%s (%s)", strings.ToLower(s.title[:1])+s.title[1:], counted(s.entries, "entry", "entries")))
	}
	if cut == nil {
		return ""
	}
	return "\nLeft out here for its length: " + strings.Join(cut, "; ") + ". `" + everything + "` has everything.\n"
}

// story is what is always told, and the sections from the most to the least
// important; long lists come last.
func story(g *gate.Gate) (head string, sections []section) {
	var b strings.Builder
	fmt.Fprintf(&b, "%s### kerf gate: %s\n\n%s\n\n%s\n\n", marker, md(verdict(g)), md(upper(reasons(g))), md(upper(about(g))+"."))
	var whole, segments [][]string
	for i := range g.Screens {
		if s := &g.Screens[i]; s.Segment == "" {
			whole = append(whole, figures(g, s))
		} else {
			segments = append(segments, figures(g, s))
		}
	}
	if g.Reason == "" {
		b.WriteString(table(columns(), whole))
		b.WriteString("\n<sub>The tolerance decides, on exact fractions; the interval is information. A screen is an alarm and no proof.</sub>\n")
	}
	if len(g.Unmeasured) > 0 {
		b.WriteString("\nNot measured: " + md(lists(g.Unmeasured)) + "\n")
	}

	add := func(title string, entries int, body string) {
		if entries > 0 {
			sections = append(sections, section{title, entries, body})
		}
	}
	lost, gained := changes(g, "lost"), changes(g, "gained")
	var losses, gains, settings, gone, missing [][]string
	for i := range lost {
		losses = append(losses, []string{show(lost[i].QID), place(lost[i].Label), evidence(&lost[i]), cause(&lost[i])})
	}
	for i := range gained {
		gains = append(gains, []string{show(gained[i].QID), place(gained[i].Label), evidence(&gained[i])})
	}
	for _, x := range g.Instrument {
		settings = append(settings, []string{show(x.Name), show(x.Baseline), show(x.Candidate)})
	}
	for _, x := range g.Gone {
		gone = append(gone, []string{show(x.QID), say(x.Why)})
	}
	for _, x := range g.Missing {
		missing = append(missing, []string{say(x)})
	}
	var rest []section
	list := func(title, rows string, head []string, all [][]string) { // the first rows open, the others at the end
		open := min(mostRows, len(all))
		if open < len(all) {
			title = fmt.Sprintf("%s, the first %d of %s", title, open, report.Number(len(all)))
			more := all[open:]
			rest = append(rest, section{"More " + rows, len(more), folded(fmt.Sprintf("%s more %s", report.Number(len(more)), rows), table(head, more))})
		}
		add(title, open, table(head, all[:open]))
	}
	list("By segment", "segments", columns(), segments)
	list("Settings of the measuring instrument", "settings", []string{"setting", "baseline", "now"}, settings)
	list("Without a result", "things without a result", []string{"what"}, missing)
	list("Questions of the baseline that are gone", "questions that are gone", []string{"question", "why"}, gone)
	if len(g.Repair) > 0 {
		add("Comparable again", 1, "<code>"+md(repair(g))+"</code>\n")
	}
	list("Lost at the ordinary cuts", "lost questions", []string{"question", "label", "evidence", "cause"}, losses)
	add("What the screen would miss", len(misses(g)), bullets(misses(g)))
	if len(g.Changed) > 0 {
		add("What differs of the tested system", len(g.Changed), md(lists(g.Changed))+"\n")
	}
	var warnings []string
	for _, x := range g.Warnings {
		warnings = append(warnings, show(x.Code)+": "+say(x.Message))
	}
	add("Warnings", len(warnings), bullets(warnings))
	sections = append(sections, rest...)
	if len(gains) > 0 {
		add("Gained at the ordinary cuts", len(gains), folded(counted(len(gains), "question"), table([]string{"question", "label", "evidence"}, gains)))
	}
	return b.String(), sections
}

// md is a text that shows itself and obeys nothing.
func md(s string) string { return report.EscapeMarkdown(s) }

func table(head []string, rows [][]string) string {
	var b strings.Builder
	line := func(cells []string) {
		b.WriteString("|")
		for _, c := range cells {
			b.WriteString(" " + md(c) + " |")
		}
		b.WriteByte('\n')
	}
	line(head)
	b.WriteString("|" + strings.Repeat(" --- |", len(head)) + "\n")
	for _, row := range rows {
		line(row)
	}
	return b.String()
}

func bullets(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString("- " + md(l) + "\n")
	}
	return b.String()
}

// folded hides body behind a line of our own words: HTML, in which Markdown's
// escapes would show.
func folded(summary, body string) string {
	return "<details><summary>" + summary + "</summary>\n\n" + body + "\n</details>\n"
}

func upper(s string) string { return strings.ToUpper(s[:1]) + s[1:] }
