package labels

import (
	"fmt"
	"unicode/utf8"

	"kerf/internal/corpus"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
)

// readLangChain reads LangChain's Documents, a list or one a line, plain
// ({page_content, metadata}) or as its own dumps writes them. A Document is a
// chunk of metadata.source, with metadata.start_index in code points (-1 where its
// splitter did not find it, which is refused). One without
// an id is named after its document and its number there, from 0.
func readLangChain(files []File, names Names, _ *corpus.Corpus) *foreign {
	out := &foreign{Unit: coord.CodePoint}
	count := map[string]int{}
	for _, f := range files {
		s := newSource(f, out)
		for _, v := range s.rows() {
			out.chunks++
			at := s.of(v)
			if k := v.Get("kwargs"); k != nil && v.Get("lc") != nil {
				v = k
			}
			text, ok1 := s.text(v, "page_content")
			metadata := s.get(v, "metadata", jsonl.Object)
			if !ok1 || metadata == nil {
				continue
			}
			source, ok2 := s.text(metadata, "source")
			if !ok2 {
				continue
			}
			ch := chunk{ID: name(v.Get("id")), claim: claim{Doc: names.doc(source), Quote: text, At: at}}
			if ch.ID == "" {
				ch.ID = fmt.Sprintf("%s#%d", ch.Doc, count[ch.Doc])
			}
			count[ch.Doc]++
			if start := metadata.Get("start_index"); !absent(start) {
				var ok bool
				if ch.Start, ok = s.int(start); !ok {
					continue
				}
				ch.End, ch.Offset = ch.Start+utf8.RuneCountInString(text), true
			}
			out.Chunks = append(out.Chunks, ch)
		}
	}
	return out
}
