package sweep

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"kerf/internal/chunks"
	"kerf/internal/pipeline/engine"
	"kerf/internal/pipeline/lexical"
	"kerf/internal/pipeline/split"
	"kerf/internal/rankings"
	"kerf/internal/study/compare"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
	"kerf/internal/verdict"
)

// Foreign is what an arm brings that is not kerf's own.
type Foreign struct {
	Rankings *rankings.File // of an arm of rankings: what was found
	Table    *chunks.Table  // of an arm whose chunks, or whose hits' ids, stand in a table
	Engine   engine.Engine  // of an arm that another engine ranks for
}

// foreign is what an arm brought, in the engine's terms.
type foreign struct {
	Foreign
	digest   string // of all that a result depends on
	one      *sync.Mutex
	locate   func() // makes the slots, of which cells that are stored need none
	chunks   []split.Located
	names    []string // by slot: the chunk's id; nil: DOC:START-END
	prefixes []string // by slot: words before the text that are no evidence; nil: none
}

// Bring gives the study what an arm needs beside corpus and golden set, before
// its cells are named or run. Arms may share an engine; it is asked by one at a
// time.
func (s *Study) Bring(arm plan.Arm, f Foreign) {
	own := &foreign{Foreign: f}
	var parts []string
	if f.Rankings != nil {
		parts = append(parts, f.Rankings.Digest)
	}
	if f.Table != nil {
		parts = append(parts, f.Table.Digest)
	}
	if f.Engine != nil {
		parts = append(parts, plan.Key("kerf retriever", 1, f.Engine.Identity()))
		own.one = &sync.Mutex{}
		for _, other := range s.foreign {
			if other.Engine == f.Engine {
				own.one = other.one
			}
		}
	}
	own.digest = strings.Join(parts, " ")
	own.locate = sync.OnceFunc(own.place)
	s.foreign[arm.Name] = own
}

// Described is a Foreign in an index manifest.
type Described struct {
	Rankings string           `json:"rankings,omitzero"` // digest
	Chunks   string           `json:"chunks,omitzero"`   // digest
	Engine   *engine.Identity `json:"engine,omitzero"`
}

func (f *foreign) describe() *Described {
	d := &Described{}
	if f.Rankings != nil {
		d.Rankings = f.Rankings.Digest
	}
	if f.Table != nil {
		d.Chunks = f.Table.Digest
	}
	if f.Engine != nil {
		id := f.Engine.Identity()
		d.Engine = &id
	}
	return d
}

// place makes the slots: the chunks of the table, or the places of hits, each once
// with each prefix, in the order of documents, starts and ends.
func (f *foreign) place() {
	type named struct {
		split.Located
		id, prefix string
	}
	var all []named
	if f.Table != nil {
		for _, c := range f.Table.Chunks {
			all = append(all, named{split.Located{Doc: c.Doc, Span: c.Span}, c.ID, c.Prefix})
		}
	} else if f.Rankings != nil {
		for _, r := range f.Rankings.Rankings {
			for _, h := range r.Hits {
				if h.Doc >= 0 {
					all = append(all, named{split.Located{Doc: h.Doc, Span: h.Span}, h.ID, h.Prefix})
				}
			}
		}
	}
	slices.SortStableFunc(all, func(a, b named) int {
		order := cmp.Compare(a.Doc, b.Doc)
		if order == 0 {
			order = span.Compare(a.Span, b.Span)
		}
		if order == 0 && f.Table == nil {
			order = cmp.Compare(a.prefix, b.prefix)
		}
		return order
	})
	if f.Table == nil {
		all = slices.CompactFunc(all, func(a, b named) bool { return a.Located == b.Located && a.prefix == b.prefix })
	}
	for _, c := range all {
		f.chunks = append(f.chunks, c.Located)
		f.names = append(f.names, c.id)
		f.prefixes = append(f.prefixes, c.prefix)
	}
	if !slices.ContainsFunc(f.prefixes, func(p string) bool { return p != "" }) {
		f.prefixes = nil
	}
}

// slot is the chunk that a hit of a pinned version is; of several with its interval
// the one with its id, where there is a table, else the one with its prefix. It is
// -1 where there is none.
func (f *foreign) slot(h *rankings.Hit) int32 {
	at := split.Located{Doc: h.Doc, Span: h.Span}
	first, ok := slices.BinarySearchFunc(f.chunks, at, func(a, b split.Located) int {
		return cmp.Or(cmp.Compare(a.Doc, b.Doc), span.Compare(a.Span, b.Span))
	})
	if !ok {
		return -1
	}
	for i := first; i < len(f.chunks) && f.chunks[i] == at; i++ {
		if f.Table != nil && f.names[i] == h.ID || f.Table == nil && f.prefixes != nil && f.prefixes[i] == h.Prefix {
			return int32(i)
		}
	}
	return int32(first)
}

// firstCuts are the documents' first cuts at an arm's placement first.
func (s *Study) firstCuts(arm plan.Arm, first int) func(doc int) int {
	if arm.Moving.Scope == "" {
		return lexical.Everywhere(first)
	}
	evidence := make([]verdict.Evidence, len(s.Questions))
	for i, q := range s.Questions {
		evidence[i] = q.Evidence
	}
	return compare.FirstCuts(arm, first, evidence)
}

// build hands the live chunks of the placement to the arm's engine as the index
// of this name. A chunk carries the readers who may read all of it.
func (w *Worker) build(ctx context.Context, name, label string) error {
	s, f := w.study, w.foreign
	w.slots = map[string]int32{}
	var out []engine.Chunk
	for slot, c := range w.cut.Chunks {
		if !w.cut.Live[slot] {
			continue
		}
		d := s.Documents[w.cut.Docs[slot]]
		id := fmt.Sprintf("%s:%d-%d", d.Doc, c.Start, c.End)
		text := d.Text[c.Start:c.End]
		if f.names != nil && w.arm.Split.By == "table" {
			id = f.names[slot]
			if f.prefixes != nil {
				text = f.prefixes[slot] + text
			}
		}
		w.slots[id] = int32(slot)
		x := engine.Chunk{ID: id, Doc: d.Doc, Start: c.Start, End: c.End, Text: text}
		if slices.ContainsFunc(w.sights, func(s split.Sight) bool { return s.Denied != nil && s.Denied[slot] }) {
			x.Readers = []string{}
			for i := range s.readers {
				if denied := w.sights[i].Denied; denied == nil || !denied[slot] {
					x.Readers = append(x.Readers, s.readers[i].key())
				}
			}
		}
		out = append(out, x)
	}
	w.built = name
	return f.Engine.Index(ctx, name, w.arm.Name, label, out)
}

// key names a reader to an engine. Who may read a chunk is decided by kerf, so
// the names together are one, which no other names make.
func (r *reader) key() string {
	names := make([]string, len(r.names))
	for i, name := range r.names {
		names[i] = strings.NewReplacer("%", "%25", "+", "%2B").Replace(name)
	}
	return strings.Join(names, "+")
}

// release drops the index that was built last.
func (w *Worker) release(ctx context.Context) error {
	if w.built == "" {
		return nil
	}
	name := w.built
	w.built = ""
	return w.foreign.Engine.Drop(ctx, name)
}
