package labels

import (
	"slices"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
)

// readLabelStudio reads Label Studio's JSON export: tasks of data and annotations,
// each annotation's result a list of regions with value.start, value.end and
// value.text in UTF-16 code units, as a browser counts. The document is the field
// of data that to_name names, else data.text; the question is data.question. All
// regions of one annotation are needed; annotations that differ are alternatives,
// and the question is disputed. A region's label that is a role of golden/1 is
// kept as one.
func readLabelStudio(files []File, names Names, _ *corpus.Corpus) *foreign {
	out := &foreign{Unit: coord.UTF16}
	docs := map[string]string{} // text -> document
	for _, f := range files {
		s := newSource(f, out)
		for _, v := range s.rows() {
			out.questions++
			if q, ok := s.task(v, names, docs); ok {
				out.Questions = append(out.Questions, q)
			}
		}
	}
	return out
}

func (s *source) task(v *jsonl.Value, names Names, docs map[string]string) (question, bool) {
	q := question{At: s.of(v)}
	data := s.get(v, "data", jsonl.Object)
	annotations, ok := s.list(v, "annotations")
	if data == nil || !ok {
		return q, false
	}
	q.Question = golden.Question{QID: "label-studio-" + name(v.Get("id"))}
	if q.Text, ok = s.text(data, "question"); !ok {
		return q, false
	}
	for _, a := range annotations {
		if c := a.Get("was_cancelled"); c != nil && c.Bool {
			s.out.skip("annotations that were cancelled")
			continue
		}
		result, ok := s.list(a, "result")
		if !ok {
			return q, false
		}
		var set []claim
		for _, region := range result {
			value := region.Get("value")
			if value.Get("start") == nil && value.Get("end") == nil {
				continue // a choice, a relation, an answer in words
			}
			c, ok := s.region(region, value, data, name(v.Get("id")), names, docs)
			if !ok {
				return q, false
			}
			set = append(set, c)
		}
		if set == nil {
			s.add(s.of(a), finding.Finding{Code: CodeNothing, Message: "an annotation without a passage", Expected: "at least one region with start and end",
				Hint: "cancel it, or write the question as unanswerable into golden.jsonl"})
			return q, false
		}
		q.Sets = append(q.Sets, set)
	}
	if slices.ContainsFunc(q.Sets, func(set []claim) bool { return !samePassages(set, q.Sets[0]) }) {
		q.Adjudication.State = "disputed"
	}
	return q, true
}

func samePassages(a, b []claim) bool {
	in := func(c claim, all []claim) bool {
		return slices.ContainsFunc(all, func(o claim) bool { return o.Doc == c.Doc && o.Start == c.Start && o.End == c.End })
	}
	return !slices.ContainsFunc(a, func(c claim) bool { return !in(c, b) }) && !slices.ContainsFunc(b, func(c claim) bool { return !in(c, a) })
}

func (s *source) region(region, value, data *jsonl.Value, task string, names Names, docs map[string]string) (claim, bool) {
	c := claim{Offset: true, Quote: name(value.Get("text")), At: s.of(region)}
	field := name(region.Get("to_name"))
	if t := data.Get(field); t == nil || t.Kind != jsonl.String {
		field = "text"
	}
	text, ok := s.text(data, field)
	if !ok {
		return c, false
	}
	start, end := s.get(value, "start", jsonl.Number, jsonl.String), s.get(value, "end", jsonl.Number, jsonl.String)
	if start == nil || end == nil {
		return c, false
	}
	if start.Kind == jsonl.String || end.Kind == jsonl.String {
		s.add(c.At, finding.Finding{Code: CodeSelector, Message: "a region of an HTML document, whose start and end are paths into its elements", Expected: "whole numbers", Found: start.Text,
			Hint: "export the task as plain text"})
		return c, false
	}
	var ok1, ok2 bool
	c.Start, ok1 = s.int(start)
	c.End, ok2 = s.int(end)
	if docs[text] == "" {
		docs[text] = s.out.free(names.doc("task-" + task))
		s.out.Documents = append(s.out.Documents, document{Doc: docs[text], Text: text, At: s.of(data)})
	}
	c.Doc = docs[text]
	if labels := value.Get("labels"); labels != nil {
		for _, l := range labels.Elems {
			if role := strings.ToLower(name(l)); slices.Contains([]string{"rule", "exception", "definition", "referent", "scope", "evidence"}, role) {
				c.Role = role
			}
		}
	}
	return c, ok1 && ok2
}
