// Package ci renders gate/1 (docs/format/gate.md) for those who read it: a terminal
// (Text), a pull request and a job's summary (Markdown), and the files and lines
// that CI systems take (JUnit, SARIF, Annotations, CodeQuality, Outputs);
// docs/format/ci.md.
//
// One story is told by all of them, in the words of this file. gate/1 holds no text
// of a question or a document, and neither does anything here: identifiers, names of
// files, and lines.
package ci

import (
	"fmt"
	"math"
	"math/big"
	"strconv"
	"strings"

	"kerf/internal/release/gate"
	"kerf/internal/report"
	"kerf/internal/stats"
)

// everything is where all that a rendering leaves out can be read.
const everything = "kerf gate --json"

// project is the file that every project has: the place of what has no other.
const project = "kerf.yaml"

// named is how wide a name of somebody else may be, in columns.
const named = 120

// show is a text of somebody else on one line of a log: its control characters
// appear as the names of their code points, and it holds no "##[command]", which
// the runners of GitHub and Azure obey anywhere in a line.
func show(s string) string { return report.Clip(s, named) }

// say is show for a sentence, whose length is no concern.
func say(s string) string { return report.Clip(s, math.MaxInt) }

// verdict is the whole in capitals, and whether it counts: a regression that is
// not enforced never reads as a pass.
func verdict(g *gate.Gate) string { return enforced(g, g.Verdict) }

func enforced(g *gate.Gate, v gate.Verdict) string {
	text := capitals(v)
	if !g.Enforced {
		text += " (not enforced)"
	}
	return text
}

func capitals(v gate.Verdict) string {
	switch v {
	case gate.Pass:
		return "PASS"
	case gate.Regression:
		return "REGRESSION"
	case gate.Incomplete:
		return "RAN ONLY IN PART"
	case gate.NotComparable:
		return "NOT COMPARABLE"
	}
	panic("BUG: a gate of verdict " + strconv.Quote(string(v)))
}

// of is the verdict on one measure: none passes and none is a regression where the
// two sides are not comparable.
func of(g *gate.Gate, s *gate.Screen) gate.Verdict {
	if g.Verdict == gate.NotComparable {
		return g.Verdict
	}
	return s.Verdict
}

// sentence is the verdict and why it is what it is.
func sentence(g *gate.Gate) string { return verdict(g) + ": " + reasons(g) }

func reasons(g *gate.Gate) string {
	var why []string
	switch g.Verdict {
	case gate.NotComparable:
		if g.Reason != "" {
			why = append(why, say(g.Reason))
		}
		if n := len(g.Instrument); n > 0 {
			why = append(why, fmt.Sprintf("the measuring instrument differs in %s", counted(n, "setting")))
		}
		if n := len(g.Gone); n > 0 {
			why = append(why, counted(n, "question of the baseline is", "questions of the baseline are")+" not asked any more")
		}
	case gate.Incomplete:
		for i, x := range g.Missing {
			if i == 1 {
				why = append(why, fmt.Sprintf("%s more without a result", report.Number(len(g.Missing)-1)))
				break
			}
			why = append(why, say(x))
		}
	case gate.Pass:
		for i := range g.Screens[:min(1, len(g.Screens))] {
			why = append(why, "no measure fell by more than its tolerance; "+screenName(&g.Screens[i])+" "+difference(&g.Screens[i]))
		}
	}
	for i := range g.Screens {
		if s := &g.Screens[i]; s.Verdict == g.Verdict && s.Verdict != gate.Pass {
			why = append(why, screenSays(s))
		}
	}
	if why == nil {
		why = append(why, "nothing was screened")
	}
	if len(why) > 3 {
		why = append(why[:3], fmt.Sprintf("and %d more", len(why)-3))
	}
	return strings.Join(why, "; ") + "."
}

// screenSays is a measure that did not pass, with its figures and the reason.
func screenSays(s *gate.Screen) string {
	text := screenName(s)
	if s.Drop != "" {
		text += " " + difference(s)
	}
	if s.Why != "" {
		text += ": " + say(s.Why)
	}
	return text
}

// about is what was held against what.
func about(g *gate.Gate) string {
	if g.Reason != "" {
		return "nothing is compared"
	}
	text := fmt.Sprintf("compared: %s with %s", side(g.Candidate), side(g.Baseline))
	if len(g.Screens) > 0 {
		text += fmt.Sprintf("; %s of the %s sample on both sides", counted(g.Screens[0].Baseline.Den, "question"), show(g.Sample))
	}
	return text + ", " + counted(g.Placements, "placement of the cuts", "placements of the cuts")
}

func side(s gate.Side) string {
	text := show(s.Name) + " (arm " + show(s.Arm)
	if s.Kerf != "" {
		text += ", kerf " + show(s.Kerf)
	}
	return text + ")"
}

// screenName is a measure as people read it: support is "whole evidence".
func screenName(s *gate.Screen) string {
	name := "measure " + show(s.Measure)
	switch s.Measure {
	case "support":
		name = "whole evidence" + map[string]string{"all": ", all placements", "ordinary": ", ordinary cuts"}[s.Placement]
	case "mrr":
		name = "mrr"
	}
	if s.Segment != "" {
		name += ", segment " + show(s.Segment)
	}
	return name
}

// columns are the heads of a row of figures.
func columns() []string {
	return []string{"measure", "baseline", "now", "difference", "tolerance", "lost", "gained", "95 % CI, points", "verdict"}
}

// figures is one measure. Its interval is information: the tolerance decides.
func figures(g *gate.Gate, s *gate.Screen) []string {
	interval := stats.NotMeasured
	if v := s.CI; v.Measured {
		interval = signed(v.Value.Lo) + " to " + signed(v.Value.Hi)
	}
	tolerance := inQuestions(s.Tolerance, s.Baseline.Den)
	if s.Floor != "" {
		if r, ok := new(big.Rat).SetString(s.Floor); ok {
			tolerance += "; floor " + r.FloatString(3)
		}
	}
	return []string{screenName(s), report.Mean(s.Baseline), report.Mean(s.Candidate), difference(s), tolerance,
		strconv.Itoa(s.Lost), strconv.Itoa(s.Gained), interval, strings.ToLower(capitals(of(g, s)))}
}

// difference is how the measure changed, in questions and in points.
func difference(s *gate.Screen) string {
	drop, ok := new(big.Rat).SetString(s.Drop)
	if !ok {
		return stats.NotMeasured
	}
	n := s.Baseline.Den - s.Baseline.Missing
	return report.Difference(stats.Sum{Sum: drop.Mul(drop, big.NewRat(-int64(n), 1)), Den: n})
}

// inQuestions is a share of n questions, as questions and as points: "2.5/46 = 5.4
// points".
func inQuestions(share string, n int) string {
	r, ok := new(big.Rat).SetString(share)
	if !ok {
		return stats.NotMeasured
	}
	times := func(n int) string { return new(big.Rat).Mul(r, big.NewRat(int64(n), 1)).FloatString(1) }
	return fmt.Sprintf("%s/%d = %s points", times(n), n, times(100))
}

// signed is a share in points, with its sign.
func signed(f float64) string { return fmt.Sprintf("%+.1f", 100*f) }

// points is a share in points, to the tenth that gate.Misses has.
func points(f float64) string { return strconv.FormatFloat(math.Round(1000*f)/10, 'f', -1, 64) }

// misses is what a screen does not see, a sentence for all measures that share it.
func misses(g *gate.Gate) []string {
	var says []string
	names := map[string][]string{}
	for i := range g.Screens {
		s := &g.Screens[i]
		if s.Misses == nil {
			continue
		}
		m := s.Misses
		text := fmt.Sprintf("at %s it passes a true loss of %s points half the time, %s one time in six; even with nothing lost it excludes no true loss below %s points",
			counted(m.Questions, "question"), points(m.Half), points(m.Sixth), points(m.Provable))
		if names[text] == nil {
			says = append(says, text)
		}
		names[text] = append(names[text], screenName(s))
	}
	for i, text := range says {
		says[i] = strings.Join(names[text], " and ") + ": " + text
	}
	return says
}

// changes are the questions that were lost, or gained.
func changes(g *gate.Gate, kind string) []gate.Change {
	var out []gate.Change
	for _, c := range g.Changes {
		if c.Change.Change == kind {
			out = append(out, c)
		}
	}
	return out
}

// cause is what became of a lost question's evidence.
func cause(c *gate.Change) string {
	s := c.Candidate
	text := "no cause is known"
	if s.Cause != "" {
		text = say(s.Cause)
	}
	switch {
	case s.WholeAt == nil:
	case *s.WholeAt == 0:
		text += "; never whole among the ranked hits"
	case *s.WholeAt == 1:
		text += "; whole with the first hit"
	default:
		text += fmt.Sprintf("; whole with the first %s hits", report.Number(*s.WholeAt))
	}
	if c.Baseline.Placements+s.Placements > 2 {
		text += fmt.Sprintf(" (placements: whole at %d of %d, then %d of %d)", c.Baseline.Hits, c.Baseline.Placements, s.Hits, s.Placements)
	}
	return text
}

// place is a line of a file as people write it.
func place(p gate.Place) string {
	switch {
	case p.File == "":
		return "not known"
	case p.Line == 0:
		return show(p.File)
	}
	return show(p.File) + ":" + strconv.Itoa(p.Line)
}

// evidence is the first place of a question's evidence, and how many there are.
func evidence(c *gate.Change) string {
	if len(c.Evidence) == 0 {
		return "not known"
	}
	text := place(c.Evidence[0])
	if n := len(c.Evidence) - 1; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	return text
}

// lists are names of somebody else, one after the other.
func lists(names []string) string {
	shown := make([]string, len(names))
	for i, name := range names {
		shown[i] = show(name)
	}
	return strings.Join(shown, ", ")
}

// repair is the command that makes both sides comparable, for a shell.
func repair(g *gate.Gate) string {
	words := []string{"kerf"}
	for _, w := range g.Repair {
		words = append(words, report.Quote(w))
	}
	return strings.Join(words, " ")
}

// counted is n with its noun; many is one with an s unless it is given.
func counted(n int, one string, many ...string) string {
	noun := one + "s"
	if n == 1 {
		noun = one
	} else if len(many) > 0 {
		noun = many[0]
	}
	return report.Number(n) + " " + noun
}
