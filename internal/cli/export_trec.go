package cli

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"kerf/internal/adapter/export"
	"kerf/internal/study/ledger"
	"kerf/internal/study/sweep"
)

func (a *app) newExportTREC() *cobra.Command {
	var run, arm, label string
	cmd := &cobra.Command{
		Use:   "trec DIR",
		Short: "An arm's ranking and judgements for trec_eval",
		Long: `Write DIR/run.txt and DIR/qrels.txt of one arm of a finished run at one placement
of its cuts: the hits that the ledger holds, under ids DOC:START-END in bytes, and
as relevant every chunk that holds a whole span of the evidence. A span that no
chunk holds whole is judged under its own interval, which is never found: it stays
in the denominators. Questions without evidence are in neither file. No text of a
document or question is written. DIR must be new or empty.

Exit: 0 written, 2 trouble (no such run, arm or placement; a run that keeps no hits).`,
		Example: "  kerf -C kerf-demo export trec trec --arm tokens-256-0 --label 3/8",
		Args:    cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.kinds("export trec"); err != nil {
				return err
			}
			return a.exportTREC(args[0], run, arm, label)
		},
	}
	f := cmd.Flags()
	f.StringVar(&run, "run", "", "the `RUN`, an ID or its beginning (default: the newest)")
	f.StringVar(&arm, "arm", "", "the `ARM` (default: the baseline)")
	f.StringVar(&label, "label", "", "the `PLACEMENT`: 3/8 (default: the ordinary cuts)")
	return cmd
}

func (a *app) exportTREC(dir, run, arm, label string) error {
	folder, err := a.runFolder(run)
	if err != nil {
		return err
	}
	if err := checkLedger(folder, filepath.Join(folder, "ledger")); err != nil {
		return err
	}
	m, err := sweep.ReadManifest(folder)
	if err != nil {
		return err
	}
	arm = cmp.Or(arm, m.Experiment.Baseline)
	var arms, labels []string
	for _, x := range m.Experiment.Arms {
		arms = append(arms, x.Name)
		if x.Name != arm {
			continue
		}
		all, err := m.Experiment.Phases.Labels(x)
		if err != nil {
			return err
		}
		for _, l := range all {
			labels = append(labels, l.String())
		}
	}
	switch {
	case len(labels) == 0:
		return usage("--arm %s: %s", arm, meant(arm, arms))
	case label == "":
		label = labels[len(labels)-1]
	case !slices.Contains(labels, label):
		return usage("--label %s: %s", label, meant(label, labels))
	}
	c := &export.Cell{Name: ledger.CellName(arm, label)}
	if c.Hits, err = cellRows(folder, ledger.Retrieval, c.Name); errors.Is(err, fs.ErrNotExist) {
		return usage("run %s keeps no hits of %s at %s; with phases: {grid: N} it does", filepath.Base(folder), arm, label)
	}
	if err != nil {
		return err
	}
	if c.Chunks, err = cellRows(folder, ledger.Boundary, c.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if c.Support, err = cellRows(folder, ledger.Support, ledger.RunCell); err != nil {
		return err
	}
	if c.Violations, err = cellRows(folder, ledger.Violation, c.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if c.Missing, err = cellRows(folder, ledger.Missing, c.Name); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	qrels, homeless := c.Qrels()
	if err := a.writeFolder(dir, map[string][]byte{"run.txt": c.Run(), "qrels.txt": qrels}); err != nil {
		return err
	}
	a.say("%s at %s; ids in bytes", arm, label)
	if homeless > 0 {
		a.say("%s of the evidence in no chunk as a whole: each judged under its own interval, never found", counted(homeless, "span"))
	}
	if n := len(c.Missing); n > 0 {
		a.say("searches that failed: %d; their questions are in neither file, for they are no misses", n)
	}
	a.next("score", path.Join(filepath.ToSlash(dir), "run.txt"), "--qrels", path.Join(filepath.ToSlash(dir), "qrels.txt"))
	return nil
}

// cellRows are the rows of a table of a cell of a run.
func cellRows[R any](folder string, t *ledger.Table[R], cell string) ([]R, error) {
	file, err := ledger.ReadFile(filepath.Join(folder, "ledger", t.Name(), cell+".parquet"))
	if err != nil {
		return nil, err
	}
	rows, _, err := t.Decode(file)
	if err != nil {
		return nil, fmt.Errorf("table %s, cell %s: %w", t.Name(), cell, err)
	}
	return rows, nil
}
