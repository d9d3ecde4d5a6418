package ledger

import (
	"bytes"
	"fmt"
	"io"
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
			rows = append(rows, RetrievalRow{"", qid, k + 1, 20.3 / float64(k+1+q), doc, version[:70] + doc[4:5], start, start + 1000,
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
		units = append(units, UnitRow{"", Object([]byte(bytes)), bytes})
	}
	for q := range 472 {
		qid := fmt.Sprintf("question-%d", q)
		for k := range 20 {
			u := (q*131 + k*17) % 900
			doc := fmt.Sprintf("doc-%d.md", u%5)
			rows = append(rows, ContextRow{"", qid, k + 1, units[u].Digest, doc, version[:70] + doc[4:5], u * 1100, u*1100 + 1050, "source",
				fmt.Sprintf("[%d] %s\n", k+1, doc), "\n\n"})
		}
	}
	return rows, units
}

// random is numbers and texts of every width, in runs and apart.
func random() []RetrievalRow {
	rng := rand.New(rand.NewPCG(1, 2))
	letters := strings.Repeat(version, 4)
	rows := make([]RetrievalRow, 50000)
	for i := range rows {
		width, far := i/600, rng.IntN(1+i/2000%9) > 0
		rows[i] = RetrievalRow{QID: fmt.Sprint(rng.IntN(5000)), Rank: int(int32(rng.Uint32() >> (width % 32))), Start: int(int32(rng.Uint32()>>7) - 1<<24),
			Score: math.Float64frombits(rng.Uint64() >> 2), Doc: letters[:rng.IntN(1+width*3)], Version: version[rng.IntN(3):], Outcome: fmt.Sprint(far)}
		if i > 0 && !far {
			rows[i].Rank, rows[i].Doc, rows[i].Version = rows[i-1].Rank+3, rows[i-1].Doc, rows[i-1].Version
		}
	}
	return rows
}

// check encodes rows twice, with one core and with two, and reads them back.
func check[R any](t *testing.T, table *Table[R], rows []R) []byte {
	t.Helper()
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	b := table.Encode("sha256:feed", rows)
	runtime.GOMAXPROCS(2)
	if !bytes.Equal(b, table.Encode("sha256:feed", rows)) {
		t.Errorf("%s: other bytes the second time", table.name)
	}
	got, index, err := table.Decode(b)
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) > 0 && index != "sha256:feed" {
		t.Errorf("%s: index %q", table.name, index)
	}
	if !reflect.DeepEqual(got, append([]R{}, rows...)) {
		t.Errorf("%s: rows differ", table.name)
	}
	return b
}

// samples is a file of every table, with odd values.
func samples(t *testing.T) map[string][]byte {
	odd := "öä\x00\n\"\u2028<"
	var boundaries []BoundaryRow
	for i := range 3000 {
		boundaries = append(boundaries, BoundaryRow{"", "a", i, i * 256, i * 1000, i * 1000, i*1000 + 1200, i * 256, i*256 + 300, "indexed"})
	}
	var budgets []BudgetRow
	for i := range 100 {
		r := BudgetRow{QID: fmt.Sprint(i), Ceiling: 3000, EvidenceTokens: i * i, TopKTokens: 7 * i, Units: -i, Feasible: i%3 == 0, Stop: "end"}
		if i%7 == 2 {
			n := i - 50
			r.FullPrompt = &n
		}
		budgets = append(budgets, r)
	}
	var verdicts []VerdictRow
	for i := range 1001 {
		verdicts = append(verdicts, VerdictRow{QID: fmt.Sprint(i), FirstCut: 32, Support: i%2 == 0, TopK: i%5 == 0, SpanRank: i % 101})
	}
	ctx, _ := contexts()
	three := 3
	return map[string][]byte{
		"query": check(t, Query, []QueryRow{
			{QID: "q", Question: odd, Dependency: List{"exception", "a,b"}, Answerable: true, Within: List{odd}, Reader: List{}},
			{Dependency: List{}, Within: List{}, Reader: List{}}}),
		"source":     check(t, Source, []SourceRow{{"", "a", version, "p", math.MaxInt32, "", List{"0 iv", "7 a b"}}, {Doc: "b", Pages: List{}}}),
		"support":    check(t, Support, []SupportRow{{"", "q", 1, "rule", "a", version, 0, 9, "rule", "x"}}),
		"boundary":   check(t, Boundary, boundaries),
		"retrieval":  check(t, Retrieval, hits()),
		"unit":       check(t, Unit, []UnitRow{{"", "sha256:1", odd}, {"", "sha256:2", ""}, {"", "sha256:3", strings.Repeat("x", 3<<20)}, {"", "sha256:4", "\xff"}}),
		"context":    check(t, Context, ctx),
		"budget":     check(t, Budget, budgets),
		"verdict":    check(t, Verdict, verdicts),
		"phase_bits": check(t, PhaseBits, []PhaseBitsRow{{"", "q", "support", 1, 9, []byte("\xff\x01")}}),
		"measure":    check(t, Measure, []MeasureRow{{"", 32, "1/8", "mrr", 0, 472, "7/3"}}),
		"target":     check(t, Aimed, []TargetRow{{Label: "target:q:1:before", QID: "q", Doc: "a", Token: 7, FirstCut: 7, Support: true, Supported: &three, Asked: &three}, {Label: odd}}),
		"missing":    check(t, Missing, []MissingRow{{QID: "q", Reason: odd}}),
		"violation":  check(t, Violation, []ViolationRow{{QID: "q", Kind: "access", Rank: 3, Doc: odd, Version: version, Start: 5, End: 1 << 30}}),
		"failure":    check(t, Failure, nil),
	}
}

// Every table is read back as it was written, and the bytes are pinned, on every
// platform: another digest here is another format, and makes every stored ledger
// differ from a new one.
func TestEveryTable(t *testing.T) {
	files := samples(t)
	var got strings.Builder
	for _, table := range Tables() {
		fmt.Fprintf(&got, "%s %s\n", Object(files[table.Name()]), table.Name())
	}
	fmt.Fprintf(&got, "%s random\n", Object(check(t, Retrieval, random())))
	want, err := os.ReadFile(filepath.Join("testdata", "digests"))
	if err != nil || got.String() != string(want) {
		t.Errorf("%v; testdata/digests should be\n%s", err, &got)
	}
}

func TestJSONL(t *testing.T) {
	for want, print := range map[string]func(w io.Writer) error{
		`{"table":"query","cell":"run","index":"i","qid":"q","question":"<ö\"\n\u0001\u007f>","answer":"","condition":"","dependency":["a,b"],"segment":"","sample":"","split":"","answerable":true,"cluster":"","origin":"","within":[],"reader":[]}`: func(w io.Writer) error {
			return Query.WriteJSONL(w, "run", Query.Encode("i", []QueryRow{{QID: "q", Question: "<ö\"\n\x01\x7f>", Dependency: List{"a,b"}, Answerable: true}}))
		},
		`{"table":"retrieval","cell":"c","index":"i","qid":"","rank":1,"score":1e-7,"doc":"","version":"","start":-5,"end":0,"stage":"","lineage":"","outcome":""}`: func(w io.Writer) error {
			return Retrieval.WriteJSONL(w, "c", Retrieval.Encode("i", []RetrievalRow{{Rank: 1, Score: 1e-7, Start: -5}}))
		},
		`{"table":"unit","cell":"c","index":"i","digest":"","bytes":{"base64":"/w=="}}`: func(w io.Writer) error {
			return Unit.WriteJSONL(w, "c", Unit.Encode("i", []UnitRow{{Bytes: "\xff"}}))
		},
		`{"table":"phase_bits","cell":"c","index":"i","qid":"","measure":"","first_cut":0,"phases":0,"bits":"AQ=="}`: func(w io.Writer) error {
			return PhaseBits.WriteJSONL(w, "c", PhaseBits.Encode("i", []PhaseBitsRow{{Bits: []byte{1}}}))
		},
		`{"table":"budget","cell":"c","index":"i","qid":"","ceiling":0,"allowance":0,"output":0,"evidence_tokens":0,"full_prompt":"not measured","repeated_tokens":0,"top_k_tokens":0,"units":0,"stop":"","context_sha256":"","context_bytes":0,"feasible":false}`: func(w io.Writer) error {
			return Budget.WriteJSONL(w, "c", Budget.Encode("i", make([]BudgetRow, 1)))
		},
	} {
		var b strings.Builder
		if err := print(&b); err != nil || b.String() != strings.ReplaceAll(want, `\u007f`, "\x7f")+"\n" {
			t.Errorf("%v\n%s want\n%s", err, &b, want)
		}
	}
}

func BenchmarkEncode(b *testing.B) {
	ctx, units := contexts()
	benchmark(b, Retrieval, hits())
	benchmark(b, Context, ctx)
	benchmark(b, Unit, units)
}

func benchmark[R any](b *testing.B, table *Table[R], rows []R) {
	b.Run(table.name, func(b *testing.B) {
		size := 0
		for b.Loop() {
			size = len(table.Encode("sha256:feed", rows))
		}
		b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(rows)), "ns/row")
		b.ReportMetric(float64(size)/float64(len(rows)), "B/row")
	})
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
