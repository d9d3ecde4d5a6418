package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"kerf/internal/study/ledger"
)

// compiled is every schema, checked against its own dialect.
func compiled(t *testing.T) map[string]*jsonschema.Schema {
	t.Helper()
	out := map[string]*jsonschema.Schema{}
	for _, s := range schemas() {
		code, stdout, stderr := command(t.TempDir(), false, "export", "schema", s.kind)
		if code != 0 {
			t.Fatal(stderr)
		}
		doc, err := jsonschema.UnmarshalJSON(strings.NewReader(stdout))
		if err != nil {
			t.Fatalf("%s: %v", s.kind, err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource("mem:"+s.kind, doc); err != nil {
			t.Fatalf("%s: %v", s.kind, err)
		}
		if out[s.kind], err = c.Compile("mem:" + s.kind); err != nil {
			t.Fatalf("%s: %v", s.kind, err)
		}
	}
	return out
}

// parsed is one JSON value.
func parsed(t *testing.T, text string) any {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	if err != nil {
		t.Fatalf("%v: %.200s", err, text)
	}
	return v
}

// mutants are copies of v, each with one value of another type or one key too
// many; free are the keys whose values may be anything.
func mutants(v any, free ...string) []any {
	var out []any
	var at func(v any, put func(any) any)
	at = func(v any, put func(any) any) {
		switch v := v.(type) {
		case map[string]any:
			wider := map[string]any{"no such key": nil}
			for k, e := range v {
				wider[k] = e
			}
			out = append(out, put(wider), put([]any{}))
			for k, e := range v {
				if slices.Contains(free, k) {
					continue
				}
				at(e, func(n any) any {
					c := map[string]any{}
					for k, e := range v {
						c[k] = e
					}
					c[k] = n
					return put(c)
				})
			}
		case []any:
			out = append(out, put("a list no more"))
			if len(v) > 0 {
				last := len(v) - 1
				at(v[last], func(n any) any { return put(append(slices.Clone(v[:last]), n)) })
			}
		case string:
			out = append(out, put(json.Number("7.5")))
		default: // a number, true, false
			out = append(out, put("another type"))
		}
	}
	at(v, func(n any) any { return n })
	return out
}

// Every kind of real output is what its schema says, and no mutant of it is.
func TestSchemas(t *testing.T) {
	all := compiled(t)
	seen := map[string]int{}
	check := func(kind, where string, v any) {
		t.Helper()
		if err := all[kind].Validate(v); err != nil {
			t.Errorf("%s: %s: %v", kind, where, err)
			return
		}
		if seen[kind]++; seen[kind] > 20 {
			return
		}
		// What maps of counted names hold is counts alone: another key is legal.
		maps := []string{"tags", "origin", "sample", "dependency", "adjudication", "author", "method", "review", "overlap", "spans", "reasons", "arms", "measures", "page"}
		wrong := mutants(v, maps...)
		for i := 0; i < len(wrong); i += 1 + len(wrong)/40 { // of a report there are thousands
			m := wrong[i]
			if all[kind].Validate(m) == nil {
				t.Errorf("%s: %s: mutant %d is valid: %.300v", kind, where, i, m)
			}
		}
	}
	lines := func(kind, where, content string) {
		t.Helper()
		for i, l := range strings.Split(strings.TrimSpace(strings.TrimPrefix(content, "\ufeff")), "\n") {
			check(kind, fmt.Sprintf("%s:%d", where, i+1), parsed(t, l))
		}
	}
	dir := t.TempDir()
	run := func(want int, args ...string) string {
		t.Helper()
		code, stdout, stderr := command(dir, false, args...)
		if code != want {
			t.Fatalf("%v: exit %d: %s", args, code, stderr)
		}
		return stdout
	}
	run(0, "demo", ".")
	latest := filepath.Join(dir, ".kerf", "runs", strings.TrimSpace(read(t, filepath.Join(dir, ".kerf", "runs", "latest"))))
	lines("corpus/1", "corpus.jsonl", read(t, filepath.Join(dir, "corpus.jsonl")))
	lines("golden/1", "golden.jsonl", read(t, filepath.Join(dir, "golden.jsonl")))
	lines("golden/1", "labels by chunk id", `{"kerf":"golden/1","unit":"byte","chunks":"sha256:`+strings.Repeat("0", 64)+`"}`+"\n"+
		`{"qid":"q","question":"?","relevant_chunk_ids":["a#1","b"],"answer_must_mention":["x"],"segment":"s"}`)
	for name, kind := range map[string]string{"report.json": "report/1", "manifest.json": "run/1", "timings.json": "timings/1"} {
		check(kind, name, parsed(t, read(t, filepath.Join(latest, name))))
	}
	manifests, _ := filepath.Glob(filepath.Join(latest, "index", "*.json"))
	for _, m := range manifests[:4] {
		check("index/1", filepath.Base(m), parsed(t, read(t, m)))
	}
	var names []string
	for _, table := range ledger.Tables() {
		names = append(names, table.Name())
		rows := strings.Split(strings.TrimSpace(run(0, "export", "ledger", "--table", table.Name())), "\n")
		for _, l := range rows[:min(5, len(rows))] {
			if l != "" {
				check("ledger/1", table.Name(), parsed(t, l))
			}
		}
	}
	experiment := func(where, text string) {
		t.Helper()
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			t.Fatal(err)
		}
		b, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		check("experiment/1", where, parsed(t, string(b)))
	}
	experiment("kerf.yaml", read(t, filepath.Join(dir, "kerf.yaml")))
	experiment("arms", `{kerf: experiment/1, stale: exclude, access: clip, phases: all, budget: {curve: [100, 200]}, report: {redact: text}, arms: {a: {split: {by: tokens, size: 8, overlap: 25%}, retrieve: {by: bm25}}}}`)
	lines("chunks/1", "chunks", `{"kerf":"chunks/1","unit":"byte"}`+"\n"+`{"doc":"a","id":"a#0","start":0,"end":3,"text":"One","version":"12345678","prefix":"A"}`+"\n"+`{"doc":"a","id":"a#1","text":"two"}`)
	lines("texts/1", "texts", `{"kerf":"texts/1","separator":"\n\n"}`+"\n"+`{"doc":"p","text":"One.","page":1,"source":"s","access":{"read":["staff"],"spans":[{"start":0,"end":1,"unit":"byte","read":["hr"]}]}}`+"\n"+`{"doc":"p","text":"","page":"ii"}`)
	const searches = `{"kerf":"rankings/1","unit":"byte","name":"mine"}` + "\n" + `{"qid":"q","hits":[{"doc":"p","version":"sha256:12345678","start":0,"end":4,"score":1.5,"id":"x","text":"One.","prefix":"P"},{"id":"y"},{"doc":"p","text":"t"}]}` + "\n" + `{"qid":"r","error":"timeout"}`
	lines("rankings/1", "rankings", searches)
	writeTestFile(t, filepath.Join(dir, "run.txt"), "q Q0 a 1 2 x\nq Q0 b 2 1 x\n")
	writeTestFile(t, filepath.Join(dir, "qrels.txt"), "q 0 b 1\n")
	check("score/1", "score --qrels", parsed(t, run(0, "score", "run.txt", "--qrels", "qrels.txt", "--json")))
	writeTestFile(t, filepath.Join(dir, "paged", "docs.jsonl"), `{"kerf":"texts/1"}`+"\n"+`{"doc":"p","text":"One.","page":1,"access":{"read":["public"]}}`+"\n"+`{"doc":"p","text":"Two.","page":"ii"}`)
	check("freeze/1", "freeze --texts", parsed(t, run(0, "-C", filepath.Join(dir, "paged"), "freeze", "--texts", "docs.jsonl", "--json")))
	lines("corpus/1", "paged/corpus.jsonl", read(t, filepath.Join(dir, "paged", "corpus.jsonl")))
	check("cuts/1", "cuts", parsed(t, run(0, "cuts", "--json")))
	check("diff/1", "diff", parsed(t, run(0, "diff", "tokens-256-0", "tokens-256-51", "--json")))
	check("cuts/1", "cuts --phases", parsed(t, run(0, "cuts", "--phases", "2", "--json")))
	check("bench/1", "bench", parsed(t, run(0, "bench", "--rounds", "1", "--json")))
	check("power/1", "release power", parsed(t, run(0, "release", "power", "--margin", ".3", "--discordance", ".3", "--per-document", "1", "--rate", "9/h", "--json")))
	check("estimate/1", "estimate", parsed(t, run(0, "run", "--estimate", "--json")))
	check("explain/1", "explain", parsed(t, run(0, "explain", "--json")))
	check("report/1", "run --redact", parsed(t, run(0, "run", "--redact", "text", "--json")))
	check("freeze-verify/1", "freeze --verify", parsed(t, run(0, "freeze", "--verify", "--json")))
	check("check/1", "check", parsed(t, run(0, "check", "--json")))
	check("doctor/1", "doctor", parsed(t, run(0, "doctor", "--json")))
	check("doctor/1", "doctor --retriever", parsed(t, run(0, "doctor", "--retriever", "host '' filter", "--json")))
	check("init/1", "init", parsed(t, run(0, "init", "other", "--json")))
	check("add/1", "add", parsed(t, run(0, "add", "--json", "--question", "May I split my gift card?", "--doc", "returns.md", "--quote", "Once any part of it has been spent it can be neither returned nor split.")))
	check("anchor/1", "anchor", parsed(t, run(0, "anchor", "--json")))
	leave := filepath.Join(dir, "docs", "leave.md")
	writeTestFile(t, leave, strings.Replace(read(t, leave), "five days", "six days", 1))
	check("freeze/1", "freeze", parsed(t, run(0, "freeze", "docs", "--json")))
	check("anchor/1", "anchor, orphans", parsed(t, run(1, "anchor", "--json")))
	check("check/1", "check, stale", parsed(t, run(1, "check", "--json")))
	check("report/1", "run --stale", parsed(t, run(0, "run", "--stale", "exclude", "--json")))
	golden := filepath.Join(dir, "golden.jsonl")
	writeTestFile(t, golden, strings.Replace(read(t, golden), `"qid":"q-001",`, `"qid":"q-001","split":"heldout",`, 1))
	check("report/1", "run --heldout", parsed(t, run(0, "run", "--stale", "exclude", "--heldout", "--json")))
	lines("heldout/1", "heldout.jsonl", read(t, filepath.Join(dir, "heldout.jsonl")))
	for kind := range all {
		if seen[kind] == 0 {
			t.Errorf("%s: nothing was validated", kind)
		}
	}
	if want := tableNames(); !slices.Equal(names, want) {
		t.Errorf("tables %v, want %v", names, want)
	}
}

// The nine shared sets are golden/1 and corpus/1.
func TestSharedSetsFitTheirSchemas(t *testing.T) {
	all := compiled(t)
	shared := filepath.Join("..", "..", "..", "shared")
	if _, err := os.Stat(shared); err != nil {
		t.Skip("shared sets not present: ", shared)
	}
	sets, _ := filepath.Glob(filepath.Join(shared, "data", "*", "golden.jsonl"))
	if len(sets) != 9 {
		t.Fatalf("%d sets", len(sets))
	}
	for _, file := range sets {
		for name, kind := range map[string]string{"golden.jsonl": "golden/1", "corpus.jsonl": "corpus/1"} {
			path := filepath.Join(filepath.Dir(file), name)
			content, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for i, l := range bytes.Split(bytes.TrimSpace(content), []byte("\n")) {
				if i%50 > 3 {
					continue
				}
				if err := all[kind].Validate(parsed(t, string(l))); err != nil {
					t.Errorf("%s:%d: %v", path, i+1, err)
				}
			}
		}
	}
}

// Lines that the formats refuse, their schemas refuse too.
func TestSchemasRefuse(t *testing.T) {
	all := compiled(t)
	for kind, bad := range map[string][]string{
		"golden/1": {`{"kerf":"golden/1"}`, `{"kerf":"golden/2","unit":"byte"}`, `{"qid":"q","question":"?"}`, `{"qid":" q","question":"?","answerable":false}`,
			`{"qid":"q","question":"?","spans":{"a":{"doc":"d","quote":"x","start":1}},"support":[["a"]]}`,
			`{"qid":"q","question":"?","spans":{"a":{"doc":"d","quote":"x"}},"support":[[]]}`,
			`{"qid":"q","question":"?","answerable":false,"support":[["a"]]}`, `{"qid":"q","question":"?","answerable":false,"origin":"mail"}`,
			`{"qid":"q","question":"?","answerable":false,"must_mention":[]}`,
			`{"kerf":"golden/1","unit":"byte","chunks":"sha256:00"}`, `{"qid":"q","question":"?","relevant_chunk_ids":[]}`, `{"qid":"q","question":"?","relevant_chunk_ids":["12"]}`,
			`{"qid":"q","question":"?","relevant_chunk_ids":["x[3]"]}`, `{"qid":"q","question":"?","relevant_chunk_ids":["a","a"]}`, `{"qid":"q","question":"?","relevant_chunk_ids":["a"],"answerable":false}`,
			`{"qid":"q","question":"?","relevant_chunk_ids":["a"],"spans":{"a":{"doc":"d","quote":"x"}},"support":[["a"]]}`, `{"qid":"q","question":"?","answerable":false,"answer_must_mention":["x"]}`},
		"corpus/1":     {`{"kerf":"corpus/1"}`, `{"doc":"a","version":"sha256:00","path":"a","bytes":1}`, `{"doc":"a","version":"sha256:` + strings.Repeat("0", 64) + `","path":"a","bytes":1,"acess":{}}`},
		"experiment/1": {`{}`, `{"kerf":"experiment/1","phases":{"grid":8,"all":true}}`, `{"kerf":"experiment/1","arms":{"a":{"split":{"by":"headings","size":1}}}}`, `{"kerf":"experiment/1","k":[]}`},
		"texts/1":      {`{"kerf":"texts/1","seperator":""}`, `{"doc":"a"}`, `{"doc":"a","text":"x","page":" "}`, `{"doc":"a","text":"x","page":1.5}`, `{"doc":"a","text":"x","acess":{}}`},
		"chunks/1":     {`{"kerf":"chunks/1"}`, `{"doc":"a","id":"x"}`, `{"doc":"a","id":"x","start":1}`, `{"doc":"a","id":"x","text":""}`},
		"rankings/1":   {`{"qid":"q"}`, `{"qid":"q","hits":[],"error":"e"}`, `{"qid":"q","hits":[{}]}`, `{"qid":"q","hits":[{"doc":"a","start":1}]}`},
		"ledger/1":     {`{"table":"query","cell":"run"}`, `{"table":"nothing","cell":"run"}`},
	} {
		for _, l := range bad {
			if all[kind].Validate(parsed(t, l)) == nil {
				t.Errorf("%s takes %s", kind, l)
			}
		}
	}
}

// Every kind that is written anywhere in kerf has a schema.
func TestEveryKindHasASchema(t *testing.T) {
	for _, s := range schemas() {
		if !reflect.DeepEqual(s.make(s.kind), s.make(s.kind)) {
			t.Errorf("%s: two schemas differ", s.kind)
		}
	}
	code, _, stderr := command(t.TempDir(), false, "export", "schema", "reports")
	if code != 2 || !strings.Contains(stderr, `did you mean "report/1"`) {
		t.Errorf("exit %d: %s", code, stderr)
	}
	if code, _, stderr = command(t.TempDir(), false, "export", "schema"); code != 2 || !strings.Contains(stderr, "There is chunks/1, ") {
		t.Errorf("exit %d: %s", code, stderr)
	}
}
