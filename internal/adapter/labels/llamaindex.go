package labels

import (
	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
)

// readLlamaIndex reads what SimpleDocumentStore.persist writes: docstore/data of
// nodes under their ids. A node of class Document is a document; every other one
// is a chunk of its source (relationship 1, else ref_doc_id of docstore/metadata),
// with start_char_idx and end_char_idx in code points. A source that is not in
// the file is looked for in the corpus: its id, its file_path, its file_name.
func readLlamaIndex(files []File, names Names, c *corpus.Corpus) *foreign {
	out := &foreign{Unit: coord.CodePoint}
	for _, f := range files {
		s := newSource(f, out)
		v := s.whole()
		if v == nil {
			continue
		}
		nodes := s.get(v, "docstore/data", jsonl.Object)
		if nodes == nil {
			continue
		}
		inside := map[string]bool{}
		for _, m := range nodes.Members {
			data := m.Value.Get("__data__")
			if data == nil || name(data.Get("class_name")) != "Document" && name(m.Value.Get("__type__")) != "4" {
				continue
			}
			text := data.Get("text")
			if text == nil {
				text = data.Get("text_resource").Get("text")
			}
			if text == nil || text.Kind != jsonl.String {
				s.wrong(data, "a document with text")
				continue
			}
			inside[m.Name] = true
			out.Documents = append(out.Documents, document{Doc: m.Name, Text: text.Text, Source: name(data.Get("metadata").Get("file_path")), At: s.of(data)})
		}
		for _, m := range nodes.Members {
			if inside[m.Name] || name(m.Value.Get("__type__")) == "4" {
				continue
			}
			out.chunks++
			data := s.get(m.Value, "__data__", jsonl.Object)
			if data == nil {
				continue
			}
			ch := chunk{ID: m.Name, claim: claim{At: s.of(data)}}
			var ok bool
			if ch.Quote, ok = s.text(data, "text"); !ok {
				continue
			}
			source := name(data.Get("relationships").Get("1").Get("node_id"))
			if source == "" {
				source = name(v.Get("docstore/metadata").Get(m.Name).Get("ref_doc_id"))
			}
			if source == "" {
				s.add(ch.At, finding.Finding{Code: CodeForm, Message: "a node without a source document", Expected: `relationships "1", or ref_doc_id`, Found: m.Name})
				continue
			}
			ch.Doc = source
			if !inside[source] {
				ch.Doc = names.there(c, source, name(data.Get("metadata").Get("file_path")), name(data.Get("metadata").Get("file_name")))
			}
			if s.offsets(&ch.claim, data.Get("start_char_idx"), data.Get("end_char_idx")) {
				out.Chunks = append(out.Chunks, ch)
			}
		}
	}
	return out
}

// there is the first of these foreign names that leads to a document of the
// corpus, else the first.
func (n Names) there(c *corpus.Corpus, foreign ...string) string {
	for _, f := range foreign {
		if c.Find(n.doc(f)) != nil {
			return n.doc(f)
		}
	}
	return n.doc(foreign[0])
}

// offsets are the start and end of a chunk, where both are there and not null.
func (s *source) offsets(c *claim, start, end *jsonl.Value) bool {
	if absent(start) || absent(end) {
		return true
	}
	var ok1, ok2 bool
	c.Start, ok1 = s.int(start)
	c.End, ok2 = s.int(end)
	c.Offset = true
	return ok1 && ok2
}

func absent(v *jsonl.Value) bool { return v == nil || v.Kind == jsonl.Null }
