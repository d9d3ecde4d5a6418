package sweep

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
	"time"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/plan"
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

func scratchLoad(t testing.TB, set string) ([]*corpus.Document, []*golden.Question) {
	dir := "../../../../shared/data/" + set
	c, found := corpus.Read(os.DirFS(dir), "corpus.jsonl")
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	maps := map[string]*coord.Map{}
	f, _ := os.Open(dir + "/golden.jsonl")
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<24)
	sc.Scan()
	var qs []*golden.Question
	for sc.Scan() {
		var j struct {
			QID, Question string
			Within        []string
			Answerable    *bool
			Spans         map[string]struct {
				Doc        string
				Start, End int
			}
			Support [][]string
		}
		if err := json.Unmarshal(sc.Bytes(), &j); err != nil {
			t.Fatal(err)
		}
		q := &golden.Question{QID: j.QID, Text: j.Question, Within: j.Within, Unanswerable: j.Answerable != nil && !*j.Answerable}
		for _, s := range j.Support {
			var set []*golden.Span
			for _, n := range s {
				x := j.Spans[n]
				m := maps[x.Doc]
				if m == nil {
					m = coord.New(c.Find(x.Doc).Text)
					maps[x.Doc] = m
				}
				a, err := m.Byte("codepoint", x.Start)
				if err != nil {
					t.Fatal(err)
				}
				b, _ := m.Byte("codepoint", x.End)
				set = append(set, &golden.Span{Name: n, Doc: x.Doc, Bytes: span.Span{Start: a, End: b}})
			}
			q.Support = append(q.Support, set)
		}
		qs = append(qs, q)
	}
	return c.Documents, qs
}

func TestScratch(t *testing.T) {
	for name, file := range map[string]string{"chroma-general": "chroma", "xquad-zh": "xquad-zh", "jsquad": "jsquad", "contractnli": "contractnli"} {
		docs, qs := scratchLoad(t, name)
		var ref struct {
			K      int
			Budget int `json:"budget_code_points"`
			Arms   []struct {
				Arm           string
				Size, Overlap int
				Phases        []struct {
					Label     string
					First     int `json:"first_cut"`
					Chunks    int
					TopK      int `json:"top_k"`
					Budget    int
					SingleHit int     `json:"single_hit"`
					UnionHit  int     `json:"union_hit"`
					SingleMRR float64 `json:"single_mrr"`
				}
				TopK struct {
					Worst, Flips int
					D            int `json:"disagreement_sum_times_P_squared"`
					PQW          int `json:"per_query_worst"`
					PQB          int `json:"per_query_best"`
				} `json:"top_k"`
			}
		}
		b, _ := os.ReadFile("../../../../shared/reference/sweep_codepoints_" + file + ".json")
		if err := json.Unmarshal(b, &ref); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		e := plan.Default()
		e.Budget = plan.Budget{Tokens: ref.Budget, Tokenizer: "codepoints", Overflow: "stop", Format: "bare"}
		s, err := New(e, docs, qs)
		if err != nil {
			t.Fatal(err)
		}
		w, _ := s.NewWorker()
		for _, a := range ref.Arms {
			arm := plan.Arm{Name: a.Arm, Split: plan.Split{By: "tokens", Tokenizer: "codepoints", Size: a.Size, Overlap: a.Overlap, Edge: "drop-contained"}}
			rows := make([][]stats.Verdict, len(qs))
			for _, p := range a.Phases {
				if err := w.Place(arm, p.First); err != nil {
					t.Fatal(err)
				}
				top, bud, single, union := 0, 0, 0, 0
				w.Ask(func(i int, x *Answer) {
					if x.Question.Unanswerable {
						return
					}
					v := stats.Miss
					if Within(x.Ranking.UnionWS, 5) {
						top++
						v = stats.Hit
					}
					rows[i] = append(rows[i], v)
					if x.Supported() {
						bud++
					}
					if Within(x.Ranking.Union, 5) {
						union++
					}
					if Within(x.Ranking.Single, 5) {
						single++
					}
				})
				got := fmt.Sprint(w.placement.N, top, bud, single, union)
				want := fmt.Sprint(p.Chunks, p.TopK, p.Budget, p.SingleHit, p.UnionHit)
				if got != want {
					t.Errorf("%s %s %s: %s want %s", name, a.Arm, p.Label, got, want)
				}
			}
			ph := stats.OverPhases(rows, len(a.Phases))
			if got, want := fmt.Sprint(ph.PerPhase[ph.Worst].Num, ph.Flips.Num, ph.PerQueryWorst.Num, ph.PerQueryBest.Num), fmt.Sprint(a.TopK.Worst, a.TopK.Flips, a.TopK.PQW, a.TopK.PQB); got != want {
				t.Error(got, want)
			}
		}
		t.Log(name, time.Since(start))
	}
}
