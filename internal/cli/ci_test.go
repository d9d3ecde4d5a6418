package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
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
