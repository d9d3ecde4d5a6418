package pack

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kerf/internal/pipeline/rank"
	"kerf/internal/text/span"
)

func hit(doc int32, start, end int) rank.Hit {
	return rank.Hit{Doc: doc, Span: span.Span{Start: start, End: end}}
}

// of gives hits one by one, in their order.
func of(hits []rank.Hit) func(i int) (rank.Hit, bool) {
	asked := 0
	return func(i int) (rank.Hit, bool) {
		if i != asked {
			panic("not asked in order")
		}
		if asked++; i >= len(hits) {
			return rank.Hit{}, false
		}
		return hits[i], true
	}
}

// TestBudgetWithFormatting (ctx-01): labels of 4 tokens a unit and 2 between
// units count against the budget, under both rules.
func TestBudgetWithFormatting(t *testing.T) {
	tokens := []int{30, 25, 40, 10} // c1 to c4
	var hits []rank.Hit
	for i := range tokens {
		hits = append(hits, hit(int32(i), 0, 1))
	}
	cost := func(n int, h rank.Hit) int {
		c := tokens[h.Doc] + 4
		if n > 1 {
			c += 2
		}
		return c
	}
	for _, c := range []struct {
		budget     int
		stop       []int32 // chunks, from 1
		stopTokens int
		skip       []int32
		skipTokens int
	}{
		{0, nil, 0, nil, 0},
		{33, nil, 0, []int32{2}, 29},
		{34, []int32{1}, 34, []int32{1}, 34},
		{60, []int32{1}, 34, []int32{1, 4}, 50},
		{64, []int32{1}, 34, []int32{1, 4}, 50},
		{65, []int32{1, 2}, 65, []int32{1, 2}, 65},
		{110, []int32{1, 2}, 65, []int32{1, 2, 4}, 81},
		{111, []int32{1, 2, 3}, 111, []int32{1, 2, 3}, 111},
	} {
		for overflow, want := range map[Overflow]struct {
			chunks []int32
			tokens int
		}{Stop: {c.stop, c.stopTokens}, Skip: {c.skip, c.skipTokens}} {
			var ctx Context
			Rules{Budget: c.budget, Overflow: overflow, Cost: cost}.Pack(of(hits), &ctx)
			var got []int32
			for _, u := range ctx.Units {
				got = append(got, u.Doc+1)
			}
			if !slices.Equal(got, want.chunks) || ctx.Tokens != want.tokens {
				t.Errorf("budget %d, %s: chunks %v, %d tokens; want %v, %d", c.budget, overflow, got, ctx.Tokens, want.chunks, want.tokens)
			}
		}
	}
}

// bytes are the costs of a format that counts bytes, and 3 a unit.
func bytes(r Rules) Rules {
	r.Cost = func(_ int, h rank.Hit) int { return h.Len() + 3 }
	r.Fit = func(_ int, h rank.Hit, room int) span.Span {
		return span.Span{Start: h.Start, End: h.Start + max(0, min(h.Len(), room-3))}
	}
	return r
}

func TestOverflowRules(t *testing.T) {
	hits := []rank.Hit{hit(0, 0, 10), hit(0, 0, 10), hit(1, 5, 25), hit(2, 0, 4), hit(1, 5, 25), hit(0, 0, 10)}
	for _, c := range []struct {
		name     string
		rules    Rules
		units    []Unit
		tokens   int
		end      End
		outcomes []Outcome
	}{
		{"stop", Rules{Budget: 30, Overflow: Stop}, []Unit{{hits[0], 1, 13}}, 13, EndOverflow,
			[]Outcome{Packed, Merged, Overflown}},
		// A later hit of an interval that was passed over is passed over again, not merged.
		{"skip", Rules{Budget: 30, Overflow: Skip}, []Unit{{hits[0], 1, 13}, {hits[3], 4, 7}}, 20, EndHits,
			[]Outcome{Packed, Merged, Skipped, Packed, Skipped, Merged}},
		{"truncate", Rules{Budget: 30, Overflow: Truncate}, []Unit{{hits[0], 1, 13}, {hit(1, 5, 19), 3, 17}}, 30, EndTruncated,
			[]Outcome{Packed, Merged, Truncated}},
		{"truncate, no room", Rules{Budget: 16, Overflow: Truncate}, []Unit{{hits[0], 1, 13}}, 13, EndOverflow,
			[]Outcome{Packed, Merged, Overflown}},
		{"all fit", Rules{Budget: 43, Overflow: Stop}, []Unit{{hits[0], 1, 13}, {hits[2], 3, 23}, {hits[3], 4, 7}}, 43, EndHits,
			[]Outcome{Packed, Merged, Packed, Packed, Merged, Merged}},
		{"cut off at the depth", Rules{Budget: 43, Overflow: Stop, CutOff: func() bool { return true }}, []Unit{{hits[0], 1, 13}, {hits[2], 3, 23}, {hits[3], 4, 7}}, 43, EndDepth,
			[]Outcome{Packed, Merged, Packed, Packed, Merged, Merged}},
		{"cut off, but ended before", Rules{Budget: 30, Overflow: Stop, CutOff: func() bool { return true }}, []Unit{{hits[0], 1, 13}}, 13, EndOverflow,
			[]Outcome{Packed, Merged, Overflown}},
		{"nothing fits", Rules{Budget: 6, Overflow: Skip}, nil, 0, EndHits,
			[]Outcome{Skipped, Skipped, Skipped, Skipped, Skipped, Skipped}},
	} {
		var ctx Context
		for range 2 { // the second time into the same memory
			bytes(c.rules).Pack(of(hits), &ctx)
			if !slices.Equal(ctx.Units, c.units) || ctx.Tokens != c.tokens || ctx.End != c.end || !slices.Equal(ctx.Outcomes, c.outcomes) {
				t.Errorf("%s: %+v", c.name, ctx)
			}
		}
	}
}

// TestZeroBudgetIsEmpty: where counting a prefix of blanks costs nothing, a
// budget of 0 still shows nothing.
func TestZeroBudgetIsEmpty(t *testing.T) {
	free := func(r Rules) Rules {
		r.Cost = func(_ int, h rank.Hit) int { return max(0, h.Len()-2) }
		r.Fit = func(_ int, h rank.Hit, room int) span.Span { return span.Span{Start: h.Start, End: h.Start + 2 + room} }
		return r
	}
	for _, o := range []Overflow{Stop, Skip, Truncate} {
		var ctx Context
		free(Rules{Budget: 0, Overflow: o}).Pack(of([]rank.Hit{hit(0, 0, 10)}), &ctx)
		if len(ctx.Units) > 0 || ctx.Tokens != 0 || len(ctx.Outcomes) != 1 {
			t.Errorf("%s: %+v", o, ctx)
		}
	}
}

// TestPackAgainstPlainRules packs random hits and compares with a second
// reading of the rules that sorts hits into piles first.
func TestPackAgainstPlainRules(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	for round := range 4000 {
		var hits []rank.Hit
		for range rng.IntN(12) {
			start := rng.IntN(4)
			hits = append(hits, hit(int32(rng.IntN(3)), start, start+1+rng.IntN(12)))
		}
		r := bytes(Rules{Budget: rng.IntN(60), Overflow: []Overflow{Stop, Skip, Truncate}[rng.IntN(3)]})
		var ctx Context
		r.Pack(of(hits), &ctx)
		want, tokens := plainPack(hits, r)
		if got := shown(ctx); !slices.Equal(got, want) || ctx.Tokens != tokens || tokens > r.Budget || len(ctx.Outcomes) > len(hits) || len(ctx.Outcomes) < len(hits) && ctx.Outcome(len(hits)-1) != Unread {
			t.Fatalf("round %d, %+v of %v: %v, %d tokens; want %v, %d", round, r.Overflow, hits, got, ctx.Tokens, want, tokens)
		}
	}
}

func shown(c Context) []rank.Hit {
	var out []rank.Hit
	for _, u := range c.Units {
		out = append(out, u.Hit)
	}
	return out
}

func plainPack(hits []rank.Hit, r Rules) (units []rank.Hit, tokens int) {
	var first []rank.Hit // each interval once
	for _, h := range hits {
		if !slices.Contains(first, h) {
			first = append(first, h)
		}
	}
	for i, h := range first {
		if tokens+h.Len()+3 <= r.Budget {
			units, tokens = append(units, h), tokens+h.Len()+3
		} else if r.Overflow != Skip {
			first = first[i:]
			break
		}
		if i+1 == len(first) {
			first = nil
		}
	}
	if room := r.Budget - tokens - 3; r.Overflow == Truncate && len(first) > 0 && room > 0 {
		h := first[0]
		h.End = h.Start + room
		units, tokens = append(units, h), r.Budget
	}
	return units, tokens
}

// The two benchmarks do the same work: fill a context from 100 hits, one in four of
// which was there before.
func BenchmarkPack(b *testing.B) {
	hits, r := bench(b)
	var c Context
	at := func(i int) (rank.Hit, bool) {
		if i == len(hits) {
			return rank.Hit{}, false
		}
		return hits[i], true
	}
	for b.Loop() {
		r.Pack(at, &c)
	}
}

func BenchmarkPlainPack(b *testing.B) {
	hits, r := bench(b)
	for b.Loop() {
		plainPack(hits, r)
	}
}

func bench(b *testing.B) ([]rank.Hit, Rules) {
	rng := rand.New(rand.NewPCG(8, 9))
	var hits []rank.Hit
	for i := range 100 {
		if i%4 == 3 {
			hits = append(hits, hits[rng.IntN(i)])
		} else {
			hits = append(hits, hit(int32(rng.IntN(30)), i, i+100+rng.IntN(900)))
		}
	}
	r := bytes(Rules{Budget: 30_000, Overflow: Truncate})
	var c Context
	r.Pack(of(hits), &c)
	if want, tokens := plainPack(hits, r); !slices.Equal(shown(c), want) || c.Tokens != tokens || c.End != EndTruncated {
		b.Fatal("the two pack differently")
	}
	return hits, r
}

// TestAgain: what is shown again, each maximal stretch once a unit.
func TestAgain(t *testing.T) {
	c := Context{Units: []Unit{{Hit: hit(0, 0, 10)}, {Hit: hit(1, 0, 10)}, {Hit: hit(0, 8, 20)}, {Hit: hit(0, 5, 18)}, {Hit: hit(0, 30, 40)}, {Hit: hit(0, 9, 33)}}}
	type again struct {
		doc int32
		span.Span
	}
	var got []again
	c.Again(func(doc int32, s span.Span) { got = append(got, again{doc, s}) })
	want := []again{{0, span.Span{Start: 8, End: 10}}, {0, span.Span{Start: 5, End: 18}}, {0, span.Span{Start: 9, End: 20}}, {0, span.Span{Start: 30, End: 33}}}
	if !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestFormats(t *testing.T) {
	if got := Numbered.Before(12, "a/b.md") + "text" + Numbered.After(); got != "[12] a/b.md\ntext\n\n" {
		t.Errorf("%q", got)
	}
	if got := Bare.Before(12, "a/b.md") + "text" + Bare.After(); got != "text" {
		t.Errorf("%q", got)
	}
}
