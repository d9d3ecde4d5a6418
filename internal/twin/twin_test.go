package twin

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

func TestFirstCut(t *testing.T) {
	for stride := 1; stride <= 60; stride++ {
		for p := 1; p <= stride; p++ {
			for j := 1; j <= p; j++ {
				// The half is exact in binary, and j*stride/p is at least 1/p off
				// the next half unless it is exactly one.
				want := max(1, int(math.Floor(float64(stride*j)/float64(p)+0.5+1e-9)))
				if got := FirstCut(stride, j, p); got != want {
					t.Fatalf("FirstCut(%d, %d, %d) = %d, want %d", stride, j, p, got, want)
				}
			}
		}
		if FirstCut(stride, 7, 7) != stride {
			t.Fatal("the last phase is not the stride")
		}
	}
}

func TestCut(t *testing.T) {
	params := func(size, overlap, first int, keep bool) Params {
		return Params{Size: size, Overlap: overlap, FirstCut: first, KeepContained: keep, Window: codepoints}
	}
	bytesOf := func(text string) []int32 { // a token a byte
		var ends []int32
		for i := range len(text) {
			ends = append(ends, int32(i+1))
		}
		return ends
	}
	inCodePoints := params(1, 0, 1, false)
	inCodePoints.Window = tokenizer(bytesOf)
	overlapping := params(2, 1, 1, true)
	overlapping.Window = tokenizer(bytesOf)
	inWords := params(4, 1, 3, false)
	inWords.Window = words
	for _, c := range []struct {
		text string
		p    Params
		want string
	}{
		{"la la la la la la la la la la\n", params(11, 5, 6, false), "[0 11] [6 17] [12 23] [18 29] [24 30]"},
		{"abcdefghijklmnopqrstuvw", params(10, 3, 7, false), "[0 10] [7 17] [14 23]"},
		{"abcdefghijklmnopqrstuvw", params(10, 3, 7, true), "[0 10] [7 17] [14 23] [21 23]"},
		{"k1k2k3k4k5", params(6, 4, 2, false), "[0 6] [2 8] [4 10]"},
		{"k1k2k3k4k5", params(6, 4, 1, false), "[0 5] [1 7] [3 9] [5 10]"},
		{"k1k2k3k4k5", params(20, 5, 15, false), "[0 10]"},
		{"abc", params(5, 0, 5, true), "[0 3]"},
		{"Head." + strings.Repeat(" ", 50) + "Foot.", params(10, 0, 10, false), "[0 10] [50 60]"},
		{"", params(10, 0, 10, false), ""},
		{" \n\t\u3000", params(2, 0, 1, true), ""},
		// The cuts inside ä and 中 move back; their empty cores give no chunk.
		{"aä中", inCodePoints, "[0 1] [1 3] [3 6]"},
		// Nor does one whose following token holds something.
		{"aä中", overlapping, "[0 1] [1 3] [3 6]"},
		{"The tenant's deposit is due in full.\n", inWords, "[0 24] [21 37]"},
	} {
		var got []string
		for _, k := range cut(Document{Text: c.text}, bounds(c.text, c.p.Window), c.p) {
			got = append(got, fmt.Sprintf("[%d %d]", k.Start, k.End))
		}
		if got := strings.Join(got, " "); got != c.want {
			t.Errorf("%q %d/%d@%d: %s, want %s", c.text, c.p.Size, c.p.Overlap, c.p.FirstCut, got, c.want)
		}
	}
}

func TestTerms(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"Don't_stop 2x", "don t_stop 2x"},
		{"ΣΊΣΥΦΟΣ İ \u212a", "σίσυφοσ i k"}, // simple mapping: no final sigma
		{"e\u0301tude", "e\u0301tude"},
		{"押金不计利息", "押金 金不 不计 计利 利息"},
		{"海", "海"},
		{"iPhone手机12_部", "iphone 手机 12_ 部"},
		{"カー\u3099ｶｰ", "カー ー\u3099 \u3099ｶ ｶｰ"},
		{"ﾊﾟ", "ﾊ ﾟ"},            // U+FF9F is a letter of Script Common
		{"\u3099か", "\u3099 か"},  // a mark at the edge has no predecessor
		{"、\u3099か", "\u3099 か"}, // nor has one after punctuation
		{"か、\u3099か", "か \u3099 か"},
		{"a\u3099か", "a\u3099 か"},             // it goes with the letter
		{"か\u0301a", "か\u0301 a"},             // with this one too
		{"ที่", "ที ี่"},                      // a Thai mark is of Script Thai
		{"❤\ufe0f 1\u20e3", "\ufe0f 1\u20e3"}, // marks are marks anywhere
		{"!?。 ", ""},
	} {
		if got := strings.Join(Terms(c.text), " "); got != c.want {
			t.Errorf("%q: %q, want %q", c.text, got, c.want)
		}
	}
}

// run ranks and packs with one whole document a chunk.
func run(docs []Document, q Question, change func(*Params)) Result {
	p := Params{
		Size: 1000, FirstCut: 1000, Window: codepoints, Depth: 100, K: 5,
		Budget: 1000, Counter: codepoints, Format: "bare", Overflow: "stop",
	}
	if change != nil {
		change(&p)
	}
	return Run(docs, []Question{q}, p)
}

func TestRanking(t *testing.T) {
	docs := []Document{{ID: "0", Text: "red fox runs"}, {ID: "1", Text: "red dog sleeps"}, {ID: "2", Text: "blue fox"}, {ID: "3", Text: "red red fox cub"}}
	hits := run(docs, Question{Text: "red fox red"}, nil).Rankings[0]
	want := []Hit{{Chunk{"3", 0, 15}, 0.762265309}, {Chunk{"0", 0, 12}, 0.713349888}, {Chunk{"2", 0, 8}, 0.412992040}, {Chunk{"1", 0, 14}, 0.356674944}}
	if len(hits) != len(want) {
		t.Fatal(hits)
	}
	for i, h := range hits {
		if h.Chunk != want[i].Chunk || math.Abs(h.Score-want[i].Score) > 1e-9 {
			t.Errorf("rank %d: %v, want %v", i+1, h, want[i])
		}
	}

	// Filters come before the depth and leave the scores alone.
	docs[3].Restrict = []Restriction{{3, 4, []string{"staff"}}}
	filtered := run(docs, Question{Text: "red fox", Reader: []string{"public"}}, func(p *Params) { p.Depth = 1 }).Rankings[0]
	if !slices.Equal(filtered, hits[1:2]) {
		t.Errorf("denied: %v, want %v", filtered, hits[1:2])
	}
	within := run(docs, Question{Text: "red fox", Reader: []string{"staff"}, Within: []string{"1", "3"}}, nil).Rankings[0]
	if !slices.Equal(within, []Hit{hits[0], hits[3]}) {
		t.Errorf("within: %v", within)
	}

	// Ties are in order of document id, then start, then end.
	tied := run([]Document{{ID: "b", Text: "xx xx "}, {ID: "B", Text: "xx xx "}}, Question{Text: "xx"},
		func(p *Params) { p.Size, p.FirstCut = 3, 3 }).Rankings[0]
	if got := fmt.Sprint(tied[0].Chunk, tied[1].Chunk, tied[2].Chunk, tied[3].Chunk); got != "{B 0 3} {B 3 6} {b 0 3} {b 3 6}" {
		t.Error(got)
	}
}

func TestReadable(t *testing.T) {
	d := Document{Text: "0123456789", Read: []string{"public", "staff"}, Restrict: []Restriction{{4, 6, []string{"staff", "legal"}}}}
	for _, c := range []struct {
		start, end int
		reader     string
		want       bool
	}{
		{0, 4, "public", true}, {0, 5, "public", false}, {6, 10, "public", true}, {5, 6, "public", false},
		{0, 10, "staff", true}, {4, 6, "legal", false}, {0, 1, "", false},
	} {
		chunk := Chunk{"", c.start, c.end}
		if got := pieces(d, chunk, []string{c.reader}, false); slices.Equal(got, []Chunk{chunk}) != c.want || len(got) > 1 {
			t.Errorf("%+v: %v", c, got)
		}
	}
	if len(pieces(Document{Text: "x"}, Chunk{"", 0, 1}, nil, false)) == 0 {
		t.Error("an unrestricted document is not readable")
	}
}

func TestPieces(t *testing.T) {
	d := Document{Text: "01  45 78 ", Restrict: []Restriction{{2, 3, []string{"staff"}}, {4, 6, []string{"staff", "legal"}}, {5, 7, []string{"legal"}}}}
	for _, c := range []struct {
		start, end int
		reader     []string
		want       string
	}{
		{0, 10, []string{"public"}, "[{ 0 2} { 7 10}]"}, // what is between, [3,4), is a blank
		{0, 10, []string{"legal"}, "[{ 0 2} { 3 10}]"},
		{0, 10, []string{"staff"}, "[{ 0 5} { 7 10}]"},
		{0, 10, []string{"staff", "legal"}, "[{ 0 10}]"},
		{1, 8, []string{"public"}, "[{ 1 2} { 7 8}]"},
		{2, 7, []string{"public"}, "[]"},
		{3, 4, []string{"public"}, "[{ 3 4}]"}, // readable wholly
		{9, 10, []string{"public"}, "[{ 9 10}]"},
		{5, 10, []string{"public"}, "[{ 7 10}]"},
	} {
		if got := fmt.Sprint(pieces(d, Chunk{"", c.start, c.end}, c.reader, true)); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	d.Read = []string{"legal"}
	if got := pieces(d, Chunk{"", 0, 10}, []string{"staff"}, true); got != nil {
		t.Errorf("of a document of others: %v", got)
	}
}

// TestClip follows one question through a corpus of which parts are denied.
func TestClip(t *testing.T) {
	//            0    5    10   15   20   25
	const text = "fox one DENIED fox two two"
	docs := []Document{
		{ID: "a", Text: text, Restrict: []Restriction{{8, 15, []string{"staff"}}}},
		{ID: "b", Text: "fox fox fox fox", Restrict: []Restriction{{1, 14, []string{"staff"}}}},
		{ID: "c", Text: "fox " + text},
	}
	q := Question{Text: "fox o f", Reader: []string{"public"}, Support: [][]Evidence{{{"a", 4, 7}, {"a", 15, 22}}}}
	clip := func(change func(*Params)) Result {
		return run(docs, q, func(p *Params) {
			p.Clip, p.K = true, 1
			if change != nil {
				change(p)
			}
		})
	}
	r := clip(nil)
	// f is a fragment of b, which reads "f" and "x": no chunk of the index has
	// it, so its idf is ln(1 + 3.5/0.5). avglen is (6+4+7)/3.
	norm := func(length float64) float64 { return 1.2 * (0.25 + 0.75*length/(17.0/3)) }
	fox := math.Log(1 + 0.5/3.5)
	want := []Hit{
		{Chunk{"b", 0, 15}, math.Log(8) * 2.2 / (1 + norm(2))},
		{Chunk{"a", 0, 26}, fox * 2 * 2.2 / (2 + norm(5))},
		{Chunk{"c", 0, 30}, fox * 3 * 2.2 / (3 + norm(7))},
	}
	hits := r.Rankings[0]
	slices.SortFunc(want, func(x, y Hit) int { return int(1e9 * (y.Score - x.Score)) })
	if len(hits) != 3 {
		t.Fatal(hits)
	}
	for i := range hits {
		if hits[i].Chunk != want[i].Chunk || math.Abs(hits[i].Score-want[i].Score) > 1e-12 {
			t.Errorf("rank %d: %v, want %v", i+1, hits[i], want[i])
		}
	}
	if got := r.Contexts[0]; !strings.Contains(got, "fox one fox two two") || strings.Contains(strings.ReplaceAll(got, "fox "+text, ""), "DENIED") {
		t.Errorf("%q", got)
	}
	rank := 1 + slices.IndexFunc(hits, func(h Hit) bool { return h.Doc == "a" })
	if r.SingleRank[0] != 0 || r.UnionRank[0] != rank || r.SingleUnit[0] || !r.Budget[0] || r.TopK[0] != (rank == 1) {
		t.Errorf("single %d, union %d, rank %d", r.SingleRank[0], r.UnionRank[0], rank)
	}
	// Overflow, unit by unit: the pieces of a are "fox one " and "fox two two".
	q.Within = []string{"a"}
	for _, c := range []struct {
		overflow, want string
		budget         int
	}{
		{"stop", "fox one fox two two", 19}, {"stop", "fox one ", 18}, {"stop", "", 7},
		{"truncate", "fox one fox two tw", 18}, {"truncate", "fox one", 7}, {"skip", "", 7},
	} {
		r := clip(func(p *Params) { p.Overflow, p.Budget = c.overflow, c.budget })
		if r.Contexts[0] != c.want {
			t.Errorf("%s %d: %q, want %q", c.overflow, c.budget, r.Contexts[0], c.want)
		}
	}
	docs[0].Restrict = []Restriction{{15, 22, []string{"staff"}}} // "fox one DENIED ", " two"
	if r := clip(func(p *Params) { p.Overflow, p.Budget = "skip", 10 }); r.Contexts[0] != " two" {
		t.Errorf("skip goes on with the next piece: %q", r.Contexts[0])
	}
	// Chunks that overlap show the same piece: one unit.
	docs[0].Restrict = []Restriction{{0, 15, []string{"staff"}}, {18, 26, []string{"staff"}}}
	if r := clip(func(p *Params) { p.Size, p.Overlap, p.FirstCut = 18, 4, 14 }); len(r.Rankings[0]) != 2 || fmt.Sprint(r.Units[0]) != "[{a 15 18}]" {
		t.Errorf("%v: %v", r.Rankings[0], r.Units[0])
	}
}

func TestFirstCuts(t *testing.T) {
	docs := []Document{{ID: "a", Text: "0123456789"}, {ID: "b", Text: "0123456789"}}
	p := Params{Size: 4, FirstCut: 4, FirstCuts: map[string]int{"b": 1}, Window: codepoints, Counter: codepoints, Format: "bare", Overflow: "stop"}
	if got := fmt.Sprint(Run(docs, nil, p).Chunks); got != "[{a 0 4} {a 4 8} {a 8 10} {b 0 1} {b 1 5} {b 5 9} {b 9 10}]" {
		t.Error(got)
	}
}

func TestPack(t *testing.T) {
	docs := []Document{{ID: "a", Text: "one one 中文"}, {ID: "b", Text: "one two two two two"}, {ID: "c", Text: "one 3 3 3"}}
	q := Question{Text: "one"}
	for _, c := range []struct {
		format, overflow string
		budget           int
		context          string
		tokens           int
	}{
		{"bare", "stop", 19, "one one 中文one 3 3 3", 19},
		{"bare", "stop", 18, "one one 中文", 10},
		{"bare", "stop", 28, "one one 中文one 3 3 3", 19},
		{"bare", "truncate", 9, "one one 中", 9},
		{"bare", "truncate", 10, "one one 中文", 10},
		{"bare", "truncate", 12, "one one 中文on", 12},
		{"bare", "stop", 0, "", 0},
		{"numbered", "stop", 18, "[1] a\none one 中文\n\n", 18},
		{"numbered", "stop", 17, "", 0},
		{"numbered", "skip", 17, "[1] c\none 3 3 3\n\n", 17},
		{"numbered", "truncate", 9, "[1] a\no\n\n", 9},
		{"numbered", "truncate", 8, "", 0},
	} {
		r := run(docs, q, func(p *Params) { p.Format, p.Overflow, p.Budget = c.format, c.overflow, c.budget })
		if r.Contexts[0] != c.context || r.Tokens[0] != c.tokens {
			t.Errorf("%s %s %d: %q of %d tokens, want %q of %d; %v", c.format, c.overflow, c.budget,
				r.Contexts[0], r.Tokens[0], c.context, c.tokens, r.Rankings[0])
		}
	}
	// A prefix ends on a code point even where part of one would fit.
	fives := tokenizer(func(text string) []int32 { return make([]int32, len(text)/5) })
	r := run(docs, q, func(p *Params) { p.Counter, p.Overflow, p.Budget = fives, "truncate", 1 })
	if r.Contexts[0] != "one one " {
		t.Errorf("%q", r.Contexts[0])
	}
	// In words a prefix of blanks counts nothing; a budget of 0 stays empty.
	for budget, want := range []string{"", "  one ", "  one one"} {
		r := run([]Document{{ID: "a", Text: "  one one one"}}, q, func(p *Params) { p.Counter, p.Overflow, p.Budget = words, "truncate", budget })
		if r.Contexts[0] != want+strings.Repeat(" ", max(0, budget-1)) {
			t.Errorf("budget %d: %q", budget, r.Contexts[0])
		}
	}
}

func TestRepeated(t *testing.T) {
	docs := map[string]Document{"a": {Text: "0123456789"}, "b": {Text: "0123456789"}}
	units := []Chunk{{"a", 0, 4}, {"a", 2, 6}, {"b", 0, 4}, {"a", 1, 7}, {"a", 8, 9}}
	// [2,4) for the second unit, [1,6) for the fourth.
	if got := repeated(units, docs, codepoints); got != 7 {
		t.Error(got)
	}
	pairs := tokenizer(func(text string) []int32 { return make([]int32, (len(text)+1)/2) })
	if got := repeated(units, docs, pairs); got != 1+3 {
		t.Error(got)
	}
}

func TestJudge(t *testing.T) {
	const text = "The deposit is due in 30 days after delivery of the goods."
	docs := map[string]Document{"d": {ID: "d", Text: text}, "e": {ID: "e", Text: text}}
	q := Question{Support: [][]Evidence{{{"d", 15, 29}}}}
	at := func(bounds ...int) (shown []Chunk) {
		for i := 0; i < len(bounds); i += 2 {
			shown = append(shown, Chunk{"d", bounds[i], bounds[i+1]})
		}
		return shown
	}
	for _, c := range []struct {
		shown               []Chunk
		single, union, wide int
	}{
		{at(0, 18, 18, 40), 0, 2, 2},
		{at(0, 16, 17, 40), 0, 0, 0},
		{at(0, 18, 19, 40), 0, 0, 2},
		{at(0, 25, 15, 40), 2, 2, 2},
		{at(17, 27), 0, 0, 0},
		{at(10, 40), 1, 1, 1},
		{at(18, 40, 0, 18), 0, 2, 2},
		{[]Chunk{{"e", 0, 40}}, 0, 0, 0},
		{nil, 0, 0, 0},
	} {
		var hits []sight
		for i, s := range c.shown {
			hits = append(hits, sight{i + 1, []Chunk{s}})
		}
		single, union, wide := singleRank(q, hits), unionRank(q, hits, docs, true), unionRank(q, hits, docs, false)
		if single != c.single || union != c.union || wide != c.wide {
			t.Errorf("%v: %d %d %d, want %d %d %d", c.shown, single, union, wide, c.single, c.union, c.wide)
		}
	}
	sets := Question{Support: [][]Evidence{{{"d", 0, 3}, {"e", 0, 3}}, {{"d", 4, 11}}}}
	for _, c := range []struct {
		shown []Chunk
		want  bool
	}{
		{at(0, 3), false},
		{append(at(0, 3), Chunk{"e", 0, 3}), true},
		{at(4, 11), true},
		{append(at(0, 7), Chunk{"e", 0, 2}), false}, // halves of two sets
	} {
		if got := supported(sets, c.shown, docs, true); got != c.want {
			t.Errorf("%v: %v", c.shown, got)
		}
	}
	// A span of white space alone asks for nothing.
	if !covered(Evidence{"d", 3, 4}, nil, docs, false) || covered(Evidence{"d", 3, 4}, nil, docs, true) {
		t.Error("a blank span")
	}
	if supported(Question{}, at(0, 40), docs, false) {
		t.Error("no support set is supported")
	}
}

func TestFeasible(t *testing.T) {
	docs := map[string]Document{"a": {Text: "0123456789"}, "b": {Text: "0123456789"}}
	q := Question{Support: [][]Evidence{{{"b", 5, 8}, {"a", 2, 4}, {"b", 3, 5}, {"a", 0, 3}}, {{"a", 0, 10}, {"b", 0, 10}}}}
	nested := Question{Support: [][]Evidence{{{"a", 0, 10}, {"a", 2, 4}, {"a", 8, 10}}}}
	if feasible(nested, docs, Params{Format: "bare", Budget: 9, Counter: codepoints}) {
		t.Error("a nested span shortens its unit")
	}
	numbered := len("[1] a\n0123\n\n[2] b\n34567\n\n")
	for _, c := range []struct {
		format string
		budget int
		want   bool
	}{{"bare", 9, true}, {"bare", 8, false}, {"numbered", numbered, true}, {"numbered", numbered - 1, false}} {
		if got := feasible(q, docs, Params{Format: c.format, Budget: c.budget, Counter: codepoints}); got != c.want {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

func TestIntact(t *testing.T) {
	docs := []Document{{ID: "a", Text: "abcdefghij"}, {ID: "b", Text: "abc"}}
	p := Params{Size: 5, FirstCut: 5, Window: codepoints} // [0,5) [5,10)
	for _, c := range []struct {
		support [][]Evidence
		want    Geometry
	}{
		{[][]Evidence{{{"a", 0, 2}, {"a", 3, 5}}}, Geometry{2, 2, 1, 1}},
		{[][]Evidence{{{"a", 0, 2}, {"a", 5, 8}}}, Geometry{2, 2, 1, 0}},
		{[][]Evidence{{{"a", 0, 2}, {"b", 0, 3}}}, Geometry{2, 2, 1, 0}},
		{[][]Evidence{{{"a", 0, 2}, {"a", 4, 6}}}, Geometry{1, 2, 0, 0}},
		// A span in two sets is one span.
		{[][]Evidence{{{"a", 4, 6}, {"a", 0, 2}}, {{"a", 0, 2}}}, Geometry{1, 2, 1, 1}},
		{nil, Geometry{}},
	} {
		if got := Intact(docs, []Question{{Support: c.support}}, p)[0]; got != c.want {
			t.Errorf("%v: %+v, want %+v", c.support, got, c.want)
		}
	}
}

// TestIntactClosedForm compares cutting with the closed form for a span of L
// tokens: whole in min(1, max(0, size-L+1)/stride) of the phases.
func TestIntactClosedForm(t *testing.T) {
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 1))
		docs, questions := Random(rng)
		p := RandomParams(rng, codepoints)
		length := map[string]int{}
		for _, d := range docs {
			length[d.ID] = codepoints.Count(d.Text)
		}
		for i, g := range IntactAll(docs, questions, p) {
			want, spans := 0, map[Evidence]bool{}
			for _, set := range questions[i].Support {
				for _, e := range set {
					spans[e] = true
				}
			}
			for e := range spans {
				L := codepoints.Count(textOf(docs, e.Doc)[e.Start:e.End])
				want += min(p.stride(), max(0, p.Size-L+1))
			}
			if g.Spans != want || g.Of != len(spans)*p.stride() {
				t.Fatalf("seed %d question %d: %+v, want %d spans", seed, i, g, want)
			}
			if g.Hull > g.Sets || g.Sets > p.stride() {
				t.Fatalf("seed %d question %d: %+v", seed, i, g)
			}
		}
	}
}

// TestGeometryReference counts the spans that the plain splitter leaves whole
// in the Chroma set.
func TestGeometryReference(t *testing.T) {
	docs, questions := load(t, "chroma-general")
	for _, c := range []struct{ size, overlap, whole int }{{400, 0, 460}, {400, 80, 607}} {
		p := Params{Size: c.size, Overlap: c.overlap, FirstCut: c.size - c.overlap, Window: codepoints}
		whole, of := 0, 0
		for _, g := range Intact(docs, questions, p) {
			whole += g.Spans
			of += g.Of
		}
		if whole != c.whole || of != 790 {
			t.Errorf("%+v: %d of %d", c, whole, of)
		}
	}
}
