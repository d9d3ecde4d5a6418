package golden

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

// field is one key of an object and what to do with its value.
type field struct {
	name string
	must bool
	read func(*jsonl.Value)
}

func may(name string, read func(*jsonl.Value)) field  { return field{name, false, read} }
func must(name string, read func(*jsonl.Value)) field { return field{name, true, read} }

// add places a finding at v and says whose question it is.
func (r *reader) add(v *jsonl.Value, f finding.Finding) {
	r.addAt(v, v.At, f)
}

// addAt places it at a byte of v's line.
func (r *reader) addAt(v *jsonl.Value, at int, f finding.Finding) {
	f.QID = r.qid
	r.found = append(r.found, v.Line().Finding(at, tidy(f)))
}

// tidy keeps names out of the file from breaking a message into lines.
func tidy(f finding.Finding) finding.Finding {
	f.Message, f.Expected, f.Found, f.Hint = oneLine(f.Message), oneLine(f.Expected), oneLine(f.Found), oneLine(f.Hint)
	return f
}

// is reports whether v has the kind, and reports v if not.
func (r *reader) is(v *jsonl.Value, kind jsonl.Kind) bool {
	if v.Kind == kind {
		return true
	}
	r.add(v, finding.Finding{Code: CodeType, Message: "a value of the wrong type", Expected: string(kind),
		Found: fmt.Sprintf("%s: %s", v.Kind, cut(source(v)))})
	return false
}

// object reads v by its fields; unknown and missing ones are findings.
func (r *reader) object(v *jsonl.Value, fields ...field) {
	if !r.is(v, jsonl.Object) {
		return
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.name
	}
	for _, m := range v.Members {
		i := slices.Index(names, m.Name)
		if i >= 0 {
			fields[i].read(m.Value)
			continue
		}
		f := finding.Finding{Code: CodeField, Message: fmt.Sprintf("unknown field %q", m.Name),
			Expected: strings.Join(names, ", "), Found: m.Name, Hint: "free notes go under tags"}
		if guess := near(m.Name, names); guess != "" {
			f.Hint, f.Paste = fmt.Sprintf("did you mean %s?", guess), fmt.Sprintf("%s:%s", quoted(guess), cut(source(m.Value)))
		}
		r.addAt(v, m.At, f)
	}
	for _, f := range fields {
		if f.must && v.Get(f.name) == nil {
			r.add(v, finding.Finding{Code: CodeMissing, Message: fmt.Sprintf("the field %q is missing", f.name),
				Expected: f.name, Found: strings.Join(keys(v), ", "), Paste: quoted(f.name) + ":…"})
		}
	}
}

func keys(v *jsonl.Value) []string {
	var names []string
	for _, m := range v.Members {
		names = append(names, m.Name)
	}
	return names
}

// text reads a text, which may be empty.
func (r *reader) text(to *string) func(*jsonl.Value) {
	return func(v *jsonl.Value) {
		if r.is(v, jsonl.String) {
			*to = v.Text
		}
	}
}

// word reads a text that must hold more than blanks.
func (r *reader) word(to *string) func(*jsonl.Value) {
	return func(v *jsonl.Value) {
		if r.is(v, jsonl.String) && r.filled(v) {
			*to = v.Text
		}
	}
}

func (r *reader) filled(v *jsonl.Value) bool {
	if strings.TrimSpace(v.Text) != "" {
		return true
	}
	r.add(v, finding.Finding{Code: CodeEmpty, Message: "an empty text", Expected: "a text that says something", Found: quoted(v.Text)})
	return false
}

// choice reads one of the values.
func (r *reader) choice(to *string, values ...string) func(*jsonl.Value) {
	return func(v *jsonl.Value) {
		if !r.is(v, jsonl.String) {
			return
		}
		if slices.Contains(values, v.Text) {
			*to = v.Text
			return
		}
		*to = "" // so that a default does not raise a second finding
		f := finding.Finding{Code: CodeValue, Message: "a value that this field does not have",
			Expected: strings.Join(values, ", "), Found: quoted(cut(v.Text))}
		if guess := near(v.Text, values); guess != "" {
			f.Hint, f.Paste = fmt.Sprintf("did you mean %s?", guess), quoted(guess)
		}
		r.add(v, f)
	}
}

// list reads texts, none of them empty, none twice; values limits them unless nil.
func (r *reader) list(to *[]string, values []string) func(*jsonl.Value) {
	return func(v *jsonl.Value) {
		if !r.is(v, jsonl.Array) {
			return
		}
		all := make([]string, 0, len(v.Elems))
		for _, e := range v.Elems {
			var one string
			if values == nil {
				r.word(&one)(e)
			} else {
				r.choice(&one, values...)(e)
			}
			if one == "" {
				continue
			}
			if slices.Contains(all, one) {
				r.add(e, finding.Finding{Code: CodeTwice, Message: "a value that stands twice in its list", Expected: "each once", Found: quoted(cut(one)), Hint: "delete one of the two"})
				continue
			}
			all = append(all, one)
		}
		*to = all
	}
}

// someof is list for lists that must not be empty.
func (r *reader) someof(to *[]string) func(*jsonl.Value) {
	return func(v *jsonl.Value) {
		r.list(to, nil)(v)
		if v.Kind == jsonl.Array && len(v.Elems) == 0 {
			r.add(v, finding.Finding{Code: CodeEmpty, Message: "an empty list", Expected: "one name or more", Found: "[]", Hint: "leave the field out if nothing is meant"})
		}
	}
}

func (r *reader) flag(to *bool) func(*jsonl.Value) {
	return func(v *jsonl.Value) {
		if r.is(v, jsonl.Bool) {
			*to = v.Bool
		}
	}
}

func (r *reader) offset(to *int) func(*jsonl.Value) {
	return func(v *jsonl.Value) {
		if !r.is(v, jsonl.Number) {
			return
		}
		n, ok := v.Int()
		if !ok {
			r.add(v, finding.Finding{Code: CodeType, Message: "an offset that is no whole number", Expected: "a whole number from 0", Found: v.Text})
		}
		*to = n
	}
}

// source is v as it stands in the file.
func source(v *jsonl.Value) string { return string(v.Line().Raw[v.At:v.End]) }

// cut shortens a text for a message.
func cut(s string) string {
	if len(s) > 4000 { // documents are long: do not decode all of one
		s = strings.ToValidUTF8(s[:1000], "") + strings.ToValidUTF8(s[len(s)-1000:], "")
	}
	runes := []rune(s)
	if len(runes) <= 80 {
		return s
	}
	return string(runes[:40]) + " … " + string(runes[len(runes)-30:])
}

// quoted is s as a JSON string.
func quoted(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic(fmt.Sprintf("BUG: text that is not UTF-8: %q", s))
	}
	return string(b)
}

// near is the one of known that was probably meant, "" if none is close.
func near(word string, known []string) string {
	hint := finding.DidYouMean(word, known)
	for _, k := range known {
		if hint != "" && hint == finding.DidYouMean(k, []string{k}) {
			return k
		}
	}
	return ""
}
