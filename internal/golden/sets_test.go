package golden

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/finding"
)

// shared is the folder of the big sets beside the repository; the test is
// skipped without it.
func shared(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for ; dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			sets := filepath.Join(dir, "..", "shared", "data")
			if _, err := os.Stat(sets); err != nil {
				t.Skip("shared sets not present: ", sets)
			}
			return sets
		}
	}
	t.Fatal("no go.mod above the working directory")
	return ""
}

func TestSharedSetsHaveNoErrors(t *testing.T) {
	dirs, err := filepath.Glob(filepath.Join(shared(t), "*", "golden.jsonl"))
	if err != nil || len(dirs) != 9 {
		t.Fatalf("%d sets, %v", len(dirs), err)
	}
	for _, file := range dirs {
		t.Run(filepath.Base(filepath.Dir(file)), func(t *testing.T) {
			c, found := corpus.Read(os.DirFS(filepath.Dir(file)), "corpus.jsonl")
			if found.Errors() > 0 {
				t.Fatal(found.Err())
			}
			content, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			set, found := Read("golden.jsonl", content, c)
			if found.Errors() > 0 {
				t.Fatal(found.Err())
			}
			by := map[string]int{}
			for _, f := range append(found, Check(set, c, false)...) {
				by[f.Code]++
				if f.Severity == finding.Error {
					t.Error(f)
				}
			}
			t.Log("warnings by code: ", by)
			for _, q := range set.Questions {
				for _, s := range q.Spans {
					if d := c.Find(s.Doc); s.Bytes.Empty() || d.Text[s.Bytes.Start:s.Bytes.End] != s.Quote {
						t.Errorf("%s %s: %v is not the quote", q.QID, s.Name, s.Bytes)
					}
				}
			}
		})
	}
}

// TestHandbookIsClean: the demo handbook gives no finding at all, under strict.
func TestHandbookIsClean(t *testing.T) {
	dir := filepath.Join("..", "..", "examples", "handbook")
	c, found := corpus.Read(os.DirFS(dir), "corpus.jsonl")
	content, err := os.ReadFile(filepath.Join(dir, "golden.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	set, more := Read("golden.jsonl", content, c)
	for _, f := range slices.Concat(found, more, Check(set, c, true)) {
		t.Error(f)
	}
	if len(set.Questions) != 60 {
		t.Errorf("%d questions", len(set.Questions))
	}
}
