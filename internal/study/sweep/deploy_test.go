package sweep

import (
	"errors"
	"strings"
	"testing"

	"kerf/internal/pipeline/engine"
	"kerf/internal/stats"
	"kerf/internal/study/plan"
	"kerf/internal/twin"
)

// TestDeployed: an arm that is deployed finds what a run finds at the ordinary
// cuts, whoever ranks, also where two arms share an engine.
func TestDeployed(t *testing.T) {
	for seed := range uint64(60) {
		s, arm := randomStudy(t, seed, seed%3 == 0)
		want, _ := ask(t, s, arm, arm.Stride())
		var asks []string
		for _, q := range s.Questions {
			asks = append(asks, q.Text)
		}
		b := &bag{asks: asks}
		arms := []plan.Arm{arm, arm, arm}
		if s.Experiment.Access == "deny" {
			for i := range arms[1:] {
				arms[i+1].Name, arms[i+1].Retrieve = string(rune('x'+i)), plan.Retrieve{By: "command", Run: "x"}
			}
			arms[2].Split.Size++ // other chunks
			for _, other := range arms[1:] {
				s.Bring(other, Foreign{Engine: b})
			}
		}
		var all []*Deployed
		for _, x := range arms {
			d, err := s.Deploy(t.Context(), x)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, d)
		}
		if all[0].Chunks() == 0 {
			continue
		}
		other, _ := ask(t, s, arms[2], arms[2].Stride())
		for i, q := range s.Questions {
			for k, d := range all {
				hits, err := d.Search(t.Context(), i)
				expect := want
				if k == 2 {
					expect = other
				}
				if err != nil || hits != len(expect[q.QID].Hits) {
					t.Fatalf("seed %d, arm %d, %s: %d hits, %v; want %d", seed, k, q.QID, hits, err, len(expect[q.QID].Hits))
				}
				for j, h := range d.worker.hits {
					if w := expect[q.QID].Hits[j]; h.Doc != w.Doc || h.Span != w.Span {
						t.Fatalf("seed %d, arm %d, %s, hit %d: %v, want %v", seed, k, q.QID, j, h, w)
					}
				}
			}
		}
		for _, d := range all {
			if err := d.Drop(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		delete(b.indexes, Everywhere) // of ask
		if len(b.indexes) > 0 {
			t.Fatalf("seed %d: %d indexes are left", seed, len(b.indexes))
		}
	}
}

// TestDeployedIsAsked: what times searches finds hits when it is asked, also where
// chunks are so many that a run finds those of all questions beforehand. A run then
// knows no more of them than it needs; a target's or an explanation's one question is
// enough.
func TestDeployedIsAsked(t *testing.T) {
	text := strings.Repeat("fee ", 9000) + strings.Repeat("fee late ", 20)
	docs := []twin.Document{{ID: "a", Text: text}}
	set := [][]twin.Evidence{{{Doc: "a", Start: 0, End: 4}}}
	questions := []twin.Question{{QID: "q1", Text: "late", Support: set}, {QID: "q2", Text: "late fee", Support: set}}
	w, s := sweepOf(t, docs, questions, twin.Params{Size: 1, FirstCut: 1, Budget: 9, Overflow: "stop", Format: "bare", K: 2, Depth: 5, Log: stats.Log}, "words", "words")
	arm := w.arm
	d, err := s.Deploy(t.Context(), arm)
	if err != nil {
		t.Fatal(err)
	}
	known := func(w *Worker) int { return len(w.placement.Hits(1 << 20)) }
	for i, all := range []int{20, 9040} {
		if hits, err := d.Search(t.Context(), i); err != nil || hits != 5 || known(d.worker) != all {
			t.Errorf("question %d, deployed: %d hits, %v; %d are known of %d", i, hits, err, known(d.worker), all)
		}
	}
	if err := w.Place(t.Context(), arm, 1); err != nil {
		t.Fatal(err)
	}
	if err := w.Ask(t.Context(), func(i int, a *Answer) {
		if known(w) != 20 {
			t.Errorf("question %d in a run: %d hits are known", i, known(w))
		}
	}); err != nil {
		t.Fatal(err)
	}
	if _, err := w.follow(t.Context(), 1, arm, "1/1", 1, func(int) int { return 1 }); err != nil || known(w) != 20 {
		t.Errorf("one question: %d hits are known, %v", known(w), err)
	}
	w.all = false
	target := Cell{Arm: arm, Targets: []Target{{Label: "target:q2:1:before", Question: 1, FirstCut: 1}}}
	if _, err := w.record(t.Context(), target); err != nil || known(w) != 20 {
		t.Errorf("a target: %d hits are known, %v", known(w), err)
	}
}

// TestDeployFails: an index that an engine refused is forgotten; a search that it
// refuses leaves it in use.
func TestDeployFails(t *testing.T) {
	s := three(t)
	arm := plan.Arm{Name: "mine", Split: plan.Split{By: "tokens", Tokenizer: "codepoints", Size: 10}, Retrieve: plan.Retrieve{By: "command", Run: "x"}}
	b := &bag{asks: []string{"refund days", "refund"}}
	s.Bring(arm, Foreign{Engine: b})
	b.fault = func(op, _ string) error {
		b.indexes = map[string]*bagIndex{"deployed.mine": {}}
		return &engine.Refused{Op: op, Reason: "full"}
	}
	refused := (*engine.Refused)(nil)
	if _, err := s.Deploy(t.Context(), arm); !errors.As(err, &refused) || len(b.indexes) > 0 {
		t.Errorf("%v; %d indexes are left", err, len(b.indexes))
	}
	b.fault = nil
	d, err := s.Deploy(t.Context(), arm)
	if err != nil {
		t.Fatal(err)
	}
	b.fault = func(op, qid string) error {
		if qid == "q1" {
			return &engine.Refused{Op: op, QID: qid, Reason: "busy"}
		}
		return nil
	}
	if _, err := d.Search(t.Context(), 0); !errors.As(err, &refused) {
		t.Error(err)
	}
	if hits, err := d.Search(t.Context(), 1); err != nil || hits == 0 {
		t.Error(hits, err)
	}
}
