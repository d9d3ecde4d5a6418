package sweep

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"

	"kerf/internal/study/cas"
)

// Run executes cells.
type Run struct {
	Study *Study
	Store *cas.Store
	Jobs  int         // cores; 0: all
	Begin func() bool // asked before each cell; false: no more cells are begun. nil: always
	Done  func(Event) // told after each cell, one call at a time. nil: nobody
}

// Event is a cell that has ended.
type Event struct {
	Cell        string
	Reused      bool
	Err         error
	Note        string // what was wrong with the stored result, "" if nothing
	Done, Total int
}

// Result is a cell with what the store has of it; Err says why there is nothing.
type Result struct {
	Cell
	Key    cas.Key
	Entry  cas.Entry
	Reused bool
	Err    error
}

// ErrNotBegun is the failure of a cell that the deadline or an interrupt left out.
var ErrNotBegun = errors.New("not begun before the deadline")

// Cells takes every cell from the store or runs it, on several cores. The
// results are in the order of cells, whatever order they were done in; a cell
// that fails does not stop the others.
func (r *Run) Cells(ctx context.Context, cells []Cell) []Result {
	results := make([]Result, len(cells))
	jobs := r.Jobs
	if jobs <= 0 {
		jobs = runtime.GOMAXPROCS(0)
	}
	next := make(chan int)
	var told sync.Mutex
	done := 0
	var wg sync.WaitGroup
	for range min(jobs, max(1, len(cells))) {
		wg.Go(func() {
			var w *Worker // made for the first cell that is not in the store
			for i := range next {
				note := ""
				results[i], note = r.cell(ctx, &w, cells[i])
				told.Lock()
				done++
				if r.Done != nil {
					r.Done(Event{cells[i].Name, results[i].Reused, results[i].Err, note, done, len(cells)})
				}
				told.Unlock()
			}
		})
	}
	for i := range cells {
		next <- i
	}
	close(next)
	wg.Wait()
	return results
}

// cell is one cell's result, and what was wrong with a stored one.
func (r *Run) cell(ctx context.Context, w **Worker, c Cell) (out Result, note string) {
	out = Result{Cell: c, Key: r.Study.Key(c)}
	out.Entry, out.Err = r.Store.Get(out.Key)
	if out.Err == nil {
		out.Reused = true
		return out, ""
	}
	if missing := (*cas.MissingError)(nil); !errors.As(out.Err, &missing) {
		note = out.Err.Error()
	}
	if ctx.Err() != nil || r.Begin != nil && !r.Begin() {
		out.Err = ErrNotBegun
		return out, note
	}
	out.Entry, out.Err = r.run(ctx, w, c, out.Key)
	return out, note
}

func (r *Run) run(ctx context.Context, w **Worker, c Cell, key cas.Key) (_ cas.Entry, err error) {
	if *w == nil {
		if *w, err = r.Study.NewWorker(); err != nil {
			return cas.Entry{}, err
		}
	}
	files, err := (*w).record(ctx, c)
	if err != nil {
		return cas.Entry{}, fmt.Errorf("cell %s: %w", c.Name, err)
	}
	return r.Store.Put(key, files)
}

// Missing are the cells that the store does not have. None is read: what is wrong
// with one is said where it is run again.
func (s *Study) Missing(store *cas.Store, cells []Cell) []Cell {
	return slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool { return store.Has(s.Key(c)) })
}
