package labels

import (
	"bytes"
	"fmt"
	"path"
	"strconv"
	"unicode/utf8"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/text/coord"
)

// readBEIR reads a set of BEIR: corpus.jsonl (_id, title, text), queries.jsonl
// (_id, text) and one qrels file (query-id, corpus-id, score, with a header). A
// document's text is its title, an empty line and its text. Each document of a
// score above 0 is, as a whole, an alternative: any one is enough. How relevant
// it is has no place in golden/1; `kerf score --qrels` keeps it.
func readBEIR(files []File, names Names, _ *corpus.Corpus) *foreign {
	out := &foreign{Unit: coord.CodePoint}
	texts := map[string]document{} // by _id
	questions := map[string]*question{}
	var order []string
	for _, f := range files {
		s := newSource(f, out)
		switch path.Base(f.Name) {
		case "corpus.jsonl":
			for _, v := range s.rows() {
				id, ok1 := s.text(v, "_id")
				text, ok2 := s.text(v, "text")
				if !ok1 || !ok2 {
					continue
				}
				if title := name(v.Get("title")); title != "" {
					text = title + paragraphBreak + text
				}
				d := document{Doc: names.doc(id), Text: text, At: s.of(v)}
				if _, twice := texts[id]; twice {
					s.add(d.At, finding.Finding{Code: CodeTwice, Message: "an _id that stands twice", Expected: "every document once", Found: id})
					continue
				}
				texts[id] = d
				out.Documents = append(out.Documents, d)
			}
		case "queries.jsonl":
			for _, v := range s.rows() {
				id, ok1 := s.text(v, "_id")
				text, ok2 := s.text(v, "text")
				if !ok1 || !ok2 {
					continue
				}
				if questions[id] != nil {
					s.add(s.of(v), finding.Finding{Code: CodeTwice, Message: "an _id that stands twice", Expected: "every query once", Found: id})
					continue
				}
				questions[id] = &question{At: s.of(v), Question: golden.Question{QID: id, Text: text}}
				order = append(order, id)
			}
		default:
			s.qrels(questions, texts)
		}
	}
	for _, id := range order {
		if q := questions[id]; q.Sets != nil {
			out.questions++
			out.Questions = append(out.Questions, *q)
		} else {
			out.skip("queries without a relevant document in these qrels")
		}
	}
	return out
}

func (s *source) qrels(questions map[string]*question, texts map[string]document) {
	for i, line := range bytes.Split(s.Content, []byte("\n")) {
		cells := bytes.Split(bytes.TrimRight(line, "\r"), []byte("\t"))
		at := place{s.Name, i + 1, 1}
		if len(bytes.TrimSpace(line)) == 0 || i == 0 && string(cells[0]) == "query-id" {
			continue
		}
		score, err := 0, error(nil)
		if len(cells) == 3 {
			score, err = strconv.Atoi(string(cells[2]))
		}
		if len(cells) != 3 || err != nil {
			s.add(at, finding.Finding{Code: CodeForm, Message: "not a judgement", Expected: "query-id, corpus-id and a whole number, with tabs between them", Found: fmt.Sprintf("%.80q", line)})
			continue
		}
		q, d := questions[string(cells[0])], texts[string(cells[1])]
		switch {
		case q == nil:
			s.add(at, finding.Finding{Code: CodeNoTarget, Message: "a judgement of a query that queries.jsonl does not hold", Found: string(cells[0])})
		case d.Doc == "":
			s.add(at, finding.Finding{Code: CodeNoTarget, Message: "a judgement of a document that corpus.jsonl does not hold", Found: string(cells[1])})
		case score <= 0:
			s.out.skip("judgements that say not relevant")
		default:
			q.Sets = append(q.Sets, []claim{{Doc: d.Doc, Start: 0, End: utf8.RuneCountInString(d.Text), Offset: true, Quote: d.Text, At: at}})
		}
	}
}
