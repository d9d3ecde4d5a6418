package labels

import (
	"fmt"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
)

// readChroma reads the questions of Chroma's chunking evaluation: a CSV with the
// columns question, references and corpus_id, where references is a JSON list of
// {content, start_index, end_index} in code points of the corpus_id's text. All
// references of a question are needed. The questions are a model's.
func readChroma(files []File, names Names, _ *corpus.Corpus) *foreign {
	out := &foreign{Unit: coord.CodePoint}
	for _, f := range files {
		s := newSource(f, out)
		for _, row := range s.csv("question", "references", "corpus_id") {
			out.questions++
			q := question{At: row.at("question"), Question: golden.Question{Text: row.value("question"), Origin: "synthetic",
				QID: fmt.Sprintf("chroma-%04d", out.questions)}}
			cell := row.at("references")
			l, found := jsonl.Parse(f.Name, cell.Line, []byte(row.value("references")))
			for _, f := range found {
				f.Message = fmt.Sprintf("character %d of references: %s", f.Column, f.Message)
				s.add(cell, f)
			}
			if l.Value == nil {
				continue
			}
			set, ok := s.references(l.Value, cell, names.doc(row.value("corpus_id")))
			if !ok {
				continue
			}
			q.Sets = [][]claim{set}
			out.Questions = append(out.Questions, q)
		}
	}
	return out
}

// references are the claims of one cell, at whose beginning all of them stand.
func (s *source) references(v *jsonl.Value, at place, doc string) (set []claim, ok bool) {
	bad := func(v *jsonl.Value) {
		s.add(at, finding.Finding{Code: CodeForm, Message: "references that are no list of content, start_index and end_index",
			Expected: `[{"content":"…","start_index":0,"end_index":1}]`, Found: jsonl.Quote(v.Line().Raw[v.At:v.End])})
	}
	if v.Kind != jsonl.Array || len(v.Elems) == 0 {
		bad(v)
		return nil, false
	}
	for _, e := range v.Elems {
		content := e.Get("content")
		start, ok1 := e.Get("start_index").Int()
		end, ok2 := e.Get("end_index").Int()
		if content == nil || content.Kind != jsonl.String || !ok1 || !ok2 {
			bad(e)
			return nil, false
		}
		set = append(set, claim{Doc: doc, Start: start, End: end, Offset: true, Quote: content.Text, At: at})
	}
	return set, true
}
