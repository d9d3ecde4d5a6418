package labels

import (
	"fmt"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
)

// readLegalBench reads a benchmark of LegalBench-RAG: tests of query and snippets,
// each snippet a file_path, a span [start, end] in code points, and the answer
// that stands there. All snippets of a test are needed.
func readLegalBench(files []File, names Names, _ *corpus.Corpus) *foreign {
	out := &foreign{Unit: coord.CodePoint}
	for _, f := range files {
		s := newSource(f, out)
		v := s.whole()
		if v == nil {
			continue
		}
		tests, _ := s.list(v, "tests")
		for _, t := range tests {
			out.questions++
			q := question{At: s.of(t), Question: golden.Question{QID: fmt.Sprintf("legalbench-rag-%04d", out.questions)}}
			var ok1, ok2 bool
			q.Text, ok1 = s.text(t, "query")
			snippets, ok2 := s.list(t, "snippets")
			var set []claim
			for _, sn := range snippets {
				c, ok := s.snippet(sn, names)
				ok2 = ok2 && ok
				set = append(set, c)
			}
			if ok1 && ok2 {
				q.Sets = [][]claim{set}
				out.Questions = append(out.Questions, q)
			}
		}
	}
	return out
}

func (s *source) snippet(v *jsonl.Value, names Names) (claim, bool) {
	file, ok1 := s.text(v, "file_path")
	pair, ok2 := s.list(v, "span")
	c := claim{Doc: names.doc(file), Offset: true, Quote: name(v.Get("answer")), At: s.of(v)}
	if !ok2 {
		return c, false
	}
	if len(pair) != 2 {
		s.wrong(v.Get("span"), "[start, end]")
		return c, false
	}
	var ok3, ok4 bool
	c.Start, ok3 = s.int(pair[0])
	c.End, ok4 = s.int(pair[1])
	return c, ok1 && ok3 && ok4
}
