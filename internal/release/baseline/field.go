package baseline

import (
	"cmp"
	"fmt"
	"math/big"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/stats"
)

// Codes of the findings of this package.
const (
	CodeKind      = "K381" // no baseline/1, or one of a newer version
	CodeUnknown   = "K382" // a key that the format does not have
	CodeMissing   = "K383" // a key, text or question that is missing or empty
	CodeType      = "K384" // a value of the wrong type
	CodeValue     = "K385" // a number or word out of its range
	CodeShare     = "K386" // a measure without a value, or with one that is no share
	CodeNoName    = "K387" // rankings or a document that are named and not there
	CodeUnused    = "K388" // rankings or a document that nothing names
	CodeDigest    = "K389" // a digest that is none
	CodePlacement = "K390" // lists that are not those of the arm's placements
	CodeInterval  = "K391" // an interval that is empty or reversed
	CodeTwice     = "K392" // a place twice in one list
	CodeLarge     = "K393" // a file above the limit
	CodeMore      = "K394" // more findings than are listed
)

// mostFindings is how many findings are listed; the others are counted.
const mostFindings = 100

// reader is one pass over one file.
type reader struct {
	file    string
	content []byte
	lines   []int  // where each line begins
	qid     string // that is being read
	found   finding.List
	more    int // findings that are not listed

	scanned []*listed // questions that a number stands for, in the order of the file; nil: they stand in it
	taken   int       // of them, so far
}

// lay notes where the lines of a file begin.
func (r *reader) lay(content []byte) {
	r.content, r.lines = content, []int{0}
	for i, c := range content {
		if c == '\n' {
			r.lines = append(r.lines, i+1)
		}
	}
}

// place is the line and the column, in code points, of a byte of the file.
func (r *reader) place(at int) (line, column int) {
	line, exact := slices.BinarySearch(r.lines, at)
	if exact {
		line++
	}
	return line, 1 + utf8.RuneCount(r.content[r.lines[line-1]:at])
}

// problem places a finding at a value.
func (r *reader) problem(v *jsonl.Value, f finding.Finding) {
	if len(r.found) >= mostFindings {
		r.more++
		return
	}
	f.QID = r.qid
	f.Line, f.Column = r.place(v.At)
	r.add(f)
}

func (r *reader) add(f finding.Finding) {
	f.Severity, f.File = finding.Error, r.file
	r.found = append(r.found, f)
}

// problems counts the findings, listed or not.
func (r *reader) problems() int { return len(r.found) + r.more }

// field is a key of an object and what reads its value, given where that stands. A
// key that may be absent ends with "?".
type field struct {
	name string
	read func(v *jsonl.Value, path string)
}

// fields reads the members of an object in the order of fields. Keys that are
// unknown or absent are findings; null is a value of the wrong type.
func (r *reader) fields(v *jsonl.Value, path string, fields ...field) {
	if !r.is(v, path, jsonl.Object) {
		return
	}
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = strings.TrimSuffix(f.name, "?")
	}
	for _, m := range v.Members {
		if !slices.Contains(names, m.Name) {
			r.problem(m.Value, finding.Finding{Code: CodeUnknown, Message: join(path, m.Name) + ": unknown key", Expected: strings.Join(names, ", "), Found: jsonl.Quote(m.Name), Hint: finding.DidYouMean(m.Name, names)})
		}
	}
	for i, f := range fields {
		if m := v.Get(names[i]); m != nil {
			f.read(m, join(path, names[i]))
		} else if names[i] == f.name {
			r.problem(v, finding.Finding{Code: CodeMissing, Message: join(path, f.name) + ": missing", Expected: quoted(f.name), Found: "no such key"})
		}
	}
}

// join is the path of a key.
func join(path, name string) string { return strings.TrimPrefix(path+"."+name, ".") }

// is reports whether a value has the type.
func (r *reader) is(v *jsonl.Value, path string, kind jsonl.Kind) bool {
	if v.Kind != kind {
		r.problem(v, finding.Finding{Code: CodeType, Message: cmp.Or(path, "the file") + ": a value of the wrong type", Expected: string(kind), Found: r.written(v)})
	}
	return v.Kind == kind
}

// written is the beginning of a value as it stands in the file.
func (r *reader) written(v *jsonl.Value) string { return jsonl.Quote(r.content[v.At:v.End]) }

// members are the members of an object whose keys are anybody's.
func (r *reader) members(v *jsonl.Value, path string) []jsonl.Member {
	r.is(v, path, jsonl.Object)
	return v.Members
}

func (r *reader) elements(v *jsonl.Value, path string) []*jsonl.Value {
	r.is(v, path, jsonl.Array)
	return v.Elems
}

// words reads a text, text one that is not blank.
func (r *reader) words(to *string) func(*jsonl.Value, string) {
	return func(v *jsonl.Value, path string) {
		if r.is(v, path, jsonl.String) {
			*to = v.Text
		}
	}
}

func (r *reader) text(to *string) func(*jsonl.Value, string) {
	return func(v *jsonl.Value, path string) {
		if r.words(to)(v, path); v.Kind == jsonl.String && strings.TrimSpace(v.Text) == "" {
			r.problem(v, finding.Finding{Code: CodeMissing, Message: path + ": empty", Expected: "a text", Found: r.written(v)})
		}
	}
}

func (r *reader) choice(to *string, words []string) func(*jsonl.Value, string) {
	return func(v *jsonl.Value, path string) {
		if r.text(to)(v, path); strings.TrimSpace(*to) != "" && !slices.Contains(words, *to) {
			r.problem(v, finding.Finding{Code: CodeValue, Message: path + ": not one of its values", Expected: strings.Join(words, ", "), Found: r.written(v), Hint: finding.DidYouMean(*to, words)})
		}
	}
}

// digest reads "sha256:" and 64 hex digits.
func (r *reader) digest(to *string) func(*jsonl.Value, string) {
	return func(v *jsonl.Value, path string) {
		if r.words(to)(v, path); v.Kind == jsonl.String && !sha256Digest.MatchString(v.Text) {
			r.problem(v, finding.Finding{Code: CodeDigest, Message: path + ": this is no digest", Expected: "sha256: and 64 hex digits", Found: r.written(v)})
		}
	}
}

var sha256Digest = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)

// integer reads a whole number of at least low.
func (r *reader) integer(to *int, low int) func(*jsonl.Value, string) {
	return func(v *jsonl.Value, path string) {
		n, ok := v.Int()
		switch {
		case !ok:
			r.problem(v, finding.Finding{Code: CodeType, Message: path + ": a value of the wrong type", Expected: "a whole number", Found: r.written(v)})
		case n < low:
			r.problem(v, finding.Finding{Code: CodeValue, Message: path + ": too small", Expected: fmt.Sprintf("at least %d", low), Found: r.written(v)})
		default:
			*to = n
		}
	}
}

// value reads what a measure was: a share of at most `most` questions, all of which
// had a result.
func (r *reader) value(to *stats.Sum, most int) func(*jsonl.Value, string) {
	return func(v *jsonl.Value, path string) {
		if v.Kind != jsonl.Object {
			why := "no value"
			if v.Kind == jsonl.Number {
				why = "a bare number"
			}
			r.problem(v, finding.Finding{Code: CodeShare, Message: path + ": " + why, Expected: `{"sum":"A/B","den":N,"missing":0}`, Found: r.written(v)})
			return
		}
		var sum string
		before := r.problems()
		r.fields(v, path, field{"sum", r.text(&sum)}, field{"den", r.integer(&to.Den, 0)}, field{"missing", r.integer(&to.Missing, 0)})
		if r.problems() > before {
			return
		}
		rat, ok := new(big.Rat), len(sum) <= longestSum && strings.Trim(sum, "-/0123456789") == "" // big.Rat reads "1e1000000" too
		if ok {
			rat, ok = rat.SetString(sum)
		}
		if !ok {
			r.problem(v.Get("sum"), finding.Finding{Code: CodeShare, Message: path + ": its sum is not a number", Expected: `"A/B", or a whole number`, Found: jsonl.Quote(sum)})
			return
		}
		to.Sum = rat
		if why := share(*to, most); why != "" {
			r.problem(v, finding.Finding{Code: CodeShare, Message: path + ": " + why, Expected: "a share of the questions, all of which have a result", Found: r.written(v)})
		}
	}
}

// longestSum is above the digits of any sum of reciprocal ranks: those of the least
// common multiple of 1 to 100,000, twice.
const longestSum = 1 << 17

// share says why a value is none of a share of at most so many questions, "" where
// it is one.
func share(v stats.Sum, most int) string {
	switch {
	case v.Sum == nil || v.Den <= 0:
		return "not measured"
	case v.Missing != 0:
		return fmt.Sprintf("%d of %d without a result", v.Missing, v.Den)
	case v.Sum.Sign() < 0 || v.Sum.Cmp(big.NewRat(int64(v.Den), 1)) > 0:
		return fmt.Sprintf("%s of %d is outside 0..1", v.Sum.RatString(), v.Den)
	case v.Den > most:
		return fmt.Sprintf("over %d questions, the rankings have %d", v.Den, most)
	}
	return ""
}
