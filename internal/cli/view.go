package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/corpus"
	"kerf/internal/report"
	"kerf/internal/study/compare"
	"kerf/internal/study/sweep"
)

func (a *app) newView() *cobra.Command {
	var redact string
	cmd := &cobra.Command{
		Use:   "view [RUN]",
		Short: "The report of a finished run, made again",
		Long: `Make the report of a finished run again from its folder: nothing is run. RUN is
an ID or its beginning (default: the newest run); -o names the file, whose kind
follows its extension: .html, .md, .json or .csv. With --format json, markdown or
csv the report goes to standard output.

The ledger is compared with the digest in the run's manifest, report.json with
the ledger. Sources are drawn where the documents' texts of that run are still
there; where they are not, the report says so.

Exit: 0 done, 2 trouble (no such run, a run that has not ended, a damaged one).`,
		Example: "  kerf -C kerf-demo view -o report.html",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.kinds("view", ".html", ".md", ".json", ".csv"); err != nil {
				return err
			}
			if err := redaction(redact); err != nil {
				return err
			}
			if len(a.outputs) == 0 && a.format == "text" {
				return usage("not in this version: local pages; use -o FILE")
			}
			out, clocks, err := a.viewed(strings.Join(args, ""), redact)
			if err != nil {
				return err
			}
			return a.showView(out, clocks)
		},
	}
	redactFlag(cmd, &redact)
	return cmd
}

// viewed is a finished run with its report, from its folder.
func (a *app) viewed(run, redact string) (out outcome, clocks []report.Timing, err error) {
	folder, err := a.runFolder(run)
	if err != nil {
		return out, nil, err
	}
	if err := checkLedger(folder, filepath.Join(folder, "ledger")); err != nil {
		return out, nil, err
	}
	kept, err := sweep.OpenFolder(folder, a.texts())
	if err != nil {
		return out, nil, err
	}
	for _, d := range kept.Gone {
		a.say("%s: the text of that version is not there any more; it is not drawn", d)
	}
	if out.report, err = keptReport(folder, kept); err != nil {
		return out, nil, err
	}
	if out.overlays, err = kept.Facts.Overlays(out.report.WorstQuestions, drawnQuestions); err != nil {
		return out, nil, err
	}
	for i := range out.overlays {
		if o := &out.overlays[i]; slices.Contains(kept.Gone, o.Doc) {
			*o = compare.Overlay{QID: o.QID, Arm: o.Arm, Doc: o.Doc, Path: o.Path, Label: o.Label, Placement: o.Placement, Untraced: o.Untraced, Gone: true}
		}
	}
	switch cmp.Or(redact, out.report.Redact) {
	case "text":
		out.report.Redact = "none" // its overlays are not redacted yet
		withTexts(out.report, kept.Facts)
		out.report, out.overlays = report.Redact(out.report, out.overlays)
	default:
		withTexts(out.report, kept.Facts)
	}
	clocks, err = keptClocks(folder)
	return out, clocks, err
}

// withTexts gives a report its questions back, which the ledger has in words.
func withTexts(r *compare.Report, facts compare.Facts) {
	r.Redact = "none"
	text := map[string]string{}
	for _, q := range facts.Questions {
		text[q.QID] = q.Text
	}
	for i := range r.WorstQuestions {
		r.WorstQuestions[i].Question = text[r.WorstQuestions[i].QID]
	}
}

// keptReport is a run's report.json, which must be what the ledger says where
// that can be computed: by the same version of kerf, over the same texts.
func keptReport(folder string, kept *sweep.Kept) (*compare.Report, error) {
	id := filepath.Base(folder)
	content, err := os.ReadFile(filepath.Join(folder, "report.json"))
	if err != nil {
		return nil, usage("run %s: %v; kerf run writes it again", id, err)
	}
	r := new(compare.Report)
	if err := json.Unmarshal(content, r); err != nil || r.Kerf != compare.Kind || r.Run != kept.Manifest.Run || r.Run != id {
		return nil, usage("run %s: its report.json is damaged or of another run; kerf run writes it again", id)
	}
	if kept.Manifest.Version != Version || len(kept.Gone) > 0 {
		return r, nil
	}
	kept.Facts.Reproduce = r.Reproduce
	again, err := compare.Build(&kept.Facts)
	if err != nil {
		return nil, err
	}
	again.Golden, again.Warnings = r.Golden, r.Warnings // the ledger does not hold what they say of the labels
	if r.Redact == "text" {
		again, _ = report.Redact(again, nil)
	}
	var b bytes.Buffer
	if err := report.JSON(&b, again); err != nil {
		return nil, err
	}
	if !bytes.Equal(b.Bytes(), content) {
		return nil, usage("run %s: its report.json is not what its ledger says; kerf run writes it again", id)
	}
	return r, nil
}

// keptClocks are the clock readings of a run, none where there are none.
func keptClocks(folder string) ([]report.Timing, error) {
	content, err := os.ReadFile(filepath.Join(folder, "timings.json"))
	if err != nil {
		return nil, nil
	}
	var t timings
	if err := json.Unmarshal(content, &t); err != nil {
		return nil, fmt.Errorf("run %s: timings.json: %w", filepath.Base(folder), err)
	}
	return t.shown(), nil
}

// texts looks up the frozen text of a version: the document of today where it is
// the same, else the copy that freeze has kept.
func (a *app) texts() func(doc, version string) (string, bool) {
	in, err := a.labels()
	today := map[string]string{}
	if err == nil {
		for _, d := range in.set.With(in.corpus).Documents {
			today[d.Version.Version] = d.Text
		}
	}
	old := a.keptTexts(in)
	return func(_, version string) (string, bool) {
		if text, ok := today[version]; ok {
			return text, corpus.VersionOf(text) == version
		}
		text, err := old(version)
		return text, err == nil
	}
}

func (a *app) showView(out outcome, clocks []report.Timing) error {
	for _, o := range a.outputs {
		var b bytes.Buffer
		var err error
		switch filepath.Ext(o) {
		case ".html":
			err = report.HTML(&b, out.report, out.overlays, clocks)
		case ".md":
			err = report.Markdown(&b, out.report, out.overlays)
		case ".csv":
			err = report.CSV(&b, report.ReportSheet(out.report))
		default:
			err = report.JSON(&b, out.report)
		}
		if err == nil {
			err = writeFile(a.path(o), b.Bytes())
		}
		if err != nil {
			return err
		}
		a.say("written: %s", o)
	}
	switch a.format {
	case "json":
		return report.JSON(a.Stdout, out.report)
	case "markdown":
		return report.Markdown(a.Stdout, out.report, out.overlays)
	case "csv":
		return a.printSheet(report.ReportSheet(out.report))
	}
	return nil
}
