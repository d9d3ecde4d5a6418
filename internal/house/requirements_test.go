package house

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestRequirements: docs/requirements.md has each requirement once, in order,
// and each has a proof that exists or names the later piece of work.
func TestRequirements(t *testing.T) {
	page, err := os.ReadFile("../../docs/requirements.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| (S[123]-\d{3}) \| ([^|]+) \| ([^|]+) \|$`)
	named := regexp.MustCompile("`([a-z0-9/]+)\\.((?:Test|Fuzz)\\w+)`|`([a-z0-9-]+\\.txtar)`")
	file := regexp.MustCompile("^`(index/CELL.json|manifest.json)` of a run")
	later := regexp.MustCompile(`later: ([a-z ]+)`)
	pieces := map[string]bool{"engine": true, "arms": true, "decide": true, "answers": true, "see and label": true}
	last, rows := "", row.FindAllStringSubmatch(string(page), -1)
	for _, r := range rows {
		id, proof := r[1], r[3]
		if id <= last {
			t.Errorf("%s stands after %s", id, last)
		}
		last = id
		proofs, works := named.FindAllStringSubmatch(proof, -1), later.FindAllStringSubmatch(proof, -1)
		if len(proofs)+len(works) == 0 && !file.MatchString(proof) {
			t.Errorf("%s: %q is no proof", id, proof)
		}
		for _, p := range proofs {
			if !exists(t, p[1], p[2], p[3]) {
				t.Errorf("%s: %s does not exist", id, p[0])
			}
		}
		for _, w := range works {
			if !pieces[w[1]] {
				t.Errorf("%s: no piece of work is called %q", id, w[1])
			}
		}
	}
	const all = 179
	if len(rows) != all {
		t.Errorf("%d requirements, want %d", len(rows), all)
	}
}

// exists reports whether a room below internal has a test, or the command line
// a script.
func exists(t *testing.T, room, test, script string) bool {
	t.Helper()
	if script != "" {
		_, err := os.Stat("../cli/testdata/" + script)
		return err == nil
	}
	files, err := filepath.Glob("../" + room + "/*_test.go")
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		content, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(content), "func "+test+"(") {
			return true
		}
	}
	return false
}
