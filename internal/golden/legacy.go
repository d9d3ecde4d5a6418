package golden

import (
	"bytes"
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"kerf/internal/chunks"
	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
	"kerf/internal/text/quote"
)

var digestForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// legacy reports whether a line labels its question by chunk ids.
func legacy(v *jsonl.Value) bool { return v.Get("relevant_chunk_ids") != nil }

// pin reads the digest of the chunk table that the ids of the file are of.
func (r *reader) pin(v *jsonl.Value) {
	if r.is(v, jsonl.String) && !digestForm.MatchString(v.Text) {
		r.add(v, finding.Finding{Code: CodeValue, Message: "chunks is no digest of a chunk table", Expected: "sha256: and 64 hex digits", Found: quoted(cut(v.Text)),
			Hint: "kerf import chunks FILE --json prints it"})
		return
	}
	r.set.Chunks = v.Text
}

// relevant reads the ids of the chunks that answer a question.
func (r *reader) relevant(q *Question) func(*jsonl.Value) {
	return func(v *jsonl.Value) {
		q.Relevant = []string{}
		r.is(v, jsonl.Array)
		for _, e := range v.Elems {
			if e.Kind == jsonl.Number || e.Kind == jsonl.String && chunks.Position(e.Text) {
				r.add(e, finding.Finding{Code: CodePositional, Message: "a chunk id that is a bare position", Expected: "an id that outlives the next rebuild", Found: cut(source(e)),
					Hint: "a position names another chunk as soon as one is added: label the passage itself"})
				continue
			}
			var id string
			if r.word(&id)(e); id == "" {
				continue
			}
			if slices.Contains(q.Relevant, id) {
				r.add(e, finding.Finding{Code: CodeTwice, Message: "a relevant chunk that stands twice", Expected: "each once", Found: quoted(cut(id)), Hint: "delete one of the two"})
				continue
			}
			q.Relevant = append(q.Relevant, id)
		}
		if v.Kind == jsonl.Array && len(v.Elems) == 0 {
			r.add(v, finding.Finding{Code: CodeEmpty, Message: "no relevant chunk", Expected: "one id or more", Found: "[]", Hint: "nothing can be found or missed: name the chunks, or delete the question"})
		}
	}
}

// both refuses a field of spans in a line of chunk ids.
func (r *reader) both(v *jsonl.Value) {
	r.add(v, finding.Finding{Code: CodeBoth, Message: "a question that is labelled by chunk ids and by spans", Expected: "spans and support, or relevant_chunk_ids", Found: cut(source(v)),
		Hint: "spans are the better label: delete relevant_chunk_ids"})
}

// Place turns the questions that name chunks of t into questions with spans: one
// support set of all their chunks, each span named after its chunk. t is a table
// without errors of the documents of c, and Encode then writes the lines anew.
// Where something is wrong, nothing of the question is changed, and the finding
// says what; another table than the one that the header pins changes nothing.
func Place(set *Set, t *chunks.Table, c *corpus.Corpus) finding.List {
	if set.Chunks != "" && set.Chunks != t.Digest {
		return finding.List{set.header().Get("chunks").Finding(finding.Finding{Code: CodeOtherTable, Message: "the chunk ids are those of another table than " + oneLine(t.File),
			Expected: set.Chunks, Found: t.Digest, Hint: "the same ids may name other chunks: take the table of the index that the questions were labelled on"})}
	}
	if set.header() == nil {
		set.Unit = coord.CodePoint
	}
	p := newPlaces(c, set.Unit)
	var found finding.List
	for _, q := range set.Questions {
		if q.Relevant == nil {
			continue
		}
		var spans []*Span
		for i, id := range q.Relevant {
			s, f := p.chunk(t, id)
			if f != nil {
				f.QID = q.QID
				found = append(found, q.At.Get("relevant_chunk_ids").Elems[i].Finding(tidy(*f)))
				continue
			}
			spans = append(spans, s)
		}
		if len(spans) == len(q.Relevant) {
			q.Spans, q.Support, q.Relevant, q.rewritten = spans, [][]*Span{spans}, nil, true
		}
	}
	return found
}

// chunk is the span of a chunk.
func (p *places) chunk(t *chunks.Table, id string) (*Span, *finding.Finding) {
	chunk, ok := t.Find(id)
	if !ok {
		return nil, &finding.Finding{Code: CodeNoSuchChunk, Message: "a relevant chunk that the table does not have", Expected: "an id of " + t.File, Found: quoted(cut(id))}
	}
	d := p.corpus.Documents[chunk.Doc]
	start, end, err := p.offsets(d, chunk.Span)
	if err != nil {
		return nil, &finding.Finding{Code: CodeInside, Message: fmt.Sprintf("the unit of the file cannot name the place of a chunk: %v", err), Expected: "codepoint, byte or utf16", Found: quoted(cut(id))}
	}
	s := &Span{Name: id, Doc: d.Doc, Version: d.Version.Version, Start: start, End: end, Bytes: chunk.Span, Quote: d.Text[chunk.Start:chunk.End], completed: true}
	s.Prefix, s.Suffix = quote.Surroundings(d.Text, chunk.Span)
	return s, nil
}

// byID warns, once, of questions that are labelled by chunk ids.
func (k *checker) byID() {
	k.counted(CodeByID, "labelled by chunk ids: they can be scored by id only", "", func(q *Question) bool { return q.Relevant != nil }, false)
	if n := len(k.found); n > 0 && k.found[n-1].Code == CodeByID {
		k.found[n-1].Hint = "with the table of those chunks they become spans: kerf import chunks TABLE --labels"
	}
}

// withSpans is the rows of the file with questions whose labels have become spans, under a
// header of its own.
func (s *Set) withSpans(rows [][]byte) [][]byte {
	lines := map[int]*Question{}
	for _, q := range s.Questions {
		if q.rewritten {
			lines[q.At.Line().Number] = q
		}
	}
	if len(lines) == 0 {
		return rows
	}
	header := fmt.Sprintf(`{"kerf":%s,"unit":%s}`, quoted(Kind), quoted(string(s.Unit)))
	out := slices.Clone(rows)
	for number, q := range lines {
		out[number-1] = []byte(q.encode() + eol(rows[number-1]))
	}
	if h := s.header(); h != nil {
		out[h.Line().Number-1] = []byte(header + eol(rows[h.Line().Number-1]))
		return out
	}
	out[0] = append([]byte(header+cmp.Or(eol(rows[0]), "\n")), bytes.TrimPrefix(out[0], []byte("\uFEFF"))...)
	return out
}

// eol is the line break of a row, "" if it has none.
func eol(row []byte) string { return string(row[len(strings.TrimRight(string(row), "\r\n")):]) }
