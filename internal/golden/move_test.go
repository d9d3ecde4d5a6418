package golden

import (
	"fmt"
	"io/fs"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// word is a word of a document that is edited. Its number is its own through
// all edits; a copy has numbers of its own.
type word struct {
	number int
	text   string // with the blank or line end behind it
}

// history is a document with all that is done to it.
type history struct {
	rng   *rand.Rand
	next  int
	words []word
	plain bool // nothing was copied or moved so far
	whole bool // no stretch longer than the surroundings was copied
}

func (h *history) make(n int) []word {
	var all []word
	for range n {
		w := fmt.Sprintf("w%d", h.rng.IntN(30)) + []string{" ", " ", " ", " ", ". ", "\n"}[h.rng.IntN(6)]
		h.next++
		all = append(all, word{h.next, w})
	}
	return all
}

// edit does one thing to the document.
func (h *history) edit() {
	from := h.rng.IntN(len(h.words))
	to := min(len(h.words), from+1+h.rng.IntN(8))
	cut := slices.Clone(h.words[from:to])
	switch h.rng.IntN(6) {
	case 0:
		h.words = slices.Insert(h.words, from, h.make(1+h.rng.IntN(6))...)
	case 1:
		if to-from < len(h.words) {
			h.words = slices.Delete(h.words, from, to)
		}
	case 2:
		h.words = slices.Replace(h.words, from, min(to, from+2), h.make(1+h.rng.IntN(3))...)
	case 3: // move
		if to-from < len(h.words) {
			h.plain = false
			rest := slices.Delete(h.words, from, to)
			h.words = slices.Insert(rest, h.rng.IntN(len(rest)+1), cut...)
		}
	case 4: // copy a look-alike, too short to bring all of its surroundings
		h.copy(cut)
	case 5: // and one that brings them
		if h.rng.IntN(4) == 0 {
			h.whole = false
			h.copy(slices.Clone(h.words[from:min(len(h.words), from+30)]))
		}
	}
}

func (h *history) copy(words []word) {
	h.plain = false
	for i := range words {
		h.next++
		words[i].number = h.next
	}
	h.words = slices.Insert(h.words, h.rng.IntN(len(h.words)+1), words...)
}

func (h *history) String() string {
	var b strings.Builder
	for _, w := range h.words {
		b.WriteString(w.text)
	}
	return b.String()
}

// place is where the words with these numbers stand, all in a row.
func (h *history) place(numbers []int) (span.Span, bool) {
	at := 0
	for i, w := range h.words {
		if w.number == numbers[0] {
			s := span.Span{Start: at, End: at}
			for j, n := range numbers {
				if i+j >= len(h.words) || h.words[i+j].number != n {
					return s, false
				}
				s.End += len(h.words[i+j].text)
			}
			s.End -= len(h.words[i+len(numbers)-1].text) - len(strings.TrimRight(h.words[i+len(numbers)-1].text, ". \n"))
			return s, true
		}
		at += len(w.text)
	}
	return span.Span{}, false
}

// follow makes a document, labels it, edits it, and holds what Anchor does with
// the label against the words that were labelled.
func follow(t *testing.T, seed uint64, kept bool) string {
	h := &history{rng: rand.New(rand.NewPCG(seed, 1)), plain: true, whole: true}
	h.words = h.make(10 + h.rng.IntN(60))
	if kept {
		for range h.rng.IntN(3) { // passages that repeat with all their surroundings
			h.copy(slices.Clone(h.words[:min(len(h.words), 30)]))
		}
	}
	h.plain = true
	from := h.rng.IntN(len(h.words))
	to := min(len(h.words), from+1+h.rng.IntN(7))
	var numbers []int
	for _, w := range h.words[from:to] {
		numbers = append(numbers, w.number)
	}
	old := h.String()
	was, _ := h.place(numbers)
	if was.Empty() {
		return "none"
	}
	prefix, suffix := quote.Surroundings(old, was)
	for range 1 + h.rng.IntN(6) {
		h.edit()
	}
	now := h.String()
	if now == old {
		return "none"
	}
	line := fmt.Sprintf(`{"qid":"q","question":"Q?","spans":{"a":{"doc":"d","version":%s,"start":%d,"end":%d,"quote":%s,"prefix":%s,"suffix":%s}},"support":[["a"]]}`,
		quoted(corpus.VersionOf(old)), was.Start, was.End, quoted(old[was.Start:was.End]), quoted(prefix), quoted(suffix))
	c := documents("d", now)
	c.Older = []corpus.Version{{Doc: "d", Version: corpus.VersionOf(old)}}
	set, _ := Read("g", []byte(`{"kerf":"golden/1","unit":"byte"}`+"\n"+line), c)
	texts := func(string) (string, error) {
		if kept {
			return old, nil
		}
		return "", fs.ErrNotExist
	}
	done := Anchor(set, c, texts)
	is, there := h.place(numbers)
	s := set.Questions[0].Spans[0]
	found := matches(now, prefix, s.Quote, suffix)
	if len(done.Moved) == 1 {
		if !h.whole && !(there && is == s.Bytes) {
			// A copy with all its surroundings, whose original was edited, is the
			// passage as far as the texts tell.
			return "copied"
		}
		if !there || is != s.Bytes {
			t.Fatalf("seed %d, kept %v: %q moved from %v to %v, want %v (%v)\nold %q\nnew %q", seed, kept, s.Quote, was, s.Bytes, is, there, old, now)
		}
		if now[s.Bytes.Start:s.Bytes.End] != s.Quote || s.Version != corpus.VersionOf(now) || s.Stale {
			t.Fatalf("seed %d: %+v", seed, s)
		}
		again, open := Read("g", set.Encode(), c)
		if open.Errors() > 0 || again.Questions[0].Spans[0].Bytes != s.Bytes {
			t.Fatalf("seed %d: written %v", seed, open)
		}
		return "moved"
	}
	if len(done.Orphans) != 1 || !s.Stale || string(set.Encode()) != `{"kerf":"golden/1","unit":"byte"}`+"\n"+line {
		t.Fatalf("seed %d: an orphan was touched", seed)
	}
	once := len(matches(old, prefix, s.Quote, suffix)) == 1
	if there && once && h.plain && len(found) == 1 && found[0] == is && hasWord(prefix+suffix) && len(quote.NewWords(now).Near(s.Quote, Alike)) == 1 {
		t.Fatalf("seed %d, kept %v: %q stayed, want %v: %s\nold %q\nnew %q", seed, kept, s.Quote, is, done.Orphans[0].Reason, old, now)
	}
	for _, p := range done.Orphans[0].Proposals {
		if p.Quote != now[p.Bytes.Start:p.Bytes.End] || p.Paste == "" || p.Reason == "" {
			t.Fatalf("seed %d: %+v", seed, p)
		}
		if p.Bytes == is && there {
			return "proposed"
		}
	}
	if there {
		return "lost"
	}
	return "orphan"
}

// TestMoveFollowsThePassage: a label is moved to the words that were labelled or
// not at all, and an unchanged passage is nearly always among the proposals.
func TestMoveFollowsThePassage(t *testing.T) {
	counts := map[string]int{}
	for seed := range uint64(6000) {
		counts[follow(t, seed, seed%2 == 0)]++
	}
	t.Log(counts)
	if counts["moved"] < 1000 || counts["orphan"] < 1000 || counts["proposed"] < 500 || counts["lost"]*50 > counts["proposed"] || counts["copied"] > 20 {
		t.Error(counts)
	}
}

func FuzzMove(f *testing.F) {
	for seed := range uint64(20) {
		f.Add(seed, seed%2 == 0)
	}
	f.Fuzz(func(t *testing.T, seed uint64, kept bool) { follow(t, seed, kept) })
}
