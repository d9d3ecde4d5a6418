package geometry

import (
	"math/rand/v2"
	"testing"

	"kerf/internal/pipeline/split"
	"kerf/internal/text/span"
	"kerf/internal/text/token"
	"kerf/internal/twin"
	"kerf/internal/verdict"
)

// TestEqualsTwin compares every count with the twin, which cuts the texts and
// looks, on random corpora.
func TestEqualsTwin(t *testing.T) {
	rounds := 200
	if testing.Short() {
		rounds = 40
	}
	names := token.Names()
	for seed := range uint64(rounds) {
		rng := rand.New(rand.NewPCG(seed, 23))
		docs, questions := twin.Random(rng)
		tk, err := token.Named(names[rng.IntN(len(names))])
		if err != nil {
			t.Fatal(err)
		}
		p := twin.RandomParams(rng, twin.Tokenizer{Ends: tk.Ends, Count: tk.Count})
		w := split.Windows{Size: p.Size, Overlap: p.Overlap, Edge: split.DropContained}
		if p.KeepContained {
			w.Edge = split.Keep
		}
		var tables []*token.Table
		ordinal := map[string]int32{}
		for i, d := range docs {
			tables = append(tables, token.NewTable(tk, d.Text))
			ordinal[d.ID] = int32(i)
		}
		var evidence []verdict.Evidence
		for _, q := range questions {
			var e verdict.Evidence
			for _, set := range q.Support {
				var refs []verdict.Ref
				for _, s := range set {
					refs = append(refs, verdict.Ref{Doc: ordinal[s.Doc], Span: span.Span{Start: s.Start, End: s.End}})
				}
				e = append(e, refs)
			}
			evidence = append(evidence, e)
		}
		got := Take(w, tables, evidence, All(w.Stride()))
		for i, g := range twin.IntactAll(docs, questions, p) {
			c := got.Questions[i]
			if have := (twin.Geometry{Spans: c.Spans.Num, Of: c.Spans.Den, Sets: c.Sets.Num, Hull: c.Hull.Num}); have != g {
				t.Fatalf("seed %d, %s, %+v: question %d: %+v, want %+v", seed, tk.Name(), w, i, have, g)
			}
		}
	}
}
