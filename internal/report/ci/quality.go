package ci

import (
	"io"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"kerf/internal/release/gate"
	"kerf/internal/report"
)

// CodeQuality writes what the screen has to say as GitLab's code quality report: a
// list, empty where every measure passed and no question was lost. folder is where
// the project lies in its repository. Fingerprints are of what an entry is about, so
// that GitLab tells what is new in a merge request.
func CodeQuality(w io.Writer, g *gate.Gate, folder string) error {
	all := []quality{}
	for _, n := range notes(g, folder) {
		q := quality{Description: n.Message, Check: n.Rule, Fingerprint: n.fingerprint(), Severity: severity(g, n)}
		q.Location.Path, q.Location.Lines.Begin = strings.ToValidUTF8(n.Place.File, "\ufffd"), n.Place.Line
		all = append(all, q)
	}
	text, err := json.Marshal(all, jsontext.Multiline(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	_, err = io.WriteString(w, report.EscapeJSON(string(text))+"\n")
	return err
}

// severity is in GitLab's words: a lost question weighs less than the measure that
// it is lost from.
func severity(g *gate.Gate, n note) string {
	switch {
	case !n.Judged:
		return "info"
	case !g.Enforced:
		return "minor"
	case n.Rule == ruleLost:
		return "major"
	}
	return "critical"
}

type quality struct {
	Description string `json:"description"`
	Check       string `json:"check_name"`
	Fingerprint string `json:"fingerprint"`
	Severity    string `json:"severity"`
	Location    struct {
		Path  string `json:"path"`
		Lines struct {
			Begin int `json:"begin"`
		} `json:"lines"`
	} `json:"location"`
}
