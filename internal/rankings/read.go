package rankings

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kerf/internal/chunks"
	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
)

// mostOfACode is how many findings of one code are listed; the others are counted.
const mostOfACode = 100

// reader is one pass over one file.
type reader struct {
	file   *File
	corpus *corpus.Corpus
	table  *chunks.Table // nil: none
	locate bool

	unit    coord.Unit // "" where the header declares none that is known
	unitAt  *finding.Finding
	prefix  string // of document names, stripped
	covered bool   // the header names the corpus: hits need no version
	strange bool   // the header is that of another kind of file: nothing below it is read

	docs      map[string]int32
	maps      []*coord.Map // by ordinal, made at first use
	intervals bool         // some hit has one
	texts     []proof      // of hits whose unit is not declared

	line    *jsonl.Line
	qid     string
	seen    map[place]int  // the rank of each place of a ranking
	seenIDs map[string]int // and of each id

	byID, placed *finding.Finding // the first hit of either kind, where both stand in a message
	unversioned  *finding.Finding // the first hit that lacks its version
	lacking      int              // how many do

	found finding.List
	count map[string]int // findings by code
}

// Read reads a rankings file and verifies every hit, whatever its rank, against
// c and, where it is not nil, a chunk table over the same documents. With locate,
// a hit of document and text alone is placed where the text stands exactly once;
// else it is a finding.
//
// Every problem is a finding. The rankings that could be read are in the file,
// with those of their hits that have a place; they may be used only if the list
// has no errors.
func Read(file string, content []byte, c *corpus.Corpus, t *chunks.Table, locate bool) (*File, finding.List) {
	if len(content) > Most {
		return &File{File: file}, finding.List{{Code: CodeLarge, Severity: finding.Error, File: file, Message: "the file is too large", Expected: fmt.Sprintf("at most %d bytes", Most)}}
	}
	sum := sha256.Sum256(content)
	r := &reader{file: &File{File: file, Digest: "sha256:" + hex.EncodeToString(sum[:])}, corpus: c, table: t, locate: locate,
		docs: map[string]int32{}, maps: make([]*coord.Map, len(c.Documents)), seen: map[place]int{}, seenIDs: map[string]int{}, count: map[string]int{}}
	for i, d := range c.Documents {
		r.docs[d.Doc] = int32(i)
	}
	var d decoder
	first := true
	whole := jsonl.EachLine(file, content, func(number int, raw []byte) {
		if r.strange {
			return
		}
		row, found := d.read(file, number, raw)
		for _, f := range found {
			r.add(f)
		}
		switch {
		case row == nil:
		case first && row.header:
			r.header(row)
		case first:
			r.line = row.line
			r.unitAt = new(row.line.Finding(0, finding.Finding{Code: CodeHeader, Message: "the header line is missing",
				Expected: `{"kerf":"rankings/1","unit":"codepoint"} as the first line`, Found: jsonl.Quote(raw)}))
			r.row(row, len(found) == 0)
		case row.header:
			r.add(row.line.Finding(0, finding.Finding{Code: CodeHeader, Message: "a second header line", Expected: "one header, in the first line", Found: jsonl.Quote(raw), Hint: "delete this line; offsets below it must be in the unit of the first"}))
		default:
			r.row(row, len(found) == 0)
		}
		first = false
	})
	r.end(whole.Errors()+r.found.Errors() > 0)
	found := append(whole, r.found...)
	found.Sort()
	for _, code := range slices.Sorted(maps.Keys(r.count)) {
		if more := r.count[code] - mostOfACode; more > 0 {
			found = append(found, finding.Finding{Code: code, Severity: finding.Error, File: file, Message: fmt.Sprintf("%d more findings of %s are not listed", more, code)})
		}
	}
	return r.file, found
}

// header reads the first line.
func (r *reader) header(row *row) {
	l, _ := jsonl.Parse(row.line.File, row.line.Number, row.line.Raw)
	v := l.Value
	text := func(name string) string {
		m := v.Get(name)
		if m == nil || m.Kind == jsonl.Null {
			return ""
		}
		if m.Kind != jsonl.String {
			r.add(m.Finding(finding.Finding{Code: CodeType, Message: "a value of the wrong type", Expected: string(jsonl.String), Found: string(m.Kind)}))
		}
		return m.Text
	}
	if kind := text("kerf"); kind != Kind {
		f := finding.Finding{Code: CodeHeader, Message: "this is no rankings file that kerf reads", Expected: Kind, Found: jsonl.Quote(kind), Hint: jsonl.Taker(kind)}
		r.strange = f.Hint != ""
		if !r.strange {
			f.Paste = `"kerf":"` + Kind + `"`
		}
		r.add(v.Get("kerf").Finding(f))
		if r.strange {
			return
		}
	}
	r.file.Name, r.prefix = text("name"), text("doc_prefix")
	if digest := text("corpus"); digest != "" {
		r.covered = true
		if digest != r.corpus.Digest() {
			r.add(v.Get("corpus").Finding(finding.Finding{Code: CodeCorpus, Message: "the rankings are of another corpus", Expected: r.corpus.Digest(), Found: digest,
				Hint: "search the frozen documents, or freeze those that were searched"}))
		}
	}
	unit := text("unit")
	at := v.Finding(finding.Finding{Code: CodeUnit, Message: "the unit of the offsets is not declared", Expected: units, Found: "no unit"})
	if unit != "" {
		u, err := coord.ParseUnit(unit)
		if err == nil {
			r.unit = u
			return
		}
		at = v.Get("unit").Finding(finding.Finding{Code: CodeUnit, Message: err.Error(), Expected: units, Found: jsonl.Quote(unit)})
	}
	r.unitAt = &at
}

const units = "byte, codepoint, utf16 or token:NAME"

// row reads the line of a question; sound is false where a finding says already
// what is wrong with its members.
func (r *reader) row(row *row, sound bool) {
	r.line, r.qid = row.line, row.qid
	at := func(name string) int { return max(row.at[name], row.begin) }
	_, hits := row.at["hits"]
	_, failed := row.at["error"]
	switch {
	case strings.TrimSpace(row.qid) == "" && sound:
		r.problem(at("qid"), finding.Finding{Code: CodeMissing, Message: "a line without a qid", Expected: `"qid":"…"`, Found: jsonl.Quote(row.line.Raw)})
	case hits && failed:
		r.problem(at("error"), finding.Finding{Code: CodeOutcome, Message: fmt.Sprintf("%s has hits and an error", row.qid), Expected: "hits, or the error of a search that failed", Found: "both"})
	case failed && strings.TrimSpace(row.failure) == "":
		r.problem(at("error"), finding.Finding{Code: CodeMissing, Message: "an error without a reason", Expected: "why the search failed", Found: jsonl.Quote(row.failure), Paste: `"error":"timeout"`})
	case !hits && !failed && sound:
		r.problem(row.begin, finding.Finding{Code: CodeMissing, Message: "a line without hits", Expected: "hits, or error", Found: jsonl.Quote(row.line.Raw),
			Hint: `"hits":[] is a search that found nothing, "error" one that failed`, Paste: `"hits":[]`})
	}
	clear(r.seen)
	clear(r.seenIDs)
	ranking := Ranking{QID: row.qid, Error: row.failure, Line: row.line.Number}
	if len(row.hits) > 0 {
		ranking.Hits = make([]Hit, 0, len(row.hits))
	}
	for i := range row.hits {
		if m := &row.hits[i]; !m.broken {
			if h, ok := r.hit(m, i+1); ok {
				ranking.Hits = append(ranking.Hits, h)
			}
		}
	}
	if row.qid == "" {
		return
	}
	if earlier := r.file.Add(ranking); earlier != nil {
		r.problem(at("qid"), finding.Finding{Code: CodeQIDTwice, Message: fmt.Sprintf("the question %q has lines %d and %d", row.qid, earlier.Line, row.line.Number),
			Expected: "one line a question", Found: jsonl.Quote(row.qid), Hint: "delete one of the two; kerf does not choose"})
	}
}

// end says what the whole file lacks.
func (r *reader) end(unread bool) {
	r.qid = ""
	if len(r.file.Rankings) == 0 && !unread {
		r.add(finding.Finding{Code: CodeNothing, Severity: finding.Error, File: r.file.File, Message: "the file holds no ranking",
			Expected: "a header and one line a question", Paste: `{"qid":"…","hits":[]}`})
	}
	if f := r.unitAt; f != nil && (f.Code == CodeHeader || r.intervals) {
		f.Hint, f.Paste = r.fitting()
		if f.Code == CodeHeader {
			f.Paste = `{"kerf":"` + Kind + `",` + f.Paste + `}`
		}
		r.add(*f)
	}
	if r.lacking > 0 {
		f := *r.unversioned
		f.Message = fmt.Sprintf("hits without version: %d; this is the first, and the header names no corpus", r.lacking)
		f.Hint, f.Paste = "if the pinned texts were searched, add to the header what is to paste", `"corpus":"`+r.corpus.Digest()+`"`
		r.add(f)
	}
	r.file.ByID = r.byID != nil
	if r.byID != nil && r.placed != nil {
		f := *r.byID
		f.Message = fmt.Sprintf("a hit by id alone in a file whose hits have places (the first in line %d)", r.placed.Line)
		f.Expected, f.Found, f.Hint = "every hit with a place, or none", "both", "give --chunks with the table of these ids"
		r.add(f)
	}
}

// problem places a finding of the question at a byte of its line.
func (r *reader) problem(at int, f finding.Finding) {
	if r.full(f.Code) { // placing one counts the line's characters
		return
	}
	f.QID = r.qid
	r.add(r.line.Finding(at, f))
}

// full counts a finding of this code where enough of them are listed.
func (r *reader) full(code string) bool {
	full := r.count[code] >= mostOfACode
	if full {
		r.count[code]++
	}
	return full
}

func (r *reader) add(f finding.Finding) {
	if r.count[f.Code]++; r.count[f.Code] <= mostOfACode {
		r.found = append(r.found, f)
	}
}
