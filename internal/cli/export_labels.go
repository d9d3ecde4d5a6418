package cli

import (
	"cmp"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"kerf/internal/adapter/export"
	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/report"
)

func (a *app) newExportW3C() *cobra.Command {
	var redact string
	cmd := &cobra.Command{
		Use:   "w3c",
		Short: "The labels as Web Annotations",
		Long: `Print the golden set as Web Annotations (W3C, JSON-LD), one a line for each
support set: the question, and for each span its document, the document's version,
a TextQuoteSelector that selects it alone, and a TextPositionSelector in code
points. kerf import --from w3c reads them back.

Exit: 0 printed, 2 trouble: labels with errors, or report.redact: text.`,
		Example: "  kerf -C kerf-demo export w3c -o annotations.jsonl",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if err := a.printsLines("export w3c"); err != nil {
				return err
			}
			in, err := a.exported("w3c", redact)
			if err != nil {
				return err
			}
			lines, unplaced := export.W3C(in.set.Questions, in.set.With(in.corpus))
			if err := a.printed(string(lines), func() error {
				if a.OutTerminal {
					_, err := terminalJSON{a.Stdout}.Write(lines)
					return err
				}
				_, err := a.Stdout.Write(lines)
				return err
			}); err != nil {
				return err
			}
			if unplaced > 0 {
				a.say("%s without an annotation: unanswerable, or a span without a place", counted(unplaced, "question"))
			}
			return nil
		},
	}
	redactFlag(cmd, &redact)
	return cmd
}

func (a *app) newExportCSV() *cobra.Command {
	var redact string
	cmd := &cobra.Command{
		Use:   "csv",
		Short: "The labels as a table for spreadsheets",
		Long: `Print the golden set as CSV, a row for each span of each question, and one for a
question without spans; offsets in code points. Texts that a spreadsheet would take
for formulas get one ' in front (docs/format/csv.md).

Exit: 0 printed, 2 trouble: labels with errors, or report.redact: text.`,
		Example: "  kerf -C kerf-demo export csv -o labels.csv",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.format != "text" && a.format != "csv" {
				return usage("--format %s: export csv writes csv", a.format)
			}
			for _, o := range a.outputs {
				if filepath.Ext(o) != ".csv" {
					return usage("-o %s: export csv writes .csv", o)
				}
			}
			in, err := a.exported("csv", redact)
			if err != nil {
				return err
			}
			sheet := labelSheet(in.set, in.set.With(in.corpus))
			for _, o := range a.outputs {
				if err := a.writeSheet(o, sheet); err != nil {
					return err
				}
			}
			if len(a.outputs) > 0 {
				return nil
			}
			return a.printSheet(sheet)
		},
	}
	redactFlag(cmd, &redact)
	return cmd
}

func (a *app) newExportBEIR() *cobra.Command {
	var redact string
	cmd := &cobra.Command{
		Use:   "beir DIR",
		Short: "Documents and questions as a BEIR folder",
		Long: `Write DIR/corpus.jsonl, queries.jsonl and qrels/test.tsv: every document as a
whole, every question, and as relevant the documents that some support set has a
span in. Which words are the evidence has no place in BEIR: export w3c keeps them,
and export trec judges chunks. DIR must be new or empty.

Exit: 0 written, 2 trouble: labels with errors, or report.redact: text.`,
		Example: "  kerf -C kerf-demo export beir beir",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.kinds("export beir"); err != nil {
				return err
			}
			in, err := a.exported("beir", redact)
			if err != nil {
				return err
			}
			c := in.set.With(in.corpus)
			files, unlabelled, err := export.BEIR(in.set.Questions, c)
			if err != nil {
				return exit(exitTrouble, err)
			}
			if err := a.writeFolder(args[0], files); err != nil {
				return err
			}
			restricted := 0
			for _, d := range c.Documents {
				if d.Access.Read != nil || len(d.Access.Spans) > 0 {
					restricted++
				}
			}
			if restricted > 0 {
				a.say("%s with restricted access among them: BEIR knows no readers", counted(restricted, "document"))
			}
			if unlabelled > 0 {
				a.say("%s without a relevant document: most programs leave them out", counted(unlabelled, "question"))
			}
			return nil
		},
	}
	redactFlag(cmd, &redact)
	return cmd
}

// exported is the golden set for a format that holds texts of it. Every error of
// the labels is printed, and texts that must be redacted are not given out.
func (a *app) exported(what, redact string) (labelSet, error) {
	if err := redaction(redact); err != nil {
		return labelSet{}, err
	}
	in, err := a.labels()
	if err != nil {
		return in, err
	}
	if err := a.sound(in.found, "exported"); err != nil {
		return in, err
	}
	if cmp.Or(redact, in.experiment.Redact) == "text" {
		return in, usage("export %s holds the texts of questions and documents, and report.redact: text keeps them in; --redact none gives them out, export trec holds none", what)
	}
	return in, nil
}

// printsLines refuses what a command that prints JSON lines does not write.
func (a *app) printsLines(command string) error {
	if a.format != "text" && a.format != "jsonl" {
		return usage("--format %s: %s writes jsonl", a.format, command)
	}
	for _, o := range a.outputs {
		if filepath.Ext(o) != ".jsonl" {
			return usage("-o %s: %s writes .jsonl", o, command)
		}
	}
	return nil
}

// printed writes content to the -o files, or prints it where there are none.
func (a *app) printed(content string, print func() error) error {
	for _, o := range a.outputs {
		if err := writeFile(a.path(o), []byte(content)); err != nil {
			return err
		}
	}
	if len(a.outputs) > 0 {
		return nil
	}
	return print()
}

// writeFolder writes files into a folder that is new or empty: their names are
// not kerf's to choose, and one of them is that of its own manifest.
func (a *app) writeFolder(dir string, files map[string][]byte) error {
	at := a.path(dir)
	if entries, err := os.ReadDir(at); err == nil && len(entries) > 0 {
		return usage("%s is not empty; name a new folder", dir)
	} else if err != nil && !absent(at) {
		return usage("%s is no folder", dir)
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	for i, name := range names {
		names[i] = path.Join(filepath.ToSlash(dir), name)
		file := filepath.Join(at, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := writeFile(file, files[name]); err != nil {
			return err
		}
	}
	a.say("written: %s", strings.Join(names, ", "))
	return nil
}

// labelSheet is a golden set, a row a span.
func labelSheet(set *golden.Set, c *corpus.Corpus) report.Sheet {
	s := report.Sheet{Columns: []string{"qid", "question", "answer", "sample", "split", "segment", "sets", "span", "role", "doc", "version", "page", "start", "end", "quote"}}
	for _, q := range set.Questions {
		head := []any{q.QID, q.Text, q.Answer.Text, q.Sample, q.Split, q.Segment}
		for _, sp := range q.Spans {
			var sets []string
			for n, of := range q.Support {
				if slices.Contains(of, sp) {
					sets = append(sets, fmt.Sprint(n+1))
				}
			}
			row := append(slices.Clone(head), strings.Join(sets, " "), sp.Name, sp.Role, sp.Doc)
			if d := c.Find(sp.Doc); d != nil && !sp.Bytes.Empty() {
				start := utf8.RuneCountInString(d.Text[:sp.Bytes.Start])
				row = append(row, d.Version.Version, d.Page(sp.Bytes.Start), start, start+utf8.RuneCountInString(sp.Quote))
			} else {
				row = append(row, "", "", "", "") // a draft
			}
			s.Rows = append(s.Rows, append(row, sp.Quote))
		}
		if len(q.Spans) == 0 {
			s.Rows = append(s.Rows, append(slices.Clone(head), "", "", "", "", "", "", "", "", ""))
		}
	}
	return s
}
