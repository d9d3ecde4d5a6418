package golden

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"kerf/internal/jsonl"
)

// Encode is the file: every line that nothing was completed in byte for byte as
// it was read, completed spans anew inside their lines, and questions that
// were made in memory (At is nil) as canonical lines at the end.
func (s *Set) Encode() []byte {
	edits := map[int][]*Span{} // line number -> its completed spans, in file order
	var added []*Question
	for _, q := range s.Questions {
		if q.At == nil {
			added = append(added, q)
			continue
		}
		for _, sp := range q.Spans {
			if sp.completed && !q.rewritten {
				n := q.At.Line().Number
				edits[n] = append(edits[n], sp)
			}
		}
	}
	var b bytes.Buffer
	for i, row := range s.withSpans(s.rows) {
		if spans := edits[i+1]; spans != nil {
			row = rewrite(row, spans)
		}
		b.Write(row)
	}
	if len(s.rows) == 0 {
		fmt.Fprintf(&b, "{\"kerf\":%s,\"unit\":%s}\n", quoted(Kind), quoted(string(s.Unit)))
	}
	if n := b.Len(); len(added) > 0 && n > 0 && b.Bytes()[n-1] != '\n' {
		b.WriteByte('\n')
	}
	for _, q := range added {
		b.WriteString(q.encode() + "\n")
	}
	return b.Bytes()
}

// rewrite is a row with the objects of some of its spans replaced.
func rewrite(row []byte, spans []*Span) []byte {
	raw := spans[0].At.Line().Raw
	at := bytes.Index(row, raw) // after a byte order mark
	out := slices.Clone(row[:at])
	done := 0
	for _, sp := range spans {
		out = append(append(out, raw[done:sp.At.At]...), sp.encode()...)
		done = sp.At.End
	}
	return append(append(out, raw[done:]...), row[at+len(raw):]...)
}

// object collects the members of one JSON object.
type object struct{ members []string }

func (o *object) raw(name, value string) {
	o.members = append(o.members, quoted(name)+":"+value)
}

// text adds a text, unless it is empty.
func (o *object) text(name, value string) {
	if value != "" {
		o.raw(name, quoted(value))
	}
}

// list adds a list, unless it is nil.
func (o *object) list(name string, values []string) {
	if values != nil {
		o.raw(name, "["+strings.Join(quoteAll(values), ",")+"]")
	}
}

func (o *object) String() string { return "{" + strings.Join(o.members, ",") + "}" }

// nested adds an object, unless it is empty.
func (o *object) nested(name string, inner object) {
	if len(inner.members) > 0 {
		o.raw(name, inner.String())
	}
}

// encode is the canonical object of a span.
func (s *Span) encode() string {
	var o object
	o.raw("doc", quoted(s.Doc))
	o.text("version", s.Version)
	if !s.Draft {
		o.raw("start", fmt.Sprint(s.Start))
		o.raw("end", fmt.Sprint(s.End))
	}
	o.raw("quote", quoted(s.Quote))
	if s.completed || s.Prefix != "" || s.At.Get("prefix") != nil {
		o.raw("prefix", quoted(s.Prefix))
	}
	if s.completed || s.Suffix != "" || s.At.Get("suffix") != nil {
		o.raw("suffix", quoted(s.Suffix))
	}
	o.text("role", s.Role)
	o.text("needed_by", s.NeededBy)
	return o.String()
}

// encode is the canonical line of a question, without its line break.
func (q *Question) encode() string {
	var o object
	o.raw("qid", quoted(q.QID))
	o.raw("question", quoted(q.Text))
	if q.Unanswerable {
		o.raw("answerable", "false")
	}
	if len(q.Spans) > 0 {
		var spans object
		for _, s := range q.Spans {
			spans.raw(s.Name, s.encode())
		}
		o.raw("spans", spans.String())
	}
	if len(q.Support) > 0 {
		sets := make([]string, len(q.Support))
		for i, set := range q.Support {
			names := make([]string, len(set))
			for j, s := range set {
				names[j] = quoted(s.Name)
			}
			sets[i] = "[" + strings.Join(names, ",") + "]"
		}
		o.raw("support", "["+strings.Join(sets, ",")+"]")
	}
	o.list("relevant_chunk_ids", q.Relevant)
	var answer object
	answer.text("text", q.Answer.Text)
	answer.text("scope", q.Answer.Scope)
	answer.text("condition", q.Answer.Condition)
	if q.Relevant == nil {
		answer.list("must_mention", q.Answer.MustMention)
	} else {
		o.list("answer_must_mention", q.Answer.MustMention)
	}
	answer.text("if_incomplete", q.Answer.IfIncomplete)
	o.nested("answer", answer)
	o.list("dependency", q.Dependency)
	o.text("segment", q.Segment)
	if q.Sample != "representative" {
		o.text("sample", q.Sample)
	}
	if q.Split != "dev" {
		o.text("split", q.Split)
	}
	o.list("within", q.Within)
	o.list("reader", q.Reader)
	o.text("cluster", q.Cluster)
	o.text("origin", q.Origin)
	o.text("author", q.Author)
	o.text("method", q.Method)
	var review object
	review.text("answerability", q.Review.Answerability)
	review.text("evidence", q.Review.Evidence)
	review.text("paraphrase", q.Review.Paraphrase)
	review.text("task_coverage", q.Review.TaskCoverage)
	review.text("by", q.Review.By)
	o.nested("review", review)
	o.nested("adjudication", q.Adjudication.encode())
	if q.Tags != nil {
		var tags object
		for _, name := range sortedKeys(q.Tags) {
			tags.raw(name, source(q.Tags[name]))
		}
		o.raw("tags", tags.String())
	}
	return o.String()
}

func (a *Adjudication) encode() object {
	var o object
	if a.State != "unadjudicated" {
		o.text("state", a.State)
	}
	o.list("by", a.By)
	if a.Reasons != nil {
		var reasons object
		for _, name := range sortedKeys(a.Reasons) {
			reasons.raw(name, quoted(a.Reasons[name]))
		}
		o.raw("reasons", reasons.String())
	}
	if a.Decisions != nil {
		decisions := make([]string, len(a.Decisions))
		for i, d := range a.Decisions {
			var one object
			one.text("by", d.By)
			one.raw("decision", quoted(d.Decision))
			one.text("reason", d.Reason)
			decisions[i] = one.String()
		}
		o.raw("decisions", "["+strings.Join(decisions, ",")+"]")
	}
	return o
}

func sortedKeys[V string | *jsonl.Value](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
