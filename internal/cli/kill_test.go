package cli

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"kerf/internal/study/ledger"
)

// built is the kerf binary as it ships: these tests are about processes.
func built(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("-short: builds a binary and kills it")
	}
	binary := filepath.Join(t.TempDir(), "kerf")
	if runtime.GOOS == "windows" {
		binary += ".exe"
	}
	if out, err := exec.Command("go", "build", "-o", binary, "kerf/cmd/kerf").CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return binary
}

// process runs kerf to its end.
func process(t *testing.T, binary, dir string, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	code, stdout, stderr, _ = measured(t, binary, dir, args...)
	return code, stdout, stderr
}

// measured runs kerf to its end and says how much processor time it took.
func measured(t *testing.T, binary, dir string, args ...string) (code int, stdout, stderr string, used time.Duration) {
	t.Helper()
	cmd := exec.Command(binary, append([]string{"-C", dir}, args...)...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	err := cmd.Run()
	var e *exec.ExitError
	if err != nil && !errors.As(err, &e) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), out.String(), talk.String(), cpu(cmd.ProcessState)
}

func cpu(p *os.ProcessState) time.Duration { return p.UserTime() + p.SystemTime() }

// midSize writes a project whose run has 64 cells: documents of made-up words
// from a small linear generator, the same on every machine, and a question for
// each of them that asks for two neighbouring sentences.
func midSize(t *testing.T, documents, words int) string {
	t.Helper()
	dir := t.TempDir()
	state := uint32(1)
	next := func(n int) int {
		state = state*1664525 + 1013904223
		return int(state>>16) % n
	}
	word := func() string {
		const syllables = "ka re mi so tu lan dor vel pin gos"
		all := strings.Fields(syllables)
		return all[next(10)] + all[next(10)] + all[next(6)]
	}
	var questions strings.Builder
	questions.WriteString(`{"kerf":"golden/1","unit":"byte"}` + "\n")
	for d := range documents {
		name := fmt.Sprintf("d%03d.md", d)
		var text strings.Builder
		var starts []int
		for range words / 10 {
			starts = append(starts, text.Len())
			for w := range 10 {
				text.WriteString(word())
				text.WriteString([]string{" ", ". "}[w/9])
			}
		}
		writeTestFile(t, filepath.Join(dir, "docs", name), text.String())
		at := 1 + next(len(starts)-4)
		a, b, c := starts[at], starts[at+1], starts[at+2]
		rule, exception := text.String()[a:b-1], text.String()[b:c-1]
		asked := strings.Fields(rule)[2:6]
		line, err := json.Marshal(map[string]any{"qid": fmt.Sprintf("q%03d", d), "question": strings.Join(asked, " ") + "?",
			"spans": map[string]any{
				"rule":      map[string]any{"doc": name, "start": a, "end": b - 1, "quote": rule},
				"exception": map[string]any{"doc": name, "start": b, "end": c - 1, "quote": exception, "needed_by": "rule"}},
			"support": [][]string{{"rule", "exception"}}, "dependency": []string{"exception"}})
		if err != nil {
			t.Fatal(err)
		}
		questions.Write(append(line, '\n'))
	}
	writeTestFile(t, filepath.Join(dir, "golden.jsonl"), questions.String())
	writeTestFile(t, filepath.Join(dir, "kerf.yaml"), "kerf: experiment/1\nbudget: {tokens: 1500}\n")
	if code, _, stderr := command(dir, false, "freeze", "docs"); code != exitDone {
		t.Fatal(stderr)
	}
	return dir
}

func writeTestFile(t *testing.T, path, content string) {
	t.Helper()
	err := os.MkdirAll(filepath.Dir(path), 0o777)
	if err == nil {
		err = os.WriteFile(path, []byte(content), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// sums has the digest of every file of the run's folder, except those that hold
// clocks. There is one run.
func sums(t *testing.T, dir string) map[string]string {
	t.Helper()
	runs, err := filepath.Glob(filepath.Join(dir, ".kerf", "runs", "*", "manifest.json"))
	if err != nil || len(runs) != 1 {
		t.Fatalf("%d runs in %s: %v", len(runs), dir, err)
	}
	root := filepath.Dir(runs[0])
	out := map[string]string{"run": filepath.Base(root)}
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || slices.Contains([]string{"timings.json", "report.html", "log.jsonl", "attempts.jsonl"}, d.Name()) {
			return err
		}
		content, err := os.ReadFile(path)
		name, _ := filepath.Rel(root, path)
		out[filepath.ToSlash(name)] = ledger.Object(content)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sameSums compares two run folders file by file.
func sameSums(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	if len(want) < 400 {
		t.Errorf("%s: only %d files", what, len(want))
	}
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s: %s: %s, want %s", what, name, got[name], want[name])
		}
	}
	for name := range got {
		if want[name] == "" {
			t.Errorf("%s: %s should not be there", what, name)
		}
	}
}

var countsLine = regexp.MustCompile(`run [0-9a-f]+: (\d+) cells?: (\d+) reused, (\d+) run(?:, (\d+) without a result)?`)

// cellCounts are the numbers that run prints: all, reused, run, without a result.
func cellCounts(t *testing.T, stderr string) (n [4]int) {
	t.Helper()
	m := countsLine.FindStringSubmatch(stderr)
	if m == nil {
		t.Fatalf("no counts of cells in %q", stderr)
	}
	for i := range n {
		n[i], _ = strconv.Atoi(m[i+1])
	}
	return n
}

// killAfter runs kerf, and kills it when it has told of so many cells: with
// SIGKILL where there are signals, so that nothing of it can react. It returns
// the processor time it took.
func killAfter(t *testing.T, binary, dir string, cells int) time.Duration {
	t.Helper()
	cmd := exec.Command(binary, "-C", dir, "run", "-j", "2", "--progress", "json")
	talk, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	told := 0
	for lines := bufio.NewScanner(talk); told < cells && lines.Scan(); {
		if strings.HasPrefix(lines.Text(), "{") {
			told++
		}
	}
	if err := cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		t.Fatal(err)
	}
	_ = cmd.Wait() // an error: it was killed
	if told < cells {
		t.Errorf("only %d of %d cells were told of", told, cells)
	}
	return cpu(cmd.ProcessState)
}

// TestKilled: a run killed at any moment and the same command again give the
// same bytes as a run that nobody disturbed, and no finished cell is done twice.
func TestKilled(t *testing.T) {
	binary := built(t)
	dir := midSize(t, 40, 2000)
	code, _, stderr, undisturbed := measured(t, binary, dir, "run", "-j", "2")
	if code != exitDone || cellCounts(t, stderr) != [4]int{64, 0, 64, 0} {
		t.Fatal(code, stderr)
	}
	want := sums(t, dir)
	worst := 0.0
	for _, cells := range []int{0, 1, 8, 15, 23, 31, 40, 50, 62, 64} {
		if err := os.RemoveAll(filepath.Join(dir, ".kerf")); err != nil {
			t.Fatal(err)
		}
		first := killAfter(t, binary, dir, cells)
		stored := records(t, dir)
		args := []string{"run", "-j", "2"}
		if cells > 0 {
			args = append(args, "--resume") // some part is there
		}
		code, _, stderr, second := measured(t, binary, dir, args...)
		counts := cellCounts(t, stderr)
		if code != exitDone || counts[1] != stored || counts[1] < cells || counts[1]+counts[2] != 64 {
			t.Errorf("killed after %d cells, %d stored: exit %d, %v %s", cells, stored, code, counts, stderr)
		}
		sameSums(t, fmt.Sprintf("killed after %d cells", cells), sums(t, dir), want)
		ratio := float64(first+second) / float64(undisturbed)
		worst = max(worst, ratio)
		t.Logf("killed after %2d cells: %2d reused, %2d run; %v and %v, together %.2f of one run (%v)", cells, counts[1], counts[2], first.Round(time.Millisecond), second.Round(time.Millisecond), ratio, undisturbed.Round(time.Millisecond))
	}
	t.Logf("the most expensive: %.2f of the processor time of one run", worst) // at most 1.3 is wanted; a clock decides nothing here
}

// TestKilledAmongManyChunks: the same with half a million chunks a cell.
func TestKilledAmongManyChunks(t *testing.T) {
	binary := built(t)
	dir := midSize(t, 40, 25_000)
	writeTestFile(t, filepath.Join(dir, "kerf.yaml"), `kerf: experiment/1
phases: {grid: 1}
budget: {tokens: 100, tokenizer: words}
arms:
  four: {split: {tokenizer: words, size: 4, overlap: 2}}
  five: {split: {tokenizer: words, size: 5, overlap: 3}}
  six: {split: {tokenizer: words, size: 6, overlap: 4}}
`)
	code, stdout, stderr := process(t, binary, dir, "run", "-j", "2", "--json")
	if code != exitDone || cellCounts(t, stderr) != [4]int{3, 0, 3, 0} {
		t.Fatal(code, stderr)
	}
	if n := regexp.MustCompile(`"indexed_units":\s*(49\d{4}|5\d{5})\b`).FindString(stdout); n == "" {
		t.Error("no arm of half a million chunks")
	}
	want := sums(t, dir)
	if err := os.RemoveAll(filepath.Join(dir, ".kerf")); err != nil {
		t.Fatal(err)
	}
	killAfter(t, binary, dir, 1)
	stored := records(t, dir)
	code, _, stderr = process(t, binary, dir, "run", "-j", "2", "--resume")
	if counts := cellCounts(t, stderr); code != exitDone || counts[1] != stored || counts[1] < 1 || counts[1]+counts[2] != 3 {
		t.Errorf("%d stored: exit %d, %v %s", stored, code, counts, stderr)
	}
	if got := sums(t, dir); !maps.Equal(got, want) {
		t.Errorf("the run that was killed gives %v, want %v", got, want)
	}
}

// records is how many finished cells the store has.
func records(t *testing.T, dir string) int {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(dir, ".kerf", "cas", "records", "*", "*"))
	if err != nil {
		t.Fatal(err)
	}
	return len(found)
}

// TestCores: no byte depends on how many cores there are, or on a second
// process that does the same at the same time.
func TestCores(t *testing.T) {
	binary := built(t)
	dir := midSize(t, 12, 1200)
	var want map[string]string
	for _, jobs := range []string{"1", "2", "7", "64"} {
		if code, _, stderr := process(t, binary, dir, "run", "-j", jobs); code != exitDone {
			t.Fatal(code, stderr)
		}
		if want == nil {
			want = sums(t, dir)
		}
		sameSums(t, "-j "+jobs, sums(t, dir), want)
		if err := os.RemoveAll(filepath.Join(dir, ".kerf")); err != nil {
			t.Fatal(err)
		}
	}
	for round := range 4 { // the first from nothing, the others on what is there
		var group sync.WaitGroup
		for range 3 {
			group.Go(func() {
				cmd := exec.Command(binary, "-C", dir, "run", "-j", "1")
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("one of three at once, round %d: %v\n%s", round, err, out)
				}
			})
		}
		group.Wait()
		sameSums(t, fmt.Sprintf("three at once, round %d", round), sums(t, dir), want)
	}
	log, err := filepath.Glob(filepath.Join(dir, ".kerf", "runs", "*", "log.jsonl"))
	if err != nil || len(log) != 1 {
		t.Fatal(log, err)
	}
	content, err := os.ReadFile(log[0])
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
	if len(lines) < 64 {
		t.Errorf("%d lines in the log of 64 cells", len(lines))
	}
	for _, l := range lines {
		if !json.Valid([]byte(l)) {
			t.Errorf("log: %q", l)
		}
	}
	if code, _, stderr := process(t, binary, dir, "export", "ledger", "--table", "verdict", "-q"); code != exitDone {
		t.Error(code, stderr)
	}
}
