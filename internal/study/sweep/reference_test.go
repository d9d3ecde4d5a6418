package sweep

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/plan"
	"kerf/internal/verdict"
)

// shared is the folder of the big labelled sets and their reference numbers,
// beside the repository; the test is skipped where it is not.
func shared(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			dir = filepath.Join(filepath.Dir(dir), "shared")
			if _, err := os.Stat(dir); err != nil {
				t.Skip("shared sets not present: the sweep is not compared with the reference numbers")
			}
			return dir
		}
		dir = filepath.Dir(dir)
	}
	t.Fatal(err)
	return ""
}

// load reads a labelled set through the real readers.
func load(t testing.TB, set string) ([]*corpus.Document, []*golden.Question) {
	t.Helper()
	dir := filepath.Join(shared(t), "data", set)
	c, found := corpus.Read(os.DirFS(dir), "corpus.jsonl")
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(dir, "golden.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	g, found := golden.Read("golden.jsonl", content, c)
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return c.Documents, g.Questions
}

// reference is a sweep by an independent brute-force program.
type reference struct {
	Answerable, K int
	Budget        int `json:"budget_code_points"`
	Arms          []struct {
		Arm           string
		Size, Overlap int
		Phases        []struct {
			Label     string
			FirstCut  int `json:"first_cut"`
			Chunks    int
			TopK      int `json:"top_k"`
			Budget    int
			SingleHit int     `json:"single_hit"`
			UnionHit  int     `json:"union_hit"`
			SingleMRR float64 `json:"single_mrr"`
		}
		TopK   referenceView `json:"top_k"`
		Budget referenceView
	}
}

type referenceView struct {
	Mean          float64
	Worst, Flips  int
	Disagreement  int64 `json:"disagreement_sum_times_P_squared"`
	PerQueryWorst int   `json:"per_query_worst"`
	PerQueryBest  int   `json:"per_query_best"`
}

// TestSweepEqualsTheReference demands every count of every arm and placement on
// four sets in three scripts.
func TestSweepEqualsTheReference(t *testing.T) {
	for set, file := range map[string]string{"chroma-general": "chroma", "xquad-zh": "xquad-zh", "jsquad": "jsquad", "contractnli": "contractnli"} {
		t.Run(set, func(t *testing.T) { compareWithReference(t, set, file) })
	}
}

func compareWithReference(t *testing.T, set, file string) {
	docs, questions := load(t, set)
	content, err := os.ReadFile(filepath.Join(shared(t), "reference", "sweep_codepoints_"+file+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var want reference
	if err := json.Unmarshal(content, &want); err != nil {
		t.Fatal(err)
	}
	if len(want.Arms) == 0 {
		t.Fatal("the reference has no arms")
	}
	e := plan.Default()
	e.Budget = plan.Budget{Tokens: want.Budget, Tokenizer: "codepoints", Overflow: "stop", Format: "bare"}
	s, err := New(e, docs, questions, nil)
	if err != nil {
		t.Fatal(err)
	}
	w, err := s.NewWorker()
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range want.Arms {
		arm := plan.Arm{Name: a.Arm, Split: plan.Split{By: "tokens", Tokenizer: "codepoints", Size: a.Size, Overlap: a.Overlap, Edge: "drop-contained"}}
		labels, err := plan.Labels(arm.Stride(), len(a.Phases))
		if err != nil {
			t.Fatal(err)
		}
		var budget, topK [][]stats.Verdict
		for j, p := range a.Phases {
			if labels[j].String() != p.Label || labels[j].FirstCut != p.FirstCut {
				t.Fatalf("%s: label %s at %d, want %s at %d", a.Arm, labels[j], labels[j].FirstCut, p.Label, p.FirstCut)
			}
			if err := w.Place(t.Context(), arm, p.FirstCut); err != nil {
				t.Fatal(err)
			}
			var tally verdict.Tally
			var inBudget, inTop stats.Count
			row := 0
			_ = w.Ask(t.Context(), func(_ int, x *Answer) {
				if x.Question.Unanswerable {
					return
				}
				if j == 0 {
					budget, topK = append(budget, make([]stats.Verdict, len(a.Phases))), append(topK, make([]stats.Verdict, len(a.Phases)))
				}
				tally.Add(x.Ranking)
				inBudget.Add(x.Supported())
				inTop.Add(Within(x.Ranking.UnionWS, want.K))
				if x.Supported() {
					budget[row][j] = stats.Hit
				}
				if Within(x.Ranking.UnionWS, want.K) {
					topK[row][j] = stats.Hit
				}
				row++
			})
			m := tally.Measures([]int{want.K})
			got := fmt.Sprint(w.placement.N, inTop, inBudget, m[0].Count, m[1].Count)
			if expected := fmt.Sprint(p.Chunks, stats.Count{Num: p.TopK, Den: want.Answerable}, stats.Count{Num: p.Budget, Den: want.Answerable},
				&stats.Count{Num: p.SingleHit, Den: want.Answerable}, &stats.Count{Num: p.UnionHit, Den: want.Answerable}); got != expected {
				t.Errorf("%s %s: chunks, top k, budget, single hit, union hit: %s, want %s", a.Arm, p.Label, got, expected)
			}
			if mrr, _ := m[3].Sum.Rate(); math.Abs(mrr-p.SingleMRR) > 1e-11 {
				t.Errorf("%s %s: %s %v, want %v", a.Arm, p.Label, m[3].Name, mrr, p.SingleMRR)
			}
		}
		checkView(t, a.Arm+" top k", topK, len(a.Phases), a.TopK)
		checkView(t, a.Arm+" budget", budget, len(a.Phases), a.Budget)
	}
}

func checkView(t *testing.T, what string, rows [][]stats.Verdict, phases int, want referenceView) {
	t.Helper()
	over := stats.OverPhases(rows, phases)
	squared := new(big.Rat).Mul(over.Disagreement.Sum, big.NewRat(int64(phases)*int64(phases), 1))
	got := referenceView{Worst: over.PerPhase[over.Worst].Num, Flips: over.Flips.Num, Disagreement: squared.Num().Int64(),
		PerQueryWorst: over.PerQueryWorst.Num, PerQueryBest: over.PerQueryBest.Num}
	mean, _ := over.Support.Rate()
	if math.Abs(mean-want.Mean) > 1e-12 || !squared.IsInt() {
		t.Errorf("%s: mean %v, want %v", what, mean, want.Mean)
	}
	want.Mean = 0
	if got != want {
		t.Errorf("%s: %+v, want %+v", what, got, want)
	}
}
