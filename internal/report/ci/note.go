package ci

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"path"
	"slices"
	"strings"

	"kerf/internal/release/gate"
	"kerf/internal/report"
)

// The rules of a note, the gravest first.
const (
	ruleNotComparable = "kerf/not-comparable"
	ruleIncomplete    = "kerf/incomplete"
	ruleRegression    = "kerf/regression"
	ruleLost          = "kerf/lost-question"
)

// note is one thing that the screen has to say about a line of the repository.
type note struct {
	Rule    string
	Section string // as it is named where it is left out
	Name    string // of its testcase: the same whatever the verdict
	Title   string
	Message string
	Place   gate.Place   // in the repository
	Related []gate.Place // more places
	Judged  bool         // part of a verdict other than pass; else information
	id      string       // what it is about, the same in every run
}

// notes are all that a screen has to say, measures first, then what differs, what is
// missing or gone, and the questions that were lost. folder is where the project
// lies in its repository.
func notes(g *gate.Gate, folder string) []note {
	var all []note
	add := func(n note, id ...string) {
		n.id = strings.Join(append([]string{n.Rule}, id...), "\x00")
		if n.Place.File == "" {
			n.Place = gate.Place{File: path.Join(folder, project), Line: 1}
		}
		if n.Name == "" {
			n.Name = n.Title
		}
		all = append(all, n)
	}
	for i := range g.Screens {
		s := &g.Screens[i]
		if s.Verdict != gate.Pass {
			add(note{Rule: rule(of(g, s)), Section: "measures", Name: screenName(s), Title: enforced(g, of(g, s)) + ": " + screenName(s), Message: screenSays(s), Judged: true},
				s.Measure, s.Segment, s.View, s.Placement)
		}
	}
	if g.Reason != "" {
		add(note{Rule: ruleNotComparable, Section: "reasons", Title: "nothing to compare with", Message: say(g.Reason) + toRepair(g), Judged: true}, "reason")
	}
	for _, x := range g.Instrument {
		add(note{Rule: ruleNotComparable, Section: "settings of the instrument", Title: "the measuring instrument differs: " + show(x.Name), Judged: true,
			Message: show(x.Name) + " is " + show(x.Baseline) + " at the baseline, " + show(x.Candidate) + " now" + toRepair(g)}, "instrument", x.Name)
	}
	for _, x := range g.Missing {
		add(note{Rule: ruleIncomplete, Section: "things without a result", Name: "without a result: " + show(x), Title: "without a result", Message: say(x), Judged: true}, "missing", x)
	}
	for _, x := range g.Gone {
		add(note{Rule: ruleNotComparable, Section: "questions that are gone", Title: "question " + show(x.QID) + " is gone", Judged: true,
			Message: "question " + show(x.QID) + " of the baseline is not asked any more: " + say(x.Why) + toRepair(g)}, "gone", x.QID)
	}
	lost := changes(g, "lost")
	for i := range lost {
		c := &lost[i]
		n := note{Rule: ruleLost, Section: "lost questions", Title: "lost question " + show(c.QID), Judged: judges(g, c), Message: lostSays(g, c)}
		for _, p := range append([]gate.Place{c.Label}, c.Evidence...) {
			if p = within(folder, p); p.File == "" || p == n.Place || slices.Contains(n.Related, p) {
				continue
			} else if n.Place.File == "" {
				n.Place = p
			} else {
				n.Related = append(n.Related, p)
			}
		}
		add(n, c.QID, c.View)
	}
	return all
}

// lostSays is what became of a lost question, and what it means.
func lostSays(g *gate.Gate, c *gate.Change) string {
	text := "the evidence of question " + show(c.QID) + " is not whole any more: " + cause(c) + "; evidence at " + evidence(c)
	if !judges(g, c) {
		text += "; information: no verdict rests on it"
	}
	return text
}

// judges says that a lost question belongs to a regression of whole evidence.
func judges(g *gate.Gate, c *gate.Change) bool {
	return slices.ContainsFunc(g.Screens, func(s gate.Screen) bool {
		return of(g, &s) == gate.Regression && s.View == c.View && (s.Segment == "" || s.Segment == c.Segment)
	})
}

func toRepair(g *gate.Gate) string {
	if len(g.Repair) == 0 {
		return ""
	}
	return "; comparable again with: " + report.Escape(repair(g))
}

func rule(v gate.Verdict) string {
	switch v {
	case gate.NotComparable:
		return ruleNotComparable
	case gate.Incomplete:
		return ruleIncomplete
	}
	return ruleRegression
}

// byGravity are notes with the gravest first.
func byGravity(all []note) []note {
	order := []string{ruleNotComparable, ruleIncomplete, ruleRegression, ruleLost}
	gravity := func(n note) int { return slices.Index(order, n.Rule) }
	return slices.SortedStableFunc(slices.Values(all), func(a, b note) int { return cmp.Compare(gravity(a), gravity(b)) })
}

// fingerprint names what a note is about: 128 bits, the same in every run that has
// the same to say, wherever its lines have gone.
func (n note) fingerprint() string {
	sum := sha256.Sum256([]byte(n.id))
	return hex.EncodeToString(sum[:16])
}

// within is a place of the project as a place of its repository; none where the file
// lies outside of it.
func within(folder string, p gate.Place) gate.Place {
	file := path.Join(folder, p.File)
	if p.File == "" || path.IsAbs(p.File) || file == "." || file == ".." || strings.HasPrefix(file, "../") {
		return gate.Place{}
	}
	return gate.Place{File: file, Line: max(1, p.Line)}
}
