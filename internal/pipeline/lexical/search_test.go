package lexical

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kerf/internal/pipeline/rank"
	"kerf/internal/pipeline/split"
	"kerf/internal/stats"
	"kerf/internal/text/span"
	"kerf/internal/text/term"
)

// plainSearch is an index rebuilt from the texts of p's indexed chunks: it
// shares the chunks, the terms and the logarithm with p, nothing else.
func plainSearch(p *Placement, prefixes []string, question string, docs []int, denied []bool, depth int) []rank.Hit {
	counts := map[int32]map[string]int{}
	length := map[int32]int{}
	total := 0
	for slot, c := range p.Chunks {
		if !p.Live[slot] {
			continue
		}
		n := map[string]int{}
		text := p.view.texts[p.Docs[slot]].Source[c.Start:c.End]
		if prefixes != nil {
			text = prefixes[slot] + text
		}
		for _, t := range term.Terms(text) {
			n[t]++
			length[int32(slot)]++
			total++
		}
		counts[int32(slot)] = n
	}
	terms := term.Terms(question)
	slices.Sort(terms)
	terms = slices.Compact(terms)
	var hits []rank.Hit
	avglen := float64(total) / float64(len(counts))
	for slot, n := range counts {
		if docs != nil && !slices.Contains(docs, int(p.Docs[slot])) || denied != nil && denied[slot] {
			continue
		}
		score := 0.0
		for _, t := range terms {
			with := 0
			for _, m := range counts {
				if m[t] > 0 {
					with++
				}
			}
			if f := float64(n[t]); f > 0 {
				idf := stats.Log(1 + (float64(len(counts)-with)+0.5)/(float64(with)+0.5))
				norm := float64(1.2 * (0.25 + float64(0.75*float64(length[slot]))/avglen))
				score += float64(idf * (float64(f*2.2) / (f + norm)))
			}
		}
		if score > 0 {
			hits = append(hits, rank.Hit{Doc: p.Docs[slot], Slot: slot, Span: p.Chunks[slot].Span, Score: score})
		}
	}
	slices.SortFunc(hits, func(a, b rank.Hit) int { return cmp.Or(rank.Compare(a, b), int(a.Slot-b.Slot)) })
	return hits[:min(depth, len(hits))]
}

// words draws a text of few words, so that terms repeat, scores tie and cuts
// fall inside words.
func words(rng *rand.Rand, n int) string {
	var b strings.Builder
	for range n {
		b.WriteString([]string{"fee ", "late ", "Fee-", "notice_1 ", "x", "北京大学", "か\u3099く ", "สวัส ", "é ", " \n", "٣ ", "漢\u3099x"}[rng.IntN(12)])
	}
	return b.String()
}

// TestSearchAgainstRebuiltIndex compares slots, spans and score bits for several
// placements of one index, with and without filters, at every depth.
func TestSearchAgainstRebuiltIndex(t *testing.T) {
	for seed := range uint64(150) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var texts, questions []string
		for range 1 + rng.IntN(4) {
			texts = append(texts, words(rng, rng.IntN(40)))
		}
		for range 4 {
			questions = append(questions, words(rng, rng.IntN(5)))
		}
		size := 1 + rng.IntN(30)
		w := split.Windows{Size: size, Overlap: rng.IntN(size), Edge: []split.Edge{split.DropContained, split.Keep}[rng.IntN(2)]}
		p := placed(t, []string{"codepoints", "words", "cl100k_base"}[rng.IntN(3)], texts, questions, w, 1)
		for range 4 {
			first := 1 + rng.IntN(w.Stride())
			p.tally.widest = []int{1, 2, 3, 16}[rng.IntN(4)] // counts that do not fit
			p.few = []int{2, 8, few}[rng.IntN(3)]
			p.Place(w, Everywhere(first))
			var docs []int
			for d := range texts {
				if rng.IntN(2) == 0 {
					docs = append(docs, d)
				}
			}
			denied := make([]bool, len(p.Chunks))
			for i := range denied {
				denied[i] = rng.IntN(4) == 0
			}
			if rng.IntN(2) == 0 {
				docs = nil
			}
			if rng.IntN(2) == 0 {
				denied = nil
			}
			for q, question := range questions {
				depth := rng.IntN(20)
				got, want := p.search(q, docs, sight(denied), depth), plainSearch(p, nil, question, docs, denied, depth)
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d %+v first %d question %q docs %v denied %v depth %d:\n%v\nwant\n%v", seed, w, first, question, docs, denied, depth, got, want)
				}
			}
		}
	}
}

func sight(denied []bool) *Sight { return &Sight{Sight: split.Sight{Denied: denied}} }

// TestTakeAgainstRebuiltIndex: chunks that were cut elsewhere lie anywhere,
// overlap, repeat and leave gaps; some have words before their text.
func TestTakeAgainstRebuiltIndex(t *testing.T) {
	for seed := range uint64(200) {
		rng := rand.New(rand.NewPCG(seed, 2))
		var texts, questions []string
		for range 1 + rng.IntN(3) {
			texts = append(texts, words(rng, 1+rng.IntN(40)))
		}
		for range 4 {
			questions = append(questions, words(rng, rng.IntN(5)))
		}
		p := New(texts, questions, nil).Given()
		for range 2 { // its memory is used again
			var chunks []split.Located
			for d, text := range texts {
				for range rng.IntN(8) {
					a, b := rng.IntN(len(text)+1), rng.IntN(len(text)+1)
					s := span.Span{Start: min(a, b), End: max(a, b)}
					for s.Start < len(text) && !utf8.RuneStart(text[s.Start]) {
						s.Start--
					}
					for s.End < len(text) && !utf8.RuneStart(text[s.End]) {
						s.End++
					}
					if !s.Empty() {
						chunks = append(chunks, split.Located{Doc: int32(d), Span: s})
					}
				}
			}
			slices.SortFunc(chunks, func(a, b split.Located) int {
				return cmp.Or(int(a.Doc-b.Doc), span.Compare(a.Span, b.Span))
			})
			var prefixes []string
			if rng.IntN(2) == 0 {
				for range chunks {
					prefixes = append(prefixes, words(rng, rng.IntN(3)))
				}
			}
			p.few = []int{2, 6, few}[rng.IntN(3)]
			p.Take(chunks, prefixes)
			if rng.IntN(2) == 0 {
				p.Foresee(20, 0, len(questions), func(int) ([]int, *Sight) { return nil, sight(nil) })
			}
			for q, question := range questions {
				got, want := p.search(q, nil, sight(nil), 20), plainSearch(p, prefixes, question, nil, nil, 20)
				if !slices.Equal(got, want) {
					t.Fatalf("seed %d %v %q question %q:\n%v\nwant\n%v", seed, chunks, prefixes, question, got, want)
				}
			}
		}
	}
}

// The two benchmarks do the same work: place the index anew and ask every
// question.
func BenchmarkPlaceAndSearch(b *testing.B) {
	p, w, questions := bench(b)
	for i := 0; b.Loop(); i++ {
		p.Place(w, Everywhere(1+i%w.Stride()))
		for q := range questions {
			p.Ask(q, nil, &Sight{})
			p.Hits(100)
		}
	}
}

func BenchmarkPlainPlaceAndSearch(b *testing.B) {
	p, w, questions := bench(b)
	for i := 0; b.Loop(); i++ {
		p.Place(w, Everywhere(1+i%w.Stride()))
		for _, question := range questions {
			plainSearch(p, nil, question, nil, nil, 100)
		}
	}
}

func bench(b *testing.B) (*Placement, split.Windows, []string) {
	rng := rand.New(rand.NewPCG(3, 3))
	vocabulary := make([]string, 2000)
	for i := range vocabulary {
		vocabulary[i] = fmt.Sprintf("w%x ", rng.IntN(1<<20))
	}
	draw := func(n int) string {
		var s strings.Builder
		for range n {
			s.WriteString(vocabulary[int(float64(len(vocabulary))*rng.Float64()*rng.Float64())])
		}
		return s.String()
	}
	var texts, questions []string
	for range 8 {
		texts = append(texts, draw(4000))
	}
	for range 50 {
		questions = append(questions, draw(10))
	}
	w := split.Windows{Size: 200, Overlap: 40, Edge: split.DropContained}
	return placed(b, "words", texts, questions, w, 1), w, questions
}
