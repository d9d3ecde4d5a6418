package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/golden"
	"kerf/internal/report"
	"kerf/internal/study/plan"
)

// where says where the user is: documents, labels, last run, next command.
func (a *app) where(cmd *cobra.Command) error {
	if len(a.outputs) > 0 || a.format != "text" {
		return usage("kerf alone prints text; name a command for --format and -o")
	}
	config, err := a.findConfig()
	if err != nil {
		return err
	}
	if config == "" && absent(a.path("corpus.jsonl")) && absent(a.path("golden.jsonl")) {
		_, err := fmt.Fprintln(a.Stdout, "no kerf.yaml, corpus.jsonl or golden.jsonl here")
		a.say("kerf demo writes an example, kerf init begins with your own documents, kerf help lists every command")
		a.next("demo")
		return err
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
	if absent(resolved(home, e.Corpus)) {
		_, err := fmt.Fprintln(a.Stdout, "no documents are frozen yet")
		if info, e := os.Stat(a.path("docs")); e == nil && info.IsDir() {
			a.next("freeze", "docs")
		} else {
			a.say("kerf freeze DIR pins the documents of a folder")
			a.next("freeze", "--help")
		}
		return err
	}
	if absent(resolved(home, e.Golden)) {
		_, err := fmt.Fprintln(a.Stdout, Escape(fmt.Sprintf("no questions yet: there is no %s", e.Golden)))
		if config == "" {
			a.next("init")
		} else { // which init would not touch
			a.say(`write %s; its first line: {"kerf":"golden/1","unit":"codepoint"}`, e.Golden)
			a.next("check")
		}
		return err
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
	fmt.Fprintf(&b, "%-10s %s, %s bytes\n", "documents", counted(len(in.corpus.Documents), "document"), report.Number(in.corpus.Bytes()))
	fmt.Fprintf(&b, "%-10s %s: %d done, %d draft, %d stale\n", "labels", counted(len(in.set.Questions), "question"), len(in.set.Questions)-draft-len(stale), draft, len(stale))
	last, err := os.ReadFile(filepath.Join(in.home, ".kerf", "runs", "latest"))
	if err != nil {
		last = []byte("none")
	}
	fmt.Fprintf(&b, "%-10s %s\n", "last run", strings.TrimSpace(string(last)))
	if n := in.found.Errors(); n > 0 {
		fmt.Fprintf(&b, "%-10s %s\n", "problems", counted(n, "error"))
	}
	if _, err := fmt.Fprint(a.Stdout, Escape(b.String())); err != nil {
		return err
	}
	switch {
	case in.found.Errors() > 0:
		a.next("check")
	case draft > 0:
		a.next("anchor", "-w")
	case string(last) == "none":
		a.next("run")
	default:
		a.next("explain")
	}
	return nil
}
