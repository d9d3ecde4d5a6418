package baseline

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"os"
	"reflect"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/rankings"
	"kerf/internal/stats"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
)

// lines are findings, one a line, without what was expected.
func lines(found finding.List) string {
	var b strings.Builder
	for _, f := range found {
		fmt.Fprintf(&b, "%d:%d %s %s", f.Line, f.Column, f.Code, f.Message)
		if f.QID != "" {
			fmt.Fprintf(&b, " (%s)", f.QID)
		}
		if f.Hint != "" {
			fmt.Fprintf(&b, " hint: %s", f.Hint)
		}
		b.WriteString("\n")
	}
	return b.String()
}

func file(t testing.TB) string {
	t.Helper()
	b, err := os.ReadFile("testdata/baseline.json")
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestBadInput: each edit of the worked file is found where it stands, and nothing else
// is. gat-01 and gat-07 are among them, as files of this format.
func TestBadInput(t *testing.T) {
	whole := file(t)
	mrr := `"mrr":{"rankings":"1","value":{"sum":"3","den":3,"missing":0}}`
	value := `{"sum":"3","den":3,"missing":0}}`
	for _, row := range []struct{ old, new, want string }{
		// no JSON
		{`"den":3,"missing":0}},` + "\n" + `"support"`, `"den":NaN,"missing":0}},` + "\n" + `"support"`, "11:48 K001 measures.mrr.value.den: this is not JSON: invalid character 'N' at start of value hint: that is not a number: a measure without a value is never accepted\n"},
		{mrr, `"mrr":-Infinity`, "11:8 K001 measures.mrr: this is not JSON: invalid character 'I' in number (expecting digit) hint: that is not a number: a measure without a value is never accepted\n"},
		{mrr, "<<<<<<< HEAD\n" + mrr, "11:1 K001 measures: this is not JSON: invalid character '<' at start of value hint: a merge left both sides in the file: keep one of them, then kerf gate --accept\n"},
		{`"depth":100`, `"depth":100,"depth":100`, "8:13 K002 the key \"instrument.depth\" stands twice in one object hint: delete one of the two; kerf does not choose\n"},
		{`"q-002":{"control"`, `"q-001":{"control"`, "23:1 K002 the key \"rankings.1.questions.q-001\" stands twice in one object hint: delete one of the two; kerf does not choose\n"},
		{`"prod"`, "\"pr\xff\"", "17:18 K004 bytes that are not UTF-8 in \"rankings.1.arm.name\" hint: save the file as UTF-8\n"},
		{"(end)", "", "38:174 K001 accepted.0.reason: this is not JSON: unexpected EOF hint: the file is not whole: take it from the repository again\n"},
		{"(after)", "{}", "39:1 K005 text stands after the end of the JSON value\n"},
		// another kind
		{`"kerf":"baseline/1"`, `"kerf":"baseline/2"`, "1:9 K381 this is no baseline that kerf reads hint: a newer kerf wrote it: use that one, or kerf gate --accept --reason\n"},
		{`"kerf":"baseline/1"`, `"kerf":"rankings/1"`, "1:9 K381 this is no baseline that kerf reads hint: kerf score FILE reads rankings\n"},
		{`"kerf":"baseline/1"`, `"kerf":1`, "1:9 K381 this is no baseline that kerf reads hint: kerf gate --accept writes one\n"},
		{whole, `{"recall@5": 0.8, "mrr@5": 0.6}`, "1:1 K381 this is no baseline that kerf reads hint: kerf gate --accept writes one\n"},
		{whole, ``, "1:1 K001 this is not JSON: EOF hint: the file is not whole: take it from the repository again\n"},
		{whole, `[]`, "1:1 K381 this is no baseline that kerf reads hint: kerf gate --accept writes one\n"},
		// values of measures
		{mrr, `"mrr":{"rankings":"1","value":null}`, "11:31 K386 measures.mrr.value: no value\n"},
		{mrr, `"mrr":{"rankings":"1","value":"not measured"}`, "11:31 K386 measures.mrr.value: no value\n"},
		{mrr, `"mrr":{"rankings":"1","value":0.8}`, "11:31 K386 measures.mrr.value: a bare number\n"},
		{mrr, `"mrr":{"rankings":"1"}`, "11:7 K383 measures.mrr.value: missing\n"},
		{mrr + ",\n", "", "10:12 K383 measures.mrr: missing\n"},
		{mrr, strings.Replace(mrr, `"mrr"`, `"mmr"`, 1), "10:12 K383 measures.mrr: missing\n11:7 K382 measures.mmr: unknown key hint: did you mean \"mrr\"?\n"},
		{value, `{"sum":"NaN","den":3,"missing":0}}`, "11:38 K386 measures.mrr.value: its sum is not a number\n"},
		{value, `{"sum":"1e999","den":3,"missing":0}}`, "11:38 K386 measures.mrr.value: its sum is not a number\n"},
		{value, `{"sum":"1/0","den":3,"missing":0}}`, "11:38 K386 measures.mrr.value: its sum is not a number\n"},
		{value, `{"sum":"` + strings.Repeat("1", 1<<17) + `/2","den":3,"missing":0}}`, "11:38 K386 measures.mrr.value: its sum is not a number\n"},
		{value, `{"sum":3,"den":3,"missing":0}}`, "11:38 K384 measures.mrr.value.sum: a value of the wrong type\n"},
		{value, `{"sum":"3","den":1e999,"missing":0}}`, "11:48 K384 measures.mrr.value.den: a value of the wrong type\n"},
		{value, `{"sum":"15/4","den":3,"missing":0}}`, "11:31 K386 measures.mrr.value: 15/4 of 3 is outside 0..1\n"},
		{value, `{"sum":"-1/3","den":3,"missing":0}}`, "11:31 K386 measures.mrr.value: -1/3 of 3 is outside 0..1\n"},
		{value, `{"sum":"0","den":-3,"missing":0}}`, "11:48 K385 measures.mrr.value.den: too small\n"},
		{value, `{"sum":"0","den":0,"missing":0}}`, "11:31 K386 measures.mrr.value: not measured\n"},
		{value, `{"sum":"3","den":4,"missing":0}}`, "11:31 K386 measures.mrr.value: over 4 questions, the rankings have 3\n"},
		{value, `{"sum":"23/5","den":8,"missing":3}}`, "11:31 K386 measures.mrr.value: 3 of 8 without a result\n"},
		{`"from":{"sum":"1/2","den":2,"missing":0}`, `"from":null`, "38:29 K386 accepted[0].from: no value\n"},
		{`{"measure":"support"`, `{"measure":"suport"`, "38:12 K385 accepted[0].measure: not one of its values hint: did you mean \"support\"?\n"},
		{`"reason":"smaller answers, on purpose: both of us read the three questions"`, `"reason":" "`, "38:109 K383 accepted[0].reason: empty\n"},
		// names
		{`"rankings":"1","value"`, `"rankings":"3","value"`, "11:19 K387 measures.mrr.rankings: there are no rankings of this name\n"},
		{`"rankings":"1","value"`, `"rankings":"2","value"`, "14:5 K388 rankings.1: no measure is held against these rankings hint: delete them\n"},
		{`[["policy.md",13,30]]`, `[["polcy.md",13,30]]`, "23:22 K387 rankings.1.questions.q-002.control[0]: a document without a version (q-002)\n"},
		{`"documents":{` + "\n", `"documents":{` + "\n" + `"a.md":"` + digest + "\",\n", "20:8 K388 rankings.1.documents.a.md: no hit is of this document hint: delete it\n"},
		{`"policy.md":"sha256:9`, `"policy.md":"sha256:`, "20:13 K389 rankings.1.documents.policy.md: this is no digest\n"},
		{`"version":"0.5.0"`, `"version":""`, "14:16 K383 rankings.1.version: empty\n"},
		// keys and types
		{`"depth":100`, `"dept":100`, "2:14 K383 instrument.depth: missing\n8:8 K382 instrument.dept: unknown key hint: did you mean \"depth\"?\n"},
		{`"depth":100`, `"depth":100.0`, "8:9 K384 instrument.depth: a value of the wrong type\n"},
		{`"at_k":5`, `"at_k":0`, "7:8 K385 instrument.at_k: too small\n"},
		{`"k":[1,3,5,10]`, `"k":[1,"3",null,0]`, "6:8 K384 instrument.k[1]: a value of the wrong type\n6:12 K384 instrument.k[2]: a value of the wrong type\n6:17 K385 instrument.k[3]: too small\n"},
		{`"reader":["public"]`, `"reader":"public"`, "3:10 K384 instrument.reader: a value of the wrong type\n"},
		{`"tokens":3000`, `"tokens":-1`, "5:20 K385 instrument.budget.tokens: too small\n"},
		{`"instrument":{`, `"instrument":{"überall":null,`, "2:25 K382 instrument.überall: unknown key\n"},
		{`"accepted":[`, `"accepted":[7,`, "37:13 K384 accepted[0]: a value of the wrong type\n"},
		{`"retrieve":{"by":"bm25"},"rankings"`, `"retrieve":{"by":"bm25","urls":"x"},"rankings"`, "17:117 K382 rankings.1.arm.retrieve.urls: unknown key hint: did you mean \"url\"?\n"},
		// placements and hits
		{`"placements":1`, `"placements":2`, "18:14 K390 rankings.1.placements: the cuts of this arm do not move\n"},
		{`"placements":2`, `"placements":7`, "29:14 K390 rankings.2.placements: 7 placements do not fit into a stride of 6 tokens: two of them would be the same\n"},
		{`"placements":2`, `"placements":2000000`, "29:14 K390 rankings.2.placements: the set has not so many lists\n"},
		{`"placements":2`, `"placements":0`, "29:14 K385 rankings.2.placements: too small\n"},
		{`"size":8,"overlap":2`, `"size":8,"overlap":8`, "29:14 K390 rankings.2.placements: 2 placements of a stride of 0 tokens: both must be at least 1\n"},
		{`"q-002":{"1/2":[],"2/2":[]}`, `"q-002":{"1/8":[],"2/2":[]}`, "35:9 K390 rankings.2.questions.q-002: placements without a list: 1 (q-002)\n35:16 K390 rankings.2.questions.q-002.1/8: the arm has no such placement (q-002)\n"},
		{`"q-002":{"1/2":[],"2/2":[]}`, `"q-002":{}`, "35:9 K390 rankings.2.questions.q-002: placements without a list: 2 (q-002)\n"},
		{`"q-002":{"1/2":[],"2/2":[]}`, `"q-002":[]`, "35:9 K384 rankings.2.questions.q-002: a value of the wrong type (q-002)\n"},
		{`"q-002":{"1/2":[],"2/2":[]}`, `"q-002":{"1/2":["more"],"2/2":["more"]}`, "35:31 K390 rankings.2.questions.q-002.2/2: not every hit is here (q-002)\n"},
		{`"q-002":{"1/2":[],"2/2":[]}`, `"q-002":{"1/2":["mor"],"2/2":[]}`, "35:17 K384 rankings.2.questions.q-002.1/2[0]: this is no hit (q-002)\n"},
		{`"q-002":{"1/2":[],"2/2":[]}`, `" q-002":{"1/2":[],"2/2":[]}`, "35:10 K383 rankings.2.questions. q-002: this is no qid ( q-002)\n"},
		{`[["policy.md",13,30]]`, `[["policy.md",13,30],["policy.md",13,30,"T "]]`, "23:41 K392 rankings.1.questions.q-002.control: policy.md [13,30) at ranks 1 and 2 (q-002)\n"},
		{`[["policy.md",13,30]]`, `[["policy.md",30,30]]`, "23:34 K391 rankings.1.questions.q-002.control[0]: the interval is empty or reversed (q-002)\n"},
		{`[["policy.md",13,30]]`, `[["policy.md",30,13]]`, "23:34 K391 rankings.1.questions.q-002.control[0]: the interval is empty or reversed (q-002)\n"},
		{`[["policy.md",13,30]]`, `[["policy.md",-1,30]]`, "23:34 K385 rankings.1.questions.q-002.control[0].start: too small (q-002)\n"},
		{`[["policy.md",13,30]]`, `[["policy.md",13,30.5],["policy.md",true,30],[7,1,2]]`, "23:37 K384 rankings.1.questions.q-002.control[0].end: a value of the wrong type (q-002)\n23:56 K384 rankings.1.questions.q-002.control[1].start: a value of the wrong type (q-002)\n23:66 K384 rankings.1.questions.q-002.control[2].doc: a value of the wrong type (q-002)\n"},
		{`[["policy.md",13,30]]`, `[["policy.md",13,30,""],["policy.md",1]]`, "23:40 K383 rankings.1.questions.q-002.control[0].prefix: empty (q-002)\n23:44 K384 rankings.1.questions.q-002.control[1]: this is no hit (q-002)\n"},
		{`[["policy.md",13,30]]`, `["more",["policy.md",13,30,"T ",5]]`, "23:21 K384 rankings.1.questions.q-002.control[0]: this is no hit (q-002)\n23:28 K384 rankings.1.questions.q-002.control[1]: this is no hit (q-002)\n"},
		{`"q-002":{"1/2":[],"2/2":[]}`, `"":{"1/2":[],"2/2":[]}`, "35:4 K383 rankings.2.questions.: this is no qid\n"},
		{`"depth":100`, `"depth":1`, ""},
		{"(depth)", "", "23:20 K385 rankings.1.questions.q-002.control: more hits than the depth (q-002)\n"},
		{"(empty)", "", "11:31 K386 measures.mrr.value: over 1 questions, the rankings have 0\n20:13 K388 rankings.1.documents.policy.md: no hit is of this document hint: delete it\n21:13 K383 rankings.1.questions: no question\n"},
	} {
		var content string
		switch row.old {
		case "(end)":
			content = whole[:len(whole)-3]
			content = content[:strings.LastIndex(content, "\"")]
		case "(after)":
			content = whole + row.new
		case "(depth)":
			content = strings.Replace(whole, `[["policy.md",13,30]]`, `[["policy.md",13,30],["policy.md",13,29]]`, 1)
			content = strings.Replace(content, `"depth":100`, `"depth":1`, 1)
		case "(empty)":
			i, j := strings.Index(whole, `"q-001":{"control"`), strings.Index(whole, "}},\n\"2\"")
			content = strings.Replace(whole[:i-1]+whole[j:], mrr, `"mrr":{"rankings":"1","value":{"sum":"0","den":1,"missing":0}}`, 1)
		default:
			if strings.Count(whole, row.old) == 0 {
				t.Fatalf("%s is not in the file", row.old)
			}
			content = strings.Replace(whole, row.old, row.new, 1)
		}
		b, found := Read("baseline.json", []byte(content))
		if got := lines(found); got != row.want {
			t.Errorf("%s -> %s\ngot  %swant %s", row.old[:min(80, len(row.old))], row.new[:min(80, len(row.new))], got, row.want)
		}
		if (b == nil) != (found.Errors() > 0) {
			t.Errorf("%s: a baseline beside errors", row.new)
		}
		for _, f := range found {
			if f.File != "baseline.json" || f.Severity != finding.Error || f.Expected == "" && !strings.HasPrefix(f.Code, "K0") {
				t.Errorf("%+v", f)
			}
		}
	}
}

// TestOtherLayouts: JSON is JSON, however it is laid out; places are in the file's own
// lines, columns in code points.
func TestOtherLayouts(t *testing.T) {
	whole := file(t)
	b := worked(t)
	for _, content := range []string{whole, strings.ReplaceAll(whole, "\n", "\r\n"), strings.ReplaceAll(whole, "\n", ""), "\n \n" + whole} {
		again, found := Read("f", []byte(content))
		if len(found) > 0 || !reflect.DeepEqual(again, b) {
			t.Error(found.Err())
		}
	}
	again, found := Read("f", []byte("\uFEFF"+whole))
	if lines(found) != "1:1 K007 the file begins with a byte order mark; it is skipped hint: save the file as UTF-8 without a mark\n" || found.Errors() > 0 || !reflect.DeepEqual(again, b) {
		t.Error(lines(found))
	}
	swapped := strings.NewReplacer("q-001", "q-002", "q-002", "q-001").Replace(whole)
	if again, found = Read("f", []byte(swapped)); len(found) > 0 || again.Measure(MRR).Set.Find("q-001").Lists[0].Hits[0].Start != 13 {
		t.Error("questions are found in any order")
	}
	if _, found := Read("f", []byte("{\n\"\xff")); len(found) != 1 || found[0].Place() != "f:2:2" || found[0].Found != `"ff"` {
		t.Error(found)
	}
	bad := strings.Replace(whole, `"q-002":{"control":[["policy.md",13,30]]}`, `"q-ä𝄞2":{"control":[["policy.md",13,30],7]}`, 1)
	for content, want := range map[string]string{bad: "23:41 ", strings.ReplaceAll(bad, "\n", "\r\n"): "23:41 ", strings.Replace(strings.ReplaceAll(bad, "\n", ""), "{", "\n{", 1): "2:"} {
		if _, found := Read("f", []byte(content)); len(found) != 1 || !strings.HasPrefix(lines(found), want) {
			t.Error(lines(found))
		}
	}
	mixed := strings.Replace(whole, `"reader":["public"]`, `"reader":["staff","public","staff"]`, 1)
	again, found = Read("f", []byte(mixed))
	if len(found) > 0 || again.Instrument.settings()[0][1] != `["public","staff"]` {
		t.Error("a reader is a set of names")
	}
}

// TestPage: the example of docs/format/baseline.md is a baseline.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/format/baseline.md")
	if err != nil {
		t.Fatal(err)
	}
	_, example, _ := strings.Cut(string(page), "```\n")
	example, _, _ = strings.Cut(example, "```")
	example = strings.ReplaceAll(example, "sha256:…", digest)
	b, found := Read("f", []byte(example))
	if len(found) > 0 || string(b.Encode()) != example {
		t.Error(lines(found))
	}
}

// TestBounded: a file of nothing but trouble gives a hundred findings, and the number of
// the others.
func TestBounded(t *testing.T) {
	whole := strings.Replace(file(t), `[["policy.md",13,30]]`, "["+strings.Repeat("0,", 1000)+"0]", 1)
	_, found := Read("f", []byte(whole))
	if last := found[len(found)-1]; len(found) != 101 || last.Code != CodeMore || last.Message != "901 more findings are not listed" {
		t.Error(len(found), found[len(found)-1])
	}
	_, found = Read("f", make([]byte, Most+1))
	if len(found) != 1 || found[0].Code != CodeLarge {
		t.Error(found)
	}
}

// random is a baseline of any content that acceptances could have left.
func random(r *rand.Rand) *Baseline {
	text := func() string {
		alphabet := []rune("aZ09/. \"\\\n\t<>&é漢𝄞\u2028\u0000")
		s := []rune{'x'}
		for range r.IntN(6) {
			s = append(s, alphabet[r.IntN(len(alphabet))])
		}
		return string(s) + "x"
	}
	value := func(n int) stats.Sum {
		den := int64(1 + r.IntN(1000))
		return stats.Sum{Sum: big.NewRat(r.Int64N(int64(n)*den+1), den), Den: n}
	}
	e := plan.Default()
	e.Reader = []string{text(), text(), "public"}[:r.IntN(4)]
	e.Budget.Tokens, e.Depth = r.IntN(9999), 3+r.IntN(9)
	e.Budget.Format, e.Access, e.Ignorable, e.K = text(), text(), text(), []int{1 + r.IntN(9), 10}
	b := &Baseline{Instrument: NewInstrument(e)}
	sets := make([]*Set, 2)
	for i := range sets {
		a := plan.Arm{Name: text(), Split: plan.Split{By: "tokens", Tokenizer: text(), Size: 9 + r.IntN(9), Overlap: r.IntN(3)}, Retrieve: plan.Retrieve{By: "http", URL: text(), Run: text()}}
		switch r.IntN(4) {
		case 0:
			a.Rankings, a.Chunks = text(), text()
		case 1:
			a.Split = plan.Split{By: "table", File: text()}
		case 2:
			a.Moving = plan.Moving{Grid: 1 + r.IntN(6), Scope: plan.Labelled}
			a.Split.Share = plan.Fraction{Num: 1, Den: 5}
		}
		s, err := NewSet(text(), digest, digest, a, plan.Phases{Grid: 1 + r.IntN(6)})
		if err != nil {
			panic(err)
		}
		docs := []string{text(), text(), text()}
		for range 1 + r.IntN(5) {
			qid := text()
			if s.Find(qid) != nil {
				continue
			}
			for p, label := range s.Labels {
				var hits []rankings.Hit
				for k := range r.IntN(4) {
					doc := docs[r.IntN(3)]
					h := rankings.Hit{DocID: doc, Version: corpus.VersionOf(doc), Span: span.Span{Start: k, End: k + 1 + r.IntN(1000)}}
					if r.IntN(3) == 0 {
						h.Prefix = text()
					}
					hits = append(hits, h)
				}
				if err := s.Add(qid, label, hits, p < len(s.Labels)-1 && r.IntN(2) == 0); err != nil {
					panic(err)
				}
			}
		}
		sets[i] = s
	}
	for i, name := range Names {
		s := sets[r.IntN(i+1)]
		b.Measures = append(b.Measures, Measure{name, s, value(len(s.Questions))})
	}
	for range r.IntN(3) {
		b.Accepted = append(b.Accepted, Override{Names[r.IntN(2)], value(5), value(6), text()})
	}
	return b
}

// TestReadEncode: whatever is written is read, and means the same.
func TestReadEncode(t *testing.T) {
	for seed := range uint64(500) {
		reread(t, random(rand.New(rand.NewPCG(seed, 1))))
	}
}

// TestExactValues: a value is exact on the way through a file, whatever the order of
// its terms (gat-02).
func TestExactValues(t *testing.T) {
	qids := []string{"q1", "q2", "q3", "q4", "q5", "q6"}
	for _, thirds := range [][]int{{0, 0, 0, 3, 3, 3}, {0, 1, 2, 2, 2, 2}} {
		c := candidate(t, 0, 1, qids...)
		v := stats.NewSum()
		for _, n := range thirds {
			v.Add(n, 3)
		}
		c.Values = values(v, v)
		b, _ := accept(t, nil, c, nil, "")
		again, _ := Read("f", b.Encode())
		if mean, ok := again.Measure(Support).Value.Rat(); !ok || mean.Cmp(big.NewRat(1, 2)) != 0 {
			t.Error(mean)
		}
	}
}

// FuzzRead: no input panics; a finding stands in a line that there is; what is read
// without one is written and read again as the same.
func FuzzRead(f *testing.F) {
	whole := file(f)
	f.Add([]byte(whole))
	f.Add([]byte(strings.ReplaceAll(whole, "\n", "\r\n")))
	f.Add([]byte("\uFEFF" + whole[:300]))
	for _, s := range []string{"", "{", `{"kerf":"baseline/1"}`, `{"kerf":"baseline/1","rankings":{"1":{"arm":[],"questions":7}},"measures":{"mrr":{"rankings":"1"}}}`, "\xff\xfe", "[[[[", "{\"kerf\":\n\"b\\ud800\"}"} {
		f.Add([]byte(s))
	}
	for seed := range uint64(3) {
		f.Add(random(rand.New(rand.NewPCG(seed, 2))).Encode())
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		b, found := Read("f", content)
		if (b == nil) != (found.Errors() > 0) || len(found) > 102 {
			t.Fatal(b, found)
		}
		sameAsPlain(t, content)
		rows := strings.Split(strings.TrimPrefix(string(content), "\uFEFF"), "\n")
		for _, f := range found {
			if f.Code != CodeMore && (f.Line < 1 || f.Line > len(rows) || f.Column < 1 || f.Column > 1+len([]rune(rows[f.Line-1]))) {
				t.Fatalf("%s of %d lines", f, len(rows))
			}
		}
		if b != nil {
			reread(t, b)
		}
	})
}

// sized is a baseline of so many questions over 40 documents: 8 placements, 100 hits at
// the ordinary one and 12 at the others, which is what fills a budget of 3,000 tokens
// with windows of 256.
func sized(t testing.TB, questions int) []byte {
	r := rand.New(rand.NewPCG(1, 1))
	s, err := NewSet("0.5.0", digest, digest, windows(256, 0), plan.Phases{Grid: 8})
	if err != nil {
		t.Fatal(err)
	}
	for q := range questions {
		for _, label := range s.Labels {
			hits := make([]rankings.Hit, 12)
			if label == "8/8" {
				hits = make([]rankings.Hit, 100)
			}
			for i, place := range r.Perm(400)[:len(hits)] {
				doc, start := fmt.Sprintf("handbook/page-%02d.md", place%40), 99_000+1024*(place/40)
				hits[i] = rankings.Hit{DocID: doc, Version: corpus.VersionOf(doc), Span: span.Span{Start: start, End: start + 1024}}
			}
			if err := s.Add(fmt.Sprintf("q-%03d", q), label, hits, label != "8/8"); err != nil {
				t.Fatal(err)
			}
		}
	}
	b, _ := accept(t, nil, Candidate{NewInstrument(plan.Default()), s, values(sum(1, 1, questions), sum(1, 1, questions)), nil}, nil, "")
	return b.Encode()
}

// TestSize: a baseline stays a file for a repository.
func TestSize(t *testing.T) {
	for questions, most := range map[int]int{50: 400_000, 500: 4_000_000} {
		file := sized(t, questions)
		t.Logf("%d questions: %d bytes", questions, len(file))
		if len(file) > most {
			t.Errorf("%d questions: %d bytes", questions, len(file))
		}
	}
}

func BenchmarkRead(b *testing.B) {
	content := sized(b, 500)
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		if _, found := Read("f", content); len(found) > 0 {
			b.Fatal(found)
		}
	}
}
