package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/adapter/labels"
	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/report"
)

// migration is the flags of import --from.
type migration struct {
	from           string
	texts, chunks  string
	prefix, suffix string
	mapped         map[string]string
}

func (m *migration) flags(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&m.from, "from", "", "the `KIND` of the files")
	f.StringVar(&m.texts, "texts", "", "write the documents that are in the files to `FILE` (texts/1)")
	f.StringVar(&m.chunks, "chunks", "", "write the chunks to `FILE` (chunks/1)")
	f.StringVar(&m.prefix, "doc-prefix", "", "the `PREFIX` that foreign names of documents have and the corpus's have not")
	f.StringVar(&m.suffix, "doc-suffix", "", "the `SUFFIX` that the corpus's names of documents have and the foreign ones have not")
	f.Var(flagFunc(func(s string) error {
		foreign, doc, ok := strings.Cut(s, "=")
		if !ok || foreign == "" || doc == "" {
			return fmt.Errorf("expected FOREIGN=DOC")
		}
		m.mapped[foreign] = doc
		return nil
	}), "map", "`FOREIGN=DOC`: the corpus's name of a document (repeatable)")
}

// importOutput is import/1.
type importOutput struct {
	Kerf      string           `json:"kerf"`
	From      string           `json:"from"`
	Questions labels.Questions `json:"questions"`
	Labels    labels.Claims    `json:"labels"`
	Chunks    labels.Claims    `json:"chunks"`
	Documents int              `json:"documents"`
	Skipped   []labels.Skipped `json:"skipped"`
	Written   []string         `json:"written"`
	Findings  finding.List     `json:"findings"`
	Errors    int              `json:"errors"`
	Warnings  int              `json:"warnings"`
}

func (a *app) importLabels(m migration, paths []string) error {
	kinds := labels.Kinds()
	k := slices.IndexFunc(kinds, func(k labels.Kind) bool { return k.Name == m.from })
	if k < 0 {
		var names []string
		for _, k := range kinds {
			names = append(names, k.Name)
		}
		return usage("--from %s: %s", m.from, meant(m.from, names))
	}
	if err := a.kinds("import --from", ".jsonl"); err != nil {
		return err
	}
	if len(a.outputs) > 1 {
		return usage("import --from writes one set of questions: one -o")
	}
	questions := ""
	if len(a.outputs) == 1 {
		questions = a.outputs[0]
	}
	if err := a.nothingThere(questions, m.texts, m.chunks); err != nil {
		return err
	}
	c, err := a.importCorpus(kinds[k].Texts)
	if err != nil {
		return err
	}
	if m.from == "beir" {
		if paths, err = a.beirFiles(paths); err != nil {
			return err
		}
	}
	var files []labels.File
	for _, p := range paths {
		content, err := a.readInput(p)
		if err != nil {
			return err
		}
		files = append(files, labels.File{Name: filepath.ToSlash(p), Content: content})
	}
	got := kinds[k].Import(files, labels.Names{Prefix: m.prefix, Suffix: m.suffix, Map: m.mapped}, c)
	out := importOutput{Kerf: "import/1", From: m.from, Questions: got.Questions, Labels: got.Labels, Chunks: got.Chunks, Documents: got.Documents,
		Skipped: orEmpty(got.Skipped), Written: []string{}, Findings: orEmpty(got.Found), Errors: got.Found.Errors()}
	out.Warnings = len(out.Findings) - out.Errors
	for _, w := range []struct {
		path    string
		content []byte
	}{{questions, got.Golden}, {m.texts, got.Texts}, {m.chunks, got.Table}} {
		if w.path == "" || w.content == nil {
			continue
		}
		if err := writeFile(a.path(w.path), w.content); err != nil {
			return exit(exitTrouble, err)
		}
		out.Written = append(out.Written, filepath.ToSlash(w.path))
	}
	if a.format == "json" {
		err = writeJSON(a.Stdout, out)
	} else {
		err = a.importText(out)
	}
	if err != nil {
		return err
	}
	switch {
	case m.texts != "" && got.Texts != nil:
		a.next("freeze", "--texts", m.texts)
	case m.chunks != "" && got.Table != nil:
		a.next("import", "chunks", m.chunks)
	case len(out.Written) > 0:
		if in, err := a.configured(); err == nil && in.file == a.path(questions) {
			a.next("check")
			break
		}
		a.say("the questions are in %s: name it in kerf.yaml as golden, or add its lines", questions)
		a.say("next: %s < %s", a.command("add", "-"), report.Quote(a.path(questions)))
	default:
		a.say("nothing is written: -o FILE takes the questions, --texts FILE the documents, --chunks FILE the chunks")
		a.next("import", "--help")
	}
	if out.Errors > 0 {
		return exit(exitFindings, nil)
	}
	return nil
}

func (a *app) importText(out importOutput) error {
	if err := a.findings(out.Findings); err != nil {
		return err
	}
	var b strings.Builder
	for _, s := range out.Skipped {
		fmt.Fprintf(&b, "left out: %d %s\n", s.Count, s.Reason)
	}
	fmt.Fprintf(&b, "%s: ", out.From)
	var parts []string
	if q := out.Questions; q.Read > 0 {
		l := out.Labels
		parts = append(parts, fmt.Sprintf("%s read, %d imported, %d refused", counted(q.Read, "question"), q.Imported, q.Refused),
			fmt.Sprintf("%s, %d proved, %d drafts, %d refused", counted(l.Read, "label"), l.Proved, l.Drafts, l.Refused))
	}
	if c := out.Chunks; c.Read > 0 {
		parts = append(parts, fmt.Sprintf("%s, %d proved, %d without an offset, %d refused", counted(c.Read, "chunk"), c.Proved, c.Drafts, c.Refused))
	}
	if out.Documents > 0 || parts == nil {
		parts = append(parts, counted(out.Documents, "document"))
	}
	fmt.Fprintln(&b, strings.Join(parts, "; "))
	if len(out.Written) > 0 {
		fmt.Fprintf(&b, "wrote %s\n", strings.ReplaceAll(strings.Join(out.Written, ", "), "\n", "⏎"))
	}
	_, err := io.WriteString(a.Stdout, Escape(b.String()))
	return err
}

// nothingThere refuses to write over a file, or two things into one.
func (a *app) nothingThere(paths ...string) error {
	var there []string
	for i, p := range paths {
		if p == "" {
			continue
		}
		if filepath.Ext(p) != ".jsonl" {
			return usage("%s: import --from writes .jsonl", p)
		}
		if slices.Contains(paths[:i], p) {
			return usage("%s is named twice", p)
		}
		if _, err := os.Lstat(a.path(p)); err == nil {
			there = append(there, filepath.ToSlash(p))
		} else if !errors.Is(err, fs.ErrNotExist) {
			return exit(exitTrouble, err)
		}
	}
	if there != nil {
		return usage("already there: %s; nothing is written", strings.Join(there, ", "))
	}
	return nil
}

// importCorpus is the frozen documents, none where the files bring their own.
func (a *app) importCorpus(where labels.Texts) (*corpus.Corpus, error) {
	if where == labels.Inside {
		return &corpus.Corpus{}, nil
	}
	in, err := a.configured()
	if err != nil {
		return nil, err
	}
	manifest := resolved(in.home, in.experiment.Corpus)
	if where == labels.Either && absent(manifest) {
		return &corpus.Corpus{}, nil
	}
	if _, err := a.documents(manifest, &in); err != nil {
		return nil, err
	}
	if err := in.found.Err(); err != nil {
		return nil, exit(exitTrouble, err)
	}
	return in.corpus, nil
}

// beirFiles are the files of a BEIR folder: its corpus, its queries, and its one
// file of judgements or the one that is named beside it.
func (a *app) beirFiles(paths []string) ([]string, error) {
	if info, err := os.Stat(a.path(paths[0])); err != nil {
		return nil, a.unread(a.path(paths[0]), err, "")
	} else if !info.IsDir() || len(paths) > 2 {
		return nil, usage("import --from beir takes a folder with corpus.jsonl, queries.jsonl and qrels, and if these are several the one to read")
	}
	dir := paths[0]
	out := []string{filepath.Join(dir, "corpus.jsonl"), filepath.Join(dir, "queries.jsonl")}
	if len(paths) == 2 {
		return append(out, paths[1]), nil
	}
	entries, err := os.ReadDir(a.path(filepath.Join(dir, "qrels")))
	if err != nil {
		return nil, a.unread(a.path(filepath.Join(dir, "qrels")), err, "")
	}
	var tables []string
	for _, e := range entries {
		if filepath.Ext(e.Name()) == ".tsv" {
			tables = append(tables, filepath.Join(dir, "qrels", e.Name()))
		}
	}
	if len(tables) != 1 {
		return nil, usage("%s: %s of judgements: name the one to read after the folder", filepath.ToSlash(dir), counted(len(tables), "file"))
	}
	return append(out, tables[0]), nil
}

// readInput reads a foreign file, up to the longest text that is parsed.
func (a *app) readInput(path string) ([]byte, error) {
	f, err := os.Open(a.path(path))
	if err != nil {
		return nil, a.unread(a.path(path), err, "")
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, jsonl.MaxLine+1))
	if err != nil {
		return nil, a.unread(a.path(path), err, "")
	}
	if len(content) > jsonl.MaxLine {
		return nil, usage("%s: larger than %d MiB: split it", filepath.ToSlash(path), jsonl.MaxLine>>20)
	}
	return content, nil
}
