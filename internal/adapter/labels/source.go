package labels

import (
	"bytes"
	"fmt"
	"slices"
	"sort"
	"unicode/utf8"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
)

// source is one file under a reader that collects what is wrong with it.
type source struct {
	File
	lines []int // the byte at which each line begins
	runes []int // the code points before each block of the content
	out   *foreign
}

// block is how far a place is counted from the next known one: a file of one line
// is not counted from its beginning for each of its values.
const block = 1 << 12

func newSource(f File, out *foreign) *source {
	f.Content = bytes.TrimPrefix(f.Content, []byte("\uFEFF"))
	s := &source{File: f, lines: []int{0}, out: out}
	if at, bad := coord.InvalidUTF8(f.Content); bad {
		s.add(place{f.Name, 1 + bytes.Count(f.Content[:at], []byte("\n")), 0}, finding.Finding{Code: jsonl.CodeUTF8, Message: fmt.Sprintf("byte %d is not UTF-8", at),
			Expected: "UTF-8", Found: fmt.Sprintf("%x", f.Content[at]), Hint: "save the file as UTF-8"})
		s.Content = nil
	}
	runes := 0
	for i, b := range s.Content {
		if i%block == 0 {
			s.runes = append(s.runes, runes)
		}
		if utf8.RuneStart(b) {
			runes++
		}
		if b == '\n' {
			s.lines = append(s.lines, i+1)
		}
	}
	s.runes = append(s.runes, runes)
	return s
}

// before is the number of code points before a byte that begins one.
func (s *source) before(b int) (n int) {
	for i := b / block * block; i < b; i++ {
		if utf8.RuneStart(s.Content[i]) {
			n++
		}
	}
	return s.runes[b/block] + n
}

// at is the place of a byte.
func (s *source) at(b int) place {
	b = min(max(b, 0), len(s.Content))
	line := sort.SearchInts(s.lines, b+1)
	return place{s.Name, line, 1 + s.before(b) - s.before(s.lines[line-1])}
}

// of is the place of a value.
func (s *source) of(v *jsonl.Value) place {
	if number := v.Line().Number; number > 0 {
		return place{s.Name, number, v.Line().Column(v.At)}
	}
	return s.at(v.At)
}

func (s *source) add(p place, f finding.Finding) { s.out.Found = append(s.out.Found, p.finding(f)) }

// whole is the file as one JSON value that may run over many lines, nil if it is
// none. Its line has the number 0, which is how of knows it.
func (s *source) whole() *jsonl.Value {
	l, found := jsonl.Parse(s.Name, 0, s.Content)
	for _, f := range found {
		b, column := 0, f.Column-1 // from the beginning of the file, in code points
		for ; column > 0 && b < len(s.Content); column-- {
			_, n := utf8.DecodeRune(s.Content[b:])
			b += n
		}
		s.add(s.at(b), f)
	}
	return l.Value
}

// rows are the elements of the file: of its one list, its one object alone, or
// the values of its lines where the first line is an object by itself.
func (s *source) rows() []*jsonl.Value {
	first, rest, _ := bytes.Cut(bytes.TrimLeft(s.Content, " \t\r\n"), []byte("\n"))
	if l, _ := jsonl.Parse(s.Name, 1, first); l.Value != nil && l.Value.Kind == jsonl.Object && len(bytes.TrimSpace(rest)) > 0 {
		lines, found := jsonl.ParseFile(s.Name, s.Content)
		s.out.Found = append(s.out.Found, found...)
		rows := make([]*jsonl.Value, len(lines))
		for i, l := range lines {
			rows[i] = l.Value
		}
		return rows
	}
	v := s.whole()
	switch {
	case v == nil:
	case v.Kind == jsonl.Array:
		return v.Elems
	case v.Kind == jsonl.Object:
		return []*jsonl.Value{v}
	default:
		s.wrong(v, "a list of objects, or an object a line")
	}
	return nil
}

// wrong says that v is not what the kind's files hold there.
func (s *source) wrong(v *jsonl.Value, expected string) {
	found := string(v.Kind)
	if v.Kind == jsonl.String || v.Kind == jsonl.Number {
		found = jsonl.Quote(v.Text)
	}
	s.add(s.of(v), finding.Finding{Code: CodeForm, Message: "not what a file of this kind holds here", Expected: expected, Found: found})
}

// get is the member of an object, of one of the kinds; nil, and a finding, if it
// is not there.
func (s *source) get(v *jsonl.Value, name string, kinds ...jsonl.Kind) *jsonl.Value {
	m := v.Get(name)
	switch {
	case v.Kind != jsonl.Object:
		s.wrong(v, string(jsonl.Object))
		return nil
	case m == nil:
		var names []string
		for _, m := range v.Members {
			names = append(names, m.Name)
		}
		f := finding.Finding{Code: CodeForm, Message: fmt.Sprintf("%q is missing", name), Expected: name, Found: fmt.Sprintf("%.60q", names)}
		f.Hint = finding.DidYouMean(name, names)
		s.add(s.of(v), f)
		return nil
	case !slices.Contains(kinds, m.Kind):
		s.wrong(m, string(kinds[0]))
		return nil
	}
	return m
}

// text is the member as a text.
func (s *source) text(v *jsonl.Value, name string) (string, bool) {
	m := s.get(v, name, jsonl.String)
	if m == nil {
		return "", false
	}
	return m.Text, true
}

// list is the elements of the member.
func (s *source) list(v *jsonl.Value, name string) ([]*jsonl.Value, bool) {
	m := s.get(v, name, jsonl.Array)
	if m == nil {
		return nil, false
	}
	return m.Elems, true
}

// int is a whole number.
func (s *source) int(v *jsonl.Value) (int, bool) {
	n, ok := v.Int()
	if !ok {
		s.wrong(v, "a whole number")
	}
	return n, ok
}

// name is the text of an optional member: a text or a number as it is written, else "".
func name(v *jsonl.Value) string {
	if v == nil || v.Kind != jsonl.String && v.Kind != jsonl.Number {
		return ""
	}
	return v.Text
}
