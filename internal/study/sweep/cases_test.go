package sweep

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"kerf/internal/pipeline/rank"
	"kerf/internal/pipeline/split"
	"kerf/internal/stats"
	"kerf/internal/study/geometry"
	"kerf/internal/text/span"
	"kerf/internal/text/token"
	"kerf/internal/twin"
	"kerf/internal/verdict"
)

// packed is the context of the first question over whole documents, or over
// windows of size code points with the first cut at first.
func packed(t *testing.T, docs []twin.Document, question string, size, first int, p twin.Params, counter string) (*Worker, *Answer) {
	t.Helper()
	p.Size, p.FirstCut, p.Log, p.Depth, p.K = size, first, stats.Log, 100, 5
	w, _ := sweepOf(t, docs, []twin.Question{{QID: "q", Text: question, Reader: []string{"public"}}}, p, "codepoints", counter)
	var out Answer
	_ = w.Ask(t.Context(), func(_ int, a *Answer) { out = *a })
	return w, &out
}

// literal is the context as the answer model gets it.
func literal(w *Worker, a *Answer) string {
	var b strings.Builder
	for i, u := range a.Context.Units {
		d := w.study.Documents[u.Doc]
		b.WriteString(w.format.Before(i+1, d.Doc) + d.Text[u.Start:u.End] + w.format.After())
	}
	return b.String()
}

// TestCountsDoNotAdd (tok-03): numbered counts the literal string, labels and
// all; bare counts unit by unit, although the units joined may cost more or less.
func TestCountsDoNotAdd(t *testing.T) {
	tok, err := token.Named("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	docs := []twin.Document{{ID: "a", Text: "Step one of nine"}, {ID: "b", Text: "Step two of nine parts"}}
	bare := func(budget int) *Answer {
		_, a := packed(t, docs, "step nine", 100, 100, twin.Params{Budget: budget, Format: "bare", Overflow: "stop"}, "cl100k_base")
		return a
	}
	same(t, "the parts joined by a line break", tok.Count(docs[0].Text+"\n"+docs[1].Text), 10)
	same(t, "bare, 9", len(bare(9).Context.Units), 2)
	same(t, "bare, 9: tokens", bare(9).Context.Tokens, 9)
	same(t, "bare, 8", len(bare(8).Context.Units), 1)

	numbered := func(budget int) (*Worker, *Answer) {
		return packed(t, docs, "step nine", 100, 100, twin.Params{Budget: budget, Format: "numbered", Overflow: "stop"}, "cl100k_base")
	}
	w, whole := numbered(1000)
	cost := tok.Count(literal(w, whole))
	same(t, "numbered: units", len(whole.Context.Units), 2)
	same(t, "numbered: tokens", whole.Context.Tokens, cost)
	_, a := numbered(cost)
	same(t, "numbered, exactly enough", len(a.Context.Units), 2)
	_, a = numbered(cost - 1)
	same(t, "numbered, one too few", len(a.Context.Units), 1)

	// One word, cut in two: 2 + 2 tokens as units, 1 as a word.
	docs = []twin.Document{{ID: "a", Text: " documentation"}}
	same(t, "the word", tok.Count(docs[0].Text), 1)
	_, a = packed(t, docs, "docum entation", 8, 6, twin.Params{Budget: 100, Format: "bare", Overflow: "stop"}, "cl100k_base")
	same(t, "the word cut: units", len(a.Context.Units), 2)
	same(t, "the word cut: tokens", a.Context.Tokens, 4)
}

// TestZeroBudget (ctx-01): legal, and an empty context under every rule, also
// where the units' first tokens are blanks that cost nothing.
func TestZeroBudget(t *testing.T) {
	docs := []twin.Document{{ID: "a", Text: "   fee   "}}
	for _, format := range []string{"bare", "numbered"} {
		for _, overflow := range []string{"stop", "skip", "truncate"} {
			for _, counter := range token.Names() {
				_, a := packed(t, docs, "fee", 100, 100, twin.Params{Budget: 0, Format: format, Overflow: overflow}, counter)
				if len(a.Hits) != 1 || len(a.Context.Units) != 0 || a.Context.Tokens != 0 || a.Supported() {
					t.Errorf("%s %s %s: %+v", format, overflow, counter, a.Context)
				}
			}
		}
	}
}

// TestCostDependsOnDigitsAlone: a unit's count is remembered by the number of
// digits of its number; every number up to the deepest ranking that a context
// can hold must count alike.
func TestCostDependsOnDigitsAlone(t *testing.T) {
	docs := []twin.Document{{ID: "7", Text: "fee 1"}, {ID: "a/b.md", Text: "2 fees and a fee"}, {ID: "ä", Text: "\nfee"}}
	for _, counter := range token.Names() {
		w, a := packed(t, docs, "fee", 100, 100, twin.Params{Budget: 1000, Format: "numbered", Overflow: "stop"}, counter)
		same(t, counter+": hits", len(a.Hits), 3)
		for _, h := range append([]rank.Hit(nil), a.Hits...) {
			d := w.study.Documents[h.Doc]
			tok, err := token.Named(counter)
			if err != nil {
				t.Fatal(err)
			}
			for n := 1; n <= 1100; n++ {
				text := w.format.Before(n, d.Doc) + d.Text[h.Start:h.End] + w.format.After()
				if got, want := w.cost(n, h), tok.Count(text); got != want {
					t.Fatalf("%s: %q costs %d, want %d", counter, text, got, want)
				}
			}
		}
	}
}

// TestRetentionGeometry (worked example 000-phase-sweep, the part in bytes): the
// fixture is ASCII, so code points are bytes. The placements that leave the rule
// and the qualifier whole, and both in one chunk.
func TestRetentionGeometry(t *testing.T) {
	const text = "Requests may be retained for 30 days. This limit is 7 days for requests marked temporary."
	tok, err := token.Named("codepoints")
	if err != nil {
		t.Fatal(err)
	}
	tables := []*token.Table{token.NewTable(tok, text)}
	rule, qualifier := verdict.Ref{Span: span.Span{Start: 0, End: 37}}, verdict.Ref{Span: span.Span{Start: 38, End: 89}}
	questions := []verdict.Evidence{{{rule}}, {{qualifier}}, {{rule, qualifier}}}
	for _, c := range []struct{ size, overlap, rule, qualifier, both int }{
		{60, 0, 24, 10, 0}, {60, 20, 24, 10, 0}, {45, 0, 9, 0, 0}, {100, 0, 64, 50, 12},
	} {
		for _, edge := range []split.Edge{split.DropContained, split.Keep} {
			w := split.Windows{Size: c.size, Overlap: c.overlap, Edge: edge}
			s := geometry.Take(w, tables, questions, geometry.All(w.Stride()))
			same(t, "rule", s.Questions[0].Spans.Num, c.rule)
			same(t, "qualifier", s.Questions[1].Spans.Num, c.qualifier)
			same(t, "both in one chunk", s.Questions[2].Hull.Num, c.both)
			same(t, "placements", s.Questions[2].Hull.Den, w.Stride())
			// Each whole somewhere, in one chunk or two.
			same(t, "spans of the set", s.Questions[2].Spans.Num, c.rule+c.qualifier)
			for _, q := range s.Questions {
				if q.Hull.Num > q.Sets.Num || q.Sets.Num > q.Spans.Num {
					t.Errorf("%+v: %+v", w, q)
				}
			}
		}
	}
}

// TestBlankWindowsAreNotIndexed (spl-09): neither blank documents nor blank
// windows reach the index or the manifest's count.
func TestBlankWindowsAreNotIndexed(t *testing.T) {
	docs := []twin.Document{{ID: "blank", Text: "  \n\t\n \u00a0\u2003\n"}, {ID: "empty"}, {ID: "hole", Text: "Head." + strings.Repeat(" ", 50) + "Foot."}}
	w, a := packed(t, docs, "head foot", 10, 10, twin.Params{Budget: 1000, Format: "bare", Overflow: "stop"}, "codepoints")
	same(t, "indexed", w.placement.N, 2)
	same(t, "hits", len(a.Hits), 2)
	same(t, "first", a.Hits[0].Span, span.Span{Start: 0, End: 10})
	same(t, "second", a.Hits[1].Span, span.Span{Start: 50, End: 60})
	if m := string(w.indexManifest(Cell{Arm: w.arm}).encode(w)); !strings.Contains(m, `"chunks":2,`) {
		t.Error(m)
	}
}

// TestCasesPage: every proof that docs/cases.md names is there, and every row
// has one, a later piece of work, or a reason why it does not apply.
func TestCasesPage(t *testing.T) {
	const root = "../../../"
	page, err := os.ReadFile(root + "docs/cases.md")
	if err != nil {
		t.Fatal(err)
	}
	row := regexp.MustCompile(`(?m)^\| ([a-z]{3}-\d\d[a-z0-9-]*|00\d-[a-z-]+|coordinates) \| (.+) \| (.+) \|$`)
	proof := regexp.MustCompile("`([a-z-]+(?:/[a-z]+)*)\\.(Test[A-Za-z0-9]+)`|`([a-z0-9-]+\\.txtar)`")
	later := regexp.MustCompile(`^later: (engine|arms|compare|answers|label)(, compare)?$`)
	seen := map[string]bool{}
	for _, r := range row.FindAllStringSubmatch(string(page), -1) {
		if seen[r[1]] {
			t.Errorf("%s stands twice", r[1])
		}
		seen[r[1]] = true
		proofs := proof.FindAllStringSubmatch(r[3], -1)
		if len(proofs) == 0 && !later.MatchString(r[3]) {
			t.Errorf("%s: %q is no proof", r[1], r[3])
		}
		for _, p := range proofs {
			files, word := []string{root + "internal/cli/testdata/" + p[3]}, ""
			if p[3] == "" {
				files, err = filepath.Glob(root + "internal/" + p[1] + "/*_test.go")
				word = "func " + p[2] + "("
			}
			if err != nil || !slices.ContainsFunc(files, func(file string) bool {
				content, err := os.ReadFile(file)
				return err == nil && strings.Contains(string(content), word)
			}) {
				t.Errorf("%s: %s is not there", r[1], p[0])
			}
		}
	}
	if len(seen) != 71+10 {
		t.Errorf("%d rows, want 71 cases and 10 examples", len(seen))
	}
}
