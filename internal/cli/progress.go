package cli

import (
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
	drawn time.Time
	run   int // cells run, not reused
	todo  int // cells to run, as far as is known
	tenth int
}

// redraw is how long a line stands before reused cells write over it: reading
// them is faster than a terminal.
const redraw = 100 * time.Millisecond

func (a *app) newProgress(began time.Time, todo int) *progress {
	p := &progress{a: a, mode: a.progress, began: began, todo: todo}
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
		p.todo = max(p.todo, p.run) // a stored cell was damaged
	}
	now := p.a.Now()
	line := fmt.Sprintf("%d of %d cells", e.Done, e.Total)
	event := map[string]any{"cell": e.Cell, "reused": e.Reused, "done": e.Done, "total": e.Total}
	if seconds := now.Sub(p.began).Seconds(); p.run > 0 && seconds > 0 {
		rate := float64(p.run) / seconds
		left := float64(p.todo-p.run) / rate
		line += fmt.Sprintf(", %.1f a second, %.0f s left", rate, left)
		event["rate"], event["left"] = rate, left
	}
	switch p.mode {
	case "terminal":
		if e.Reused && e.Done < e.Total && now.Sub(p.drawn) < redraw {
			return
		}
		p.drawn = now
		fmt.Fprintf(p.a.Stderr, "\r\x1b[K%s", line)
	case "plain":
		if t := 10 * e.Done / e.Total; t > p.tenth {
			p.tenth = t
			fmt.Fprintln(p.a.Stderr, line)
		}
	case "json":
		_ = writeJSON(p.a.Stderr, event) // talk
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
