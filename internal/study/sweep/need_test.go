package sweep

import (
	"testing"

	"kerf/internal/chunks"
	"kerf/internal/rankings"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
)

// TestNeed: the arm with the most chunks tells what a core needs, whoever cut them,
// also before any of its cells has run.
func TestNeed(t *testing.T) {
	windows := plan.Arm{Name: "windows", Split: plan.Split{By: "tokens", Tokenizer: "codepoints", Size: 10}, Retrieve: plan.Retrieve{By: "bm25"}}
	table := plan.Arm{Name: "table", Split: plan.Split{By: "table"}, Retrieve: plan.Retrieve{By: "bm25"}}
	ranked := plan.Arm{Name: "ranked", Rankings: "r"}
	s := three(t)
	var cut chunks.Table
	var list rankings.Ranking
	for i := range 20 {
		at := span.Span{Start: i, End: i + 1}
		cut.Chunks = append(cut.Chunks, chunks.Chunk{Doc: 1, Span: at})
		if i < 12 {
			list.Hits = append(list.Hits, rankings.Hit{Doc: 1, Span: at}, rankings.Hit{Doc: 1, Span: at}) // twice, one chunk
		}
	}
	file := &rankings.File{}
	file.Add(list)
	s.Bring(table, Foreign{Table: &cut})
	s.Bring(ranked, Foreign{Rankings: file})
	for _, c := range []struct {
		cells  []Cell
		chunks int
	}{{nil, 0}, {[]Cell{{Arm: windows}}, 9}, {[]Cell{{Arm: windows}, {Arm: ranked}, {Arm: windows}}, 12}, {[]Cell{{Arm: ranked}, {Arm: table}}, 20}} {
		bytes, got, err := s.Need(c.cells)
		if err != nil || got != c.chunks || bytes != bytesCore+int64(c.chunks)*bytesChunk {
			t.Errorf("%d cells: %d chunks, %d bytes, %v; want %d chunks", len(c.cells), got, bytes, err, c.chunks)
		}
	}
}
