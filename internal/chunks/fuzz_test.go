package chunks

import (
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
)

// again reads what a table was written as.
func again(t *testing.T, table *Table, content []byte, c *corpus.Corpus) {
	t.Helper()
	back, found := Read("t", content, c)
	if found.Errors() > 0 || back.Verified != len(table.Chunks) || !slices.EqualFunc(back.Chunks, table.Chunks, func(a, b Chunk) bool {
		a.Line = b.Line // empty lines are not written
		return a == b
	}) {
		t.Fatalf("%s\nreads back as %+v, want %+v\n%v", content, back, table, found)
	}
}

// FuzzRead: whatever stands in a file, every chunk of the table has a place in a
// document, its text is there, and a table without errors reads back as written.
func FuzzRead(f *testing.F) {
	c := documents("d", "é one\n\ntwo  one x", "e", "")
	f.Add(header("byte") + texts("d", "é one", "two one"))
	f.Add(header("codepoint") + `{"id":"a","doc":"d","start":0,"end":5,"text":"é one"}`)
	f.Add(header("token:words") + `{"id":"a","doc":"d","start":0,"end":2,"prefix":"p","more":[1]}`)
	f.Add(texts("d", "one", "one", "zzz") + `{"id":"12","doc":"f","version":"sha256:00000000"}`)
	f.Fuzz(func(t *testing.T, content string) {
		table, found := Read("t", []byte(content), c)
		for _, chunk := range table.Chunks {
			d := c.Documents[chunk.Doc]
			if chunk.Start < 0 || chunk.End <= chunk.Start || chunk.End > len(d.Text) || chunk.ID == "" {
				t.Fatalf("%+v", chunk)
			}
			if got, ok := table.Find(chunk.ID); !ok || got != chunk {
				t.Fatalf("%+v is not found: %+v", chunk, got)
			}
		}
		if placed := table.Verified + table.Exact + table.Folded; placed != len(table.Chunks) {
			t.Fatalf("%d placed, %d chunks", placed, len(table.Chunks))
		}
		if found.Errors() > 0 {
			return
		}
		if table.Lines != len(table.Chunks) || len(table.Open) > 0 || !strings.Contains(content, "chunks/1") {
			t.Fatalf("no errors, and %+v", table)
		}
		if out, err := table.Encode([]byte(content), c); err == nil {
			again(t, table, out, c)
		}
	})
}
