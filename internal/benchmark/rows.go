//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"kerf/internal/corpus"
)

// bench is one run of the benchmark.
type bench struct {
	dir        string
	kerf, self string // programs
	set        string // what is measured, in words
	home       string // its project
	documents  []*corpus.Document
	all        string // file of all texts
	mb         float64
	chunks     int
	kits       map[string]*kit // by registry
	missing    []string
	vocabulary string // file of cl100k_base, where a peer brings it; "": none does
}

// in is a file of the benchmark's folder.
func (b *bench) in(name string) string { return filepath.Join(b.dir, name) }

// material writes what the programs read.
func (b *bench) material(shared string) error {
	from := filepath.Join(shared, "data", "chroma-general")
	b.set = "Chroma's general set"
	if _, err := os.Stat(from); err != nil {
		from, b.set = filepath.Join("examples", "handbook"), "The handbook (the shared sets are not there)"
	}
	b.home = b.in("project")
	for name, yaml := range map[string]string{
		"1": "phases: {grid: 1}\n", "16": "phases: {grid: 16}\n", "all": "phases: all\narms:\n  t-256-0: {split: {by: tokens, size: 256, overlap: 0}}\n",
		"gate1": "phases: {grid: 1}\narms:\n  deployed: {split: {by: tokens, size: 256, overlap: 51}}\ngate: {arm: deployed}\n",
		"gate8": "arms:\n  deployed: {split: {by: tokens, size: 256, overlap: 51}}\ngate: {arm: deployed}\n",
	} {
		home := b.home + name
		err := errors.Join(os.RemoveAll(home), os.CopyFS(home, os.DirFS(from)),
			os.WriteFile(filepath.Join(home, "kerf.yaml"), []byte("kerf: experiment/1\n"+yaml), 0o666))
		if err != nil {
			return err
		}
	}
	for _, placements := range []string{"1", "8"} {
		if _, err := b.whole("", "", gate(b, placements, "--accept")...).run(); err != nil {
			return err
		}
	}
	c, found := corpus.Read(os.DirFS(from), "corpus.jsonl")
	if err := found.Err(); err != nil {
		return err
	}
	b.documents = c.Documents
	var texts []string
	for _, d := range c.Documents {
		texts = append(texts, d.Text)
	}
	questions, err := questionsOf(filepath.Join(from, "golden.jsonl"))
	if err != nil {
		return err
	}
	whole := strings.Join(texts, "\n")
	var chunks []string
	for words := range slices.Chunk(strings.Fields(whole), 130) {
		chunks = append(chunks, strings.Join(words, " "))
	}
	b.all, b.mb, b.chunks = b.in("all.txt"), float64(len(whole))/1e6, len(chunks)
	b.set += fmt.Sprintf(", %d documents, %.2f MB, %d questions", len(texts), b.mb, len(questions))
	spans, err := json.Marshal(spansOf(1000))
	err = errors.Join(err, os.WriteFile(b.all, []byte(whole), 0o666), os.WriteFile(b.in("spans.json"), spans, 0o666),
		os.WriteFile(b.in("sentence.txt"), []byte(questions[0]), 0o666))
	for name, list := range map[string][]string{"texts.json": texts, "questions.json": questions, "chunks.json": chunks} {
		content, failed := json.Marshal(list)
		err = errors.Join(err, failed, os.WriteFile(b.in(name), content, 0o666))
	}
	if err != nil {
		return err
	}
	_, err = command{words: []string{"go", "test", "./internal/adapter/trec", "-run", "^TestGenerate$", "-count=1", "-args", "-generate", b.dir}}.run()
	return err
}

// gate is what kerf is told to screen one arm.
func gate(b *bench, placements string, words ...string) []string {
	return append([]string{"-C", b.home + "gate" + placements, "-q", "gate"}, words...)
}

// questionsOf are the questions of a golden set.
func questionsOf(file string) (out []string, err error) {
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	for line := range bytes.Lines(content) {
		var q struct{ Question string }
		if err := json.Unmarshal(line, &q); err != nil {
			return nil, err
		}
		if q.Question != "" {
			out = append(out, q.Question)
		}
	}
	return out, nil
}

// own is kerf at a piece of work that times itself.
func (b *bench) own(remark string, words ...string) program {
	return program{"kerf", nil, remark, command{words: append([]string{b.self, "work"}, words...)}}
}

// whole is kerf as a whole process.
func (b *bench) whole(remark string, fresh string, words ...string) program {
	p := program{"kerf", nil, remark, command{words: append([]string{b.kerf}, words...)}}
	if fresh != "" {
		p.fresh = []string{filepath.Join(fresh, ".kerf")}
	}
	return p
}

// peer is a program of a kit.
func (b *bench) peer(registry, name, remark string, words ...string) program {
	k := b.kits[registry]
	if k == nil {
		return program{}
	}
	return program{name, k, remark, command{words: slices.Concat(k.run, words), env: k.env}}
}

// local is a program that no registry has; it is a peer where the machine has it.
func local(name, remark string, words ...string) program {
	path, err := exec.LookPath(name)
	if err != nil {
		return program{}
	}
	return program{name, &kit{}, remark, command{words: append([]string{path}, words...)}}
}

// rows are the rows of the table, each without the peers that are not there.
func (b *bench) rows() []row {
	texts, questions, chunks := b.in("texts.json"), b.in("questions.json"), b.in("chunks.json")
	rows := []row{
		{name: "8 configurations, ordinary cuts", programs: []program{
			b.whole("offsets, verdicts, ledger and report too", b.home+"1", "-C", b.home+"1", "-q", "run"),
			b.peer("PyPI", "langchain-text-splitters + bm25s", "texts of chunks without offsets, rankings; no verdicts, nothing written", "eight", texts, questions),
			b.peer("npm", "@langchain/textsplitters + plain BM25", "as above; BM25 of this benchmark", "eight", texts, questions)}},
		{name: "8 configurations, 16 placements", programs: []program{
			b.whole("peers cannot move their cuts: compare with 16 times the row above", b.home+"16", "-C", b.home+"16", "-q", "run")}},
		{name: "all placements of 256 tokens, no overlap", programs: []program{
			b.whole("all 256 of them; no peer moves its cuts", b.home+"all", "-C", b.home+"all", "-q", "run")}},
		{name: fmt.Sprintf("lexical: index %d chunks, ask every question", b.chunks), inner: true, programs: []program{
			b.own("indexes the questions' terms alone; Deploy and Search of study/sweep", "lexical", chunks, questions),
			b.peer("PyPI", "bm25s", "its own tokens; always 100 hits", "lexical", chunks, questions),
			b.peer("Go proxy", "bleve", "in memory, standard analyzer with stop words left out", "lexical", chunks, questions)}},
		{name: "tokens cl100k_base", inner: true, mb: b.mb, programs: []program{
			b.own("set-up not counted, nor the peers'", "tokens", b.all),
			b.peer("PyPI", "tiktoken", "Rust", "tokens", b.all),
			b.peer("npm", "gpt-tokenizer", "", "tokens", b.all),
			b.peer("Go proxy", "tiktoken-go/tokenizer", "", "tokens-tokenizer", b.all),
			b.peer("Go proxy", "pkoukk/tiktoken-go", "", "tokens-pkoukk", b.all)}},
		{name: "set-up of cl100k_base", inner: true, programs: []program{
			b.own("once in a process, and a sentence", "setup", b.in("sentence.txt")),
			b.peer("PyPI", "tiktoken", "reads its vocabulary from a file", "setup", b.in("sentence.txt")),
			b.peer("npm", "gpt-tokenizer", "with its import", "setup", b.in("sentence.txt")),
			b.peer("Go proxy", "tiktoken-go/tokenizer", "", "setup-tokenizer", b.in("sentence.txt")),
			b.peer("Go proxy", "pkoukk/tiktoken-go", "", "setup-pkoukk", b.in("sentence.txt"))}},
		{name: "windows of 500 code points, overlap 100", inner: true, mb: b.mb, programs: []program{
			b.own("code point table and chunks with byte offsets", "windows", b.all),
			b.peer("PyPI", "chonkie TokenChunker", "the same windows, with texts", "windows", "chonkie", b.all),
			b.peer("PyPI", "chonkie-core chunk_offsets", "Rust; bytes, at blanks, no overlap: other chunks", "windows", "chonkie-core", b.all),
			b.peer("PyPI", "langchain-text-splitters, recursive", "other chunks; offsets by search", "windows", "langchain", b.all),
			b.peer("PyPI", "semchunk", "other chunks, with offsets", "windows", "semchunk", b.all),
			b.peer("npm", "@langchain/textsplitters, recursive", "other chunks, no offsets", "windows", b.all),
			b.peer("Go proxy", "langchaingo, recursive", "other chunks, no offsets", "windows", b.all)}},
	}
	for _, t := range []struct{ file, size string }{{"a", "10,000 x 100"}, {"b", "1,000 x 1,000"}} {
		ranked, judged := b.in(t.file+".run"), b.in(t.file+".qrels")
		rows = append(rows, row{name: "metrics, TREC run " + t.size, programs: []program{
			b.whole("every measure at four cut-offs, every line checked", "", "score", ranked, "--qrels", judged, "--compat", "trec_eval", "-q"),
			local("trec_eval", "four measures; found on the PATH", "-m", "map", "-m", "recip_rank", "-m", "recall.10", "-m", "ndcg_cut.10", judged, ranked),
			b.peer("PyPI", "pytrec_eval-terrier", "four measures", "metrics", "pytrec_eval", ranked, judged),
			b.peer("PyPI", "ranx", "four measures; numba compiles or loads", "metrics", "ranx", ranked, judged)}})
	}
	for _, of := range []string{"verdicts", "scores"} {
		for _, n := range []string{"500", "5000"} {
			rows = append(rows, row{name: "paired bootstrap of " + of + ", 10,000 draws, n = " + n, inner: true, programs: []program{
				b.own("percentile", "bootstrap", n, of),
				b.peer("PyPI", "SciPy bootstrap", "percentile", "bootstrap", "scipy", n, of),
				b.peer("PyPI", "numpy by hand", "percentile", "bootstrap", "numpy", n, of)}})
		}
	}
	for _, n := range []string{"60", "400"} {
		rows = append(rows, row{name: "worst of 16 placements of two arms, 10,000 draws of " + n + " documents", inner: true, programs: []program{
			b.own("percentile", "worst", n),
			b.peer("PyPI", "numpy with BLAS, by hand", "percentile", "worst", n)}})
	}
	rows = append(rows, row{name: "spans, 1,000 questions of 100 hits", inner: true, programs: []program{
		b.own("ranks in one hit and in all, every cut-off at once", "spans", b.in("spans.json")),
		b.peer("PyPI", "plain Python", "at 100 hits; of this benchmark", "spans", "plain", b.in("spans.json")),
		b.peer("PyPI", "plain Python, checking", "places and repetitions are checked too", "spans", "checked", b.in("spans.json"))}})
	for _, placements := range []string{"1", "8"} {
		rows = append(rows, row{name: "gate against a baseline file, placements: " + placements, programs: []program{
			b.whole("cells are kept, as for a change that touches none", "", gate(b, placements, "--baseline", "baseline.json")...)}})
	}
	rows = append(rows, row{name: "gate against a baseline file, placements: 8, cells made anew", programs: []program{
		b.whole("", b.home+"gate8", gate(b, "8", "--baseline", "baseline.json")...)}})
	rows = append(rows, row{name: "kerf version", programs: []program{b.whole("start and end of the process", "", "version")}})
	for i := range rows {
		rows[i].programs = slices.DeleteFunc(rows[i].programs, func(p program) bool { return p.name == "" })
	}
	return rows
}

// memory runs kerf over growing corpora: the set, with every shared text beside it
// under new names until there is so much text. Each once.
func (b *bench) memory(largest int) error {
	others, err := filepath.Glob(filepath.Join("..", "shared", "data", "*", "corpus", "*"))
	if err != nil {
		return err
	}
	fmt.Print("\n| text MB | documents | arms | tokens | chunks | CPU s | peak MB | bytes a token | text apart |\n|---|---|---|---|---|---|---|---|---|\n")
	for _, mb := range []int{1, 10, 100} {
		if mb > largest {
			continue
		}
		home := b.in(fmt.Sprintf("memory%d", mb))
		size, documents, err := b.grow(home, mb*1_000_000, others)
		if err != nil {
			return err
		}
		for _, arms := range []struct{ name, yaml string }{{"8 of code points", codePointArms()}, {"8 of cl100k_base", "phases: {grid: 1}\n"}} {
			if err := os.WriteFile(filepath.Join(home, "kerf.yaml"), []byte("kerf: experiment/1\n"+arms.yaml), 0o666); err != nil {
				return err
			}
			o, err := b.whole("", home, "-C", home, "-q", "--json", "run").run()
			if err != nil {
				return err
			}
			var report struct {
				Arms []struct {
					Cost struct {
						Once struct {
							Units  int `json:"indexed_units"`
							Tokens int `json:"unique_tokens"`
						} `json:"once"`
					} `json:"cost"`
				} `json:"arms"`
			}
			if err := json.Unmarshal(o.stdout, &report); err != nil {
				return err
			}
			chunks, tokens := 0, report.Arms[0].Cost.Once.Tokens
			for _, a := range report.Arms {
				chunks += a.Cost.Once.Units
			}
			fmt.Printf("| %.1f | %d | %s | %d | %d | %.3g | %.0f | %.1f | %.1f |\n", float64(size)/1e6, documents, arms.name, tokens, chunks, o.cpu, o.peak,
				o.peak*1e6/float64(tokens), (o.peak*1e6-float64(size))/float64(tokens))
		}
		if err := os.RemoveAll(home); err != nil {
			return err
		}
	}
	return nil
}

// codePointArms are the eight configurations in code points, four to a token.
func codePointArms() string {
	s := "phases: {grid: 1}\nbudget: {tokens: 12000, tokenizer: codepoints}\narms:\n"
	for _, size := range []int{1024, 2048, 4096, 8192} {
		for _, overlap := range []int{0, size / 5} {
			s += fmt.Sprintf("  c-%d-%d: {split: {tokenizer: codepoints, size: %d, overlap: %d}}\n", size, overlap, size, overlap)
		}
	}
	return s
}

// grow makes a project of at least so many bytes of text.
func (b *bench) grow(home string, bytes int, others []string) (size, documents int, err error) {
	if err := os.RemoveAll(home); err != nil {
		return 0, 0, err
	}
	manifest := `{"kerf":"corpus/1","root":"docs","extract":"text/1"}` + "\n"
	add := func(name, text string) error {
		file := filepath.Join(home, "docs", name)
		size, documents = size+len(text), documents+1
		manifest += fmt.Sprintf(`{"doc":%q,"version":%q,"path":%q,"bytes":%d}`+"\n", name, corpus.VersionOf(text), name, len(text))
		return errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, []byte(text), 0o666))
	}
	for _, d := range b.documents {
		if err := add(d.Doc, d.Text); err != nil {
			return 0, 0, err
		}
	}
	for i := 0; size < bytes; i++ {
		name, text := fmt.Sprintf("more/%06d", i), ""
		if len(others) > 0 {
			content, err := os.ReadFile(others[i%len(others)])
			if err != nil {
				return 0, 0, err
			}
			text = string(content)
		} else {
			text = b.documents[i%len(b.documents)].Text
		}
		if err := add(name, text); err != nil {
			return 0, 0, err
		}
	}
	golden, err := fs.ReadFile(os.DirFS(b.home+"1"), "golden.jsonl")
	return size, documents, errors.Join(err, os.WriteFile(filepath.Join(home, "corpus.jsonl"), []byte(manifest), 0o666), os.WriteFile(filepath.Join(home, "golden.jsonl"), golden, 0o666))
}
