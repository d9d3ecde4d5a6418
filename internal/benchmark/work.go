//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"syscall"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/pipeline/split"
	"kerf/internal/study/plan"
	"kerf/internal/study/sweep"
	"kerf/internal/text/token"
)

// work does one piece of work and prints how long it took: `benchmark work WORK
// FILE...`, as the peers do.
func work(args []string) error {
	if len(args) < 2 {
		return errors.New("usage: benchmark work lexical, setup, tokens, windows, spans, bootstrap or worst, and its files")
	}
	var m made
	var err error
	switch args[0] {
	case "lexical":
		m, err = lexical(args[1], args[2])
	case "spans":
		m, err = spans(args[1])
	case "bootstrap":
		m, err = bootstrap(args[1], args[2])
	case "worst":
		m, err = worst(args[1])
	case "setup", "tokens", "windows":
		var text []byte
		if text, err = os.ReadFile(args[1]); err != nil {
			return err
		}
		m, err = map[string]func(string) (made, error){"setup": setup, "tokens": tokens, "windows": windows}[args[0]](string(text))
	default:
		err = fmt.Errorf("no work %s", args[0])
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(m)
}

// cpu is the seconds that all threads of this process have had, user and system.
func cpu() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("BUG: " + err.Error())
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// passes is one pass of work, over passes of half a second together.
func passes(work func() any) (m made) {
	begun, n := cpu(), 0
	for n == 0 || cpu()-begun < 0.5 {
		m.Count = work()
		n++
	}
	m.CPU = (cpu() - begun) / float64(n)
	return m
}

// lexical indexes chunks, each a document of its own, and asks every question for
// 100 hits.
func lexical(chunks, questions string) (m made, err error) {
	var texts, asked []string
	for file, to := range map[string]*[]string{chunks: &texts, questions: &asked} {
		content, err := os.ReadFile(file)
		if err == nil {
			err = json.Unmarshal(content, to)
		}
		if err != nil {
			return m, err
		}
	}
	e := plan.Default()
	e.Budget.Tokenizer, e.Depth = "codepoints", 100
	arm := plan.Arm{Name: "whole", Split: plan.Split{By: "tokens", Tokenizer: "codepoints", Size: 1 << 20, Edge: "drop-contained"}, Retrieve: plan.Retrieve{By: "bm25"}}
	var documents []*corpus.Document
	for i, text := range texts {
		documents = append(documents, &corpus.Document{Version: corpus.Version{Doc: fmt.Sprintf("%08d", i)}, Text: text})
	}
	var all []*golden.Question
	for i, text := range asked {
		all = append(all, &golden.Question{QID: strconv.Itoa(i), Text: text, Unanswerable: true})
	}
	begun := cpu()
	s, err := sweep.New(e, documents, all, nil)
	if err != nil {
		return m, err
	}
	d, err := s.Deploy(context.Background(), arm)
	if err != nil {
		return m, err
	}
	hits := 0
	for i := range all {
		n, err := d.Search(context.Background(), i)
		if err != nil {
			return m, err
		}
		hits += n
	}
	return made{cpu() - begun, hits}, nil
}

func cl100k() *token.BPE {
	t, err := token.Named("cl100k_base")
	bpe, ok := t.(*token.BPE)
	if err != nil || !ok {
		panic("BUG: no cl100k_base")
	}
	return bpe
}

func tokens(text string) (made, error) {
	bpe := cl100k()
	return passes(func() any { return len(bpe.Encode(text)) }), nil
}

// setup makes the tables of cl100k_base, once in a process, and counts the tokens of
// a short text.
func setup(text string) (made, error) {
	begun := cpu()
	n := len(cl100k().Encode(text))
	return made{cpu() - begun, n}, nil
}

func windows(text string) (made, error) {
	t, err := token.Named("codepoints")
	if err != nil {
		return made{}, err
	}
	w := split.Windows{Size: 500, Overlap: 100, Edge: split.DropContained}
	var chunks []split.Chunk
	return passes(func() any {
		chunks = w.Place(token.NewTable(t, text), w.Stride(), chunks[:0])
		n := 0
		for _, c := range chunks {
			if c.State == split.Emitted {
				n++
			}
		}
		return n
	}), nil
}
