package report

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"kerf/internal/study/sweep"
)

// Explain writes one question's way through every placement of an arm: the
// verdict, what was packed, and of each span of its evidence where it went; then
// the source with its spans and cuts.
func Explain(w io.Writer, x *sweep.Explanation, sources []Source) error {
	var b strings.Builder
	hits := 0
	for _, p := range x.Placements {
		if p.Support {
			hits++
		}
	}
	fmt.Fprintf(&b, "%s %q\n", line(x.QID), line(x.Question))
	if x.Answer != "" {
		fmt.Fprintf(&b, "  the answer contract: %s\n", line(x.Answer))
	}
	fmt.Fprintf(&b, "  arm %s: whole evidence in %d of %d placements of the cuts", line(x.Arm), hits, len(x.Placements))
	if !x.Feasible {
		b.WriteString("; no set of its evidence fits the budget")
	}
	b.WriteString("\n\n")
	rows := [][]string{{"placement", "first cut", "whole", "strict", "top k", "units", "tokens", "what became of the evidence"}}
	for _, p := range append(slices.Clip(x.Placements), x.Aimed...) {
		var ways []string
		for _, e := range p.Evidence {
			way := fmt.Sprintf("%s: ", line(e.Span))
			if p.Evidence[len(p.Evidence)-1].Set > 1 {
				way = fmt.Sprintf("%d.%s: ", e.Set, line(e.Span))
			}
			if e.Covered {
				way += "shown (" + ranks(e.Chunks) + ")"
			} else {
				way += line(e.Cause)
			}
			ways = append(ways, way)
		}
		rows = append(rows, []string{line(p.Label), fmt.Sprint(p.FirstCut), yes(p.Support), yes(p.Strict), yes(p.TopK), fmt.Sprint(p.Units), fmt.Sprint(p.Tokens), strings.Join(ways, "; ")})
	}
	Columns(&b, rows)
	b.WriteString("whole: every span of some set is shown under the budget, white space bridged; strict: nothing bridged; top k: by the first k raw hits.\n")
	if len(x.Aimed) > 0 {
		b.WriteString("target: a cut aimed at the evidence; these placements stand in no count above.\n")
	}
	for _, s := range sources {
		b.WriteString("\n" + s.draw())
	}
	_, err := io.WriteString(w, b.String())
	return err
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// ranks are the ranks of the chunks that hold a span.
func ranks(chunks []sweep.Piece) string {
	var out []string
	for _, c := range chunks {
		if c.Rank > 0 {
			out = append(out, fmt.Sprint(c.Rank))
		}
	}
	if len(out) == 0 {
		return "no rank"
	}
	return "rank " + strings.Join(out, " + ")
}

// Source is a piece of a document with spans and cuts, in bytes of Text.
type Source struct {
	Place string // path:line
	Text  string
	Marks []Mark // sorted by At; at one place in the order given
}

// Mark is something to draw before the byte At: "[rule: ", "]", "|3/8|".
type Mark struct {
	At   int
	Text string
}

func (s Source) draw() string {
	var b strings.Builder
	b.WriteString(line(s.Place) + "\n")
	at := 0
	var text strings.Builder
	for _, m := range s.Marks {
		text.WriteString(s.Text[at:m.At] + unbroken(m.Text))
		at = m.At
	}
	text.WriteString(s.Text[at:])
	for _, l := range strings.Split(Escape(text.String()), "\n") {
		b.WriteString("  " + l + "\n")
	}
	return b.String()
}
