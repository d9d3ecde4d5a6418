package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kerf/internal/study/compare"
	"kerf/internal/study/ledger"
	"kerf/internal/text/token"
)

// restricted is the handbook with a document for staff alone, a passage for hr
// alone, a document in four scripts, and questions of several readers, some of
// them limited to a document.
func restricted(t *testing.T) string {
	t.Helper()
	dir := handbookProject(t)
	mixed := strings.Repeat("退货须在三十日内提出。例外：促销商品不退。 Возврат за 30 дней 🙂🙂. ارتجاع خلال ثلاثين يوما. Returns: 30 days, sale goods excepted.\n", 6)
	writeTestFile(t, filepath.Join(dir, "docs", "mixed.md"), mixed)
	wide := "Members keep their shelf for a year." + strings.Repeat(" ", 200) + "Not so in the kiln room.\n"
	writeTestFile(t, filepath.Join(dir, "docs", "wide.md"), wide)
	if code, _, stderr := command(dir, false, "freeze", "docs"); code != exitDone {
		t.Fatal(stderr)
	}
	edit := func(name string, change func(i int, line map[string]any)) string {
		var b strings.Builder
		for i, l := range strings.Split(strings.TrimSuffix(read(t, filepath.Join(dir, name)), "\n"), "\n") {
			var line map[string]any
			if err := json.Unmarshal([]byte(l), &line); err != nil {
				t.Fatal(err)
			}
			change(i, line)
			out, err := json.Marshal(line)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(append(out, '\n'))
		}
		return b.String()
	}
	writeTestFile(t, filepath.Join(dir, "corpus.jsonl"), edit("corpus.jsonl", func(_ int, line map[string]any) {
		switch line["doc"] {
		case "returns.md":
			line["access"] = map[string]any{"read": []string{"staff"}}
		case "leave.md":
			line["access"] = map[string]any{"spans": []any{map[string]any{"start": 300, "end": 900, "unit": "byte", "read": []string{"hr", "board"}}}}
		}
	}))
	readers := [][]string{nil, {"staff"}, {"hr"}, {"hr", "staff"}}
	set := edit("golden.jsonl", func(i int, line map[string]any) {
		if r := readers[i%4]; i > 0 && r != nil {
			line["reader"] = r
		}
		if spans, ok := line["spans"].(map[string]any); ok && i%5 == 0 {
			var docs []string
			for _, s := range spans {
				docs = append(docs, s.(map[string]any)["doc"].(string))
			}
			slices.Sort(docs)
			line["within"] = slices.Compact(docs)
		}
	})
	quote := "例外：促销商品不退。"
	at := strings.Index(mixed, quote)
	unit := strings.SplitN(set, "\n", 2)[0]
	if !strings.Contains(unit, `"unit":"codepoint"`) && !strings.Contains(unit, `"unit":"byte"`) {
		t.Fatal(unit)
	}
	if strings.Contains(unit, "codepoint") {
		at = len([]rune(mixed[:at]))
	}
	length := len(quote)
	if strings.Contains(unit, "codepoint") {
		length = len([]rune(quote))
	}
	set += fmt.Sprintf(`{"qid":"q-zh","question":"促销商品可以退货吗？","spans":{"e":{"doc":"mixed.md","start":%d,"end":%d,"quote":%q}},"support":[["e"]]}`+"\n", at, at+length, quote)
	set += fmt.Sprintf(`{"qid":"q-wide","question":"Do members keep a shelf in the kiln room?","within":["wide.md"],"spans":{"e":{"doc":"wide.md","start":0,"end":%d,"quote":%q}},"support":[["e"]]}`+"\n", len(wide)-1, wide[:len(wide)-1])
	writeTestFile(t, filepath.Join(dir, "golden.jsonl"), set)
	return dir
}

// rowsOf are the rows of a table as kerf export ledger prints them.
func rowsOf[T any](t *testing.T, dir, table string) []T {
	t.Helper()
	code, stdout, stderr := command(dir, false, "export", "ledger", "--table", table)
	if code != exitDone {
		t.Fatal(stderr)
	}
	var out []T
	for l := range strings.Lines(stdout) {
		var row T
		if err := json.Unmarshal([]byte(l), &row); err != nil {
			t.Fatalf("%v: %s", err, l)
		}
		out = append(out, row)
	}
	return out
}

// place is a row about bytes of a document.
type place struct {
	Cell, QID, Doc, Unit, Before, After, Outcome string
	Start, End                                   int
}

// TestEveryOption runs the real command under every tokenizer, format, overflow
// rule and choice of ignorable gaps, and then reads the ledger like a stranger:
// contexts are rebuilt from the documents' bytes, counted as one text and judged
// byte by byte; no reader is shown or given a byte that is not theirs.
func TestEveryOption(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: fifteen runs, each read back row by row")
	}
	dir := restricted(t)
	type variant struct{ split, counter, format, overflow, ignorable, tokens string }
	var variants []variant
	names := token.Names()
	for i, split := range names {
		variants = append(variants,
			variant{split, names[(i+1)%len(names)], "numbered", "stop", "white_space", "700"},
			variant{split, names[(i+2)%len(names)], "bare", "skip", "strict", "350"},
			variant{split, split, "numbered", "truncate", "strict", "500"})
	}
	variants = append(variants, variant{"words", "cl100k_base", "numbered", "skip", "white_space", "30"}, variant{"words", "words", "bare", "stop", "white_space", "0"},
		variant{"words", "cl100k_base", "numbered", "truncate", "white_space", "0"})
	totals := map[string]int{}
	for _, v := range variants {
		name := fmt.Sprint(v)
		writeTestFile(t, filepath.Join(dir, "kerf.yaml"), fmt.Sprintf(`kerf: experiment/1
phases: {grid: 2}
ignorable: %s
budget: {tokens: %s, tokenizer: %s, format: %s, overflow: %s}
arms:
  a: {split: {by: tokens, tokenizer: %s, size: 60, overlap: 10}}
  b: {split: {by: tokens, tokenizer: %s, size: 200, overlap: 0, edge: keep}}
`, v.ignorable, v.tokens, v.counter, v.format, v.overflow, v.split, v.split))
		code, stdout, stderr := command(dir, false, "run", "--hits", "all")
		if code != exitDone {
			t.Fatalf("%s: %d %s", name, code, stderr)
		}
		if v.tokens == "0" && !strings.Contains(stdout, "empty-context") {
			t.Errorf("%s: no warning of empty contexts: %s", name, stdout)
		}
		counter, err := token.Named(v.counter)
		if err != nil {
			t.Fatal(err)
		}
		audit(t, dir, name, v.format, v.ignorable == "strict", counter, totals)
	}
	for _, what := range []string{"contexts", "empty", "supported", "gap only", "not whole", "restricted hits", "within", "packed", "overflow", "skipped", "truncated", "unread"} {
		if totals[what] == 0 {
			t.Errorf("nothing was seen of %q: %v", what, totals)
		}
	}
}

func audit(t *testing.T, dir, name, format string, strict bool, counter token.Tokenizer, totals map[string]int) {
	t.Helper()
	texts := map[string]string{}
	for _, s := range rowsOf[struct{ Doc, Path string }](t, dir, "source") {
		texts[s.Doc] = read(t, filepath.Join(dir, "docs", s.Path))
	}
	type query struct {
		QID            string
		Reader, Within []string
	}
	queries := map[string]query{}
	for _, q := range rowsOf[query](t, dir, "query") {
		queries[q.QID] = q
	}
	// The restrictions of the project, written down once more.
	allowed := func(p place) bool {
		q := queries[p.QID]
		if len(q.Within) > 0 && !slices.Contains(q.Within, p.Doc) {
			return false
		}
		has := func(names ...string) bool {
			return slices.ContainsFunc(q.Reader, func(r string) bool { return slices.Contains(names, r) })
		}
		switch p.Doc {
		case "returns.md":
			return has("staff")
		case "leave.md":
			return p.End <= 300 || p.Start >= 900 || has("hr", "board")
		}
		return true
	}
	for _, h := range rowsOf[place](t, dir, "retrieval") {
		if !allowed(h) {
			t.Errorf("%s: %s: %s was ranked %s[%d,%d)", name, h.Cell, h.QID, h.Doc, h.Start, h.End)
		}
		totals[h.Outcome]++
		if h.Doc == "returns.md" || h.Doc == "leave.md" && h.Start < 900 && h.End > 300 {
			totals["restricted hits"]++
		}
		if len(queries[h.QID].Within) > 0 {
			totals["within"]++
		}
	}
	type unitRow struct{ Cell, Digest, Bytes string }
	units := map[string]string{}
	for _, u := range rowsOf[unitRow](t, dir, "unit") {
		units[u.Cell+u.Digest] = u.Bytes
	}
	type shown struct {
		literal strings.Builder
		texts   []string
		bytes   map[string]map[int]bool // by document
	}
	contexts := map[string]*shown{}
	for _, c := range rowsOf[place](t, dir, "context") {
		text := texts[c.Doc][c.Start:c.End]
		if units[c.Cell+c.Unit] != text || ledger.Object([]byte(text)) != c.Unit {
			t.Errorf("%s: %s: %s: the unit's bytes are not those of %s[%d,%d)", name, c.Cell, c.QID, c.Doc, c.Start, c.End)
		}
		if !allowed(c) {
			t.Errorf("%s: %s: %s was shown %s[%d,%d)", name, c.Cell, c.QID, c.Doc, c.Start, c.End)
		}
		k := c.Cell + " " + c.QID
		if contexts[k] == nil {
			contexts[k] = &shown{bytes: map[string]map[int]bool{}}
		}
		s := contexts[k]
		s.literal.WriteString(c.Before + text + c.After)
		s.texts = append(s.texts, text)
		if format == "bare" && c.Before+c.After != "" {
			t.Errorf("%s: %q around a bare unit", name, c.Before+c.After)
		}
		if s.bytes[c.Doc] == nil {
			s.bytes[c.Doc] = map[int]bool{}
		}
		for i := c.Start; i < c.End; i++ {
			s.bytes[c.Doc][i] = true
		}
	}
	type budgetRow struct {
		Cell, QID      string
		Ceiling, Units int
		Tokens         int    `json:"evidence_tokens"`
		Context        string `json:"context_sha256"`
	}
	for _, b := range rowsOf[budgetRow](t, dir, "budget") {
		totals["contexts"]++
		s := contexts[b.Cell+" "+b.QID]
		if s == nil {
			totals["empty"]++
			s = &shown{}
		}
		tokens := counter.Count(s.literal.String())
		if format == "bare" { // each by itself
			tokens = 0
			for _, text := range s.texts {
				tokens += counter.Count(text)
			}
		}
		if tokens != b.Tokens || tokens > b.Ceiling || len(s.texts) != b.Units || ledger.Object([]byte(s.literal.String())) != b.Context {
			t.Errorf("%s: %s: %s: a context of %d tokens in %d units has the row %+v", name, b.Cell, b.QID, tokens, len(s.texts), b)
		}
	}
	type supportRow struct {
		place
		Set int
	}
	support := map[string]map[int][]place{}
	for _, r := range rowsOf[supportRow](t, dir, "support") {
		if support[r.QID] == nil {
			support[r.QID] = map[int][]place{}
		}
		support[r.QID][r.Set] = append(support[r.QID][r.Set], r.place)
	}
	type verdictRow struct {
		Cell, QID string
		Support   bool
		Strict    bool `json:"support_strict"`
	}
	for _, v := range rowsOf[verdictRow](t, dir, "verdict") {
		whole := func(bridge bool) bool {
			s := contexts[v.Cell+" "+v.QID]
			for _, set := range support[v.QID] {
				missing := s == nil
				for _, p := range set {
					text := texts[p.Doc][p.Start:p.End]
					for i, r := range text {
						if missing || bridge && unicode.IsSpace(r) {
							continue
						}
						for j := range len(string(r)) {
							missing = missing || !s.bytes[p.Doc][p.Start+i+j]
						}
					}
				}
				if !missing {
					return true
				}
			}
			return false
		}
		if v.Strict != whole(false) || v.Support != whole(!strict) {
			t.Errorf("%s: %s: %s: the row says %+v, the bytes say %v, bridging white space %v", name, v.Cell, v.QID, v, whole(false), whole(true))
		}
		switch {
		case v.Support && !v.Strict:
			totals["gap only"]++
		case v.Support:
			totals["supported"]++
		default:
			totals["not whole"]++
		}
	}
}

// TestExplainOfTheRestricted: evidence that a question's reader may not be shown is
// said to be so, chunk by chunk.
func TestExplainOfTheRestricted(t *testing.T) {
	dir := restricted(t)
	writeTestFile(t, filepath.Join(dir, "golden.jsonl"), `{"kerf":"golden/1","unit":"byte"}
{"qid":"denied","question":"May I see it?","spans":{"e":{"doc":"leave.md","start":400,"end":500,"quote":`+quoted(t, read(t, filepath.Join(dir, "docs", "leave.md"))[400:500])+`}},"support":[["e"]]}
`)
	code, stdout, stderr := command(dir, false, "explain", "denied", "--json")
	const want = "the reader may not read the whole chunk"
	if code != exitDone || !strings.Contains(stdout, want) || !strings.Contains(stdout, `"outcome":"denied"`) || strings.Contains(stdout, `"covered":true`) || strings.Contains(stdout, "null") {
		t.Errorf("%d %s %s", code, stderr, stdout)
	}
	if _, stdout, _ = command(dir, false, "explain", "denied"); !strings.Contains(stdout, want) {
		t.Error(stdout)
	}
}

func quoted(t *testing.T, s string) string {
	t.Helper()
	b, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestAllPhases: `phases: all` gives every figure that a grid of the stride gives,
// from blocks of bits where the grid has a cell for each placement.
func TestAllPhases(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: 280 placements")
	}
	dir := restricted(t)
	figures := func(phases string) []compare.Arm {
		writeTestFile(t, filepath.Join(dir, "kerf.yaml"), "kerf: experiment/1\nphases: "+phases+`
budget: {tokens: 600}
arms:
  w70: {split: {by: tokens, tokenizer: words, size: 70}}
  c70: {split: {by: tokens, tokenizer: cl100k_base, size: 90, overlap: 20}}
`)
		code, stdout, stderr := command(dir, false, "run", "--json")
		if code != exitDone {
			t.Fatal(stderr)
		}
		if want := map[string]int{"all": 4, "{grid: 70}": 140}[phases]; cellCounts(t, stderr)[0] != want {
			t.Errorf("%s: %s", phases, stderr)
		}
		var report struct {
			Arms []compare.Arm
		}
		if err := json.Unmarshal([]byte(stdout), &report); err != nil {
			t.Fatal(err)
		}
		return report.Arms
	}
	all, grid := figures("all"), figures("{grid: 70}")
	if len(all) != 2 || len(all[0].Views.Budget.Phase) != 70 {
		t.Fatal(len(all))
	}
	for i := range all {
		firsts := []int{}
		for _, p := range all[i].Views.Budget.Phase {
			firsts = append(firsts, p.FirstCut)
		}
		for first := 1; first <= 70; first++ {
			if firsts[first-1] != first {
				t.Fatalf("%s: first cuts %v", all[i].Arm, firsts)
			}
		}
		if !reflect.DeepEqual(all[i], grid[i]) {
			a, _ := json.Marshal(all[i])
			g, _ := json.Marshal(grid[i])
			t.Errorf("%s: all placements:\n%s\na grid of them:\n%s", all[i].Arm, a, g)
		}
		if f := all[i].Views.Budget.Support; f.Num == 0 || f.Num == f.Den || f.Missing != 0 {
			t.Errorf("%s: support %v says nothing", all[i].Arm, f)
		}
	}
}

// TestChunkAboveBudget: chunks that alone exceed the budget are counted in a
// warning of the report; the run ends with 0.
func TestChunkAboveBudget(t *testing.T) {
	dir := handbookProject(t)
	writeTestFile(t, filepath.Join(dir, "kerf.yaml"), "kerf: experiment/1\nphases: {grid: 1}\nbudget: {tokens: 100}\narms:\n  big: {split: {by: tokens, size: 200}}\n")
	code, stdout, stderr := command(dir, false, "run")
	if code != exitDone || !strings.Contains(stdout, "chunk-above-budget") || !strings.Contains(stdout, "empty-context") {
		t.Errorf("%d %s %s", code, stderr, stdout)
	}
}
