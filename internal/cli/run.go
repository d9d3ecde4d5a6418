package cli

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"kerf/internal/report"
	"kerf/internal/study/cas"
	"kerf/internal/study/compare"
	"kerf/internal/study/plan"
	"kerf/internal/study/sweep"
)

// running is the flags of run.
type running struct {
	resume, estimate bool
	hits, redact     string
	asking
}

func (a *app) newRun() *cobra.Command {
	var r running
	cmd := &cobra.Command{
		Use:   "run",
		Short: "The experiment: every arm at every placement of the cuts",
		Long: `Cut, rank, pack and judge every question under every arm of kerf.yaml (without
one: the eight configurations) at every placement of the cuts.

Finished cells are always reused; a killed run goes on with the same command and
gives the same bytes. Results lie in .kerf/runs/ID.

Exit: 0 done, 2 trouble, 4 ran only in part, 130 interrupted.`,
		Example: "  kerf -C kerf-demo run",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if r.hits != "read" && r.hits != "all" {
				return usage("--hits %s: expected read or all", r.hits)
			}
			if r.stale != "" && r.stale != "fail" && r.stale != "exclude" {
				return usage("--stale %s: expected fail or exclude", r.stale)
			}
			if err := redaction(r.redact); err != nil {
				return err
			}
			kinds := []string{".json", ".html", ".md", ".csv"}
			if r.estimate {
				kinds = kinds[:1]
			}
			if err := a.kinds("run", kinds...); err != nil {
				return err
			}
			p, err := a.ask(r.asking)
			if err != nil {
				return err
			}
			p.plan.Redact = cmp.Or(r.redact, p.plan.Redact)
			if r.estimate {
				return a.estimate(p)
			}
			if r.hits == "all" && p.plan.Phases.All {
				return usage("--hits all: with phases: all the ledger keeps verdicts and no hits; phases: {grid: N} keeps them")
			}
			return a.run(cmd.Context(), p, r)
		},
	}
	f := cmd.Flags()
	f.BoolVar(&r.resume, "resume", false, "demand that a part of this run is there already")
	f.BoolVar(&r.estimate, "estimate", false, "print what an index of every arm would hold, and run nothing")
	f.StringVar(&r.hits, "hits", "read", "hits kept in the ledger: read (those a view read) or all")
	f.BoolVar(&r.heldout, "heldout", false, "ask the held-out questions too; heldout.jsonl counts the runs that do")
	f.StringVar(&r.stale, "stale", "", "labels on superseded versions: `fail`, or exclude their questions (default: as kerf.yaml says)")
	redactFlag(cmd, &r.redact)
	return cmd
}

func redactFlag(cmd *cobra.Command, redact *string) {
	cmd.Flags().StringVar(redact, "redact", "", "`text`: digests in place of questions and quotes, in every report; or none (default: as kerf.yaml says)")
}

func redaction(redact string) error {
	if redact != "" && redact != "text" && redact != "none" {
		return usage("--redact %s: expected text or none", redact)
	}
	return nil
}

// outcome is a finished run.
type outcome struct {
	folder   *sweep.Folder
	facts    compare.Facts
	report   *compare.Report
	overlays []compare.Overlay
	failed   int
	trouble  error          // the log could not be written
	host     *plan.Retrieve // that failed; nil: none
}

// drawnQuestions is how many questions a report draws over their source.
const drawnQuestions = 12

func (a *app) run(ctx context.Context, p *project, flags running) error {
	out, err := a.sweep(ctx, p, flags)
	if err != nil {
		return err
	}
	if err := a.show(out); err != nil {
		return err
	}
	if out.failed > 0 || out.trouble != nil {
		if out.trouble != nil {
			fmt.Fprintln(a.Stderr, Escape("kerf: "+out.trouble.Error()))
		}
		if out.host != nil {
			a.say("a host failed; what it does wrong is told by: %s", a.command(doctorOf(*out.host)...))
		}
		a.next("run")
		return part(out.trouble)
	}
	if p.heldout == len(p.asked) { // kerf explain and kerf cuts ask none of these
		a.next("check")
	} else {
		a.next(report.Next(out.report)...)
	}
	return nil
}

// show prints a run's first screen, or its report, and writes the -o files.
func (a *app) show(out outcome) error {
	for _, o := range a.outputs {
		if filepath.Ext(o) == ".csv" {
			if err := a.writeSheet(o, report.ReportSheet(out.report)); err != nil {
				return err
			}
			continue
		}
		name := "report" + filepath.Ext(o)
		content, err := os.ReadFile(filepath.Join(out.folder.Path, name))
		if err == nil {
			err = writeFile(a.path(o), content)
		}
		if err != nil {
			return err
		}
	}
	switch a.format {
	case "json":
		return report.JSON(a.Stdout, out.report)
	case "markdown":
		return report.Markdown(a.Stdout, out.report, out.overlays)
	case "csv":
		return a.printSheet(report.ReportSheet(out.report))
	}
	return report.Text(a.Stdout, out.report, out.overlays, report.Style{Colour: a.colour()})
}

// colour: on a terminal, unless NO_COLOR is set to anything (no-color.org).
func (a *app) colour() bool { return a.OutTerminal && a.Getenv("NO_COLOR") == "" }

// sweep runs what is not there yet and makes the run's folder.
func (a *app) sweep(ctx context.Context, p *project, flags running) (outcome, error) {
	var out outcome
	began := a.Now()
	s, end, err := a.study(ctx, p, "")
	if err != nil {
		return out, err
	}
	defer end()
	cells, err := s.Cells(flags.hits == "all")
	if err != nil {
		return out, err
	}
	store, err := cas.Open(filepath.Join(p.state(), "cas"))
	if err != nil {
		return out, part(err)
	}
	id := s.ID(p.origin, p.reproduce(s), cells)
	todo := s.Missing(store, cells)
	if flags.resume && len(todo) == len(cells) {
		return out, usage("--resume: no part of run %s is there; kerf run begins it", id)
	}
	jobs, err := a.fit(s, todo)
	if err != nil {
		return out, err
	}
	if out.folder, err = sweep.NewFolder(filepath.Join(p.state(), "runs"), id, store); err != nil {
		return out, part(err)
	}
	ended := len(todo) == 0 && !absent(filepath.Join(out.folder.Path, "report.json"))
	if !ended { // else it may be read where nothing may be written
		if err := out.folder.Begin(s, p.origin, cells); err != nil {
			return out, part(err)
		}
	}
	var heldout *compare.HeldOut
	if p.heldout > 0 {
		heldout = &compare.HeldOut{Questions: p.heldout}
		if heldout.Uses, err = a.useHeldOut(p.uses, heldoutUse{id, Version, p.origin.Golden, p.heldout}); err != nil {
			return out, err
		}
	}
	results, err := a.cells(ctx, s, store, out.folder, cells, len(todo), jobs, began)
	if results == nil {
		return out, err
	}
	out.trouble = err
	measured := a.Now()
	digest, err := out.folder.Ledger(s, results)
	if err == nil {
		err = out.folder.Write("manifest.json", s.Manifest(id, p.origin, results, digest))
	}
	if err == nil {
		err = p.latest(id, ended)
	}
	if err != nil {
		return out, part(err)
	}
	if out.facts, err = s.Facts(id, p.origin, results, p.leftOut, p.reproduce(s)); err != nil {
		return out, err
	}
	out.facts.HeldOut, out.facts.Stale = heldout, p.stale
	if out.report, err = compare.Build(&out.facts); err != nil {
		return out, err
	}
	if out.overlays, err = out.facts.Overlays(out.report.WorstQuestions, drawnQuestions); err != nil {
		return out, err
	}
	if p.plan.Redact == "text" {
		out.report, out.overlays = report.Redact(out.report, out.overlays)
	}
	out.failed = len(sweep.Failures(results))
	for i, r := range results {
		if r.Err != nil && r.Arm.Retrieve.Foreign() && !errors.Is(r.Err, sweep.ErrNotBegun) {
			out.host = &results[i].Arm.Retrieve
			break
		}
	}
	t := a.timings(results, began, measured)
	if t.Reused == t.Cells { // nothing was measured now
		t = out.clocks(t)
	}
	if err := a.write(out, t); err != nil {
		return out, part(err)
	}
	return out, nil
}

// latest notes the run as the newest. A run that has ended is read all the same
// where that may not be written.
func (p *project) latest(id string, ended bool) error {
	file := filepath.Join(p.state(), "runs", "latest")
	if have, err := os.ReadFile(file); err == nil && string(have) == id+"\n" {
		return nil
	}
	err := writeFile(file, []byte(id+"\n"))
	if ended && denied(err) {
		return nil
	}
	return err
}

// clocks are the run's stored timings, else t.
func (out outcome) clocks(t timings) timings {
	var stored timings
	content, err := os.ReadFile(filepath.Join(out.folder.Path, "timings.json"))
	if err == nil && json.Unmarshal(content, &stored) == nil && stored.Kerf == t.Kerf && stored.Cells == t.Cells {
		return stored
	}
	return t
}

// cells runs the cells, of which so many are to do, on so many cores, with progress, log and record
// of failed attempts. An error beside results is about the log: the first of them.
func (a *app) cells(ctx context.Context, s *sweep.Study, store *cas.Store, folder *sweep.Folder, cells []sweep.Cell, todo, jobs int, began time.Time) ([]sweep.Result, error) {
	show := a.newProgress(began, todo)
	var trouble error
	run := sweep.Run{Study: s, Store: store, Jobs: jobs, Done: func(e sweep.Event) {
		show.cell(e)
		line := map[string]any{"cell": e.Cell, "reused": e.Reused, "seconds": a.Now().Sub(began).Seconds()}
		files := []string{"log.jsonl"}
		if e.Note != "" {
			line["note"] = e.Note
			show.note("%s: redone: %s", e.Cell, e.Note)
		}
		if e.Err != nil {
			line["error"] = e.Err.Error()
			files = append(files, "attempts.jsonl")
			if !errors.Is(e.Err, sweep.ErrNotBegun) {
				show.note("%s: %v", e.Cell, e.Err)
			}
		}
		if e.Reused || ctx.Err() != nil && errors.Is(e.Err, sweep.ErrNotBegun) { // an interrupt is no attempt
			return
		}
		content, err := json.Marshal(line)
		for _, f := range files {
			torn := ""
			if err == nil {
				torn, err = folder.Append(f, content)
			}
			if torn != "" {
				show.note("%s:%s: the last line was cut off in the writing and is removed", filepath.Join(folder.Path, f), torn)
			}
		}
		trouble = cmp.Or(trouble, err)
	}}
	if a.deadline > 0 {
		run.Begin = func() bool { return a.Now().Sub(began) < a.deadline }
	}
	results := run.Cells(ctx, cells)
	show.end()
	if ctx.Err() != nil {
		return nil, exit(exitInterrupted, ctx.Err())
	}
	reused := 0
	for _, r := range results {
		if r.Reused {
			reused++
		}
	}
	failed := len(sweep.Failures(results))
	line := fmt.Sprintf("run %s: %s: %d reused, %d run", folder.ID, counted(len(cells), "cell"), reused, len(cells)-reused-failed)
	if failed > 0 {
		line += fmt.Sprintf(", %d without a result", failed)
	}
	a.say("%s", line)
	return results, trouble
}

// timings is timings/1: clocks, which no result holds.
type timings struct {
	Kerf    string  `json:"kerf"`
	Machine machine `json:"machine"`
	Method  string  `json:"method"`
	Cells   int     `json:"cells"`
	Reused  int     `json:"reused"`
	Seconds struct {
		Cells float64 `json:"cells"`
		All   float64 `json:"all"`
	} `json:"seconds"`
}

type machine struct {
	OS    string `json:"os"`
	Arch  string `json:"arch"`
	Cores int    `json:"cores"`
	Go    string `json:"go"`
}

func (a *app) timings(results []sweep.Result, began, measured time.Time) timings {
	t := timings{Kerf: "timings/1", Machine: thisMachine(),
		Method: "wall clock of this process, once its inputs were read; reused cells are read and verified, not run", Cells: len(results)}
	for _, r := range results {
		if r.Reused {
			t.Reused++
		}
	}
	t.Seconds.Cells = measured.Sub(began).Seconds()
	t.Seconds.All = a.Now().Sub(began).Seconds()
	return t
}

// shown are the clocks as the page prints them.
func (t timings) shown() []report.Timing {
	return []report.Timing{
		{What: "all cells", Value: fmt.Sprintf("%.2f s", t.Seconds.Cells), Method: t.Method},
		{What: "cells reused", Value: fmt.Sprintf("%d of %d", t.Reused, t.Cells), Method: "content-addressed store"},
	}
}

// write makes the run's reports.
func (a *app) write(out outcome, t timings) error {
	var j, h, m bytes.Buffer
	if err := report.JSON(&j, out.report); err != nil {
		return err
	}
	if err := report.HTML(&h, out.report, out.overlays, t.shown()); err != nil {
		return err
	}
	if err := report.Markdown(&m, out.report, out.overlays); err != nil {
		return err
	}
	clock, err := json.Marshal(t)
	if err != nil {
		return err
	}
	return errors.Join(out.folder.Write("report.json", j.Bytes()), out.folder.Write("report.html", h.Bytes()), out.folder.Write("report.md", m.Bytes()),
		out.folder.Write("timings.json", append(clock, '\n')))
}
