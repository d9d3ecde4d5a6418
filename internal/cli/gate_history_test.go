package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kerf/internal/corpus"
	"kerf/internal/release/gate"
	"kerf/internal/study/diff"
)

// change is a commit of the history: what happens, and what `kerf gate --against
// HEAD~1` is to say of it. why is a piece of what it prints.
type change struct {
	what string
	edit func(*history)
	exit int
	why  string
}

// history is a repository with the handbook in a subfolder.
type history struct {
	*testing.T
	root, dir string
	removed   string // a line of the golden set
}

func (h *history) read(name string) string {
	h.Helper()
	return string(must(os.ReadFile(filepath.Join(h.dir, filepath.FromSlash(name))))(h.T))
}

func (h *history) write(name, text string) {
	h.Helper()
	path := filepath.Join(h.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		h.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		h.Fatal(err)
	}
}

// swap replaces the one place of old in a file.
func (h *history) swap(name, old, by string) {
	h.Helper()
	text := h.read(name)
	if strings.Count(text, old) != 1 {
		h.Fatalf("%s has %q %d times", name, old, strings.Count(text, old))
	}
	h.write(name, strings.Replace(text, old, by, 1))
}

func (h *history) git(args ...string) string {
	h.Helper()
	cmd := exec.Command("git", args...)
	cmd.Dir = h.root
	out, err := cmd.CombinedOutput()
	if err != nil {
		h.Fatalf("git %q: %v\n%s", args, err, out)
	}
	return string(out)
}

// run is kerf in a folder.
func (h *history) run(dir string, args ...string) (code int, out, talk string) {
	var stdout, stderr bytes.Buffer
	code = Main(context.Background(), Process{Args: append([]string{"-C", dir}, args...), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
		Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} }})
	return code, stdout.String(), stderr.String()
}

func (h *history) kerf(args ...string) string {
	h.Helper()
	code, out, talk := h.run(h.dir, args...)
	if code != 0 {
		h.Fatalf("kerf %v: exit %d\n%s%s", args, code, out, talk)
	}
	return out
}

// freeze pins the documents and moves the labels that are certain.
func (h *history) freeze() {
	h.Helper()
	h.kerf("freeze", "docs")
	h.kerf("anchor", "-w")
}

// line is the line of a question.
func (h *history) line(qid string) string {
	h.Helper()
	for line := range strings.Lines(h.read("golden.jsonl")) {
		if strings.HasPrefix(line, `{"qid":"`+qid+`"`) {
			return line
		}
	}
	h.Fatalf("no %s", qid)
	return ""
}

// relabel gives every span of a question the place of the first span of another.
func (h *history) relabel(qid, other string) {
	h.Helper()
	place := regexp.MustCompile(`"doc":"[^"]*","version":"[^"]*","start":[0-9]+,"end":[0-9]+,"quote":"[^"]*","prefix":"(?:[^"\\]|\\.)*","suffix":"(?:[^"\\]|\\.)*"`)
	line, to := h.line(qid), place.FindString(h.line(other))
	if to == "" || !place.MatchString(line) {
		h.Fatalf("no place in %s or %s", qid, other)
	}
	h.swap("golden.jsonl", line, place.ReplaceAllLiteralString(line, to))
}

// rankings writes what a retriever of windows of so many bytes (whole lines) finds,
// hits of them, by how many words of the question a window has.
func (h *history) rankings(bytes, hits int) {
	h.Helper()
	type window struct {
		doc, version string
		start, end   int
		text         string
	}
	var windows []window
	for line := range strings.Lines(h.read("corpus.jsonl")) {
		var d struct{ Doc, Version string }
		if err := json.Unmarshal([]byte(line), &d); err != nil || d.Doc == "" {
			continue
		}
		text, start := h.read("docs/"+d.Doc), 0
		if corpus.VersionOf(text) != d.Version {
			continue // a superseded one, which labels stood on
		}
		for at := 0; at < len(text); {
			at += strings.IndexByte(text[at:]+"\n", '\n') + 1
			if end := min(at, len(text)); end-start >= bytes || end == len(text) {
				windows = append(windows, window{d.Doc, d.Version, start, end, strings.ToLower(text[start:end])})
				start = end
			}
		}
	}
	var out strings.Builder
	out.WriteString(`{"kerf":"rankings/1","unit":"byte"}` + "\n")
	for line := range strings.Lines(h.read("golden.jsonl")) {
		var q struct{ QID, Question string }
		if err := json.Unmarshal([]byte(line), &q); err != nil || q.QID == "" {
			continue
		}
		words := strings.Fields(strings.ToLower(q.Question))
		score := func(w window) (n int) {
			for _, word := range words {
				if len(word) > 3 && strings.Contains(w.text, strings.Trim(word, ".,?!")) {
					n++
				}
			}
			return n
		}
		found := slices.Clone(windows)
		slices.SortStableFunc(found, func(a, b window) int { return score(b) - score(a) })
		type hit struct {
			Doc     string `json:"doc"`
			Version string `json:"version"`
			Start   int    `json:"start"`
			End     int    `json:"end"`
		}
		row := struct {
			QID  string `json:"qid"`
			Hits []hit  `json:"hits"`
		}{q.QID, []hit{}}
		for _, w := range found[:min(hits, len(found))] {
			row.Hits = append(row.Hits, hit{w.doc, w.version, w.start, w.end})
		}
		out.Write(must(json.Marshal(row))(h.T))
		out.WriteByte('\n')
	}
	h.write("rankings.jsonl", out.String())
}

const historyConfig = `kerf: experiment/1
arms:
  prod: {split: {size: 128, overlap: 32, tokenizer: words}}
budget: {tokens: 1500, tokenizer: words}
phases: {grid: 4}
gate: {arm: prod}
`

func changes() []change {
	config := func(old, by string) func(*history) {
		return func(h *history) { h.swap("kerf.yaml", old, by) }
	}
	const split, fine = "split: {size: 128, overlap: 32, tokenizer: words}", "split: {size: 24, tokenizer: words}"
	return []change{
		{"documents and questions, no kerf.yaml", func(h *history) { h.freeze() }, 2, "no kerf.yaml says which arm is deployed"},
		{"kerf.yaml", func(h *history) { h.write("kerf.yaml", historyConfig) }, 5, "has no kerf.yaml"},
		{"a file beside the project", func(h *history) { h.write("../README.md", "words\n") }, 0, "PASS"},
		{"a document more", func(h *history) {
			h.write("docs/größe.md", "# Sizes\n\nA parcel may be returned in any size.\n\nOpened tubs of glaze have one size.\n")
			h.freeze()
		}, 0, "PASS"},
		{"two documents edited, their labels moved", func(h *history) {
			h.swap("docs/returns.md", "# Returns", "# Our returns, as of May")
			h.write("docs/support.md", h.read("docs/support.md")+"\nLast look: May.\n")
			h.freeze()
		}, 0, "PASS"},
		{"a document edited, its labels forgotten", func(h *history) {
			h.write("docs/billing.md", "# Billing, as of May\n\n"+h.read("docs/billing.md"))
			h.kerf("freeze", "docs")
		}, 2, "K135"},
		{"the labels moved", func(h *history) { h.kerf("anchor", "-w") }, 0, "PASS"},
		{"a finer splitter: much is cut", config(split, fine), 1, "REGRESSION"},
		{"the splitter of before", config(fine, split), 0, "PASS"},
		{"no overlap: a little is cut", config(", overlap: 32", ""), 0, "PASS"},
		{"the overlap of before", config("size: 128, ", "size: 128, overlap: 32, "), 0, "PASS"},
		{"a question asked in other words", func(h *history) {
			line := h.line("q-010")
			h.swap("golden.jsonl", line, regexp.MustCompile(`"question":"[^"]*"`).ReplaceAllLiteralString(line, `"question":"What about it?"`))
		}, 0, "PASS"},
		{"a label error: offsets two off", func(h *history) {
			line := h.line("q-001")
			at := regexp.MustCompile(`"start":([0-9]+),"end":([0-9]+)`).FindStringSubmatch(line)
			var start, end int
			fmt.Sscan(at[1], &start)
			fmt.Sscan(at[2], &end)
			h.swap("golden.jsonl", line, strings.Replace(line, at[0], fmt.Sprintf(`"start":%d,"end":%d`, start+2, end+2), 1))
		}, 2, "K140"},
		{"the label mended", func(h *history) { h.git("checkout", "-q", "HEAD~1", "--", h.dir) }, 0, "PASS"},
		{"a label error that no check sees: another passage", func(h *history) { h.relabel("q-030", "q-001") }, 0, "PASS"},
		{"that label mended", func(h *history) { h.git("checkout", "-q", "HEAD~1", "--", h.dir) }, 0, "PASS"},
		{"a question removed", func(h *history) {
			h.removed = h.line("q-020")
			h.swap("golden.jsonl", h.removed, "")
		}, 5, "gone q-020: not in the golden set"},
		{"a merge of a branch that edits a document", func(h *history) {
			h.git("checkout", "-q", "-b", "side")
			h.write("docs/leave.md", h.read("docs/leave.md")+"\nLast look: June.\n")
			h.freeze()
			h.git("commit", "-qam", "side")
			h.git("checkout", "-q", "main")
			h.git("merge", "-q", "--no-ff", "--no-commit", "side")
		}, 0, "PASS"},
		{"the question again", func(h *history) { h.write("golden.jsonl", h.read("golden.jsonl")+h.removed) }, 0, "PASS"},
		{"a smaller budget", config("tokens: 1500", "tokens: 300"), 5, "instrument budget.tokens: 1500 at the baseline, 300 now"},
		{"the budget of before", config("tokens: 300", "tokens: 1500"), 5, "instrument budget.tokens: 300 at the baseline, 1500 now"},
		{"a finer splitter, fail_on: never", func(h *history) {
			config(split, fine)(h)
			config("{arm: prod}", "{arm: prod, fail_on: never}")(h)
		}, 0, "REGRESSION (not enforced)"},
		{"the splitter of before, enforced", func(h *history) {
			config(fine, split)(h)
			config(", fail_on: never", "")(h)
		}, 0, "PASS"},
		{"the arm has another name", func(h *history) {
			config("  prod:", "  live:")(h)
			config("arm: prod", "arm: live")(h)
		}, 0, "PASS"},
		{"another retriever, as a file of rankings", func(h *history) {
			h.rankings(700, 30)
			config("{"+split+"}", "{rankings: rankings.jsonl}")(h)
		}, 0, "PASS"},
		{"a file of longer windows, another size", func(h *history) { h.rankings(1400, 30) }, 0, "PASS"},
		{"a file of one hit a question, another size", func(h *history) { h.rankings(1400, 1) }, 1, "REGRESSION"},
		{"a line less in the file", func(h *history) {
			h.write("rankings.jsonl", regexp.MustCompile(`(?m)^.*"q-033".*\n`).ReplaceAllString(h.read("rankings.jsonl"), ""))
		}, 2, "q-033"},
		{"all lines again", func(h *history) { h.rankings(1400, 30) }, 0, "warning new-questions"},
		{"a document edited, searched anew", func(h *history) {
			h.write("docs/safety.md", h.read("docs/safety.md")+"\nLast look: July.\n")
			h.freeze()
			h.rankings(1400, 30)
		}, 5, "hits of the rankings of HEAD~1"},
		{"kerf.yaml is broken", config("arms:", "arms: ["), 2, "kerf.yaml:"},
		{"kerf.yaml is whole again", config("arms: [", "arms:"), 5, "cannot be read"},
		{"a tolerance that cries wolf", config("arm: live", "arm: live, tolerance: {support: 0.01}"), 2, "E012"},
		{"the tolerance of before", config(", tolerance: {support: 0.01}", ""), 0, "PASS"},
	}
}

// below is the path of a file from the root of the repository.
func (h *history) below(name string) string {
	return filepath.ToSlash(must(filepath.Rel(h.root, filepath.Join(h.dir, name)))(h.T))
}

// handbook makes the repository, with the handbook and nothing committed of it.
func (h *history) handbook() {
	h.Helper()
	for name, value := range map[string]string{"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.DevNull, "GIT_AUTHOR_NAME": "ann", "GIT_AUTHOR_EMAIL": "ann@example.com",
		"GIT_COMMITTER_NAME": "ann", "GIT_COMMITTER_EMAIL": "ann@example.com", "GIT_AUTHOR_DATE": "2026-03-04T05:06:07Z", "GIT_COMMITTER_DATE": "2026-03-04T05:06:07Z"} {
		h.Setenv(name, value)
	}
	for _, file := range must(filepath.Glob("../../examples/handbook/docs/*.md"))(h.T) {
		h.write("docs/"+filepath.Base(file), string(must(os.ReadFile(file))(h.T)))
	}
	h.write("golden.jsonl", string(must(os.ReadFile("../../examples/handbook/golden.jsonl"))(h.T)))
	h.write(".gitignore", ".kerf/\n")
	h.git("init", "-q", "-b", "main")
	h.git("commit", "-q", "--allow-empty", "-m", "nothing yet")
}

// at is the other way to the gate's baseline: a project of its own with today's
// documents and questions, and the kerf.yaml and rankings of a commit.
func (h *history) at(commit string) *history {
	h.Helper()
	then := &history{T: h.T, dir: h.TempDir()}
	if err := os.CopyFS(filepath.Join(then.dir, "docs"), os.DirFS(filepath.Join(h.dir, "docs"))); err != nil {
		h.Fatal(err)
	}
	for _, name := range []string{"corpus.jsonl", "golden.jsonl"} {
		then.write(name, h.read(name))
	}
	then.write("kerf.yaml", h.git("show", commit+":"+h.below("kerf.yaml")))
	if strings.Contains(then.read("kerf.yaml"), "rankings.jsonl") {
		then.write("rankings.jsonl", h.git("show", commit+":"+h.below("rankings.jsonl")))
	}
	return then
}

// whole is what `kerf run` counts: whole evidence, summed over the questions, each
// its mean over the placements; and how many questions.
func (h *history) whole() (*big.Rat, int) {
	h.Helper()
	var report struct {
		Arms []struct {
			Phases int
			Views  map[string]struct {
				Support struct{ Num, Den, Missing int64 }
			}
		}
	}
	if err := json.Unmarshal([]byte(h.kerf("run", "--json")), &report); err != nil || len(report.Arms) != 1 {
		h.Fatal(err, report)
	}
	arm := report.Arms[0]
	support := arm.Views["budget"].Support
	if support.Missing != 0 {
		h.Fatalf("%+v", support)
	}
	phases := int64(max(1, arm.Phases))
	return big.NewRat(support.Num, phases), int(support.Den / phases)
}

// TestGateHistory builds a repository of thirty-five commits and asks the gate at each
// about the change since the last. Where it gives figures they are those of two runs
// that it has no part in. Run with -v for the table.
func TestGateHistory(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not here")
	}
	root := filepath.Join(t.TempDir(), "a team's répo")
	h := &history{T: t, root: root, dir: filepath.Join(root, "kb größe")}
	h.handbook()
	var table strings.Builder
	fmt.Fprintf(&table, "%-3s %-50s %-5s %-6s %-24s %-10s %s\n", "", "commit", "exit", "right?", "whole evidence", "tolerance", "said")
	checked := 0
	for i, c := range changes() {
		c.edit(h)
		h.git("add", "-A")
		h.git("commit", "-q", "-m", c.what)
		file := filepath.Join(root, "..", "gate.json")
		code, out, talk := h.run(h.dir, "gate", "--against", "HEAD~1", "-o", file)
		said := out + talk
		right := "yes"
		if code != c.exit || !strings.Contains(said, c.why) {
			right = "NO"
			t.Errorf("commit %d, %s: exit %d, want %d with %q\n%s", i+1, c.what, code, c.exit, c.why, said)
		}
		figures, tolerance := "", ""
		if content, err := os.ReadFile(file); err == nil {
			var g gate.Gate
			if err := json.Unmarshal(content, &g); err != nil {
				t.Fatal(err)
			}
			if len(g.Screens) > 0 {
				s := g.Screens[0]
				figures, tolerance = fmt.Sprintf("%s -> %s of %d", s.Baseline.Sum.RatString(), s.Candidate.Sum.RatString(), s.Candidate.Den), s.Tolerance
				if len(g.Instrument) == 0 && !slices.ContainsFunc(g.Warnings, func(w diff.Warning) bool { return w.Code == "new-questions" }) {
					checked++
					was, n := h.at("HEAD~1").whole()
					is, m := h.whole()
					if n != m || s.Baseline.Sum.Cmp(was) != 0 || s.Candidate.Sum.Cmp(is) != 0 || s.Baseline.Den != n {
						right = "NO"
						t.Errorf("commit %d, %s: %s; two runs give %s -> %s of %d", i+1, c.what, figures, was.RatString(), is.RatString(), n)
					}
					drop := new(big.Rat).Quo(new(big.Rat).Sub(was, is), big.NewRat(int64(n), 1))
					if s.Drop != drop.RatString() || (s.Verdict == gate.Regression) != (drop.Cmp(big.NewRat(5, 2*int64(n))) > 0) {
						right = "NO"
						t.Errorf("commit %d, %s: a fall of %s is %s, %s", i+1, c.what, drop.RatString(), s.Drop, s.Verdict)
					}
				}
			}
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
		}
		line := said
		if at := strings.Index(said, c.why); at >= 0 {
			line = said[strings.LastIndexByte(said[:at], '\n')+1:]
		}
		line, _, _ = strings.Cut(line, "\n")
		fmt.Fprintf(&table, "%2d. %-50s %-5d %-6s %-24s %-10s %s\n", i+1, c.what, code, right, figures, tolerance, line)
	}
	t.Logf("figures of %d commits checked by two runs each\n%s", checked, table.String())
	if checked < 18 {
		t.Errorf("only %d commits have figures that were checked", checked)
	}
}
