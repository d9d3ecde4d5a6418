// Package host is a small retriever behind retriever/1, written plainly and apart
// from kerf's side of it, and able to break each of the protocol's rules: tests
// alone.
package host

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode"
)

// Host answers requests. The zero value keeps every rule.
type Host struct {
	// Filter says whether it has the capability.
	Filter bool
	// Fault is how it misbehaves: NAME, or NAME:OP for the requests of one op. The
	// names are those of Answer and Serve.
	Fault string

	indexes map[string]*index
	built   int // indexes begun
	asked   int // searches
}

type index struct {
	number int
	chunks map[string]chunk
}

type chunk struct {
	ID, Doc, Text string
	Start, End    int
	Readers       []string

	words map[string]bool
}

type request struct {
	Op, Kerf, Index, Arm, Label, QID, Text string
	Seq, K                                 int
	Versions                               []int
	Chunks                                 []chunk
	First, Last                            bool
	Reader, Docs                           []string
}

type hit struct {
	ID    any `json:"id"`
	Score any `json:"score"`
}

func (h *Host) has(fault, op string) bool { return h.Fault == fault || h.Fault == fault+":"+op }

// Answer is the reply to one request, without a line break.
func (h *Host) Answer(message []byte) []byte {
	var r request
	if err := json.Unmarshal(message, &r); err != nil {
		panic(err) // kerf's fault
	}
	reply := map[string]any{"op": r.Op, "seq": r.Seq, "a later key": []int{1}}
	switch r.Op {
	case "hello":
		h.hello(r, reply)
	case "index":
		h.index(r, reply)
	case "search":
		h.asked++
		reply["qid"] = r.QID
		reply["hits"] = h.search(r)
	case "drop":
		switch h.Fault {
		case "undead":
		case "cleared":
			for _, of := range h.indexes {
				clear(of.chunks)
			}
		default:
			delete(h.indexes, r.Index)
		}
	}
	h.spoil(r, reply)
	out, err := json.Marshal(reply)
	if err != nil {
		panic(err)
	}
	return out
}

func (h *Host) hello(r request, reply map[string]any) {
	if r.Kerf != "retriever/1" || !slices.Equal(r.Versions, []int{1}) {
		reply["error"] = "only version 1 is spoken here"
		return
	}
	capabilities := []string{"a later one"}
	if h.Filter {
		capabilities = append(capabilities, "filter", "filter")
	}
	reply["version"], reply["name"], reply["model"] = 1, "words", "shared-words@1"
	reply["settings"], reply["capabilities"] = map[string]any{"b": 1.0, "a": []any{nil, "x"}}, capabilities
}

func (h *Host) index(r request, reply map[string]any) {
	if r.First && (h.Fault != "undead" || h.indexes[r.Index] == nil) {
		h.built++
		if h.indexes == nil {
			h.indexes = map[string]*index{}
		}
		h.indexes[r.Index] = &index{h.built, map[string]chunk{}}
	}
	of := h.indexes[r.Index]
	for _, c := range r.Chunks {
		c.words = map[string]bool{}
		for _, w := range words(c.Text) {
			c.words[w] = true
		}
		of.chunks[c.ID] = c
	}
	reply["chunks"] = len(of.chunks)
}

// search ranks the chunks that share words with the question: by how many, then by
// id.
func (h *Host) search(r request) []hit {
	asked := words(r.Text)
	slices.Sort(asked)
	asked = slices.Compact(asked)
	if h.Fault == "docless" {
		r.Docs = nil
	}
	of := h.indexes[r.Index]
	chunks := maps.Clone(of.chunks)
	if h.Fault == "mixed" {
		for _, other := range h.indexes {
			maps.Copy(chunks, other.chunks)
		}
	}
	var found []chunk
	score := map[string]int{}
	for _, c := range chunks {
		if h.Filter && h.Fault != "unfiltered" && !fits(c, r) {
			continue
		}
		for _, w := range asked {
			if c.words[w] {
				score[c.ID]++
			}
		}
		if score[c.ID] > 0 || h.Fault == "padding" {
			found = append(found, c)
		}
	}
	slices.SortFunc(found, func(a, b chunk) int {
		if by := score[b.ID] - score[a.ID]; by != 0 {
			return by
		}
		return strings.Compare(a.ID, b.ID)
	})
	var scores []int
	for _, c := range found {
		scores = append(scores, score[c.ID])
	}
	// An engine that is not the same twice: between two builds, or two questions.
	if n := len(found); n > 1 && (h.Fault == "noisy" && of.number%2 == 0 || h.Fault == "fickle" && h.asked%5 == 0) {
		found[0], found[n-1] = found[n-1], found[0]
	}
	most := r.K
	if h.Fault == "more" {
		most++
	}
	hits := []hit{}
	for i, c := range found[:min(len(found), most)] {
		hits = append(hits, hit{c.ID, scores[i]})
	}
	return hits
}

func words(text string) []string {
	return strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsNumber(r) })
}

func fits(c chunk, r request) bool {
	if r.Docs != nil && !slices.Contains(r.Docs, c.Doc) {
		return false
	}
	if r.Reader == nil || c.Readers == nil {
		return true
	}
	return slices.ContainsFunc(c.Readers, func(name string) bool { return slices.Contains(r.Reader, name) })
}

// spoil changes a reply as the fault says.
func (h *Host) spoil(r request, reply map[string]any) {
	hits, _ := reply["hits"].([]hit)
	switch {
	case h.has("seq", r.Op):
		reply["seq"] = r.Seq + 1
	case h.has("op", r.Op):
		reply["op"] = "ready"
	case h.has("text-seq", r.Op):
		reply["seq"] = fmt.Sprint(r.Seq)
	case h.has("refuse", r.Op), h.has("refuse-first", r.Op) && h.asked == 1:
		reply["error"] = "out of quota\x1b[31m"
	case h.Fault == "version" && r.Op == "hello":
		reply["version"] = 2
	case h.Fault == "no-version" && r.Op == "hello":
		delete(reply, "version")
	case h.Fault == "no-name" && r.Op == "hello":
		reply["name"] = ""
	case h.Fault == "no-chunks" && r.Op == "index":
		delete(reply, "chunks")
	case h.Fault == "count" && r.Op == "index":
		reply["chunks"] = reply["chunks"].(int) - 1
	case r.Op != "search":
	case h.Fault == "qid":
		reply["qid"] = "another"
	case h.Fault == "no-qid":
		delete(reply, "qid")
	case h.Fault == "no-hits":
		delete(reply, "hits")
	case h.Fault == "null-hits":
		reply["hits"] = nil
	case h.Fault == "no-words" && strings.TrimSpace(r.Text) == "":
		reply["error"] = "the question is empty"
	case len(hits) == 0:
	case h.Fault == "no-id":
		hits[0].ID = nil
	case h.Fault == "no-score":
		hits[0].Score = nil
	case h.Fault == "unknown":
		hits[len(hits)-1].ID = "no\nsuch"
	case h.Fault == "repeated" && len(hits) > 1:
		hits[len(hits)-1] = hits[0]
	case h.Fault == "ascending":
		for i := range hits {
			hits[i].Score = i
		}
	}
}

// Serve answers every line of in until bye or the end of in. The status is what the
// process ends with.
func (h *Host) Serve(in io.Reader, out, stderr io.Writer) (status int) {
	if h.Fault == "banner" {
		fmt.Fprintln(out, "Loading model …")
	}
	lines := bufio.NewReader(in)
	for {
		message, err := lines.ReadBytes('\n')
		if err != nil {
			return 0
		}
		var r request
		if err := json.Unmarshal(message, &r); err != nil {
			fmt.Fprintln(stderr, err)
			return 9
		}
		end := "\n"
		switch {
		case h.has("die", r.Op):
			fmt.Fprintln(stderr, "Traceback (most recent call last):\nMemoryError\x1b[31m")
			return 3
		case h.has("hang", r.Op):
			_, _ = io.Copy(io.Discard, in)
			return 0
		case h.has("part", r.Op):
			fmt.Fprint(out, `{"op":"`)
			return 0
		case h.has("text", r.Op):
			fmt.Fprintln(out, "Batches: 100%")
			continue
		case h.has("blank", r.Op):
			fmt.Fprintln(out)
			continue
		case h.has("flood", r.Op):
			flood(stderr, 100<<20, '\n')
		case h.has("endless", r.Op):
			flood(out, 200<<20, 'x')
			return 0
		case h.has("bom", r.Op):
			fmt.Fprint(out, "\ufeff")
		case h.has("crlf", r.Op):
			end = "\r\n"
		}
		answer := h.Answer(message)
		if h.has("twice", r.Op) {
			fmt.Fprintf(out, "%s\n", answer)
		}
		fmt.Fprintf(out, "%s%s", answer, end)
		if r.Op == "bye" {
			switch h.Fault {
			case "status":
				return 7
			case "eof":
				_, _ = io.Copy(io.Discard, in)
			}
			return 0
		}
	}
}

// flood writes n bytes.
func flood(w io.Writer, n int, b byte) {
	block := append(bytes.Repeat([]byte{'.'}, 1<<16-1), b)
	for ; n > 0; n -= len(block) {
		if _, err := w.Write(block); err != nil {
			return
		}
	}
}
