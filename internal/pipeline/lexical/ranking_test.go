package lexical

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kerf/internal/pipeline/rank"
	"kerf/internal/pipeline/split"
	"kerf/internal/text/span"
)

// TestRankingIsTheWholeOrder compares what is found bit by bit, in whatever
// portions, and every chunk's rank with the order of all scores; also where
// estimates are so coarse that they tell next to nothing apart, and where they are
// those of a few chunks at a time. Some chunks are denied and some clipped.
func TestRankingIsTheWholeOrder(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 4))
		var texts, questions []string
		for range 1 + rng.IntN(4) {
			texts = append(texts, words(rng, rng.IntN(150)))
		}
		for range 5 {
			questions = append(questions, words(rng, rng.IntN(7)))
		}
		size := 1 + rng.IntN(20)
		w := split.Windows{Size: size, Overlap: rng.IntN(size), Edge: split.Keep}
		p := placed(t, "codepoints", texts, questions, w, 1)
		for range 3 {
			p.ceiling = []float64{fine, 200, 1}[rng.IntN(3)]
			p.tally.widest = []int{1, 2, 3, 16}[rng.IntN(4)] // counts that do not fit
			p.few = []int{2, 6, 16, few}[rng.IntN(4)]
			p.Place(w, Everywhere(1+rng.IntN(w.Stride())))
			view := p.Look(func(int32) span.Set {
				if rng.IntN(3) > 0 {
					return nil
				}
				var set []span.Span
				for range 3 {
					a := rng.IntN(200)
					set = append(set, span.Span{Start: codePoint(texts, a), End: codePoint(texts, a+rng.IntN(40))})
				}
				return span.Union(set...)
			}, rng.IntN(2) == 0)
			var docs []int
			for d := range texts {
				if rng.IntN(3) > 0 {
					docs = append(docs, d)
				}
			}
			if rng.IntN(2) == 0 {
				docs = nil
			}
			ahead, first, end := 0, 0, 0
			for range rng.IntN(3) {
				ahead, first = rng.IntN(40), rng.IntN(len(questions)+1)
				end = first + rng.IntN(len(questions)+1-first)
				p.Foresee(ahead, first, end, func(int) ([]int, *Sight) { return docs, &view })
			}
			for _, q := range rng.Perm(len(questions)) {
				known := len(p.Chunks) + 9 // so many hits can be asked for
				if len(p.Chunks) > p.few && ahead > 0 && first <= q && q < end {
					known = ahead
				}
				p.Ask(q, docs, &view)
				var all []rank.Hit
				for slot := range p.Chunks {
					h := rank.Hit{Doc: p.Docs[slot], Slot: int32(slot), Span: p.Chunks[slot].Span, Score: p.Score(int32(slot))}
					_, clipped := view.at(h.Slot)
					if h.Score > 0 && (clipped || view.Denied == nil || !view.Denied[slot]) && (docs == nil || slices.Contains(docs, int(h.Doc))) {
						all = append(all, h)
					}
				}
				slices.SortFunc(all, func(a, b rank.Hit) int { return scored{a.Score, a.Slot}.compare(scored{b.Score, b.Slot}) })
				depth := min(1+rng.IntN(len(all)+3), known)
				rankOf := func() {
					slot := int32(rng.IntN(len(p.Chunks)))
					want := 1 + slices.IndexFunc(all, func(h rank.Hit) bool { return h.Slot == slot })
					if want > depth {
						want = 0
					}
					if got := p.Rank(slot, depth); got != want {
						t.Fatalf("seed %d, question %q: rank %d of slot %d, want %d", seed, questions[q], got, slot, want)
					}
				}
				for len(p.Chunks) > 0 {
					rankOf()
					n := min(rng.IntN(len(all)+3), known)
					got := slices.Clone(p.Hits(n))
					for i := range got {
						got[i].Score = p.Score(got[i].Slot)
					}
					if want := all[:min(n, len(all))]; !slices.Equal(got, want) {
						t.Fatalf("seed %d, question %q, ceiling %v: first %d hits\n%v\nwant\n%v", seed, questions[q], p.ceiling, n, got, want)
					}
					if rankOf(); rng.IntN(3) == 0 {
						break
					}
				}
			}
		}
	}
}

// codePoint is an offset near x at which every text has a code point's start, or
// 0: the words are short.
func codePoint(texts []string, x int) int {
	for ; x > 0; x-- {
		if !slices.ContainsFunc(texts, func(s string) bool { return x < len(s) && s[x]&0xc0 == 0x80 }) {
			return x
		}
	}
	return 0
}

// TestEstimatesTellTheOrder: an estimate is above a score times the scale by as
// many units as the question has terms at most, and 0 just for no score.
func TestEstimatesTellTheOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 60 {
		texts, questions := []string{words(rng, 400), words(rng, 300)}, []string{words(rng, 9), words(rng, 3), "fee"}
		w := split.Windows{Size: 3 + rng.IntN(40), Edge: split.DropContained}
		p := placed(t, "codepoints", texts, questions, w, 1+rng.IntN(3))
		for q := range questions {
			p.Ask(q, nil, &Sight{})
			for slot := range p.Chunks {
				about, score := float64(p.estimateOf(int32(slot))), p.Score(int32(slot))*p.scale
				if about < score-1e-3 || about > score+float64(len(p.asked))+1e-3 || (about == 0) != (score == 0) || about >= 1<<31 {
					t.Fatalf("question %q, slot %d: estimate %v of %v", questions[q], slot, about, score)
				}
			}
		}
	}
}

// TestSameFromAnyPlacement: what a placement was before changes nothing.
func TestSameFromAnyPlacement(t *testing.T) {
	rng := rand.New(rand.NewPCG(10, 10))
	for range 40 {
		texts, questions := []string{words(rng, 200), words(rng, 90)}, []string{words(rng, 6), words(rng, 2)}
		used := placed(t, "words", texts, questions, split.Windows{Size: 7, Edge: split.Keep}, 3)
		for range 6 {
			size := 1 + rng.IntN(12)
			w := split.Windows{Size: size, Overlap: rng.IntN(size), Edge: split.DropContained}
			first := 1 + rng.IntN(w.Stride())
			used.Place(w, Everywhere(first))
			fresh := placed(t, "words", texts, questions, w, first)
			for _, q := range rng.Perm(len(questions)) {
				n := rng.IntN(60)
				if got, want := used.search(q, nil, &Sight{}, n), fresh.search(q, nil, &Sight{}, n); !slices.Equal(got, want) {
					t.Fatalf("%+v first %d, question %q:\n%v\nwant\n%v", w, first, questions[q], got, want)
				}
			}
		}
	}
}
