package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// TestKeptHitsRunShort: a baseline keeps the hits that were read. Where documents that
// held them are closed since, today's context would read on, and a context that
// is only as full as it was would hide a fall: not comparable.
func TestKeptHitsRunShort(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo")
	kerf := func(args ...string) (code int, out, talk string) {
		var stdout, stderr bytes.Buffer
		code = Main(context.Background(), Process{Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
			Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} }})
		return code, stdout.String(), stderr.String()
	}
	if code, _, talk := kerf("demo", dir, "-q"); code != 0 {
		t.Fatal(talk)
	}
	change := func(file, old, new string) {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(content), old) {
			t.Fatalf("%s: %v", file, err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(strings.ReplaceAll(string(content), old, new)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, talk := kerf("-C", dir, "gate", "--accept", "-q"); code != 0 {
		t.Fatal(talk)
	}
	if code, out, talk := kerf("-C", dir, "gate", "--baseline", "baseline.json", "-q"); code != 0 {
		t.Fatal(out, talk)
	}
	change("corpus.jsonl", `"doc":"definitions.md",`, `"doc":"definitions.md","access":{"read":["legal"]},`)
	code, out, talk := kerf("-C", dir, "gate", "--baseline", "baseline.json", "-q")
	if code != 5 || !strings.Contains(out, "baseline.json keeps the hits that were read then, and ") {
		t.Errorf("exit %d\n%s\n%s", code, out, talk)
	}
}

// TestNothingLeavesUnseen: what leaves the screen between a commit and today is named,
// and what every placement has is the tested system.
func TestNothingLeavesUnseen(t *testing.T) {
	h := &history{T: t, root: t.TempDir()}
	h.dir = filepath.Join(h.root, "kb")
	if code, _, talk := h.run(".", "demo", h.dir, "-q"); code != 0 {
		t.Fatal(talk)
	}
	const windows = "kerf: experiment/1\nphases: {grid: 2}\narms: {prod: {split: {size: 64}}}\n"
	h.write("kerf.yaml", windows)
	h.git("init", "-q", "-b", "main")
	labels := h.read("golden.jsonl")
	header, questions, _ := strings.Cut(labels, "\n")
	enriched := func(text string) string {
		return regexp.MustCompile(`"sample":"[a-z]*"`).ReplaceAllString(text, `"sample":"enriched"`)
	}
	closed := func(qid string) string {
		return strings.Replace(labels, h.line(qid), `{"qid":"`+qid+`","question":"Nobody knows?","answerable":false}`+"\n", 1)
	}
	_, first, _ := strings.Cut(h.line("q-001"), ",")
	for _, x := range []struct {
		what            string
		was, is         string // golden.jsonl
		before, after   string // kerf.yaml
		exit            int
		says, saysNever string
	}{
		{"another sample is screened", header + "\n" + enriched(questions), header + "\n" + enriched(questions) + `{"qid":"new",` + first, windows, windows,
			5, "gone q-001: of the enriched sample; the representative one is screened now", "PASS"},
		{"a question has no answer any more", labels, closed("q-002"), windows, windows, 0, "warning unanswerable-now: labels that say now that nothing answers the question: 1; these questions have left both sides: q-002", "gone"},
		{"labels that could not be read", labels + `{"qid":"x",` + "\n", labels, windows, windows, 0, "warning gone-unknown: HEAD@", "gone x"},
		{"one question", header + "\n" + h.line("q-001"), header + "\n" + h.line("q-001"), windows, windows, 0,
			"warning never-fails: support: a tolerance of 5/2 lets every fall pass (questions: 1)", "96 points"},
		{"every placement, another size", labels, labels, strings.Replace(windows, "{grid: 2}", "all", 1), strings.NewReplacer("{grid: 2}", "all", "64", "66").Replace(windows), 0, "what differs of the tested system: size\n", "instrument"},
		{"another instrument", labels, labels, windows, strings.Replace(windows, "grid: 2", "grid: 3", 1), 5, "warning merge-first: ", "--accept"},
		{"no kerf.yaml", labels, labels, "", windows, 5, "warning merge-first: ", "--accept"},
	} {
		commit := func(golden, yaml string) {
			h.write("golden.jsonl", golden)
			if h.write("kerf.yaml", yaml); yaml == "" {
				if err := os.Remove(filepath.Join(h.dir, "kerf.yaml")); err != nil {
					t.Fatal(err)
				}
			}
		}
		commit(x.was, x.before)
		h.git("add", "-A", "-f")
		h.git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", x.what, "--allow-empty")
		commit(x.is, x.after)
		code, out, talk := h.run(h.dir, "gate", "--against", "HEAD")
		if code != x.exit || !strings.Contains(out, x.says) || strings.Contains(out+talk, x.saysNever) {
			t.Errorf("%s: exit %d\n%s%s", x.what, code, out, talk)
		}
		h.write("golden.jsonl", labels)
	}
}

// TestAgainstCommit: a golden set outside of the repository is no trouble. Rankings of an older text say nothing of today's,
// also where nobody has changed them.
func TestAgainstCommit(t *testing.T) {
	h := &history{T: t, root: t.TempDir()}
	h.dir = filepath.Join(h.root, "kb")
	if code, _, talk := h.run(".", "demo", h.dir, "-q"); code != 0 {
		t.Fatal(talk)
	}
	h.rankings(700, 30)
	h.write("kerf.yaml", "kerf: experiment/1\narms: {prod: {rankings: rankings.jsonl}}\n")
	h.git("init", "-q", "-b", "main")
	h.git("add", "-A", "-f")
	h.git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "all")
	if code, out, talk := h.run(h.dir, "gate", "--against", "HEAD"); code != 0 {
		t.Errorf("unchanged: exit %d\n%s%s", code, out, talk)
	}
	if code, _, talk := h.run(h.dir, "gate", "--against", ""); code != 2 || !strings.Contains(talk, "--against: empty") {
		t.Errorf("a variable that is not set: exit %d\n%s", code, talk)
	}
	outside := filepath.Join(t.TempDir(), "golden.jsonl")
	if err := os.WriteFile(outside, []byte(h.read("golden.jsonl")), 0o666); err != nil {
		t.Fatal(err)
	}
	h.write("kerf.yaml", "kerf: experiment/1\ngolden: "+strconv.Quote(outside)+"\narms: {prod: {rankings: rankings.jsonl}}\n")
	h.git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qam", "questions of another place")
	if code, out, talk := h.run(h.dir, "gate", "--against", "HEAD"); code != 0 || !strings.Contains(out, "warning gone-unknown: ") {
		t.Errorf("questions outside of the repository: exit %d\n%s%s", code, out, talk)
	}
	h.git("checkout", "-q", "HEAD~1", "--", "kb/kerf.yaml")
	h.write("kerf.yaml", h.read("kerf.yaml")+"gate: {tolerance: {support: 50%}, floor: {mrr: 0.1}}\n")
	if code, out, talk := h.run(h.dir, "gate", "--against", "HEAD"); code != 0 || !strings.Contains(out, "warning limits-changed: gate of kerf.yaml is not that of HEAD@") || !strings.Contains(out, ": tolerance, floor; today's decides\n") {
		t.Errorf("a looser gate: exit %d\n%s%s", code, out, talk)
	}
	h.write("docs/warranty.md", h.read("docs/warranty.md")+"\nMore.\n")
	h.freeze()
	if code, out, talk := h.run(h.dir, "gate", "--against", "HEAD"); code != 5 || !strings.Contains(out, "another version of the document is pinned") {
		t.Errorf("edited: exit %d\n%s%s", code, out, talk)
	}
}

// TestDeadlineOfBothSides: a deadline is that of the command, not of each of its sides.
func TestDeadlineOfBothSides(t *testing.T) {
	h := &history{T: t, root: t.TempDir()}
	h.dir = filepath.Join(h.root, "kb")
	if code, _, talk := h.run(".", "demo", h.dir, "-q"); code != 0 {
		t.Fatal(talk)
	}
	h.write("kerf.yaml", "kerf: experiment/1\nphases: {grid: 2}\narms: {prod: {split: {size: 64}}}\n")
	h.git("init", "-q", "-b", "main")
	h.git("add", "-A", "-f")
	h.git("-c", "user.name=n", "-c", "user.email=e", "commit", "-qm", "all")
	h.write("kerf.yaml", strings.Replace(h.read("kerf.yaml"), "64", "72", 1))
	for hours := 1; hours < 30; hours++ {
		if err := os.RemoveAll(filepath.Join(h.dir, ".kerf")); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		var clock time.Time
		code := Main(context.Background(), Process{Args: []string{"-C", h.dir, "-q", "-j", "1", "--deadline", fmt.Sprintf("%dh", hours), "gate", "--against", "HEAD"}, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
			Getenv: func(string) string { return "" }, Now: func() time.Time { clock = clock.Add(time.Hour); return clock }})
		if before, now := strings.Contains(stdout.String(), "result: HEAD@"), strings.Contains(stdout.String(), "result: now, "); code == 4 && before && !now {
			return
		} else if code != 4 {
			t.Fatalf("%d hours: exit %d, and the side that comes second was never cut short alone\n%s%s", hours, code, stdout.String(), stderr.String())
		}
	}
	t.Error("no deadline was enough")
}
