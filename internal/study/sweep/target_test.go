package sweep

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kerf/internal/study/plan"
	"kerf/internal/text/token"
	"kerf/internal/twin"
)

// needs makes a span of set n of question q depend on another.
type needs struct{ q, n int }

// targets are the targets of one arm over the documents, which are in the order
// of their ids, and the worker that can place them.
func targets(t *testing.T, docs []twin.Document, questions []twin.Question, p twin.Params, window string, dependent ...needs) (*Worker, plan.Arm, []Target, []string) {
	t.Helper()
	w, study := sweepOf(t, docs, questions, p, window, "codepoints")
	for _, d := range dependent {
		study.Questions[d.q].Support[d.n][0].NeededBy = "other"
	}
	found, unreachable, err := study.Targets(w.arm)
	if err != nil {
		t.Fatal(err)
	}
	return w, w.arm, found, unreachable
}

// place is the first cut of each document at a target.
func (x Target) place(stride int) func(doc int) int {
	return func(doc int) int {
		if doc == x.Doc {
			return x.FirstCut
		}
		return stride
	}
}

func TestTargets(t *testing.T) {
	digits := strings.Repeat("0123456789", 3)
	docs := []twin.Document{{ID: "a", Text: digits}, {ID: "b", Text: digits}, {ID: "c", Text: "one two  three. four\n"}, {ID: "d", Text: "x ↯ y 漢字"}}
	at := func(doc string, bounds ...int) (set []twin.Evidence) {
		for i := 0; i < len(bounds); i += 2 {
			set = append(set, twin.Evidence{Doc: doc, Start: bounds[i], End: bounds[i+1]})
		}
		return set
	}
	for _, c := range []struct {
		name, window string
		size         int
		overlap      int
		support      [][]twin.Evidence
		dependent    bool
		want         string // label without target:q: = token/first cut, then what is unreachable
	}{
		{"one span", "codepoints", 10, 0, [][]twin.Evidence{at("a", 3, 7)}, false, ""},
		{"one span that needs another", "codepoints", 10, 0, [][]twin.Evidence{at("a", 13, 27)}, true,
			"1:before=13/3 1:after=27/7"},
		{"two spans, written backwards", "codepoints", 10, 3, [][]twin.Evidence{at("a", 16, 20, 3, 7)}, false,
			"1:before=3/3 1:between-1=16/2 1:after=20/6"},
		{"three spans, the second set", "codepoints", 5, 0, [][]twin.Evidence{at("a", 1, 2), at("b", 4, 6, 6, 11, 21, 22)}, false,
			"2:before=4/4 2:between-1=6/1 2:between-2=21/1 2:after=22/2"},
		{"edges of the document, and cuts at the stride", "codepoints", 10, 0, [][]twin.Evidence{at("a", 0, 5, 20, 30)}, false,
			"1:before=0/10 1:between-1=20/10 1:after=30/10"},
		{"a document shorter than the stride", "codepoints", 50, 10, [][]twin.Evidence{at("a", 0, 5, 20, 30)}, false,
			"1:before=0/40 1:between-1=20/20 1:after=30/30"},
		{"a span written twice is one", "codepoints", 10, 0, [][]twin.Evidence{at("a", 2, 5, 2, 5)}, false,
			"1:before=2/2 1:after=5/5"},
		{"spans that overlap and nest", "codepoints", 10, 0, [][]twin.Evidence{at("a", 2, 25, 4, 6, 2, 8)}, false,
			"1:before=2/2 1:between-1=2/2 1:between-2=4/4 1:after=25/5"},
		{"several documents", "codepoints", 10, 0, [][]twin.Evidence{append(at("b", 11, 12, 3, 4), at("a", 7, 9)...)}, false,
			"1:before@a=7/7 1:after@a=9/9 1:before@b=3/3 1:between-1@b=11/1 1:after@b=12/2"},
		{"stride of one token", "codepoints", 4, 3, [][]twin.Evidence{at("a", 2, 3, 8, 9)}, false,
			"1:before=2/1 1:between-1=8/1 1:after=9/1"},
		// Words: "one ", "two  ", "three. ", "four\n".
		{"no token boundary", "words", 3, 1, [][]twin.Evidence{at("c", 0, 3, 9, 15)}, false,
			"1:before=0/2 1:between-1=2/2 | 1:after"},
		{"the end, with its white space", "words", 3, 1, [][]twin.Evidence{at("c", 4, 7, 16, 21)}, false,
			"1:before=1/1 1:between-1=3/1 1:after=4/2"},
		// Tokens end at 1, 4, 5, 7, 9, 10, 11, 14. The cut after the fifth moves
		// back to 8, where no token ends.
		{"inside a code point", "cl100k_base", 2, 0, [][]twin.Evidence{at("d", 5, 7, 8, 11, 11, 14)}, false,
			"1:before=3/1 1:between-2=7/1 1:after=8/2 | 1:between-1"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := twin.Params{Size: c.size, Overlap: c.overlap, FirstCut: c.size - c.overlap, K: 1, Depth: 1, Budget: 10, Format: "bare", Overflow: "stop"}
			var dependent []needs
			if c.dependent {
				dependent = []needs{{0, 0}}
			}
			w, arm, found, unreachable := targets(t, docs, []twin.Question{{QID: "q", Text: "x", Support: c.support}}, p, c.window, dependent...)
			var got []string
			for _, x := range found {
				got = append(got, fmt.Sprintf("%s=%d/%d", strings.TrimPrefix(x.Label, "target:q:"), x.Token, x.FirstCut))
				cutsAt(t, w, arm, x, tokenEnd(t, c.window, docs[x.Doc].Text, x.Token))
			}
			if len(unreachable) > 0 {
				got = append(got, "|")
			}
			for _, label := range unreachable {
				got = append(got, strings.TrimPrefix(label, "target:q:"))
			}
			if got := strings.Join(got, " "); got != c.want {
				t.Errorf("%s, want %s", got, c.want)
			}
		})
	}
}

// tokenEnd is the byte where a text's first n tokens end.
func tokenEnd(t *testing.T, tokenizer, text string, n int) int {
	t.Helper()
	tk, err := token.Named(tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	return int(append([]int32{0}, tk.Ends(text)...)[n])
}

// cutsAt places the target and demands a cut, or the document's edge, at a byte
// of its document.
func cutsAt(t *testing.T, w *Worker, arm plan.Arm, x Target, at int) {
	t.Helper()
	if err := w.placeAt(t.Context(), arm, Everywhere, Everywhere, x.place(arm.Stride())); err != nil {
		t.Fatal(err)
	}
	p := w.placement
	cuts := []int{len(w.study.Documents[x.Doc].Text)}
	for _, c := range p.Chunks[p.First[x.Doc]:p.First[x.Doc+1]] {
		cuts = append(cuts, c.Start)
	}
	if !slices.Contains(cuts, at) {
		t.Fatalf("%+v: no cut at byte %d: %v", x, at, cuts)
	}
}

// TestTargetsOfRandomCorpora compares with a second reading of engine.md 1, over
// every tokenizer, and places each target: its document is cut at the byte, the
// chunks are the twin's, which cuts every other document by the ordinary splitter.
func TestTargetsOfRandomCorpora(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(120) {
		rng := rand.New(rand.NewPCG(seed, 23))
		docs, questions := twin.Random(rng)
		slices.SortFunc(docs, func(a, b twin.Document) int { return strings.Compare(a.ID, b.ID) })
		window := token.Names()[rng.IntN(len(token.Names()))]
		tk, err := token.Named(window)
		if err != nil {
			t.Fatal(err)
		}
		p := twin.RandomParams(rng, twin.Tokenizer{Ends: tk.Ends, Count: tk.Count})
		p.FirstCuts, p.FirstCut = nil, p.Size-p.Overlap
		var dependent []needs
		for q := range questions {
			for n, set := range questions[q].Support {
				if rng.IntN(3) == 0 {
					dependent = append(dependent, needs{q, n})
				}
				if rng.IntN(4) == 0 { // a span twice
					questions[q].Support[n] = append(set, set[rng.IntN(len(set))])
				}
			}
		}
		w, arm, found, unreachable := targets(t, docs, questions, p, window, dependent...)
		want, never := plainTargets(docs, questions, dependent, tk)
		equal(t, fmt.Sprintf("seed %d: unreachable", seed), unreachable, never)
		if len(found) != len(want) {
			t.Fatalf("seed %d: %+v, want %+v", seed, found, want)
		}
		seen["unreachable"] += len(never)
		for i, x := range found {
			same(t, fmt.Sprintf("seed %d: %s", seed, x.Label), aimed{x.Label, x.Question, x.Doc, x.Token, want[i].byte}, want[i])
			if x.FirstCut < 1 || x.FirstCut > p.FirstCut || (x.Token-x.FirstCut)%p.FirstCut != 0 {
				t.Fatalf("seed %d: %+v with stride %d", seed, x, p.FirstCut)
			}
			cutsAt(t, w, arm, x, want[i].byte)
			p.FirstCuts = map[string]int{docs[x.Doc].ID: x.FirstCut}
			var chunks []twin.Chunk
			for slot, c := range w.placement.Chunks {
				if w.placement.Live[slot] {
					chunks = append(chunks, twin.Chunk{Doc: docs[w.placement.Docs[slot]].ID, Start: c.Start, End: c.End})
				}
			}
			if i%8 == 0 { // the twin is slow
				equal(t, fmt.Sprintf("seed %d: chunks of %s", seed, x.Label), chunks, twin.Run(docs, nil, p).Chunks)
			}
			switch text := docs[x.Doc].Text; {
			case want[i].byte == 0:
				seen["at the start"]++
			case want[i].byte == len(text):
				seen["at the end"]++
			case x.Token%p.FirstCut == 0:
				seen["at the stride"]++
			}
			if strings.Contains(x.Label, "@") {
				seen["several documents"]++
			}
			if strings.Contains(x.Label, "between-2") {
				seen["third span"]++
			}
		}
	}
	t.Log(seen)
	for _, what := range []string{"unreachable", "at the start", "at the end", "at the stride", "several documents", "third span"} {
		if seen[what] == 0 {
			t.Errorf("%s: never", what)
		}
	}
}

// aimed is a target as engine.md 1 has it, with the byte it aims at.
type aimed struct {
	label                string
	question, doc, token int
	byte                 int
}

// plainTargets reads the definition document by document: the distinct spans of
// a set in it by start, then end.
func plainTargets(docs []twin.Document, questions []twin.Question, dependent []needs, tk token.Tokenizer) (found []aimed, never []string) {
	for q, question := range questions {
		for n, set := range question.Support {
			if len(set) < 2 && !slices.Contains(dependent, needs{q, n}) {
				continue
			}
			holders := map[string]bool{}
			for _, e := range set {
				holders[e.Doc] = true
			}
			for doc, d := range docs {
				last := 0
				starts := map[[2]int]bool{}
				for _, e := range set {
					if e.Doc == d.ID {
						starts[[2]int{e.Start, e.End}] = true
						last = max(last, e.End)
					}
				}
				if len(starts) == 0 {
					continue
				}
				var at []int
				for span := range starts {
					at = append(at, span[0])
				}
				slices.Sort(at)
				for i, b := range append(at, last) {
					place := fmt.Sprintf("between-%d", i)
					switch i {
					case 0:
						place = "before"
					case len(at):
						place = "after"
					}
					label := fmt.Sprintf("target:%s:%d:%s", question.QID, n+1, place)
					if len(holders) > 1 {
						label += "@" + d.ID
					}
					tokens := slices.Index(append([]int32{0}, tk.Ends(d.Text)...), int32(b))
					if tokens < 0 {
						never = append(never, label)
						continue
					}
					found = append(found, aimed{label, q, doc, tokens, b})
				}
			}
		}
	}
	return found, never
}
