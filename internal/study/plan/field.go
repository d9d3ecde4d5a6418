package plan

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kerf/internal/finding"
)

// field is one key of a mapping and how its value is read; path is the key's
// full name, such as budget.tokens.
type field struct {
	name string
	read func(n *node, path string)
}

// interventions change more than where the cuts fall. Varied inside a sweep of
// placements they would be taken for it (requirements S1-046, S1-067, S1-068).
var interventions = []string{"factorial", "padding", "pad", "prefix_padding", "serialisation", "serialization", "table_serialisation", "table_serialization",
	"compression", "compress", "order", "ordering", "reorder", "reordering", "prompt_order", "evidence_order"}

// fields reads a mapping. later are keys of the format that this version does
// not have.
func (r *reader) fields(n *node, path string, later []string, fields ...field) {
	if n.kind != mapping {
		r.value(n, path, "a mapping of keys", "")
		return
	}
	for _, m := range n.members {
		name, key := join(path, m.key.text), m.key.text
		i := slices.IndexFunc(fields, func(f field) bool { return f.name == key })
		switch {
		case i >= 0:
			fields[i].read(m.value, name)
		case slices.Contains(interventions, key):
			r.report(m.key.at, finding.Finding{Code: CodeIntervention, Found: excerpt(key),
				Message:  fmt.Sprintf("%s is refused in a sweep: padding, serialisation, compression and order are interventions of their own, not placements of the cuts", name),
				Expected: "arms that differ in how they split and retrieve alone",
				Hint:     "declaring such interventions (factorial) is not in this version; compare them outside of the sweep"})
		case slices.Contains(later, key):
			r.later(m.key.at, name, key)
		default:
			var known []string
			for _, f := range fields {
				known = append(known, f.name)
			}
			r.report(m.key.at, finding.Finding{Code: CodeUnknown, Message: fmt.Sprintf("unknown key %s", name),
				Expected: "one of " + strings.Join(known, ", "), Found: excerpt(key), Hint: finding.DidYouMean(key, append(known, later...))})
		}
	}
}

// missing reports a key that has to be there.
func (r *reader) missing(at Place, path, paste string) {
	r.report(at, finding.Finding{Code: CodeValue, Message: path + " is missing", Expected: line(path, paste), Paste: line(path, paste)})
}

func (r *reader) later(at Place, name, found string) {
	r.report(at, finding.Finding{Code: CodeLater, Message: name + " is not in this version", Found: found,
		Hint: "remove it; docs/format/experiment.md lists what this version reads"})
}

// value reports a value of the wrong type, range or choice; paste repairs it,
// where that is known.
func (r *reader) value(n *node, path, expected, paste string) {
	r.report(n.at, finding.Finding{Code: CodeValue, Message: fmt.Sprintf("%s is not %s", path, expected), Expected: expected, Found: n.written(), Paste: line(path, paste)})
}

// line is a value to paste, with its key unless it is an element of a list.
func line(path, value string) string {
	if value == "" || strings.HasSuffix(path, "]") {
		return value
	}
	return path[strings.LastIndexByte(path, '.')+1:] + ": " + value
}

// text reads free text: not empty, on one line, and never a word that some
// reader of YAML takes for another type.
func (r *reader) text(to *string) func(*node, string) {
	return func(n *node, path string) {
		switch other := otherType(n.text); {
		case n.kind != scalar || strings.TrimSpace(n.text) == "" || strings.ContainsAny(n.text, "\n\r"):
			r.value(n, path, "text", "")
		case !n.quoted && other != "":
			r.quote(n, path, other, line(path, strconv.Quote(n.text)))
		default:
			*to = n.text
		}
	}
}

// quote reports a plain word that is no text to YAML.
func (r *reader) quote(n *node, path, other, paste string) {
	r.report(n.at, finding.Finding{Code: CodeQuote, Message: fmt.Sprintf("%s: YAML takes this word for %s, and text is due", path, other),
		Expected: "text", Found: n.written(), Hint: "quote it", Paste: paste})
}

// choice reads one of a few words; later are words of the format that this
// version does not have.
func (r *reader) choice(to *string, words []string, later ...string) func(*node, string) {
	return func(n *node, path string) {
		switch {
		case n.kind == scalar && slices.Contains(words, n.text):
			*to = n.text
		case n.kind == scalar && slices.Contains(later, n.text):
			r.later(n.at, path+": "+n.text, n.text)
		default:
			r.value(n, path, oneOf(words), "")
			if n.kind == scalar {
				r.found[len(r.found)-1].Hint = finding.DidYouMean(n.text, words)
			}
		}
	}
}

// tokenizer reads the name of one.
func (r *reader) tokenizer(to *string) func(*node, string) {
	return func(n *node, path string) {
		if n.kind == scalar && strings.HasPrefix(n.text, "wordpiece:") {
			r.later(n.at, path+": wordpiece", n.written())
			return
		}
		r.choice(to, tokenizers)(n, path)
	}
}

func oneOf(words []string) string {
	if len(words) == 1 {
		return words[0]
	}
	return "one of " + strings.Join(words, ", ")
}

// integer reads a whole number from lo to hi, in plain decimal digits.
func (r *reader) integer(to *int, lo, hi int) func(*node, string) {
	return func(n *node, path string) {
		expected := fmt.Sprintf("a whole number from %d to %d", lo, hi)
		if v, ok := n.whole(); ok && v >= lo && v <= hi {
			*to = v
			return
		}
		paste := ""
		if m := clearForm.FindStringSubmatch(n.text); m != nil && n.kind == scalar {
			if v, err := strconv.ParseInt(m[1], 10, 32); err == nil && int(v) >= lo && int(v) <= hi {
				paste = m[1] // "5" and 1.0: the number is clear, its type is not
			}
		}
		r.value(n, path, expected, paste)
	}
}

// whole is the node's number. No other way of writing one counts: 012 and 0x10
// are not the same number to every reader of YAML, 1.0 is none that counts.
func (n *node) whole() (int, bool) {
	if n.kind != scalar || n.quoted || !wholeForm.MatchString(n.text) {
		return 0, false
	}
	v, err := strconv.ParseInt(n.text, 10, 32)
	return int(v), err == nil
}

// elements are those of a list that is not empty.
func (r *reader) elements(n *node, path, of string) []*node {
	if n.kind == list && len(n.elems) > 0 {
		return n.elems
	}
	paste := ""
	if n.kind == scalar && n.text != "" {
		paste = "[" + n.written() + "]"
	}
	r.value(n, path, "a list of "+of, paste)
	return nil
}

// texts reads a list of texts, each once.
func (r *reader) texts(to *[]string) func(*node, string) {
	return func(n *node, path string) {
		var texts []string
		for i, e := range r.elements(n, path, "texts") {
			var s string
			r.text(&s)(e, fmt.Sprintf("%s[%d]", path, i))
			r.once(e, path, s != "" && slices.Contains(texts, s))
			texts = append(texts, s)
		}
		if texts != nil {
			*to = texts
		}
	}
}

// integers reads a list of whole numbers, each once.
func (r *reader) integers(to *[]int, lo, hi int) func(*node, string) {
	return func(n *node, path string) {
		var numbers []int
		for i, e := range r.elements(n, path, "whole numbers") {
			v, before := 0, len(r.found)
			r.integer(&v, lo, hi)(e, fmt.Sprintf("%s[%d]", path, i))
			r.once(e, path, len(r.found) == before && slices.Contains(numbers, v))
			numbers = append(numbers, v)
		}
		if numbers != nil {
			*to = numbers
		}
	}
}

func (r *reader) once(n *node, path string, repeated bool) {
	if repeated {
		r.report(n.at, finding.Finding{Code: CodeValue, Message: fmt.Sprintf("%s names %s twice", path, n.written()), Expected: "each value once", Found: n.written()})
	}
}

var (
	clearForm = regexp.MustCompile(`^(0|[1-9][0-9]*)(\.0*)?$`)
	wholeForm = regexp.MustCompile(`^(0|-?[1-9][0-9]*)$`)
	boolForm  = regexp.MustCompile(`^(?i:y|n|yes|no|on|off|true|false)$`)
	nullForm  = regexp.MustCompile(`^(~|(?i:null)|)$`)
	dateForm  = regexp.MustCompile(`^[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}([Tt \t].*)?$`)
	timeForm  = regexp.MustCompile(`^[-+]?[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?$`)
	numForm   = regexp.MustCompile(`^[-+]?(0[xX][0-9a-fA-F_]+|0[oO][0-7_]+|0[bB][01_]+|([0-9][0-9_]*(\.[0-9_]*)?|\.[0-9][0-9_]*)([eE][-+]?[0-9]+)?|\.(?i:inf|nan))$`)
)

// otherType is what a plain word is to YAML 1.1 or 1.2, "" if it is text.
func otherType(word string) string {
	for _, f := range []struct {
		form *regexp.Regexp
		is   string
	}{{boolForm, "a truth value"}, {nullForm, "nothing"}, {dateForm, "a date"}, {timeForm, "a number in base 60"}, {numForm, "a number"}} {
		if f.form.MatchString(word) {
			return f.is
		}
	}
	return ""
}
