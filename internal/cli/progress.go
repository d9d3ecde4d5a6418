package cli

import (
	"encoding/json"
	"fmt"
	"time"

	"kerf/internal/study/sweep"
)

// progress talks on stderr while cells run: a line that is written over on a
// terminal, lines now and then with --progress plain, events with json.
type progress struct {
	a     *app
	mode  string
	began time.Time
	run   int // cells run, not reused
	tenth int
}

func (a *app) newProgress(began time.Time) *progress {
	p := &progress{a: a, mode: a.progress, began: began}
	if p.mode == "auto" {
		p.mode = "none"
		if a.ErrTerminal && !a.quiet {
			p.mode = "terminal"
		}
	}
	return p
}

func (p *progress) cell(e sweep.Event) {
	if !e.Reused {
		p.run++
	}
	seconds := p.a.Now().Sub(p.began).Seconds()
	rate, left := 0.0, 0.0
	if p.run > 0 && seconds > 0 {
		rate = float64(p.run) / seconds
		left = float64(e.Total-e.Done) / rate
	}
	line := fmt.Sprintf("%d of %d cells, %.1f a second, %.0f s left", e.Done, e.Total, rate, left)
	switch p.mode {
	case "terminal":
		fmt.Fprintf(p.a.Stderr, "\r\x1b[K%s", line)
	case "plain":
		if t := 10 * e.Done / e.Total; t > p.tenth {
			p.tenth = t
			fmt.Fprintln(p.a.Stderr, line)
		}
	case "json":
		b, err := json.Marshal(map[string]any{"cell": e.Cell, "reused": e.Reused, "done": e.Done, "total": e.Total, "rate": rate, "left": left})
		if err == nil {
			fmt.Fprintf(p.a.Stderr, "%s\n", b)
		}
	}
}

// note prints a line that stays.
func (p *progress) note(format string, args ...any) {
	if p.mode == "terminal" {
		fmt.Fprint(p.a.Stderr, "\r\x1b[K")
	}
	fmt.Fprintln(p.a.Stderr, Escape(fmt.Sprintf(format, args...)))
}

func (p *progress) end() {
	if p.mode == "terminal" {
		fmt.Fprint(p.a.Stderr, "\r\x1b[K")
	}
}
