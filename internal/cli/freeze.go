package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kerf/internal/adapter/git"
	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/spool"
	"kerf/internal/study/plan"
)

// freezing is the flags of freeze.
type freezing struct {
	include, exclude []string
	observed         string
	texts            string
	verify           bool
}

func (a *app) newFreeze() *cobra.Command {
	var z freezing
	cmd := &cobra.Command{
		Use:   "freeze [DIR | --texts FILE]",
		Short: "Pin a folder of documents in corpus.jsonl",
		Long: `Pin every text below DIR, as it stands, in corpus.jsonl (another file: -o).

Text is what ends in .txt .text .md .markdown .mdx .rst .adoc .org, and what an
--include pattern names. Hidden files are skipped, links are not followed. What
is not UTF-8 text is listed with its place, the others are frozen; exit 1.
Without DIR: the folder of the manifest again. A pattern without "/" is held
against the name, another one against the path below DIR ("**": any folders).

--texts FILE pins what another program has read from PDF, DOCX or HTML: lines of
{"doc","text","page"} in texts/1. FILE belongs into version control.`,
		Example: "  kerf freeze kerf-demo/docs",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			dir := ""
			if len(args) > 0 {
				dir = args[0]
			}
			return a.freeze(cmd.Context(), z, dir)
		},
	}
	f := cmd.Flags()
	f.StringArrayVar(&z.include, "include", nil, "also freeze the files that match `PATTERN` (repeatable; kept in the manifest)")
	f.StringArrayVar(&z.exclude, "exclude", nil, "leave out the files and folders that match `PATTERN` (repeatable; kept in the manifest)")
	f.StringVar(&z.texts, "texts", "", "pin the documents of a texts/1 `FILE` in place of a folder's")
	f.StringVar(&z.observed, "observed", "", "the `DATE` of the documents (default: of their last commit)")
	f.BoolVar(&z.verify, "verify", false, "only hold the manifest against the files; exit 1 where they differ")
	return cmd
}

func isDate(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func (a *app) freeze(ctx context.Context, z freezing, dir string) error {
	if err := a.textOrJSON("freeze"); err != nil {
		return err
	}
	manifest := "corpus.jsonl"
	switch len(a.outputs) {
	case 0:
	case 1:
		manifest = a.outputs[0]
	default:
		return usage("freeze writes one manifest: one -o")
	}
	switch {
	case filepath.Ext(manifest) != ".jsonl":
		return usage("-o %s: a manifest ends in .jsonl", manifest)
	case z.observed != "" && !isDate(z.observed):
		return usage("--observed %s: expected a date as YYYY-MM-DD", z.observed)
	case z.texts != "" && (dir != "" || z.include != nil || z.exclude != nil):
		return usage("--texts goes with neither DIR nor --include nor --exclude")
	case z.verify && (z.include != nil || z.exclude != nil || z.observed != ""):
		return usage("--verify takes no other flag: it changes nothing")
	}
	t, err := openTree(a.path(manifest))
	if err != nil {
		return err
	}
	defer t.root.Close()
	if z.verify {
		return a.verifyFreeze(t, manifest, dir, z.texts)
	}
	from, err := a.source(t, manifest, dir, z.texts)
	if err != nil {
		return err
	}
	if from.texts && (z.include != nil || z.exclude != nil) {
		return usage("--include and --exclude are of a folder, and %s pins the texts of %s", manifest, from.root)
	}
	labels, known := a.labelsInUse(t)
	if !known {
		a.say("the labels cannot all be read (kerf check says why): every older line stays")
	}
	p := corpus.Params{Manifest: t.name, Root: from.root, Texts: from.texts, Include: z.include, Exclude: z.exclude, Observed: z.observed, Labels: labels, KeepOlder: !known,
		Keep: t.keep}
	if z.observed == "" {
		if r, err := git.Open(ctx, from.folder); err == nil {
			p.Dates = r.Dates(ctx, from.folder)
		}
	}
	frozen, err := corpus.Freeze(t.FS(), p)
	if found, ok := finding.As(err); ok {
		return a.placed(t, found).Err()
	}
	if err != nil {
		return err
	}
	c, found := &corpus.Corpus{}, finding.List(nil)
	if frozen.Documents > 0 {
		before, err := fs.ReadFile(t.FS(), t.name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		if err != nil || string(before) != string(frozen.Manifest) {
			if err := writeFile(filepath.Join(t.base, filepath.FromSlash(t.name)), frozen.Manifest); err != nil {
				return err
			}
		}
		// What is written is read back, as every later command will.
		kept := spool.New(filepath.Join(t.base, filepath.FromSlash(path.Dir(t.name)), ".kerf"), spool.Large)
		if c, found = corpus.ReadInto(t.FS(), t.name, kept.Text); c == nil {
			return a.placed(t, found).Err()
		}
		if err := t.guard(c); err != nil {
			return err
		}
	}
	found = slices.DeleteFunc(found, func(f finding.Finding) bool {
		// Already rows of the refused and the unreadable; marks are a row too.
		return f.Code == corpus.CodeChanged || f.Code == corpus.CodeText || f.Code == corpus.CodeBOM
	})
	r := reportFreeze(manifest, from.root, frozen, c, a.placed(t, append(frozen.Refused, found...)))
	if err := a.printFreeze(r); err != nil {
		return err
	}
	switch {
	case frozen.Documents == 0:
		a.say("name a folder that holds texts, or --include a kind that was left out")
		a.next("freeze", "--help")
		return exit(exitFindings, nil)
	case len(r.Unreadable) > 0 || r.Findings.Errors() > 0:
		a.say("repair what is listed, or leave it out with --exclude; then freeze again")
		a.next(from.words(manifest)...)
		return exit(exitFindings, nil)
	}
	if config, err := a.findConfig(); err == nil && config == "" && absent(a.path("golden.jsonl")) {
		a.next("init")
	} else {
		a.next("check")
	}
	return nil
}

// placed is found with its files as the user names them.
func (a *app) placed(t *tree, found finding.List) finding.List {
	for i, f := range found {
		found[i].File = a.shown(filepath.Join(t.base, filepath.FromSlash(f.File)))
	}
	return found
}

// source is what is frozen.
type source struct {
	root   string // the folder, or the texts/1 file, as the manifest names it
	texts  bool   // it is a file of texts
	folder string // absolute: the folder, or the one that the file lies in
}

// words are the freeze that made a manifest of this source: its root is named
// from the manifest's own folder, and not from -C.
func (s source) words(manifest string) []string {
	words := []string{"freeze"}
	if s.texts {
		words = append(words, "--texts")
	}
	words = append(words, filepath.ToSlash(filepath.Join(filepath.Dir(manifest), filepath.FromSlash(s.root))))
	if manifest != "corpus.jsonl" {
		words = append(words, "-o", manifest)
	}
	return words
}

// source is the folder or the file of texts to freeze; without either, the one
// that the manifest pins.
func (a *app) source(t *tree, manifest, dir, texts string) (source, error) {
	home := filepath.Dir(filepath.Join(t.base, filepath.FromSlash(t.name)))
	if dir == "" && texts == "" {
		c, found := corpus.ReadInto(t.FS(), t.name, func([]byte) string { return "" }) // its header is wanted
		if c == nil {
			if _, err := fs.Stat(t.FS(), t.name); errors.Is(err, fs.ErrNotExist) {
				return source{}, usage("freeze needs the folder of the documents: there is no %s yet", manifest)
			}
			return source{}, a.placed(t, found).Err()
		}
		s := source{root: c.Root, texts: c.Extract == corpus.Texts, folder: filepath.Join(home, filepath.FromSlash(c.Root))}
		if s.texts {
			s.folder = filepath.Dir(s.folder)
		}
		return s, nil
	}
	given := dir + texts
	at, err := realPath(a.path(given))
	switch {
	case errors.Is(err, fs.ErrNotExist) && texts == "":
		return source{}, usage("%s: no such folder", given)
	case errors.Is(err, fs.ErrNotExist):
		return source{}, usage("--texts %s: no such file", given)
	case err != nil:
		return source{}, err
	}
	switch info, err := os.Stat(at); {
	case texts == "" && (err != nil || !info.IsDir()):
		return source{}, usage("%s is no folder; --texts FILE pins a file of texts/1", given)
	case texts != "" && (err != nil || !info.Mode().IsRegular()):
		return source{}, usage("--texts %s: no file", given)
	}
	if _, err := t.rel(at); err != nil {
		return source{}, fmt.Errorf("%w; -o FILE puts the manifest elsewhere", err)
	}
	rel, err := filepath.Rel(home, at)
	s := source{root: filepath.ToSlash(rel), texts: texts != "", folder: at}
	if s.texts {
		s.folder = filepath.Dir(at)
	}
	return s, err
}

// labelsInUse are the labels of the golden set that kerf.yaml names, else of
// golden.jsonl beside the manifest. known is false where they cannot all be
// read, so that no line may be given up.
func (a *app) labelsInUse(t *tree) (labels []corpus.Label, known bool) {
	file := filepath.Join(t.base, filepath.FromSlash(path.Join(path.Dir(t.name), "golden.jsonl")))
	config, err := a.findConfig()
	if err != nil {
		return nil, false
	}
	if config != "" {
		content, err := os.ReadFile(config)
		if err != nil {
			return nil, false
		}
		if e, found := plan.Parse(config, content); found.Errors() > 0 {
			return nil, false
		} else if e.Golden != "" {
			file = resolved(filepath.Dir(config), e.Golden)
		}
	}
	content, err := os.ReadFile(file)
	if err != nil {
		return nil, errors.Is(err, fs.ErrNotExist)
	}
	lines, found := jsonl.ParseFile(file, content)
	text := func(v *jsonl.Value) string {
		if v == nil {
			return ""
		}
		return v.Text
	}
	for _, l := range lines {
		spans := l.Value.Get("spans")
		if spans == nil {
			continue
		}
		for _, m := range spans.Members {
			labels = append(labels, corpus.Label{QID: text(l.Value.Get("qid")), Doc: text(m.Value.Get("doc")), Version: text(m.Value.Get("version"))})
		}
	}
	return labels, found.Errors() == 0
}

func (a *app) verifyFreeze(t *tree, manifest, dir, texts string) error {
	c, found := corpus.Verify(t.FS(), t.name)
	if c == nil {
		return a.placed(t, found).Err()
	}
	pinned := source{root: path.Clean(c.Root), texts: c.Extract == corpus.Texts}
	if dir != "" || texts != "" {
		s, err := a.source(t, manifest, dir, texts)
		if err != nil {
			return err
		}
		if s.root != pinned.root || s.texts != pinned.texts {
			return usage("%s pins %q, not %q", manifest, c.Root, s.root)
		}
	}
	found = a.placed(t, found)
	out := verifiedReport{"freeze-verify/1", manifest, c.Digest(), len(c.Documents), append(finding.List{}, found...), found.Errors(), len(found) - found.Errors()}
	var err error
	if a.format == "json" {
		err = writeJSON(a.Stdout, out)
	} else {
		var b strings.Builder
		for _, f := range found {
			fmt.Fprintln(&b, f)
		}
		switch {
		case out.Errors > 0:
			fmt.Fprintln(&b, counted(out.Errors, "difference"))
		case out.Documents == 1:
			fmt.Fprintf(&b, "1 document is as %s pins it\n", manifest)
		default:
			fmt.Fprintf(&b, "%s are as %s pins them\n", counted(out.Documents, "document"), manifest)
		}
		_, err = fmt.Fprint(a.Stdout, Escape(b.String()))
	}
	if err != nil {
		return err
	}
	if out.Errors > 0 {
		a.next(pinned.words(manifest)...)
		return exit(exitFindings, nil)
	}
	return nil
}

// verifiedReport is freeze-verify/1.
type verifiedReport struct {
	Kerf      string       `json:"kerf"`
	Manifest  string       `json:"manifest"`
	Corpus    string       `json:"corpus"`
	Documents int          `json:"documents"`
	Findings  finding.List `json:"findings"`
	Errors    int          `json:"errors"`
	Warnings  int          `json:"warnings"`
}
