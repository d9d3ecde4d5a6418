package ci

import (
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"kerf/internal/release/gate"
	"kerf/internal/report"
)

// ResultLimit is how many results GitHub shows of a SARIF file.
const ResultLimit = 5_000

// SARIF writes the screen as SARIF 2.1.0 (OASIS): a result for each measure that did
// not pass, for what differs, is missing or gone, and for each lost question. folder
// is where the project lies in its repository.
//
// More than ResultLimit results are cut by whole sections from the end; a
// notification of the invocation says which. Fingerprints are of what a result is
// about, not of its line.
func SARIF(w io.Writer, g *gate.Gate, folder string) error {
	kept, cut := fitting(notes(g, folder))
	notices := []sarifNotification{}
	for _, c := range cut {
		notices = append(notices, sarifNotification{"warning", sarifText(fmt.Sprintf("left out, since only %s results are shown: %s (%s); %s has everything", report.Number(ResultLimit), c.section, report.Number(c.entries), everything))})
	}
	for _, x := range g.Warnings {
		notices = append(notices, sarifNotification{"warning", sarifText(show(x.Code) + ": " + say(x.Message))})
	}
	results := []sarifResult{}
	for _, n := range kept {
		r := sarifResult{RuleID: n.Rule, RuleIndex: ruleIndex(n.Rule), Level: level(g, n), Message: sarifText(n.Message), Locations: []sarifLocation{location(n.Place)},
			Fingerprints: map[string]string{"primaryLocationLineHash": n.fingerprint()}}
		for _, p := range n.Related {
			r.Related = append(r.Related, location(p))
		}
		results = append(results, r)
	}
	log := sarifLog{Schema: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/os/schemas/sarif-schema-2.1.0.json", Version: "2.1.0", Runs: []sarifRun{{
		Tool:        sarifTool{sarifDriver{"kerf", sarifVersion(g), sarifRules()}},
		Invocations: []sarifInvocation{{g.Verdict != gate.Incomplete, g.Exit, notices}},
		Results:     results,
	}}}
	text, err := json.Marshal(log, jsontext.Multiline(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	_, err = w.Write(append(text, '\n'))
	return err
}

type leftOff struct {
	section string
	entries int
}

// fitting are the notes of the first sections that have room together, and the
// sections that have none.
func fitting(all []note) (kept []note, cut []leftOff) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].Section == all[0].Section {
			n++
		}
		if cut == nil && len(kept)+n <= ResultLimit {
			kept = append(kept, all[:n]...)
		} else {
			cut = append(cut, leftOff{all[0].Section, n})
		}
		all = all[n:]
	}
	return kept, cut
}

// level is how grave a note is: an error only where the screen is enforced.
func level(g *gate.Gate, n note) string {
	switch {
	case !n.Judged:
		return "note"
	case g.Enforced:
		return "error"
	}
	return "warning"
}

func location(p gate.Place) sarifLocation {
	var l sarifLocation
	l.Physical.Artifact = sarifArtifact{uri(p.File), "%SRCROOT%"}
	l.Physical.Region.StartLine = p.Line
	return l
}

// uri is a path of the repository as a relative reference (RFC 3986): every byte but
// the unreserved ones and "/" is percent-encoded.
func uri(file string) string {
	var b strings.Builder
	for _, c := range []byte(file) {
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || strings.IndexByte("-._~/", c) >= 0 {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}

// sarifText is a message in which nothing is a link or a placeholder (SARIF 2.1.0,
// 3.11.5 and 3.11.6).
func sarifText(s string) sarifMessage {
	return sarifMessage{strings.NewReplacer("](", "] (", "{", "{{", "}", "}}").Replace(s)}
}

func sarifVersion(g *gate.Gate) string { return say(g.Candidate.Kerf) }

func sarifRules() []sarifRule {
	rule := func(id, short, full, help string) sarifRule {
		return sarifRule{id, sarifMessage{short}, sarifMessage{full}, sarifMessage{help}}
	}
	return []sarifRule{
		rule(ruleRegression, "A measure fell by more than its tolerance, or below its floor",
			"The screen compares the measure with its baseline on the same questions, by exact fractions.",
			"Look at the lost questions. A screen is an alarm and no proof: kerf diff has the interval."),
		rule(ruleLost, "A question lost evidence that was whole",
			"At the ordinary cuts the baseline has a whole set of this question's evidence in its context, and the candidate has none.",
			"kerf explain QID shows what became of each piece of it."),
		rule(ruleNotComparable, "The two sides cannot be compared",
			"The measuring instrument differs between the two sides, or a question of the baseline is not asked any more.",
			"A person decides: merge that change by itself, or accept a baseline file with a reason."),
		rule(ruleIncomplete, "Something has no result",
			"A measure with missing results never passes, and a missing result is no miss.",
			"Run kerf gate again: it goes on where it ended."),
	}
}

func ruleIndex(id string) int {
	for i, r := range sarifRules() {
		if r.ID == id {
			return i
		}
	}
	panic("BUG: no rule " + id)
}

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool        sarifTool         `json:"tool"`
	Invocations []sarifInvocation `json:"invocations"`
	Results     []sarifResult     `json:"results"`
}

type sarifTool struct {
	Driver sarifDriver `json:"driver"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version,omitzero"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID    string       `json:"id"`
	Short sarifMessage `json:"shortDescription"`
	Full  sarifMessage `json:"fullDescription"`
	Help  sarifMessage `json:"help"`
}

type sarifMessage struct {
	Text string `json:"text"`
}

type sarifInvocation struct {
	Successful bool                `json:"executionSuccessful"`
	Exit       int                 `json:"exitCode"`
	Notices    []sarifNotification `json:"toolExecutionNotifications"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifMessage      `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations,omitzero"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical struct {
		Artifact sarifArtifact `json:"artifactLocation"`
		Region   struct {
			StartLine int `json:"startLine"`
		} `json:"region"`
	} `json:"physicalLocation"`
}

type sarifArtifact struct {
	URI  string `json:"uri"`
	Base string `json:"uriBaseId"`
}
