package cli

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kerf/internal/study/diff"
)

// TestDiffRuns: the same arm of two runs, of which the second has another at_k,
// another question and none of a third: what is compared, and what is not.
func TestDiffRuns(t *testing.T) {
	dir := t.TempDir()
	kerf := func(args ...string) string {
		t.Helper()
		code, stdout, stderr := command(dir, false, args...)
		if code != exitDone {
			t.Fatal(args, stderr)
		}
		return stdout
	}
	kerf("demo", "here", "-q")
	dir = filepath.Join(dir, "here")
	first := filepath.Base(folderOf(t, dir))
	labels := strings.Split(strings.TrimSpace(read(t, filepath.Join(dir, "golden.jsonl"))), "\n")
	at := slices.IndexFunc(labels, func(l string) bool { return strings.Contains(l, `"q-007"`) })
	var row map[string]any
	if err := json.Unmarshal([]byte(labels[at]), &row); err != nil {
		t.Fatal(err)
	}
	row["question"] = row["question"].(string) + " Really?"
	changed, _ := json.Marshal(row)
	labels[at] = string(changed)
	gone := slices.IndexFunc(labels, func(l string) bool { return strings.Contains(l, `"q-008"`) })
	labels = slices.Delete(labels, gone, gone+1)
	if err := writeFile(filepath.Join(dir, "golden.jsonl"), []byte(strings.Join(labels, "\n")+"\n")); err != nil {
		t.Fatal(err)
	}
	config := read(t, filepath.Join(dir, "kerf.yaml"))
	if err := writeFile(filepath.Join(dir, "kerf.yaml"), []byte(regexp.MustCompile(`(?m)^at_k: \d+`).ReplaceAllString(config, "at_k: 1"))); err != nil {
		t.Fatal(err)
	}
	kerf("run", "-q")
	var d diff.Diff
	if err := json.Unmarshal([]byte(kerf("diff", first[:6]+"/tokens-256-0", "tokens-256-0", "--json", "-q")), &d); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(d.Questions.Relabelled, []string{"q-007"}) || !slices.Equal(d.Questions.OnlyBaseline, []string{"q-008"}) || d.Baseline.Run != first || d.Candidate.Run == first {
		t.Errorf("%+v", d.Questions)
	}
	if !slices.Equal(d.Intervention, []string{"at_k"}) || len(d.Confounded) != 0 {
		t.Errorf("%v besides %v", d.Intervention, d.Confounded)
	}
	for _, e := range d.Effects { // the budget view does not know at_k
		if e.Measure == "support" && e.View == "budget" && e.Difference.Sum.Sign() != 0 {
			t.Errorf("%+v", e)
		}
	}
	if text := kerf("diff", first+"/tokens-256-0", "tokens-256-0", "-q"); !strings.Contains(text, "warning not-compared: 2 questions are in no figure") {
		t.Error(text)
	}
	if code, _, stderr := command(dir, false, "diff", first+"/tokens-256-1", "tokens-256-0"); code != exitTrouble || !strings.Contains(stderr, `has no arm tokens-256-1: did you mean "tokens-256-0"?`) {
		t.Error(code, stderr)
	}
}
