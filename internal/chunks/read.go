package chunks

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

var (
	headerKeys = []string{"kerf", "unit"}
	chunkKeys  = []string{"doc", "id", "text", "version", "start", "end", "prefix"}
	position   = regexp.MustCompile(`^([-+]?[0-9]+|.*\[[-+]?[0-9]+\])$`)
)

// Position reports whether an id is a bare position, 12 or x[12], which names
// another chunk as soon as one is added before it.
func Position(id string) bool { return position.MatchString(id) }

// most is how many findings of one code are kept; the rest are counted.
const most = 1000

// row is one line on its way to a Chunk.
type row struct {
	Chunk
	line       jsonl.Line // without its value
	text       string
	hasText    bool
	given      bool // start and end are in the file
	placed     bool
	bad        bool // has a problem of its own; it still stands in the order
	start, end int  // as given
	at, atText int  // bytes of the line at which start and text stand
}

// reader is one pass over one file.
type reader struct {
	table   *Table
	corpus  *corpus.Corpus
	header  *jsonl.Line // nil where the file has none
	strange bool        // it is that of another kind of file: nothing below it is read
	rows    []*row      // those with a document and an interval or a text, in file order
	docs    map[string]int32
	maps    []*coord.Map // of the documents, made at first use
	lines   map[string]int
	said    map[string]bool // what is said once: keys and documents
	counts  map[string]int  // findings by code
	found   finding.List
}

// Read reads a table and proves every chunk against the documents of c. Every
// problem is a finding, at most 1,000 of a code with the others counted; the
// table may be used only if the list has no errors.
func Read(file string, content []byte, c *corpus.Corpus) (*Table, finding.List) {
	sum := sha256.Sum256(content)
	r := &reader{table: &Table{File: file, Digest: "sha256:" + hex.EncodeToString(sum[:]), byID: map[string]int32{}}, corpus: c,
		docs: map[string]int32{}, maps: make([]*coord.Map, len(c.Documents)), lines: map[string]int{}, said: map[string]bool{}, counts: map[string]int{}}
	for i, d := range c.Documents {
		r.docs[d.Doc] = int32(i)
	}
	if len(content) > Most {
		return r.table, finding.List{{Code: CodeField, Severity: finding.Error, File: file, Message: "the file is too large", Expected: fmt.Sprintf("at most %d bytes", Most)}}
	}
	var first *jsonl.Line
	whole := jsonl.EachLine(file, content, func(number int, raw []byte) {
		if r.strange {
			return
		}
		l, bad := jsonl.Parse(file, number, raw)
		for _, f := range bad {
			r.keep(f)
		}
		switch {
		case l.Value == nil:
		case l.Value.Get("kerf") != nil:
			r.readHeader(l, first == nil)
		default:
			r.chunk(l)
		}
		if first == nil {
			first = l
		}
	})
	r.found = append(r.found, whole...)
	if !r.strange {
		r.unit(first)
	}
	if r.table.Lines == 0 && r.found.Errors() == 0 {
		r.keep(finding.Finding{Code: CodeNoChunk, Severity: finding.Error, File: file, Line: 1, Message: "the file holds no chunk", Expected: "one chunk a line"})
	}
	r.verify()
	r.align()
	for _, w := range r.rows {
		if w.placed && !w.bad {
			r.table.byID[w.ID] = int32(len(r.table.Chunks))
			r.table.Chunks = append(r.table.Chunks, w.Chunk)
		}
	}
	for _, code := range slices.Sorted(maps.Keys(r.counts)) {
		if n := r.counts[code] - most; n > 0 {
			r.found = append(r.found, finding.Finding{Code: CodeMore, Severity: finding.Error, File: file,
				Message: fmt.Sprintf("%d more findings of %s are not listed", n, code), Hint: "they likely have one cause: mend the first ones"})
		}
	}
	r.found.Sort()
	return r.table, r.found
}

// keep adds a finding, unless enough of its code are there.
func (r *reader) keep(f finding.Finding) {
	if r.counts[f.Code]++; r.counts[f.Code] <= most {
		r.found = append(r.found, f)
	}
}

// problem is about a row, at a byte of its line.
func (r *reader) problem(w *row, at int, f finding.Finding) {
	w.bad = true
	if r.counts[f.Code] >= most { // placing one counts the line's characters
		r.counts[f.Code]++
		return
	}
	r.keep(w.line.Finding(at, f))
}

func (r *reader) readHeader(l *jsonl.Line, first bool) {
	if !first {
		r.keep(l.Finding(0, finding.Finding{Code: CodeHeader, Message: "a second header line", Expected: "one header, in the first line", Found: jsonl.Quote(l.Raw),
			Hint: "delete this line; offsets below it must be in the unit of the first"}))
		return
	}
	r.header = l
	if kind := l.Value.Get("kerf"); kind.Text != Kind || kind.Kind != jsonl.String {
		f := finding.Finding{Code: CodeHeader, Message: "this is no chunk table that kerf reads", Expected: Kind, Found: jsonl.Quote(source(kind)), Hint: jsonl.Taker(kind.Text)}
		if kind.Kind == jsonl.String {
			f.Found = jsonl.Quote(kind.Text)
		}
		r.keep(kind.Finding(f))
		if r.strange = f.Hint != ""; r.strange {
			return
		}
	}
	r.slips(l.Value, headerKeys)
}

// chunk reads one line into a row.
func (r *reader) chunk(l *jsonl.Line) {
	w := &row{Chunk: Chunk{Line: l.Number}, line: jsonl.Line{File: l.File, Number: l.Number, Raw: l.Raw}}
	v := l.Value
	if v.Kind != jsonl.Object {
		r.problem(w, 0, finding.Finding{Code: CodeField, Message: "a line that is no object", Expected: "an object", Found: string(v.Kind)})
		return
	}
	r.table.Lines++
	r.slips(v, chunkKeys)
	w.ID, _ = r.word(w, v, "id", true)
	if n := v.Get("id"); n != nil && (n.Kind == jsonl.Number || Position(w.ID)) {
		r.problem(w, n.At, finding.Finding{Code: CodePosition, Message: fmt.Sprintf("the id %s is a bare position", jsonl.Quote(n.Text)), Expected: "an id that outlives the next rebuild",
			Found: jsonl.Quote(n.Text), Hint: `a position names another chunk as soon as one is added: take the document and its digest or heading into the id, for example "policy-refunds#3"`})
	}
	if line, twice := r.lines[w.ID]; twice && w.ID != "" {
		r.problem(w, v.Get("id").At, finding.Finding{Code: CodeTwice, Message: fmt.Sprintf("the id %s is used on lines %d and %d", jsonl.Quote(w.ID), line, l.Number),
			Expected: "an id of its own for every chunk", Found: jsonl.Quote(w.ID)})
	} else {
		r.lines[w.ID] = l.Number
	}
	w.Prefix, _ = r.word(w, v, "prefix", false)
	w.text, w.hasText = r.word(w, v, "text", false)
	if w.hasText {
		w.atText = v.Get("text").At
	}
	known := r.document(w, v)
	r.version(w, v, known)
	if r.interval(w, v) && known {
		r.rows = append(r.rows, w)
	}
}

// word is the text under key; ok is false where there is none. A required one
// holds more than blanks.
func (r *reader) word(w *row, v *jsonl.Value, key string, required bool) (text string, ok bool) {
	m := v.Get(key)
	switch {
	case m != nil && m.Kind == jsonl.String && (!required || strings.TrimSpace(m.Text) != ""):
		return m.Text, true
	case m == nil && required:
		r.problem(w, 0, finding.Finding{Code: CodeField, Message: fmt.Sprintf("the key %q is missing", key), Expected: strings.Join(chunkKeys, ", ")})
	case m == nil, m.Kind == jsonl.Null && !required:
	case m.Kind == jsonl.Number && key == "id": // said by the caller
	default:
		r.problem(w, m.At, finding.Finding{Code: CodeField, Message: fmt.Sprintf("a wrong value under %q", key), Expected: "a text that is not empty",
			Found: jsonl.Quote(v.Line().Raw[m.At:m.End])})
	}
	return "", false
}

// document finds the chunk's document; an unknown one is said once.
func (r *reader) document(w *row, v *jsonl.Value) bool {
	id, ok := r.word(w, v, "doc", true)
	if !ok {
		return false
	}
	if w.Doc, ok = r.docs[id]; ok {
		return true
	}
	if key := "doc " + id; !r.said[key] {
		r.said[key] = true
		f := finding.Finding{Code: CodeDoc, Message: fmt.Sprintf("document %s is not in the corpus", jsonl.Quote(id)), Expected: "a document of the corpus", Found: jsonl.Quote(id),
			Hint: "freeze it, or correct the name; further chunks of it are not listed"}
		var ids []string
		for _, d := range r.corpus.Documents {
			ids = append(ids, d.Doc)
		}
		if guess := finding.DidYouMean(id, ids); guess != "" {
			f.Hint = guess
		}
		for _, known := range ids { // the longest id that ends it
			if strings.HasSuffix(id, "/"+known) {
				f.Hint = known + " exists; further chunks of " + id + " are not listed"
			}
		}
		r.problem(w, v.Get("doc").At, f)
	}
	return false
}

// version checks the version that a chunk names.
func (r *reader) version(w *row, v *jsonl.Value, known bool) {
	version, ok := r.word(w, v, "version", false)
	if !ok || !known {
		return
	}
	d := r.corpus.Documents[w.Doc]
	digits := strings.TrimPrefix(version, "sha256:")
	if len(digits) >= 8 && strings.HasPrefix(d.Version.Version, "sha256:"+digits) {
		return
	}
	f := finding.Finding{Code: CodeVersion, Message: fmt.Sprintf("a version of %s that is not pinned", jsonl.Quote(d.Doc)), Expected: d.Version.Version, Found: jsonl.Quote(version),
		Hint: "offsets hold for one version alone: export the chunks of the frozen text again"}
	if slices.ContainsFunc(r.corpus.Older, func(o corpus.Version) bool {
		return o.Doc == d.Doc && len(digits) >= 8 && strings.HasPrefix(o.Version, "sha256:"+digits)
	}) {
		f.Message = fmt.Sprintf("a superseded version of %s", jsonl.Quote(d.Doc))
	}
	r.problem(w, v.Get("version").At, f)
}

// interval reads start and end. It is false where they cannot be used, or where
// there is nothing else to place the chunk by.
func (r *reader) interval(w *row, v *jsonl.Value) bool {
	start, end := value(v, "start"), value(v, "end")
	if start == nil && end == nil {
		if w.hasText && strings.TrimSpace(w.text) != "" {
			return true
		}
		if m := value(v, "text"); m != nil && !w.hasText {
			return false // said already
		}
		f := finding.Finding{Code: CodeNothing, Message: fmt.Sprintf("chunk %s has neither a text nor an interval", jsonl.Quote(w.ID)), Expected: "text, or start and end, or both"}
		if w.hasText {
			f.Message = fmt.Sprintf("chunk %s has a blank text and no interval", jsonl.Quote(w.ID))
		}
		r.problem(w, w.atText, f)
		return false
	}
	if start == nil || end == nil {
		r.problem(w, 0, finding.Finding{Code: CodeInterval, Message: fmt.Sprintf("chunk %s has only one of start and end", jsonl.Quote(w.ID)), Expected: "both, or neither"})
		return false
	}
	var ok1, ok2 bool
	w.start, ok1 = start.Int()
	w.end, ok2 = end.Int()
	if !ok1 || !ok2 {
		r.problem(w, start.At, finding.Finding{Code: CodeField, Message: "an offset that is no whole number", Expected: "whole numbers from 0",
			Found: fmt.Sprintf("%s, %s", jsonl.Quote(source(start)), jsonl.Quote(source(end)))})
		return false
	}
	w.given, w.at = true, start.At
	if w.start < w.end {
		return true
	}
	f := finding.Finding{Code: CodeInterval, Message: fmt.Sprintf("chunk %s %s is empty", jsonl.Quote(w.ID), w.shown()), Expected: "start < end"}
	if w.end < w.start {
		f.Message = fmt.Sprintf("chunk %s %s ends before it starts", jsonl.Quote(w.ID), w.shown())
	}
	r.problem(w, w.at, f)
	return false
}

// value is the value under key, nil also for null.
func value(v *jsonl.Value, key string) *jsonl.Value {
	if m := v.Get(key); m != nil && m.Kind != jsonl.Null {
		return m
	}
	return nil
}

// source is v as it stands in the file.
func source(v *jsonl.Value) []byte { return v.Line().Raw[v.At:v.End] }

// shown is the interval as the file gives it.
func (w *row) shown() string { return span.Span{Start: w.start, End: w.end}.String() }

// slips warns, once, of a key that looks like one that is missing; others are
// kept without a word.
func (r *reader) slips(v *jsonl.Value, known []string) {
	for _, m := range v.Members {
		if slices.Contains(known, m.Name) || r.said["key "+m.Name] {
			continue
		}
		r.said["key "+m.Name] = true
		var missing []string
		for _, k := range known {
			if v.Get(k) == nil {
				missing = append(missing, k)
			}
		}
		if guess := finding.DidYouMean(m.Name, missing); guess != "" {
			r.keep(v.Line().Finding(m.At, finding.Finding{Code: CodeSlip, Severity: finding.Warning, Message: fmt.Sprintf("the key %s means nothing here", jsonl.Quote(m.Name)),
				Expected: strings.Join(known, ", "), Found: jsonl.Quote(m.Name), Hint: guess}))
		}
	}
}
