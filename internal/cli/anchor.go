package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/finding"
	"kerf/internal/golden"
)

func (a *app) newAnchor() *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:   "anchor [-w]",
		Short: "Complete drafts: from a quote to its exact place",
		Long: `Example: kerf -C kerf-demo anchor

A draft is a span of doc and quote, with prefix and suffix where the quote
repeats. anchor finds its place, and -w writes version, start, end and 32 code
points of prefix and suffix into golden.jsonl; other lines keep their bytes.
A quote that stands nowhere or in several places is listed; nothing is guessed.
Labels on versions that are no longer pinned are listed as stale; this version
does not move them.

Exit: 0 every draft has its place, 1 some have none, 2 a file is missing.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.anchor(write) },
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the completed spans")
	return cmd
}

// anchorOutput is anchor/1.
type anchorOutput struct {
	Kerf     string         `json:"kerf"`
	Written  bool           `json:"written"`
	Placed   []anchorPlaced `json:"placed"`
	Stale    int            `json:"stale"`
	Findings finding.List   `json:"findings"`
	Errors   int            `json:"errors"`
}

type anchorPlaced struct {
	QID   string `json:"qid"`
	Span  string `json:"span"`
	Doc   string `json:"doc"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Line  int    `json:"line"`
}

func (a *app) anchor(write bool) error {
	if err := a.kinds("anchor", ".json"); err != nil {
		return err
	}
	in, err := a.labels()
	if err != nil {
		return err
	}
	placed, open := golden.Anchor(in.set, in.corpus)
	out := anchorOutput{Kerf: "anchor/1", Placed: []anchorPlaced{}, Findings: finding.List{}}
	for _, f := range append(in.found, open...) {
		if f.Severity == finding.Error {
			out.Findings = append(out.Findings, f)
		}
		if f.Code == golden.CodeStale {
			out.Stale++
		}
	}
	out.Findings.Sort()
	out.Errors = len(out.Findings)
	for _, p := range placed {
		out.Placed = append(out.Placed, anchorPlaced{p.Question.QID, p.Span.Name, p.Span.Doc, p.Span.Start, p.Span.End, p.Question.At.Line().Number})
	}
	if write && len(placed) > 0 {
		file, err := filepath.EvalSymlinks(in.file)
		if err == nil {
			err = writeFile(file, in.set.Encode())
		}
		if err != nil {
			return exit(exitTrouble, err)
		}
		out.Written = true
	}
	err = a.answer(out, func() error { return a.anchorText(in, out, write) })
	if err != nil {
		return err
	}
	if len(placed) > 0 && !write {
		a.next("kerf anchor -w")
	} else {
		a.next("kerf check")
	}
	if out.Errors > 0 {
		return exit(exitFindings, nil)
	}
	return nil
}

func (a *app) anchorText(in labelSet, out anchorOutput, write bool) error {
	verb := "would place"
	if write {
		verb = "placed"
	}
	for _, p := range out.Placed {
		if _, err := fmt.Fprintln(a.Stdout, Escape(strings.ReplaceAll(fmt.Sprintf("%s:%d: %s %s.%s at %s [%d,%d)", in.golden, p.Line, verb, p.QID, p.Span, p.Doc, p.Start, p.End), "\n", "⏎"))); err != nil {
			return err
		}
	}
	if err := a.findings(out.Findings); err != nil {
		return err
	}
	line := fmt.Sprintf("%s: %s %s, %s", in.golden, verb, counted(len(out.Placed), "draft"), counted(out.Errors, "error"))
	if out.Stale > 0 {
		line += fmt.Sprintf("; %s on versions that are no longer pinned: listed, not moved (this version of kerf cannot)", counted(out.Stale, "stale label"))
	}
	_, err := fmt.Fprintln(a.Stdout, Escape(line))
	return err
}
