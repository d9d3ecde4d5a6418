// Package sweep runs the cells of an experiment: every arm at every placement
// of the cuts, each cell's result content-addressed and reused.
//
// A Study is what all cells share, read once: texts, token tables, the
// positional index, the evidence in ordinals. A Worker evaluates one cell at a
// time over it. A Run plans the cells, takes from the store what is there, runs
// the rest and links a run directory together.
package sweep

import (
	"fmt"
	"slices"
	"sync"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/pipeline/lexical"
	"kerf/internal/pipeline/pack"
	"kerf/internal/spool"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
	"kerf/internal/text/token"
	"kerf/internal/verdict"
)

// Study is the corpus and the questions in the engine's terms. It is read only
// once made, except for what it computes on first use; that is safe for
// concurrent use.
type Study struct {
	Experiment plan.Experiment
	Documents  []*corpus.Document
	Extract    string // how the documents' texts were made
	Questions  []*Question

	spool   *spool.Spool
	texts   []string
	ordinal map[string]int // document id -> ordinal
	readers []reader
	foreign map[string]*foreign // by arm
	index   func() *lexical.Index
	mu      sync.Mutex
	inputs  []string
	weigh   func() error // says of each question whether it is feasible
	tables  *tables
	views   map[string]func() *lexical.View
}

// tables are token tables of documents by tokenizer, shared by all studies of these.
type tables struct {
	sync.Mutex
	of map[string]func() []*token.Table
}

// Question is a golden question with its evidence and filters in ordinals.
type Question struct {
	*golden.Question
	Evidence verdict.Evidence
	Within   []int // documents, ascending; nil: all
	Reader   int   // index of its reader
	Feasible bool  // some set of its evidence, packed by itself, fits the budget; true for an unanswerable one. Known once there is a Worker
}

// reader is one distinct set of names, and what it may read of each document:
// nil where that is everything.
type reader struct {
	names    []string
	readable []span.Set
}

// New reads documents, which are sorted by id, and questions for an experiment.
// Where the documents lie in a spool, tables of them do too.
func New(e plan.Experiment, docs []*corpus.Document, questions []*golden.Question, s *spool.Spool) (*Study, error) {
	return open(e, docs, questions, s, &tables{of: map[string]func() []*token.Table{}})
}

// Beside is a study of the same documents, which are not tokenised again.
func (s *Study) Beside(e plan.Experiment, questions []*golden.Question) (*Study, error) {
	return open(e, s.Documents, questions, s.spool, s.tables)
}

func open(e plan.Experiment, docs []*corpus.Document, questions []*golden.Question, away *spool.Spool, tables *tables) (*Study, error) {
	s := &Study{Experiment: e, spool: away, Documents: docs, Extract: corpus.Extract, ordinal: map[string]int{}, foreign: map[string]*foreign{}, tables: tables, views: map[string]func() *lexical.View{}}
	for i, d := range docs {
		s.texts = append(s.texts, d.Text)
		s.ordinal[d.Doc] = i
	}
	var asked []string
	for _, g := range questions {
		q := &Question{Question: g}
		asked = append(asked, g.Text)
		for _, set := range g.Support {
			refs := make([]verdict.Ref, len(set))
			for i, sp := range set {
				d, ok := s.ordinal[sp.Doc]
				if !ok {
					return nil, fmt.Errorf("question %s: span %s: document %s is not pinned", g.QID, sp.Name, sp.Doc)
				}
				refs[i] = verdict.Ref{Doc: int32(d), Span: sp.Bytes}
			}
			q.Evidence = append(q.Evidence, refs)
		}
		for _, id := range g.Within {
			d, ok := s.ordinal[id]
			if !ok {
				return nil, fmt.Errorf("question %s: within: document %s is not pinned", g.QID, id)
			}
			q.Within = append(q.Within, d)
		}
		slices.Sort(q.Within)
		q.Within = slices.Compact(q.Within)
		q.Reader = s.reader(g.Reader)
		s.Questions = append(s.Questions, q)
	}
	s.index = sync.OnceValue(func() *lexical.Index { return lexical.New(s.texts, asked, s.spool) })
	s.weigh = sync.OnceValue(func() error {
		counter, err := s.Tables(e.Budget.Tokenizer)
		for _, q := range s.Questions {
			q.Feasible = err == nil && s.feasible(q, counter)
		}
		return err
	})
	if _, err := token.Digest(e.Budget.Tokenizer); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Study) text(doc int) string { return s.texts[doc] }

// find is the pinned document with this id, which must be one.
func (s *Study) find(id string) *corpus.Document { return s.Documents[s.ordinal[id]] }

// reader is the index of the reader with these names, the experiment's if there
// are none.
func (s *Study) reader(names []string) int {
	if names == nil {
		names = s.Experiment.Reader
	}
	names = slices.Clone(names)
	slices.Sort(names)
	names = slices.Compact(names)
	for i, r := range s.readers {
		if slices.Equal(r.names, names) {
			return i
		}
	}
	r := reader{names: names, readable: make([]span.Set, len(s.Documents))}
	for i, d := range s.Documents {
		if set := d.Readable(names); set.Len() < len(d.Text) {
			r.readable[i] = set
		}
	}
	s.readers = append(s.readers, r)
	return len(s.readers) - 1
}

// mayRead reports whether the reader may read every byte of s of a document.
func (r *reader) mayRead(doc int32, s span.Span) bool {
	return r.readable[doc] == nil || r.readable[doc].Covers(s)
}

// Tables are the documents' token tables under a tokenizer, made on first use.
func (s *Study) Tables(name string) ([]*token.Table, error) {
	t, err := token.Named(name)
	if err != nil {
		return nil, err
	}
	s.tables.Lock()
	f, ok := s.tables.of[name]
	if !ok {
		f = sync.OnceValue(func() []*token.Table {
			out := make([]*token.Table, len(s.texts))
			for i, text := range s.texts {
				out[i] = token.NewTable(t, text).Into(s.spool)
			}
			return out
		})
		s.tables.of[name] = f
	}
	s.tables.Unlock()
	return f(), nil
}

// view is the index under a tokenizer, made on first use.
func (s *Study) view(name string) (*lexical.View, error) {
	tables, err := s.Tables(name)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	f, ok := s.views[name]
	if !ok {
		f = sync.OnceValue(func() *lexical.View { return s.index().Under(tables) })
		s.views[name] = f
	}
	s.mu.Unlock()
	return f(), nil
}

// feasible: the spans of the cheapest set, merged where they touch, each
// rendered as a unit, fit the budget (engine.md 6). Units stand in the order of
// document and start.
func (s *Study) feasible(q *Question, counter []*token.Table) bool {
	if q.Unanswerable {
		return true
	}
	b := s.Experiment.Budget
	format := pack.Format(b.Format)
	for _, set := range q.Evidence {
		byDoc := map[int32][]span.Span{}
		var order []int32
		for _, r := range set {
			if byDoc[r.Doc] == nil {
				order = append(order, r.Doc)
			}
			byDoc[r.Doc] = append(byDoc[r.Doc], r.Span)
		}
		slices.Sort(order)
		cost, n := 0, 0
		for _, d := range order {
			for _, u := range span.Union(byDoc[d]...) {
				n++
				cost += counter[d].CountSlice(format.Before(n, s.Documents[d].Doc), u, format.After())
			}
		}
		if cost <= b.Tokens {
			return true
		}
	}
	return false
}
