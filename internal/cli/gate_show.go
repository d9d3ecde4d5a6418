package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/release/gate"
	"kerf/internal/report"
	"kerf/internal/report/ci"
)

// gateKinds are the files that gate writes, the longer endings first.
var gateKinds = []string{".junit.xml", ".sarif", ".codequality.json", ".json", ".md"}

// gateFile writes one kind of file.
func gateFile(w io.Writer, kind string, g *gate.Gate, folder string) error {
	switch kind {
	case ".junit.xml":
		return ci.JUnit(w, g, folder)
	case ".sarif":
		return ci.SARIF(w, g, folder)
	case ".codequality.json":
		return ci.CodeQuality(w, g, folder)
	case ".md":
		return ci.Markdown(w, g, ci.CommentLimit)
	}
	return writeJSON(w, g)
}

// gateShow prints a gate, writes the -o files, and tells the CI that it runs in.
func (a *app) gateShow(p *project, g *gate.Gate) error {
	folder := p.folder()
	for _, o := range a.outputs {
		var b bytes.Buffer
		err := gateFile(&b, kindOf(o, gateKinds), g, folder)
		if err == nil {
			err = writeFile(a.path(o), b.Bytes())
		}
		if err != nil {
			return exit(exitTrouble, err)
		}
	}
	var err error
	switch a.format {
	case "json":
		err = writeJSON(a.Stdout, g)
	case "markdown":
		err = ci.Markdown(a.Stdout, g, ci.CommentLimit)
	default:
		err = ci.Text(a.Stdout, g)
	}
	if err == nil && a.Getenv("GITHUB_ACTIONS") == "true" {
		err = errors.Join(ci.Annotations(a.Stderr, g, folder), appendTo(a.Getenv("GITHUB_STEP_SUMMARY"), func(w io.Writer) error { return ci.Markdown(w, g, ci.SummaryLimit) }))
		if err == nil { // last: a verdict there is one that everybody was told
			err = appendTo(a.Getenv("GITHUB_OUTPUT"), func(w io.Writer) error { return ci.Outputs(w, g) })
		}
	}
	if err != nil {
		return exit(exitTrouble, err)
	}
	switch {
	case g.Repair != nil:
		a.next(g.Repair...)
	case g.Verdict == gate.Regression && len(g.Changes) > 0 && g.Changes[0].Change.Change == "lost":
		a.next("explain", g.Changes[0].QID, "--arm", g.Candidate.Arm)
	}
	return nil
}

// withoutVerdict tells the CI the exit code of a gate that ended before there was a
// verdict.
func (a *app) withoutVerdict(err error) error {
	if a.Getenv("GITHUB_ACTIONS") != "true" {
		return err
	}
	why := "the log says what is wrong"
	if !errors.Is(err, errSaid) {
		why = err.Error()
	}
	return errors.Join(err, ci.Ended(a.Stderr, exitCode(err), why),
		appendTo(a.Getenv("GITHUB_STEP_SUMMARY"), func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "### kerf gate: no verdict\n\nIt ended with %d: %s\n", exitCode(err), report.EscapeMarkdown(why))
			return err
		}),
		appendTo(a.Getenv("GITHUB_OUTPUT"), func(w io.Writer) error {
			_, err := fmt.Fprintf(w, "verdict=\nexit=%d\n", exitCode(err))
			return err
		}))
}

// kindOf is the ending of a file that names its kind.
func kindOf(name string, kinds []string) string {
	for _, k := range kinds {
		if strings.HasSuffix(name, k) {
			return k
		}
	}
	return filepath.Ext(name)
}

// appendTo writes to the end of a file that the CI names; "" is none.
func appendTo(name string, write func(io.Writer) error) error {
	if name == "" {
		return nil
	}
	var b bytes.Buffer
	if err := write(&b); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(b.Bytes())
	return errors.Join(err, f.Close())
}

// folder is where the project lies in its repository, with "/"; "" without one.
func (p *project) folder() string {
	home, err := realPath(p.home)
	if err != nil {
		return ""
	}
	root := gitRoot(home)
	if rel, err := filepath.Rel(root, home); root != "" && err == nil && rel != "." {
		return filepath.ToSlash(rel)
	}
	return ""
}

// places adds to each changed question where it stands in the golden set and in the
// documents, as paths below the project.
func (p *project) places(g *gate.Gate) {
	questions := map[string]*golden.Question{}
	for _, q := range p.asked {
		questions[q.QID] = q
	}
	texts := path.Join(path.Dir(filepath.ToSlash(p.plan.Corpus)), p.corpus.Root)
	for i := range g.Changes {
		c := &g.Changes[i]
		q := questions[c.QID]
		c.Label.File = filepath.ToSlash(p.plan.Golden)
		if q.At != nil {
			c.Label.Line = q.At.Line().Number
		}
		for _, s := range q.Support[0] {
			d := p.corpus.Find(s.Doc)
			at := gate.Place{File: path.Join(texts, cmp.Or(d.Path, d.Doc))}
			if p.corpus.Extract != corpus.Texts { // there a document is no file
				at.Line = 1 + strings.Count(d.Text[:s.Bytes.Start], "\n")
			}
			c.Evidence = append(c.Evidence, at)
		}
	}
}
