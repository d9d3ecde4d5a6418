package export

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/text/span"
)

// context is how many code points around a quote are written, and more where
// these do not tell it from every other place of the text.
const context = 32

// annotation is a Web Annotation (W3C Recommendation of 2017).
type annotation struct {
	Context    string   `json:"@context"`
	ID         string   `json:"id"`
	Type       string   `json:"type"`
	Motivation string   `json:"motivation"`
	Body       body     `json:"body"`
	Target     []target `json:"target"`
}

type body struct {
	Type  string `json:"type"`
	Value string `json:"value"`
}

type target struct {
	Type     string `json:"type"`
	Source   string `json:"source"`
	State    state  `json:"state"`
	Selector [2]any `json:"selector"` // a quote and a position, which select the same
}

type state struct {
	Type  string `json:"type"`
	Value string `json:"value"` // the version: sha256:…
}

type quoteSelector struct {
	Type   string `json:"type"`
	Exact  string `json:"exact"`
	Prefix string `json:"prefix"`
	Suffix string `json:"suffix"`
}

type positionSelector struct {
	Type  string `json:"type"`
	Start int    `json:"start"` // code points
	End   int    `json:"end"`
}

// W3C is one annotation a line for each support set: the body is the question, the
// targets are the set's spans. Its id is the qid, of a second alternative QID#2.
// Unplaced counts the questions without an annotation: unanswerable ones, and
// those with a span that has no place.
func W3C(questions []*golden.Question, c *corpus.Corpus) (lines []byte, unplaced int) {
	var b bytes.Buffer
	for _, q := range questions {
		written := 0
		for i, set := range q.Support {
			a := annotation{Context: "http://www.w3.org/ns/anno.jsonld", ID: q.QID, Type: "Annotation", Motivation: "questioning", Body: body{"TextualBody", q.Text}}
			if i > 0 {
				a.ID = fmt.Sprintf("%s#%d", q.QID, i+1)
			}
			for _, s := range set {
				if d := c.Find(s.Doc); d != nil && !s.Bytes.Empty() {
					a.Target = append(a.Target, newTarget(d, s.Bytes))
				}
			}
			if len(a.Target) == len(set) {
				written++
				b.Write(line(a))
			}
		}
		if written == 0 {
			unplaced++
		}
	}
	return b.Bytes(), unplaced
}

func newTarget(d *corpus.Document, s span.Span) target {
	prefix, suffix := surroundings(d.Text, s)
	start := utf8.RuneCountInString(d.Text[:s.Start])
	exact := d.Text[s.Start:s.End]
	return target{Type: "SpecificResource", Source: d.Doc, State: state{"State", d.Version.Version}, Selector: [2]any{
		quoteSelector{"TextQuoteSelector", exact, prefix, suffix},
		positionSelector{"TextPositionSelector", start, start + utf8.RuneCountInString(exact)},
	}}
}

// surroundings are the texts before and after s that, together with it, stand
// once in the text.
func surroundings(text string, s span.Span) (prefix, suffix string) {
	for n := context; ; n *= 2 {
		start, end := s.Start, s.End
		for range n {
			_, before := utf8.DecodeLastRuneInString(text[:start])
			_, after := utf8.DecodeRuneInString(text[end:])
			start, end = start-before, end+after
		}
		whole := text[start:end]
		if first := strings.Index(text, whole); first == strings.LastIndex(text, whole) {
			return text[start:s.Start], text[s.End:end]
		}
	}
}
