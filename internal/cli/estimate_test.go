package cli

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"

	"kerf/internal/study/sweep"
	"kerf/internal/text/token"
)

// TestEstimateOfTwoMillionTokens: one document of exactly 2,000,000 tokens under
// the eight configurations, through the real commands: the limit is 18,000,000
// indexed tokens, the exact count 17,991,291 (worked example of overlap).
func TestEstimateOfTwoMillionTokens(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: tokenises 4 MB")
	}
	const tokens = 2_000_000
	text := strings.Repeat(" a", tokens)
	cl100k, err := token.Named("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	if n := cl100k.Count(text); n != tokens {
		t.Fatalf("the text has %d tokens", n)
	}
	dir := t.TempDir()
	writeTestFile(t, filepath.Join(dir, "docs", "a.md"), text)
	if code, _, stderr := command(dir, false, "init"); code != exitDone {
		t.Fatal(stderr)
	}
	writeTestFile(t, filepath.Join(dir, "golden.jsonl"), `{"kerf":"golden/1","unit":"byte"}`+"\n"+`{"qid":"q1","question":"Who?","answerable":false}`+"\n")
	if code, _, stderr := command(dir, false, "freeze", "docs"); code != exitDone {
		t.Fatal(stderr)
	}
	code, stdout, stderr := command(dir, false, "run", "--estimate")
	if code != exitDone || !strings.Contains(stdout, "all 8 ") {
		t.Fatal(code, stderr, stdout)
	}
	line := ""
	for l := range strings.Lines(stdout) {
		if strings.HasPrefix(l, "all 8 ") {
			line = strings.Join(strings.Fields(l), " ")
		}
	}
	if want := "all 8 16,000,000 32,945 17,991,291 18,000,000"; line != want {
		t.Errorf("%q, want %q\n%s", line, want, stdout)
	}
	_, stdout, _ = command(dir, false, "run", "--estimate", "--json")
	if want := `"total":{"tokens":16000000,"windows":32945,"embedded_tokens":17991291,"limit":"18000000"}`; !strings.Contains(stdout, want) {
		t.Errorf("%s\nwant %s", stdout, want)
	}
}

// TestEstimateIsWhatIsIndexed: the numbers of the estimate are those of the index
// manifests of the ordinary cuts. (The handbook has no blank windows, which
// the estimate counts and no index holds.)
func TestEstimateIsWhatIsIndexed(t *testing.T) {
	dir := handbookProject(t)
	writeTestFile(t, filepath.Join(dir, "kerf.yaml"), `kerf: experiment/1
phases: {grid: 2}
arms:
  keep: {split: {by: tokens, tokenizer: words, size: 90, overlap: 40, edge: keep}}
grid: {size: [100, 257], overlap: [0, 33%, 50], tokenizer: o200k_base}
`)
	if code, _, stderr := command(dir, false, "run"); code != exitDone {
		t.Fatal(stderr)
	}
	_, stdout, _ := command(dir, false, "run", "--estimate", "--json")
	var estimate estimateOutput
	if err := json.Unmarshal([]byte(stdout), &estimate); err != nil || len(estimate.Arms) != 7 {
		t.Fatal(err, stdout)
	}
	for _, a := range estimate.Arms {
		var index sweep.IndexManifest
		content := read(t, filepath.Join(folderOf(t, dir), "index", a.Arm+".2of2.json"))
		if err := json.Unmarshal([]byte(content), &index); err != nil {
			t.Fatal(err)
		}
		if a.Windows != int64(index.Chunks) || a.Embedded != int64(index.Tokens) {
			t.Errorf("%s: estimated %d windows of %d tokens, indexed %d of %d", a.Arm, a.Windows, a.Embedded, index.Chunks, index.Tokens)
		}
	}
}
