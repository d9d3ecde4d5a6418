package golden

import (
	"fmt"
	"slices"
	"strings"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

// Abstain is the Answer.IfIncomplete of a question that must not be answered
// without its whole evidence.
const Abstain = "abstain"

// newQuestion is a question with the defaults of the format.
func newQuestion(v *jsonl.Value) *Question {
	return &Question{At: v, Sample: "representative", Split: "dev", Adjudication: Adjudication{State: "unadjudicated"}}
}

// The values of the closed lists of the format.
func roles() []string {
	return []string{"rule", "exception", "definition", "referent", "scope", "evidence"}
}
func dependencies() []string {
	return []string{"exception", "definition", "referent", "numerical_scope", "cross_reference"}
}
func origins() []string { return []string{"log", "ticket", "chat", "owner", "synthetic"} }
func states() []string  { return []string{"unadjudicated", "agreed", "disputed", "resolved"} }

// question reads one golden/1 line. It is nil where no qid could be read.
func (r *reader) question(v *jsonl.Value) *Question {
	q := newQuestion(v)
	if id := v.Get("qid"); id != nil && id.Kind == jsonl.String {
		r.qid = id.Text
	}
	answerable := true
	var sets, reasons *jsonl.Value
	labels := []field{
		may("spans", func(v *jsonl.Value) { q.Spans = r.spans(v) }),
		may("support", func(v *jsonl.Value) { sets = v }),
		may("answer", func(v *jsonl.Value) { r.answer(&q.Answer, v) }),
	}
	if legacy(v) {
		labels = []field{
			must("relevant_chunk_ids", r.relevant(q)),
			may("answer_must_mention", r.list(&q.Answer.MustMention, nil)),
			may("spans", r.both),
			may("support", r.both),
		}
	}
	fields := append([]field{must("qid", r.word(&q.QID)), must("question", r.word(&q.Text))}, labels...)
	r.object(v, append(fields,
		may("answerable", r.flag(&answerable)),
		may("dependency", r.list(&q.Dependency, dependencies())),
		may("segment", r.word(&q.Segment)),
		may("sample", r.choice(&q.Sample, "representative", "enriched")),
		may("split", r.choice(&q.Split, "dev", "heldout")),
		may("within", r.someof(&q.Within)),
		may("reader", r.someof(&q.Reader)),
		may("cluster", r.word(&q.Cluster)),
		may("origin", r.choice(&q.Origin, origins()...)),
		may("author", r.text(&q.Author)),
		may("method", r.text(&q.Method)),
		may("review", func(v *jsonl.Value) {
			w := &q.Review
			r.object(v, may("answerability", r.text(&w.Answerability)), may("evidence", r.text(&w.Evidence)),
				may("paraphrase", r.text(&w.Paraphrase)), may("task_coverage", r.text(&w.TaskCoverage)), may("by", r.text(&w.By)))
		}),
		may("adjudication", func(v *jsonl.Value) {
			reasons = v.Get("reasons")
			r.adjudication(&q.Adjudication, v)
		}),
		may("tags", func(v *jsonl.Value) {
			if r.is(v, jsonl.Object) {
				q.Tags = map[string]*jsonl.Value{}
				for _, m := range v.Members {
					q.Tags[m.Name] = m.Value
				}
			}
		}))...)
	q.Unanswerable = !answerable
	if v.Kind != jsonl.Object || q.QID == "" {
		return nil
	}
	r.checkQID(q)
	if sets != nil && !q.Unanswerable {
		r.support(q, sets)
	}
	r.evidence(q, sets)
	r.needs(q)
	if reasons != nil && reasons.Kind == jsonl.Object {
		for _, m := range reasons.Members {
			if q.Span(m.Name) == nil {
				r.unknownSpan(q, CodeReason, "adjudication gives a reason for a span that is not there", m.Name, m.Value)
			}
		}
	}
	return q
}

// checkQID reports blank edges and repeats.
func (r *reader) checkQID(q *Question) {
	v := q.At.Get("qid")
	if v == nil {
		v = q.At.Get("fixture_id")
	}
	if t := strings.TrimSpace(q.QID); t != q.QID {
		edge := "ends"
		if !strings.HasPrefix(q.QID, t) {
			edge = "begins"
		}
		r.add(v, finding.Finding{Code: CodeQIDBlank, Message: "the qid " + edge + " with a blank", Expected: quoted(t), Found: quoted(q.QID), Paste: `"qid":` + quoted(t)})
	}
	line := q.At.Line().Number
	if first, twice := r.lines[q.QID]; twice {
		r.add(v, finding.Finding{Code: CodeQIDTwice, Message: fmt.Sprintf("the qid %s is used on lines %d and %d", quoted(q.QID), first, line),
			Expected: "a qid of its own for every question", Found: quoted(q.QID), Hint: "rename the newer one, or delete it if it is the same question",
			Paste: `"qid":` + quoted(fmt.Sprintf("%s-line-%d", q.QID, line))})
		return
	}
	r.lines[q.QID] = line
}

func (r *reader) spans(v *jsonl.Value) []*Span {
	if !r.is(v, jsonl.Object) {
		return nil
	}
	var all []*Span
	for _, m := range v.Members {
		s := &Span{Name: m.Name, At: m.Value}
		if strings.TrimSpace(m.Name) == "" {
			r.add(m.Value, finding.Finding{Code: CodeEmpty, Message: "a span without a name", Expected: "a name, for support to use", Found: quoted(m.Name), Paste: `"rule":` + cut(source(m.Value))})
		}
		r.object(m.Value,
			must("doc", r.word(&s.Doc)),
			may("version", r.word(&s.Version)),
			may("start", r.offset(&s.Start)),
			may("end", r.offset(&s.End)),
			must("quote", r.text(&s.Quote)),
			may("prefix", r.text(&s.Prefix)),
			may("suffix", r.text(&s.Suffix)),
			may("role", r.choice(&s.Role, roles()...)),
			may("needed_by", r.word(&s.NeededBy)))
		start, end := m.Value.Get("start"), m.Value.Get("end")
		s.Draft = start == nil && end == nil
		if (start == nil) != (end == nil) {
			r.add(m.Value, finding.Finding{Code: CodeMissing, Message: fmt.Sprintf("span %s has only one of start and end", quoted(m.Name)),
				Expected: "both, or neither (a draft)", Found: strings.Join(keys(m.Value), ", "), Hint: "delete it and let `kerf anchor -w` place the quote"})
		}
		all = append(all, s)
	}
	return all
}

func (r *reader) answer(a *Answer, v *jsonl.Value) {
	r.object(v, may("text", r.text(&a.Text)), may("scope", r.text(&a.Scope)), may("condition", r.text(&a.Condition)),
		may("must_mention", r.list(&a.MustMention, nil)), may("if_incomplete", r.word(&a.IfIncomplete)))
}

func (r *reader) adjudication(a *Adjudication, v *jsonl.Value) {
	r.object(v,
		may("state", r.choice(&a.State, states()...)),
		may("by", r.list(&a.By, nil)),
		may("reasons", func(v *jsonl.Value) {
			if !r.is(v, jsonl.Object) {
				return
			}
			a.Reasons = map[string]string{}
			for _, m := range v.Members {
				var reason string
				r.word(&reason)(m.Value)
				a.Reasons[m.Name] = reason
			}
		}),
		may("decisions", func(v *jsonl.Value) {
			if !r.is(v, jsonl.Array) {
				return
			}
			for _, e := range v.Elems {
				var d Decision
				r.object(e, may("by", r.text(&d.By)), must("decision", r.word(&d.Decision)), may("reason", r.text(&d.Reason)))
				a.Decisions = append(a.Decisions, d)
			}
		}))
}

// Span is the span of that name, nil if there is none.
func (q *Question) Span(name string) *Span {
	for _, s := range q.Spans {
		if s.Name == name {
			return s
		}
	}
	return nil
}

func (q *Question) names() []string {
	var names []string
	for _, s := range q.Spans {
		names = append(names, s.Name)
	}
	return names
}

func (r *reader) unknownSpan(q *Question, code, message, name string, v *jsonl.Value) {
	f := finding.Finding{Code: code, Message: message, Expected: "one of: " + strings.Join(q.names(), ", "), Found: quoted(cut(name))}
	if guess := near(name, q.names()); guess != "" {
		f.Hint, f.Paste = fmt.Sprintf("did you mean %s?", guess), quoted(guess)
	}
	r.add(v, f)
}

// support reads the alternative sufficient sets.
func (r *reader) support(q *Question, v *jsonl.Value) {
	if !r.is(v, jsonl.Array) {
		return
	}
	seen := map[string]int{}
	for i, e := range v.Elems {
		if !r.is(e, jsonl.Array) {
			continue
		}
		if len(e.Elems) == 0 {
			r.add(e, finding.Finding{Code: CodeSetEmpty, Message: fmt.Sprintf("support set %d is empty", i+1), Expected: "the names of its spans", Found: "[]",
				Hint: `a question that nothing answers has "answerable":false instead`})
			continue
		}
		var set []*Span
		var names []string
		for _, n := range e.Elems {
			if !r.is(n, jsonl.String) {
				continue
			}
			s := q.Span(n.Text)
			switch {
			case s == nil:
				r.unknownSpan(q, CodeSupportName, fmt.Sprintf("support set %d names a span that is not there", i+1), n.Text, n)
			case slices.Contains(set, s):
				r.add(n, finding.Finding{Code: CodeSetName, Message: fmt.Sprintf("support set %d names a span twice", i+1), Expected: "each name once", Found: quoted(cut(n.Text)), Hint: "delete one of the two"})
			default:
				set, names = append(set, s), append(names, s.Name)
			}
		}
		slices.Sort(names)
		key := strings.Join(names, "\x00")
		if first, twice := seen[key]; twice && len(set) > 0 {
			r.add(e, finding.Finding{Code: CodeSetTwice, Message: fmt.Sprintf("support sets %d and %d hold the same spans", first, i+1), Expected: "each set once", Found: cut(source(e)), Hint: "delete one of the two"})
			continue
		}
		seen[key] = i + 1
		q.Support = append(q.Support, set)
	}
}

// evidence checks that exactly the answerable questions have some.
func (r *reader) evidence(q *Question, sets *jsonl.Value) {
	spans := q.At.Get("spans")
	switch {
	case q.Relevant != nil:
		if q.Unanswerable {
			v := q.At.Get("relevant_chunk_ids")
			r.add(v, finding.Finding{Code: CodeEvidence, Message: "an unanswerable question has relevant chunks", Expected: "no relevant_chunk_ids", Found: cut(source(v)), Hint: `delete them, or "answerable":false`})
		}
	case q.Unanswerable:
		for _, v := range []*jsonl.Value{spans, sets} {
			if v != nil && len(v.Members)+len(v.Elems) > 0 {
				r.add(v, finding.Finding{Code: CodeEvidence, Message: "an unanswerable question has evidence", Expected: "no spans and no support", Found: cut(source(v)),
					Hint: `delete them, or "answerable":false; near misses go under tags`})
				return
			}
		}
	case spans == nil || spans.Kind == jsonl.Object && len(spans.Members) == 0:
		r.add(q.At, finding.Finding{Code: CodeNoEvidence, Message: "an answerable question without spans", Expected: "spans and support", Found: strings.Join(keys(q.At), ", "),
			Hint: `if the documents do not answer it: "answerable":false`, Paste: `"spans":{"rule":{"doc":"…","quote":"…"}},"support":[["rule"]]`})
	case sets == nil || sets.Kind == jsonl.Array && len(sets.Elems) == 0:
		r.add(q.At, finding.Finding{Code: CodeNoEvidence, Message: "spans, but no support set that says which of them suffice", Expected: "support", Found: strings.Join(keys(q.At), ", "),
			Hint: "one set if all spans are needed; one set each if any of them is enough", Paste: `"support":[[` + strings.Join(quoteAll(q.names()), ",") + `]]`})
	}
}

func quoteAll(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = quoted(n)
	}
	return out
}

// needs checks needed_by: the names exist, and following them ends somewhere.
func (r *reader) needs(q *Question) {
	for _, s := range q.Spans {
		if s.NeededBy == "" {
			continue
		}
		v := s.At.Get("needed_by")
		if q.Span(s.NeededBy) == nil {
			r.unknownSpan(q, CodeNeededBy, "needed_by names a span that is not there", s.NeededBy, v)
			continue
		}
		way := []string{s.Name}
		for n := s; n != nil && n.NeededBy != "" && len(way) <= len(q.Spans); n = q.Span(n.NeededBy) {
			way = append(way, n.NeededBy)
			if n.NeededBy == s.Name {
				r.add(v, finding.Finding{Code: CodeCycle, Message: "needed_by goes in a circle", Expected: "a span that nothing needs at the end", Found: cut(strings.Join(way, " -> ")), Hint: "delete one needed_by of the circle"})
				break
			}
		}
	}
}
