package trec

import (
	"fmt"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// plainFile is what a reader that knows nothing but strings.Fields makes of a
// file: "qid: docid=value …" a query, the groups of equal scores, and "line code"
// a finding.
type plainFile struct {
	queries  []string
	tied     int
	findings []string
}

var plainNumber = regexp.MustCompile(`^[-+.0-9eE]+$`)

func readPlain(text string, run bool, order Order) plainFile {
	type row struct {
		doc   string
		value float64
		line  int
	}
	var out plainFile
	var ids []string
	rows := map[string][]row{}
	last, disordered := map[string]int64{}, map[string]bool{}
	count := map[string]int{}
	find := func(line int, code string) {
		if count[code]++; count[code] <= mostOfACode {
			out.findings = append(out.findings, fmt.Sprintf("%d %s", line, code))
		}
	}
	if rest, ok := strings.CutPrefix(text, bom); ok {
		text = rest
		find(1, CodeBOM)
	}
	crlf := false
	lines := strings.SplitAfter(text, "\n")
	for i, line := range lines {
		if rest, ok := strings.CutSuffix(line, "\r\n"); ok {
			crlf, line = true, rest
		}
		line = strings.TrimSuffix(line, "\n")
		if !utf8.ValidString(line) || strings.Contains(line, "\x00") {
			find(i+1, CodeText)
			continue
		}
		f := strings.FieldsFunc(line, func(c rune) bool { return c == ' ' || c == '\t' })
		if len(f) == 0 {
			continue
		}
		if run && len(f) != 6 || !run && len(f) != 4 {
			find(i+1, CodeColumns)
			continue
		}
		if _, ok := rows[f[0]]; !ok {
			ids = append(ids, f[0])
			rows[f[0]], last[f[0]] = []row{}, math.MinInt64
		}
		if !run {
			n, err := strconv.ParseInt(f[3], 10, 32)
			if err != nil {
				find(i+1, CodeRelevance)
				continue
			}
			rows[f[0]] = append(rows[f[0]], row{f[2], float64(n), i + 1})
			continue
		}
		v, bad := strconv.ParseFloat(f[4], 64)
		if bad != nil || !plainNumber.MatchString(f[4]) {
			bad = strconv.ErrSyntax
			find(i+1, CodeScore)
		}
		if order == AsWritten {
			rank, err := strconv.ParseInt(f[3], 10, 32)
			switch {
			case err != nil:
				bad = err
				find(i+1, CodeRank)
			case rank > last[f[0]]:
				last[f[0]] = rank
			case !disordered[f[0]]:
				disordered[f[0]] = true
				find(i+1, CodeOrder)
			}
		}
		if bad == nil {
			rows[f[0]] = append(rows[f[0]], row{f[2], v, i + 1})
		}
	}
	if crlf {
		find(0, CodeCRLF)
	}
	n := 0
	for _, id := range ids {
		n += len(rows[id])
	}
	if n == 0 && !slices.ContainsFunc(out.findings, func(f string) bool { return !strings.HasSuffix(f, CodeBOM) && !strings.HasSuffix(f, CodeCRLF) }) {
		find(0, CodeNothing)
	}
	rising := 0
	for _, id := range ids {
		seen := map[string]bool{}
		scores := map[float64]int{}
		for i, r := range rows[id] {
			if seen[r.doc] {
				find(r.line, map[bool]string{true: CodeHitTwice, false: CodeJudgedTwice}[run])
			}
			seen[r.doc] = true
			if scores[r.value]++; run && scores[r.value] == 2 {
				out.tied++
			}
			if i > 0 && r.value > rows[id][i-1].value && rising == 0 {
				rising = r.line
			}
		}
		if run && order == ByScore {
			slices.SortStableFunc(rows[id], func(a, b row) int {
				if a.value != b.value {
					return map[bool]int{true: -1, false: 1}[a.value > b.value]
				}
				return strings.Compare(b.doc, a.doc)
			})
		}
		var b strings.Builder
		b.WriteString(id + ":")
		for _, r := range rows[id] {
			fmt.Fprintf(&b, " %s=%x", r.doc, r.value)
		}
		out.queries = append(out.queries, b.String())
	}
	if run && order == AsWritten && rising > 0 {
		find(rising, CodeRising)
	}
	for code, n := range count {
		if n > mostOfACode {
			find(0, CodeMore)
			_ = code
		}
	}
	slices.Sort(out.findings)
	return out
}

// agree holds the reader against the plain one. The lines of each query are
// what the reader hands on, with a window as small as a line and a large one.
func agree(t *testing.T, text string, run bool, order Order) {
	t.Helper()
	want := readPlain(text, run, order)
	for _, first := range []int{1, 30, firstWindow, 0} {
		gather := first == 0
		var got plainFile
		r := newReader("f", func(r *reader, i int, lines []line) {
			r.distinct(r.queries[i].id, lines)
			if r.run {
				got.tied += r.rank(r.queries[i].id, lines)
			}
			query := r.queries[i].id + ":"
			for _, l := range lines {
				query += fmt.Sprintf(" %s=%x", r.doc(l), l.value)
			}
			got.queries = append(got.queries, query)
		})
		r.run, r.order, r.gather, r.first = run, order, gather, first
		if err := r.read(strings.NewReader(text)); err != nil {
			t.Fatal(err)
		}
		if r.scattered {
			if gather {
				t.Fatalf("lines that are gathered are scattered\n%q", text)
			}
			continue
		}
		for _, x := range r.list() {
			got.findings = append(got.findings, fmt.Sprintf("%d %s", x.Line, x.Code))
		}
		slices.Sort(got.findings)
		if !slices.Equal(got.findings, want.findings) {
			t.Fatalf("window %d: findings %q, want %q\n%q", first, got.findings, want.findings, text)
		}
		if !slices.Equal(got.queries, want.queries) {
			t.Fatalf("window %d: queries %q, want %q\n%q", first, got.queries, want.queries, text)
		}
		if got.tied != want.tied {
			t.Fatalf("window %d: %d groups of equal scores, want %d\n%q", first, got.tied, want.tied, text)
		}
	}
}

// likeTheOneBefore is lines that begin or end as the one before, and lines that
// only seem to; numbers of as many digits as a word holds, and of more.
var likeTheOneBefore = []string{
	"q Q0 a 1 1234567.12345678 a-long-tag\nq Q0 b 2 1234567.12345677 a-long-tag\nq Q0 c 3 99999.9999999999 a-long-tag\n",
	"q Q0 a 1 12345678 t\nq Q0 b 2 12345677 t\nq Q0 c 3 12345677.5 t\nq Q0 d 4 123456789 t\nq Q0 e 5 123456789.25 t\n",
	"q Q0 a 1 0.1 t\nq Q0 b 2 0.12345678 t\nq Q0 c 3 0.123456789 t\nq Q0 d 4 .5 t\nq Q0 e 5 5. t\nq Q0 f 6 5.t t\nq Q0 g 7 -0.5 t\nq Q0 h 8 -0 t\nq Q0 i 9 - t\nq Q0 j 10 4:5 t\n",
	"q Q0 a 1 2 a-long-tag\nq Q0 b 2 1 a-long-bag\nq Q0 c 3 0 a-long-tag \nq Q0 d 4 0 a-long-\n",
	"q Q0 a 1 2 t\nq Q0  7 1 t\nq Q0 b 2 1\nq Q0 c 3 1 t t\nq Q0 d\t4\t1 t\nq Q0 e  5 1 t\nq Q0 f 6  1 t\n",
	"q Q0 a 1 2 t\nq Q0 b 00000002 1 t\nq Q0 c 000000003 1 t\nq Q0 d 9x 1 t\nq Q0 e 9x1 t\nq Q0 f 9 1x t\n",
	"q Q0 a 1 2 t\nqq Q0 b x 1 t\nq Q0 c 2 1 t\nqq Q0 d 1 1 t\nqq Q0 e 2 0 t\n",
	"q Q0 a 1 2 t\nq Q0 b\n2 1 t\nq Q0 c 3\n1 t\n",
	"q\tQ0\ta\t1\t2\tt\r\nq\tQ0\tb\t2\t1\tt\r\nq\tQ0\tc\t3\t0\tt\n",
}

// TestDecimal: numbers are the nearest float64, whatever their digits.
func TestDecimal(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 8))
	for range 100_000 {
		b := []byte("-")[rng.IntN(2):]
		for range rng.IntN(19) {
			b = append(b, "0123456789.9"[rng.IntN(12)])
		}
		want, ok := score(b)
		got, end := decimal(append(b, " tag of some run"...), 0)
		if math.Float64bits(got) != math.Float64bits(want) || ok != (end == len(b)) {
			t.Fatalf("%s is %v, ends at %d; want %v", b, got, end, want)
		}
	}
}

// TestAgainstPlain: on random files with every fault, the reader says what a
// plain one says.
func TestAgainstPlain(t *testing.T) {
	for _, text := range likeTheOneBefore {
		for _, end := range []string{"", "q Q0 z 90 -90 end-of-the-run\n", "q Q0 z 12345678", "q Q0 z 90 12345678", "q Q0 z 90 1.12345678"} {
			agree(t, text+end, true, AsWritten)
			agree(t, text+end, true, ByScore)
		}
	}
	for _, text := range []string{"q Q0 a -2147483648 2 t\nq Q0 b 2147483647 1 t\n", "q Q0 a 1 2 t\nq Q0 b 2 1 t\r\n", "q Q0 a 1 2 t\nq Q0 b 2 1.123456789012345 t\n", strings.Repeat("q Q0\n", mostOfACode+50), strings.Repeat("q Q0\n", mostOfACode)} {
		agree(t, text, true, AsWritten)
	}
	rng := rand.New(rand.NewPCG(3, 6))
	pick := func(words ...string) string { return words[rng.IntN(len(words))] }
	often := func(usual string, words ...string) string {
		if rng.IntN(12) > 0 {
			return usual
		}
		return pick(words...)
	}
	for range 3000 {
		var b strings.Builder
		b.WriteString(often("", bom))
		end := pick("\n", "\n", "\r\n")
		score := 9.0
		for i := range rng.IntN(14) {
			gap := often(" ", "\t", "  ", " \t")
			score -= float64(rng.IntN(3))
			qid := pick("q1", "q2", often("q1", "é", "queryid-longer-than-8"))
			doc := pick("d1", "d2", "d3", "doc-with-a-longer-name-", "文") + pick("", "1", "2", "3")
			f := []string{qid, "Q0", doc, often(fmt.Sprint(i), "0", "x", "-3", "12345678901", "1.0"),
				often(fmt.Sprint(score), "0.5", "-.5", "1e3", "nan", "inf", "1e999", "0x1p3", "1_0", "5.", "1.2.3", "0.12345678901234567", "1.123456789012345", "123456789012345678"), often("tag", "t\x00", "t\xff", "a b")}
			if rng.IntN(2) == 0 {
				f = f[:len(f)-rng.IntN(2)*rng.IntN(2)]
			}
			b.WriteString(often("", " ", "\r") + strings.Join(f, gap) + often("", " ", "\t") + often(end, "\n", "\n\n", ""))
		}
		text := b.String()
		agree(t, text, true, AsWritten)
		agree(t, text, true, ByScore)
		agree(t, text, false, AsWritten)
		var qrels strings.Builder
		for range rng.IntN(10) {
			qrels.WriteString(strings.Join([]string{pick("q1", "q2"), "0", pick("d1", "d2", "d3", "d4"), often("1", "0", "-1", "2", "+3", "1.0", "x", "3000000000", "")}, " ") + often("\n", "\r\n"))
		}
		agree(t, qrels.String(), false, AsWritten)
	}
}

// FuzzRead: any bytes, both kinds, both orders.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "q Q0 d 1 1 t\n", "q Q0 d 1 1.5 t\nq Q0 e 2 1.5 t\np Q0 d 1 -1e3 t\nq Q0 f 3 9 t", "q 0 d 1\r\nq 0 d -1\r\n", bom + "q 0 d\x00 1\n\xff\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		agree(t, text, true, AsWritten)
		agree(t, text, true, ByScore)
		agree(t, text, false, AsWritten)
	})
}
