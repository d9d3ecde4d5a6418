package golden

import (
	"bytes"
	"reflect"
	"strings"
	"testing"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

// seeds are the base set, its mutations, a fixture, and drafts.
func seeds(f *testing.F) {
	content, _ := base(f)
	f.Add([]byte(content))
	for _, m := range mutations() {
		if m.old == "" {
			f.Add([]byte(m.new))
			continue
		}
		mutated := strings.Replace(content, m.old, m.new, 1)
		for line := range strings.Lines(mutated) {
			if !strings.Contains(content, line) {
				f.Add([]byte(header + "\n" + line))
			}
		}
	}
	f.Add([]byte(fixtureLine("f")))
	f.Add([]byte(strings.ReplaceAll(fixtureLine("f"), ",", ",\n")))
	f.Add([]byte("\uFEFF" + header + "\r\n\r\n" + `{"qid":"d","question":"Q?","spans":{"a":{"doc":"fees.txt", "quote":"5 €" , "role":"rule"},"b":{"quote":"Schüler","doc":"fees.txt"}},"support":[["a","b"]],"tags":{"x":[1.50]}}`))
}

// FuzzRead: nothing panics, every span that has a place has its quote there,
// and without an error every span is placed or a draft.
func FuzzRead(f *testing.F) {
	seeds(f)
	_, c := base(f)
	f.Fuzz(func(t *testing.T, content []byte) {
		set, found := Read("g", content, c)
		all := set.With(c)
		for _, q := range set.Questions {
			for _, s := range q.Spans {
				d := all.Find(s.Doc)
				switch {
				case !s.Bytes.Empty() && d.Text[s.Bytes.Start:s.Bytes.End] != s.Quote:
					t.Errorf("%s.%s: %v is %q, not %q", q.QID, s.Name, s.Bytes, d.Text[s.Bytes.Start:s.Bytes.End], s.Quote)
				case s.Bytes.Empty() && !s.Draft && found.Errors() == 0:
					t.Errorf("%s.%s has neither a place nor a finding", q.QID, s.Name)
				}
			}
		}
		for _, f := range append(found, Check(set, c, true)...) {
			if f.Code == "" || f.Message == "" || f.File != "g" || f.Severity != finding.Error && f.Severity != finding.Warning {
				t.Errorf("%+v", f)
			}
		}
	})
}

// FuzzEncode: an untouched set encodes to its own bytes; after Anchor other
// lines keep theirs, and the completed spans read back at the same place; the
// canonical lines of all questions read back as the same questions.
func FuzzEncode(f *testing.F) {
	seeds(f)
	_, c := base(f)
	f.Fuzz(func(t *testing.T, content []byte) {
		set, found := Read("g", content, c)
		if got := set.Encode(); !bytes.Equal(got, content) {
			t.Fatalf("untouched: %q became %q", content, got)
		}
		done := Anchor(set, c, nil)
		anchored := set.Encode()
		touched := map[int]bool{}
		for _, p := range done.Placed {
			touched[p.Question.At.Line().Number] = true
		}
		for _, p := range done.Moved {
			touched[p.Question.At.Line().Number] = true
		}
		before, after := bytes.Split(content, []byte("\n")), bytes.Split(anchored, []byte("\n"))
		if len(before) != len(after) {
			t.Fatalf("%d lines became %d", len(before), len(after))
		}
		for i := range before {
			if !touched[i+1] && !bytes.Equal(before[i], after[i]) {
				t.Errorf("line %d: %q became %q", i+1, before[i], after[i])
			}
		}
		again, more := Read("g", anchored, c)
		if len(more) != len(found)-len(done.Moved) {
			t.Fatalf("anchored:\n%v\nbefore:\n%v", more, found)
		}
		for i, q := range set.Questions {
			for j, s := range q.Spans {
				if got := again.Questions[i].Spans[j]; got.Bytes != s.Bytes {
					t.Errorf("%s.%s at %v, read back at %v", q.QID, s.Name, s.Bytes, got.Bytes)
				}
			}
		}
		if found.Errors() > 0 || len(set.Documents) > 0 || set.Unit == "" || len(set.Questions) == 0 {
			return
		}
		memory := &Set{File: "g", Unit: set.Unit}
		for _, q := range again.Questions {
			memory.Questions = append(memory.Questions, detached(q))
		}
		last, more := Read("g", memory.Encode(), c)
		if more.Errors() > 0 {
			t.Fatalf("canonical: %v\n%s", more, memory.Encode())
		}
		for i, q := range last.Questions {
			if got, want := detached(q), memory.Questions[i]; !reflect.DeepEqual(comparable(got), comparable(want)) {
				t.Errorf("canonical:\n%+v\n%+v", got, want)
			}
		}
	})
}

// detached is a copy of a question as if it had been made in memory.
func detached(q *Question) *Question {
	c := *q
	c.At = nil
	c.Spans, c.Support = nil, nil
	for _, s := range q.Spans {
		d := *s
		d.At, d.completed = nil, false
		c.Spans = append(c.Spans, &d)
	}
	for _, set := range q.Support {
		var names []*Span
		for _, s := range set {
			names = append(names, c.Span(s.Name))
		}
		c.Support = append(c.Support, names)
	}
	return &c
}

// comparable is a question with its tags as text.
func comparable(q *Question) any {
	tags := map[string]string{}
	for name, v := range q.Tags {
		tags[name] = source(v)
	}
	c := *q
	c.Tags = map[string]*jsonl.Value{}
	return struct {
		q    Question
		tags map[string]string
	}{c, tags}
}
