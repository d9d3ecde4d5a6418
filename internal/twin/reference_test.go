package twin

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode/utf8"
)

// codepoints and words are written here again: the twin shares nothing.
var codepoints = tokenizer(func(text string) []int32 {
	var ends []int32
	for i, r := range text {
		ends = append(ends, int32(i+utf8.RuneLen(r)))
	}
	return ends
})

var words = tokenizer(func(text string) []int32 {
	var ends []int32
	inWord := false
	began := 0
	for i, r := range text {
		if !whiteSpace(r) && !inWord {
			if began > 0 {
				ends = append(ends, int32(i))
			}
			began++
		}
		inWord = !whiteSpace(r)
	}
	if began > 0 {
		ends = append(ends, int32(len(text)))
	}
	return ends
})

func tokenizer(ends func(string) []int32) Tokenizer {
	return Tokenizer{Ends: ends, Count: func(text string) int { return len(ends(text)) }}
}

// shared is the path of a shared file; the test is skipped without it.
func shared(t *testing.T, elements ...string) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	path := filepath.Join(append([]string{dir, "..", "shared"}, elements...)...)
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) {
		t.Skip("shared sets not present: ", path)
	}
	return path
}

// lines decodes the lines of a JSONL file after its header.
func lines[T any](t *testing.T, path string) []T {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var out []T
	for _, line := range bytes.Split(bytes.TrimSpace(content), []byte("\n"))[1:] {
		var v T
		if err := json.Unmarshal(line, &v); err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// load reads a set whose golden offsets are code points.
func load(t *testing.T, set string) ([]Document, []Question) {
	t.Helper()
	dir := shared(t, "data", set)
	var docs []Document
	offsets := map[string][]int{} // per document, byte offset of each code point and of the end
	for _, l := range lines[struct{ Doc, Path string }](t, filepath.Join(dir, "corpus.jsonl")) {
		text, err := os.ReadFile(filepath.Join(dir, "corpus", l.Path))
		if err != nil {
			t.Fatal(err)
		}
		docs = append(docs, Document{ID: l.Doc, Text: string(text)})
		offsets[l.Doc] = bounds(string(text), codepoints)
	}
	var questions []Question
	for _, l := range lines[struct {
		QID, Question  string
		Within, Reader []string
		Answerable     *bool
		Spans          map[string]struct {
			Doc        string
			Start, End int
		}
		Support [][]string
	}](t, filepath.Join(dir, "golden.jsonl")) {
		if l.Answerable != nil && !*l.Answerable {
			continue
		}
		q := Question{QID: l.QID, Text: l.Question, Within: l.Within, Reader: []string{"public"}}
		for _, names := range l.Support {
			var set []Evidence
			for _, name := range names {
				s := l.Spans[name]
				set = append(set, Evidence{s.Doc, offsets[s.Doc][s.Start], offsets[s.Doc][s.End]})
			}
			q.Support = append(q.Support, set)
		}
		questions = append(questions, q)
	}
	return docs, questions
}

type expectedView struct {
	Mean          float64
	Worst, Flips  int
	Disagreement  int `json:"disagreement_sum_times_P_squared"`
	PerQueryWorst int `json:"per_query_worst"`
	PerQueryBest  int `json:"per_query_best"`
}

type expectedPhase struct {
	Label     string
	FirstCut  int `json:"first_cut"`
	Chunks    int
	TopK      int `json:"top_k"`
	Budget    int
	SingleHit int     `json:"single_hit"`
	UnionHit  int     `json:"union_hit"`
	SingleMRR float64 `json:"single_mrr"`
}

type expectedArm struct {
	Arm           string
	Size, Overlap int
	Phases        []expectedPhase
	TopK          expectedView `json:"top_k"`
	Budget        expectedView
}

// TestReference compares one arm of each set with the numbers of a program
// that is not kerf's; KERF_TWIN_ARMS=all compares every arm.
func TestReference(t *testing.T) {
	for _, c := range []struct{ set, file, arm string }{
		{"xquad-zh", "xquad-zh", "codepoints-200-20"},
		{"jsquad", "jsquad", "codepoints-400-20"},
		{"contractnli", "contractnli", "codepoints-1600-0"},
		{"chroma-general", "chroma", "codepoints-3200-0"},
	} {
		t.Run(c.set, func(t *testing.T) {
			content, err := os.ReadFile(shared(t, "reference", "sweep_codepoints_"+c.file+".json"))
			if err != nil {
				t.Fatal(err)
			}
			var expected struct {
				Answerable int
				Arms       []expectedArm
			}
			if err := json.Unmarshal(content, &expected); err != nil {
				t.Fatal(err)
			}
			docs, questions := load(t, c.set)
			if len(questions) != expected.Answerable {
				t.Fatalf("%d questions, want %d", len(questions), expected.Answerable)
			}
			ran := 0
			for _, arm := range expected.Arms {
				if arm.Arm == c.arm || os.Getenv("KERF_TWIN_ARMS") == "all" {
					t.Run(arm.Arm, func(t *testing.T) { compareArm(t, arm, docs, questions) })
					ran++
				}
			}
			if ran == 0 {
				t.Fatal("no arm ", c.arm)
			}
		})
	}
}

func compareArm(t *testing.T, want expectedArm, docs []Document, questions []Question) {
	p := Params{
		Size: want.Size, Overlap: want.Overlap, Window: codepoints, Depth: 100, K: 5,
		Budget: 4096, Counter: codepoints, Format: "bare", Overflow: "stop",
	}
	P := len(want.Phases)
	topK, budget := make([]int, len(questions)), make([]int, len(questions)) // supporting phases
	for j, ph := range want.Phases {
		p.FirstCut = FirstCut(p.stride(), j+1, P)
		r := Run(docs, questions, p)
		got := expectedPhase{Label: fmt.Sprintf("%d/%d", j+1, P), FirstCut: p.FirstCut, Chunks: len(r.Chunks)}
		for i := range questions {
			if r.TopK[i] {
				topK[i]++
				got.TopK++
			}
			if r.Budget[i] {
				budget[i]++
				got.Budget++
			}
			if k := r.SingleRank[i]; k > 0 && k <= p.K {
				got.SingleHit++
				got.SingleMRR += 1 / float64(k)
			}
			if k := r.UnionRank[i]; k > 0 && k <= p.K {
				got.UnionHit++
			}
		}
		got.SingleMRR /= float64(len(questions))
		if math.Abs(got.SingleMRR-ph.SingleMRR) > 1e-9 {
			t.Errorf("%s: single_mrr %v, want %v", ph.Label, got.SingleMRR, ph.SingleMRR)
		}
		got.SingleMRR = ph.SingleMRR
		if got != ph {
			t.Errorf("got  %+v\nwant %+v", got, ph)
		}
	}
	compareView(t, "top_k", topK, P, want.TopK, want.Phases, func(p expectedPhase) int { return p.TopK })
	compareView(t, "budget", budget, P, want.Budget, want.Phases, func(p expectedPhase) int { return p.Budget })
}

func compareView(t *testing.T, name string, counts []int, P int, want expectedView, phases []expectedPhase, of func(expectedPhase) int) {
	var got expectedView
	total := 0
	for _, c := range counts {
		total += c
		got.Disagreement += 2 * c * (P - c)
		switch c {
		case 0:
		case P:
			got.PerQueryWorst++
			got.PerQueryBest++
		default:
			got.Flips++
			got.PerQueryBest++
		}
	}
	got.Worst = of(slices.MinFunc(phases, func(a, b expectedPhase) int { return of(a) - of(b) }))
	if mean := float64(total) / float64(P*len(counts)); math.Abs(mean-want.Mean) > 1e-12 {
		t.Errorf("%s: mean %v, want %v", name, mean, want.Mean)
	}
	got.Mean = want.Mean
	if got != want {
		t.Errorf("%s: got  %+v\nwant %+v", name, got, want)
	}
}
