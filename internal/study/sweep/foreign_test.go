package sweep

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kerf/internal/chunks"
	"kerf/internal/pipeline/engine"
	"kerf/internal/pipeline/lexical"
	"kerf/internal/pipeline/split"
	"kerf/internal/rankings"
	"kerf/internal/stats"
	"kerf/internal/study/ledger"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
	"kerf/internal/text/token"
	"kerf/internal/twin"
	"kerf/internal/verdict"
)

// answered is what an arm gave a question.
type answered struct {
	Hits            []verdict.Ref
	Places          []int
	Context         string
	Tokens, TopK    int
	Ranking, Shown  verdict.Ranks
	Repeated, Units int
}

// ask is every question's answer at a placement; those whose search failed are
// left out.
func ask(t *testing.T, s *Study, arm plan.Arm, first int) (map[string]answered, *Worker) {
	t.Helper()
	w, err := s.NewWorker()
	if err == nil {
		err = w.Place(t.Context(), arm, first)
	}
	out := map[string]answered{}
	if err == nil {
		err = w.Ask(t.Context(), func(_ int, a *Answer) {
			w.read(s.Experiment.Depth)
			x := answered{Places: slices.Clone(w.places), Tokens: a.Context.Tokens, TopK: a.TopK, Ranking: a.Ranking, Shown: a.Shown, Repeated: a.Repeated, Units: len(a.Context.Units)}
			for _, h := range w.hits {
				x.Hits = append(x.Hits, verdict.Ref{Doc: h.Doc, Span: h.Span})
			}
			for i, u := range a.Context.Units {
				x.Context += w.before(i+1, u.Hit) + s.texts[u.Doc][u.Start:u.End] + w.format.After()
			}
			out[a.Question.QID] = x
		})
	}
	if err != nil {
		t.Fatal(err)
	}
	return out, w
}

// bag is an engine in this process: BM25 over the texts that it is given, each a
// document of its own.
type bag struct {
	asks    []string // every question's text
	indexes map[string]*bagIndex
	builds  int
	told    []string // index, arm and label of each build
	fault   func(op, qid string) error
	shuffle bool // every second build ranks the other way round
}

type bagIndex struct {
	chunks  []engine.Chunk
	p       *lexical.Placement
	reverse bool
}

func (b *bag) Identity() engine.Identity { return engine.Identity{Name: "bag", Model: "bm25@1"} }

func (b *bag) Index(_ context.Context, index, arm, label string, given []engine.Chunk) error {
	b.told = append(b.told, index+" "+arm+" "+label)
	if b.fault != nil {
		if err := b.fault("index", ""); err != nil {
			return err
		}
	}
	var texts []string
	var all []split.Located
	for i, c := range given {
		texts = append(texts, c.Text)
		all = append(all, split.Located{Doc: int32(i), Span: span.Span{End: len(c.Text)}})
	}
	p := lexical.New(texts, b.asks, nil).Given()
	p.Take(all, nil)
	b.builds++
	if b.indexes == nil {
		b.indexes = map[string]*bagIndex{}
	}
	b.indexes[index] = &bagIndex{given, p, b.shuffle && b.builds%2 == 0}
	return nil
}

func (b *bag) Search(_ context.Context, index string, q engine.Query) ([]engine.Hit, error) {
	if b.fault != nil {
		if err := b.fault("search", q.QID); err != nil {
			return nil, err
		}
	}
	x, ok := b.indexes[index]
	if !ok {
		return nil, fmt.Errorf("no index %s", index)
	}
	var out []engine.Hit
	x.p.Ask(slices.Index(b.asks, q.Text), nil, &lexical.Sight{})
	hits := x.p.Hits(len(x.chunks))
	if x.reverse {
		slices.Reverse(hits)
	}
	for _, h := range hits {
		c := x.chunks[h.Doc]
		if len(out) < q.K && (c.Readers == nil || slices.Contains(c.Readers, q.Reader[0])) && (q.Docs == nil || slices.Contains(q.Docs, c.Doc)) {
			out = append(out, engine.Hit{ID: c.ID, Score: x.p.Score(h.Slot)})
		}
	}
	return out, nil
}

func (b *bag) Drop(_ context.Context, index string) error {
	delete(b.indexes, index)
	return nil
}

// randomStudy is a study over a random corpus, and its own arm.
func randomStudy(t *testing.T, seed uint64, clip bool) (*Study, plan.Arm) {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 31))
	docs, questions := twin.Random(rng)
	slices.SortFunc(docs, func(a, b twin.Document) int { return strings.Compare(a.ID, b.ID) })
	var tokenizers []twin.Tokenizer
	for _, name := range token.Names() {
		tk, err := token.Named(name)
		if err != nil {
			t.Fatal(err)
		}
		tokenizers = append(tokenizers, twin.Tokenizer{Ends: tk.Ends, Count: tk.Count})
	}
	p := twin.RandomParams(rng, tokenizers...)
	p.Log, p.Clip, p.FirstCuts = stats.Log, clip, nil
	if rng.IntN(2) == 0 {
		twin.RandomAccess(rng, docs)
	}
	w, s := sweepOf(t, docs, questions, p, token.Names()[rng.IntN(4)], token.Names()[rng.IntN(4)])
	arm := w.arm
	arm.Retrieve = plan.Retrieve{By: "bm25"}
	return s, arm
}

// TestEveryEngineIsJudgedAlike: the same hits give the same answers, whether
// kerf found them, another engine over the same windows, kerf over the same
// chunks from a table, or a file of rankings.
func TestEveryEngineIsJudgedAlike(t *testing.T) {
	for seed := range uint64(250) {
		s, arm := randomStudy(t, seed, false)
		first := 1 + int(seed)%arm.Stride()
		want, w := ask(t, s, arm, first)

		var asks []string
		for _, q := range s.Questions {
			asks = append(asks, q.Text)
		}
		other := arm
		other.Name, other.Retrieve = "engine", plan.Retrieve{By: "command", Run: "x"}
		s.Bring(other, Foreign{Engine: &bag{asks: asks}})
		got, _ := ask(t, s, other, first)
		alike(t, seed, "engine", got, want)

		table := &chunks.Table{Digest: "t"}
		for slot, c := range w.cut.Chunks {
			if w.cut.Live[slot] {
				table.Chunks = append(table.Chunks, chunks.Chunk{ID: fmt.Sprint("c", slot), Doc: w.cut.Docs[slot], Span: c.Span})
			}
		}
		given := plan.Arm{Name: "table", Split: plan.Split{By: "table"}, Retrieve: plan.Retrieve{By: "bm25"}}
		s.Bring(given, Foreign{Table: table})
		got, _ = ask(t, s, given, 0)
		alike(t, seed, "table", got, want)

		file := &rankings.File{Digest: "r"}
		for _, q := range s.Questions {
			r := rankings.Ranking{QID: q.QID}
			for _, h := range want[q.QID].Hits {
				r.Hits = append(r.Hits, rankings.Hit{Doc: h.Doc, DocID: s.Documents[h.Doc].Doc, Span: h.Span})
			}
			if file.Add(r) != nil {
				t.Fatal("two rankings of one question")
			}
		}
		ranked := plan.Arm{Name: "ranked", Rankings: "r.jsonl"}
		for _, table := range []*chunks.Table{nil, table} {
			s.Bring(ranked, Foreign{Rankings: file, Table: table})
			got, w = ask(t, s, ranked, 0)
			if len(w.violation) > 0 || len(w.missing) > 0 {
				t.Fatalf("seed %d: %v %v", seed, w.violation, w.missing)
			}
			alike(t, seed, "rankings", got, want)
		}
	}
}

func alike(t *testing.T, seed uint64, what string, got, want map[string]answered) {
	t.Helper()
	for qid := range want {
		if !reflect.DeepEqual(got[qid], want[qid]) {
			t.Fatalf("seed %d, %s, question %s:\n %+v\nwant\n %+v", seed, what, qid, got[qid], want[qid])
		}
	}
}

// clipped chunks of a table are cut to their readable pieces like windows.
func TestTableIsClipped(t *testing.T) {
	for seed := range uint64(60) {
		s, arm := randomStudy(t, seed, true)
		want, w := ask(t, s, arm, arm.Stride())
		table := &chunks.Table{}
		for slot, c := range w.cut.Chunks {
			if w.cut.Live[slot] {
				table.Chunks = append(table.Chunks, chunks.Chunk{ID: fmt.Sprint(slot), Doc: w.cut.Docs[slot], Span: c.Span})
			}
		}
		given := plan.Arm{Name: "table", Split: plan.Split{By: "table"}, Retrieve: plan.Retrieve{By: "bm25"}}
		s.Bring(given, Foreign{Table: table})
		got, _ := ask(t, s, given, 0)
		alike(t, seed, "table", got, want)
	}
}

// three is a study of three documents, the last for staff alone.
func three(t *testing.T) *Study {
	t.Helper()
	docs := []twin.Document{{ID: "a", Text: "Refund within 14 days."}, {ID: "b", Text: "Refund within 30 days. "}, {ID: "c", Text: "Staff refund at once.", Read: []string{"staff"}}}
	questions := []twin.Question{
		{QID: "q1", Text: "refund days", Support: [][]twin.Evidence{{{Doc: "b", Start: 14, End: 21}}}, Within: []string{"b", "c"}, Reader: []string{"public"}},
		{QID: "q2", Text: "refund", Support: [][]twin.Evidence{{{Doc: "b", Start: 14, End: 21}}}, Reader: []string{"public"}},
	}
	p := twin.Params{Size: 10, FirstCut: 10, Budget: 100, Overflow: "stop", Format: "bare", K: 2, Depth: 5, Log: stats.Log}
	_, s := sweepOf(t, docs, questions, p, "codepoints", "codepoints")
	return s
}

// TestViolations: a hit that its question should not have been given keeps its
// rank, is no evidence and enters no context.
func TestViolations(t *testing.T) {
	s := three(t)
	hit := func(doc int32, start, end int) rankings.Hit {
		id := "gone"
		if doc >= 0 {
			id = s.Documents[doc].Doc
		}
		return rankings.Hit{Doc: doc, DocID: id, Version: "v", Span: span.Span{Start: start, End: end}}
	}
	file := &rankings.File{}
	file.Add(rankings.Ranking{QID: "q1", Hits: []rankings.Hit{hit(-1, 0, 9), hit(2, 0, 21), hit(0, 0, 22), hit(1, 0, 22), hit(1, 22, 23), hit(2, 0, 5)}})
	file.Add(rankings.Ranking{QID: "q2", Error: "timeout"})
	arm := plan.Arm{Name: "prod", Rankings: "r"}
	s.Bring(arm, Foreign{Rankings: file})
	got, w := ask(t, s, arm, 0)
	if _, ok := got["q2"]; ok || !slices.Equal(w.missing, []ledger.MissingRow{{QID: "q2", Reason: "timeout"}}) {
		t.Errorf("a failed search: %v, %v", got["q2"], w.missing)
	}
	want := []ledger.ViolationRow{
		{QID: "q1", Kind: "version", Rank: 1, Doc: "gone", Version: "v", End: 9}, {QID: "q1", Kind: "access", Rank: 2, Doc: "c", Version: "v", End: 21},
		{QID: "q1", Kind: "within", Rank: 3, Doc: "a", Version: "v", End: 22}, // rank 6 is below the depth
	}
	if !slices.Equal(w.violation, want) {
		t.Errorf("violations %v", w.violation)
	}
	a := got["q1"]
	if !slices.Equal(a.Places, []int{4, 5}) || a.Ranking != (verdict.Ranks{Single: 4, Union: 4, UnionWS: 4, Span: 4}) || a.Context != "Refund within 30 days. " || a.TopK != 0 {
		t.Errorf("answer %+v", a)
	}
}

// TestVersionViolations is ctx-03: hits of a document's older version.
func TestVersionViolations(t *testing.T) {
	for name, c := range map[string]struct {
		hits          []rankings.Hit
		single, union int
	}{
		"A": {[]rankings.Hit{{Doc: -1, DocID: "b", Version: "v1"}}, 0, 0},
		"B": {[]rankings.Hit{{Doc: -1, DocID: "b", Version: "v1"}, {Doc: 1, DocID: "b", Span: span.Span{End: 22}}}, 2, 2},
		"C": {[]rankings.Hit{{Doc: 1, DocID: "b", Span: span.Span{End: 10}}, {Doc: -1, DocID: "b", Version: "v1"}}, 0, 0},
	} {
		s := three(t)
		file := &rankings.File{}
		file.Add(rankings.Ranking{QID: "q1", Hits: c.hits})
		arm := plan.Arm{Name: "prod", Rankings: "r"}
		s.Bring(arm, Foreign{Rankings: file})
		got, w := ask(t, s, arm, 0)
		if r := got["q1"].Ranking; r.Single != c.single || r.Union != c.union || len(w.violation) != 1 || w.violation[0].Kind != "version" {
			t.Errorf("%s: %+v, %v", name, r, w.violation)
		}
	}
}

// TestPrefix: words before a chunk's text are indexed and cost tokens; they are no
// evidence.
func TestPrefix(t *testing.T) {
	s := three(t)
	table := &chunks.Table{Chunks: []chunks.Chunk{{ID: "x", Doc: 1, Span: span.Span{Start: 7, End: 14}, Prefix: "30 days: "}}}
	arm := plan.Arm{Name: "table", Split: plan.Split{By: "table"}, Retrieve: plan.Retrieve{By: "bm25"}}
	s.Bring(arm, Foreign{Table: table})
	got, _ := ask(t, s, arm, 0)
	if a := got["q1"]; a.Context != "30 days: within " || a.Tokens != 16 || a.Shown != (verdict.Ranks{}) || len(a.Hits) != 1 {
		t.Errorf("%+v", a)
	}
	if a := got["q2"]; len(a.Hits) != 0 {
		t.Errorf("no term of q2 is in the chunk: %+v", a)
	}
	other := plan.Arm{Name: "other", Split: plan.Split{By: "table"}, Retrieve: plan.Retrieve{By: "command", Run: "x"}}
	s.Bring(other, Foreign{Table: table, Engine: &bag{asks: []string{"refund days", "refund"}}})
	same, _ := ask(t, s, other, 0)
	alike(t, 0, "engine over a table", same, got)
}

// TestPrefixOfItsHit: chunks of one interval keep their own prefixes.
func TestPrefixOfItsHit(t *testing.T) {
	place := span.Span{Start: 7, End: 14}
	of := func(qid, id, prefix string) rankings.Ranking {
		return rankings.Ranking{QID: qid, Hits: []rankings.Hit{{Doc: 1, DocID: "b", Span: place, ID: id, Prefix: prefix}}}
	}
	file := &rankings.File{}
	file.Add(of("q1", "y", "long: "))
	file.Add(of("q2", "x", ""))
	for _, table := range []*chunks.Table{nil, {Chunks: []chunks.Chunk{{ID: "x", Doc: 1, Span: place}, {ID: "y", Doc: 1, Span: place, Prefix: "long: "}}}} {
		s := three(t)
		arm := plan.Arm{Name: "prod", Rankings: "r"}
		s.Bring(arm, Foreign{Rankings: file, Table: table})
		got, _ := ask(t, s, arm, 0)
		if got["q1"].Context != "long: within " || got["q2"].Context != "within " {
			t.Errorf("table %v: %q, %q", table != nil, got["q1"].Context, got["q2"].Context)
		}
	}
}

// TestReaderKeys: no two readers are one to an engine.
func TestReaderKeys(t *testing.T) {
	seen := map[string][]string{}
	for _, names := range [][]string{{"a", "b"}, {"a+b"}, {"a%2Bb"}, {"a"}, {"a+", "b"}, {"a", "+b"}, {"a%2B", "b"}} {
		key := (&reader{names: names}).key()
		if seen[key] != nil {
			t.Errorf("%q and %q are %q", seen[key], names, key)
		}
		seen[key] = names
	}
	if key := (&reader{names: []string{"legal", "staff"}}).key(); key != "legal+staff" {
		t.Error(key)
	}
}

// TestLabelledScope: documents without evidence keep the ordinary cuts.
func TestLabelledScope(t *testing.T) {
	s := three(t)
	arm := plan.Arm{Name: "arm", Split: plan.Split{By: "tokens", Tokenizer: "codepoints", Size: 10}, Retrieve: plan.Retrieve{By: "bm25"}, Moving: plan.Moving{Scope: plan.Labelled}}
	_, w := ask(t, s, arm, 3)
	var cuts []int
	for d := range s.Documents {
		cuts = append(cuts, w.cut.Chunks[w.cut.First[d]+1].Start)
	}
	if !slices.Equal(cuts, []int{10, 3, 10}) {
		t.Errorf("first cuts %v", cuts)
	}
}

// TestEngineFails: an engine's error is the cell's, never a miss, and the index is
// forgotten.
func TestEngineFails(t *testing.T) {
	s := three(t)
	arm := plan.Arm{Name: "mine", Split: plan.Split{By: "tokens", Tokenizer: "codepoints", Size: 10}, Retrieve: plan.Retrieve{By: "command", Run: "x"}}
	b := &bag{asks: []string{"refund days", "refund"}}
	s.Bring(arm, Foreign{Engine: b})
	for _, op := range []string{"index", "search"} {
		b.fault = func(at, qid string) error {
			if at == op && qid != "q1" {
				return errors.New(op + " is down")
			}
			return nil
		}
		w, err := s.NewWorker()
		if err != nil {
			t.Fatal(err)
		}
		_, err = w.record(t.Context(), Cell{Name: "mine.1of1", Arm: arm, Label: plan.Label{J: 1, P: 1, FirstCut: 10}})
		if err == nil || !strings.Contains(err.Error(), op+" is down") || len(b.indexes) > 0 {
			t.Errorf("%s: %v; %d indexes are left", op, err, len(b.indexes))
		}
	}
}

// TestEngineIsTold: an engine hears the cell, the arm and the placement.
func TestEngineIsTold(t *testing.T) {
	s := three(t)
	arm := plan.Arm{Name: "mine", Split: plan.Split{By: "tokens", Tokenizer: "codepoints", Size: 10}, Retrieve: plan.Retrieve{By: "command", Run: "x"}}
	b := &bag{asks: []string{"refund days", "refund"}}
	s.Bring(arm, Foreign{Engine: b})
	w, err := s.NewWorker()
	if err == nil {
		_, err = w.record(t.Context(), Cell{Name: "mine.3of8", Arm: arm, Label: plan.Label{J: 3, P: 8, FirstCut: 4}})
	}
	if err != nil || !slices.Equal(b.told, []string{"mine.3of8 mine 3/8"}) {
		t.Errorf("%v %q", err, b.told)
	}
}

// TestForeignKeys: a cell's key follows what its arm brings, and nobody else's.
func TestForeignKeys(t *testing.T) {
	s := three(t)
	own := plan.Arm{Name: "own", Split: plan.Split{By: "tokens", Tokenizer: "codepoints", Size: 10}, Retrieve: plan.Retrieve{By: "bm25"}}
	prod := plan.Arm{Name: "prod", Rankings: "r"}
	cell := func(a plan.Arm) Cell { return Cell{Arm: a} }
	before := s.Key(cell(own))
	s.Bring(prod, Foreign{Rankings: &rankings.File{Digest: "1"}})
	one := s.Key(cell(prod))
	s.Bring(prod, Foreign{Rankings: &rankings.File{Digest: "2"}})
	two := s.Key(cell(prod))
	s.Bring(prod, Foreign{Rankings: &rankings.File{Digest: "2"}, Table: &chunks.Table{Digest: "3"}})
	three := s.Key(cell(prod))
	again := cell(prod)
	again.Again = true
	if one == two || two == three || three == s.Key(again) || s.Key(cell(own)) != before {
		t.Error("keys do not follow what arms bring")
	}
}
