package sweep

import (
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/spool"
	"kerf/internal/stats"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
	"kerf/internal/text/token"
	"kerf/internal/twin"
)

// TestEngineEqualsTwin compares every chunk, ranking, score, context, count and
// verdict with the plain twin, which rebuilds everything from strings, on
// random corpora.
func TestEngineEqualsTwin(t *testing.T) {
	rounds := 400
	if testing.Short() {
		rounds = 60
	}
	for seed := range rounds {
		compareWithTwin(t, uint64(seed), nil)
	}
	for _, seed := range []uint64{423, 1143, 3506} { // once wrong: orphaned marks, a truncated unit
		compareWithTwin(t, seed, func(p *twin.Params) { p.Clip, p.FirstCuts = false, nil })
	}
	// Two hits with the same piece.
	compareWithTwin(t, 10103, func(p *twin.Params) { p.Clip = true })
}

func FuzzEngineEqualsTwin(f *testing.F) {
	f.Add(uint64(1 << 40))
	f.Fuzz(func(t *testing.T, seed uint64) { compareWithTwin(t, seed, nil) })
}

// away is where the corpora of an even number of documents lie. Its file has no name.
var away = spool.New(os.TempDir(), 0)

// compareWithTwin compares on a random corpus, with random parameters that
// change, if it is not nil, changes.
func compareWithTwin(t *testing.T, seed uint64, change func(*twin.Params)) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 17))
	docs, questions := twin.Random(rng)
	slices.SortFunc(docs, func(a, b twin.Document) int { return strings.Compare(a.ID, b.ID) })
	var tokenizers []twin.Tokenizer
	names := token.Names()
	for _, name := range names {
		tk, err := token.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		tokenizers = append(tokenizers, twin.Tokenizer{Ends: tk.Ends, Count: tk.Count})
	}
	p := twin.RandomParams(rand.New(rand.NewPCG(seed, 18)), tokenizers...)
	p.Log = stats.Log
	if change != nil {
		change(&p)
	}
	if p.Clip {
		twin.RandomAccess(rand.New(rand.NewPCG(seed, 20)), docs)
	}
	draw := rand.New(rand.NewPCG(seed, 19)) // which tokenizers p holds is drawn here, by name
	window, counter := names[draw.IntN(len(names))], names[draw.IntN(len(names))]
	p.Window, p.Counter = tokenizers[slices.Index(names, window)], tokenizers[slices.Index(names, counter)]

	w, study := sweepOf(t, docs, questions, p, window, counter)
	want := twin.Run(docs, questions, p)
	where := func(what string, q int) string {
		return fmt.Sprintf("seed %d, %s/%s %+v: %s of question %d", seed, window, counter, p, what, q)
	}

	var chunks []twin.Chunk
	for slot, c := range w.cut.Chunks {
		if w.cut.Live[slot] {
			chunks = append(chunks, twin.Chunk{Doc: study.Documents[w.cut.Docs[slot]].Doc, Start: c.Start, End: c.End})
		}
	}
	if !slices.Equal(chunks, want.Chunks) {
		t.Fatalf("%s: %v, want %v", where("chunks", -1), chunks, want.Chunks)
	}
	_ = w.Ask(t.Context(), func(i int, a *Answer) {
		w.read(study.Experiment.Depth)
		var hits []twin.Hit
		for _, h := range w.hits {
			hits = append(hits, twin.Hit{Chunk: twin.Chunk{Doc: study.Documents[h.Doc].Doc, Start: h.Start, End: h.End}, Score: w.score(h)})
		}
		var units []twin.Chunk
		var context strings.Builder
		for n, u := range a.Context.Units {
			d := study.Documents[u.Doc]
			units = append(units, twin.Chunk{Doc: d.Doc, Start: u.Start, End: u.End})
			context.WriteString(w.format.Before(n+1, d.Doc) + d.Text[u.Start:u.End] + w.format.After())
		}
		equal(t, where("ranking", i), hits, want.Rankings[i])
		equal(t, where("units", i), units, want.Units[i])
		same(t, where("context", i), context.String(), want.Contexts[i])
		same(t, where("tokens", i), a.Context.Tokens, want.Tokens[i])
		same(t, where("tokens of the top k", i), a.TopK, want.TopKTokens[i])
		same(t, where("repeated tokens", i), a.Repeated, want.Repeated[i])
		if a.Question.Unanswerable {
			return
		}
		k := study.Experiment.AtK
		same(t, where("budget", i), a.Supported(), want.Budget[i])
		same(t, where("budget, strict", i), a.Strict(), want.BudgetStrict[i])
		same(t, where("top k", i), Within(a.Ranking.UnionWS, k), want.TopK[i])
		same(t, where("top k, strict", i), Within(a.Ranking.Union, k), want.TopKStrict[i])
		same(t, where("single rank", i), a.Ranking.Single, want.SingleRank[i])
		same(t, where("union rank", i), a.Ranking.Union, want.UnionRank[i])
		if !p.Strict {
			same(t, where("union rank, white space bridged", i), a.Ranking.UnionWS, want.UnionWSRank[i])
		}
		same(t, where("single unit", i), a.Shown.Single > 0, want.SingleUnit[i])
		same(t, where("feasible", i), a.Question.Feasible, want.Feasible[i])
	})
}

// sweepOf places the engine as the twin's parameters say.
func sweepOf(t *testing.T, docs []twin.Document, questions []twin.Question, p twin.Params, window, counter string) (*Worker, *Study) {
	t.Helper()
	var documents []*corpus.Document
	for _, d := range docs {
		c := &corpus.Document{Version: corpus.Version{Doc: d.ID, Access: corpus.Access{Read: d.Read}}, Text: d.Text}
		for _, r := range d.Restrict {
			c.Access.Spans = append(c.Access.Spans, corpus.Restriction{Span: span.Span{Start: r.Start, End: r.End}, Read: r.Read})
		}
		documents = append(documents, c)
	}
	var asked []*golden.Question
	for _, q := range questions {
		g := &golden.Question{QID: q.QID, Text: q.Text, Within: q.Within, Reader: q.Reader, Unanswerable: len(q.Support) == 0}
		if g.Reader == nil {
			g.Reader = []string{}
		}
		for _, set := range q.Support {
			var spans []*golden.Span
			for _, e := range set {
				spans = append(spans, &golden.Span{Doc: e.Doc, Bytes: span.Span{Start: e.Start, End: e.End}})
			}
			g.Support = append(g.Support, spans)
		}
		asked = append(asked, g)
	}
	e := plan.Default()
	e.Budget = plan.Budget{Tokens: p.Budget, Tokenizer: counter, Overflow: p.Overflow, Format: p.Format}
	e.AtK, e.Depth = p.K, p.Depth
	if p.Strict {
		e.Ignorable = "strict"
	}
	if p.Clip {
		e.Access = "clip"
	}
	var at *spool.Spool
	if len(documents)%2 == 0 {
		at = away
		for _, d := range documents {
			d.Text = away.Text([]byte(d.Text))
		}
	}
	study, err := New(e, documents, asked, at)
	if err != nil {
		t.Fatal(err)
	}
	w, err := study.NewWorker()
	if err != nil {
		t.Fatal(err)
	}
	edge := "drop-contained"
	if p.KeepContained {
		edge = "keep"
	}
	arm := plan.Arm{Name: "arm", Split: plan.Split{By: "tokens", Tokenizer: window, Size: p.Size, Overlap: p.Overlap, Edge: edge}}
	first := func(doc int) int {
		if cut, ok := p.FirstCuts[docs[doc].ID]; ok {
			return cut
		}
		return p.FirstCut
	}
	if err := w.placeAt(t.Context(), arm, Everywhere, Everywhere, first); err != nil {
		t.Fatal(err)
	}
	return w, study
}

func same[T comparable](t *testing.T, what string, got, want T) {
	t.Helper()
	if got != want {
		t.Fatalf("%s: %v, want %v", what, got, want)
	}
}

func equal[T comparable](t *testing.T, what string, got, want []T) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Fatalf("%s:\n %v\nwant\n %v", what, got, want)
	}
}
