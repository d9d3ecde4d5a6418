// Package jsonl reads JSON and JSON Lines strictly and remembers where each
// value stands, so that every later check can name file, line and column.
//
// A Line is one JSON value in one line of a file; a Value is a node of it. A
// repeated key, a lone surrogate, invalid UTF-8 and trailing text are findings,
// never silently repaired (RFC 8259 leaves them open; RFC 7493, section 2,
// forbids them). Lines end at "\n" only, never at U+2028; a byte order mark
// before the first line is skipped and reported.
package jsonl

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"kerf/internal/finding"
)

// Kind is the JSON type of a Value.
type Kind string

const (
	Null   Kind = "null"
	Bool   Kind = "true or false"
	String Kind = "text"
	Number Kind = "number"
	Object Kind = "object"
	Array  Kind = "list"
)

// Value is one JSON value with its place. Exactly the fields of its Kind are
// set; Text holds the decoded string, or a number as it was written.
type Value struct {
	Kind    Kind
	Bool    bool
	Text    string
	Members []Member
	Elems   []*Value
	At      int // byte offset in the line
	End     int
	line    *Line
}

// Member is one key of an object with its value, in file order.
type Member struct {
	Name  string
	At    int
	Value *Value
}

// Line is one line of a file: its number from 1, its bytes without the line
// break, and its value, nil where the line could not be read.
type Line struct {
	File   string
	Number int
	Raw    []byte
	Value  *Value
}

// Get is the value under name, nil if v is no object or has none.
func (v *Value) Get(name string) *Value {
	if v == nil {
		return nil
	}
	for _, m := range v.Members {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Line is the line that v stands in.
func (v *Value) Line() *Line { return v.line }

// Int is the value as an integer; ok is false for other types and for numbers
// that are no integer or do not fit. 1.0 and 1e2 are not integers here.
func (v *Value) Int() (n int, ok bool) {
	if v == nil || v.Kind != Number || strings.ContainsAny(v.Text, ".eE") {
		return 0, false
	}
	n, err := strconv.Atoi(v.Text)
	return n, err == nil
}

// Column is the 1-based column, in code points, of a byte offset of the line.
func (l *Line) Column(at int) int { return 1 + utf8.RuneCount(l.Raw[:min(max(at, 0), len(l.Raw))]) }

// Finding places a finding at v.
func (v *Value) Finding(f finding.Finding) finding.Finding { return v.line.Finding(v.At, f) }

// Finding places a finding at a byte offset of the line.
func (l *Line) Finding(at int, f finding.Finding) finding.Finding {
	f.File, f.Line, f.Column = l.File, l.Number, l.Column(at)
	if f.Severity == "" {
		f.Severity = finding.Error
	}
	return f
}

// Codes of the findings of this package.
const (
	CodeSyntax    = "K001" // not JSON
	CodeDuplicate = "K002" // a key twice in one object
	CodeSurrogate = "K003" // an escape that is half of a surrogate pair
	CodeUTF8      = "K004" // bytes that are not UTF-8
	CodeTrailing  = "K005" // text after the value
	CodeLong      = "K006" // a line above the limit
	CodeBOM       = "K007" // a byte order mark (warning)
	CodeDepth     = "K008" // nested too deeply
)

// MaxLine is the longest line that is read, in bytes.
const MaxLine = 256 << 20

// Parse reads one line. What is wrong with it becomes a finding; Value is then nil.
func Parse(file string, number int, raw []byte) (*Line, finding.List) {
	l := &Line{File: file, Number: number, Raw: raw}
	if len(raw) > MaxLine {
		return l, finding.List{l.long(len(raw), MaxLine)}
	}
	p := parser{line: l, dec: jsontext.NewDecoder(bytes.NewBuffer(raw))}
	v, err := p.value()
	if err == nil {
		if rest := bytes.TrimLeft(raw[p.dec.InputOffset():], " \t\r\n"); len(rest) > 0 {
			return l, finding.List{l.Finding(len(raw)-len(rest), finding.Finding{Code: CodeTrailing,
				Message: "text stands after the end of the JSON value", Expected: "the end of the line", Found: Quote(rest)})}
		}
		l.Value = v
		return l, nil
	}
	return l, finding.List{l.syntax(err, p.at)}
}

// ParseFile reads a whole file as JSON Lines. Empty lines are skipped. The
// lines that could be read are returned beside the findings of the others.
func ParseFile(file string, content []byte) ([]*Line, finding.List) {
	var lines []*Line
	var bad finding.List
	found := EachLine(file, content, func(number int, raw []byte) {
		l, f := Parse(file, number, raw)
		bad = append(bad, f...)
		if l.Value != nil {
			lines = append(lines, l)
		}
	})
	return lines, append(found, bad...)
}

// EachLine calls read for every line of a file that is not empty, with its
// number from 1 and its bytes without the line break, for whoever reads lines
// faster than into values. Its findings are about the file as a whole.
func EachLine(file string, content []byte, read func(number int, raw []byte)) finding.List {
	skip, found := begin(file, content)
	if found.Errors() > 0 {
		return found
	}
	content = content[skip:]
	for number := 1; len(content) > 0; number++ {
		var raw []byte
		raw, content, _ = bytes.Cut(content, []byte("\n"))
		raw = bytes.TrimSuffix(raw, []byte("\r"))
		if len(bytes.TrimLeft(raw, " \t")) > 0 {
			read(number, raw)
		}
	}
	return found
}

const byteOrderMark = "\uFEFF"

// begin looks at the first bytes of a file: how many of them are no content, and
// what is wrong with the file as a whole.
func begin(file string, content []byte) (skip int, found finding.List) {
	if rest, ok := bytes.CutPrefix(content, []byte(byteOrderMark)); ok {
		content, skip = rest, len(byteOrderMark)
		found = finding.List{{Code: CodeBOM, Severity: finding.Warning, File: file, Line: 1, Column: 1,
			Message: "the file begins with a byte order mark; it is skipped", Hint: "save the file as UTF-8 without a mark"}}
	}
	if bytes.HasPrefix(content, []byte{0xff, 0xfe}) || bytes.HasPrefix(content, []byte{0xfe, 0xff}) {
		found = finding.List{{Code: CodeUTF8, Severity: finding.Error, File: file, Line: 1, Column: 1,
			Message: "the file begins with a UTF-16 byte order mark", Expected: "UTF-8", Hint: "save the file as UTF-8"}}
	}
	return skip, found
}

type parser struct {
	line *Line
	dec  *jsontext.Decoder
	at   int // where the token being read begins
}

// start is where the next token begins: after blanks and the separators, which
// the decoder has not yet returned.
func (p *parser) start() int {
	at := int(p.dec.InputOffset())
	for at < len(p.line.Raw) && strings.IndexByte(" \t\r\n,:", p.line.Raw[at]) >= 0 {
		at++
	}
	p.at = at
	return at
}

func (p *parser) value() (*Value, error) {
	v := &Value{At: p.start(), line: p.line}
	tok, err := p.dec.ReadToken()
	if err != nil {
		return nil, err
	}
	switch tok.Kind() {
	case 'n':
		v.Kind = Null
	case 't', 'f':
		v.Kind, v.Bool = Bool, tok.Bool()
	case '"':
		v.Kind, v.Text = String, tok.String()
	case '0':
		v.Kind, v.Text = Number, tok.String()
	case '[':
		v.Kind = Array
		for p.dec.PeekKind() != ']' {
			e, err := p.value()
			if err != nil {
				return nil, err
			}
			v.Elems = append(v.Elems, e)
		}
		if _, err := p.dec.ReadToken(); err != nil {
			return nil, err
		}
	case '{':
		v.Kind = Object
		for p.dec.PeekKind() != '}' {
			m := Member{At: p.start()}
			name, err := p.dec.ReadToken()
			if err != nil {
				return nil, err
			}
			m.Name = name.String()
			if m.Value, err = p.value(); err != nil {
				return nil, err
			}
			v.Members = append(v.Members, m)
		}
		if _, err := p.dec.ReadToken(); err != nil {
			return nil, err
		}
	}
	v.End = int(p.dec.InputOffset())
	return v, nil
}

// syntax turns the decoder's error into a finding; token is where the token
// that it could not read begins.
func (l *Line) syntax(err error, token int) finding.Finding {
	var se *jsontext.SyntacticError
	if !errors.As(err, &se) {
		return l.Finding(len(l.Raw), finding.Finding{Code: CodeSyntax, Message: fmt.Sprintf("this is not JSON: %v", err), Found: Quote(l.Raw)})
	}
	at := min(int(se.ByteOffset), len(l.Raw))
	rest := l.Raw[at:]
	f := finding.Finding{Code: CodeSyntax, Message: fmt.Sprintf("this is not JSON: %v", se.Err), Found: Quote(rest)}
	field := pointer(se.JSONPointer)
	in := ""
	if field != "" {
		in = fmt.Sprintf(" in %q", field)
	}
	r, n := utf8.DecodeRune(rest)
	cause := se.Err.Error()
	switch {
	case errors.Is(err, jsontext.ErrDuplicateName):
		f.Code = CodeDuplicate
		f.Message = fmt.Sprintf("the key %q stands twice in one object", field)
		f.Expected, f.Found = "each key once", field
		f.Hint = "delete one of the two; kerf does not choose"
	case r == utf8.RuneError && n == 1:
		f.Code = CodeUTF8
		f.Message = "bytes that are not UTF-8" + in
		f.Expected, f.Found = "UTF-8", fmt.Sprintf("%x at byte %d of the line", rest[:1], at)
		f.Hint = "save the file as UTF-8"
	case strings.HasPrefix(cause, "invalid surrogate pair"):
		escape := string(rest[:min(len(rest), len(`\ud800`))])
		before, err := jsontext.AppendUnquote(nil, string(l.Raw[token:at])+`"`)
		if err != nil {
			panic("BUG: " + err.Error())
		}
		f.Code = CodeSurrogate
		f.Message = fmt.Sprintf("lone surrogate %s at character %d%s", escape, utf8.RuneCount(before), in)
		f.Expected, f.Found = "a whole character, or both halves of a pair", escape
	case strings.HasSuffix(cause, "max depth"):
		f.Code = CodeDepth
		f.Expected = "at most 10,000 levels" // the decoder's limit
	}
	return l.Finding(at, f)
}

// pointer is a JSON pointer (RFC 6901) as people write it: a.b.0.
func pointer(p jsontext.Pointer) string {
	var names []string
	for name := range p.Tokens() {
		names = append(names, name)
	}
	return strings.Join(names, ".")
}

// Quote is the beginning of a text for a message, in quotes, at most 60 code points.
func Quote[T string | []byte](s T) string {
	r := []rune(string(s[:min(len(s), 260)]))
	if len(r) > 60 || len(s) > 260 {
		return fmt.Sprintf("%q …", string(r[:min(60, len(r))]))
	}
	return fmt.Sprintf("%q", string(r))
}
