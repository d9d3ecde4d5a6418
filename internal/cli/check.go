package cli

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/corpus"
	"kerf/internal/corpus/alike"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/jsonl"
	"kerf/internal/report"
	"kerf/internal/spool"
	"kerf/internal/study/plan"
)

func (a *app) newCheck() *cobra.Command {
	var strict bool
	cmd := &cobra.Command{
		Use:     "check [--strict]",
		Short:   "Every problem of labels, documents and configuration in one run",
		Example: "  kerf -C kerf-demo check --strict",
		Long: `Reads golden.jsonl, corpus.jsonl and, if there is one, kerf.yaml, and lists
every problem with its place, its code (docs/codes.md), what was expected, what
was found, and the corrected line to paste. Nothing is changed.

Exit: 0 nothing or warnings alone, 1 errors, 2 a file is missing or unreadable.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.check(strict) },
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "demand version, review and adjudication of every question")
	return cmd
}

// checkOutput is check/1.
type checkOutput struct {
	Kerf     string         `json:"kerf"`
	Findings finding.List   `json:"findings"`
	Errors   int            `json:"errors"`
	Warnings int            `json:"warnings"`
	Split    []golden.Split `json:"split"`
}

func (a *app) textOrJSON(command string, more ...string) error {
	if known := append([]string{"text", "json"}, more...); !slices.Contains(known, a.format) {
		return usage("--format %s: %s writes %s", a.format, command, strings.Join(known, " or "))
	}
	return nil
}

// kinds refuses formats and -o files that a command does not write.
func (a *app) kinds(command string, extensions ...string) error {
	var more []string
	for _, f := range []struct{ format, extension string }{{"markdown", ".md"}, {"csv", ".csv"}} {
		if slices.Contains(extensions, f.extension) {
			more = append(more, f.format)
		}
	}
	if err := a.textOrJSON(command, more...); err != nil {
		return err
	}
	for _, o := range a.outputs {
		if len(extensions) == 0 {
			return usage("-o %s: %s writes no such file", o, command)
		}
		if !slices.Contains(extensions, kindOf(o, extensions)) {
			return usage("-o %s: %s writes %s", o, command, strings.Join(extensions, " or "))
		}
	}
	return nil
}

func (a *app) check(strict bool) error {
	if err := a.kinds("check", ".json"); err != nil {
		return err
	}
	in, err := a.labels()
	if err != nil {
		return err
	}
	brought, err := a.brought(&in, in.set.With(in.corpus), a.fromHome(in.home))
	if err != nil {
		return err
	}
	found := slices.Concat(in.found, unranked(brought, slices.DeleteFunc(slices.Clone(in.set.Questions), (*golden.Question).IsHeldOut)), golden.Check(in.set, in.corpus, strict), golden.Verify(in.set, in.corpus, a.keptTexts(in)))
	found = append(found, golden.Contradicted(in.set, alike.OtherNumbers(in.corpus.Documents))...)
	found = append(found, golden.Unreadable(in.set, in.corpus, in.experiment.Reader)...)
	found.Sort()
	errs := found.Errors()
	out := checkOutput{"check/1", append(finding.List{}, found...), errs, len(found) - errs, orEmpty(golden.Splits(in.set, in.corpus))}
	err = a.answer(out, func() error {
		if err := a.findings(found); err != nil {
			return err
		}
		for _, row := range splitRows(out.Split, a.verbose) {
			fmt.Fprintln(a.Stdout, Escape(row))
		}
		_, err := fmt.Fprintln(a.Stdout, Escape(fmt.Sprintf("%s: %s, %s in %s and %s", in.golden, counted(errs, "error"), counted(out.Warnings, "warning"),
			counted(len(in.set.Questions), "question"), counted(len(in.corpus.Documents), "document"))))
		return err
	})
	if err != nil {
		return err
	}
	if errs > 0 {
		a.say("mend them (each has a line to paste where one is certain), then check again")
		a.next("check")
		return exit(exitFindings, nil)
	}
	if slices.ContainsFunc(found, func(f finding.Finding) bool { return f.Code == golden.CodeDraft }) {
		a.next("anchor", "-w")
	} else {
		a.next("cuts")
	}
	return nil
}

// findings prints a list by code, most severe first: all errors, and at most
// ten warnings of a code unless -v.
func (a *app) findings(found finding.List) error {
	const most = 10
	groups := map[string]finding.List{}
	var order []string
	for _, severity := range []finding.Severity{finding.Error, finding.Warning} {
		var codes []string
		for _, f := range found {
			key := string(f.Severity) + " " + f.Code
			if f.Severity == severity {
				if groups[key] == nil {
					codes = append(codes, key)
				}
				groups[key] = append(groups[key], f)
			}
		}
		slices.Sort(codes)
		order = append(order, codes...)
	}
	var b strings.Builder
	for _, key := range order {
		group := groups[key]
		fmt.Fprintf(&b, "%s: %s\n", group[0].Code, counted(len(group), string(group[0].Severity)))
		shown := group
		if group[0].Severity == finding.Warning && !a.verbose && len(group) > most {
			shown = group[:most]
		}
		for _, f := range shown {
			b.WriteString(f.String() + "\n")
		}
		if rest := len(group) - len(shown); rest > 0 {
			fmt.Fprintf(&b, "… and %d more %s (-v shows all)\n", rest, group[0].Code)
		}
		b.WriteByte('\n')
	}
	_, err := io.WriteString(a.Stdout, Escape(b.String()))
	return err
}

// answer prints text, or v as JSON, and writes v to the -o files.
func (a *app) answer(v any, text func() error) error {
	for _, o := range a.outputs {
		var b bytes.Buffer
		err := writeJSON(&b, v)
		if err == nil {
			err = writeFile(a.path(o), b.Bytes())
		}
		if err != nil {
			return exit(exitTrouble, err)
		}
	}
	if a.format == "json" {
		return writeJSON(a.Stdout, v)
	}
	return text()
}

// writeJSON writes v as one line. Characters that steer a terminal are escaped.
func writeJSON(w io.Writer, v any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return err
	}
	_, err := io.WriteString(w, report.EscapeJSON(b.String()))
	return err
}

// labelSet is a golden set with the documents it labels, and everything that
// reading them found.
type labelSet struct {
	set    *golden.Set
	corpus *corpus.Corpus
	file   string // of the set
	golden string // the same, as it is shown: relative to -C
	found  finding.List
	spool  *spool.Spool // where the documents lie

	home       string          // the experiment's folder
	experiment plan.Experiment // of kerf.yaml, else the default
	config     string          // kerf.yaml as it is shown, "" if there is none
}

// configured reads the configuration; problems of its content are findings.
func (a *app) configured() (labelSet, error) {
	in := labelSet{home: a.dir, experiment: plan.Default()}
	config, err := a.findConfig()
	if err != nil {
		return in, err
	}
	if config != "" {
		content, err := os.ReadFile(config)
		if err != nil {
			return in, a.unread(config, err, "")
		}
		e, found := plan.Parse(a.shown(config), content)
		in.found = append(in.found, found...)
		in.home, in.config = filepath.Dir(config), a.shown(config)
		if found.Errors() == 0 {
			in.experiment = e
		} else {
			in.experiment.Corpus = cmp.Or(e.Corpus, in.experiment.Corpus)
			in.experiment.Golden = cmp.Or(e.Golden, in.experiment.Golden)
		}
	}
	in.file = resolved(in.home, in.experiment.Golden)
	in.golden = a.shown(in.file)
	return in, nil
}

// labels reads configuration, corpus and golden set. Problems of their content
// are findings; a missing file is an error.
func (a *app) labels() (labelSet, error) {
	in, err := a.configured()
	if err != nil {
		return in, err
	}
	content, err := os.ReadFile(in.file)
	if err != nil {
		hint := "; kerf init writes an empty one"
		if in.config != "" { // which init would not touch
			hint = `; write it, with {"kerf":"golden/1","unit":"codepoint"} as its first line`
		}
		return in, a.unread(in.file, err, hint)
	}
	listed, err := a.documents(resolved(in.home, in.experiment.Corpus), &in)
	if err != nil {
		return in, err
	}
	set, found := golden.Read(in.golden, content, in.corpus)
	in.set = set
	for _, f := range found {
		unknown := f.Code == golden.CodeDoc || f.Code == golden.CodeWithin
		if !unknown || !listed[unquote(f.Found)] { // a document that could not be read is reported already
			in.found = append(in.found, f)
		}
	}
	return in, nil
}

// largeGarbage is how much garbage may gather where the corpus is large, in percent
// of what is in use. That is then mostly arrays without pointers, which the collector
// need not look into: it may come often. manifestLarge is the manifest, in bytes, of
// a corpus that will be: of 5,000 documents or so.
const (
	largeGarbage  = 20
	manifestLarge = 1 << 20
)

// documents reads the corpus. Listed are the ids that a manifest with
// errors names, also those whose text could not be read.
func (a *app) documents(manifest string, in *labelSet) (listed map[string]bool, err error) {
	content, err := os.ReadFile(manifest)
	if err != nil {
		return nil, a.unread(manifest, err, "; write it with: kerf freeze DIR")
	}
	t, err := openTree(manifest)
	if err != nil {
		return nil, err
	}
	defer t.root.Close()
	in.spool = spool.New(filepath.Join(in.home, ".kerf"), spool.Large)
	if len(content) > manifestLarge {
		a.garbage(largeGarbage)
		if err := a.fitDocuments(a.shown(manifest), len(content)); err != nil {
			return nil, err
		}
	}
	c, found := corpus.ReadInto(t.FS(), t.name, in.spool.Text)
	if in.spool.Large() {
		a.garbage(largeGarbage)
	}
	for _, f := range found {
		f.File = a.shown(filepath.Join(t.base, f.File))
		in.found = append(in.found, f)
	}
	if in.corpus = c; c == nil {
		in.corpus = &corpus.Corpus{}
	}
	listed = map[string]bool{}
	if found.Errors() > 0 {
		lines, _ := jsonl.ParseFile(manifest, content)
		for _, l := range lines {
			if doc := l.Value.Get("doc"); doc != nil {
				listed[doc.Text] = true
			}
		}
	}
	return listed, nil
}

// findConfig is -c, or the nearest kerf.yaml from -C upward, not above the git
// root; "" if there is none.
func (a *app) findConfig() (string, error) {
	if a.config != "" {
		return a.path(a.config), nil
	}
	dir, err := realPath(a.dir)
	if err != nil {
		return "", exit(exitTrouble, err)
	}
	for top := gitRoot(dir); ; dir = filepath.Dir(dir) {
		file := filepath.Join(dir, "kerf.yaml")
		if _, err := os.Stat(file); err == nil {
			return file, nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		if top == "" || dir == top {
			return "", nil
		}
	}
}

// shown is a path as messages name it: relative to -C.
func (a *app) shown(path string) string {
	dir, err1 := realPath(a.dir)
	folder, err2 := realPath(filepath.Dir(path))
	rel, err3 := filepath.Rel(dir, filepath.Join(folder, filepath.Base(path)))
	if errors.Join(err1, err2, err3) != nil {
		return path
	}
	return filepath.ToSlash(rel)
}

// unquote is a JSON string's text.
func unquote(s string) string {
	l, _ := jsonl.Parse("", 1, []byte(s))
	if l.Value == nil {
		return s
	}
	return l.Value.Text
}

func (a *app) unread(path string, err error, hint string) error {
	if !errors.Is(err, fs.ErrNotExist) {
		hint = ""
	}
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	return exit(exitTrouble, fmt.Errorf("%s: %w%s", a.shown(path), err, hint))
}
