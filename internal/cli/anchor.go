package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
)

func (a *app) newAnchor() *cobra.Command {
	var write bool
	cmd := &cobra.Command{
		Use:     "anchor [-w]",
		Short:   "Quotes to their exact place, labels to new document versions",
		Example: "  kerf -C kerf-demo anchor",
		Long: `A draft is a span of doc and quote, with prefix and suffix where the quote
repeats. anchor finds its place, and -w writes version, start, end and 32 code
points of prefix and suffix into golden.jsonl; other lines keep their bytes.
A quote that stands nowhere or in several places is listed; nothing is guessed.

A label on an older version moves to the pinned one where its quote and its
surroundings stand there exactly once: the stored prefix and suffix, else those
of the old text that freeze has kept. Every other one is an orphan. It stays as
it is and is listed with the places that come near, what differs there, and the
span to paste.

Exit: 0 everything has its place, 1 something has none, 2 a file is missing.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.anchor(write) },
	}
	cmd.Flags().BoolVarP(&write, "write", "w", false, "write the completed and the moved spans")
	return cmd
}

// anchorOutput is anchor/1.
type anchorOutput struct {
	Kerf     string         `json:"kerf"`
	Written  bool           `json:"written"`
	Placed   []anchorPlaced `json:"placed"`
	Moved    []anchorMoved  `json:"moved"`
	Orphans  []anchorOrphan `json:"orphans"`
	Stale    int            `json:"stale"`
	Findings finding.List   `json:"findings"`
	Errors   int            `json:"errors"`

	rest finding.List // the findings that are no orphan's
}

type anchorPlaced struct {
	QID   string `json:"qid"`
	Span  string `json:"span"`
	Doc   string `json:"doc"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Line  int    `json:"line"`
}

type anchorMoved struct {
	QID   string `json:"qid"`
	Span  string `json:"span"`
	Doc   string `json:"doc"`
	From  string `json:"from"`
	To    string `json:"to"`
	Start int    `json:"start"`
	End   int    `json:"end"`
	Line  int    `json:"line"`
}

type anchorOrphan struct {
	QID       string           `json:"qid"`
	Span      string           `json:"span"`
	Doc       string           `json:"doc"`
	Version   string           `json:"version,omitempty"`
	Line      int              `json:"line"`
	Code      string           `json:"code"`
	Reason    string           `json:"reason"`
	Proposals []anchorProposal `json:"proposals"`
}

type anchorProposal struct {
	Doc        string  `json:"doc"`
	Version    string  `json:"version"`
	Start      int     `json:"start"`
	End        int     `json:"end"`
	Quote      string  `json:"quote"`
	Reason     string  `json:"reason"`
	Similarity float64 `json:"similarity"`
	Diff       string  `json:"diff,omitempty"`
	Paste      string  `json:"paste,omitempty"`

	place string
}

func (a *app) anchor(write bool) error {
	if err := a.kinds("anchor", ".json"); err != nil {
		return err
	}
	in, err := a.labels()
	if err != nil {
		return err
	}
	done := golden.Anchor(in.set, in.corpus, a.keptTexts(in))
	out := anchored(in, done)
	if write && len(done.Placed)+len(done.Moved) > 0 {
		if err := writeFile(in.file, in.set.Encode()); err != nil {
			return exit(exitTrouble, err)
		}
		out.Written = true
	}
	err = a.answer(out, func() error { return a.anchorText(in, out, write) })
	if err != nil {
		return err
	}
	switch {
	case len(done.Placed)+len(done.Moved) > 0 && !write:
		a.next("anchor", "-w")
	case len(out.Orphans) > 0:
		a.say("read each orphan's places, paste the span that is right or label it again, then check")
		a.next("check")
	default:
		a.next("check")
	}
	if out.Errors > 0 {
		return exit(exitFindings, nil)
	}
	return nil
}

// keptTexts are the copies of older texts beside the manifest.
func (a *app) keptTexts(in labelSet) golden.Kept {
	return func(version string) (string, error) {
		t, err := openTree(resolved(in.home, in.experiment.Corpus))
		if err != nil {
			return "", err
		}
		defer t.root.Close()
		return corpus.Kept(t.FS(), t.name, version)
	}
}

// anchored is the output. What reading said of a label that was moved is left
// out; of an orphan it says more now.
func anchored(in labelSet, done golden.Anchored) *anchorOutput {
	out := &anchorOutput{Kerf: "anchor/1", Placed: []anchorPlaced{}, Moved: []anchorMoved{}, Orphans: []anchorOrphan{}, Findings: finding.List{}}
	type place struct {
		code         string
		line, column int
	}
	at := func(f finding.Finding) place { return place{f.Code, f.Line, f.Column} }
	settled := map[place]bool{}
	for _, m := range done.Moved {
		f := m.Span.At.Get("version").Finding(finding.Finding{Code: golden.CodeStale})
		settled[at(f)] = true
		out.Moved = append(out.Moved, anchorMoved{m.Question.QID, m.Span.Name, m.Span.Doc, m.From, m.Span.Version, m.Span.Start, m.Span.End, m.Question.At.Line().Number})
	}
	said := map[place]bool{}
	for _, f := range in.found {
		said[at(f)] = true
	}
	for _, o := range done.Orphans {
		if !o.Draft() {
			f := o.Finding()
			if !said[at(f)] {
				continue // its document could not be read, which has a finding of its own
			}
			settled[at(f)] = true
			out.Findings = append(out.Findings, f)
			out.Stale++
		}
		row := anchorOrphan{o.Question.QID, o.Span.Name, o.Span.Doc, o.Span.Version, o.Question.At.Line().Number, o.Code, o.Reason, []anchorProposal{}}
		for _, p := range o.Proposals {
			row.Proposals = append(row.Proposals, anchorProposal{p.Doc, p.Version, p.Start, p.End, p.Quote, p.Reason, p.Similarity, p.Diff, p.Paste, p.Place()})
		}
		out.Orphans = append(out.Orphans, row)
	}
	for _, f := range slices.Concat(in.found, done.Open) {
		if f.Severity == finding.Error && !settled[at(f)] {
			out.rest = append(out.rest, f)
		}
	}
	out.Findings = append(out.Findings, out.rest...)
	out.Findings.Sort()
	out.rest.Sort()
	out.Errors = len(out.Findings)
	for _, p := range done.Placed {
		out.Placed = append(out.Placed, anchorPlaced{p.Question.QID, p.Span.Name, p.Span.Doc, p.Span.Start, p.Span.End, p.Question.At.Line().Number})
	}
	return out
}

func (a *app) anchorText(in labelSet, out *anchorOutput, write bool) error {
	would := "would "
	place, move := "place", "move"
	if write {
		would, place, move = "", "placed", "moved"
	}
	var b strings.Builder
	row := func(format string, args ...any) {
		fmt.Fprintln(&b, strings.ReplaceAll(fmt.Sprintf(format, args...), "\n", "⏎"))
	}
	for _, p := range out.Placed {
		row("%s:%d: %s%s %s.%s at %s [%d,%d)", in.golden, p.Line, would, place, p.QID, p.Span, p.Doc, p.Start, p.End)
	}
	for _, p := range out.Moved {
		row("%s:%d: %s%s %s.%s from %s@%s to %s [%d,%d)", in.golden, p.Line, would, move, p.QID, p.Span, p.Doc, short(p.From), short(p.To), p.Start, p.End)
	}
	for _, o := range out.Orphans {
		kind := "orphan " + o.QID + "." + o.Span + ", " + o.Doc
		if o.Version != "" {
			kind += "@" + short(o.Version)
		}
		row("%s:%d: %s: %s", in.golden, o.Line, kind, o.Reason)
		for _, p := range o.Proposals {
			row("  near     %s: %s", p.place, p.Reason)
			if p.Diff != "" {
				row("    diff   %s", p.Diff)
			}
			if p.Paste != "" {
				row("    paste  %s", p.Paste)
			}
		}
		if len(o.Proposals) == 0 {
			row("  near     nothing")
		}
	}
	if _, err := fmt.Fprint(a.Stdout, Escape(b.String())); err != nil {
		return err
	}
	if err := a.findings(out.rest); err != nil {
		return err
	}
	line := fmt.Sprintf("%s: %s%s %s, %s", in.golden, would, place, counted(len(out.Placed), "draft"), counted(out.Errors, "error"))
	if out.Stale+len(out.Moved) > 0 {
		line += fmt.Sprintf("; %s%s %d of %s of older versions, %s", would, move, len(out.Moved), counted(out.Stale+len(out.Moved), "label"), counted(out.Stale, "orphan"))
	}
	_, err := fmt.Fprintln(a.Stdout, Escape(line))
	return err
}
