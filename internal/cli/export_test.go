package cli

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kerf/internal/study/ledger"
)

// command runs kerf in dir and returns its exit code and outputs.
func command(dir string, terminal bool, args ...string) (code int, stdout, stderr string) {
	var out, talk bytes.Buffer
	code = Main(context.Background(), Process{
		Args: append([]string{"-C", dir}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk, OutTerminal: terminal,
		Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} },
	})
	return code, out.String(), talk.String()
}

// smallProject is one document, one question, one arm at two placements.
func smallProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"docs/a.md":    "Opened goods stay. \u202eUnopened goods go back free of charge to us.",
		"golden.jsonl": `{"kerf":"golden/1","unit":"byte"}` + "\n" + `{"qid":"q1","question":"Do opened goods stay?","spans":{"rule":{"doc":"a.md","start":0,"end":18,"quote":"Opened goods stay."}},"support":[["rule"]]}` + "\n",
		"kerf.yaml":    "kerf: experiment/1\nphases: {grid: 2}\narms:\n  w4: {split: {by: tokens, tokenizer: words, size: 4}, retrieve: {by: bm25}}\nbaseline: w4\n",
	} {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for _, args := range [][]string{{"freeze", "docs"}, {"run"}} {
		if code, _, stderr := command(dir, false, args...); code != exitDone {
			t.Fatalf("kerf %v: %d %s", args, code, stderr)
		}
	}
	return dir
}

// A damaged ledger is named and nothing of it is printed; run writes it again,
// with the same bytes.
func TestExportOfADamagedLedger(t *testing.T) {
	dir := smallProject(t)
	_, before, _ := command(dir, false, "export", "ledger")
	files, err := filepath.Glob(filepath.Join(dir, ".kerf", "runs", "*", "ledger", "*", "*.parquet"))
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		content, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		content[len(content)/3] ^= 4
		if err := os.Chmod(file, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, content, 0o666); err != nil { // the same file as the stored object
			t.Fatal(err)
		}
		code, stdout, stderr := command(dir, false, "export", "ledger", "--table", "query")
		if code != exitTrouble || stdout != "" || !strings.Contains(stderr, "is damaged") {
			t.Errorf("%s flipped: %d %.80q %s", file, code, stdout, stderr)
		}
		code, _, stderr = command(dir, false, "run")
		if _, cell, _ := strings.Cut(filepath.Base(file), "."); code != exitDone || !strings.HasPrefix(cell, "parquet") && !strings.Contains(stderr, "damaged") {
			t.Errorf("%s flipped: run ends with %d: %s", file, code, stderr)
		}
		if _, after, _ := command(dir, false, "export", "ledger"); after != before {
			t.Errorf("%s flipped: the ledger is another after the run", file)
		}
	}
	if err := os.Remove(files[0]); err != nil {
		t.Fatal(err)
	}
	if code, _, _ := command(dir, false, "export", "ledger"); code != exitTrouble {
		t.Errorf("a file less: %d", code)
	}
}

func TestExportOfAnUnfinishedRun(t *testing.T) {
	dir := smallProject(t)
	manifests, _ := filepath.Glob(filepath.Join(dir, ".kerf", "runs", "*", "manifest.json"))
	for content, want := range map[string]string{`{"ledger":""}`: "has not ended", `{`: "manifest:"} {
		if err := os.WriteFile(manifests[0], []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := command(dir, false, "export", "ledger"); code != exitTrouble || !strings.Contains(stderr, want) {
			t.Errorf("%s: %d %s", content, code, stderr)
		}
	}
}

// A pipe gets canonical JSON, a terminal the same JSON without what steers it.
func TestExportToATerminal(t *testing.T) {
	dir := smallProject(t)
	_, pipe, _ := command(dir, false, "export", "ledger", "--table", "unit")
	_, screen, _ := command(dir, true, "export", "ledger", "--table", "unit")
	if !strings.Contains(pipe, "\u202e") || strings.Contains(screen, "\u202e") || strings.ReplaceAll(pipe, "\u202e", `\u202e`) != screen {
		t.Errorf("pipe %q\nscreen %q", pipe, screen)
	}
}

// The same run in another folder has the same files, byte for byte.
func TestLedgerIsTheSameEverywhere(t *testing.T) {
	read := func(dir string) string {
		var b strings.Builder
		root := filepath.Join(dir, ".kerf", "runs")
		err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
			if err != nil || d.IsDir() || !strings.Contains(path, "ledger") {
				return err
			}
			content, err := os.ReadFile(path)
			b.WriteString(strings.TrimPrefix(path, root) + "\n" + string(content))
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if a, b := read(smallProject(t)), read(smallProject(t)); a != b || a == "" {
		t.Error("two ledgers of one experiment differ")
	}
}

// The contexts of a real run, all eight configurations at eight placements,
// rebuilt from the documents and compared with what was stored (S1-108).
func TestContextsOfARunVerify(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS(filepath.Join("..", "..", "examples", "handbook"))); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"freeze", "docs"}, {"run"}} {
		if code, _, stderr := command(dir, false, args...); code != exitDone {
			t.Fatalf("kerf %v: %d %s", args, code, stderr)
		}
	}
	a := &app{dir: dir}
	folder, err := a.runFolder("")
	if err != nil {
		t.Fatal(err)
	}
	folder = filepath.Join(folder, "ledger")
	sourceRows, _, err := ledger.Source.Read(filepath.Join(folder, ledger.Source.Path(ledger.RunCell)))
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, r := range sourceRows {
		text, err := os.ReadFile(filepath.Join(dir, "docs", r.Path))
		if err != nil || ledger.Object(text) != r.Version {
			t.Fatal(r, err)
		}
		texts[r.Doc+" "+r.Version] = string(text)
	}
	cells, err := ledger.Cells(folder, ledger.Context.Name())
	if err != nil || len(cells) != 64 {
		t.Fatalf("%d cells, %v", len(cells), err)
	}
	for _, name := range cells {
		var c ledger.Cell
		var e1, e2, e3 error
		c.Contexts, _, e1 = ledger.Context.Read(filepath.Join(folder, ledger.Context.Path(name)))
		c.Units, _, e2 = ledger.Unit.Read(filepath.Join(folder, ledger.Unit.Path(name)))
		c.Budgets, _, e3 = ledger.Budget.Read(filepath.Join(folder, ledger.Budget.Path(name)))
		if err := errors.Join(e1, e2, e3); err != nil {
			t.Fatal(err)
		}
		err := ledger.VerifyCell(c, func(doc, version string) (string, bool) {
			text, ok := texts[doc+" "+version]
			return text, ok
		})
		if err != nil || len(c.Contexts) == 0 {
			t.Errorf("cell %s: %v", name, err)
		}
	}
}
