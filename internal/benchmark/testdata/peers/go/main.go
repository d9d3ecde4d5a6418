// Command peers does what kerf does by modules of the Go proxy: peers WORK FILE...
// It prints {"cpu": seconds of the work alone, one pass, "count": what was made}.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/mapping"
	"github.com/pkoukk/tiktoken-go"
	loader "github.com/pkoukk/tiktoken-go-loader"
	"github.com/tiktoken-go/tokenizer"
	"github.com/tmc/langchaingo/textsplitter"
)

func cpu() float64 {
	var r syscall.Rusage
	check(syscall.Getrusage(syscall.RUSAGE_SELF, &r))
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func read(name string) string {
	b, err := os.ReadFile(name)
	check(err)
	return string(b)
}

func list(name string) (out []string) {
	check(json.Unmarshal([]byte(read(name)), &out))
	return out
}

// passes is one pass in CPU seconds, over passes of half a second together.
func passes(work func() int) {
	begun, n, count := cpu(), 0, 0
	for n == 0 || cpu()-begun < 0.5 {
		count = work()
		n++
	}
	fmt.Printf(`{"cpu":%g,"count":%d}`+"\n", (cpu()-begun)/float64(n), count)
}

func main() {
	switch os.Args[1] {
	case "lexical":
		chunks, questions := list(os.Args[2]), list(os.Args[3])
		begun := cpu()
		m := bleve.NewIndexMapping()
		m.ScoringModel = "bm25"
		text := bleve.NewTextFieldMapping()
		text.Store, text.IncludeInAll, text.IncludeTermVectors, text.DocValues = false, false, false, false
		m.DefaultMapping = &mapping.DocumentMapping{Enabled: true, Properties: map[string]*mapping.DocumentMapping{"text": {Enabled: true, Fields: []*mapping.FieldMapping{text}}}}
		index, err := bleve.NewMemOnly(m)
		check(err)
		batch := index.NewBatch()
		for i, c := range chunks {
			check(batch.Index(strconv.Itoa(i), map[string]string{"text": c}))
		}
		check(index.Batch(batch))
		hits := 0
		for _, q := range questions {
			query := bleve.NewMatchQuery(q)
			query.SetField("text")
			found, err := index.Search(bleve.NewSearchRequestOptions(query, 100, 0, false))
			check(err)
			hits += len(found.Hits)
		}
		fmt.Printf(`{"cpu":%g,"count":%d}`+"\n", cpu()-begun, hits)
	case "setup-tokenizer":
		text, begun := read(os.Args[2]), cpu()
		enc, err := tokenizer.Get(tokenizer.Cl100kBase)
		check(err)
		ids, _, err := enc.Encode(text)
		check(err)
		fmt.Printf(`{"cpu":%g,"count":%d}`+"\n", cpu()-begun, len(ids))
	case "setup-pkoukk":
		text, begun := read(os.Args[2]), cpu()
		tiktoken.SetBpeLoader(loader.NewOfflineLoader())
		enc, err := tiktoken.GetEncoding("cl100k_base")
		check(err)
		fmt.Printf(`{"cpu":%g,"count":%d}`+"\n", cpu()-begun, len(enc.EncodeOrdinary(text)))
	case "tokens-tokenizer":
		text := read(os.Args[2])
		enc, err := tokenizer.Get(tokenizer.Cl100kBase)
		check(err)
		passes(func() int {
			ids, _, err := enc.Encode(text)
			check(err)
			return len(ids)
		})
	case "tokens-pkoukk":
		text := read(os.Args[2])
		tiktoken.SetBpeLoader(loader.NewOfflineLoader())
		enc, err := tiktoken.GetEncoding("cl100k_base")
		check(err)
		passes(func() int { return len(enc.EncodeOrdinary(text)) })
	case "windows":
		text := read(os.Args[2])
		s := textsplitter.NewRecursiveCharacter(textsplitter.WithChunkSize(500), textsplitter.WithChunkOverlap(100))
		passes(func() int {
			chunks, err := s.SplitText(text)
			check(err)
			return len(chunks)
		})
	}
}
