package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/golden"
	"kerf/internal/study/plan"
)

// where says where the user is: documents, labels, last run, next command.
func (a *app) where(cmd *cobra.Command) error {
	if len(a.outputs) > 0 || a.format != "text" {
		return usage("kerf alone prints text; name a command for --format and -o")
	}
	there := func(name string) bool {
		_, err := os.Stat(a.path(name))
		return !errors.Is(err, fs.ErrNotExist)
	}
	config, err := a.findConfig()
	if err != nil {
		return err
	}
	if config == "" && !there("corpus.jsonl") && !there("golden.jsonl") {
		fmt.Fprintln(a.Stdout, "no kerf.yaml, corpus.jsonl or golden.jsonl here")
		a.next("kerf demo (an example), or kerf init (your own documents); kerf help lists every command")
		return nil
	}
	home, e := a.dir, plan.Default()
	if config != "" {
		content, err := os.ReadFile(config)
		if err != nil {
			return a.unread(config, err, "")
		}
		home = filepath.Dir(config)
		e, _ = plan.Parse(config, content) // kerf check says what is wrong with it
	}
	if absent(filepath.Join(home, filepath.FromSlash(e.Corpus))) {
		fmt.Fprintln(a.Stdout, "no documents are frozen yet")
		a.next("kerf freeze DIR")
		return nil
	}
	if absent(filepath.Join(home, filepath.FromSlash(e.Golden))) {
		fmt.Fprintln(a.Stdout, Escape(fmt.Sprintf("no questions yet: there is no %s", e.Golden)))
		if config == "" {
			a.next("kerf init")
		} else { // which init would not touch
			a.next(`write %s; its first line: {"kerf":"golden/1","unit":"codepoint"}`, e.Golden)
		}
		return nil
	}
	in, err := a.labels()
	if err != nil {
		return err
	}
	draft, stale := 0, map[string]bool{}
	for _, q := range in.set.Questions {
		if slices.ContainsFunc(q.Spans, func(s *golden.Span) bool { return s.Draft }) {
			draft++
		}
	}
	for _, f := range in.found {
		if f.Code == golden.CodeStale {
			stale[f.QID] = true
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-10s %s, %s bytes\n", "documents", counted(len(in.corpus.Documents), "document"), grouped(int64(in.corpus.Bytes())))
	fmt.Fprintf(&b, "%-10s %s: %d done, %d draft, %d stale\n", "labels", counted(len(in.set.Questions), "question"), len(in.set.Questions)-draft-len(stale), draft, len(stale))
	last, err := os.ReadFile(filepath.Join(in.home, ".kerf", "runs", "latest"))
	if err != nil {
		last = []byte("none")
	}
	fmt.Fprintf(&b, "%-10s %s\n", "last run", strings.TrimSpace(string(last)))
	if n := in.found.Errors(); n > 0 {
		fmt.Fprintf(&b, "%-10s %s\n", "problems", counted(n, "error"))
	}
	fmt.Fprint(a.Stdout, Escape(b.String()))
	switch {
	case in.found.Errors() > 0:
		a.next("kerf check")
	case len(in.set.Questions) == 0:
		a.next("write a line into %s: doc and quote are enough, then kerf anchor -w", in.golden)
	case draft > 0:
		a.next("kerf anchor -w")
	case string(last) == "none":
		a.next("kerf run")
	default:
		a.next("kerf explain")
	}
	return nil
}

func absent(file string) bool {
	_, err := os.Stat(file)
	return errors.Is(err, fs.ErrNotExist)
}
