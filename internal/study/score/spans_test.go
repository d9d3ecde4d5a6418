package score

import (
	"encoding/json"
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/rankings"
	"kerf/internal/text/span"
)

// scene is documents, questions and rankings drawn at random.
type scene struct {
	c         *corpus.Corpus
	questions []*golden.Question
	f         *rankings.File
}

func draw(seed uint64) scene {
	rng := rand.New(rand.NewPCG(seed, 11))
	s := scene{c: &corpus.Corpus{}, f: &rankings.File{File: "r.jsonl"}}
	names := []string{"public", "staff", "legal"}
	some := func() []string { return names[rng.IntN(3):][:1] }
	for i := range 3 {
		var b strings.Builder
		for range 8 + rng.IntN(30) {
			b.WriteByte("abc  \n"[rng.IntN(6)])
		}
		b.WriteByte('.')
		d := &corpus.Document{Version: corpus.Version{Doc: fmt.Sprintf("d%d", i), Version: corpus.VersionOf(b.String()), Bytes: b.Len()}, Text: b.String()}
		if rng.IntN(4) == 0 {
			d.Access.Read = some()
		}
		for range rng.IntN(3) {
			d.Access.Spans = append(d.Access.Spans, corpus.Restriction{Span: piece(rng, d.Text), Read: some()})
		}
		s.c.Documents = append(s.c.Documents, d)
	}
	s.c.Older = []corpus.Version{{Doc: "d1", Version: corpus.VersionOf("before"), Bytes: 6}}
	for i := range 1 + rng.IntN(6) {
		q := &golden.Question{QID: fmt.Sprintf("q%d", i), Sample: golden.Representative, Unanswerable: rng.IntN(6) == 0}
		if rng.IntN(3) == 0 {
			q.Sample = golden.Enriched
		}
		if rng.IntN(3) == 0 {
			q.Reader = some()
		}
		if rng.IntN(4) == 0 {
			q.Within = []string{"d0", "d2"}
		}
		for range 1 + rng.IntN(2) {
			var set []*golden.Span
			for range 1 + rng.IntN(3) {
				d := s.c.Documents[rng.IntN(3)]
				at := piece(rng, d.Text)
				for strings.TrimSpace(d.Text[at.Start:at.End]) == "" {
					at = piece(rng, d.Text)
				}
				set = append(set, &golden.Span{Doc: d.Doc, Bytes: at})
			}
			if !q.Unanswerable {
				q.Support = append(q.Support, set)
			}
		}
		s.questions = append(s.questions, q)
		r := rankings.Ranking{QID: q.QID}
		if rng.IntN(5) == 0 {
			r.Error = "timeout"
		}
		for range rng.IntN(9) {
			n := rng.IntN(4)
			if n == 3 {
				r.Hits = append(r.Hits, rankings.Hit{Doc: -1, DocID: "d1", Version: s.c.Older[0].Version, Span: span.Span{Start: 0, End: 1 + rng.IntN(5)}})
				continue
			}
			d := s.c.Documents[n]
			r.Hits = append(r.Hits, rankings.Hit{Doc: int32(n), DocID: d.Doc, Version: d.Version.Version, Span: piece(rng, d.Text), Score: float64(rng.IntN(4)), Scored: rng.IntN(3) > 0})
		}
		if r.Error != "" {
			r.Hits = nil
		}
		s.f.Add(r)
	}
	return s
}

func piece(rng *rand.Rand, text string) span.Span {
	start := rng.IntN(len(text))
	return span.Span{Start: start, End: start + 1 + rng.IntN(min(len(text)-start, 1+rng.IntN(12)))}
}

// plainly computes one measure of one ranking from its definition, byte by byte.
func (s scene) plainly(q *golden.Question, hits []rankings.Hit, name string, k int) *big.Rat {
	allowed := func(h rankings.Hit) bool { return s.kind(q, h) == "" }
	holds := func(h rankings.Hit, sp *golden.Span) bool {
		return allowed(h) && h.DocID == sp.Doc && h.Start <= sp.Bytes.Start && sp.Bytes.End <= h.End
	}
	covered := func(sp *golden.Span, bridge bool) bool {
		text := s.c.Find(sp.Doc).Text
		for b := sp.Bytes.Start; b < sp.Bytes.End; b++ {
			seen := bridge && unicode.IsSpace(rune(text[b]))
			for _, h := range hits[:min(k, len(hits))] {
				seen = seen || allowed(h) && h.DocID == sp.Doc && h.Start <= b && b < h.End
			}
			if !seen {
				return false
			}
		}
		return true
	}
	best := new(big.Rat)
	take := func(r *big.Rat) {
		if r.Cmp(best) > 0 {
			best = r
		}
	}
	for _, set := range q.Support {
		switch name {
		case "single_hit", "single_mrr", "mrr":
			for i, h := range hits[:min(k, len(hits))] {
				n := 0
				for _, sp := range set {
					if holds(h, sp) {
						n++
					}
				}
				switch {
				case name == "single_hit" && n == len(set):
					take(big.NewRat(1, 1))
				case name == "single_mrr" && n == len(set), name == "mrr" && n > 0:
					take(big.NewRat(1, int64(i+1)))
				}
			}
		default:
			n := 0
			for _, sp := range set {
				if covered(sp, name == "union_hit_ws" || name == "support") {
					n++
				}
			}
			if name == "recall" || n == len(set) {
				take(big.NewRat(int64(n), int64(len(set))))
			}
		}
	}
	return best
}

// kind is the violation that a hit is, "" for none.
func (s scene) kind(q *golden.Question, h rankings.Hit) string {
	if h.Doc < 0 {
		return "version"
	}
	reader := q.Reader
	if reader == nil {
		reader = []string{"public"}
	}
	d := s.c.Documents[h.Doc]
	for b := h.Start; b < h.End; b++ {
		if d.Access.Read != nil && !slices.Contains(reader, d.Access.Read[0]) {
			return "access"
		}
		for _, r := range d.Access.Spans {
			if r.Start <= b && b < r.End && !slices.Contains(reader, r.Read[0]) {
				return "access"
			}
		}
		if len(d.Access.Spans) == 0 && d.Access.Read == nil {
			break
		}
	}
	if q.Within != nil && !slices.Contains(q.Within, h.DocID) {
		return "within"
	}
	return ""
}

// TestAgainstDefinitions compares every measure of every sample and question with
// its definition, and the lists beside them.
func TestAgainstDefinitions(t *testing.T) {
	ks := []int{1, 3, 5}
	names := []string{"single_hit", "union_hit", "union_hit_ws", "support", "recall", "single_mrr", "mrr"}
	moving := map[string]bool{} // measures that were neither 0 nor 1 throughout
	for seed := range uint64(600) {
		s := draw(seed)
		got := Spans(s.f, s.questions, s.c, []string{"public"}, ks, 3, false)
		type cell struct {
			asked, missing int
			sums           map[string]*big.Rat
		}
		cells := map[string]*cell{}
		var violations []string
		longer, failed, controls, ties, of := 0, 0, 0, 0, 0
		for _, q := range s.questions {
			r := s.f.Find(q.QID)
			for i, h := range r.Hits {
				if kind := s.kind(q, h); kind != "" {
					violations = append(violations, fmt.Sprint(kind, q.QID, i+1, h.DocID, h.Version, h.Span))
				}
			}
			if q.Unanswerable {
				controls++
				continue
			}
			if len(r.Hits) > 3 {
				longer++
			}
			for score := range 4 {
				n := 0
				for _, h := range r.Hits {
					if h.Scored && h.Score == float64(score) {
						n++
					}
				}
				if n > 1 {
					ties++
				}
			}
			c := cells[q.Sample]
			if c == nil {
				c = &cell{sums: map[string]*big.Rat{}}
				cells[q.Sample] = c
			}
			c.asked++
			if r.Error != "" {
				c.missing++
				failed++
			}
			for _, k := range append(slices.Clone(ks), 1000) {
				for _, name := range names {
					full := fmt.Sprintf("%s@%d", name, k)
					if k == 1000 {
						if name != "mrr" {
							continue
						}
						full = name
					}
					value := new(big.Rat)
					if r.Error == "" {
						value = s.plainly(q, r.Hits, name, k)
					}
					if c.sums[full] == nil {
						c.sums[full] = new(big.Rat)
					}
					c.sums[full].Add(c.sums[full], value)
					moving[full] = moving[full] || value.Sign() > 0 && k > 1
					m := got.ByQuestion[of].Measures.Find(full)
					if v := value.RatString(); m == nil || m.Count != nil && fmt.Sprint(m.Count.Num) != v || m.Sum != nil && m.Sum.Sum.RatString() != v {
						t.Fatalf("seed %d, %s: %s is %+v, want %s", seed, q.QID, full, m, v)
					}
				}
			}
			if got.ByQuestion[of].QID != q.QID || got.ByQuestion[of].Sample != q.Sample {
				t.Fatalf("seed %d: %+v", seed, got.ByQuestion[of])
			}
			of++
		}
		if len(got.ByQuestion) != of || got.Longer != longer || len(got.Failed) != failed || got.Controls != controls || got.Rule.Tied != ties || len(got.Samples) != len(cells) {
			t.Fatalf("seed %d: %+v", seed, got)
		}
		for _, sample := range got.Samples {
			c := cells[sample.Sample]
			if sample.Questions != c.asked || len(sample.Measures) != len(c.sums) || sample.Point != big.NewRat(100, int64(c.asked)).RatString() {
				t.Fatalf("seed %d: %+v, want %+v", seed, sample, c)
			}
			for _, m := range sample.Measures {
				sum, den, missing := new(big.Rat), 0, 0
				if m.Count != nil {
					sum.SetInt64(int64(m.Count.Num))
					den, missing = m.Count.Den, m.Count.Missing
				} else {
					sum, den, missing = m.Sum.Sum, m.Sum.Den, m.Sum.Missing
				}
				if sum.Cmp(c.sums[m.Name]) != 0 || den != c.asked || missing != c.missing {
					t.Fatalf("seed %d: %s is %+v %+v, want %s of %d, %d missing", seed, m.Name, m.Count, m.Sum, c.sums[m.Name], c.asked, c.missing)
				}
			}
		}
		var said []string
		for _, v := range got.Violations {
			said = append(said, fmt.Sprint(v.Kind, v.QID, v.Rank, v.Doc, v.Version, span.Span{Start: v.Start, End: v.End}))
		}
		if !slices.Equal(said, violations) {
			t.Fatalf("seed %d: violations %v, want %v", seed, said, violations)
		}
		// Strict support is union_hit, and all else stays.
		strict := Spans(s.f, s.questions, s.c, []string{"public"}, ks, 3, true)
		for _, m := range strict.Measures {
			want := got.Measures.Find(strings.Replace(m.Name, "support", "union_hit", 1))
			if m.Count != nil && *m.Count != *want.Count || m.Sum != nil && m.Sum.Sum.Cmp(want.Sum.Sum) != 0 {
				t.Fatalf("seed %d: strict %s is %+v", seed, m.Name, m)
			}
		}
	}
	for _, name := range []string{"single_hit@3", "union_hit@5", "union_hit_ws@5", "support@3", "recall@3", "single_mrr@5", "mrr@3", "mrr"} {
		if !moving[name] {
			t.Errorf("%s was always 0: the scenes prove nothing", name)
		}
	}
}

func TestTied(t *testing.T) {
	for _, row := range []struct {
		scores []float64
		want   int
	}{{nil, 0}, {[]float64{1}, 0}, {[]float64{1, 1}, 1}, {[]float64{3, 1, 2, 1, 1, 3}, 2}} {
		if got := tied(row.scores); got != row.want {
			t.Errorf("%v: %d, want %d", row.scores, got, row.want)
		}
	}
}

// TestBytes: the same input gives the same bytes.
func TestBytes(t *testing.T) {
	for seed := range uint64(20) {
		s := draw(seed)
		var first []byte
		for range 3 {
			b, err := json.Marshal(Spans(s.f, s.questions, s.c, []string{"public"}, []int{1, 5}, 5, false))
			if err != nil {
				t.Fatal(err)
			}
			if first == nil {
				first = b
			} else if string(b) != string(first) {
				t.Fatalf("%s\n%s", first, b)
			}
		}
	}
}
