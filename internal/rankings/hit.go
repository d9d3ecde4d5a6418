package rankings

import (
	"fmt"
	"strings"

	"kerf/internal/chunks"
	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

// place is where a hit stands, to see whether another one stands there too.
type place struct {
	doc   int32
	older int // 1 and up: a version that is not pinned; -1: the unit is not known
	span.Span
}

// hit verifies one hit; ok is false where it has no place and no id to go by.
func (r *reader) hit(m *mention, rank int) (h Hit, ok bool) {
	h = Hit{Doc: -1, ID: string(m.text[idField]), Prefix: string(m.text[prefixField]), Score: m.score, Scored: m.has(scoreField)}
	interval := m.has(startField) || m.has(endField)
	doc, chunk, ok := r.document(m, rank, interval)
	if !ok {
		return h, false
	}
	written := span.Span{Start: m.start, End: m.end}
	locate := r.locate && !interval && chunk == nil && doc >= 0 && m.has(textField)
	switch {
	case interval && (doc < 0 || !m.has(startField) || !m.has(endField)):
		r.problem(m.at, finding.Finding{Code: CodeMissing, Message: fmt.Sprintf("%s: the interval at rank %d is not whole", r.qid, rank), Expected: "doc, start and end", Found: m.names()})
		return h, false
	case interval:
		r.intervals = true
	case chunk != nil:
		written = chunk.Span
		if !m.has(prefixField) {
			h.Prefix = chunk.Prefix
		}
	case locate:
	case m.has(idField):
		if r.byID == nil {
			r.byID = new(r.line.Finding(m.at, finding.Finding{Code: CodeMixed}))
		}
		return h, r.once(m, rank, &h, place{})
	default:
		f := finding.Finding{Code: CodeMissing, Message: fmt.Sprintf("%s: the hit at rank %d has no place", r.qid, rank), Expected: "doc, start and end, or an id", Found: m.names()}
		if doc >= 0 && m.has(textField) {
			f.Hint = "--locate places a text that stands exactly once in its document"
		}
		r.problem(m.at, f)
		return h, false
	}
	if r.placed == nil {
		r.placed = new(r.line.Finding(m.at, finding.Finding{Code: CodeMixed}))
	}
	d := r.corpus.Documents[doc]
	older, ok := r.version(m, d, interval)
	switch {
	case !ok:
		return h, false
	case older > 0:
		v := r.corpus.Older[older-1]
		h.DocID, h.Version = v.Doc, v.Version
		if interval && (m.start < 0 || m.end <= m.start || m.end > v.Bytes) { // no unit is shorter than a byte
			r.outside(m, rank, written, fmt.Sprintf("0 <= start < end <= %d, the bytes of that version", v.Bytes))
			return h, false
		}
		if interval && r.unit == coord.Byte {
			h.Span = written
		}
		return h, r.once(m, rank, &h, place{doc, older, written})
	}
	h.Doc, h.DocID, h.Version = doc, d.Doc, d.Version.Version
	switch {
	case interval && r.unit == "":
		if m.has(textField) {
			r.texts = append(r.texts, proof{doc, written, string(m.text[textField])})
		}
		return h, r.once(m, rank, &h, place{doc, -1, written})
	case interval:
		h.Span, ok = r.bytes(m, doc, rank, written)
	case locate:
		h.Span, ok = r.find(m, doc, rank)
	default:
		h.Span = chunk.Span
	}
	switch {
	case !ok:
		return h, false
	case chunk != nil && chunk.Span != h.Span:
		r.problem(m.is[startField], finding.Finding{Code: CodeChunk, Message: fmt.Sprintf("%s: the interval at rank %d is not that of the chunk %q", r.qid, rank, h.ID),
			Expected: r.show(doc, chunk.Span), Found: written.String(), Hint: "the table may be of another index under the same ids"})
		return h, false
	case m.has(textField) && string(m.text[textField]) != d.Text[h.Start:h.End]:
		r.otherText(m, doc, rank, h.Span, interval)
		return h, false
	}
	return h, r.once(m, rank, &h, place{doc, 0, h.Span})
}

// document is the document that a hit names or its chunk is of, -1 if there is
// none, and the chunk, where there is a table that has its id.
func (r *reader) document(m *mention, rank int, interval bool) (doc int32, chunk *chunks.Chunk, ok bool) {
	doc = -1
	if m.has(docField) {
		name := string(m.text[docField])
		if doc, ok = r.docs[strings.TrimPrefix(name, r.prefix)]; !ok {
			r.unknownDoc(m, name)
			return -1, nil, false
		}
	}
	id := string(m.text[idField])
	if m.has(idField) && strings.TrimSpace(id) == "" {
		r.problem(m.is[idField], finding.Finding{Code: CodeMissing, Message: "an empty id", Expected: "an id, or none", Found: jsonl.Quote(id), Hint: "leave id out"})
		return -1, nil, false
	}
	if r.table == nil || !m.has(idField) {
		return doc, nil, true
	}
	c, known := r.table.Find(id)
	switch {
	case !known && interval:
		return doc, nil, true
	case !known:
		r.problem(m.is[idField], finding.Finding{Code: CodeNoID, Message: fmt.Sprintf("%s: the id %q at rank %d is not in the chunk table", r.qid, id, rank), Expected: "an id of " + r.table.File, Found: jsonl.Quote(id),
			Hint: "ids move with every rebuild: export rankings and chunks from one index"})
		return -1, nil, false
	case doc >= 0 && doc != c.Doc:
		r.problem(m.is[docField], finding.Finding{Code: CodeChunk, Message: fmt.Sprintf("%s: the chunk %q at rank %d is of another document", r.qid, id, rank), Expected: r.corpus.Documents[c.Doc].Doc, Found: jsonl.Quote(m.text[docField]),
			Hint: "the table may be of another index under the same ids"})
		return -1, nil, false
	}
	return c.Doc, &c, true
}

// once reports a hit that stands in its ranking already.
func (r *reader) once(m *mention, rank int, h *Hit, p place) bool {
	if h.ID != "" {
		if first, twice := r.seenIDs[h.ID]; twice {
			r.problem(m.at, finding.Finding{Code: CodeTwice, Message: fmt.Sprintf("%s: chunk %s at ranks %d and %d", r.qid, h.ID, first, rank), Expected: "each chunk once", Found: jsonl.Quote(h.ID)})
			return false
		}
		r.seenIDs[h.ID] = rank
	}
	if h.ByID() {
		return true
	}
	if first, twice := r.seen[p]; twice {
		where := p.Span.String()
		if p.older == 0 {
			where = r.show(p.doc, p.Span)
		}
		r.problem(m.at, finding.Finding{Code: CodeTwice, Message: fmt.Sprintf("%s: %s %s at ranks %d and %d", r.qid, h.DocID, where, first, rank), Expected: "each piece of text once", Found: where})
		return false
	}
	r.seen[p] = rank
	return true
}

// version is 0 for the pinned version of d, else the number of a known older one,
// from 1. A hit with an interval that names none is counted, unless the header
// names the corpus.
func (r *reader) version(m *mention, d *corpus.Document, interval bool) (older int, ok bool) {
	pinned := d.Version.Version
	if !m.has(versionField) {
		if interval && !r.covered {
			if r.lacking++; r.lacking == 1 {
				r.unversioned = new(r.line.Finding(m.at, finding.Finding{Code: CodeNoVersion, QID: r.qid, Expected: `"version":"` + pinned + `"`, Found: "none"}))
			}
		}
		return 0, true
	}
	if string(m.text[versionField]) == pinned {
		return 0, true
	}
	version := string(m.text[versionField])
	hex := strings.TrimPrefix(version, "sha256:")
	var known []int
	if len(hex) >= 8 {
		if strings.HasPrefix(pinned, "sha256:"+hex) {
			known = append(known, 0)
		}
		for i, o := range r.corpus.Older {
			if o.Doc == d.Doc && strings.HasPrefix(o.Version, "sha256:"+hex) {
				known = append(known, i+1)
			}
		}
	}
	if len(known) == 1 {
		return known[0], true
	}
	f := finding.Finding{Code: CodeVersion, Message: fmt.Sprintf("%s: a version of %s that the corpus does not know", r.qid, d.Doc), Expected: pinned, Found: jsonl.Quote(version), Hint: "at least 8 hex digits of a version; offsets hold for one version alone"}
	if len(known) > 1 {
		f.Message, f.Hint = fmt.Sprintf("%s: the shortened version fits several of %s", r.qid, d.Doc), "write more digits"
	}
	r.problem(m.is[versionField], f)
	return 0, false
}

// coords is the coordinates of a document.
func (r *reader) coords(doc int32) *coord.Map {
	if r.maps[doc] == nil {
		r.maps[doc] = coord.New(r.corpus.Documents[doc].Text)
	}
	return r.maps[doc]
}

// show is an interval in the file's unit, in bytes where that cannot name it.
func (r *reader) show(doc int32, b span.Span) string {
	if r.unit != "" {
		start, err1 := r.coords(doc).Offset(r.unit, b.Start)
		end, err2 := r.coords(doc).Offset(r.unit, b.End)
		if err1 == nil && err2 == nil {
			return span.Span{Start: start, End: end}.String()
		}
	}
	return "bytes " + b.String()
}

func (r *reader) outside(m *mention, rank int, written span.Span, expected string) {
	r.problem(m.is[startField], finding.Finding{Code: CodeRange, Message: fmt.Sprintf("%s: the interval at rank %d is empty or out of range", r.qid, rank), Expected: expected, Found: fmt.Sprintf("%s %s", m.text[docField], written)})
}

// bytes is a written interval in bytes.
func (r *reader) bytes(m *mention, doc int32, rank int, written span.Span) (b span.Span, ok bool) {
	text := r.corpus.Documents[doc].Text
	start, err1 := r.coords(doc).Byte(r.unit, written.Start)
	end, err2 := r.coords(doc).Byte(r.unit, written.End)
	if err1 == nil && err2 == nil && start < end {
		return span.Span{Start: start, End: end}, true
	}
	length, err := r.coords(doc).Offset(r.unit, len(text))
	if err != nil {
		panic("BUG: the end of a text is no boundary: " + err.Error())
	}
	if written.Start < 0 || written.End <= written.Start || written.End > length {
		r.outside(m, rank, written, fmt.Sprintf("0 <= start < end <= %d, the length of %s in unit %s", length, r.corpus.Documents[doc].Doc, r.unit))
		return b, false
	}
	err, at := err1, m.is[startField]
	if err == nil {
		err, at = err2, m.is[endField]
	}
	f := finding.Finding{Code: CodeInside, Message: fmt.Sprintf("%s: an offset at rank %d is no place between characters", r.qid, rank), Expected: "a boundary of unit " + string(r.unit), Found: written.String()}
	if err != nil {
		f.Hint = err.Error()
	}
	r.problem(at, f)
	return b, false
}
