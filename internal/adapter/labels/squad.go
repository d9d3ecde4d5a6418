package labels

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

// paragraphBreak joins the paragraphs of an article.
const paragraphBreak = "\n\n"

// readSQuAD reads SQuAD 1.1 and 2.0: data of title and paragraphs, each of context
// and qas; answer_start counts code points of the context. An article is one
// document, its paragraphs joined by an empty line, and offsets move by what
// stands before their paragraph. Each answer is an alternative; a question with
// is_impossible is unanswerable within its article.
func readSQuAD(files []File, names Names, _ *corpus.Corpus) *foreign {
	out := &foreign{Unit: coord.CodePoint}
	for _, f := range files {
		s := newSource(f, out)
		v := s.whole()
		if v == nil {
			continue
		}
		articles, _ := s.list(v, "data")
		for i, a := range articles {
			title := name(a.Get("title"))
			if title == "" {
				title = fmt.Sprintf("article-%d", i+1)
			}
			s.article(a, out.free(names.doc(title)))
		}
	}
	return out
}

// free is id, or where that is taken, id with the first free number behind it.
func (f *foreign) free(id string) string {
	taken := func(id string) bool {
		for _, d := range f.Documents {
			if d.Doc == id {
				return true
			}
		}
		return false
	}
	for try, n := id, 2; ; n++ {
		if !taken(try) {
			return try
		}
		try = fmt.Sprintf("%s~%d", id, n)
	}
}

func (s *source) article(a *jsonl.Value, doc string) {
	paragraphs, _ := s.list(a, "paragraphs")
	var text strings.Builder
	before := 0 // code points
	for _, p := range paragraphs {
		context, ok := s.text(p, "context")
		qas, ok2 := s.list(p, "qas")
		if !ok || !ok2 {
			s.out.questions += len(qas)
			continue
		}
		if text.Len() > 0 {
			text.WriteString(paragraphBreak)
			before += len(paragraphBreak)
		}
		text.WriteString(context)
		for _, qa := range qas {
			s.out.questions++
			if q, ok := s.qa(qa, doc, span.Span{Start: before, End: before + utf8.RuneCountInString(context)}); ok {
				s.out.Questions = append(s.out.Questions, q)
			}
		}
		before += utf8.RuneCountInString(context)
	}
	s.out.Documents = append(s.out.Documents, document{Doc: doc, Text: text.String(), At: s.of(a)})
}

// qa is one question about a paragraph, which stands at these code points.
func (s *source) qa(v *jsonl.Value, doc string, paragraph span.Span) (question, bool) {
	q := question{At: s.of(v)}
	var ok1, ok2 bool
	q.QID, ok1 = s.text(v, "id")
	q.Text, ok2 = s.text(v, "question")
	if !ok1 || !ok2 {
		return q, false
	}
	if no := v.Get("is_impossible"); no != nil && no.Kind == jsonl.Bool && no.Bool {
		q.Unanswerable, q.Within = true, []string{doc}
		return q, true
	}
	answers, ok := s.list(v, "answers")
	for i, a := range answers {
		text, ok1 := s.text(a, "text")
		at := s.get(a, "answer_start", jsonl.Number)
		if !ok1 || at == nil {
			return q, false
		}
		start, ok2 := s.int(at)
		if !ok2 {
			return q, false
		}
		if i == 0 {
			q.Answer = golden.Answer{Text: text}
		}
		c := claim{Doc: doc, Start: paragraph.Start + start, End: paragraph.Start + start + utf8.RuneCountInString(text), Offset: true, Part: paragraph, Quote: text, At: s.of(a)}
		if paragraph.Start > 0 {
			c.Note = fmt.Sprintf("answer_start counts from %d, where the paragraph begins", paragraph.Start)
		}
		q.Sets = append(q.Sets, []claim{c})
	}
	return q, ok
}
