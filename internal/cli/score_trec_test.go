package cli

import (
	"encoding/json"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestTRECAgainstTrecEval: ties, graded relevance, queries that only one file has
// and ones without a relevant document, through the command: every measure of
// every query is trec_eval's to 1e-9, and the means are over its queries.
func TestTRECAgainstTrecEval(t *testing.T) {
	for _, c := range []struct {
		base      string
		questions int // in the means of trec_eval
		complete  int // of trec_eval -c
	}{
		{"testdata/trec/small", 4, 5},
		{"../../../shared/reference/ties", 58, 59},
		{"../../../shared/reference/a200", 200, 200},
	} {
		t.Run(filepath.Base(c.base), func(t *testing.T) {
			reference, err := os.ReadFile(c.base + ".pytrec.json")
			if err != nil && strings.HasPrefix(c.base, "..") {
				t.Skipf("the shared reference files are not here: %v", err)
			}
			var want map[string]map[string]float64
			if err := json.Unmarshal(reference, &want); err != nil {
				t.Fatal(err)
			}
			whole := scoreOf(t, c.base, "trec_eval-c")
			if whole.Questions != c.complete {
				t.Errorf("trec_eval-c: %d questions, want %d", whole.Questions, c.complete)
			}
			got := scoreOf(t, c.base, "trec_eval")
			if got.Questions != c.questions || len(got.ByQuestion) != c.questions || len(want) != c.questions {
				t.Fatalf("%d questions, %d listed, want %d; the reference has %d", got.Questions, len(got.ByQuestion), c.questions, len(want))
			}
			compared, sums := 0, map[string]float64{}
			for _, q := range got.ByQuestion {
				for name, v := range want[q.QID] {
					ours := name
					if k, ok := strings.CutPrefix(name, "ndcg_cut_"); ok {
						ours = "ndcg@" + k
					} else if k, ok := strings.CutPrefix(name, "recall_"); ok {
						ours = "recall@" + k
					} else if name == "recip_rank" {
						ours = "mrr"
					}
					m, ok := q.Measures[ours]
					if !ok { // P and success are not measures of kerf
						continue
					}
					compared++
					sums[ours] += v
					if f := m.float(t); math.Abs(f-v) > 1e-9 {
						t.Errorf("%s %s: %v, want %v", q.QID, ours, f, v)
					}
				}
			}
			if compared < 8*c.questions {
				t.Errorf("%d figures compared, want at least 8 a query", compared)
			}
			for name, sum := range sums {
				for _, o := range []trecScore{got, whole} {
					if m := o.Measures[name]; m.Den != o.Questions || math.Abs(m.float(t)-sum) > 1e-9 {
						t.Errorf("%s: sum %s of %d, want %v of %d", name, m.Sum, m.Den, sum, o.Questions)
					}
				}
			}
		})
	}
}

type trecScore struct {
	Questions  int
	Measures   map[string]trecSum
	ByQuestion []struct {
		QID      string
		Measures map[string]trecSum
	} `json:"by_question"`
}

type trecSum struct {
	Sum string
	Den int
}

func (s trecSum) float(t *testing.T) float64 {
	t.Helper()
	r, ok := new(big.Rat).SetString(s.Sum)
	if !ok {
		t.Fatalf("%q is no number", s.Sum)
	}
	f, _ := r.Float64()
	return f
}

func scoreOf(t *testing.T, base, compat string, flags ...string) (out trecScore) {
	t.Helper()
	base, err := filepath.Abs(base)
	if err != nil {
		t.Fatal(err)
	}
	args := append([]string{"score", base + ".run", "--qrels", base + ".qrels", "--compat", compat, "--json"}, flags...)
	code, stdout, stderr := command(t.TempDir(), false, args...)
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	if err := json.Unmarshal([]byte(stdout), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestTRECFromAPipe: what cannot be read twice is read into memory.
func TestTRECFromAPipe(t *testing.T) {
	dir := t.TempDir()
	content := []byte("q Q0 a 1 2 t\np Q0 a 1 2 t\nq Q0 b 2 1 t\n")
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(content); err != nil {
		t.Fatal(err)
	}
	w.Close()
	defer r.Close()
	path := "/dev/fd/" + big.NewInt(int64(r.Fd())).String()
	if _, err := os.Stat(path); err != nil {
		t.Skipf("no names of open files: %v", err)
	}
	writeTestFile(t, filepath.Join(dir, "qrels"), "q 0 b 1\np 0 a 1\n")
	code, stdout, stderr := command(dir, false, "score", path, "--qrels", "qrels", "--k", "2")
	if code != exitDone || !slices.Contains(strings.Fields(stdout), "3/2") {
		t.Errorf("exit %d\n%s%s", code, stdout, stderr)
	}
}
