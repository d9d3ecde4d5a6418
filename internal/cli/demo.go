package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kerf/examples/handbook"
	"kerf/internal/corpus"
	"kerf/internal/report"
	"kerf/internal/study/cas"
)

func (a *app) newDemo() *cobra.Command {
	return &cobra.Command{
		Use:   "demo [DIR]",
		Short: "The embedded handbook: freeze it, move the cuts, see a rule lose its exception",
		Long: `Write the embedded handbook and its 60 labelled questions into DIR (default
kerf-demo, which git ignores), freeze it, run the eight configurations at eight
placements of the cuts, and write report.html there. Offline.`,
		Example: "  kerf demo",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := a.kinds("demo"); err != nil {
				return err
			}
			dir := "kerf-demo"
			if len(args) > 0 {
				dir = args[0]
			}
			return a.demo(cmd.Context(), dir)
		},
	}
}

func (a *app) demo(ctx context.Context, name string) error {
	dir := a.path(name)
	files, err := demoFiles()
	if err != nil {
		return err
	}
	// Nothing is written where a file of the user's is in the way.
	if strange := strangeFile(dir, files); strange != "" {
		return usage("%s is not the demo's: name another folder (kerf demo DIR), or delete it", filepath.Join(name, strange))
	}
	if err := foreign(dir, name, files); err != nil {
		return err
	}
	for _, f := range files {
		if err := writeFile(filepath.Join(dir, filepath.FromSlash(f.path)), []byte(f.content)); err != nil {
			return err
		}
	}
	t, err := openTree(filepath.Join(dir, "corpus.jsonl"))
	if err != nil {
		return err
	}
	defer t.root.Close()
	frozen, err := corpus.Freeze(t.FS(), corpus.Params{Manifest: t.name, Root: "docs", Keep: t.keep})
	if err != nil {
		return err
	}
	if err := writeFile(filepath.Join(dir, "corpus.jsonl"), frozen.Manifest); err != nil {
		return err
	}
	a = a.in(dir) // from here on, as in any project
	p, err := a.project()
	if err != nil {
		return err
	}
	out, err := a.sweep(ctx, p, running{hits: "read"})
	if err != nil {
		return err
	}
	page, err := os.ReadFile(filepath.Join(out.folder.Path, "report.html"))
	if err == nil {
		err = writeFile(filepath.Join(dir, "report.html"), page)
	}
	if err != nil {
		return err
	}
	if err := a.show(out); err != nil {
		return err
	}
	a.say("written: %s", filepath.Join(dir, "report.html"))
	if out.failed > 0 {
		a.next("run")
		return exit(exitPart, nil)
	}
	a.next(report.Next(out.report)...)
	return nil
}

// foreign refuses a folder that is neither empty nor the demo's own. That one holds
// the questions, or, where a demo was killed in the writing, its own names alone.
func foreign(dir, name string, files []newFile) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	own := map[string]bool{".kerf": true, "report.html": true}
	for _, f := range files {
		first, _, _ := strings.Cut(f.path, "/")
		own[first] = true
	}
	strange := ""
	for _, e := range entries {
		if !own[e.Name()] && !strings.HasPrefix(e.Name(), cas.Temporary) {
			strange = e.Name()
		}
	}
	if !absent(filepath.Join(dir, ".gitignore")) && (strange == "" || !absent(filepath.Join(dir, "golden.jsonl"))) {
		return nil // strangeFile has found that both are the demo's, byte for byte
	}
	return usage("%s is a folder of yours: the demo writes only into one of its own, which git then ignores; name another one (kerf demo DIR)", name)
}

// strangeFile is a file in dir that the demo would overwrite or freeze and that
// is not its own, "" if there is none.
func strangeFile(dir string, files []newFile) string {
	own := map[string]bool{}
	for _, f := range files {
		own[f.path] = true
		if have, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(f.path))); err == nil && string(have) != f.content {
			return f.path
		}
	}
	strange := ""
	_ = fs.WalkDir(os.DirFS(dir), "docs", func(path string, d fs.DirEntry, err error) error { // not there: nothing strange
		if err == nil && !d.IsDir() && !own[path] {
			strange = path
			return fs.SkipAll
		}
		return err
	})
	return strange
}

// demoFiles are the handbook, the questions, the manifest that freeze writes,
// the configuration that init writes, and a .gitignore that keeps git away from
// all of it.
func demoFiles() ([]newFile, error) {
	frozen, err := corpus.Freeze(handbook.Files, corpus.Params{Manifest: "corpus.jsonl", Root: "docs"})
	if err != nil {
		return nil, fmt.Errorf("the embedded handbook: %w", err)
	}
	files := []newFile{{".gitignore", "*\n"}, {"kerf.yaml", initExperiment}, {"corpus.jsonl", string(frozen.Manifest)}}
	err = fs.WalkDir(handbook.Files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := handbook.Files.ReadFile(path)
		files = append(files, newFile{path, string(content)})
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("the embedded handbook: %w", err)
	}
	return files, nil
}
