package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"kerf/internal/corpus"
	"kerf/internal/release/gate"
)

// TestAcceptedIsWhatWasJudged: what was accepted a moment ago, judged anew from the
// file, has every figure of the arm that it was taken from. Random projects: every kind
// of arm, access, budgets from nothing to plenty, shallow depths, failed settings.
func TestAcceptedIsWhatWasJudged(t *testing.T) {
	rounds := 40
	if testing.Short() {
		rounds = 15
	}
	told := 0 // screens whose figure is neither 0 nor 1
	for seed := range rounds {
		told += judgedAgain(t, uint64(seed))
	}
	if told < rounds/3 {
		t.Errorf("%d of the figures in %d projects tell anything", told, rounds)
	}
}

func judgedAgain(t *testing.T, seed uint64) (told int) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	dir := t.TempDir()
	made := anyProject(r)
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range made {
		write(name, text)
	}
	kerf := func(args ...string) (code int, out string) {
		var stdout, stderr bytes.Buffer
		code = Main(context.Background(), Process{Args: append([]string{"-q", "-C", dir}, args...), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
			Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} }})
		if code != 0 {
			t.Errorf("seed %d: kerf %v: exit %d\n%s%s\n%s", seed, args, code, stdout.String(), stderr.String(), made["kerf.yaml"])
		}
		return code, stdout.String()
	}
	if code, _ := kerf("freeze", "docs"); code != 0 {
		return 0
	}
	restrict(t, r, filepath.Join(dir, "corpus.jsonl"))
	if code, _ := kerf("gate", "--accept"); code != 0 {
		return 0
	}
	first, err := os.ReadFile(filepath.Join(dir, "baseline.json"))
	if err != nil {
		t.Fatal(err)
	}
	judge := func(args ...string) {
		code, out := kerf(append([]string{"gate", "--baseline", "baseline.json", "--json"}, args...)...)
		if code != 0 {
			return
		}
		var g gate.Gate
		if err := json.Unmarshal([]byte(out), &g); err != nil {
			t.Fatal(err)
		}
		if len(g.Screens) != 2 || len(g.Changes)+len(g.Changed)+len(g.Missing) > 0 {
			t.Errorf("seed %d: %d screens, changes %v, changed %v, missing %v\n%s", seed, len(g.Screens), g.Changes, g.Changed, g.Missing, made["kerf.yaml"])
		}
		for _, s := range g.Screens {
			before, _ := s.Baseline.Rat()
			if s.Drop != "0" || s.Lost+s.Gained > 0 || s.Verdict != gate.Pass {
				t.Errorf("seed %d: %s: %v was accepted, judged again it is %v (%d lost, %d gained)\n%s", seed, s.Measure, s.Candidate, s.Baseline, s.Lost, s.Gained, made["kerf.yaml"])
			}
			if before != nil && before.Sign() > 0 && !before.IsInt() {
				told++
			}
		}
	}
	judge()
	judge("--phase", "8/8")
	kerf("gate", "--accept")
	again, err := os.ReadFile(filepath.Join(dir, "baseline.json"))
	if err != nil || !bytes.Equal(first, again) {
		t.Errorf("seed %d: accepted twice, the file differs: %v", seed, err)
	}
	if !strings.Contains(made["kerf.yaml"], "labelled") { // there the cuts go with the labels
		write("golden.jsonl", made["moved.jsonl"])
		judge()
		judge("--phase", "8/8")
	}
	return told
}

// TestStoredCellsChangeNothing: a baseline is judged to the same bytes whether its cells
// are stored, all or but for one that is gone or damaged, or none is there.
func TestStoredCellsChangeNothing(t *testing.T) {
	for seed := range uint64(4) {
		r := rand.New(rand.NewPCG(seed, 5))
		dir := t.TempDir()
		made := anyProject(r)
		made["kerf.yaml"] = historyConfig
		for name, text := range made {
			path := filepath.Join(dir, filepath.FromSlash(name))
			if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(text), 0o666)); err != nil {
				t.Fatal(err)
			}
		}
		kerf := func(args ...string) string {
			t.Helper()
			var stdout, stderr bytes.Buffer
			code := Main(context.Background(), Process{Args: append([]string{"-C", dir, "--progress", "json"}, args...), Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
				Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} }})
			if code > 1 {
				t.Fatalf("seed %d: kerf %v: exit %d\n%s%s", seed, args, code, stdout.String(), stderr.String())
			}
			return fmt.Sprintf("%s%d %d of %d cells stored", stdout.String(), code, strings.Count(stderr.String(), `"reused":true`), strings.Count(stderr.String(), `"reused":`))
		}
		gated := func(stored int) string {
			t.Helper()
			out, rest, _ := strings.Cut(kerf("gate", "--baseline", "baseline.json", "--json", "--phase", "4/4"), "\n")
			if want := fmt.Sprintf("%d of 2 cells stored", stored); !strings.HasSuffix(rest, want) {
				t.Errorf("seed %d: %s, want %s", seed, rest, want)
			}
			return out
		}
		kerf("freeze", "docs")
		kerf("gate", "--accept")
		if err := os.WriteFile(filepath.Join(dir, "golden.jsonl"), []byte(made["moved.jsonl"]), 0o666); err != nil {
			t.Fatal(err)
		}
		want := gated(0)
		if got := gated(2); got != want {
			t.Errorf("seed %d: stored:\n%s\nwant\n%s", seed, got, want)
		}
		stored := func(kind string) []string {
			names, err := filepath.Glob(filepath.Join(dir, ".kerf", "cas", kind, "*", "*"))
			if err != nil || len(names) == 0 {
				t.Fatal(names, err)
			}
			return names
		}
		found := 0
		for _, name := range stored("records") {
			kept := must(os.ReadFile(name))(t)
			if err := os.Remove(name); err != nil {
				t.Fatal(err)
			}
			if got := kerf("gate", "--baseline", "baseline.json", "--json", "--phase", "4/4"); strings.HasSuffix(got, "1 of 2 cells stored") {
				found++
				if got, _, _ = strings.Cut(got, "\n"); got != want {
					t.Errorf("seed %d: without %s:\n%s\nwant\n%s", seed, name, got, want)
				}
				for line := range strings.Lines(string(kept)) { // an object of the cell, damaged
					if digest, _, ok := strings.Cut(line, " "); ok && strings.HasPrefix(digest, "sha256:") {
						object := filepath.Join(dir, ".kerf", "cas", "objects", digest[7:9], digest[7:])
						if err := errors.Join(os.Remove(object), os.WriteFile(object, []byte("damaged"), 0o444)); err != nil {
							t.Fatal(err)
						}
						break
					}
				}
				if got := gated(1); got != want {
					t.Errorf("seed %d: damaged:\n%s\nwant\n%s", seed, got, want)
				}
			}
		}
		if found != 2 {
			t.Errorf("seed %d: %d cells", seed, found)
		}
		if err := os.RemoveAll(filepath.Join(dir, ".kerf")); err != nil {
			t.Fatal(err)
		}
		if got := gated(0); got != want {
			t.Errorf("seed %d: without .kerf:\n%s\nwant\n%s", seed, got, want)
		}
	}
}

// restrict closes some documents, or a piece of them, to the reader.
func restrict(t *testing.T, r *rand.Rand, file string) {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSuffix(line, "\n")
		if strings.HasPrefix(line, `{"doc":`) {
			switch from := 20 * r.IntN(10); r.IntN(4) {
			case 0:
				line = strings.TrimSuffix(line, "}") + fmt.Sprintf(`,"access":{"read":["public"],"spans":[{"start":%d,"end":%d,"unit":"codepoint","read":["staff"]}]}}`, from, from+1+r.IntN(30))
			case 1:
				if r.IntN(3) == 0 {
					line = strings.TrimSuffix(line, "}") + `,"access":{"read":["staff"]}}`
				}
			}
		}
		out = append(out, line)
	}
	if err := os.WriteFile(file, []byte(strings.Join(out, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
}

// anyProject is the files of a project by name.
func anyProject(r *rand.Rand) map[string]string {
	out := map[string]string{}
	words := []string{"moon", "kiln", "glaze", "clay", "Ärger", "fire", "日本", "on", "the", "ash", "Straße", "wheel", "🙂"}
	var docs []string
	texts := map[string][]rune{}
	for i := range 1 + r.IntN(3) {
		var b strings.Builder
		for range 60 + r.IntN(100) {
			b.WriteString(words[r.IntN(len(words))] + []string{" ", " ", " ", "\n", "  ", ". "}[r.IntN(6)])
		}
		name := fmt.Sprintf("d%d.txt", i)
		out["docs/"+name], texts[name] = b.String(), []rune(b.String())
		docs = append(docs, name)
	}
	piece := func(most int) (doc string, start, end int) {
		doc = docs[r.IntN(len(docs))]
		start = r.IntN(len(texts[doc]) - 1)
		return doc, start, min(len(texts[doc]), start+1+r.IntN(most))
	}
	quote := func(v any) string {
		b, _ := json.Marshal(v)
		return string(b)
	}
	var golden, moved, ranked strings.Builder // moved: the same questions with other labels
	golden.WriteString(`{"kerf":"golden/1","unit":"codepoint"}` + "\n")
	moved.WriteString(`{"kerf":"golden/1","unit":"codepoint"}` + "\n")
	byID := r.IntN(2) == 0
	ranked.WriteString(`{"kerf":"rankings/1","unit":"codepoint"}` + "\n")

	var table strings.Builder
	table.WriteString(`{"kerf":"chunks/1","unit":"codepoint"}` + "\n")
	type chunk struct {
		doc        string
		start, end int
		id, prefix string
	}
	var chunks []chunk
	placed := map[string]bool{}
	for i := range 30 + r.IntN(40) {
		doc, start, end := piece(80)
		at := fmt.Sprint(doc, start, "-", end)
		if placed[at] {
			continue
		}
		placed[at] = true
		c := chunk{doc, start, end, fmt.Sprintf("c-%s-%d", strings.TrimSuffix(doc, ".txt"), 100+i), ""}
		if r.IntN(3) > 0 {
			c.prefix = strings.Repeat(words[r.IntN(len(words))]+" ", 1+r.IntN(9)) + ": "
		}
		chunks = append(chunks, c)
		fmt.Fprintf(&table, `{"doc":%q,"id":%q,"start":%d,"end":%d`, doc, c.id, start, end)
		if c.prefix != "" {
			fmt.Fprintf(&table, `,"prefix":%s`, quote(c.prefix))
		}
		table.WriteString("}\n")
	}
	out["chunks.jsonl"] = table.String()

	for i := range 4 + r.IntN(12) {
		qid := fmt.Sprintf("q%02d", i)
		var text []string
		for range 2 + r.IntN(3) {
			text = append(text, words[r.IntN(len(words))])
		}
		line := func(sample string) string {
			if i > 2 && r.IntN(8) == 0 {
				return fmt.Sprintf(`{"qid":%q,"question":%s,"answerable":false}`+"\n", qid, quote(strings.Join(text, " ")+"?"))
			}
			var spans, names []string
			for n := range 1 + r.IntN(3) {
				doc, start, end := piece(40)
				for strings.TrimSpace(string(texts[doc][start:end])) == "" {
					doc, start, end = piece(40)
				}
				names = append(names, quote(fmt.Sprintf("s%d", n)))
				spans = append(spans, fmt.Sprintf(`"s%d":{"doc":%q,"start":%d,"end":%d,"quote":%s}`, n, doc, start, end, quote(string(texts[doc][start:end]))))
			}
			sets := "[" + strings.Join(names, ",") + "]"
			if len(names) > 1 && r.IntN(2) == 0 {
				sets = "[" + strings.Join(names, "],[") + "]"
			}
			return fmt.Sprintf(`{"qid":%q,"question":%s,"spans":{%s},"support":[%s]%s}`+"\n", qid, quote(strings.Join(text, " ")+"?"), strings.Join(spans, ","), sets, sample)
		}
		sample := ""
		if i > 2 && r.IntN(6) == 0 {
			sample = `,"sample":"enriched"`
		}
		golden.WriteString(line(sample))
		moved.WriteString(line(sample))
		var hits []string
		seen := map[string]bool{}
		for range r.IntN(15) {
			if byID {
				c := chunks[r.IntN(len(chunks))]
				if !seen[c.id] {
					hits = append(hits, fmt.Sprintf(`{"id":%q}`, c.id))
				}
				seen[c.id] = true
				continue
			}
			doc, start, end := piece(120)
			if at := fmt.Sprint(doc, start, "-", end); !seen[at] {
				seen[at] = true
				hit := fmt.Sprintf(`{"doc":%q,"version":"VERSION-%s","start":%d,"end":%d`, doc, doc, start, end)
				if r.IntN(4) == 0 {
					hit += `,"prefix":` + quote(words[r.IntN(len(words))]+" > ")
				}
				hits = append(hits, hit+"}")
			}
		}
		fmt.Fprintf(&ranked, `{"qid":%q,"hits":[%s]}`+"\n", qid, strings.Join(hits, ","))
	}
	out["golden.jsonl"], out["moved.jsonl"] = golden.String(), moved.String()
	rankings := ranked.String()
	for _, doc := range docs {
		rankings = strings.ReplaceAll(rankings, "VERSION-"+doc, corpus.VersionOf(string(texts[doc])))
	}
	out["rankings.jsonl"] = rankings

	pick := func(of ...string) string { return of[r.IntN(len(of))] }
	arm := ""
	switch r.IntN(4) {
	case 0, 1:
		size := 8 + r.IntN(60)
		arm = fmt.Sprintf("split: {tokenizer: %s, size: %d, overlap: %d, edge: %s}", pick("words", "codepoints", "cl100k_base"), size, r.IntN(size-4), pick("keep", "drop-contained"))
		if r.IntN(3) == 0 {
			arm += ", phases: {scope: labelled}"
		}
	case 2:
		arm = "split: {by: table, file: chunks.jsonl}"
	case 3:
		arm = "rankings: rankings.jsonl"
		if byID {
			arm += ", chunks: chunks.jsonl"
		}
	}
	depth := []int{1, 2, 5, 12, 100}[r.IntN(5)]
	ks := slices.DeleteFunc([]int{1, 3, 5}, func(k int) bool { return k > depth })
	out["kerf.yaml"] = fmt.Sprintf("kerf: experiment/1\naccess: %s\nbudget: {tokens: %d, tokenizer: %s, overflow: %s, format: %s}\nk: %s\ndepth: %d\nphases: {grid: %d}\nignorable: %s\narms: {prod: {%s}}\n",
		pick("deny", "clip"), []int{0, 15, 40, 70, 100, 300, 5000}[r.IntN(7)], pick("words", "codepoints", "cl100k_base"), pick("stop", "skip", "truncate"), pick("numbered", "bare"),
		strings.ReplaceAll(fmt.Sprint(ks), " ", ", "), depth, 1+r.IntN(4), pick("white_space", "strict"), arm)
	return out
}
