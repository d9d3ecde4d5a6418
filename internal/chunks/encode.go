package chunks

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json/jsontext"

	"kerf/internal/corpus"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
)

// Encode is the table as a complete file: every chunk of content, from which the
// table was read without errors, with version, start and end in the table's
// unit and without its text, other keys kept. It is an error if the unit cannot
// name a place.
func (t *Table) Encode(content []byte, c *corpus.Corpus) ([]byte, error) {
	var b bytes.Buffer
	var err error
	maps := make([]*coord.Map, len(c.Documents))
	i := 0
	jsonl.EachLine(t.File, content, func(number int, raw []byte) {
		l, found := jsonl.Parse(t.File, number, raw)
		if len(found) > 0 || l.Value.Get("kerf") == nil && (i >= len(t.Chunks) || t.Chunks[i].Line != number) {
			panic("BUG: a table written from other content, or with errors")
		}
		if l.Value.Get("kerf") != nil {
			fmt.Fprintf(&b, `{"kerf":%s,"unit":%s`, quoted(Kind), quoted(string(t.Unit)))
			rest(&b, l.Value, headerKeys)
			return
		}
		chunk := t.Chunks[i]
		i++
		d := c.Documents[chunk.Doc]
		if maps[chunk.Doc] == nil {
			maps[chunk.Doc] = coord.New(d.Text)
		}
		start, err1 := maps[chunk.Doc].Offset(t.Unit, chunk.Start)
		end, err2 := maps[chunk.Doc].Offset(t.Unit, chunk.End)
		for _, e := range []error{err1, err2} {
			if e != nil && err == nil {
				err = fmt.Errorf("chunk %s of %s: %w; declare another unit", jsonl.Quote(chunk.ID), jsonl.Quote(d.Doc), e)
			}
		}
		fmt.Fprintf(&b, `{"doc":%s,"id":%s,"version":%s,"start":%d,"end":%d`, quoted(d.Doc), quoted(chunk.ID), quoted(d.Version.Version), start, end)
		if chunk.Prefix != "" {
			fmt.Fprintf(&b, `,"prefix":%s`, quoted(chunk.Prefix))
		}
		rest(&b, l.Value, chunkKeys)
	})
	return b.Bytes(), err
}

// rest ends an object with the members that are not known.
func rest(b *bytes.Buffer, v *jsonl.Value, known []string) {
	for _, m := range v.Members {
		if !slices.Contains(known, m.Name) {
			fmt.Fprintf(b, ",%s:%s", quoted(m.Name), source(m.Value))
		}
	}
	b.WriteString("}\n")
}

// quoted is s as a JSON string.
func quoted(s string) string {
	b, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic(fmt.Sprintf("BUG: text that is not UTF-8: %q", s))
	}
	return string(b)
}
