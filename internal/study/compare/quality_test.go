package compare

import (
	"fmt"
	"io/fs"
	"maps"
	"math/big"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
	"kerf/internal/twin"
)

// plainOverlap is the definition, term by term.
func plainOverlap(q *golden.Question) (num, den int) {
	var distinct []string
	for _, t := range twin.Terms(q.Text) {
		if !slices.Contains(distinct, t) {
			distinct = append(distinct, t)
		}
	}
	for _, set := range q.Support {
		n := 0
		for _, t := range distinct {
			if slices.ContainsFunc(set, func(s *golden.Span) bool { return slices.Contains(twin.Terms(s.Quote), t) }) {
				n++
			}
		}
		num = max(num, n)
	}
	return num, len(distinct)
}

func TestOverlapAgainstTwin(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 1))
	words := strings.Fields("the The KILN kiln's 例外商品 商品 ภาษาไทย Straße STRASSE 30 days_ é e\u0301 — ? ... İ i İİ 🙂")
	text := func(most int) string {
		var b strings.Builder
		for range random.IntN(most) {
			b.WriteString(words[random.IntN(len(words))] + []string{" ", "", "-", "\n"}[random.IntN(4)])
		}
		return b.String()
	}
	var questions []*golden.Question
	empty := 0
	for i := range 3000 {
		q := &golden.Question{QID: fmt.Sprint(i), Text: text(7), Sample: golden.Samples()[random.IntN(4)], Origin: []string{"", "log", "synthetic"}[random.IntN(3)], Unanswerable: random.IntN(9) == 0}
		for range random.IntN(4) {
			var set []*golden.Span
			for range random.IntN(3) {
				set = append(set, &golden.Span{Quote: text(9)})
			}
			q.Support = append(q.Support, set)
		}
		num, den := overlap(q)
		if n, d := plainOverlap(q); n != num || d != den {
			t.Fatalf("%q in %v: %d/%d, want %d/%d", q.Text, q.Support, num, den, n, d)
		}
		if den == 0 {
			empty++
		}
		questions = append(questions, q)
	}
	if empty == 0 {
		t.Error("no question without a term")
	}
	for _, sample := range golden.Samples() {
		want := map[string]stats.Sum{}
		for _, origin := range []string{"", "log", "synthetic"} {
			sum := stats.NewSum()
			for _, q := range questions {
				if q.Sample != sample || q.Unanswerable || q.Origin != origin {
					continue
				}
				sum.Den++
				if num, den := plainOverlap(q); den == 0 {
					sum.Missing++
				} else {
					sum.Sum.Add(sum.Sum, big.NewRat(int64(num), int64(den)))
				}
			}
			want[orNotStated(origin)] = sum
		}
		got := overlaps(questions, sample)
		if !maps.EqualFunc(got, want, func(a, b stats.Sum) bool { return a.Sum.Cmp(b.Sum) == 0 && a.Den == b.Den && a.Missing == b.Missing }) {
			t.Errorf("%s: %v, want %v", sample, got, want)
		}
	}
}

// TestOverlapOfTheHandbook: its author measured a mean of 0.332 over every
// question, with lower-cased runs of letters, marks, digits and "_".
func TestOverlapOfTheHandbook(t *testing.T) {
	set := handbook(t)
	mean := stats.NewSum()
	for _, q := range set.Questions {
		if q.Unanswerable {
			continue
		}
		num, den := overlap(q)
		mean.Add(num, den)
	}
	if f, _ := mean.Rate(); mean.Den == 0 || fmt.Sprintf("%.3f", f) != "0.332" {
		t.Errorf("%f over %d questions", f, mean.Den)
	}
	for origin, sum := range overlaps(set.Questions, golden.Representative) {
		f, _ := sum.Rate()
		t.Logf("%s: %s over %d, %.3f", origin, sum.Sum.RatString(), sum.Den, f)
	}
}

func handbook(t *testing.T) *golden.Set {
	t.Helper()
	home := os.DirFS("../../../examples/handbook")
	c, found := corpus.Read(home, "corpus.jsonl")
	content, err := fs.ReadFile(home, "golden.jsonl")
	if err != nil || len(found) > 0 {
		t.Fatal(err, found)
	}
	set, found := golden.Read("golden.jsonl", content, c)
	if found.Errors() > 0 {
		t.Fatal(found)
	}
	return set
}

// TestStale: the second denominator has the stale questions that the headline
// would be over, and no other.
func TestStale(t *testing.T) {
	q := func(sample string, unanswerable bool) *golden.Question {
		return &golden.Question{Sample: sample, Unanswerable: unanswerable}
	}
	in := Facts{Questions: []*golden.Question{q(golden.Representative, false), q(golden.Representative, true), q(golden.Enriched, false)}}
	if in.stale() != nil {
		t.Error("stale without a stale question")
	}
	in.Stale = []*golden.Question{q(golden.Enriched, false), q(golden.HeldOut, false), q(golden.Representative, false), q(golden.Representative, false)}
	if got, want := *in.stale(), (Stale{Questions: 4, Asked: 1, WithStale: 3}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestUnreadableWarning(t *testing.T) {
	open, staff := &corpus.Document{Text: "Open."}, &corpus.Document{Text: "Staff."}
	open.Doc, staff.Doc, staff.Access.Read = "open", "staff", []string{"staff"}
	q := func(qid string, reader []string, docs ...string) *golden.Question {
		out := &golden.Question{QID: qid, Reader: reader, Unanswerable: len(docs) == 0}
		for _, d := range docs {
			out.Support = append(out.Support, []*golden.Span{{Doc: d, Bytes: span.Span{Start: 0, End: 5}}})
		}
		return out
	}
	in := Facts{Experiment: plan.Experiment{Reader: []string{"public"}}, Documents: []*corpus.Document{open, staff},
		Questions: []*golden.Question{q("a", nil, "open"), q("b", nil, "staff"), q("c", []string{"staff"}, "staff"), q("d", nil, "staff", "open"), q("e", nil)}}
	got := in.unreadable()
	if len(got) != 1 || !slices.Equal(got[0].QIDs, []string{"b"}) || *got[0].Count != (stats.Count{Num: 1, Den: 4}) || !strings.HasSuffix(got[0].Message, ": b") {
		t.Errorf("%+v", got)
	}
	for _, qid := range []string{"f", "g", "h"} {
		in.Questions = append(in.Questions, q(qid, nil, "staff"))
	}
	if got = in.unreadable(); !strings.HasSuffix(got[0].Message, ": b, f, g and 1 more") || len(got[0].QIDs) != 4 {
		t.Errorf("%+v", got)
	}
	if in.Questions = in.Questions[:1]; in.unreadable() != nil {
		t.Error("a warning where all may be read")
	}
}
