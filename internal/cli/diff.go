package cli

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/report"
	"kerf/internal/study/cas"
	"kerf/internal/study/compare"
	"kerf/internal/study/diff"
	"kerf/internal/study/plan"
	"kerf/internal/study/sweep"
)

func (a *app) newDiff() *cobra.Command {
	var table string
	cmd := &cobra.Command{
		Use:   "diff A B",
		Short: "Two arms, question by question, with intervals",
		Long: `Compare B, the candidate, with A, the baseline: every difference is B minus A,
with its gained and lost questions and an interval over documents. Each of A and
B is an arm of the newest run, RUN/ARM, or a file of rankings (./NAME is always
a file), which is held against today's documents and labels. Runs are read from
their folders; nothing is run again.

An interval that holds 0 does not tell the arms apart, however large the
difference is. Below 12 clusters of documents it is about these documents only.

Exit: 0 compared, 2 trouble. A loss does not change the exit code.`,
		Example: "  kerf -C kerf-demo diff tokens-256-0 tokens-256-51",
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.kinds("diff", ".json", ".csv"); err != nil {
				return err
			}
			return a.diff(cmd.Context(), args[0], args[1], table)
		},
	}
	cmd.Flags().StringVar(&table, "chunks", "", "the chunks/1 `FILE` that the hits of rankings are of")
	return cmd
}

func (a *app) diff(ctx context.Context, baseline, candidate, table string) error {
	o := opened{app: a, kept: map[string]*sweep.Kept{}}
	var sides []diff.Side
	var files []int
	for i, given := range []string{baseline, candidate} {
		s, err := o.side(given)
		if err != nil {
			return err
		}
		if s.Facts == nil {
			files = append(files, i)
		}
		sides = append(sides, s)
	}
	if len(files) == 0 && table != "" {
		return usage("--chunks: neither %s nor %s is a file of rankings", baseline, candidate)
	}
	if len(files) > 0 {
		end, err := a.rankingsSides(ctx, sides, files, table)
		if err != nil {
			return err
		}
		defer end()
	}
	d, err := diff.Build(sides[0], sides[1])
	if err != nil {
		return err
	}
	if err := a.tabular(d, func() report.Sheet { return diffSheet(d) }, func() error { return a.diffText(d) }); err != nil {
		return err
	}
	a.next(diffNext(d)...)
	return nil
}

// opened are the runs that were read, each once.
type opened struct {
	*app
	kept map[string]*sweep.Kept
}

// side finds what a word names: Facts is nil where it is a file.
func (o *opened) side(given string) (diff.Side, error) {
	file := !absent(o.path(given))
	if file && (strings.HasPrefix(given, "./") || filepath.IsAbs(given)) {
		return diff.Side{Given: given}, nil
	}
	newest, why := o.runFolder("")
	var names []string
	if why == nil {
		m, err := sweep.ReadManifest(newest)
		if err != nil {
			return diff.Side{}, err
		}
		if names = armNames(m); slices.Contains(names, given) {
			return o.of(newest, given, given)
		}
	}
	if run, arm, ok := strings.Cut(given, "/"); ok && run != "" && !file {
		folder, err := o.runFolder(run)
		if err != nil {
			return diff.Side{}, usage("%s is no file, and as RUN/ARM: %v", given, err)
		}
		m, err := sweep.ReadManifest(folder)
		if err != nil {
			return diff.Side{}, err
		}
		if known := armNames(m); !slices.Contains(known, arm) {
			return diff.Side{}, usage("run %s has no arm %s: %s", m.Run, arm, meant(arm, known))
		}
		return o.of(folder, given, arm)
	}
	switch {
	case file:
		return diff.Side{Given: given}, nil
	case why != nil:
		return diff.Side{}, usage("%s is no file, and there is no arm of that name: %v", given, why)
	}
	return diff.Side{}, usage("no arm %s in the newest run, %s, and no such file: %s", given, filepath.Base(newest), meant(given, names))
}

func armNames(m sweep.RunManifest) []string {
	var out []string
	for _, a := range m.Experiment.Arms {
		out = append(out, a.Name)
	}
	return out
}

// of is an arm of a finished run. Who may read a document stands in today's
// manifest alone: it is taken from there where the version is the same.
func (o *opened) of(folder, given, arm string) (diff.Side, error) {
	k := o.kept[folder]
	if k == nil {
		if err := checkLedger(folder, filepath.Join(folder, "ledger")); err != nil {
			return diff.Side{}, err
		}
		var err error
		if k, err = sweep.OpenFolder(folder, o.texts()); err != nil {
			return diff.Side{}, err
		}
		if in, err := o.labels(); err == nil {
			for _, d := range k.Facts.Documents {
				if now := in.corpus.Find(d.Doc); now != nil && now.Version.Version == d.Version.Version {
					d.Access = now.Access
				}
			}
		}
		for _, d := range k.Gone {
			o.say("%s: the text of that version is not there any more; gaps of blanks in it are not known", d)
		}
		o.kept[folder] = k
	}
	return diff.Side{Given: given, Run: k.Manifest.Run, Kerf: k.Manifest.Version, Arm: arm, Facts: &k.Facts}, nil
}

// rankingsSides holds files of rankings against today's documents and labels, as
// arms of rankings; end removes their cells, which nobody needs again.
func (a *app) rankingsSides(ctx context.Context, sides []diff.Side, files []int, table string) (end func(), err error) {
	var arms []plan.Arm
	for _, i := range files {
		arm := plan.Arm{Name: sides[i].Given, Rankings: absolute(a.path(sides[i].Given))}
		if table != "" {
			arm.Chunks = absolute(a.path(table))
		}
		if !slices.ContainsFunc(arms, func(x plan.Arm) bool { return x.Name == arm.Name }) {
			arms = append(arms, arm)
		}
	}
	p, err := a.ask(asking{arms: arms})
	if err != nil {
		return nil, err
	}
	s, err := p.studyWith(nil)
	if err != nil {
		return nil, err
	}
	cells, err := s.Cells(true)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "kerf")
	if err != nil {
		return nil, err
	}
	end = func() { _ = os.RemoveAll(dir) }
	store, err := cas.Open(dir)
	if err == nil {
		run := sweep.Run{Study: s, Store: store, Jobs: a.jobs}
		results := run.Cells(ctx, cells)
		for _, r := range results {
			err = errors.Join(err, r.Err)
		}
		var facts compare.Facts
		if err == nil {
			facts, err = s.Facts("", p.origin, results, p.leftOut, p.reproduce(s))
		}
		for _, i := range files {
			sides[i].Arm, sides[i].Kerf, sides[i].Facts = sides[i].Given, Version, &facts
			for _, f := range p.brought {
				if f.arm == sides[i].Given && f.rankings != nil {
					sides[i].Digest = f.rankings.Digest
				}
			}
		}
	}
	if err != nil {
		end()
		return nil, err
	}
	return end, nil
}
