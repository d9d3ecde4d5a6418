package rankings

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"

	"kerf/internal/jsonl"
	"kerf/internal/text/span"
)

// FuzzRead: whatever the bytes, nothing panics, and without an error every hit is
// the text that its line says.
func FuzzRead(f *testing.F) {
	c := manuals()
	f.Add([]byte(header(c)+`{"qid":"q1","hits":[{"doc":"accents","start":1,"end":4,"text":"é漢𝄞"}]}`), false)
	f.Add([]byte(`{"kerf":"rankings/1"}`+"\n"+`{"qid":"q1","hits":[{"doc":"manual-v1","text":"B\u0042BB"}]}`), true)
	f.Add([]byte(`{"kerf":"rankings/1"}`+"\n"+`{"qid":"q1","hits":[{"id":"a"},{"id":"b","score":-1e3}]}`), false)
	f.Add([]byte(header(c)+`{"qid":"q1","hits":[{"doc":null,"start":-1,"end":99999999999999999999},[],{}]} {`), false)
	f.Fuzz(func(t *testing.T, content []byte, locate bool) {
		file, found := Read("r.jsonl", content, c, nil, locate)
		if found.Errors() > 0 {
			return
		}
		for _, r := range file.Rankings {
			seen := map[string]bool{}
			for _, h := range r.Hits {
				key := fmt.Sprint(h.Doc, h.Version, h.Span, h.ID)
				if seen[key] && !h.Older() {
					t.Fatalf("twice: %+v", h)
				}
				seen[key] = true
				switch {
				case h.ByID():
					if !file.ByID || h.ID == "" || h.Doc != -1 || h.Span != (span.Span{}) {
						t.Fatalf("%+v", h)
					}
				case h.Older():
				default:
					if d := c.Documents[h.Doc]; file.ByID || d.Doc != h.DocID || d.Version.Version != h.Version || h.Start < 0 || h.Start >= h.End || h.End > len(d.Text) {
						t.Fatalf("%+v", h)
					}
				}
			}
		}
	})
}

// plainRow reads a line through values with places; ok is false where that finds
// something wrong with it.
func plainRow(raw []byte) (qid, failure string, hits []mention, ok bool) {
	l, found := jsonl.Parse("r.jsonl", 2, raw)
	if len(found) > 0 || l.Value.Kind != jsonl.Object {
		return "", "", nil, false
	}
	ok = true
	text := func(v *jsonl.Value) string {
		if v == nil || v.Kind == jsonl.Null {
			return ""
		}
		ok = ok && v.Kind == jsonl.String
		return v.Text
	}
	qid, failure = text(l.Value.Get("qid")), text(l.Value.Get("error"))
	list := l.Value.Get("hits")
	if list == nil || list.Kind == jsonl.Null {
		return qid, failure, nil, ok
	}
	ok = ok && list.Kind == jsonl.Array
	for _, v := range list.Elems {
		ok = ok && v.Kind == jsonl.Object
		m := mention{at: v.At}
		for f, name := range []string{"doc", "version", "id", "text", "prefix", "start", "end", "score"} {
			w := v.Get(name)
			if w == nil || w.Kind == jsonl.Null {
				continue
			}
			m.is[f] = w.At
			switch field(f) {
			case startField, endField:
				n, whole := w.Int()
				ok = ok && whole
				if field(f) == startField {
					m.start = n
				} else {
					m.end = n
				}
			case scoreField:
				score, err := strconv.ParseFloat(w.Text, 64)
				ok = ok && w.Kind == jsonl.Number && err == nil && !math.IsNaN(score)
				m.score = score
			default:
				m.text[f] = []byte(text(w))
			}
		}
		hits = append(hits, m)
	}
	return qid, failure, hits, ok
}

// FuzzRow: the quick reader of lines and the plain one agree.
func FuzzRow(f *testing.F) {
	for _, s := range []string{`{"qid":"q1","hits":[{"doc":"a","start":1,"end":4,"text":"é漢𝄞","score":1e-3}]}`, `{"q\u0069d":"q\n","hits":[{"\u0064oc":"\ud834\udd1e"},{}],"more":{"a":[1,{"b":2}]}}`,
		`{"qid":null,"error":"x","hits":null}`, `{"qid":"a","qid":"b"}`, `{"hits":[{"doc":"a","doc":"b"}]}`, `{"hits":[{"start":1.0},{"start":-0},{"start":"1"}]}`, ` { "hits" : [ { } , 1 ] } `, `[]`, `{"qid":"\ud800"}`, "{\"qid\":\"\xff\"}", `{"error":{}} `, `{} {}`} {
		f.Add([]byte(s))
	}
	var d decoder // used again, so that nothing of the line before is left
	f.Fuzz(func(t *testing.T, raw []byte) {
		if bytes.ContainsAny(raw, "\n") {
			return
		}
		qid, failure, hits, ok := plainRow(raw)
		row, found := d.read("r.jsonl", 2, raw)
		if ok != (len(found) == 0) || !ok && row == nil && len(found) == 0 {
			t.Fatalf("plain: sound %v; quick: %v", ok, found)
		}
		if !ok {
			return
		}
		if row.qid != qid || row.failure != failure || fmt.Sprint(row.hits) != fmt.Sprint(hits) {
			t.Fatalf("quick %q %q %+v\nplain %q %q %+v", row.qid, row.failure, row.hits, qid, failure, hits)
		}
	})
}

// BenchmarkRead is a file of questions x 100 hits over 50 documents. Its time is
// stated in docs/format/rankings.md for 10,000 questions.
func BenchmarkRead(b *testing.B) {
	var docs []string
	for i := range 50 {
		docs = append(docs, fmt.Sprintf("doc-%02d.md", i), strings.Repeat(fmt.Sprintf("Paragraph %d says é. ", i), 2200))
	}
	c := library(docs...)
	var file bytes.Buffer
	file.WriteString(header(c))
	for q := range 1000 {
		fmt.Fprintf(&file, `{"qid":"q-%05d","hits":[`, q)
		for i := range 100 {
			if i > 0 {
				file.WriteByte(',')
			}
			d := c.Documents[(q+i)%50]
			fmt.Fprintf(&file, `{"doc":"%s","version":"%s","start":%d,"end":%d,"score":%.4f,"id":"c%d"}`, d.Doc, d.Version.Version, i*400, i*400+400, 20-float64(i)/7, i)
		}
		file.WriteString("]}\n")
	}
	b.SetBytes(int64(file.Len()))
	b.ReportAllocs()
	for b.Loop() {
		if _, found := Read("r.jsonl", file.Bytes(), c, nil, false); len(found) > 0 {
			b.Fatal(found)
		}
	}
}
