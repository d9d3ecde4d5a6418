package cli

import (
	"fmt"
	"io"

	"kerf/internal/report"
)

// next prints the one line of what to do now: kerf with these words, a command to
// paste into a shell in the folder where this one was given.
func (a *app) next(words ...string) { a.say("next: %s", a.command(words...)) }

// command is kerf with these words, as it is pasted into that shell.
func (a *app) command(words ...string) string {
	command := "kerf"
	if a.dir != "." {
		command += " -C " + report.Quote(a.dir)
	}
	if a.config != "" {
		command += " -c " + report.Quote(a.config)
	}
	for _, w := range words {
		command += " " + report.Quote(w)
	}
	return command
}

// in is the same invocation as if it were started in another folder, where the
// nearest kerf.yaml counts.
func (a *app) in(dir string) *app {
	b := *a
	b.dir, b.config = dir, ""
	return &b
}

// say prints a line of talk.
func (a *app) say(format string, args ...any) {
	if !a.quiet {
		fmt.Fprintln(a.Stderr, Escape(fmt.Sprintf(format, args...)))
	}
}

// refuse says why nothing is done, and what to do first.
func (a *app) refuse(why string, next ...string) error {
	fmt.Fprintln(a.Stderr, Escape("kerf: "+why))
	a.next(next...)
	return exit(exitTrouble, nil)
}

// Escape makes a text safe for a terminal and a pipe.
func Escape(s string) string { return report.Escape(s) }

// counted is a number with its noun.
func counted(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return report.Number(n) + " " + noun
}

// sink is stdout. It remembers that it could not be written to, whoever wrote: a
// result that did not arrive is no success.
type sink struct {
	w   io.Writer
	err error
}

func (s *sink) Write(b []byte) (int, error) {
	n, err := s.w.Write(b)
	if err != nil {
		s.err = err
	}
	return n, err
}
