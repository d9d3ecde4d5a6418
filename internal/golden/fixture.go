package golden

import (
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

// fixtureUnit is the one coordinate system of fixture objects.
const fixtureUnit = "utf8-byte-half-open"

// fixture reads an object that carries its own source text beside question and
// evidence. Its document is named after it, and its quotes are the slices.
func (r *reader) fixture(v *jsonl.Value) {
	q := newQuestion(v)
	d := &corpus.Document{}
	var system, missing string
	var spans, sets *jsonl.Value
	if id := v.Get("fixture_id"); id.Kind == jsonl.String {
		r.qid = id.Text
	}
	before := len(r.found)
	r.object(v,
		must("fixture_id", r.word(&q.QID)),
		must("source_version", r.word(&d.Version.Version)),
		must("source_text", r.word(&d.Text)),
		must("coordinate_system", r.choice(&system, fixtureUnit)),
		must("spans", func(v *jsonl.Value) { spans = v }),
		must("question", r.word(&q.Text)),
		must("sufficient_support_sets", func(v *jsonl.Value) { sets = v }),
		must("expected_answer", r.text(&q.Answer.Text)),
		may("if_qualifier_missing", r.text(&missing)))
	r.checkQID(q)
	d.Doc, d.Bytes = q.QID, len(d.Text)
	if q.Answer.IfIncomplete = missing; strings.HasPrefix(missing, "Abstain") {
		q.Answer.IfIncomplete = Abstain
	}
	if digest := corpus.VersionOf(d.Text); d.Text != "" && d.Version.Version != "" && digest != d.Version.Version {
		r.add(v.Get("source_version"), finding.Finding{Code: CodeDigest, Message: "source_text is not the text that source_version names",
			Expected: cut(d.Version.Version), Found: digest, Hint: "either the text was changed or the digest; kerf does not choose"})
	}
	if len(r.found) > before {
		return
	}
	if r.is(spans, jsonl.Object) {
		for _, m := range spans.Members {
			if s := r.fixtureSpan(m, d); s != nil {
				q.Spans = append(q.Spans, s)
			}
		}
	}
	if len(r.found) == before {
		r.support(q, sets)
	}
	if len(r.found) == before && len(q.Support) == 0 {
		r.add(v, finding.Finding{Code: CodeNoEvidence, Message: "a fixture without evidence", Expected: "spans and sufficient_support_sets", Found: cut(source(spans) + " " + source(sets))})
	}
	if len(r.found) > before {
		return
	}
	r.set.Questions = append(r.set.Questions, q)
	r.set.Documents = append(r.set.Documents, d)
}

func (r *reader) fixtureSpan(m jsonl.Member, d *corpus.Document) *Span {
	if !r.is(m.Value, jsonl.Array) {
		return nil
	}
	f := finding.Finding{Code: CodeType, Message: "a span that is no pair of offsets", Expected: "[start, end)", Found: cut(source(m.Value))}
	if len(m.Value.Elems) != 2 {
		r.add(m.Value, f)
		return nil
	}
	start, ok1 := m.Value.Elems[0].Int()
	end, ok2 := m.Value.Elems[1].Int()
	if !ok1 || !ok2 {
		r.add(m.Value, f)
		return nil
	}
	s := &Span{Name: m.Name, Doc: d.Doc, Version: d.Version.Version, Start: start, End: end, At: m.Value}
	p := newPlaces(&corpus.Corpus{Documents: []*corpus.Document{d}}, "byte")
	b, problem := p.interval(s, d)
	if problem != nil {
		r.add(m.Value, *problem)
		return nil
	}
	s.Bytes, s.Quote = b, d.Text[b.Start:b.End]
	return s
}

// carries reports whether the document came with a fixture in this file.
func (s *Set) carries(doc string) bool {
	for _, d := range s.Documents {
		if d.Doc == doc {
			return true
		}
	}
	return false
}
