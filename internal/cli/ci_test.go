package cli

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
)

// workflow is what these tests read of a workflow of GitHub or an action.
type workflow struct {
	Name, Description string
	On                map[string]any
	Permissions       map[string]string
	Concurrency       map[string]string
	Jobs              map[string]struct {
		If      string
		Timeout int `yaml:"timeout-minutes"`
		Steps   []step
	}
	Inputs, Outputs map[string]struct {
		Description, Default, Value string
		Required                    bool
	}
	Runs struct {
		Using string
		Steps []step
	}
}

type step struct {
	Name, ID, If, Uses, Run, Shell string
	Dir                            string `yaml:"working-directory"`
	With, Env                      map[string]string
}

var (
	pinned     = regexp.MustCompile(`^actions/[a-z-]+(/[a-z]+)?@[0-9a-f]{40}$`)
	kerfCalled = regexp.MustCompile(`(?m)(?:^|- |run: )kerf ([a-z]+)(.*)$`)
)

// safe checks what a step runs: scripts hold no expressions, which GitHub would
// paste in before the shell reads them; actions are named by digest.
func safe(t *testing.T, where string, s step) {
	t.Helper()
	if strings.Contains(s.Run, "${{") {
		t.Errorf("%s: an expression inside a script: %s", where, s.Run)
	}
	if s.Uses != "" && !pinned.MatchString(s.Uses) {
		t.Errorf("%s: %s is not pinned by its digest", where, s.Uses)
	}
	if (s.Uses == "") == (s.Run == "") {
		t.Errorf("%s: a step either runs or uses: %+v", where, s)
	}
}

func parse(t *testing.T, text string, v any) {
	t.Helper()
	if err := yaml.Unmarshal([]byte(text), v); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
}

func TestGitHubJobs(t *testing.T) {
	for _, below := range []string{"", "my eval/größe/"} {
		files, err := jobs("github", below)
		if err != nil || len(files) != 1 || files[0].path != strings.Repeat("../", strings.Count(below, "/"))+".github/workflows/kerf.yml" {
			t.Fatalf("%v, %v", files, err)
		}
		var w workflow
		parse(t, files[0].content, &w)
		if len(w.Permissions) != 1 || w.Permissions["contents"] != "read" || w.Concurrency["group"] == "" {
			t.Errorf("permissions %v, concurrency %v", w.Permissions, w.Concurrency)
		}
		if w.On["pull_request"] == nil || w.On["schedule"] == nil || w.On["pull_request_target"] != nil {
			t.Errorf("on %v", w.On)
		}
		for name, job := range w.Jobs {
			if job.Timeout == 0 || job.If == "" {
				t.Errorf("%s: %+v", name, job)
			}
			for _, s := range job.Steps {
				safe(t, name, s)
				if strings.HasPrefix(s.Uses, "actions/checkout@") && (s.With["persist-credentials"] != "false" || name == "gate" && s.With["fetch-depth"] != "0") {
					t.Errorf("%s: checkout with %v", name, s.With)
				}
			}
		}
		if len(w.Jobs["gate"].Steps) == 0 || len(w.Jobs["nightly"].Steps) == 0 {
			t.Errorf("jobs %v", w.Jobs)
		}
	}
}

func TestGitLabJobs(t *testing.T) {
	for _, below := range []string{"", "my eval/größe/"} {
		files, err := jobs("gitlab", below)
		if err != nil || len(files) != 2 {
			t.Fatalf("%v, %v", files, err)
		}
		var jobs map[string]struct {
			Variables map[string]string
			Before    []string `yaml:"before_script"`
			Timeout   string
			Artifacts struct {
				Paths   []string
				Reports map[string]string
			}
		}
		parse(t, files[0].content, &jobs)
		enter := "kerf version"
		if below != "" {
			enter = `cd "my eval/größe"`
		}
		if job := jobs[".kerf"]; job.Variables["GIT_DEPTH"] != "0" || job.Before[0] != enter {
			t.Errorf("%+v", job)
		}
		reports := jobs["kerf-gate"].Artifacts.Reports
		if reports["junit"] != below+"kerf-ci/gate.junit.xml" || reports["codequality"] != below+"kerf-ci/gate.codequality.json" {
			t.Errorf("reports %v", reports)
		}
		if jobs["kerf-gate"].Timeout == "" || jobs["kerf-nightly"].Timeout == "" {
			t.Errorf("a job without a limit: %v", jobs)
		}
		var include struct{ Include []map[string]string }
		parse(t, files[1].content, &include)
		if include.Include[0]["local"] != ".gitlab/kerf.yml" {
			t.Errorf("%v", include)
		}
	}
}

// TestJobsRun: every command of the jobs exists with its flags, needs no network
// and names files of kinds that it writes. The gate and the runs end by themselves.
func TestJobsRun(t *testing.T) {
	for name, text := range map[string]string{"github": initGitHub, "gitlab": initGitLab} {
		var verbs []string
		for _, m := range kerfCalled.FindAllStringSubmatch(text, -1) {
			verb, args := m[1], strings.Fields(strings.Split(m[2], ">>")[0])
			if strings.HasPrefix(m[0], "kerf") || verb == "is" { // of a comment
				continue
			}
			verbs = append(verbs, verb)
			a := &app{Process: Process{Getenv: os.Getenv}}
			cmd, rest, err := a.root().Find(append([]string{verb}, args...))
			if err != nil || cmd.Name() != verb {
				t.Errorf("%s: kerf %s: %v", name, verb, err)
				continue
			}
			if err := cmd.ParseFlags(rest); err != nil {
				t.Errorf("%s: kerf %s %v: %v", name, verb, args, err)
			}
			if (verb == "run" || verb == "gate") && (!a.offline || a.deadline == 0) {
				t.Errorf("%s: kerf %s %v needs --offline and --deadline", name, verb, args)
			}
			kinds := map[string][]string{"gate": gateKinds, "run": {".json", ".html", ".md", ".csv"}, "cuts": {".json", ".csv"}}[verb]
			if err := a.kinds(verb, kinds...); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		slices.Sort(verbs)
		want := []string{"check", "cuts", "gate", "run", "run", "version"}
		if name == "github" {
			want = []string{"check", "check", "cuts", "gate", "run", "run", "version", "version"}
		}
		if !slices.Equal(verbs, want) {
			t.Errorf("%s: kerf %v, want %v", name, verbs, want)
		}
	}
}

// TestBelow: the way from the root of a repository, without one nothing.
func TestBelow(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "r", ".git"), 0o777); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"r": "", "r/a b/new": "a b/new/", "": "", "x/y": ""} {
		if got, err := below(filepath.Join(dir, filepath.FromSlash(name))); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %q", name, got, err, want)
		}
	}
}

// readAction is the action at the root of the repository.
func readAction(t *testing.T) workflow {
	t.Helper()
	var w workflow
	parse(t, string(must(os.ReadFile("../../action.yml"))(t)), &w)
	return w
}

func TestAction(t *testing.T) {
	w := readAction(t)
	if w.Runs.Using != "composite" || len(w.Runs.Steps) == 0 || w.Inputs["comment"].Default != "false" {
		t.Fatalf("%+v", w)
	}
	used := map[string]bool{}
	for i, s := range w.Runs.Steps {
		where := "step " + strconv.Itoa(i+1)
		safe(t, where, s)
		if (s.Run != "") != (s.Shell == "bash") {
			t.Errorf("%s: shell %q", where, s.Shell)
		}
		for _, text := range append(slices.Concat(slices.Collect(maps.Values(s.With)), slices.Collect(maps.Values(s.Env))), s.If, s.Dir) {
			for _, m := range regexp.MustCompile(`inputs\.([a-z-]+)`).FindAllStringSubmatch(text, -1) {
				used[m[1]] = true
				if _, ok := w.Inputs[m[1]]; !ok {
					t.Errorf("%s: no input %s", where, m[1])
				}
			}
		}
		// The one secret is where it is used, and nowhere else.
		if _, has := s.Env["GH_TOKEN"]; has != strings.Contains(s.Run, "gh api") {
			t.Errorf("%s: its environment is %v", where, s.Env)
		}
	}
	page := string(must(os.ReadFile("../../docs/ci.md"))(t))
	for name, in := range w.Inputs {
		if in.Description == "" || !used[name] || !strings.Contains(page, "| `"+name+"` |") {
			t.Errorf("input %s: description %q, used %v; has docs/ci.md a row for it?", name, in.Description, used[name])
		}
	}
	for name, out := range w.Outputs {
		if out.Description == "" || out.Value == "" || !strings.Contains(page, "| `"+name+"` |") {
			t.Errorf("output %s: %+v; has docs/ci.md a row for it?", name, out)
		}
	}
}

// runner runs the scripts of the action's steps as GitHub's runner does, with kerf on
// the path and a gh that writes down what it is asked.
type runner struct {
	*testing.T
	work, temp string
	steps      []step
}

func newRunner(t *testing.T) *runner {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("the stand-ins for kerf and gh are links and scripts")
	}
	for _, program := range []string{"bash", "git"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skip(program + " is not here")
		}
	}
	r := &runner{t, t.TempDir(), t.TempDir(), readAction(t).Runs.Steps}
	r.file("bin/gh", "#!/bin/sh\n(echo CALL; for a in \"$@\"; do echo \"  $a\"; done) >> \"$GH_LOG\"\ncase \"$*\" in *--paginate*) cat \"$GH_KNOWN\";; esac\n")
	if err := errors.Join(os.Chmod(filepath.Join(r.temp, "bin", "gh"), 0o777), os.Symlink(must(os.Executable())(t), filepath.Join(r.temp, "kerf"))); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"path", "output", "summary", "log", "known"} {
		r.file(name, "")
	}
	return r
}

func (r *runner) file(name, text string) {
	r.Helper()
	path := filepath.Join(r.temp, name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
		r.Fatal(err)
	}
}

func (r *runner) read(name string) string {
	r.Helper()
	return string(must(os.ReadFile(filepath.Join(r.temp, name)))(r.T))
}

// step runs the step of a name; inputs are what its expressions mean.
func (r *runner) step(name string, inputs map[string]string) (string, int) {
	r.Helper()
	i := slices.IndexFunc(r.steps, func(s step) bool { return s.Name == name })
	if i < 0 {
		r.Fatalf("no step %s", name)
	}
	cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", r.steps[i].Run)
	cmd.Dir = r.work
	cmd.Env = append(os.Environ(), "PATH="+strings.TrimSpace(r.read("path"))+":"+filepath.Join(r.temp, "bin")+":"+os.Getenv("PATH"),
		"RUNNER_TEMP="+r.temp, "RUNNER_OS=Linux", "GITHUB_PATH="+filepath.Join(r.temp, "path"), "GITHUB_OUTPUT="+filepath.Join(r.temp, "output"),
		"GITHUB_STEP_SUMMARY="+filepath.Join(r.temp, "summary"), "GITHUB_REPOSITORY=team/kb", "GITHUB_ACTIONS=true",
		"GH_LOG="+filepath.Join(r.temp, "log"), "GH_KNOWN="+filepath.Join(r.temp, "known"))
	for variable, expression := range r.steps[i].Env {
		key := strings.TrimSuffix(strings.TrimPrefix(expression, "${{ "), " }}")
		cmd.Env = append(cmd.Env, variable+"="+inputs[strings.TrimPrefix(key, "inputs.")])
	}
	out, err := cmd.CombinedOutput()
	if e := (*exec.ExitError)(nil); err != nil && !errors.As(err, &e) {
		r.Fatal(err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// TestActionRuns: the scripts give kerf its arguments whole, whatever is in them, its
// exit code and verdict to the next step, and one comment to the pull request.
func TestActionRuns(t *testing.T) {
	r := newRunner(t)
	dir := filepath.Join(r.work, "kb größe")
	h := &history{T: t, root: r.work, dir: dir}
	h.handbook()
	h.write("kerf.yaml", historyConfig)
	h.freeze()
	h.git("add", "-A")
	h.git("commit", "-q", "-m", "one")

	inputs := map[string]string{"working-directory": "kb größe", "deadline": "10m", "run": "true", "binary": filepath.Join(r.temp, "kerf"), "github.event.pull_request.number": "17"}
	if out, code := r.step("put kerf on the path", inputs); code != 0 || strings.TrimSpace(r.read("path")) != filepath.Join(r.temp, "kerf-bin") {
		t.Fatalf("exit %d: %s", code, out)
	}
	gate := func(code int, outputs string, changes ...string) string {
		t.Helper()
		with := maps.Clone(inputs)
		for i := 0; i < len(changes); i += 2 {
			with[changes[i]] = changes[i+1]
		}
		r.file("output", "")
		out, got := r.step("kerf gate", with)
		if got != code || !strings.HasSuffix(r.read("output"), outputs) {
			t.Errorf("%v: exit %d, outputs %q\n%s", changes, got, r.read("output"), out)
		}
		return out
	}
	gate(0, "verdict=pass\nexit=0\nexit=0\n")
	if summary := r.read("summary"); !strings.Contains(summary, "kerf gate: PASS") || strings.Contains(summary, "glaze and hate the colour") {
		t.Errorf("summary: %s", summary)
	}
	for _, name := range []string{"report.html", "gate.json", "gate.md", "gate.junit.xml", "gate.sarif"} {
		h.read("kerf-ci/" + name)
	}

	// Nothing that is passed on is a word of the shell, or an option where it is none.
	for _, hostile := range []string{"$(touch pwned)", "`touch pwned`", "x; touch pwned", "x\" && touch pwned && \"", "--output=pwned", "*", "x\nHEAD"} {
		gate(2, "exit=2\n", "against", hostile, "run", "false")
		gate(2, "exit=2\n", "baseline", hostile, "run", "false")
		gate(2, "exit=2\n", "deadline", hostile, "run", "false")
	}
	gate(2, "exit=2\n", "args", "$(touch pwned)", "run", "false")
	if names := must(filepath.Glob(filepath.Join(r.work, "*", "pwned")))(t); names != nil {
		t.Errorf("run: %v", names)
	}
	for _, with := range [][]string{{"baseline", "my base.json"}, {"args", "--baseline\nmy base.json"}} {
		if out := gate(2, "exit=2\n", append(with, "run", "false")...); !strings.Contains(out, "my base.json: no such file") {
			t.Errorf("%v: %s", with, out)
		}
	}
	if out := gate(2, "exit=2\n", "against", "no ref", "run", "false"); !strings.Contains(out, "no commit no ref") {
		t.Error(out)
	}
	gate(0, "exit=0\n", "args", "--phase\n4/4\n", "against", "HEAD", "run", "false")

	// A regression; and what a pull request brings as a report is none.
	h.swap("kerf.yaml", "size: 128, overlap: 32", "size: 24")
	gate(1, "verdict=regression\nexit=1\nexit=1\n", "against", "HEAD", "run", "false")
	comment := func(known string) string {
		t.Helper()
		r.file("log", "")
		r.file("known", known)
		if out, code := r.step("comment", inputs); code != 0 {
			t.Fatalf("exit %d: %s", code, out)
		}
		return r.read("log")
	}
	if log := comment(""); !strings.Contains(log, `.user.type == "Bot" and (.body | startswith("<!-- kerf gate -->"))`) || !strings.HasSuffix(log, "CALL\n  api\n  --silent\n  --method\n  POST\n  repos/team/kb/issues/17/comments\n  -F\n  body=@kerf-ci/gate.md\n") {
		t.Errorf("%s", log)
	}
	if log := comment("99\n100\n"); !strings.HasSuffix(log, "CALL\n  api\n  --silent\n  --method\n  PATCH\n  repos/team/kb/issues/comments/99\n  -F\n  body=@kerf-ci/gate.md\n") {
		t.Errorf("%s", log)
	}
	h.write("kerf.yaml", "kerf: [")
	gate(1, "exit=1\n", "run", "false") // kerf check finds it
	if log := comment(""); log != "" {
		t.Errorf("a report that is not of this run is sent: %s", log)
	}
}
