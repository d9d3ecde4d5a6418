package trec

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf8"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

const (
	bom    = "\ufeff"
	compat = "--compat trec_eval orders by the scores alone"
)

// reader is one pass over one file. Its lines go to done a query at a time, as
// soon as the next one begins, or if they are gathered at the end.
type reader struct {
	run    bool // else qrels
	order  Order
	gather bool
	done   func(r *reader, query int, lines []line)

	window
	seed    seed
	number  int // of the present line
	begin   int // of it, in text
	columns [runColumns + 1]column
	crlf    bool
	head    []byte // of the last plain line of now up to its document; none if there is no such line
	tail    []byte // of it behind its score or relevance
	word    uint64 // the first eight bytes of tail, as far as it has them
	mask    uint64 // these bytes of a word

	queries   []query
	byID      map[string]int // qid -> query
	now       *query         // that of the last line
	lines     []line         // of now, or of all
	any       bool           // there was a line
	blocks    []block        // of lines, where they are gathered
	scattered bool           // they are not, and a query has gone on after another

	slots    []uint32 // scratch: a hash table of the documents of one query
	rising   int      // queries whose scores rise somewhere
	risingAt finding.Finding
	findings
}

type query struct {
	id         string
	line       int   // the first
	rank       int64 // of the last line that was read; before it, below every rank
	disordered bool  // a rank was not above that of the line before
}

// line is a document with its score, in a run, or its relevance, in qrels.
type line struct {
	value    float64
	number   uint32 // in the file, from 1
	at, size uint32 // of the document's id, in the window
	hash     uint32
}

// block is a stretch of lines of one query: those from its beginning to the next.
type block struct{ query, from int }

func newReader(name string, done func(*reader, int, []line)) *reader {
	return &reader{done: done, window: window{first: firstWindow}, seed: newSeed(), now: new(query), byID: map[string]int{}, findings: findings{name: name}}
}

func (r *reader) doc(l line) []byte { return r.text[l.at : l.at+l.size] }

// read reads src to its end, unless lines are scattered.
func (r *reader) read(src io.ReadSeeker) error {
	size, err := src.Seek(0, io.SeekEnd)
	if err == nil {
		_, err = src.Seek(0, io.SeekStart)
	}
	if err != nil {
		return err
	}
	if size > Most {
		r.add(finding.Finding{Code: CodeLarge, Message: "the file is too large", Expected: fmt.Sprintf("at most %d bytes", Most), Found: fmt.Sprintf("%d bytes", size)})
		return nil
	}
	r.open(io.LimitReader(src, Most), int(size), r.gather)
	for !r.scattered && r.more(r.lines) {
		if r.gather {
			r.lines = slices.Grow(r.lines, bytes.Count(r.text[r.at:], []byte("\n"))+1)
		}
		if r.number == 0 && bytes.HasPrefix(r.text, []byte(bom)) {
			r.skip(len(bom))
			r.add(finding.Finding{Code: CodeBOM, Severity: finding.Warning, Line: 1, Column: 1, Message: "a byte order mark before the first line; it is skipped"})
		}
		r.eachLine()
	}
	if r.err != nil || r.scattered {
		return r.err
	}
	r.end()
	return nil
}

// end finishes the last query, or all that were gathered.
func (r *reader) end() {
	if r.crlf {
		r.add(finding.Finding{Code: CodeCRLF, Severity: finding.Warning, Message: `lines end at "\r\n"; the "\r" is no part of them`})
	}
	if !r.any && r.found.Errors() == 0 {
		r.add(finding.Finding{Code: CodeNothing, Message: "the file has no lines", Expected: r.shape()})
	}
	if r.gather {
		for i, lines := range r.group() {
			r.done(r, i, lines)
		}
	} else if len(r.queries) > 0 {
		r.done(r, len(r.queries)-1, r.lines)
	}
	if r.rising > 0 {
		r.risingAt.Message = fmt.Sprintf("scores rise along the ranks of %d of %d queries; the order is that of the lines", r.rising, len(r.queries))
		r.add(r.risingAt)
	}
}

// addAt lists a finding at a column of the present line.
func (r *reader) addAt(column int, f finding.Finding) {
	f.QID, f.Line, f.Column = r.now.id, r.number, utf8.RuneCount(r.text[r.begin:r.columns[column].from])+1
	r.add(f)
}

// eachLine reads the lines of the window that have not been read.
func (r *reader) eachLine() {
	want := r.width()
	for !r.scattered {
		if r.clean {
			r.plain()
		}
		if r.at == len(r.text) {
			break
		}
		r.number++
		r.begin = r.at
		n, next := r.split(r.begin)
		r.at = next
		if !r.clean && !r.legible(r.text[r.begin:r.at]) || n == 0 {
			continue
		}
		if n != want {
			r.add(finding.Finding{Code: CodeColumns, Line: r.number, Column: 1, Message: "a wrong number of columns", Expected: r.shape(),
				Found: fmt.Sprintf("%d in %s", n, jsonl.Quote(bytes.TrimRight(r.text[r.begin:r.at], "\r\n")))})
			continue
		}
		if qid := r.column(0); string(qid) != r.now.id {
			r.turn(string(qid))
		}
		if value, ok := r.value(); ok {
			doc := r.columns[docColumn]
			r.lines = append(r.lines, line{value: value, number: uint32(r.number), at: uint32(doc.from), size: uint32(doc.to - doc.from)})
			r.any = true
			r.pattern(next)
		}
	}
}

// legible reports whether a line is UTF-8 without NUL.
func (r *reader) legible(line []byte) bool {
	bad := bytes.IndexByte(line, 0)
	for at := 0; at < len(line) && bad < 0; {
		c, size := utf8.DecodeRune(line[at:])
		if c == utf8.RuneError && size == 1 {
			bad = at
		}
		at += size
	}
	if bad >= 0 {
		r.add(finding.Finding{Code: CodeText, Line: r.number, Column: utf8.RuneCount(line[:bad]) + 1, Message: "the line is no text",
			Expected: "UTF-8 without NUL", Found: fmt.Sprintf("byte 0x%02x", line[bad])})
	}
	return bad < 0
}

// turn goes to the query of the present line.
func (r *reader) turn(id string) {
	r.head = r.head[:0]
	i, again := r.byID[id]
	if !r.gather {
		if again {
			r.scattered = true
			return
		}
		if len(r.queries) > 0 {
			r.done(r, len(r.queries)-1, r.lines)
		}
		r.lines = r.lines[:0]
		r.free = r.begin
	}
	if !again {
		i = len(r.queries)
		r.byID[id] = i
		r.queries = append(r.queries, query{id: id, line: r.number, rank: math.MinInt64})
	}
	r.now = &r.queries[i]
	if r.gather {
		r.blocks = append(r.blocks, block{i, len(r.lines)})
	}
}

// value is the score or the relevance of the present line; the rank is checked
// on the way.
func (r *reader) value() (v float64, ok bool) {
	if !r.run {
		n, ok := integer(r.column(relevanceColumn))
		if !ok {
			r.addAt(relevanceColumn, finding.Finding{Code: CodeRelevance, Message: "the relevance is not an integer",
				Expected: "an integer of at most 32 bits", Found: jsonl.Quote(r.column(relevanceColumn))})
		}
		return float64(n), ok
	}
	v, ok = score(r.column(scoreColumn))
	if !ok {
		r.addAt(scoreColumn, finding.Finding{Code: CodeScore, Message: "the score is not a finite number",
			Expected: "a finite decimal number", Found: jsonl.Quote(r.column(scoreColumn))})
	}
	if r.order == ByScore {
		return v, ok
	}
	rank, whole := integer(r.column(rankColumn))
	switch {
	case !whole:
		r.addAt(rankColumn, finding.Finding{Code: CodeRank, Message: "the rank is not an integer",
			Expected: "an integer of at most 32 bits", Found: jsonl.Quote(r.column(rankColumn)), Hint: compat})
	case int64(rank) > r.now.rank:
		r.now.rank = int64(rank)
	case !r.now.disordered:
		r.now.disordered = true
		r.addAt(rankColumn, finding.Finding{Code: CodeOrder, Message: "the lines of the query are not in the order of their ranks",
			Expected: fmt.Sprintf("a rank above %d, that of a line before", r.now.rank), Found: fmt.Sprint(rank), Hint: compat})
	}
	return v, ok && whole
}

// group is the lines of each query.
func (r *reader) group() [][]line {
	queries := make([][]line, len(r.queries))
	for i, b := range r.blocks {
		end := len(r.lines)
		if i+1 < len(r.blocks) {
			end = r.blocks[i+1].from
		}
		if lines := r.lines[b.from:end:end]; queries[b.query] == nil {
			queries[b.query] = lines
		} else {
			queries[b.query] = append(queries[b.query], lines...) // a copy: lines has no room
		}
	}
	return queries
}
