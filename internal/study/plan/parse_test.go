package plan

import (
	"fmt"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// read parses an experiment whose first line is added here.
func read(body string) (Experiment, []string) {
	e, found := Parse("kerf.yaml", []byte("kerf: experiment/1\n"+body))
	var lines []string
	for _, f := range found {
		line := fmt.Sprintf("%d:%d %s %s", f.Line, f.Column, f.Code, f.Message)
		if f.Hint != "" && f.Code != CodeLater && f.Code != CodeIntervention {
			line += " | " + f.Hint
		}
		if f.Paste != "" {
			line += " | " + f.Paste
		}
		lines = append(lines, line)
	}
	return e, lines
}

// placeless forgets where arms stand, for comparisons.
func placeless(e Experiment) Experiment {
	e.Arms = slices.Clone(e.Arms)
	for i := range e.Arms {
		e.Arms[i].At = Place{}
	}
	return e
}

func TestDefault(t *testing.T) {
	d := Default()
	for _, body := range []string{"", "# only a comment\n", "grid: {}\n", "grid: {size: [256, 512, 1024, 2048], overlap: [0, 20%], tokenizer: cl100k_base, retrieve: {by: bm25}}\n",
		"at_k: 5\nbaseline: tokens-256-0\naccess: deny\nreport: {redact: none}\nphases: {grid: 8}\n"} {
		e, found := read(body)
		if len(found) > 0 || !reflect.DeepEqual(placeless(e), d) {
			t.Errorf("%q: %v\n got %+v\nwant %+v", body, found, e, d)
		}
	}
	var names []string
	for _, a := range d.Arms {
		names = append(names, a.Name)
	}
	if got, want := strings.Join(names, " "), "tokens-256-0 tokens-256-51 tokens-512-0 tokens-512-102 tokens-1024-0 tokens-1024-204 tokens-2048-0 tokens-2048-409"; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestEveryKey(t *testing.T) {
	e, found := read(`corpus: "c.jsonl"
golden: sets/g.jsonl
reader: [staff, "no"]
budget: {tokens: 0, tokenizer: words, allowance: 1, output: 2, overflow: truncate, format: bare, curve: [20, 10]}
access: clip
stale: exclude
report: {redact: text}
k: [7, 2]
depth: 7
phases: {all: true, target: worst}
ignorable: strict
seed: 9
baseline: b.1
gate: {arm: b.1, fail_on: never, tolerance: {support: 0.05, mrr: 12.5%}, floor: {mrr: 1}, segments: [rule, "no"]}
arms:
  "512": {split: {by: tokens, tokenizer: codepoints, size: 10, overlap: 12.5%, edge: keep}, retrieve: {by: bm25}}
  b.1:
    split:
      size: 16
      overlap: 3
grid:
  size: [8]
  overlap: ["25%"]
  tokenizer: o200k_base
  edge: keep
`)
	want := Experiment{Corpus: "c.jsonl", Golden: "sets/g.jsonl", Reader: []string{"staff", "no"}, Access: "clip",
		Budget: Budget{0, "words", 1, 2, "truncate", "bare", []int{10, 20}}, K: []int{2, 7}, AtK: 7, Depth: 7, Phases: Phases{All: true, Target: "worst"},
		Ignorable: "strict", Stale: "exclude", Seed: 9, Baseline: "b.1", Redact: "text",
		Gate: Gate{"b.1", "never", []Bound{{"support", Fraction{1, 20}, Place{15, 55}}, {"mrr", Fraction{1, 8}, Place{15, 66}}}, []Bound{{"mrr", Fraction{1, 1}, Place{15, 87}}}, []string{"rule", "no"}, Place{15, 13}},
		Arms: []Arm{
			{Name: "512", Split: Split{By: "tokens", Tokenizer: "codepoints", Size: 10, Overlap: 1, Share: Fraction{1, 8}, Edge: "keep"}, Retrieve: bm25, At: Place{17, 3}},
			{Name: "b.1", Split: Split{By: "tokens", Tokenizer: "cl100k_base", Size: 16, Overlap: 3, Share: Fraction{}, Edge: "drop-contained"}, Retrieve: bm25, At: Place{18, 3}},
			{Name: "tokens-8-2", Split: Split{By: "tokens", Tokenizer: "o200k_base", Size: 8, Overlap: 2, Share: Fraction{1, 4}, Edge: "keep"}, Retrieve: bm25, At: Place{23, 10}},
		}}
	if len(found) > 0 || !reflect.DeepEqual(e, want) {
		t.Errorf("%v\n got %+v\nwant %+v", found, e, want)
	}
}

func TestGridMeetsArms(t *testing.T) {
	e, found := read("grid: {size: [16, 32], overlap: [0, 25%]}\narms: {tokens-32-8: {split: {size: 32, overlap: 8}}}\n")
	var names []string
	for _, a := range e.Arms {
		names = append(names, a.Name)
	}
	if got, want := strings.Join(names, " "), "tokens-32-8 tokens-16-0 tokens-16-4 tokens-32-0"; got != want || len(found) > 0 || e.Baseline != "tokens-32-8" {
		t.Errorf("got %s, baseline %s, %v; want %s", got, e.Baseline, found, want)
	}
	e, found = read("phases: {grid: 1}\ngrid: {size: [4], overlap: [0, 20%]}\n") // 20 % of 4 is 0 tokens
	if len(found) > 0 || len(e.Arms) != 1 {
		t.Errorf("got %v, %v", e.Arms, found)
	}
}

func TestFindings(t *testing.T) {
	for name, c := range map[string]struct {
		body string
		want []string
	}{
		"words that are no text": {"reader: [de, no, en, on, 1.20, 012, 1_000, 12:30, 1e3, ~, 0x10, 2026-01-02, .inf, \"no\"]\nbaseline: Yes\n", []string{
			`2:14 E007 reader[1]: YAML takes this word for a truth value, and text is due | quote it | "no"`,
			`2:22 E007 reader[3]: YAML takes this word for a truth value, and text is due | quote it | "on"`,
			`2:26 E007 reader[4]: YAML takes this word for a number, and text is due | quote it | "1.20"`,
			`2:32 E007 reader[5]: YAML takes this word for a number, and text is due | quote it | "012"`,
			`2:37 E007 reader[6]: YAML takes this word for a number, and text is due | quote it | "1_000"`,
			`2:44 E007 reader[7]: YAML takes this word for a number in base 60, and text is due | quote it | "12:30"`,
			`2:51 E007 reader[8]: YAML takes this word for a number, and text is due | quote it | "1e3"`,
			`2:56 E007 reader[9]: YAML takes this word for nothing, and text is due | quote it | "~"`,
			`2:59 E007 reader[10]: YAML takes this word for a number, and text is due | quote it | "0x10"`,
			`2:65 E007 reader[11]: YAML takes this word for a date, and text is due | quote it | "2026-01-02"`,
			`2:77 E007 reader[12]: YAML takes this word for a number, and text is due | quote it | ".inf"`,
			`3:11 E007 baseline: YAML takes this word for a truth value, and text is due | quote it | baseline: "Yes"`,
		}},
		"arm names": {"arms:\n  no: {split: {size: 9}}\n  12: {split: {size: 9}}\n  .a: {split: {size: 9}}\n  a/b: {split: {size: 9}}\n  \"\": {split: {size: 9}}\n  A: {split: {size: 9}}\n  a: {split: {size: 9}}\n", []string{
			`3:3 E007 arms.no: YAML takes this word for a truth value, and text is due | quote it | "no":`,
			`4:3 E007 arms.12: YAML takes this word for a number, and text is due | quote it | "12":`,
			`5:3 E009 .a cannot be the name of an arm`,
			`6:3 E009 a/b cannot be the name of an arm`,
			`7:3 E009 "" cannot be the name of an arm`,
			`9:3 E009 arms A and a differ in capitals alone`,
		}},
		"whole numbers": {"k: true\nat_k: 1.0\ndepth: \"5\"\nseed: 0x10\nbudget: {tokens: -1, allowance: 1e3, output: 99999999999}\n", []string{
			`2:4 E008 k is not a list of whole numbers | k: [true]`,
			`3:7 E008 at_k is not a whole number from 1 to 100000 | at_k: 1`,
			`4:8 E008 depth is not a whole number from 1 to 100000 | depth: 5`,
			`5:7 E008 seed is not a whole number from 0 to 2147483647`,
			`6:18 E008 budget.tokens is not a whole number from 0 to 1000000000`,
			`6:33 E008 budget.allowance is not a whole number from 0 to 1000000000`,
			`6:46 E008 budget.output is not a whole number from 0 to 1000000000`,
		}},
		"cut-offs":       {"k: [1, 3, 3, true, 0]\n", []string{`2:11 E008 k names 3 twice`, `2:14 E008 k[3] is not a whole number from 1 to 100000`, `2:20 E008 k[4] is not a whole number from 1 to 100000`}},
		"at_k not in k":  {"k: [1, 3]\nat_k: 2\n", []string{`3:7 E008 at_k: 2 is not one of k | at_k: 3`}},
		"k beyond depth": {"depth: 4\n", []string{`2:8 E008 k: 10 is beyond depth: 4, the number of hits that are ranked | depth: 10`}},
		"repeated keys":  {"budget:\n  tokens: 1\n  output: 2\n  tokens: 3\nk: [1]\nk: [1]\n", []string{`5:3 E002 budget.tokens stands twice, in lines 3 and 5 | remove one of the two`, `7:1 E002 k stands twice, in lines 6 and 7 | remove one of the two`}},
		"unknown keys": {"budgets: {tokens: 1}\nbudget: {tokenn: 1, Format: bare}\nzebra: 1\narms: {a: {splitt: {}, split: {siez: 9, size: 9}}}\n", []string{
			`2:1 E004 unknown key budgets | did you mean "budget"?`,
			`3:10 E004 unknown key budget.tokenn | did you mean "tokens"?`,
			`3:21 E004 unknown key budget.Format | did you mean "format"?`,
			`4:1 E004 unknown key zebra`,
			`5:12 E004 unknown key arms.a.splitt | did you mean "split"?`,
			`5:32 E004 unknown key arms.a.split.siez | did you mean "size"?`,
		}},
		"unknown, near a later key": {"gates: {}\n", []string{`2:1 E004 unknown key gates | did you mean "gate"?`}},
		"place of a block":          {"arms:\n  a:\n    split:\n      by: tokens\n", []string{`5:7 E008 arms.a.split.size is missing | size: 512`}},
		"gate": {"gate: {arm: tokens-256-1, fail_on: always, tolerance: {support: nan, mrr: -0.1, support: 0.5}, floor: {support: inf, mrr: 1.01}, tolerence: {}}\n", []string{
			`2:13 E009 gate.arm tokens-256-1 is no arm | did you mean "tokens-256-0"?`,
			`2:36 E008 gate.fail_on is not one of regression, never`,
			`2:65 E008 gate.tolerance.support is not a share, finite and not negative, from 0 to 1 (0.05 or 5%)`,
			`2:75 E008 gate.tolerance.mrr is not a share, finite and not negative, from 0 to 1 (0.05 or 5%)`,
			`2:81 E002 gate.tolerance.support stands twice, in lines 2 and 2 | remove one of the two`,
			`2:113 E008 gate.floor.support is not a share, finite and not negative, from 0 to 1 (0.05 or 5%)`,
			`2:123 E008 gate.floor.mrr is not a share, finite and not negative, from 0 to 1 (0.05 or 5%)`,
			`2:130 E004 unknown key gate.tolerence | did you mean "tolerance"?`}},
		"gate, one share for all": {"gate: {tolerance: 0.05}\n", []string{`2:19 E008 gate.tolerance is not a mapping of keys`}},
		"later keys": {"gate: {tolerance: {answer_accuracy: 0.1}}\nendpoints: {}\nspend: {tokens: 0}\nphases: {grid: 8, scope: labelled}\n", []string{
			`2:20 E005 gate.tolerance.answer_accuracy is not in this version`, `3:1 E005 endpoints is not in this version`, `4:1 E005 spend is not in this version`,
			`5:19 E005 phases.scope is not in this version`,
		}},
		"later arms": {"arms:\n  a: {split: {by: headings, max: 512}, header: {}, rerank: {}, expand: {}, k_unit: children}\n  c: {split: {size: 9}, retrieve: {by: hybrid, of: [], rrf: 60}}\n  d: {split: {size: 9, tokenizer: \"wordpiece:f\"}}\n", []string{
			`3:19 E005 arms.a.split.by: headings is not in this version`, `3:29 E005 arms.a.split.max is not in this version`, `3:40 E005 arms.a.header is not in this version`,
			`3:52 E005 arms.a.rerank is not in this version`, `3:64 E005 arms.a.expand is not in this version`, `3:76 E005 arms.a.k_unit is not in this version`,
			`4:40 E005 arms.c.retrieve.by: hybrid is not in this version`, `4:48 E005 arms.c.retrieve.of is not in this version`, `4:56 E005 arms.c.retrieve.rrf is not in this version`,
			`5:35 E005 arms.d.split.tokenizer: wordpiece is not in this version`,
		}},
		"interventions": {"factorial: [padding]\nbudget: {order: reversed}\narms: {a: {split: {size: 9, padding: 3}, compression: llm}}\ngrid: {serialisation: html}\n", []string{
			`2:1 E006 factorial is refused in a sweep: padding, serialisation, compression and order are interventions of their own, not placements of the cuts`,
			`3:10 E006 budget.order is refused in a sweep: padding, serialisation, compression and order are interventions of their own, not placements of the cuts`,
			`4:29 E006 arms.a.split.padding is refused in a sweep: padding, serialisation, compression and order are interventions of their own, not placements of the cuts`,
			`4:42 E006 arms.a.compression is refused in a sweep: padding, serialisation, compression and order are interventions of their own, not placements of the cuts`,
			`5:8 E006 grid.serialisation is refused in a sweep: padding, serialisation, compression and order are interventions of their own, not placements of the cuts`,
		}},
		"size and overlap": {"arms:\n  a: {split: {tokenizer: codepoints, size: 5, overlap: 5}}\n  b: {split: {tokenizer: codepoints, size: 5, overlap: 7}}\n  c: {split: {tokenizer: codepoints, size: 0, overlap: 0}}\n  d: {split: {tokenizer: codepoints, size: -3, overlap: 0}}\n  e: {split: {tokenizer: codepoints, size: 5, overlap: -1}}\n  f: {split: {size: 9, overlap: 100%}}\n  g: {split: {overlap: 1}}\n  h: {}\n  i: {split: {size: 9, overlap: half}}\n", []string{
			`3:56 E009 arms.a.split: size 5, overlap 5: overlap must be smaller than size`,
			`4:56 E009 arms.b.split: size 5, overlap 7: overlap must be smaller than size`,
			`5:44 E009 arms.c.split: size 0, overlap 0: size must be at least 1`,
			`6:44 E009 arms.d.split: size -3, overlap 0: size must be at least 1`,
			`7:56 E009 arms.e.split: size 5, overlap -1: overlap must not be negative`,
			`8:33 E009 arms.f.split: size 9, overlap 9: overlap must be smaller than size`,
			`9:14 E008 arms.g.split.size is missing | size: 512`,
			`10:3 E008 arms.h.split is missing | split: {by: tokens, size: 512}`,
			`11:33 E008 arms.i.split.overlap is not tokens (32) or a share of the size (20%)`,
		}},
		"grid": {"grid: {size: [8, 8, 0], overlap: 20%}\n", []string{
			`2:18 E008 grid.size names 8 twice`, `2:21 E008 grid.size[2] is not a whole number from 1 to 1000000`, `2:34 E008 grid.overlap is not a list of overlaps | overlap: [20%]`}},
		"grid overlap":       {"grid: {size: [32, 16], overlap: [0, 20]}\n", []string{`2:37 E009 grid: size 16, overlap 20: overlap must be smaller than size`}},
		"grid against arm":   {"arms: {tokens-16-0: {split: {size: 16, edge: keep}}}\ngrid: {size: [16], overlap: [0]}\n", []string{`2:8 E009 arm tokens-16-0 differs from the grid's arm of that name | give it another name, or take its size out of the grid`}},
		"placements":         {"phases: {grid: 300}\n", []string{`2:9 E009 arm tokens-256-0: 300 placements do not fit into a stride of 256 tokens (size 256 less overlap 0) | phases: {grid: 256}`, `2:9 E009 arm tokens-256-51: 300 placements do not fit into a stride of 205 tokens (size 256 less overlap 51) | phases: {grid: 205}`}},
		"placements, arm":    {"arms: {a: {split: {size: 9, overlap: 2}}}\n", []string{`2:8 E009 arm a: 8 placements do not fit into a stride of 7 tokens (size 9 less overlap 2) | phases: {grid: 7}`}},
		"phases: number":     {"phases: 8\n", []string{`2:9 E008 phases is not all or {grid: N} | phases: {grid: 8}`}},
		"phases: both":       {"phases: {grid: 8, all: true}\n", []string{`2:9 E008 phases is not all or {grid: N}`}},
		"phases: none":       {"phases: {}\n", []string{`2:9 E008 phases is not all or {grid: N}`}},
		"phases: false":      {"phases: {all: false}\n", []string{`2:15 E008 phases.all is not true | all: true`}},
		"baseline":           {"baseline: tokens-256-50\n", []string{`2:11 E009 baseline tokens-256-50 is no arm | did you mean "tokens-256-0"?`}},
		"baseline, bad grid": {"baseline: tokens-16-0\ngrid: {size: [x]}\n", []string{`3:15 E008 grid.size[0] is not a whole number from 1 to 1000000`}},
		"choices": {"ignorable: whitespace\nbudget: {overflow: stopp, format: no, tokenizer: cl100k}\n", []string{
			`2:12 E008 ignorable is not one of white_space, strict | did you mean "white_space"?`, `3:20 E008 budget.overflow is not one of stop, skip, truncate | did you mean "stop"?`,
			`3:35 E008 budget.format is not one of numbered, bare`, `3:50 E008 budget.tokenizer is not one of cl100k_base, o200k_base, codepoints, words`}},
		"nothing": {"corpus:\nreader: []\nbudget:\narms: {}\n", []string{
			`2:1 E008 corpus is not text`, `3:9 E008 reader is not a list of texts`, `4:1 E008 budget is not a mapping of keys`, `5:7 E008 arms is not a mapping of names to arms`}},
		"wrong kinds":    {"corpus: [a]\nreader: staff\narms: [a]\n", []string{`2:9 E008 corpus is not text`, `3:9 E008 reader is not a list of texts | reader: [staff]`, `4:7 E008 arms is not a mapping of names to arms`}},
		"merge key":      {"base: &b {size: 256}\narms: {<<: *b}\n", []string{`2:7 E003 an anchor (&)`, `3:8 E003 a merge key (<<)`, `3:12 E003 an alias (*)`}},
		"tag":            {"seed: !!int 5\n", []string{`2:7 E003 a tag (!)`}},
		"complex key":    {"? a\n: 5\n", []string{`2:1 E003 a complex key (?)`}},
		"two documents":  {"---\nkerf: experiment/1\n", []string{`2:1 E003 the file holds several YAML documents`}},
		"tab":            {"budget:\n\ttokens: 5\n", []string{`3:1 E001 this is not YAML: found character '	' that cannot start any token | indent with blanks instead of tabs`}},
		"open bracket":   {"k: [1\n", []string{`2:4 E001`}},
		"not UTF-8":      {"corpus: é\xff\n", []string{`2:10 E001 the file is not UTF-8`}},
		"nested too far": {"k: " + strings.Repeat("[", 60) + strings.Repeat("]", 60), []string{`2:54 E010 the file is nested too deeply`}},
		"too long":       {strings.Repeat("#\n", maxBytes), []string{`0:0 E010 the file is too large`}},
		"too many arms":  {"grid: {size: [" + numbers(101) + "], overlap: [" + numbers(100) + "]}", []string{`2:7 E010 the grid has too many arms`}},
		"too many keys":  {strings.Repeat("a: 1\n", maxKeys), []string{`10001:2 E010 the file has too many keys`}},
	} {
		t.Run(name, func(t *testing.T) {
			_, got := read(c.body)
			ok := len(got) == len(c.want)
			for i := 0; ok && i < len(got); i++ {
				ok = strings.HasPrefix(got[i], c.want[i]) // some messages come from the YAML library
			}
			if !ok {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
			}
		})
	}
}

func numbers(n int) string {
	var s []string
	for i := range n {
		s = append(s, fmt.Sprint(1000+i))
	}
	return strings.Join(s, ",")
}

// TestWhole reads files that have another first line.
func TestWhole(t *testing.T) {
	for content, want := range map[string]string{
		"":                         "kerf.yaml:1:1: error[E001]: the experiment is empty",
		"# nothing\n":              "kerf.yaml:1:1: error[E001]: the experiment is empty",
		"---\n":                    "kerf.yaml:1:1: error[E001]: the experiment is empty",
		"- kerf\n":                 "kerf.yaml:1:1: error[E008]: the experiment is not a mapping of keys",
		"kerf\n":                   "kerf.yaml:1:1: error[E008]: the experiment is not a mapping of keys",
		"seed: 1\n":                "kerf.yaml:1:1: error[E008]: kerf is missing",
		"kerf: experiment/2\n":     "kerf.yaml:1:7: error[E008]: kerf is not experiment/1",
		"\tkerf: experiment/1\n":   "kerf.yaml:1:",
		"\ufeffkerf: experiment/1": "kerf.yaml:1:1: warning[E011]: the file begins with a byte order mark",
		"kerf: experiment/1\r\nseed: 3\r\n---\r\nk: [1]\r\n":                          "kerf.yaml:3:1: error[E003]: the file holds several YAML documents",
		`{"kerf": "experiment/1", "budget": {"tokens": 5, "output": 2, "tokens": 6}}`: "kerf.yaml:1:63: error[E002]: budget.tokens stands twice, in lines 1 and 1",
	} {
		_, found := Parse("kerf.yaml", []byte(content))
		if len(found) != 1 || !strings.HasPrefix(found[0].String(), want) {
			t.Errorf("%q:\n got %v\nwant %s", content, found, want)
		}
	}
	if e, found := Parse("kerf.yaml", []byte("---\nkerf: experiment/1\r\nseed: 3\r\n")); len(found) > 0 || e.Seed != 3 {
		t.Errorf("line ends and a document mark: %v, seed %d", found, e.Seed)
	}
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"", "kerf: experiment/1\n", "kerf: experiment/1\ngrid: {size: [16, 8], overlap: [0, 25%, 10]}\nphases: all\n",
		"kerf: experiment/1\narms:\n  a:\n    split: {size: 9, overlap: 12.5%}\n  \"no\": {split: {size: -1}}\nk: [1, true]\n",
		"a: &b {<<: *b}\n? x\n--- |\n  t\n...\n", "k: [1, 2\n- - 3\n'", "\ufeff%YAML 1.2\n---\n!!str a: >-\n  x", "arms: {a: {split: }}\nbaseline: \"\\u0000\""} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		e, found := Parse("kerf.yaml", content)
		for _, p := range found {
			if p.Code == "" || p.Message == "" || p.Line < 0 || p.Column < 0 {
				t.Errorf("%+v", p)
			}
		}
		if found.Errors() > 0 {
			return
		}
		if len(e.Arms) == 0 || !slices.Contains(e.K, e.AtK) || !slices.ContainsFunc(e.Arms, func(a Arm) bool { return a.Name == e.Baseline }) {
			t.Errorf("not fit to run: %+v", e)
		}
		for _, a := range e.Arms {
			if a.Split.Size < 1 || a.Split.Overlap < 0 || a.Stride() < 1 || !armName.MatchString(a.Name) {
				t.Errorf("not fit to run: %+v", a)
			}
			if !e.Phases.All {
				if _, err := e.Phases.Labels(a); err != nil {
					t.Error(err)
				}
			}
		}
	})
}

// TestPage parses what docs/format/experiment.md shows.
func TestPage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/format/experiment.md")
	if err != nil {
		t.Fatal(err)
	}
	blocks := strings.Split(string(page), "```yaml\n")[1:]
	if len(blocks) != 3 {
		t.Fatalf("%d examples", len(blocks))
	}
	for _, b := range blocks {
		body, _, _ := strings.Cut(b, "```")
		e, found := read(body)
		if len(found) > 0 {
			t.Errorf("%s\n%v", body, found)
		}
		if strings.HasPrefix(body, "grid") && !reflect.DeepEqual(placeless(e), Default()) {
			t.Errorf("the grid of the page is not the default: %+v", e)
		}
	}
	for _, code := range []string{CodeSyntax, CodeDuplicate, CodeFeature, CodeUnknown, CodeLater, CodeIntervention, CodeQuote, CodeValue, CodeArm, CodeSize, CodeBOM, CodeNoisy} {
		if !strings.Contains(string(page), "| "+code+" |") {
			t.Errorf("the page does not explain %s", code)
		}
	}
}
