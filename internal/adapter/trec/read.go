package trec

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"math"
	"unicode/utf8"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

const (
	bom    = "\ufeff"
	compat = "--compat trec_eval orders by the scores alone"
)

// reader is one pass over one file.
type reader struct {
	file  *File
	text  []byte
	run   bool // else qrels
	order Order

	number  int // of the line
	begin   int // of the line, in text
	columns [runColumns + 1]column
	crlf    bool

	lines  []Line         // in file order
	blocks []block        // of lines, in file order
	byID   map[string]int // qid -> query
	now    *Query         // the query of the last line

	slots    []uint32 // scratch: a hash table of the documents of one query
	rising   int      // queries whose scores rise somewhere
	risingAt finding.Finding

	findings
}

// block is a run of lines of one query: those from its beginning to the next.
type block struct{ query, from int }

func newReader(name string, text []byte) *reader {
	return &reader{file: &File{Name: name, text: text, seed: maphash.MakeSeed()}, text: text, now: new(Query),
		byID: map[string]int{}, findings: findings{name: name}}
}

func (r *reader) read() (*File, finding.List) {
	if len(r.text) > Most {
		r.add(finding.Finding{Code: CodeLarge, Message: "the file is too large", Expected: fmt.Sprintf("at most %d bytes", Most), Found: fmt.Sprintf("%d bytes", len(r.text))})
		return r.file, r.list()
	}
	at := 0
	if bytes.HasPrefix(r.text, []byte(bom)) {
		at = len(bom)
		r.add(finding.Finding{Code: CodeBOM, Severity: finding.Warning, Line: 1, Column: 1, Message: "a byte order mark before the first line; it is skipped"})
	}
	r.eachLine(at)
	if r.crlf {
		r.add(finding.Finding{Code: CodeCRLF, Severity: finding.Warning, Message: `lines end at "\r\n"; the "\r" is no part of them`})
	}
	if len(r.lines) == 0 && r.found.Errors() == 0 {
		r.add(finding.Finding{Code: CodeNothing, Message: "the file has no lines", Expected: r.shape()})
	}
	r.group()
	for i := range r.file.Queries {
		q := &r.file.Queries[i]
		r.distinct(q)
		if r.run {
			r.rank(q)
		}
	}
	if r.rising > 0 {
		r.risingAt.Message = fmt.Sprintf("scores rise along the ranks of %d of %d queries; the order is that of the lines", r.rising, len(r.file.Queries))
		r.add(r.risingAt)
	}
	return r.file, r.list()
}

// addAt lists a finding at a column of the present line.
func (r *reader) addAt(column int, f finding.Finding) {
	f.QID, f.Line, f.Column = r.now.ID, r.number, utf8.RuneCount(r.text[r.begin:r.columns[column].from])+1
	r.add(f)
}

// eachLine reads the lines from at on.
func (r *reader) eachLine(at int) {
	clean := utf8.Valid(r.text) && bytes.IndexByte(r.text, 0) < 0
	sample := r.text[:min(len(r.text), 1<<16)]
	r.lines = make([]Line, 0, len(r.text)/max(len(sample), 1)*(bytes.Count(sample, []byte("\n"))+16)+16)
	want := r.width()
	for at < len(r.text) {
		r.number++
		if l, next, ok := r.plain(at); ok && clean {
			l.Number, l.hash = uint32(r.number), uint32(maphash.Bytes(r.file.seed, r.file.doc(l)))
			r.lines = append(r.lines, l)
			at = next
			continue
		}
		r.begin = at
		n, next := r.split(at)
		at = next
		if !clean && !r.legible(r.text[r.begin:at]) || n == 0 {
			continue
		}
		if n != want {
			r.add(finding.Finding{Code: CodeColumns, Line: r.number, Column: 1, Message: "a wrong number of columns", Expected: r.shape(),
				Found: fmt.Sprintf("%d in %s", n, jsonl.Quote(bytes.TrimRight(r.text[r.begin:at], "\r\n")))})
			continue
		}
		if qid := r.column(0); string(qid) != r.now.ID {
			r.turn(string(qid))
		}
		value, ok := r.value()
		if !ok {
			continue
		}
		doc := r.columns[docColumn]
		r.lines = append(r.lines, Line{Value: value, Number: uint32(r.number), at: uint32(doc.from), size: uint32(doc.to - doc.from),
			hash: uint32(maphash.Bytes(r.file.seed, r.text[doc.from:doc.to]))})
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
	i, ok := r.byID[id]
	if !ok {
		i = len(r.file.Queries)
		r.byID[id] = i
		r.file.Queries = append(r.file.Queries, Query{ID: id, rank: math.MinInt})
	}
	r.now = &r.file.Queries[i]
	r.blocks = append(r.blocks, block{i, len(r.lines)})
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
	case rank > r.now.rank:
		r.now.rank = rank
	case !r.now.disordered:
		r.now.disordered = true
		r.addAt(rankColumn, finding.Finding{Code: CodeOrder, Message: "the lines of the query are not in the order of their ranks",
			Expected: fmt.Sprintf("a rank above %d, that of a line before", r.now.rank), Found: fmt.Sprint(rank), Hint: compat})
	}
	return v, ok && whole
}

// group gives each query its lines.
func (r *reader) group() {
	queries := r.file.Queries
	end := func(i int) int {
		if i+1 < len(r.blocks) {
			return r.blocks[i+1].from
		}
		return len(r.lines)
	}
	if len(r.blocks) > len(queries) { // some query's lines do not stand together
		size := make([]int, len(queries))
		for i, b := range r.blocks {
			size[b.query] += end(i) - b.from
		}
		for i := range queries {
			queries[i].Lines = make([]Line, 0, size[i])
		}
	}
	for i, b := range r.blocks {
		lines := r.lines[b.from:end(i):end(i)]
		if q := &queries[b.query]; q.Lines == nil {
			q.Lines = lines
		} else {
			q.Lines = append(q.Lines, lines...)
		}
	}
}
