package sweep

import (
	"cmp"
	"context"
	"encoding/binary"

	"kerf/internal/pipeline/pack"
	"kerf/internal/pipeline/rank"
	"kerf/internal/pipeline/split"
	"kerf/internal/study/ledger"
	"kerf/internal/text/span"
)

// record runs one cell and returns its files: ledger tables by their names, and
// its index manifest.
func (w *Worker) record(ctx context.Context, c Cell) (files map[string][]byte, err error) {
	if f := w.study.foreign[c.Arm.Name]; f != nil && f.one != nil {
		f.one.Lock()
		defer f.one.Unlock()
		defer func() {
			if dropped := w.release(ctx); err == nil {
				err = dropped
			}
		}()
	}
	w.all = c.AllHits
	switch {
	case c.Targets != nil:
		return w.recordTargets(ctx, c)
	case c.Block > 0:
		return w.recordBlock(ctx, c)
	}
	if err := w.placeAt(ctx, c.Arm, c.Name, c.Label.String(), w.study.firstCuts(c.Arm, c.Label.FirstCut)); err != nil {
		return nil, err
	}
	if w.rows == nil {
		w.rows = w.newRows()
	}
	r := w.rows
	r.reset()
	curve := w.newCurve()
	err = w.Ask(ctx, func(_ int, a *Answer) {
		r.add(c, a)
		curve.add(a)
	})
	if err != nil {
		return nil, err
	}
	manifest := w.indexManifest(c).encode(w)
	index := ledger.Object(manifest)
	files = map[string][]byte{
		indexFile:               manifest,
		ledger.Boundary.Name():  ledger.Boundary.Encode(index, w.boundaries()),
		ledger.Retrieval.Name(): ledger.Retrieval.Encode(index, r.retrieval),
		ledger.Unit.Name():      ledger.Unit.Encode(index, r.unit),
		ledger.Context.Name():   ledger.Context.Encode(index, r.context),
		ledger.Budget.Name():    ledger.Budget.Encode(index, r.budget),
		ledger.Verdict.Name():   ledger.Verdict.Encode(index, r.verdict),
	}
	if rows := curve.rows(c.Label.FirstCut, c.Label.String()); rows != nil {
		files[ledger.Measure.Name()] = ledger.Measure.Encode(index, rows)
	}
	if c.Arm.Rankings != "" {
		files[ledger.Missing.Name()] = ledger.Missing.Encode(index, w.missing)
		files[ledger.Violation.Name()] = ledger.Violation.Encode(index, w.violation)
	}
	return files, nil
}

// indexFile is the name of a cell's index manifest among its files.
const indexFile = "index.json"

// boundaries are the cores of the placement and what became of them; none where
// hits are all that is known of the chunks.
func (w *Worker) boundaries() []ledger.BoundaryRow {
	if w.arm.Rankings != "" && w.foreign.Table == nil {
		return nil
	}
	out := make([]ledger.BoundaryRow, 0, len(w.cut.Chunks))
	for slot, c := range w.cut.Chunks {
		d := w.cut.Docs[slot]
		state := string(c.State)
		if c.State == split.Emitted {
			state = "indexed"
			if !w.cut.Live[slot] {
				state = "blank"
			}
		}
		cut := c.Start // a core begins where its chunk does
		out = append(out, ledger.BoundaryRow{
			Doc: w.study.Documents[d].Doc, Core: slot - int(w.cut.First[d]), CutToken: c.First, Cut: cut,
			Start: c.Start, End: c.End, StartToken: c.First, EndToken: c.Last, State: state,
		})
	}
	return out
}

// rows are the ledger rows of a cell in the making.
type rows struct {
	w         *Worker
	atK       int
	retrieval []ledger.RetrievalRow
	unit      []ledger.UnitRow
	context   []ledger.ContextRow
	budget    []ledger.BudgetRow
	verdict   []ledger.VerdictRow
	units     map[int32]string   // slot -> digest of the whole chunk's bytes
	texts     map[string]string  // digest -> bytes, of every unit row
	contexts  map[string]written // by their units
	literal   []byte
	key       []byte
}

func (w *Worker) newRows() *rows {
	return &rows{w: w, units: map[int32]string{}, texts: map[string]string{}, contexts: map[string]written{}, atK: w.study.Experiment.AtK}
}

// reset empties the rows and keeps their memory for the next cell.
func (r *rows) reset() {
	r.retrieval, r.unit, r.context, r.budget, r.verdict = r.retrieval[:0], r.unit[:0], r.context[:0], r.budget[:0], r.verdict[:0]
	clear(r.units)
	clear(r.texts)
	clear(r.contexts)
}

func (r *rows) add(c Cell, a *Answer) {
	s, q := r.w.study, a.Question
	stage := cmp.Or(c.Arm.Retrieve.By, "rankings")
	for i, h := range a.Hits[:r.read(c, a)] {
		d := s.Documents[h.Doc]
		r.retrieval = append(r.retrieval, ledger.RetrievalRow{
			QID: q.QID, Rank: a.Places[i], Score: r.w.score(h), Doc: d.Doc, Version: d.Version.Version, Start: h.Start, End: h.End,
			Stage: stage, Lineage: clipped(r.w.sight.Pieces(h.Slot)), Outcome: string(a.Context.Outcome(i)),
		})
	}
	b := s.Experiment.Budget
	budget := ledger.BudgetRow{
		QID: q.QID, Ceiling: b.Tokens, Allowance: b.Allowance, Output: b.Output, EvidenceTokens: a.Context.Tokens,
		RepeatedTokens: a.Repeated, TopKTokens: a.TopK, Units: len(a.Context.Units), Stop: string(a.Context.End), Feasible: q.Feasible,
	}
	budget.ContextSHA256, budget.ContextBytes = r.write(q.QID, a.Context.Units)
	r.budget = append(r.budget, budget)
	if q.Unanswerable {
		return
	}
	r.verdict = append(r.verdict, ledger.VerdictRow{
		QID: q.QID, FirstCut: c.Label.FirstCut, Support: a.Supported(), SupportStrict: a.Strict(),
		TopK: Within(a.Ranking.UnionWS, r.atK), TopKStrict: Within(a.Ranking.Union, r.atK),
		SingleUnit: a.Shown.Single > 0, SingleUnitTopK: Within(a.Ranking.Single, r.atK),
		SingleRank: a.Ranking.Single, UnionRank: a.Ranking.Union, UnionWSRank: a.Ranking.UnionWS, SpanRank: a.Ranking.Span,
	})
}

// written is a context of the cell in the making.
type written struct {
	from, to int // its context rows
	sha256   string
	bytes    int
}

// write adds the rows of a context, and says what its literal bytes are. Questions
// with the same units have the same context: it is made, and verified, once.
func (r *rows) write(qid string, units []pack.Unit) (digest string, size int) {
	s := r.w.study
	r.key = r.key[:0]
	for _, u := range units {
		for _, n := range [...]int{int(u.Slot), u.Start, u.End} {
			r.key = binary.AppendVarint(r.key, int64(n))
		}
	}
	if c, ok := r.contexts[string(r.key)]; ok {
		for _, row := range r.context[c.from:c.to] {
			row.QID = qid
			r.context = append(r.context, row)
		}
		return c.sha256, c.bytes
	}
	c := written{from: len(r.context)}
	r.literal = r.literal[:0]
	for i, u := range units {
		d := s.Documents[u.Doc]
		before, after := r.w.before(i+1, u.Hit), r.w.format.After()
		r.literal = append(r.literal, before...)
		at := len(r.literal)
		r.literal = append(r.literal, d.Text[u.Start:u.End]...)
		unit := r.unitDigest(u.Hit, r.literal[at:])
		r.literal = append(r.literal, after...)
		r.context = append(r.context, ledger.ContextRow{
			QID: qid, N: i + 1, Unit: unit, Doc: d.Doc, Version: d.Version.Version,
			Start: u.Start, End: u.End, Kind: "source", Before: before, After: after,
		})
	}
	c.to = len(r.context)
	r.verify(r.context[c.from:])
	c.sha256, c.bytes = ledger.Object(r.literal), len(r.literal)
	r.contexts[string(r.key)] = c
	return c.sha256, c.bytes
}

// clipped logs what a reader sees of a hit that is clipped: "clip [0,10) [20,30)".
func clipped(pieces []span.Span) string {
	out := ""
	for i, p := range pieces {
		if i == 0 {
			out = "clip"
		}
		out += " " + p.String()
	}
	return out
}

// verify holds a context against its rows, as a reader of the ledger would: it
// must be the same bytes, of pinned versions (S1-108).
func (r *rows) verify(rows []ledger.ContextRow) {
	s := r.w.study
	err := ledger.CheckContext(r.literal, rows, r.texts, func(doc, version string) (string, bool) {
		d := s.find(doc)
		return d.Text, d.Version.Version == version
	})
	if err != nil {
		panic("BUG: " + err.Error())
	}
}

// read is how many hits the views read: the cut-offs' largest, or as far as
// packing came.
func (r *rows) read(c Cell, a *Answer) int {
	if c.AllHits {
		return len(a.Hits)
	}
	k := r.w.study.Experiment.K
	n := len(a.Hits)
	for n > 0 && a.Places[n-1] > k[len(k)-1] {
		n--
	}
	return max(n, len(a.Context.Outcomes))
}

// unitDigest is the digest of a unit's bytes; bytes not seen before become a row.
func (r *rows) unitDigest(h rank.Hit, text []byte) string {
	whole := h.Span == r.w.cut.Chunks[h.Slot].Span
	if digest, ok := r.units[h.Slot]; ok && whole {
		return digest
	}
	digest := ledger.Object(text)
	if whole {
		r.units[h.Slot] = digest
	}
	if _, ok := r.texts[digest]; !ok {
		text := r.w.study.Documents[h.Doc].Text[h.Start:h.End]
		r.texts[digest] = text
		r.unit = append(r.unit, ledger.UnitRow{Digest: digest, Bytes: text})
	}
	return digest
}
