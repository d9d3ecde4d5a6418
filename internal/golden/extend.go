package golden

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/corpus/alike"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

// Extended is a set with lines added, or the reasons why some were not.
type Extended struct {
	Content []byte // of the file: what it held, byte for byte, and the added lines
	Added   []Added
	Refused []int        // line numbers of the input, ascending
	Found   finding.List // errors of the refused lines and warnings of the added ones, at their places in the input
}

// Added is a question that was added.
type Added struct {
	Question *Question
	Line     int      // in the file, from 1
	Placed   []string // spans that were drafts and have their place now
	Drafts   []string // spans whose quote stands in several places
	Missing  []string // what a finished question has and this one has not
}

// Extend adds lines of golden/1 to a set from Read. file is the name of the
// input in messages; a header in it is read and left out. A line with an error, a
// qid that is taken, or a question that the set asks already (see Asked) is
// refused; the others are added in order. A draft with exactly one place is
// placed, one with several stays a draft, and one with none is an error. An error
// means that nothing can be added to this set.
func Extend(set *Set, c *corpus.Corpus, file string, input []byte) (Extended, error) {
	content := bytes.Join(set.rows, nil)
	if set.header() == nil || set.Unit == "" {
		return Extended{}, fmt.Errorf("%s: no header with a unit to add questions under; kerf check says what to paste", set.File)
	}
	input = bytes.TrimPrefix(input, []byte("\uFEFF"))
	in, found := read(file, input, set.With(c), set.Unit)
	x := &extension{in: in, places: newPlaces(in.With(set.With(c)), in.Unit), asked: map[string]asked{}, qids: map[string]asked{}, next: NextQID(set)}
	for _, f := range found {
		if f.Code != CodeNoQuestion {
			x.found = append(x.found, f)
		}
	}
	header := in.header()
	if header != nil && in.Unit != set.Unit && in.Unit != "" {
		x.found = append(x.found, header.Finding(finding.Finding{Code: CodeUnit, Message: "the offsets are in another unit than those of " + set.File,
			Expected: string(set.Unit), Found: string(in.Unit), Hint: "convert them, or leave start and end out: the quotes will be placed"}))
	}
	for _, q := range set.Questions {
		x.remember(q, fmt.Sprintf("%s:%d", set.File, q.At.Line().Number))
	}
	out := Extended{}
	eol := "\n"
	if bytes.HasSuffix(set.rows[0], []byte("\r\n")) {
		eol = "\r\n"
	}
	if n := len(content); n > 0 && content[n-1] != '\n' {
		content = append(slices.Clone(content), eol...)
	}
	bad := x.bad()
	for _, q := range in.Questions {
		if bad[q.At.Line().Number] || header != nil && bad[header.Line().Number] {
			continue
		}
		if a, ok := x.question(q); ok {
			out.Added = append(out.Added, a)
			x.remember(q, fmt.Sprintf("%s:%d", cmp.Or(file, set.File), q.At.Line().Number))
		}
	}
	rows := bytes.SplitAfter(in.Encode(), []byte("\n"))
	for i, a := range out.Added {
		out.Added[i].Line = 1 + bytes.Count(content, []byte("\n"))
		content = append(append(content, bytes.TrimSpace(rows[a.Question.At.Line().Number-1])...), eol...)
	}
	out.Content = content
	bad = x.bad()
	for i, row := range in.rows {
		head := header != nil && i+1 == header.Line().Number
		if !head && len(bytes.TrimSpace(row)) > 0 && (bad[i+1] || header != nil && bad[header.Line().Number]) {
			out.Refused = append(out.Refused, i+1)
		}
	}
	out.Found = x.found
	out.Found.Sort()
	return out, nil
}

// header is the header, nil if there is none.
func (s *Set) header() *jsonl.Value {
	lines, _ := jsonl.ParseFile(s.File, bytes.Join(s.rows, nil))
	if len(lines) == 0 || lines[0].Value.Get("kerf") == nil {
		return nil
	}
	return lines[0].Value
}

// extension is one pass over an input.
type extension struct {
	in     *Set
	places *places
	asked  map[string]asked // by Asked
	qids   map[string]asked
	next   string // free qid of the set
	found  finding.List
}

type asked struct{ qid, at string }

func (x *extension) remember(q *Question, at string) {
	for _, m := range []struct {
		in  map[string]asked
		key string
	}{{x.asked, Asked(q)}, {x.qids, q.QID}} {
		if _, ok := m.in[m.key]; !ok {
			m.in[m.key] = asked{q.QID, at}
		}
	}
}

// bad is the lines with errors.
func (x *extension) bad() map[int]bool {
	bad := map[int]bool{}
	for _, f := range x.found {
		if f.Severity == finding.Error {
			bad[f.Line] = true
		}
	}
	return bad
}

// question places the drafts of one question; false if it cannot be added.
func (x *extension) question(q *Question) (Added, bool) {
	before := x.found.Errors()
	add := func(at *jsonl.Value, f finding.Finding) {
		f.QID = q.QID
		x.found = append(x.found, at.Finding(tidy(f)))
	}
	qid := q.At.Get("qid")
	if qid == nil {
		qid = q.At
	}
	if first, ok := x.qids[q.QID]; ok {
		add(qid, finding.Finding{Code: CodeQIDTwice, Message: fmt.Sprintf("the qid %s is taken, by %s", quoted(q.QID), first.at), Expected: "a qid of its own for every question", Found: quoted(q.QID),
			Hint: "the next free one of the file is " + x.next})
	}
	if first, ok := x.asked[Asked(q)]; ok {
		add(q.At.Get("question"), finding.Finding{Code: CodeAsked, Message: fmt.Sprintf("the question is there already: %s %s", first.at, first.qid),
			Expected: "a question that the set does not ask", Found: quoted(cut(q.Text)), Hint: "if it failed for another reason, complete the question that is there"})
	}
	a := Added{Question: q}
	for _, s := range q.Spans {
		d := x.places.corpus.Find(s.Doc)
		if !s.Draft || s.Stale || d == nil || s.Quote == "" {
			continue
		}
		b, problem := x.places.locate(s, d, x.in)
		switch {
		case problem == nil:
			complete(x.places, s, d, b)
			a.Placed = append(a.Placed, s.Name)
		case problem.Code == CodeAmbiguous:
			problem.Severity = finding.Warning
			add(s.At, *problem)
			a.Drafts = append(a.Drafts, s.Name)
		default:
			add(s.At, *problem)
		}
	}
	a.Missing = q.missing()
	return a, x.found.Errors() == before
}

// Asked is what makes two questions the same: their text without what Plain
// looks through, and whom and what it is asked of, where the line says so.
func Asked(q *Question) string {
	text := cmp.Or(alike.Plain(q.Text), q.Text)
	within, reader := slices.Clone(q.Within), slices.Clone(q.Reader)
	slices.Sort(within)
	slices.Sort(reader)
	return fmt.Sprintf("%q %q %q", text, within, reader)
}

// missing is what a finished question has beside its spans.
func (q *Question) missing() []string {
	var out []string
	need := func(there bool, what string) {
		if !there {
			out = append(out, what)
		}
	}
	need(q.Answer.Text != "" || q.Unanswerable, "answer.text")
	need(q.Answer.MustMention != nil || q.Unanswerable, "answer.must_mention")
	need(q.Answer.IfIncomplete != "" || q.Unanswerable, "answer.if_incomplete")
	need(q.Dependency != nil || q.Unanswerable, "dependency")
	need(q.Segment != "", "segment")
	need(q.Origin != "", "origin")
	r := q.Review
	need(r.By != "" && r.Answerability != "" && r.Paraphrase != "" && (r.Evidence != "" || q.Unanswerable), "review")
	need(q.Adjudication.State == "agreed" || q.Adjudication.State == "resolved", "adjudication")
	return out
}

// NextQID is a free qid in the manner of the last one that ends in digits: the
// greatest number of those with its beginning, and one; q-001 if none does.
func NextQID(set *Set) string {
	beginning := func(qid string) (string, string) {
		digits := qid[len(strings.TrimRight(qid, "0123456789")):]
		return qid[:len(qid)-len(digits)], digits
	}
	stem, width, greatest := "q-", 3, 0
	for _, q := range set.Questions {
		if s, digits := beginning(q.QID); digits != "" && len(digits) < 10 {
			stem, width = s, len(digits)
		}
	}
	for _, q := range set.Questions {
		if s, digits := beginning(q.QID); s == stem && digits != "" && len(digits) < 10 {
			n, err := strconv.Atoi(digits)
			if err != nil {
				panic("BUG: " + err.Error())
			}
			greatest = max(greatest, n)
		}
	}
	return fmt.Sprintf("%s%0*d", stem, width, greatest+1)
}
