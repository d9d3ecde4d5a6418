package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"kerf/internal/study/compare"
	"kerf/internal/text/span"
)

// Style is how a terminal wants its text.
type Style struct {
	Width  int  // columns; 0: 100
	Colour bool // ANSI colours
}

const maxArms, maxFlags = 24, 5 // what a first screen holds

// Text writes the first screen of a run: one sentence, one table, one cut drawn,
// what was not counted. Overlays may be nil: the cut is then named, not drawn.
// The command to go on with is Next.
func Text(w io.Writer, r *compare.Report, overlays []compare.Overlay, style Style) error {
	if style.Width <= 0 {
		style.Width = 100
	}
	s := tell(r)
	var b strings.Builder
	out := func(indent, text string) { b.WriteString(wrap(text, style.Width, indent) + "\n") }
	b.WriteString(style.bold(wrap(s.sentence(), style.Width, "")) + "\n")
	for i, f := range s.flags() {
		if i == maxFlags {
			out("  ", plural(len(s.flags())-maxFlags, "more flag in report.html", "more flags in report.html"))
			break
		}
		b.WriteString(style.red(wrap(f, style.Width, "  ")) + "\n")
	}
	if s.questions() > 0 {
		b.WriteByte('\n')
		style.table(&b, s)
		out("", legend(s))
		for _, apart := range s.apart() {
			out("  ", apart)
		}
		b.WriteByte('\n')
		style.worst(&b, s, overlays)
	}
	if held := s.heldOut(); held != "" {
		out("  ", held)
	}
	not := s.notCounted()
	if len(not) == 0 {
		not = []string{"nothing"}
	}
	out("  ", "not counted: "+strings.Join(not, " · ")+" · "+s.asked())
	out("  ", s.identity())
	_, err := io.WriteString(w, b.String())
	return err
}

// table writes one row an arm.
func (st Style) table(b *strings.Builder, s story) {
	rows := [][]string{{"arm", "whole evidence", "come and go", "tokens", "fails most on"}}
	for i := range s.Arms {
		a := &s.Arms[i]
		v := &a.Views.Budget
		whole := fraction(v.Ordinary())
		if lo, hi, ok := extremes(v); ok && !a.IsControl() {
			whole += fmt.Sprintf(" (%d ... %d)", lo.Support.Num, hi.Support.Num)
		}
		tokens := "not measured"
		if v.ContextTokens.Measured {
			tokens = number(v.ContextTokens.Value.P50)
		}
		rows = append(rows, []string{clip(line(called(a)), 24), whole, flips(v.Flips), tokens, s.failsMost(a)})
	}
	if last := len(rows[0]) - 1; !slices.ContainsFunc(rows[1:], func(row []string) bool { return row[last] != "" }) {
		for i := range rows {
			rows[i] = rows[i][:last]
		}
	}
	hidden := max(0, len(rows)-1-maxArms)
	rows = rows[:len(rows)-hidden]
	widths := make([]int, len(rows[0]))
	for _, row := range rows {
		for i, cell := range row {
			widths[i] = max(widths[i], columns(cell))
		}
	}
	for i, row := range rows {
		var l strings.Builder
		for j, cell := range row {
			if j > 0 {
				l.WriteString("  ")
			}
			l.WriteString(pad(cell, widths[j], j == 2 || j == 3))
		}
		text := clip(strings.TrimRight(l.String(), " "), st.Width)
		if i == 0 {
			text = st.dim(text)
		}
		b.WriteString(text + "\n")
	}
	if hidden > 0 {
		fmt.Fprintf(b, "%s in report.html\n", plural(hidden, "more arm", "more arms"))
	}
}

// legend says what the columns are over.
func legend(s story) string {
	text := plural(s.questions(), "answerable question", "answerable questions") + ", " + resolution(s.questions()) +
		". whole evidence: at the ordinary cuts (lowest ... highest placement of the cuts; " + stress + "). tokens: median"
	var contexts []int // arms differ in placements, and in searches that failed
	for i := range s.Arms {
		if v := &s.Arms[i].Views.Budget.ContextTokens; v.Measured {
			contexts = append(contexts, v.Value.Den)
		}
	}
	if len(contexts) > 0 {
		text += " of "
		if least, most := slices.Min(contexts), slices.Max(contexts); least < most {
			text += number(least) + " to " + number(most) + " contexts an arm"
		} else {
			text += number(most) + " contexts"
		}
	}
	text += fmt.Sprintf(", %s allowed.", number(s.Budget.Tokens))
	for i := range s.Arms {
		if s.Arms[i].IsControl() {
			text += " " + line(s.Arms[i].Arm) + ": unshifted control, 1 placement, counted once."
		}
	}
	return text + " " + sensitivity
}

// worst names the first question of the list and draws its cut.
func (st Style) worst(b *strings.Builder, s story, overlays []compare.Overlay) {
	if len(s.WorstQuestions) == 0 {
		b.WriteString("worst: none listed\n")
		return
	}
	q := &s.WorstQuestions[0]
	head := "worst: " + clip(line(q.QID), 24)
	if q.Question != "" {
		head += ` "` + clip(line(q.Question), max(20, st.Width-columns(head)-3)) + `"`
	}
	b.WriteString(head + "\n")
	text := fmt.Sprintf("whole in %d of %s, arm %s; ", q.Hits, plural(q.Phases, "placement", "placements"), clip(line(q.Arm), 24))
	if q.Cut == nil {
		text += fmt.Sprintf("no cut inside its evidence at placement %s: a chunk that holds it was not shown", line(q.Label))
	} else {
		text += fmt.Sprintf("cut at placement %s:", line(q.Label))
	}
	b.WriteString("  " + wrap(text, st.Width-2, "  ") + "\n")
	var lost []string
	drawn := q.Cut == nil
	for i := range overlays {
		o := &overlays[i]
		if o.QID != q.QID || o.Arm != q.Arm {
			continue
		}
		if !drawn && !o.Gone && o.Doc == q.Cut.Doc && o.Offset <= q.Cut.Start && q.Cut.End <= o.Offset+len(o.Text) {
			st.draw(b, q.Cut, o)
			drawn = true
		}
		for _, gap := range unshown(q, o) {
			lost = append(lost, line(excerpt(o, gap)))
		}
	}
	if !drawn {
		fmt.Fprintf(b, "  %s  bytes [%d,%d) are cut at byte %d\n", st.dim(place(q.Cut)), q.Cut.Start, q.Cut.End, q.Cut.At)
	}
	if len(lost) > 0 {
		fmt.Fprintf(b, "  not shown to the model: %s\n", clip(strings.Join(lost, " … "), st.Width-26))
	}
}

// place is where a cut is, short enough for its line.
func place(cut *compare.Cut) string {
	short := *cut
	short.Doc, short.Page = clip(line(cut.Doc), 40), clip(line(cut.Page), 20)
	return short.Place()
}

// draw writes the evidence with its cut, clipped around it.
func (st Style) draw(b *strings.Builder, cut *compare.Cut, o *compare.Overlay) {
	at := min(max(cut.At, cut.Start), cut.End) - o.Offset
	where := place(cut)
	room := max(20, st.Width-columns(where)-7)
	left := line(excerpt(o, span.Span{Start: cut.Start - o.Offset, End: at}))
	right := line(excerpt(o, span.Span{Start: at, End: cut.End - o.Offset}))
	if columns(left)+columns(right) > room {
		left = clipLeft(left, max(room/2, room-columns(right)))
		right = clip(right, room-columns(left))
	}
	fmt.Fprintf(b, "  %s  %s %s %s\n", st.dim(where), st.underline(left), st.red("|"), st.underline(right))
}

func (st Style) paint(code, s string) string {
	if !st.Colour || s == "" {
		return s
	}
	return "\x1b[" + code + "m" + s + "\x1b[0m"
}

func (st Style) bold(s string) string      { return st.paint("1", s) }
func (st Style) dim(s string) string       { return st.paint("2", s) }
func (st Style) red(s string) string       { return st.paint("31", s) }
func (st Style) underline(s string) string { return st.paint("4", s) }
