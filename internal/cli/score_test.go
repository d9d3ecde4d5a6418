package cli

import (
	"encoding/json"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
)

// library writes documents and a manifest of them, and returns the digest of each.
func library(t *testing.T, dir string, docs map[string]string) (versions map[string]string) {
	t.Helper()
	versions = map[string]string{}
	var ids []string
	for id := range docs {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	manifest := `{"kerf":"corpus/1","root":"docs","extract":"text/1"}` + "\n"
	for _, id := range ids {
		versions[id] = corpus.VersionOf(docs[id])
		writeTestFile(t, filepath.Join(dir, "docs", id), docs[id])
		manifest += fmt.Sprintf(`{"doc":%q,"version":%q,"path":%q,"bytes":%d}`+"\n", id, versions[id], id, len(docs[id]))
	}
	writeTestFile(t, filepath.Join(dir, "corpus.jsonl"), manifest)
	return versions
}

// TestEvaluator: the 43 worked cases of single hit, union hit and reciprocal rank
// through the command: 22 values, 21 refusals.
func TestEvaluator(t *testing.T) {
	content, err := os.ReadFile("testdata/evaluator.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	values, refusals := 0, 0
	for _, line := range strings.Split(strings.TrimSpace(string(content)), "\n") {
		var c struct {
			Name      string
			Docs      map[string]string
			Questions [][3]json.RawMessage // id, [doc, start, end], quote
			Rankings  map[string][][3]json.RawMessage
			K         string
			Want      map[string]string // measure -> its mean
			Refused   string            // what the refusal names
		}
		if err := json.Unmarshal([]byte(line), &c); err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		versions := library(t, dir, c.Docs)
		golden := `{"kerf":"golden/1","unit":"codepoint"}` + "\n"
		for _, q := range c.Questions {
			var at [3]json.RawMessage
			if err := json.Unmarshal(q[1], &at); err != nil {
				t.Fatal(err)
			}
			golden += fmt.Sprintf(`{"qid":%s,"question":"Which?","spans":{"e":{"doc":%s,"start":%s,"end":%s,"quote":%s}},"support":[["e"]]}`+"\n", q[0], at[0], at[1], at[2], q[2])
		}
		writeTestFile(t, filepath.Join(dir, "golden.jsonl"), golden)
		rankings := `{"kerf":"rankings/1","unit":"codepoint"}` + "\n"
		var qids []string
		for qid := range c.Rankings {
			qids = append(qids, qid)
		}
		slices.Sort(qids)
		for _, qid := range qids {
			hits := []string{}
			for _, h := range c.Rankings[qid] {
				var doc string
				if err := json.Unmarshal(h[0], &doc); err != nil {
					t.Fatal(err)
				}
				hits = append(hits, fmt.Sprintf(`{"doc":%q,"version":%q,"start":%s,"end":%s}`, doc, versions[doc], h[1], h[2]))
			}
			rankings += fmt.Sprintf(`{"qid":%q,"hits":[%s]}`+"\n", qid, strings.Join(hits, ","))
		}
		writeTestFile(t, filepath.Join(dir, "rankings.jsonl"), rankings)
		code, stdout, stderr := command(dir, false, "score", "rankings.jsonl", "--json", "--k", c.K)
		if c.Refused != "" {
			refusals++
			if code != exitTrouble || stdout != "" || !strings.Contains(stderr, c.Refused) {
				t.Errorf("%s: exit %d, want the refusal to name %s\n%s%s", c.Name, code, c.Refused, stdout, stderr)
			}
			continue
		}
		values++
		if code != exitDone {
			t.Errorf("%s: exit %d\n%s", c.Name, code, stderr)
			continue
		}
		var out struct {
			Measures map[string]struct {
				Num     int64
				Sum     string
				Den     int64
				Missing int
			}
		}
		if err := json.Unmarshal([]byte(stdout), &out); err != nil {
			t.Fatal(err)
		}
		for name, want := range c.Want {
			m := out.Measures[name+"@"+c.K]
			sum := big.NewRat(m.Num, 1)
			if m.Sum != "" {
				sum.SetString(m.Sum)
			}
			if m.Den != int64(len(c.Questions)) || m.Missing != 0 || sum.Quo(sum, big.NewRat(m.Den, 1)).RatString() != want {
				t.Errorf("%s: %s is %+v, want %s", c.Name, name, m, want)
			}
		}
	}
	if values != 22 || refusals != 21 {
		t.Errorf("%d values and %d refusals, want 22 and 21", values, refusals)
	}
}
