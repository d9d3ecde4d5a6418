package verdict

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"
)

// plainRanks judges sets of bytes: every shown byte is marked, every byte of a
// span looked at.
func plainRanks(texts []string, strict bool, e Evidence, shown []Ref) Ranks {
	var r Ranks
	marks := make([][]bool, len(texts))
	for i, text := range texts {
		marks[i] = make([]bool, len(text))
	}
	for i, u := range shown {
		for b := u.Start; b < u.End; b++ {
			marks[u.Doc][b] = true
		}
		single, union, ws, some := false, false, false, false
		for _, set := range e {
			allHeld, allUnion, allWS := true, true, true
			for _, s := range set {
				held := u.Doc == s.Doc && u.Start <= s.Start && s.End <= u.End
				some = some || held
				allHeld = allHeld && held
				for b, c := range texts[s.Doc][s.Start:s.End] {
					if !marks[s.Doc][s.Start+b] {
						allUnion = false
						allWS = allWS && !strict && unicode.Is(unicode.White_Space, c)
					}
				}
			}
			single = single || allHeld && len(set) > 0
			union = union || allUnion && len(set) > 0
			ws = ws || allWS && len(set) > 0
		}
		for _, f := range []struct {
			rank *int
			now  bool
		}{{&r.Single, single}, {&r.Union, union}, {&r.UnionWS, ws}, {&r.Span, some}} {
			if f.now && *f.rank == 0 {
				*f.rank = i + 1
			}
		}
	}
	return r
}

// plainCoverage is the best set's covered bytes, the first of equals, each span
// counted by itself.
func plainCoverage(e Evidence, shown []Ref) (covered, of int) {
	best := new(big.Rat)
	for _, set := range e {
		n, have := 0, 0
		for _, s := range set {
			for b := s.Start; b < s.End; b++ {
				n++
				for _, u := range shown {
					if u.Doc == s.Doc && u.Start <= b && b < u.End {
						have++
						break
					}
				}
			}
		}
		if n == 0 {
			continue
		}
		if share := big.NewRat(int64(have), int64(n)); of == 0 || share.Cmp(best) > 0 {
			covered, of, best = have, n, share
		}
	}
	return covered, of
}

// plainRecall is the best set's share of spans of which every byte is shown.
func plainRecall(e Evidence, shown []Ref) (covered, of int) {
	best := new(big.Rat)
	for _, set := range e {
		n := 0
		for _, s := range set {
			whole := true
			for b := s.Start; b < s.End; b++ {
				held := false
				for _, u := range shown {
					held = held || u.Doc == s.Doc && u.Start <= b && b < u.End
				}
				whole = whole && held
			}
			if whole {
				n++
			}
		}
		if len(set) == 0 {
			continue
		}
		if share := big.NewRat(int64(n), int64(len(set))); of == 0 || share.Cmp(best) > 0 {
			covered, of, best = n, len(set), share
		}
	}
	return covered, of
}

// random draws texts of letters and blanks, of one to three bytes each, with
// evidence and intervals whose ends are code points.
func random(seed uint64) (texts []string, e Evidence, shown []Ref) {
	rng := rand.New(rand.NewPCG(seed, 3))
	alphabet := []rune("ab  \n\u00a0\u3000é漢")
	var at [][]int
	for range 1 + rng.IntN(3) {
		var text []rune
		for range 1 + rng.IntN(40) {
			text = append(text, alphabet[rng.IntN(len(alphabet))])
		}
		s := string(text)
		var ends []int
		for i := range s {
			ends = append(ends, i)
		}
		texts, at = append(texts, s), append(at, append(ends, len(s)))
	}
	interval := func(longest int) Ref {
		d := rng.IntN(len(texts))
		i := rng.IntN(len(at[d]) - 1)
		j := min(len(at[d])-1, i+1+rng.IntN(longest))
		return ref(int32(d), at[d][i], at[d][j])
	}
	for range rng.IntN(4) {
		var set []Ref
		for range rng.IntN(4) { // an empty set proves nothing
			set = append(set, interval(12))
		}
		e = append(e, set)
	}
	for range rng.IntN(16) {
		shown = append(shown, interval(1+rng.IntN(30)))
	}
	return texts, e, shown
}

func checkSeed(t *testing.T, seed uint64) {
	t.Helper()
	texts, e, shown := random(seed)
	for _, strict := range []bool{false, true} {
		j := Judge{Texts: texts, Strict: strict}
		for range 2 { // its scratch memory is used again
			if got, want := j.Ranks(e, shown), plainRanks(texts, strict, e, shown); got != want {
				t.Fatalf("seed %d strict %v: %+v, want %+v\n%q\n%v\n%v", seed, strict, got, want, texts, e, shown)
			}
			covered, of := j.Recall(e, shown)
			if c, o := plainRecall(e, shown); covered != c || of != o {
				t.Fatalf("seed %d: recall %d of %d, want %d of %d\n%v\n%v", seed, covered, of, c, o, e, shown)
			}
			covered, of = j.Coverage(e, shown)
			if c, o := plainCoverage(e, shown); covered != c || of != o {
				t.Fatalf("seed %d: covered %d of %d, want %d of %d\n%v\n%v", seed, covered, of, c, o, e, shown)
			}
		}
	}
}

func TestRanksAgainstBytes(t *testing.T) {
	for seed := range uint64(5000) {
		checkSeed(t, seed)
	}
}

func FuzzRanks(f *testing.F) {
	for seed := range uint64(8) {
		f.Add(seed << 20)
	}
	f.Fuzz(checkSeed)
}

// TestTally compares the sums with one question after another in fractions.
func TestTally(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	ks := []int{1, 3, 10}
	for range 50 {
		var tally Tally
		var all []Ranks
		for range rng.IntN(30) {
			r := Ranks{rng.IntN(14), rng.IntN(14), rng.IntN(14), rng.IntN(14)}
			all = append(all, r)
			tally.Add(r)
		}
		want := plainMeasures(all, ks)
		got := tally.Measures(ks)
		if len(got) != len(want) {
			t.Fatalf("%d measures, want %d", len(got), len(want))
		}
		for i, m := range got {
			if (m.Count == nil) == (m.Sum == nil) {
				t.Fatalf("%s: a count or a sum", m.Name)
			}
			have := m.Name + " "
			if m.Count != nil {
				have += m.Count.String()
			} else {
				have += fmt.Sprintf("%s/%d", m.Sum.Sum.RatString(), m.Sum.Den)
			}
			if have != want[i] {
				t.Errorf("%s, want %s", have, want[i])
			}
		}
	}
}

func plainMeasures(all []Ranks, ks []int) []string {
	var out []string
	for _, k := range ks {
		single, union, ws, mrr := 0, 0, 0, new(big.Rat)
		for _, r := range all {
			if 1 <= r.Single && r.Single <= k {
				single++
				mrr.Add(mrr, big.NewRat(1, int64(r.Single)))
			}
			if 1 <= r.Union && r.Union <= k {
				union++
			}
			if 1 <= r.UnionWS && r.UnionWS <= k {
				ws++
			}
		}
		out = append(out, fmt.Sprintf("single_hit@%d %d/%d", k, single, len(all)), fmt.Sprintf("union_hit@%d %d/%d", k, union, len(all)),
			fmt.Sprintf("union_hit_ws@%d %d/%d", k, ws, len(all)), fmt.Sprintf("single_mrr@%d %s/%d", k, mrr.RatString(), len(all)))
	}
	mrr := new(big.Rat)
	for _, r := range all {
		if r.Span > 0 {
			mrr.Add(mrr, big.NewRat(1, int64(r.Span)))
		}
	}
	return append(out, fmt.Sprintf("mrr %s/%d", mrr.RatString(), len(all)))
}

// TestTallyBytes: equal questions in another order give equal bytes.
func TestTallyBytes(t *testing.T) {
	ranks := []Ranks{{1, 1, 1, 1}, {0, 3, 2, 7}, {6, 5, 4, 3}, {0, 0, 0, 0}, {2, 2, 2, 11}}
	var forward, backward Tally
	for i := range ranks {
		forward.Add(ranks[i])
		backward.Add(ranks[len(ranks)-1-i])
	}
	f, err := json.Marshal(forward.Measures([]int{1, 5}))
	if err != nil {
		t.Fatal(err)
	}
	if b, _ := json.Marshal(backward.Measures([]int{1, 5})); string(b) != string(f) {
		t.Errorf("%s\n%s", f, b)
	}
}

func BenchmarkRanks(b *testing.B) {
	texts, e, shown := big100()
	j := Judge{Texts: texts}
	for b.Loop() {
		j.Ranks(e, shown)
	}
}

func BenchmarkPlainRanks(b *testing.B) {
	texts, e, shown := big100()
	for b.Loop() {
		plainRanks(texts, false, e, shown)
	}
}

// big100 is a question with three sets over 100 hits of 1,000 bytes, none of
// which completes a set before the last.
func big100() (texts []string, e Evidence, shown []Ref) {
	for range 4 {
		texts = append(texts, string(make([]byte, 40_000)))
	}
	for d := range int32(3) {
		e = append(e, []Ref{ref(d, 1500, 1800), ref(d, 2900, 3100), ref(3, 100, 39_900)})
	}
	for i := range 100 {
		shown = append(shown, ref(int32(i%4), 1000*(i/4+1), 1000*(i/4+2)))
	}
	return texts, e, append(shown, ref(0, 0, 40_000))
}

// BenchmarkOneSpan judges rankings of 100 hits over 50 documents, with one span:
// found early, late, by two chunks, and never: its ranks, and recall at 1, 3, 5,
// 10.
func BenchmarkOneSpan(b *testing.B) {
	texts, questions := searched()
	b.Run("quick", func(b *testing.B) {
		j := Judge{Texts: texts}
		i := 0
		for b.Loop() {
			q := &questions[i%len(questions)]
			j.Ranks(q.e, q.shown)
			for _, k := range []int{1, 3, 5, 10} {
				j.Recall(q.e, q.shown[:k])
			}
			i++
		}
	})
	b.Run("plain", func(b *testing.B) {
		i := 0
		for b.Loop() {
			q := &questions[i%len(questions)]
			plainRanks(texts, false, q.e, q.shown)
			i++
		}
	})
}

type searchedQuestion struct {
	e     Evidence
	shown []Ref
}

// searched is questions with one span and 100 distinct hits each.
func searched() (texts []string, questions []searchedQuestion) {
	rng := rand.New(rand.NewPCG(9, 9))
	for range 50 {
		texts = append(texts, strings.Repeat("some words of a text ", 1000))
	}
	for range 64 {
		start := rng.IntN(20000)
		q := searchedQuestion{e: Evidence{{ref(int32(rng.IntN(50)), start, start+20+rng.IntN(300))}}}
		for _, c := range rng.Perm(50 * 52)[:100] {
			q.shown = append(q.shown, ref(int32(c/52), c%52*400, c%52*400+400))
		}
		if span := q.e[0][0]; rng.IntN(2) == 0 { // the chunks of the span are found
			at := rng.IntN(99)
			for i, first := range []int{span.Start / 400, (span.End - 1) / 400} {
				q.shown[at+i] = ref(span.Doc, first*400, first*400+400)
			}
		}
		questions = append(questions, q)
	}
	return texts, questions
}
