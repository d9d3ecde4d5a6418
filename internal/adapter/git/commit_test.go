package git

import (
	"crypto/sha1"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestCommit(t *testing.T) {
	s := newSandbox(t)
	one := s.commit("r", "kerf.yaml", "1", "kerf.yaml^{commit}", "a trap")
	s.git("r", "tag", "-a", "-m", "release", "v1.0")
	s.git("r", "branch", "bücher/neu")
	two := s.commit("r", "kerf.yaml", "2")
	s.git("r", "branch", "-m", "main", "trunk")
	r := s.open("r")
	for ref, want := range map[string]string{
		"HEAD": two, "trunk": two, "HEAD~1": one, "v1.0": one, "bücher/neu": one, one: one, one[:12]: one, "@": two,
		"refs/heads/trunk": two, "HEAD^": one, "HEAD^{/x}": two,
	} {
		if got, err := r.Commit(t.Context(), ref); got != want || err != nil {
			t.Errorf("%s: %q, %v; want %s", ref, got, err, want)
		}
	}
	for ref, word := range map[string]string{
		"trunc":       `has no commit trunc: did you mean "trunk"?`,
		"bucher/neu":  `did you mean "bücher/neu"?`,
		"V1.0":        `did you mean "v1.0"?`,
		"nothing":     "has no commit nothing",
		"HEAD~5":      "has no commit HEAD~5",
		"@{u}":        "has no commit @{u}",
		"^HEAD":       "has no commit ^HEAD",
		"HEAD..trunk": "has no commit", "HEAD trunk": "has no commit", "$(touch x)": "has no commit",
		"HEAD^{tree}": "has no commit",
		"":            "names no commit", "-": "names no commit", "--output=x": "names no commit", "--all": "names no commit",
		"HEAD:kerf.yaml": "names no commit", "HEAD:": "names no commit", ":/x": "names no commit",
		"HEAD\n": "names no commit", "HEAD\nHEAD": "names no commit", "HEAD\x00": "names no commit", "\x1b[31m": "names no commit",
		strings.Repeat("x", 5000): "has no commit",
	} {
		sha, err := r.Commit(t.Context(), ref)
		if sha != "" {
			t.Errorf("%q: %s", ref, sha)
		}
		s.refuses(err, nil, word)
	}
	if _, err := os.Stat(s.path("r/x")); err == nil {
		t.Error("a REF wrote a file")
	}

	s.git("", "init", "-q", "new")
	_, err := s.open("new").Commit(t.Context(), "HEAD")
	s.refuses(err, nil, "HEAD has no commit yet")
}

func TestCommitAmbiguous(t *testing.T) {
	s := newSandbox(t)
	s.commit("r", "a", "a")
	text, _, _ := strings.Cut(s.git("r", "cat-file", "commit", "HEAD"), "\n\n")
	// git takes no fewer than four digits: find two commits that share them.
	seen := map[string]string{}
	for i := 0; ; i++ {
		commit := fmt.Sprintf("%s\n\n%d\n", text, i)
		start := fmt.Sprintf("%x", sha1.Sum(fmt.Appendf(nil, "commit %d\x00%s", len(commit), commit)))[:4]
		if seen[start] != "" {
			for _, text := range []string{seen[start], commit} {
				s.write("commit", text)
				s.git("r", "hash-object", "-t", "commit", "-w", s.path("commit"))
			}
			_, err := s.open("r").Commit(t.Context(), start)
			s.refuses(err, nil, "fits several objects")
			return
		}
		seen[start] = commit
	}
}

// env is a getenv of NAME, value, ...
func env(pairs ...string) func(string) string {
	return func(name string) string {
		for i := 0; i < len(pairs); i += 2 {
			if pairs[i] == name {
				return pairs[i+1]
			}
		}
		return ""
	}
}

func TestBase(t *testing.T) {
	s := newSandbox(t)
	first := s.commit("hub", "a", "1")
	s.git("", "clone", "-q", "hub", "work")
	s.git("work", "checkout", "-q", "-b", "change")
	s.commit("work", "b", "1")
	change := s.commit("work", "b", "2")
	later := s.commit("hub", "c", "1") // the target moves on
	s.git("hub", "branch", "release/ü", first)
	s.git("work", "fetch", "-q")
	r := s.open("work")
	base := func(ref, sha string, pairs ...string) {
		t.Helper()
		if gotRef, got, err := r.Base(t.Context(), env(pairs...)); gotRef != ref || got != sha || err != nil {
			t.Errorf("%v: %s %s, %v; want %s %s", pairs, gotRef, got, err, ref, sha)
		}
	}
	base("origin/HEAD", first)
	s.git("work", "remote", "set-head", "origin", "--delete")
	base("origin/main", first)
	base("origin/main", first, "GITHUB_BASE_REF", "main")
	base("origin/release/ü", first, "GITHUB_BASE_REF", "release/ü")
	base(first, first, "CI_MERGE_REQUEST_DIFF_BASE_SHA", first, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "gone")
	base("origin/main", first, "CI_MERGE_REQUEST_TARGET_BRANCH_NAME", "main")

	// GitHub checks out the merge of both, without a branch: what the change
	// is measured against has what the target has by now.
	s.git("work", "checkout", "-q", "--detach", "origin/main")
	s.git("work", "merge", "-q", "--no-ff", "-m", "merge", change)
	base("origin/main", later, "GITHUB_BASE_REF", "main")
	base("origin/main", later)
	// So does a pipeline of GitLab for merged results, where DIFF_BASE is older.
	base(later, later, "CI_MERGE_REQUEST_TARGET_BRANCH_SHA", later, "CI_MERGE_REQUEST_DIFF_BASE_SHA", first)

	// On the target itself, and without a remote.
	s.git("work", "checkout", "-q", "main")
	s.git("work", "merge", "-q", "--ff-only", "origin/main")
	base("origin/main", later)
	r = s.open("hub")
	base("main", later)
	s.git("hub", "branch", "-m", "main", "master")
	base("master", later)

	// What the CI names is taken, or refused: nothing else in its place.
	for _, pairs := range [][]string{{"GITHUB_BASE_REF", "gone"}, {"CI_MERGE_REQUEST_DIFF_BASE_SHA", strings.Repeat("0", 40)},
		{"GITHUB_BASE_REF", "x\n"}} {
		_, _, err := r.Base(t.Context(), env(pairs...))
		s.refuses(err, nil, "(from "+pairs[0]+")")
	}
	_, _, err := r.Base(t.Context(), env("CI_MERGE_REQUEST_DIFF_BASE_SHA", "--output=x"))
	s.refuses(err, nil, "names no commit")
	s.git("hub", "branch", "-m", "master", "trunk")
	_, _, err = r.Base(t.Context(), env())
	s.refuses(err, nil, "none of origin/HEAD", "--against")

	s.git("hub", "checkout", "-q", "--orphan", "alone")
	s.commit("hub")
	_, _, err = r.Base(t.Context(), env("CI_MERGE_REQUEST_DIFF_BASE_SHA", later))
	s.refuses(err, nil, "no common ancestor")
	if strings.Contains(err.Error(), "shallow") {
		t.Errorf("%v: nothing is shallow here", err)
	}
}

func TestShallow(t *testing.T) {
	s := newSandbox(t)
	first := s.commit("hub of ü", "a", "1")
	s.git("hub of ü", "checkout", "-q", "-b", "change")
	s.commit("hub of ü", "a", "2")
	s.commit("hub of ü", "a", "3")
	url := "file://" + s.path("hub of ü")
	s.git("", "clone", "-q", "--depth", "1", "--no-single-branch", url, "both")
	r := s.open("both")
	_, _, err := r.Base(t.Context(), env("GITHUB_BASE_REF", "main"))
	s.refuses(err, ErrShallow, "no common ancestor", "origin/main (from GITHUB_BASE_REF)", "git fetch --unshallow", "fetch-depth: 0", "GIT_DEPTH: 0")
	_, err = r.Commit(t.Context(), "HEAD~1")
	s.refuses(err, ErrShallow, "HEAD~1", "git fetch --unshallow")

	// As actions/checkout does without fetch-depth: 0, the target is not there at all.
	s.git("", "clone", "-q", "--depth", "1", "--branch", "change", url, "one")
	_, _, err = s.open("one").Base(t.Context(), env("GITHUB_BASE_REF", "main"))
	s.refuses(err, ErrShallow, "origin/main", "fetch-depth: 0")

	// The commands that are named mend it, there one after the other.
	one := s.open("one")
	s.git("one", "fetch", "-q", "--unshallow")
	_, _, err = one.Base(t.Context(), env("GITHUB_BASE_REF", "main"))
	s.refuses(err, nil, "; git fetch origin main:refs/remotes/origin/main brings it")
	s.git("one", "fetch", "-q", "origin", "main:refs/remotes/origin/main")
	if _, got, err := one.Base(t.Context(), env("GITHUB_BASE_REF", "main")); got != first || err != nil {
		t.Errorf("%s, %v; want %s", got, err, first)
	}
	s.git("both", "fetch", "-q", "--unshallow")
	if _, got, err := r.Base(t.Context(), env("GITHUB_BASE_REF", "main")); got != first || err != nil {
		t.Errorf("%s, %v; want %s", got, err, first)
	}
}
