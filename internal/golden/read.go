package golden

import (
	"bytes"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
)

// Kind is the kind and version that a golden file's header names.
const Kind = "golden/1"

// reader is one pass over one file.
type reader struct {
	set    *Set
	places *places
	header *jsonl.Value
	plain  bool // a golden/1 line stood in the file, so that it needs a header
	qid    string
	lines  map[string]int // qid -> the line that has it
	found  finding.List
}

// Read reads a golden file, or fixture objects (one a line, or one spread over
// the whole file), and resolves every label against c, which may be nil. Every
// problem becomes a finding; questions that could be decoded are in the set,
// and every span whose Bytes are not empty holds exactly its quote. The set may
// be used for a measurement only if the list has no errors.
func Read(file string, content []byte, c *corpus.Corpus) (*Set, finding.List) {
	return read(file, content, c, "")
}

// read is Read of JSON Lines that need no header if unit is not empty: it is
// theirs where they have none.
func read(file string, content []byte, c *corpus.Corpus, unit coord.Unit) (*Set, finding.List) {
	set := &Set{File: file, rows: bytes.SplitAfter(content, []byte("\n"))}
	r := &reader{set: set, lines: map[string]int{}}
	lines, found := jsonl.ParseFile(file, content)
	whole := unit == "" && wholeObject(content)
	if whole {
		var l *jsonl.Line
		if l, found = jsonl.Parse(file, 1, content); l.Value != nil {
			lines = []*jsonl.Line{l}
		}
	}
	for i, l := range lines {
		r.line(l.Value, i == 0)
	}
	r.places = newPlaces(set.With(c), "")
	if unit != "" && r.header == nil {
		set.Unit, r.places.unit = unit, unit
	} else {
		r.unit(lines, len(found) > 0)
	}
	for _, q := range set.Questions {
		r.qid = q.QID
		r.resolve(q)
	}
	found = append(found, r.found...)
	if whole {
		relocate(string(content), found)
	}
	found.Sort()
	return set, found
}

// line reads one line into the set.
func (r *reader) line(v *jsonl.Value, first bool) {
	r.qid = ""
	switch {
	case v.Get("kerf") != nil:
		if !first {
			r.add(v, finding.Finding{Code: CodeHeader, Message: "a second header line", Expected: "one header, in the first line", Found: cut(source(v)), Hint: "delete this line; offsets below it must be in the unit of the first"})
			return
		}
		r.header = v
		r.object(v,
			must("kerf", func(k *jsonl.Value) {
				if r.is(k, jsonl.String) && k.Text != Kind {
					r.add(k, finding.Finding{Code: CodeHeader, Message: "this is no golden file that kerf reads", Expected: Kind, Found: quoted(cut(k.Text)), Paste: quoted(Kind)})
				}
			}),
			may("unit", func(*jsonl.Value) {}),
			may("chunks", r.pin))
	case v.Get("fixture_id") != nil:
		r.fixture(v)
	default:
		r.plain = r.plain || !legacy(v)
		if q := r.question(v); q != nil {
			r.set.Questions = append(r.set.Questions, q)
		}
	}
}

// unit settles the unit of the offsets, and says which would fit where the
// header does not.
func (r *reader) unit(lines []*jsonl.Line, unread bool) {
	r.qid = ""
	if r.header == nil {
		if r.plain || len(lines) == 0 && !unread {
			f := finding.Finding{Code: CodeHeader, File: r.set.File, Severity: finding.Error, Line: 1, Column: 1,
				Message: "the header line is missing", Expected: `{"kerf":"golden/1","unit":"codepoint"} as the first line`, Found: "none"}
			if len(lines) > 0 {
				f = lines[0].Value.Finding(f)
				f.Found = cut(source(lines[0].Value))
			}
			f.Hint, f.Paste = r.fitting()
			f.Paste = `{"kerf":"golden/1",` + f.Paste + `}`
			r.found = append(r.found, f)
		} else if !r.plain {
			r.set.Unit = coord.Byte // of fixtures and chunk ids, which have no offsets of their own
		}
		return
	}
	v := r.header.Get("unit")
	f := finding.Finding{Code: CodeUnit, Message: "the unit of the offsets is not declared", Expected: units, Found: "no unit"}
	if v == nil {
		v = r.header
	} else if v.Kind == jsonl.String {
		u, err := coord.ParseUnit(v.Text)
		if err == nil {
			r.set.Unit, r.places.unit = u, u
			r.noQuestion(unread)
			return
		}
		f.Message, f.Found = err.Error(), quoted(cut(v.Text))
	} else {
		r.is(v, jsonl.String)
		return
	}
	f.Hint, f.Paste = r.fitting()
	r.add(v, f)
	r.noQuestion(unread)
}

func (r *reader) noQuestion(unread bool) {
	if len(r.set.Questions) == 0 && len(r.found) == 0 && !unread {
		r.add(r.header, finding.Finding{Code: CodeNoQuestion, Message: "the file holds no question", Expected: "one question a line", Found: "the header alone",
			Paste: `{"qid":"q-001","question":"…","spans":{"rule":{"doc":"…","quote":"…"}},"support":[["rule"]]}`})
	}
}

const units = "byte, codepoint, utf16 or token:NAME"

// fitting names the units under which every quote of the file matches, and the
// field to paste.
func (r *reader) fitting() (hint, paste string) {
	fit := r.places.fit(r.set)
	if len(fit) == 0 {
		return "no unit fits every quote of the file", `"unit":"codepoint"`
	}
	paste = `"unit":` + quoted(string(fit[0]))
	if fit[0] == "" {
		return "no quote has offsets; any unit will do", `"unit":"codepoint"`
	}
	names := make([]string, len(fit))
	for i, u := range fit {
		names[i] = string(u)
	}
	return "every quote matches under unit " + strings.Join(names, ", and under "), paste
}

// wholeObject reports whether the content is one object over several lines
// and not JSON Lines: a lone "{" is no line of JSON Lines, and a first line
// that is cut is tried together with the rest.
func wholeObject(content []byte) bool {
	content = bytes.TrimSpace(content)
	first, _, several := bytes.Cut(content, []byte("\n"))
	if !several || !bytes.HasPrefix(first, []byte("{")) {
		return false
	}
	if string(bytes.TrimSpace(first)) == "{" {
		return true
	}
	if l, _ := jsonl.Parse("", 1, first); l.Value != nil {
		return false
	}
	l, _ := jsonl.Parse("", 1, content)
	return l.Value != nil
}

// relocate turns columns of the whole content into lines and columns.
func relocate(content string, found finding.List) {
	runes := []rune(content)
	for i := range found {
		f := &found[i]
		before := string(runes[:min(max(f.Column-1, 0), len(runes))])
		f.Line = 1 + strings.Count(before, "\n")
		f.Column = 1 + len([]rune(before[strings.LastIndexByte(before, '\n')+1:]))
	}
}
