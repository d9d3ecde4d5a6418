package ci

import (
	"encoding/xml"
	"io"
	"strings"

	"kerf/internal/release/gate"
)

// JUnit writes the screen as JUnit XML: a testcase for each measure, for what has to
// be comparable and complete, and for each lost question; those that were gained, or
// did not change, are none. folder is where the project lies in its repository.
//
// Readers of JUnit count testcases, so that a lost question is a failure only where
// it belongs to a regression, else skipped: it has no verdict of its own. What
// could not be compared is an error, which is no failure. Where the screen is not
// enforced everything of both is skipped, and says so. There is no time.
func JUnit(w io.Writer, g *gate.Gate, folder string) error {
	suite := junitSuite{Name: "kerf gate"}
	for i := range g.Screens {
		s := &g.Screens[i]
		if s.Verdict != gate.Pass { // a note has it
			continue
		}
		c := junitCase{Class: "kerf.gate", Name: screenName(s), Out: strings.Join(figures(g, s), ", ")}
		if v := of(g, s); v != gate.Pass {
			c.Skipped = &junitWhy{Message: string(v)}
		}
		suite.add(c)
	}
	for _, m := range g.Unmeasured {
		suite.add(junitCase{Class: "kerf.gate", Name: say(m), Skipped: &junitWhy{Message: "not measured"}})
	}
	for _, n := range notes(g, folder) {
		c := junitCase{Class: "kerf.gate", Name: n.Name, File: say(n.Place.File), Line: n.Place.Line}
		if n.Rule == ruleLost {
			c.Class = "kerf.gate.lost"
		}
		why := &junitWhy{Message: n.Message, Text: strings.Join(append([]string{n.Message, place(n.Place)}, places(n.Related)...), "\n")}
		switch {
		case !n.Judged:
			c.Skipped = &junitWhy{Message: n.Message}
		case !g.Enforced:
			c.Skipped = &junitWhy{Message: "not enforced: " + n.Message}
		case n.Rule == ruleRegression || n.Rule == ruleLost:
			why.Type = n.Rule
			c.Failure = why
		default:
			why.Type = n.Rule
			c.Error = why
		}
		suite.add(c)
	}
	suite.Out = sentence(g) + "\n" + strings.Join(misses(g), "\n")
	all := junitSuites{Name: suite.Name, junitCounts: suite.junitCounts, Suites: []junitSuite{suite}}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, xml.Header+string(text)+"\n")
	return err
}

type junitCounts struct {
	Tests    int `xml:"tests,attr"`
	Failures int `xml:"failures,attr"`
	Errors   int `xml:"errors,attr"`
}

type junitSuites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	junitCounts
	Suites []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name string `xml:"name,attr"`
	junitCounts
	Skipped int         `xml:"skipped,attr"`
	Cases   []junitCase `xml:"testcase"`
	Out     string      `xml:"system-out"`
}

type junitCase struct {
	Class   string    `xml:"classname,attr"`
	Name    string    `xml:"name,attr"`
	File    string    `xml:"file,attr,omitempty"`
	Line    int       `xml:"line,attr,omitempty"`
	Skipped *junitWhy `xml:"skipped"`
	Error   *junitWhy `xml:"error"`
	Failure *junitWhy `xml:"failure"`
	Out     string    `xml:"system-out,omitempty"`
}

type junitWhy struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr,omitempty"`
	Text    string `xml:",chardata"`
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	switch {
	case c.Failure != nil:
		s.Failures++
	case c.Error != nil:
		s.Errors++
	case c.Skipped != nil:
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func places(all []gate.Place) []string {
	out := make([]string, len(all))
	for i, p := range all {
		out[i] = place(p)
	}
	return out
}
