package plan

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

func parseArms(arms string) (Experiment, []string) {
	e, found := Parse("kerf.yaml", []byte("kerf: experiment/1\narms:\n"+arms))
	var lines []string
	for _, f := range found {
		lines = append(lines, f.Place()+" "+f.Code+" "+f.Message)
	}
	return e, lines
}

// TestForeignArms: arms of other people's rankings, chunks and engines.
func TestForeignArms(t *testing.T) {
	e, found := parseArms(`  prod: {rankings: prod.jsonl, chunks: chunks.jsonl}
  theirs: {split: {by: table, file: chunks.jsonl}, retrieve: {by: bm25}}
  mine: {split: {size: 64}, retrieve: {by: command, run: "python host.py", timeout: 120}, phases: {grid: 4, scope: labelled}}
  far: {split: {size: 64}, retrieve: {by: http, url_env: RETRIEVER, key_env: KEY}}
  near: {split: {by: table, file: chunks.jsonl}, retrieve: {by: http, url: "http://127.0.0.1:1/"}}
`)
	window := Split{By: "tokens", Tokenizer: "cl100k_base", Size: 64, Edge: "drop-contained"}
	want := []Arm{
		{Name: "prod", Rankings: "prod.jsonl", Chunks: "chunks.jsonl"},
		{Name: "theirs", Split: Split{By: "table", File: "chunks.jsonl"}, Retrieve: bm25},
		{Name: "mine", Split: window, Retrieve: Retrieve{By: "command", Run: "python host.py", Timeout: 120}, Moving: Moving{Grid: 4, Scope: Labelled}},
		{Name: "far", Split: window, Retrieve: Retrieve{By: "http", URLEnv: "RETRIEVER", KeyEnv: "KEY"}},
		{Name: "near", Split: Split{By: "table", File: "chunks.jsonl"}, Retrieve: Retrieve{By: "http", URL: "http://127.0.0.1:1/"}},
	}
	for i := range e.Arms {
		e.Arms[i].At = Place{}
	}
	if len(found) > 0 || !reflect.DeepEqual(e.Arms, want) {
		t.Errorf("%v\n got %+v\nwant %+v", found, e.Arms, want)
	}
	var phases []int
	for _, a := range e.Arms {
		labels, err := e.Phases.Labels(a)
		if err != nil {
			t.Fatal(err)
		}
		phases = append(phases, len(labels))
		if control := labels[0].String() == Control; control != a.IsControl() {
			t.Errorf("%s: label %s", a.Name, labels[0])
		}
	}
	if !slices.Equal(phases, []int{1, 1, 4, 8, 1}) {
		t.Errorf("phases %v", phases)
	}
}

func TestForeignArmsRefused(t *testing.T) {
	for arms, want := range map[string]string{
		"  a: {rankings: r.jsonl, split: {size: 9}}":                            "kerf.yaml:3:33 E009 arms.a: rankings are what a retriever has found; nothing is split, ranked or moved for them",
		"  a: {rankings: r.jsonl, retrieve: {by: bm25}}":                        "kerf.yaml:3:36 E009 arms.a: rankings are what",
		"  a: {rankings: r.jsonl, phases: {grid: 2}}":                           "kerf.yaml:3:34 E009 arms.a: rankings are what",
		"  a: {split: {size: 9}, chunks: c.jsonl}":                              "kerf.yaml:3:33 E009 arms.a: chunks is the table of the ids in rankings",
		"  a: {ranking: r.jsonl}":                                               "kerf.yaml:3:7 E004 unknown key arms.a.ranking",
		"  a: {splits: {size: 9}}":                                              "kerf.yaml:3:7 E004 unknown key arms.a.splits",
		"  a: {split: {size: 9}, retrieve: {by: comand, run: x}}":               "kerf.yaml:3:40 E008 arms.a.retrieve.by is not one of bm25, command, http",
		"  a: {split: {by: table}}":                                             "kerf.yaml:3:14 E008 arms.a.split.file is missing",
		"  a: {split: {by: table, file: f, size: 3}}":                           "kerf.yaml:3:35 E009 arms.a.split.size: the chunks of a table are as they are",
		"  a: {split: {by: table, file: f}, phases: {grid: 3}}":                 "kerf.yaml:3:44 E009 arms.a: the chunks of a table do not move",
		"  a: {split: {size: 9, file: f}}":                                      "kerf.yaml:3:30 E009 arms.a.split: windows come from no file",
		"  a: {split: {size: 9}, retrieve: {by: command}}":                      "kerf.yaml:3:35 E008 arms.a.retrieve.run is missing",
		"  a: {split: {size: 9}, retrieve: {by: bm25, run: x}}":                 "kerf.yaml:3:46 E009 arms.a.retrieve.run is no key of by: bm25",
		"  a: {split: {size: 9}, retrieve: {by: http}}":                         "kerf.yaml:3:35 E008 arms.a.retrieve: a host has one address",
		"  a: {split: {size: 9}, retrieve: {by: http, url: \"ftp://x\"}}":       "kerf.yaml:3:51 E008 arms.a.retrieve.url is not an http or https address",
		"  a: {split: {size: 9}, retrieve: {by: http, url: \"http://u:p@x\"}}":  "kerf.yaml:3:51 E008 arms.a.retrieve.url holds a name or a password",
		"  a: {split: {size: 9}, retrieve: {by: http, url_env: \"sk-1\"}}":      "kerf.yaml:3:55 E008 arms.a.retrieve.url_env is not the name of an environment variable",
		"  a: {split: {size: 9}, retrieve: {by: command, run: x, timeout: 9s}}": "kerf.yaml:3:66 E008 arms.a.retrieve.timeout is not a whole number",
		"  a: {split: {size: 9}, phases: {scope: some}}":                        "kerf.yaml:3:41 E008 arms.a.phases.scope is not one of all, labelled",
		"  a: {split: {size: 4}, phases: {grid: 5}}":                            "kerf.yaml:3:3 E009 arm a: 5 placements do not fit",
		"  a: {split: {size: 9}, retrieve: {by: command, run: x}}\nphases: all": "kerf.yaml:3:3 E009 arm a: another engine is not asked at every placement",
	} {
		if _, found := parseArms(arms + "\n"); len(found) != 1 || !strings.HasPrefix(found[0], want) {
			t.Errorf("%s\n got %q\nwant %q", arms, found, want)
		}
	}
	_, found := Parse("kerf.yaml", []byte("kerf: experiment/1\narms:\n  a: {split: {size: 9}, retrieve: {by: http, url: \"http://u:pass@x\", key_env: \"sk 1\"}}\n"))
	if s := found.Err().Error(); strings.Contains(s, "pass") && strings.Contains(s, "u:pass") || strings.Contains(s, "sk 1") {
		t.Errorf("a secret is repeated: %s", s)
	}
}
