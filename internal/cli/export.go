package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/report"
	"kerf/internal/study/ledger"
)

func (a *app) newExport() *cobra.Command {
	exports := []string{"beir", "csv", "ledger", "schema", "trec", "w3c"}
	cmd := &cobra.Command{
		Use:     "export WHAT",
		Short:   "Print kerf's files for other programs",
		Example: "  kerf -C kerf-demo export ledger",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("export what? There is %s", strings.Join(exports, ", "))
			}
			return usage("export %s: %s", args[0], meant(args[0], exports))
		},
		RunE: func(*cobra.Command, []string) error { panic("BUG: export has subcommands only") },
	}
	cmd.AddCommand(a.newExportBEIR(), a.newExportCSV(), a.newExportLedger(), a.newExportSchema(), a.newExportTREC(), a.newExportW3C())
	return cmd
}

func (a *app) newExportLedger() *cobra.Command {
	var table string
	cmd := &cobra.Command{
		Use:   "ledger [RUN]",
		Short: "The rows of a run as canonical JSONL",
		Long: `Print every row of a run's ledger, or of one table of it, as one line of
canonical JSON: by table, then by the name of the cell, then in the order of the
file. Without RUN, the newest run. The tables are described in
docs/format/ledger.md; their files lie in .kerf/runs/RUN/ledger as Parquet.

The whole ledger is compared with the digest in the run's manifest first.

Exit: 0 printed, 2 trouble (an unknown run or table, a damaged ledger).`,
		Example: "  kerf -C kerf-demo export ledger --table verdict",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if a.format != "text" && a.format != "jsonl" {
				return usage("--format %s: export ledger writes jsonl", a.format)
			}
			if len(a.outputs) > 0 {
				return usage("-o %s: export ledger writes to standard output only", a.outputs[0])
			}
			return a.exportLedger(strings.Join(args, ""), table)
		},
	}
	cmd.Flags().StringVar(&table, "table", "", "print the table `T` alone: "+strings.Join(tableNames(), ", "))
	return cmd
}

func tableNames() []string {
	var names []string
	for _, t := range ledger.Tables() {
		names = append(names, t.Name())
	}
	return names
}

func (a *app) exportLedger(run, table string) error {
	if table != "" && !slices.Contains(tableNames(), table) {
		return usage("--table %s: %s", table, meant(table, tableNames()))
	}
	folder, err := a.runFolder(run)
	if err != nil {
		return err
	}
	dir := filepath.Join(folder, "ledger")
	if err := checkLedger(folder, dir); err != nil {
		return err
	}
	out := io.Writer(a.Stdout)
	if a.OutTerminal {
		out = terminalJSON{out}
	}
	for _, t := range ledger.Tables() {
		if table != "" && t.Name() != table {
			continue
		}
		cells, err := ledger.Cells(dir, t.Name())
		if err != nil {
			return err
		}
		for _, cell := range cells {
			file, err := ledger.ReadFile(filepath.Join(dir, t.Name(), cell+".parquet"))
			if err == nil {
				err = t.WriteJSONL(out, cell, file)
			}
			if err != nil {
				return fmt.Errorf("cell %s: %w", cell, err)
			}
		}
	}
	return nil
}

// runFolder is the folder of a run, the newest where none is named.
func (a *app) runFolder(run string) (string, error) {
	home := a.dir
	config, err := a.findConfig()
	if err != nil {
		return "", err
	}
	if config != "" {
		home = filepath.Dir(config)
	}
	runs := filepath.Join(home, ".kerf", "runs")
	if run == "" {
		latest, err := os.ReadFile(filepath.Join(runs, "latest"))
		if err != nil {
			return "", usage("no run yet; kerf run makes one")
		}
		run = strings.TrimSpace(string(latest))
	}
	var known []string
	entries, _ := os.ReadDir(runs)
	for _, e := range entries {
		if e.IsDir() {
			known = append(known, e.Name())
		}
	}
	var begin []string
	for _, k := range known {
		if strings.HasPrefix(k, run) {
			begin = append(begin, k)
		}
	}
	switch {
	case len(begin) == 1:
		run = begin[0]
	case len(begin) > 1 && !slices.Contains(known, run):
		return "", usage("run %s: more than one begins so: %s", run, strings.Join(begin, ", "))
	}
	switch {
	case slices.Contains(known, run):
		return filepath.Join(runs, run), nil
	case len(known) == 0:
		return "", usage("run %s: no run is there; kerf run makes one", run)
	}
	return "", usage("run %s: %s", run, meant(run, known))
}

// checkLedger compares a run's ledger with the digest in its manifest.
func checkLedger(folder, dir string) error {
	var manifest struct {
		Ledger string `json:"ledger"`
	}
	content, err := os.ReadFile(filepath.Join(folder, "manifest.json"))
	if err == nil {
		err = json.Unmarshal(content, &manifest)
	}
	if err != nil {
		return fmt.Errorf("run %s: manifest: %w", filepath.Base(folder), err)
	}
	if manifest.Ledger == "" {
		return usage("run %s has not ended; kerf run goes on with it", filepath.Base(folder))
	}
	files, err := ledger.Digests(dir)
	if err != nil {
		return err
	}
	if got := ledger.Digest(files); got != manifest.Ledger {
		return usage("%s is damaged: its digest is %s, the manifest has %s; kerf run writes it again", dir, got, manifest.Ledger)
	}
	return nil
}

// terminalJSON writes JSON lines to a terminal: what would steer it becomes \u
// escapes, which is no longer canonical, but the same JSON.
type terminalJSON struct{ w io.Writer }

func (t terminalJSON) Write(lines []byte) (int, error) {
	_, err := io.WriteString(t.w, report.EscapeJSON(string(lines)))
	return len(lines), err
}
