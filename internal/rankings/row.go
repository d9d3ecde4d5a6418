package rankings

import (
	"bytes"
	"errors"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

// field is a member of a hit.
type field int

const (
	docField field = iota
	versionField
	idField
	textField
	prefixField // the last that is a text
	startField
	endField
	scoreField
	fields
)

// mention is a hit as it is written. Its texts are the line's own bytes, where
// no escape stands in them.
type mention struct {
	at         int         // byte of the line
	broken     bool        // no object, or a member is of another type: a finding already
	is         [fields]int // where each value stands; 0: absent, or null
	text       [prefixField + 1][]byte
	start, end int
	score      float64
}

func (m *mention) has(f field) bool { return m.is[f] > 0 }

// row is a line as it is written. It is good until the next line is read.
type row struct {
	line         *jsonl.Line
	begin        int  // byte of the line at which its object begins
	header       bool // it has the member "kerf"
	qid, failure string
	at           map[string]int // where the members stand that are not null
	hits         []mention
}

// decoder reads lines token by token: a file may hold millions of hits, and
// values with their places (jsonl.Parse) cost nine times as much.
type decoder struct {
	dec   *jsontext.Decoder
	row   row
	found finding.List
}

// errShape ends the reading of a line that has another shape.
var errShape = errors.New("another shape")

// read reads a line. With a finding among those returned, parts of the row may
// be absent; a line that is no JSON has no row.
func (d *decoder) read(file string, number int, raw []byte) (*row, finding.List) {
	l := &jsonl.Line{File: file, Number: number, Raw: raw}
	d.row = row{line: l, at: map[string]int{}, hits: d.row.hits[:0]}
	d.found = nil
	d.dec = jsontext.NewDecoder(bytes.NewBuffer(raw))
	err := errShape
	if len(raw) <= jsonl.MaxLine {
		if err = d.members(); err == nil && len(bytes.TrimLeft(raw[d.dec.InputOffset():], " \t\r\n")) > 0 {
			err = errShape
		}
	}
	if err != nil {
		parsed, found := jsonl.Parse(file, number, raw)
		if parsed.Value != nil { // JSON, but no object
			found = finding.List{d.wrong(parsed.Value.At, jsonl.Object, raw[parsed.Value.At:])}
		}
		return nil, found
	}
	return &d.row, d.found
}

// members reads the row's object.
func (d *decoder) members() error {
	if d.dec.PeekKind() != '{' {
		return errShape
	}
	return d.object(&d.row.begin, func(name []byte) error {
		switch string(name) {
		case "qid":
			return d.string("qid", &d.row.qid)
		case "error":
			return d.string("error", &d.row.failure)
		case "hits":
			return d.hits()
		case "kerf":
			d.row.header = true
		}
		return d.dec.SkipValue()
	})
}

// object says where an object begins and calls member with each name in it, to
// read the value.
func (d *decoder) object(at *int, member func(name []byte) error) error {
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}
	*at = int(d.dec.InputOffset()) - 1
	for d.dec.PeekKind() != '}' {
		name, err := d.dec.ReadValue()
		if err != nil {
			return err
		}
		if err := member(unquoted(name)); err != nil {
			return err
		}
	}
	_, err := d.dec.ReadToken()
	return err
}

func (d *decoder) hits() error {
	if d.dec.PeekKind() != '[' {
		_, _, err := d.value(jsonl.Array)
		return err
	}
	if _, err := d.dec.ReadToken(); err != nil {
		return err
	}
	d.row.at["hits"] = int(d.dec.InputOffset()) - 1
	for d.dec.PeekKind() != ']' {
		var m mention
		before := len(d.found)
		var err error
		if d.dec.PeekKind() == '{' {
			err = d.object(&m.at, func(name []byte) error { return d.member(&m, name) })
		} else {
			_, m.at, err = d.value(jsonl.Object)
			m.broken = true
		}
		if err != nil {
			return err
		}
		m.broken = m.broken || len(d.found) > before
		d.row.hits = append(d.row.hits, m)
	}
	_, err := d.dec.ReadToken()
	return err
}

// member reads a member of a hit. Others are kept out of the way.
func (d *decoder) member(m *mention, name []byte) error {
	f, kind := fields, jsonl.String
	switch string(name) {
	case "doc":
		f = docField
	case "version":
		f = versionField
	case "id":
		f = idField
	case "text":
		f = textField
	case "prefix":
		f = prefixField
	case "start":
		f, kind = startField, jsonl.Number
	case "end":
		f, kind = endField, jsonl.Number
	case "score":
		f, kind = scoreField, jsonl.Number
	default:
		return d.dec.SkipValue()
	}
	raw, at, err := d.value(kind)
	if raw == nil {
		return err
	}
	switch f {
	case startField:
		m.start, err = strconv.Atoi(string(raw))
	case endField:
		m.end, err = strconv.Atoi(string(raw))
	case scoreField:
		m.score, err = strconv.ParseFloat(string(raw), 64)
	default:
		m.text[f] = unquoted(raw)
	}
	if err != nil {
		w := d.wrong(at, kind, raw)
		w.Expected = "a whole number"
		if f == scoreField {
			w.Expected = "a number that a float64 holds"
		}
		d.found = append(d.found, w)
		return nil
	}
	m.is[f] = at
	return nil
}

// value reads a value of the kind. It is nil where the file has null, which is
// taken for an absent member, or another kind, which is a finding.
func (d *decoder) value(kind jsonl.Kind) (raw []byte, at int, err error) {
	raw, err = d.dec.ReadValue()
	if err != nil {
		return nil, 0, err
	}
	at = int(d.dec.InputOffset()) - len(raw)
	raw = d.row.line.Raw[at : at+len(raw)] // which stays, the decoder's does not
	is := jsonl.Number
	switch raw[0] {
	case 'n':
		return nil, at, nil
	case 't', 'f':
		is = jsonl.Bool
	case '"':
		is = jsonl.String
	case '{':
		is = jsonl.Object
	case '[':
		is = jsonl.Array
	}
	if is != kind {
		d.found = append(d.found, d.wrong(at, kind, raw))
		return nil, at, nil
	}
	return raw, at, nil
}

func (d *decoder) string(name string, to *string) error {
	raw, at, err := d.value(jsonl.String)
	if raw != nil {
		*to, d.row.at[name] = string(unquoted(raw)), at
	}
	return err
}

func (d *decoder) wrong(at int, kind jsonl.Kind, raw []byte) finding.Finding {
	if len(d.found) >= mostOfACode { // placing one counts the line's characters, and it is not listed
		return finding.Finding{Code: CodeType}
	}
	return d.row.line.Finding(at, finding.Finding{Code: CodeType, Message: "a value of the wrong type", Expected: string(kind), Found: jsonl.Quote(raw)})
}

// unquoted is the text of a JSON string: its own bytes where it has no escape.
func unquoted(raw []byte) []byte {
	if bytes.IndexByte(raw, '\\') < 0 {
		return raw[1 : len(raw)-1]
	}
	text, err := jsontext.AppendUnquote(nil, raw)
	if err != nil {
		panic("BUG: a string that was read is none: " + err.Error())
	}
	return text
}
