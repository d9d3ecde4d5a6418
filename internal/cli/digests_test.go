package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kerf/internal/study/ledger"
)

// TestDigests compares the digests of the demo's run with those that are
// committed: another processor, operating system or number of cores must give
// the same bytes, and so must another version of Go with the same Unicode tables.
// A change of kerf that means to change them is followed by UPDATE_DIGESTS=1 go test ./internal/cli -run TestDigests, and the new
// file is committed with it; the lines that differ say what has changed.
func TestDigests(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: runs the demo three times")
	}
	const golden = "testdata/digests.golden"
	var got string
	for _, jobs := range []string{"1", "2", "5"} {
		dir := t.TempDir()
		if code, _, stderr := command(dir, false, "demo", "here", "-j", jobs); code != exitDone {
			t.Fatal(stderr)
		}
		lines := runDigests(t, folderOf(t, filepath.Join(dir, "here")))
		if got == "" {
			got = lines
		} else if lines != got {
			t.Errorf("-j %s:\n%s\n-j 1:\n%s", jobs, lines, got)
		}
	}
	t.Logf("\n%s", got)
	if os.Getenv("UPDATE_DIGESTS") != "" {
		if err := os.WriteFile(golden, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("found:\n%s\ncommitted in %s:\n%s\na change that is meant: UPDATE_DIGESTS=1 go test ./internal/cli -run TestDigests", got, golden, want)
	}
}

// runDigests are the digests that a run stands for, one a line: every table of
// the ledger, the index manifests, the whole ledger as the run's manifest has
// it, and the report.
func runDigests(t *testing.T, folder string) string {
	t.Helper()
	var b strings.Builder
	line := func(name, digest string) { fmt.Fprintf(&b, "%-18s %s\n", name, digest) }
	var manifest struct{ Inputs []string }
	if err := json.Unmarshal([]byte(read(t, filepath.Join(folder, "manifest.json"))), &manifest); err != nil {
		t.Fatal(err)
	}
	for _, in := range manifest.Inputs {
		line("input", in)
	}
	index, err := filepath.Glob(filepath.Join(folder, "index", "*.json"))
	if err != nil || len(index) != 64 {
		t.Fatal(len(index), err)
	}
	files := map[string]string{}
	for _, f := range index {
		files["index/"+filepath.Base(f)] = ledger.Object([]byte(read(t, f)))
	}
	line("index", ledger.Digest(files))
	all, err := ledger.Digests(filepath.Join(folder, "ledger"))
	if err != nil {
		t.Fatal(err)
	}
	for _, table := range tableNames() {
		of := map[string]string{}
		for name, digest := range all {
			if strings.HasPrefix(name, table+"/") {
				of[name] = digest
			}
		}
		line("ledger "+table, ledger.Digest(of))
	}
	line("ledger", ledger.Digest(all))
	line("report.json", ledger.Object([]byte(read(t, filepath.Join(folder, "report.json")))))
	return b.String()
}
