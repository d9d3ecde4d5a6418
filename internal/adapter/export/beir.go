package export

import (
	"bytes"
	"fmt"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/golden"
)

// BEIR is a set of documents, queries and judgements: the three files of a BEIR
// folder by name. A document is relevant to a question where some support set has
// a span in it; which words those are has no place in BEIR. Unlabelled are the
// questions without any judgement.
func BEIR(questions []*golden.Question, c *corpus.Corpus) (files map[string][]byte, unlabelled int, err error) {
	var documents, queries, qrels bytes.Buffer
	for _, d := range c.Documents {
		documents.Write(line(struct {
			ID    string `json:"_id"`
			Title string `json:"title"`
			Text  string `json:"text"`
		}{d.Doc, "", d.Text}))
	}
	qrels.WriteString("query-id\tcorpus-id\tscore\n")
	for _, q := range questions {
		queries.Write(line(struct {
			ID   string `json:"_id"`
			Text string `json:"text"`
		}{q.QID, q.Text}))
		judged := map[string]bool{}
		for _, set := range q.Support {
			for _, s := range set {
				if judged[s.Doc] {
					continue
				}
				judged[s.Doc] = true
				if strings.ContainsAny(q.QID+s.Doc, "\t\r\n") {
					return nil, 0, fmt.Errorf("question %q, document %q: a tab or the end of a line in a name, which test.tsv cannot hold", q.QID, s.Doc)
				}
				fmt.Fprintf(&qrels, "%s\t%s\t1\n", q.QID, s.Doc)
			}
		}
		if len(judged) == 0 {
			unlabelled++
		}
	}
	return map[string][]byte{"corpus.jsonl": documents.Bytes(), "queries.jsonl": queries.Bytes(), "qrels/test.tsv": qrels.Bytes()}, unlabelled, nil
}
