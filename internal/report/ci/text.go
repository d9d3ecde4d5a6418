package ci

import (
	"fmt"
	"io"
	"strings"

	"kerf/internal/release/gate"
	"kerf/internal/report"
)

// What the screen of a terminal lists of each kind; the rest is counted.
const (
	mostLost  = 5
	mostLines = 20
)

// Text writes the screen of kerf gate: one sentence with the verdict, one table, the
// first questions that were lost with their cause and their place, what the screen
// would miss, and what a reader must know. No line begins with a text of somebody
// else, so that no line is a command to a runner that reads it.
func Text(w io.Writer, g *gate.Gate) error {
	var b strings.Builder
	b.WriteString(sentence(g) + "\n" + about(g) + "\n")
	if g.Reason != "" {
		warnings(&b, g)
		_, err := io.WriteString(w, b.String())
		return err
	}
	b.WriteByte('\n')
	rows := [][]string{columns()}
	for i := range g.Screens {
		rows = append(rows, figures(g, &g.Screens[i]))
	}
	report.Columns(&b, rows)
	if len(g.Unmeasured) > 0 {
		b.WriteString("not measured: " + lists(g.Unmeasured) + "\n")
	}
	b.WriteByte('\n')
	capped(&b, g.Instrument, func(x gate.Instrument) string {
		return fmt.Sprintf("instrument %s: %s at the baseline, %s now", show(x.Name), show(x.Baseline), show(x.Candidate))
	})
	capped(&b, g.Gone, func(x gate.Gone) string { return fmt.Sprintf("gone %s: %s", show(x.QID), say(x.Why)) })
	capped(&b, g.Missing, func(x string) string { return "without a result: " + say(x) })
	lostText(&b, g)
	for _, m := range misses(g) {
		b.WriteString("what the screen would miss: " + m + "\n")
	}
	if len(g.Changed) > 0 {
		b.WriteString("what differs of the tested system: " + lists(g.Changed) + "\n")
	}
	warnings(&b, g)
	_, err := io.WriteString(w, b.String())
	return err
}

func warnings(b *strings.Builder, g *gate.Gate) {
	for _, x := range g.Warnings {
		fmt.Fprintf(b, "warning %s: %s\n", show(x.Code), say(x.Message))
	}
}

func lostText(b *strings.Builder, g *gate.Gate) {
	lost := changes(g, "lost")
	fmt.Fprintf(b, "lost at the ordinary cuts: %s; gained: %d\n", counted(len(lost), "question"), len(changes(g, "gained")))
	if len(lost) == 0 {
		return
	}
	rows := [][]string{{"", "question", "label", "evidence", "cause"}}
	for i := range lost[:min(mostLost, len(lost))] {
		c := &lost[i]
		rows = append(rows, []string{"lost", report.Clip(show(c.QID), 40), place(c.Label), evidence(c), cause(c)})
	}
	report.Columns(b, rows)
	if n := len(lost) - mostLost; n > 0 {
		fmt.Fprintf(b, "… and %s more in %s\n", report.Number(n), everything)
	}
}

// capped writes the first of many lines, and how many there are more.
func capped[T any](b *strings.Builder, all []T, line func(T) string) {
	for i, x := range all {
		if i == mostLines {
			fmt.Fprintf(b, "… and %s more in %s\n", report.Number(len(all)-i), everything)
			return
		}
		b.WriteString(line(x) + "\n")
	}
}
