package cli

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime/debug"
	"slices"
	"sync"

	"kerf/internal/study/cas"
	"kerf/internal/study/compare"
	"kerf/internal/study/sweep"
)

// readingGarbage is how much garbage may gather while a gate reads, in percent of what is
// in use: most of what it reads is needed once, and little of it stays.
const (
	readingGarbage = 400
	usualGarbage   = 100
)

// garbage sets that percentage, unless the user did.
func (a *app) garbage(percent int) (back func()) {
	if a.Getenv("GOGC") != "" {
		return func() {}
	}
	was := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(was) }
}

// measure runs the cells of a study and names those without a result.
func (a *app) measure(ctx context.Context, p *project, s *sweep.Study, cells []sweep.Cell, who string) (compare.Facts, []string, error) {
	store, err := cas.Open(filepath.Join(p.state(), "cas"))
	if err != nil {
		return compare.Facts{}, nil, part(err)
	}
	jobs, err := a.fit(s, s.Missing(store, cells))
	if err != nil {
		return compare.Facts{}, nil, err
	}
	show := a.newProgress(a.Now(), len(cells))
	begin := sync.OnceFunc(func() {
		if !p.spool.Large() {
			a.garbage(usualGarbage)
		}
	})
	run := sweep.Run{Study: s, Store: store, Jobs: jobs, Done: show.cell, Begin: func() bool {
		begin() // to run a cell takes memory
		return a.deadline <= 0 || a.Now().Sub(p.began) < a.deadline
	}}
	results := run.Cells(ctx, cells)
	show.end()
	if ctx.Err() != nil {
		return compare.Facts{}, nil, exit(exitInterrupted, ctx.Err())
	}
	return p.facts(s, results, who)
}

// facts are what results tell, and the cells without one.
func (p *project) facts(s *sweep.Study, results []sweep.Result, who string) (compare.Facts, []string, error) {
	var missing []string
	for _, r := range results {
		if r.Err != nil {
			missing = append(missing, fmt.Sprintf("%s, %s: %v", who, r.Name, r.Err))
		}
	}
	facts, err := s.Facts("", p.origin, results, p.leftOut, p.reproduce(s))
	return facts, missing, err
}

// stored are the results of cells where all of them are kept; nil where one is to be
// run, of which nothing is said yet. None is run.
func (a *app) stored(ctx context.Context, p *project, s *sweep.Study, cells []sweep.Cell) ([]sweep.Result, error) {
	store, err := cas.Open(filepath.Join(p.state(), "cas"))
	if err != nil {
		return nil, part(err)
	}
	var told []sweep.Event
	run := sweep.Run{Study: s, Store: store, Jobs: a.jobs, Begin: func() bool { return false }, Done: func(e sweep.Event) { told = append(told, e) }}
	results := run.Cells(ctx, cells)
	if slices.ContainsFunc(results, func(r sweep.Result) bool { return r.Err != nil }) {
		return nil, nil
	}
	show := a.newProgress(a.Now(), len(cells))
	for _, e := range told {
		show.cell(e)
	}
	show.end()
	return results, nil
}
