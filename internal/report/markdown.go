package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"kerf/internal/study/compare"
)

// maxMarkdown is the room of a comment, in bytes, with a margin; a job summary
// has more.
const maxMarkdown = 60_000

// Markdown writes the report in GitHub's Markdown: what the page says, its
// pictures as tables. It is cut by section where it would not fit into a comment.
// Overlays may be nil.
func Markdown(w io.Writer, r *compare.Report, overlays []compare.Overlay) error {
	s := tell(r)
	p := newPage(r, overlays, nil)
	var b strings.Builder
	fmt.Fprintf(&b, "### %s\n\n", md(p.Verdict))
	for _, paragraph := range []string{p.Against, p.Decides, strings.Join(p.Notes, " "), p.Labels, p.Identity} {
		if paragraph != "" {
			b.WriteString(md(paragraph) + "\n\n")
		}
	}
	var cut []string
	section := func(title string, bodies ...string) { // the first that fits
		for _, body := range bodies {
			if body == "" {
				return
			}
			if text := "#### " + title + "\n\n" + body + "\n"; b.Len()+len(text) <= maxMarkdown {
				b.WriteString(text)
				return
			}
		}
		cut = append(cut, strings.ToLower(title[:1])+title[1:])
	}
	section("Answers we would get wrong", mdWrong(p.Wrong))
	section("Hard constraints", mdList(p.Hard))
	flags := p.Flags
	if p.FlagsNot > 0 {
		flags = append(flags, number(p.FlagsNot)+" more in report.json")
	}
	section("What is missing or flagged", mdList(flags))
	section("Arms", mdTables(p.Arms...))
	section("Whole evidence at every placement of the cuts", mdTables(s.placements()))
	if p.Heat != nil {
		section("Size and overlap", mdTables(p.Heat.table()))
	}
	section("Context budget", mdTables(p.Curves))
	section("Aimed cuts", mdTables(p.Targets))
	section("Segments", mdTables(p.Segments, p.Samples))
	section("Stages", mdTables(p.Stages))
	section("Questions that come and go, or are never whole", mdQuestions(p, true), mdQuestions(p, false))
	section("Other readings", mdTables(p.More...))
	section("Quality of the golden set", mdTables(p.Golden))
	section("Cost", mdTables(p.Costs...))
	section("Reproduce", mdTables(p.Reproduce))
	if cut != nil {
		fmt.Fprintf(&b, "Left out here for its length: %s. report.html has everything.\n", strings.Join(cut, "; "))
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// table is the heatmap without its shades.
func (h *heat) table() table {
	t := table{Caption: "Whole evidence by size and overlap", Note: h.Note, Head: []string{"overlap"}}
	for _, size := range h.Sizes {
		t.Head = append(t.Head, "size "+size)
	}
	for _, r := range h.Rows {
		row := []cell{text(r.Overlap)}
		for _, c := range r.Cells {
			row = append(row, cell{Text: c.Text, Sub: strings.TrimSpace(c.Sub + "\n" + c.Role), Figure: true})
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// placements is the strip in figures: every placement, or the lowest, the
// highest and the ordinary one where there are many.
func (s story) placements() table {
	t := table{Caption: "By placement of the cuts", Head: []string{"configuration"},
		Note: "Lowest placement: " + stress + ". Flips grow with the number of placements and are compared at equal numbers alone."}
	arms := s.compared()
	most := 0
	for _, a := range arms {
		if a.Views.Budget.Flips.Applies {
			most = max(most, a.Phases)
		}
	}
	if most == 0 || most > maxPlacing {
		return table{} // the table of whole evidence has all that is read off a long strip
	}
	var heads []string
	for _, a := range arms {
		if a.Phases != most {
			continue
		}
		row := []cell{name(a)}
		heads = heads[:0]
		for _, p := range a.Views.Budget.Phase {
			heads = append(heads, p.Label)
			c := figure(fraction(p.Support), "")
			if v := a.Views.Budget.Worst; v.Measured && v.Value.Label == p.Label {
				c.Sub = strings.TrimSpace(c.Sub + "\nlowest")
			}
			row = append(row, c)
		}
		t.Rows = append(t.Rows, append(row, figure(flips(a.Views.Budget.Flips), ""), figure(disagreement(a.Views.Budget.Disagreement), "")))
	}
	t.Head = append(append(t.Head, heads...), "come and go (flips)", "disagreement")
	return t
}

func mdWrong(wrong []drawn) string {
	var b strings.Builder
	for _, d := range wrong {
		fmt.Fprintf(&b, "<b>%s</b> (%s, arm %s, %s)\n\n", md(d.Question), md(d.QID), md(d.Arm), md(d.Verdict))
		shown, lost := "none of it", "any of it"
		if len(d.Shown) > 0 {
			shown, lost = mdQuotes(d.Shown), mdQuotes(d.Lost)
		}
		fmt.Fprintf(&b, "- The document says: %s\n- The model was shown: %s\n- The model was not shown: %s\n\n", mdQuotes(d.Says), shown, lost)
	}
	return b.String()
}

func mdQuotes(quotes []string) string {
	out := make([]string, len(quotes))
	for i, q := range quotes {
		out[i] = "“" + md(q) + "”"
	}
	return strings.Join(out, " … ")
}

func mdList(lines []string) string {
	var b strings.Builder
	for _, l := range lines {
		b.WriteString("- " + md(l) + "\n")
	}
	return b.String()
}

// mdQuestions is a line a question, with its sources if asked for.
func mdQuestions(p page, sources bool) string {
	var b strings.Builder
	if !sources {
		b.WriteString("Their sources are drawn in report.html.\n\n")
	}
	for _, d := range p.Moving {
		fmt.Fprintf(&b, "- <b>%s</b> %s: arm %s: %s. %s\n", md(d.QID), md(d.Question), md(d.Arm), md(d.Verdict), md(d.Cut))
		for _, s := range d.Sources {
			if !sources {
				break
			}
			fmt.Fprintf(&b, "  <br>%s: %s\n", md(s.Place), mdSource(s))
		}
	}
	if p.MovingNot > 0 {
		b.WriteString("- " + number(p.MovingNot) + " more in report.json\n")
	}
	return b.String()
}

// mdSource draws a source in one paragraph: evidence bold with its name, the
// cuts of the drawn placement as bars, what was not shown struck out.
func mdSource(s sourceText) string {
	if s.Gone {
		return "the text of this version is not there any more; it is not drawn"
	}
	var b strings.Builder
	for _, p := range s.Pieces {
		switch {
		case p.Cut != "" && p.Drawn:
			b.WriteString(" <b>▌" + md(p.Cut) + "▐</b> ")
		case p.Cut != "":
		default:
			text := md(p.Text)
			evidence, lost := strings.HasPrefix(p.Class, "e"), !strings.Contains(p.Class, "shown") && !s.Untraced
			before, text, after := edges(text)
			if text == "" {
				b.WriteString(before + after)
				continue
			}
			if lost && evidence {
				text = "<del>" + text + "</del>"
			}
			if evidence {
				text = "<b>" + text + "</b>"
			}
			b.WriteString(before + text + after)
			if p.Ends != "" {
				b.WriteString("<sup>" + md(p.Ends) + "</sup>")
			}
		}
	}
	return b.String()
}

// edges takes the blanks at the ends of a text off.
func edges(s string) (before, text, after string) {
	text = strings.Trim(s, " ")
	if text == "" {
		return s, "", ""
	}
	i := strings.Index(s, text)
	return s[:i], text, s[i+len(text):]
}

func mdTables(tables ...table) string {
	var b strings.Builder
	for _, t := range tables {
		if len(t.Rows) == 0 {
			continue
		}
		b.WriteString("<b>" + md(t.Caption) + "</b>\n\n|")
		for _, h := range t.Head {
			b.WriteString(" " + md(h) + " |")
		}
		b.WriteString("\n|")
		for _, h := range t.Heads() {
			if h.Figure {
				b.WriteString(" ---: |")
			} else {
				b.WriteString(" --- |")
			}
		}
		for _, row := range t.Rows {
			b.WriteString("\n|")
			for _, c := range row {
				b.WriteString(" " + mdCell(c) + " |")
			}
		}
		b.WriteString("\n\n")
		if t.Note != "" {
			b.WriteString("<sub>" + md(t.Note) + "</sub>\n\n")
		}
	}
	return b.String()
}

func mdCell(c cell) string {
	out := md(c.Text)
	for _, l := range strings.Split(c.Sub, "\n") {
		if l != "" {
			out += "<br><sub>" + md(l) + "</sub>"
		}
	}
	return out
}

// EscapeMarkdown is a text on one line as Markdown of GitHub that shows it and obeys
// nothing in it, in a paragraph or a cell of a table. It must not begin a line.
func EscapeMarkdown(s string) string { return md(s) }

// md is a text on one line as Markdown that shows it and obeys nothing in it: no
// mark-up, no HTML, no cell's end. What GitHub makes links of after that
// (@names, #numbers, GH-numbers, addresses, :emoji:) is broken by a zero-width
// space.
func md(s string) string {
	leading := s != "" && strings.TrimLeft(s[:1], " \n\t") == ""
	trailing := s != "" && strings.TrimRight(s[len(s)-1:], " \n\t") == ""
	s = line(s)
	var b strings.Builder
	if leading {
		b.WriteByte(' ')
	}
	rest := links.ReplaceAllStringFunc(s, func(m string) string {
		_, n := utf8.DecodeRuneInString(m)
		return m[:n] + "\u200b" + m[n:]
	})
	for _, r := range rest {
		switch r {
		case '\u200b':
			b.WriteString("&#8203;")
		case '<':
			b.WriteString("&lt;")
		case '>':
			b.WriteString("&gt;")
		case '&':
			b.WriteString("&amp;")
		case '|':
			b.WriteString("&#124;")
		case '$':
			b.WriteString("&#36;")
		case '\\', '`', '*', '_', '[', ']', '#', '~', '!':
			b.WriteString("\\" + string(r))
		default:
			b.WriteRune(r)
		}
	}
	if trailing && s != "" {
		b.WriteByte(' ')
	}
	return b.String()
}

// links are what GitHub links or replaces in finished text.
var links = regexp.MustCompile(`@|#[0-9]|(?i:\bgh-[0-9])|:[-+0-9a-z_]+:|://|(?i:\bwww\.)|(?i:\bmailto:)|(?i:\bxmpp:)`)
