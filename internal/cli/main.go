// Package cli is the command line: one file a command, wire.go with every
// command in one list, exit.go with the way from an outcome to an exit code.
//
// Main is a function of its Process, so that tests run it without a process.
// stdout carries the result, stderr the talk. Untrusted text (documents, names)
// reaches neither unescaped.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"
)

// Process is what kerf may touch of the world around it.
type Process struct {
	Args           []string // without the program's name
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	Getenv         func(string) string
	Now            func() time.Time                // for timings.json and progress only, never for a result
	Memory         func() (free int64, known bool) // bytes that may still be taken; nil: not known
	OutTerminal    bool                            // stdout is a terminal
	ErrTerminal    bool                            // stderr is a terminal
}

// OS is the real process.
func OS() Process {
	return Process{
		Args: os.Args[1:], Stdin: os.Stdin, Stdout: os.Stdout, Stderr: os.Stderr, Getenv: os.Getenv, Now: time.Now, Memory: memory,
		OutTerminal: term.IsTerminal(int(os.Stdout.Fd())), ErrTerminal: term.IsTerminal(int(os.Stderr.Fd())),
	}
}

// app is one invocation: the process and the global flags.
type app struct {
	Process
	dir      string        // -C
	config   string        // -c
	format   string        // --format
	json     bool          // --json
	outputs  []string      // -o
	quiet    bool          // -q
	verbose  bool          // -v
	progress string        // --progress
	offline  bool          // --offline
	deadline time.Duration // --deadline
	jobs     int           // -j
}

// Main runs kerf and returns the exit code.
func Main(ctx context.Context, p Process) int {
	out := &sink{w: p.Stdout}
	p.Stdout = out
	a := &app{Process: p}
	root := a.root()
	root.SetArgs(p.Args)
	err := root.ExecuteContext(ctx)
	switch {
	case ctx.Err() != nil && err != nil:
		err = exit(exitInterrupted, fmt.Errorf("interrupted; the same command goes on where it stopped"))
	case out.err != nil:
		err = exit(exitTrouble, fmt.Errorf("standard output: %w", out.err))
	}
	if err != nil && !errors.Is(err, errSaid) {
		fmt.Fprintln(p.Stderr, Escape("kerf: "+err.Error()))
	}
	return exitCode(err)
}

func (a *app) root() *cobra.Command {
	root := &cobra.Command{
		Use:           "kerf",
		Short:         "Do your chunk boundaries cut away the evidence your answers need?",
		SilenceErrors: true, SilenceUsage: true,
		Example: "  kerf demo",
		Args:    subcommand,
		RunE:    func(cmd *cobra.Command, _ []string) error { return a.where(cmd) },
	}
	f := root.PersistentFlags()
	f.StringVarP(&a.dir, "dir", "C", ".", "run as if started in `DIR`")
	f.StringVarP(&a.config, "config", "c", "", "the experiment `FILE` (default: the nearest kerf.yaml, up to the git root)")
	f.StringVar(&a.format, "format", "text", "what stdout carries: text or json; of run, view and gate also markdown; of run, view, diff, cuts and score also csv; of export ledger jsonl")
	f.BoolVar(&a.json, "json", false, "short for --format json")
	f.StringArrayVarP(&a.outputs, "output", "o", nil, "also write `FILE`: .json, of run and view also .html and .md; of these, cuts and score also .csv; of gate .md and the kinds of docs/format/ci.md; of freeze the manifest (repeatable)")
	f.BoolVarP(&a.quiet, "quiet", "q", false, "no talk on stderr")
	f.BoolVarP(&a.verbose, "verbose", "v", false, "more talk on stderr")
	f.StringVar(&a.progress, "progress", "auto", "auto, plain, none or json")
	f.BoolVar(&a.offline, "offline", false, "refuse every network request but to this machine")
	f.DurationVar(&a.deadline, "deadline", 0, "stop beginning work after `D`, for example 90s; exit 4")
	f.IntVarP(&a.jobs, "jobs", "j", 0, "how many cores to use (default: all); no result depends on it")
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.checkFlags() }
	root.SetFlagErrorFunc(unknownFlag)
	root.SetIn(a.Stdin)
	root.SetOut(a.Stdout)
	root.SetErr(a.Stderr)
	root.AddCommand(a.commands()...)
	helpPages(root)
	return root
}

func (a *app) checkFlags() error {
	if a.json {
		a.format = "json"
	}
	if !slices.Contains([]string{"auto", "plain", "none", "json"}, a.progress) {
		return usage("--progress %s: expected auto, plain, none or json", a.progress)
	}
	if a.jobs < 0 {
		return usage("-j %d: expected a positive number", a.jobs)
	}
	if a.deadline < 0 {
		return usage("--deadline %s: expected a positive duration", a.deadline)
	}
	return nil
}

// path resolves a path that the user gave, against -C.
func (a *app) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(a.dir, p)
}
