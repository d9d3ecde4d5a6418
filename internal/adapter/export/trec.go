package export

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kerf/internal/study/ledger"
	"kerf/internal/text/span"
)

// Cell is one arm of a run at one placement of its cuts.
type Cell struct {
	Name       string                // the tag of the run, without blanks: ARM.3of8
	Support    []ledger.SupportRow   // of the run, by question
	Chunks     []ledger.BoundaryRow  // of the cell; none where only rankings are known
	Hits       []ledger.RetrievalRow // of the cell, by question and rank
	Violations []ledger.ViolationRow // of the cell: they are no hits, and keep their ranks
	Missing    []ledger.MissingRow   // of the cell: questions whose search failed
}

// asked are the questions with evidence whose search did not fail.
func (c *Cell) asked() map[string]bool {
	asked := map[string]bool{}
	for _, s := range c.Support {
		asked[s.QID] = true
	}
	for _, m := range c.Missing {
		delete(asked, m.QID)
	}
	return asked
}

// Run is the cell's hits as a TREC run, "QID Q0 DOC:START-END RANK SCORE TAG". The
// score is what is left of the ranking from there, the line's own place among
// them: whoever sorts by it gets the same order, in single precision too, which
// the engine's scores with their ties do not promise. A violation is
// "hard-violation:RANK", which no judgement has; of chunks with one interval the
// first alone is there. Questions without evidence, and those whose search failed,
// are left out, as they are of the judgements.
func (c *Cell) Run() []byte {
	type line struct {
		rank int
		id   string
	}
	asked, lines := c.asked(), map[string][]line{}
	var questions []string
	seen := map[string]bool{}
	add := func(qid string, rank int, id string) {
		if !asked[qid] || seen[qid+" "+id] {
			return
		}
		seen[qid+" "+id] = true
		if lines[qid] == nil {
			questions = append(questions, qid)
		}
		lines[qid] = append(lines[qid], line{rank, id})
	}
	for _, h := range c.Hits {
		add(h.QID, h.Rank, id(h.Doc, h.Start, h.End))
	}
	for _, v := range c.Violations {
		add(v.QID, v.Rank, fmt.Sprintf("hard-violation:%d", v.Rank))
	}
	var b bytes.Buffer
	for _, qid := range questions {
		slices.SortFunc(lines[qid], func(a, b line) int { return a.rank - b.rank })
		for i, l := range lines[qid] {
			fmt.Fprintf(&b, "%s Q0 %s %d %d %s\n", field(qid), l.id, l.rank, len(lines[qid])-i, c.Name)
		}
	}
	return b.Bytes()
}

// Qrels are the cell's judgements, "QID 0 DOC:START-END 1": every chunk that holds
// a whole span of some support set of the question. A span that no chunk holds
// whole is judged under its own interval, which no run can have, so that it
// counts as not found; homeless counts those spans.
func (c *Cell) Qrels() (qrels []byte, homeless int) {
	chunks := map[string][]span.Span{} // by document
	for _, r := range c.Chunks {
		if r.State == "indexed" {
			chunks[r.Doc] = append(chunks[r.Doc], span.Span{Start: r.Start, End: r.End})
		}
	}
	for _, h := range c.Hits { // of rankings they are all that is known, and a clipped hit is a chunk of its own
		chunks[h.Doc] = append(chunks[h.Doc], span.Span{Start: h.Start, End: h.End})
	}
	for doc, of := range chunks {
		slices.SortFunc(of, span.Compare)
		chunks[doc] = slices.Compact(of)
	}
	type place struct {
		doc string
		span.Span
	}
	var b bytes.Buffer
	seen := map[place]bool{}
	judge := func(qid string, p place) {
		if !seen[p] {
			seen[p] = true
			fmt.Fprintf(&b, "%s 0 %s 1\n", field(qid), id(p.doc, p.Start, p.End))
		}
	}
	spans := map[place]bool{}
	asked := c.asked()
	for i, s := range c.Support {
		if !asked[s.QID] {
			continue
		}
		if i == 0 || c.Support[i-1].QID != s.QID {
			clear(seen)
			clear(spans)
		}
		evidence := place{s.Doc, span.Span{Start: s.Start, End: s.End}}
		if spans[evidence] {
			continue // in another set, or under another name
		}
		spans[evidence] = true
		whole := 0
		for _, chunk := range chunks[s.Doc] {
			if chunk.Start > s.Start {
				break
			}
			if chunk.Contains(evidence.Span) {
				whole++
				judge(s.QID, place{s.Doc, chunk})
			}
		}
		if whole == 0 {
			homeless++
			judge(s.QID, evidence)
		}
	}
	return b.Bytes(), homeless
}

// id names a piece of a document as one field: DOC:START-END, in bytes.
func id(doc string, start, end int) string { return fmt.Sprintf("%s:%d-%d", field(doc), start, end) }

// field is a name without what would end a field: blanks, characters that do not
// show, and "%" as %XX of their bytes.
func field(name string) string {
	var b strings.Builder
	for _, r := range name {
		if r != '%' && unicode.IsGraphic(r) && !unicode.IsSpace(r) {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String()
}
