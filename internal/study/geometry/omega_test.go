package geometry

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/pipeline/split"
	"kerf/internal/stats"
	"kerf/internal/text/span"
	"kerf/internal/text/token"
	"kerf/internal/verdict"
)

// chroma is Chroma's general set, beside the repository.
type chroma struct {
	dir       string
	texts     []string
	ids       []string
	questions []verdict.Evidence
}

func readChroma(t *testing.T) (c chroma) {
	c.dir = filepath.Join("..", "..", "..", "..", "shared", "data", "chroma-general")
	if _, err := os.Stat(c.dir); err != nil {
		t.Skip("shared sets not present: " + c.dir)
	}
	docs, found := corpus.Read(os.DirFS(c.dir), "corpus.jsonl")
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	lines, err := os.ReadFile(filepath.Join(c.dir, "golden.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	set, found := golden.Read("golden.jsonl", lines, docs)
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	ordinal := map[string]int32{}
	for i, d := range docs.Documents {
		ordinal[d.Doc] = int32(i)
		c.texts, c.ids = append(c.texts, d.Text), append(c.ids, d.Doc)
	}
	for _, q := range set.Questions {
		var e verdict.Evidence
		for _, set := range q.Support {
			var refs []verdict.Ref
			for _, s := range set {
				refs = append(refs, verdict.Ref{Doc: ordinal[s.Doc], Span: s.Bytes})
			}
			e = append(e, refs)
		}
		c.questions = append(c.questions, e)
	}
	return c
}

// windows are the chunks of the ordinary cuts, and how many of them a token
// cuts inside a code point.
func (c chroma) windows(t *testing.T, tokenizer string, w split.Windows) (chunks []verdict.Ref, inside int) {
	tk, err := token.Named(tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	var tables []*token.Table
	for _, text := range c.texts {
		table := token.NewTable(tk, text)
		for _, p := range w.Place(table, w.Stride(), nil) {
			if p.State == split.Emitted && (table.Cut(p.First) != table.Start(p.First) || table.Cut(p.Last) != table.Start(p.Last)) {
				inside++
			}
		}
		tables = append(tables, table)
	}
	return Ordinary(w, tables), inside
}

// percent is the mean and the standard deviation of some questions' IoU.
func percent(areas []verdict.Areas, of func(question int) bool) (mean, sd float64) {
	var values []float64
	for i, a := range areas {
		if of(i) {
			values = append(values, 100*float64(a.Found)/float64(a.Shown+a.Lost))
		}
	}
	return stats.MeanSD(values)
}

func (c chroma) in(id string) func(int) bool {
	return func(i int) bool { return c.ids[c.questions[i][0][0].Doc] == id }
}

func all(int) bool { return true }

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if !(math.Abs(got-want) < 1e-9) {
		t.Errorf("%s: %v, want %v", what, got, want)
	}
}

func expected(t *testing.T, c chroma, name string, into any) {
	b, err := os.ReadFile(filepath.Join(c.dir, "expected", name))
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestOmegaOfCodePoints: windows of code points against numbers that another
// program computed from exact offsets.
func TestOmegaOfCodePoints(t *testing.T) {
	c := readChroma(t)
	var want struct {
		Windows []struct {
			Size    int                `json:"size_code_points"`
			Overlap int                `json:"overlap"`
			Chunks  int                `json:"chunks"`
			Mean    float64            `json:"omega_mean"`
			SD      float64            `json:"omega_std"`
			Corpora map[string]float64 `json:"per_corpus"`
		} `json:"windows"`
	}
	expected(t, c, "code_point_windows.json", &want)
	if len(want.Windows) != 15 {
		t.Fatalf("%d windows", len(want.Windows))
	}
	for i, w := range want.Windows {
		if testing.Short() && i%5 != 0 {
			continue
		}
		name := fmt.Sprintf("%d/%d", w.Size, w.Overlap)
		chunks, _ := c.windows(t, "codepoints", split.Windows{Size: w.Size, Overlap: w.Overlap, Edge: split.DropContained})
		o := TakeOmega(c.texts, chunks, c.questions)
		if o.Chunks != w.Chunks {
			t.Errorf("%s: %d chunks, want %d", name, o.Chunks, w.Chunks)
		}
		mean, sd := percent(o.Exact, all)
		near(t, name, mean, w.Mean)
		near(t, name+" sd", sd, w.SD)
		for id, corpus := range w.Corpora {
			mean, _ := percent(o.Exact, c.in(id))
			near(t, name+" "+id, mean, corpus)
		}
	}
}

// TestOmegaOfTheReport: the eight rows of the report's table that cut by tokens,
// as published, as the published code computes them and by exact offsets. With -v
// the table is printed.
func TestOmegaOfTheReport(t *testing.T) {
	c := readChroma(t)
	var want struct {
		Rows []struct {
			Key       string `json:"key"`
			Splitter  string `json:"splitter"`
			Size      int    `json:"size_tokens"`
			Overlap   int    `json:"overlap_tokens"`
			Chunks    int    `json:"chunks"`
			Elsewhere int    `json:"chunks_placed_wrong_by_find_first"`
			Published struct {
				Mean float64 `json:"omega_mean"`
				SD   float64 `json:"omega_std"`
			} `json:"published"`
			Theirs struct {
				Mean    float64               `json:"omega_mean"`
				SD      float64               `json:"omega_std"`
				Corpora map[string][2]float64 `json:"per_corpus"`
			} `json:"reproduced_with_their_code"`
			Exact struct {
				Mean    float64            `json:"omega_mean"`
				SD      float64            `json:"omega_std"`
				Corpora map[string]float64 `json:"per_corpus"`
			} `json:"exact_offsets"`
		} `json:"rows"`
	}
	expected(t, c, "omega_tokens.json", &want)
	if len(want.Rows) != 8 {
		t.Fatalf("%d rows", len(want.Rows))
	}
	t.Log("precision_omega, percent, mean ± sd     chunks  elsewhere  published    imitated           exact")
	for _, r := range want.Rows {
		var chunks []verdict.Ref
		inside := 0
		switch r.Splitter {
		case "FixedTokenChunker":
			chunks, inside = c.windows(t, "cl100k_base", split.Windows{Size: r.Size, Overlap: r.Overlap, Edge: split.DropContained})
		case "RecursiveTokenChunker":
			chunks = c.recursive(t, r.Size, r.Overlap)
		default:
			t.Fatal(r.Splitter)
		}
		o := TakeOmega(c.texts, chunks, c.questions)
		if o.Chunks != r.Chunks || o.Elsewhere != r.Elsewhere || inside != 0 {
			t.Errorf("%s: %d chunks, %d placed elsewhere, %d cut inside code points; want %d, %d, 0", r.Key, o.Chunks, o.Elsewhere, inside, r.Chunks, r.Elsewhere)
		}
		theirs, theirSD := percent(o.Imitated, all)
		near(t, r.Key+" imitated", theirs, r.Theirs.Mean)
		near(t, r.Key+" imitated sd", theirSD, r.Theirs.SD)
		if math.Round(theirs*10)/10 != r.Published.Mean || math.Round(theirSD*10)/10 != r.Published.SD {
			t.Errorf("%s: %.3f ± %.3f is not what was published, %.1f ± %.1f", r.Key, theirs, theirSD, r.Published.Mean, r.Published.SD)
		}
		exact, exactSD := percent(o.Exact, all)
		near(t, r.Key+" exact", exact, r.Exact.Mean)
		near(t, r.Key+" exact sd", exactSD, r.Exact.SD)
		for id, corpus := range r.Exact.Corpora {
			mean, _ := percent(o.Exact, c.in(id))
			near(t, r.Key+" exact "+id, mean, corpus)
			mean, sd := percent(o.Imitated, c.in(id))
			near(t, r.Key+" imitated "+id, math.Round(mean*1000)/1000, r.Theirs.Corpora[id][0])
			near(t, r.Key+" imitated sd "+id, math.Round(sd*1000)/1000, r.Theirs.Corpora[id][1])
		}
		t.Logf("%-24s %3d/%-3d      %6d  %9d  %4.1f ± %4.1f  %6.3f ± %6.3f  %6.3f ± %6.3f", r.Splitter, r.Size, r.Overlap,
			o.Chunks, o.Elsewhere, r.Published.Mean, r.Published.SD, theirs, theirSD, exact, exactSD)
	}
}

// recursive is the chunks of the report's RecursiveTokenChunker, which cuts by
// paragraphs, then lines, sentences, words and letters, and merges what is small.
func (c chroma) recursive(t *testing.T, size, overlap int) (chunks []verdict.Ref) {
	tk, err := token.Named("cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	for d, text := range c.texts {
		r := recursion{text, tk.Count, size, overlap, nil}
		r.cut(0, len(text), []string{"\n\n", "\n", ".", "?", "!", " ", ""})
		for _, s := range r.chunks {
			chunks = append(chunks, verdict.Ref{Doc: int32(d), Span: s})
		}
	}
	return chunks
}

type recursion struct {
	text          string
	count         func(string) int
	size, overlap int
	chunks        []span.Span
}

// cut cuts at the first separator that occurs. A piece begins with its
// separator; the empty separator cuts between all letters.
func (r *recursion) cut(start, end int, separators []string) {
	for len(separators) > 1 && !strings.Contains(r.text[start:end], separators[0]) {
		separators = separators[1:]
	}
	cuts := []int{start}
	for i := range r.text[start:end] {
		if s := separators[0]; i > 0 && start+i >= cuts[len(cuts)-1]+len(s) && strings.HasPrefix(r.text[start+i:end], s) {
			cuts = append(cuts, start+i)
		}
	}
	cuts = append(cuts, end)
	var small []span.Span
	for i, a := range cuts[:len(cuts)-1] {
		piece := span.Span{Start: a, End: cuts[i+1]}
		if r.count(r.text[piece.Start:piece.End]) < r.size {
			small = append(small, piece)
			continue
		}
		r.merge(small)
		small = nil
		if len(separators) == 1 {
			r.chunks = append(r.chunks, piece)
		} else {
			r.cut(piece.Start, piece.End, separators[1:])
		}
	}
	r.merge(small)
}

// merge joins neighbouring pieces while they fit; at most the overlap of the
// last pieces begins the next chunk. White space at the edges is left out.
func (r *recursion) merge(pieces []span.Span) {
	first, total := 0, 0
	emit := func(past int) {
		if first == past {
			return
		}
		s := span.Span{Start: pieces[first].Start, End: pieces[past-1].End}
		s.End = s.Start + len(strings.TrimRightFunc(r.text[s.Start:s.End], unicode.IsSpace))
		s.Start = s.End - len(strings.TrimLeftFunc(r.text[s.Start:s.End], unicode.IsSpace))
		if !s.Empty() {
			r.chunks = append(r.chunks, s)
		}
	}
	count := func(p span.Span) int { return r.count(r.text[p.Start:p.End]) }
	for i, p := range pieces {
		n := count(p)
		if total+n > r.size {
			emit(i)
			for total > r.overlap || total+n > r.size && total > 0 {
				total -= count(pieces[first])
				first++
			}
		}
		total += n
	}
	emit(len(pieces))
}
