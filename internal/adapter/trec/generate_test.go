package trec

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
)

var generateInto = flag.String("generate", "", "folder that TestGenerate writes a.run, a.qrels (10,000 x 100), b.run and b.qrels (1,000 x 1,000) into")

// generate makes a run and its qrels shaped like trec_eval's inputs: scores of
// six decimals that fall, three relevant documents a query, of which three in
// four are in the ranking, the upper ranks more often, and as many judged not
// relevant.
func generate(seed uint64, queries, depth int) (run, qrels []byte) {
	rng := rand.New(rand.NewPCG(seed, uint64(queries)))
	for q := range queries {
		qid := fmt.Sprintf("q%06d", q)
		docs, seen := make([]int, 0, depth+6), map[int]bool{}
		for len(docs) < depth+6 {
			if d := rng.IntN(200_000); !seen[d] {
				seen[d] = true
				docs = append(docs, d)
			}
		}
		judged := docs[depth:]
		for _, d := range judged {
			if at := int(float64(depth) * rng.Float64() * rng.Float64() * rng.Float64()); rng.IntN(4) > 0 && docs[at] != d {
				docs[at] = d
			}
		}
		score, at := 100.0, map[int]bool{}
		for rank, d := range docs[:depth] {
			if at[d] { // a judged document that was drawn over by none other than itself
				continue
			}
			at[d] = true
			score -= 0.000002 + rng.ExpFloat64()*2.5/float64(depth)
			run = fmt.Appendf(run, "%s Q0 d%07d %d %.6f gen\n", qid, d, rank+1, score)
		}
		for i, d := range judged {
			qrels = fmt.Appendf(qrels, "%s 0 d%07d %d\n", qid, d, (i+1)%2)
		}
	}
	return run, qrels
}

// TestGenerate writes the files of the speed table when asked to.
func TestGenerate(t *testing.T) {
	if *generateInto == "" {
		t.Skip("-generate names no folder")
	}
	for _, g := range []struct {
		name           string
		queries, depth int
	}{{"a", 10_000, 100}, {"b", 1_000, 1_000}} {
		run, qrels := generate(1, g.queries, g.depth)
		for kind, content := range map[string][]byte{"run": run, "qrels": qrels} {
			if err := os.WriteFile(filepath.Join(*generateInto, g.name+"."+kind), content, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// BenchmarkScore reads, checks and matches; the files are in memory.
func BenchmarkScore(b *testing.B) {
	for _, g := range [][2]int{{10_000, 100}, {1_000, 1_000}} {
		run, qrels := generate(1, g[0], g[1])
		b.Run(fmt.Sprintf("%dx%d", g[0], g[1]), func(b *testing.B) {
			for b.Loop() {
				q, more, _ := ReadQrels("qrels", bytes.NewReader(qrels))
				r, found, _ := ReadRun("run", bytes.NewReader(run), AsWritten, q)
				if found = append(append(found, more...), Check(r, q, Pairs(r, q))...); len(found) > 0 {
					b.Fatal(found)
				}
				n := 0
				for _, ranking := range r.Rankings {
					n += len(ranking.Found)
				}
				if n == 0 {
					b.Fatal("nothing is found")
				}
			}
		})
	}
}

// BenchmarkPlain reads the same by the plain reader, without matching and measures.
func BenchmarkPlain(b *testing.B) {
	run, qrels := generate(1, 1_000, 100)
	for _, f := range []struct {
		name, text string
		run        bool
	}{{"run", string(run), true}, {"qrels", string(qrels), false}} {
		b.Run(f.name+"/twin", func(b *testing.B) {
			b.SetBytes(int64(len(f.text)))
			for b.Loop() {
				readPlain(f.text, f.run, AsWritten)
			}
		})
	}
	b.Run("both", func(b *testing.B) {
		b.SetBytes(int64(len(run) + len(qrels)))
		for b.Loop() {
			q, _, _ := ReadQrels("qrels", bytes.NewReader(qrels))
			if _, _, err := ReadRun("run", bytes.NewReader(run), AsWritten, q); err != nil {
				b.Fatal(err)
			}
		}
	})
}
