package ledger

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"kerf/internal/stats"
)

const version = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"

// hits is one cell of a real run's size: 472 questions, 23 hits each.
func hits() []RetrievalRow {
	var rows []RetrievalRow
	for q := range 472 {
		qid := fmt.Sprintf("question-%d", q)
		for k := range 23 {
			doc := fmt.Sprintf("doc-%d.md", (q*7+k)%5)
			start := (q*7919 + k*104729) % 1400000
			rows = append(rows, RetrievalRow{qid, k + 1, 20.3 / float64(k+1+q), doc, version[:70] + doc[4:5], start, start + 1000,
				"bm25", "", []string{"packed", "unread"}[k/12]})
		}
	}
	return rows
}

func contexts() ([]ContextRow, []UnitRow) {
	var rows []ContextRow
	var units []UnitRow
	text := strings.Repeat("The quick brown fox jumps over it. ", 30)
	for u := range 900 {
		bytes := fmt.Sprint(u, text)
		units = append(units, UnitRow{Object([]byte(bytes)), bytes})
	}
	for q := range 472 {
		qid := fmt.Sprintf("question-%d", q)
		for k := range 20 {
			u := (q*131 + k*17) % 900
			doc := fmt.Sprintf("doc-%d.md", u%5)
			rows = append(rows, ContextRow{qid, k + 1, units[u].Digest, doc, version[:70] + doc[4:5], u * 1100, u*1100 + 1050, "source",
				fmt.Sprintf("[%d] %s\n", k+1, doc), "\n\n"})
		}
	}
	return rows, units
}

// sample has odd values in every table.
func sample() map[string]func(t *testing.T) {
	odd := "öä\x00\n\"\u2028"
	return map[string]func(t *testing.T){
		"query": func(t *testing.T) {
			check(t, Query, []QueryRow{{QID: "q", Question: odd, Dependency: []string{"exception", "a,b"}, Answerable: true, Within: []string{odd}}, {}})
		},
		"source":  func(t *testing.T) { check(t, Source, []SourceRow{{"a", version, "p", math.MaxInt32, ""}}) },
		"support": func(t *testing.T) { check(t, Support, []SupportRow{{"q", 1, "rule", "a", version, 0, 9, "rule", "x"}}) },
		"boundary": func(t *testing.T) {
			var rows []BoundaryRow
			for i := range 3000 {
				rows = append(rows, BoundaryRow{"a", i, i * 256, i * 1000, i * 1000, i*1000 + 1200, i * 256, i*256 + 300, "indexed"})
			}
			check(t, Boundary, rows)
		},
		"retrieval": func(t *testing.T) { check(t, Retrieval, hits()) },
		"unit": func(t *testing.T) {
			check(t, Unit, []UnitRow{{"sha256:1", odd}, {"sha256:2", ""}, {"sha256:3", strings.Repeat("x", 3<<20)}, {"sha256:4", "\xff"}})
		},
		"context": func(t *testing.T) { rows, _ := contexts(); check(t, Context, rows) },
		"budget": func(t *testing.T) {
			var rows []BudgetRow
			for i := range 100 {
				r := BudgetRow{QID: fmt.Sprint(i), Ceiling: 3000, EvidenceTokens: i * i, Units: -i, Feasible: i%3 == 0, Stop: "end"}
				if i%7 == 2 {
					r.FullPrompt = stats.Measured(i - 50)
				}
				rows = append(rows, r)
			}
			check(t, Budget, rows)
		},
		"verdict": func(t *testing.T) {
			var rows []VerdictRow
			for i := range 1001 {
				rows = append(rows, VerdictRow{QID: fmt.Sprint(i), FirstCut: 32, Support: i%2 == 0, TopK: i%5 == 0, SpanRank: i % 101})
			}
			check(t, Verdict, rows)
		},
		"phase_bits": func(t *testing.T) { check(t, PhaseBits, []PhaseBitsRow{{"q", "support", 1, 9, "\xff\x01"}}) },
		"measure":    func(t *testing.T) { check(t, Measure, []MeasureRow{{32, "1/8", "mrr", 0, 472, "7/3"}}) },
		"failure": func(t *testing.T) {
			check(t, Failure, []FailureRow{{"a", "1/8", 32, "deadline", ""}})
			check(t, Failure, nil)
		},
	}
}

// check writes rows, reads them back, and reads them with parquet-go.
func check[R any](t *testing.T, table *Table[R], rows []R) {
	t.Helper()
	b := table.Encode(nil, "sha256:feed", rows)
	got, index, err := table.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) > 0 && index != "sha256:feed" {
		t.Errorf("index %q", index)
	}
	if !reflect.DeepEqual(got, append([]R{}, rows...)) {
		t.Errorf("%s: rows differ", table.name)
	}
	foreign(t, table, b, rows)
}

// foreign reads a file with the library that everybody uses, and compares each
// value with what kerf prints for it.
func foreign[R any](t *testing.T, table *Table[R], b []byte, rows []R) {
	t.Helper()
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)))
	if err != nil {
		t.Fatal(err)
	}
	if f.NumRows() != int64(len(rows)) || f.Metadata().CreatedBy != "kerf" {
		t.Fatalf("%d rows by %q", f.NumRows(), f.Metadata().CreatedBy)
	}
	var names []string
	for _, c := range f.Schema().Columns() {
		names = append(names, c[0])
	}
	if !slices.Equal(names, table.Columns()) {
		t.Fatalf("columns %v", names)
	}
	r := parquet.NewReader(f)
	buffer := make([]parquet.Row, 1)
	for i := range rows {
		if n, err := r.ReadRows(buffer); n != 1 {
			t.Fatal(err)
		}
		for j, v := range buffer[0][1:] {
			want := string(table.columns[j].json(nil, &rows[i]))
			var got []byte
			switch table.columns[j].kind {
			case kindText:
				got = appendText(nil, string(v.ByteArray()))
				if strings.HasPrefix(want, "[") {
					got = v.ByteArray()
				}
			case kindLiteral:
				got = appendLiteral(nil, string(v.ByteArray()))
				if table.name == "phase_bits" {
					got = appendBase64(nil, string(v.ByteArray()))
				}
			case kindDouble:
				got = appendFloat(nil, v.Double())
			default:
				got = []byte(v.String())
				if v.IsNull() {
					got = []byte(`"not measured"`)
				}
			}
			if string(got) != want {
				t.Fatalf("row %d, %s: parquet-go reads %.80q, kerf has %.80q", i, table.columns[j].name, got, want)
			}
		}
	}
}

func TestEveryTable(t *testing.T) {
	tests := sample()
	for _, table := range Tables() {
		if tests[table.Name()] == nil {
			t.Fatalf("no sample of table %s", table.Name())
		}
		t.Run(table.Name(), tests[table.Name()])
	}
}

func TestSeveralPages(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	rows := make([]RetrievalRow, 2*pageRows+17)
	for i := range rows {
		rows[i] = RetrievalRow{QID: fmt.Sprint(rng.IntN(5000)), Start: int(rng.Uint64() >> 1), Score: rng.Float64()}
	}
	b := Retrieval.Encode(nil, "", rows)
	got, _, err := Retrieval.Decode(b)
	if err != nil || !slices.Equal(got, rows) {
		t.Fatal(err, "rows differ")
	}
	foreign(t, Retrieval, b, rows)
}

// The bytes are pinned: another digest here is another format, and makes every
// stored ledger differ from a new one.
func TestBytesArePinned(t *testing.T) {
	rows := hits()
	ctx, units := contexts()
	for _, cores := range []int{1, 2} {
		old := runtime.GOMAXPROCS(cores)
		for table, got := range map[string]string{
			"retrieval": Object(Retrieval.Encode(nil, "sha256:feed", rows)),
			"context":   Object(Context.Encode(nil, "sha256:feed", ctx)),
			"unit":      Object(Unit.Encode(nil, "sha256:feed", units)),
		} {
			if want := pinned[table]; got != want {
				t.Errorf("%s with %d cores: %s, want %s", table, cores, got, want)
			}
		}
		runtime.GOMAXPROCS(old)
	}
}

var pinned = map[string]string{
	"retrieval": "sha256:94f33520a751d1df518a5d74fa0700933334158d9b4d89826efa74be4126c167",
	"context":   "sha256:daaecba132a81b086653311d730e6006ef84100ad1c7c1a6b8826876fe7db490",
	"unit":      "sha256:f6bc26cb8cc6160914ca96226668fbf11d5362c552ba928342190677d9f5ce06",
}

func BenchmarkEncode(b *testing.B) {
	rows := hits()
	ctx, units := contexts()
	run := func(name string, n int, encode func() []byte) {
		b.Run(name, func(b *testing.B) {
			size := 0
			for b.Loop() {
				size = len(encode())
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/row")
			b.ReportMetric(float64(size)/float64(n), "B/row")
		})
	}
	var s Scratch
	run("retrieval", len(rows), func() []byte { return Retrieval.Encode(&s, "sha256:feed", rows) })
	run("context", len(ctx), func() []byte { return Context.Encode(&s, "sha256:feed", ctx) })
	run("unit", len(units), func() []byte { return Unit.Encode(&s, "sha256:feed", units) })
	twin := plain(rows)
	run("retrieval-parquet-go", len(rows), func() []byte { return general(twin) })
}

// plainHit is a retrieval row for parquet-go's general writer: the plain twin.
type plainHit struct {
	QID     string  `parquet:"qid,dict"`
	Rank    int64   `parquet:"rank,delta"`
	Score   float64 `parquet:"score"`
	Doc     string  `parquet:"doc,dict"`
	Version string  `parquet:"version,dict"`
	Start   int64   `parquet:"start,delta"`
	End     int64   `parquet:"end,delta"`
	Stage   string  `parquet:"stage,dict"`
	Lineage string  `parquet:"lineage,dict"`
	Outcome string  `parquet:"outcome,dict"`
}

func plain(rows []RetrievalRow) []plainHit {
	out := make([]plainHit, len(rows))
	for i, r := range rows {
		out[i] = plainHit{r.QID, int64(r.Rank), r.Score, r.Doc, r.Version, int64(r.Start), int64(r.End), r.Stage, r.Lineage, r.Outcome}
	}
	return out
}

func general(rows []plainHit) []byte {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[plainHit](&b)
	if _, err := w.Write(rows); err != nil {
		panic(err)
	}
	if err := w.Close(); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// The page of the format has every table with every column, in order.
func TestDocumentation(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "..", "docs", "format", "ledger.md"))
	if err != nil {
		t.Fatal(err)
	}
	name := regexp.MustCompile("`([a-z_0-9]+)`")
	begin := regexp.MustCompile("^`([a-z_]+)`(:| \\()")
	described := map[string][]string{}
	table := ""
	for line := range strings.Lines(string(page)) {
		switch {
		case strings.HasPrefix(line, "#"):
			table = ""
		case begin.MatchString(line):
			table = begin.FindStringSubmatch(line)[1]
			described[table] = []string{"index"}
		case table != "" && strings.HasPrefix(line, "| `"):
			for _, m := range name.FindAllStringSubmatch(strings.Split(line, "|")[1], -1) {
				described[table] = append(described[table], m[1])
			}
		}
	}
	for _, table := range Tables() {
		if !slices.Equal(described[table.Name()], table.Columns()) {
			t.Errorf("%s: the page has %v, the table %v", table.Name(), described[table.Name()], table.Columns())
		}
	}
}
