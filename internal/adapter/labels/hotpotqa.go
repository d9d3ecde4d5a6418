package labels

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
)

// readHotpotQA reads HotpotQA's questions: context is a list of [title, sentences],
// supporting_facts a list of [title, index of the sentence]; both may also be an
// object of columns (title, sentences and title, sent_id). A document is a title
// with its sentences joined as they are. All supporting facts are needed; the
// blanks around a sentence are left out of its span.
func readHotpotQA(files []File, names Names, _ *corpus.Corpus) *foreign {
	out := &foreign{Unit: coord.CodePoint}
	known := map[[2]string]string{} // title and text -> document
	taken := map[string]bool{}
	for _, f := range files {
		s := newSource(f, out)
		for _, v := range s.rows() {
			out.questions++
			q := question{At: s.of(v)}
			var ok bool
			if q.Text, ok = s.text(v, "question"); !ok {
				continue
			}
			q.Answer = golden.Answer{Text: name(v.Get("answer"))}
			q.QID = name(v.Get("_id"))
			if q.QID == "" {
				q.QID = name(v.Get("id"))
			}
			if q.QID == "" {
				q.QID = fmt.Sprintf("hotpotqa-%04d", out.questions)
			}
			paragraphs := map[string]paragraph{}
			context, ok1 := s.pairs(v, "context", "title", "sentences")
			facts, ok2 := s.pairs(v, "supporting_facts", "title", "sent_id")
			for _, c := range context {
				p, ok := s.paragraph(c)
				if ok1 = ok1 && ok; !ok {
					continue
				}
				key := [2]string{c[0].Text, p.text}
				if known[key] == "" {
					id := names.doc(c[0].Text)
					for n := 2; taken[id]; n++ {
						id = fmt.Sprintf("%s~%d", names.doc(c[0].Text), n)
					}
					known[key], taken[id] = id, true
					out.Documents = append(out.Documents, document{Doc: id, Text: p.text, At: s.of(c[0])})
				}
				p.doc = known[key]
				paragraphs[c[0].Text] = p
			}
			var set []claim
			for _, fact := range facts {
				c, ok := s.fact(fact, paragraphs)
				ok2 = ok2 && ok
				set = append(set, c)
			}
			if !ok1 || !ok2 {
				continue
			}
			q.Sets = [][]claim{set}
			out.Questions = append(out.Questions, q)
		}
	}
	return out
}

// pairs are the rows of a table that is written as a list of pairs or as an
// object of two columns.
func (s *source) pairs(v *jsonl.Value, field, left, right string) ([][2]*jsonl.Value, bool) {
	t := s.get(v, field, jsonl.Array, jsonl.Object)
	if t == nil {
		return nil, false
	}
	var pairs [][2]*jsonl.Value
	if t.Kind == jsonl.Object {
		a, ok1 := s.list(t, left)
		b, ok2 := s.list(t, right)
		if !ok1 || !ok2 {
			return nil, false
		}
		if len(a) != len(b) {
			s.wrong(t, fmt.Sprintf("as many of %s as of %s", left, right))
			return nil, false
		}
		for i := range a {
			pairs = append(pairs, [2]*jsonl.Value{a[i], b[i]})
		}
		return pairs, s.titled(pairs)
	}
	for _, e := range t.Elems {
		if e.Kind != jsonl.Array || len(e.Elems) != 2 {
			s.wrong(e, fmt.Sprintf("[%s, %s]", left, right))
			return nil, false
		}
		pairs = append(pairs, [2]*jsonl.Value{e.Elems[0], e.Elems[1]})
	}
	return pairs, s.titled(pairs)
}

func (s *source) titled(pairs [][2]*jsonl.Value) bool {
	for _, p := range pairs {
		if p[0].Kind != jsonl.String {
			s.wrong(p[0], "a title")
			return false
		}
	}
	return true
}

// paragraph is the sentences of a title as one text.
type paragraph struct {
	doc, text string
	sentences []string
	starts    []int // of each sentence, in code points
}

func (s *source) paragraph(pair [2]*jsonl.Value) (p paragraph, ok bool) {
	if pair[1].Kind != jsonl.Array {
		s.wrong(pair[1], "a list of sentences")
		return p, false
	}
	at := 0
	for _, e := range pair[1].Elems {
		if e.Kind != jsonl.String {
			s.wrong(e, "a sentence")
			return p, false
		}
		p.text += e.Text
		p.sentences, p.starts = append(p.sentences, e.Text), append(p.starts, at)
		at += utf8.RuneCountInString(e.Text)
	}
	return p, true
}

func (s *source) fact(pair [2]*jsonl.Value, paragraphs map[string]paragraph) (claim, bool) {
	n, ok := s.int(pair[1])
	if !ok {
		return claim{}, false
	}
	p, there := paragraphs[pair[0].Text]
	if !there || n < 0 || n >= len(p.sentences) {
		f := finding.Finding{Code: CodeNoTarget, Message: "a supporting fact names a sentence that the context does not hold",
			Expected: "a title of the context, and the number of one of its sentences from 0", Found: fmt.Sprintf("%s sentence %d", jsonl.Quote(pair[0].Text), n)}
		if there {
			f.Hint = fmt.Sprintf("the context has %d sentences of it", len(p.sentences))
		}
		s.add(s.of(pair[0]), f)
		return claim{}, false
	}
	sentence := p.sentences[n]
	text := strings.TrimSpace(sentence)
	start := p.starts[n] + utf8.RuneCountInString(sentence[:len(sentence)-len(strings.TrimLeft(sentence, " \t\r\n"))])
	if text == "" || !strings.HasPrefix(strings.TrimLeft(sentence, " \t\r\n"), text) {
		text, start = sentence, p.starts[n]
	}
	return claim{Doc: p.doc, Start: start, End: start + utf8.RuneCountInString(text), Offset: true, Quote: text, At: s.of(pair[0])}, true
}
