package ci

import (
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"kerf/internal/release/gate"
	"kerf/internal/report"
)

// AnnotationLimit is how many annotations of a kind GitHub shows of a step.
const AnnotationLimit = 10

// Annotations writes workflow commands of GitHub: errors (warnings where the screen
// is not enforced) for what the verdict is made of, the gravest first; warnings;
// notices for questions that were lost within the tolerance, and for what the screen
// would miss. Of each kind AnnotationLimit at most: where there are more, the last
// one says how many. folder is where the project lies in its repository.
func Annotations(w io.Writer, g *gate.Gate, folder string) error {
	kinds := map[string][]string{}
	add := func(kind string, p gate.Place, title, message string) {
		var properties []string
		if p.File != "" && report.Escape(p.File) == p.File && utf8.ValidString(p.File) { // no control character reaches a log
			properties = append(properties, "file="+property(p.File), fmt.Sprintf("line=%d", p.Line))
		}
		properties = append(properties, "title="+property("kerf gate: "+title))
		kinds[kind] = append(kinds[kind], "::"+kind+" "+strings.Join(properties, ",")+"::"+escaped(message))
	}
	for _, n := range byGravity(notes(g, folder)) {
		add(map[string]string{"error": "error", "warning": "warning", "note": "notice"}[level(g, n)], n.Place, n.Title, n.Message)
	}
	for _, x := range g.Warnings {
		add("warning", gate.Place{}, show(x.Code), say(x.Message))
	}
	for _, m := range misses(g) {
		add("notice", gate.Place{}, "what the screen would miss", m)
	}
	var b strings.Builder
	for _, kind := range []string{"error", "warning", "notice"} {
		lines := kinds[kind]
		if n := len(lines) - (AnnotationLimit - 1); n > 1 {
			kinds[kind] = lines[:AnnotationLimit-1]
			add(kind, gate.Place{}, "more", fmt.Sprintf("%s more: %s has everything", report.Number(n), everything))
			lines = kinds[kind]
		}
		for _, l := range lines {
			b.WriteString(l + "\n")
		}
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// Ended writes the one annotation of a gate that ended before there was a verdict.
func Ended(w io.Writer, code int, why string) error {
	_, err := fmt.Fprintf(w, "::error title=%s::%s\n", property(fmt.Sprintf("kerf gate: no verdict, exit %d", code)), escaped(say(why)))
	return err
}

// escaped is the message of a workflow command, as GitHub's runner reads it.
func escaped(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(s)
}

// property is the value of a property of a workflow command.
func property(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C").Replace(s)
}
