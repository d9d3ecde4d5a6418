package golden

import (
	"errors"
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

const filler = "Nothing is said here about it, and nothing is meant by it.\n"

// TestMoveOrOrphan: [ and ] mark the label in the old text and, where it moves,
// its place in the new one. says is a part of the reason, near of the nearest
// proposal, which « and » mark.
func TestMoveOrOrphan(t *testing.T) {
	for name, c := range map[string]struct {
		old, now   string
		fields     string // of the span, instead of the surroundings that anchor writes
		lost       bool   // the old text is not kept
		says, near string
	}{
		"text before":                {old: "One two. [Three four.] Five.", now: "Zero. One two. [Three four.] Five."},
		"text behind":                {old: "One two. [Three four.] Five.", now: "One two. [Three four.] Five. Six."},
		"quote edited":               {old: "One two. [Three four five.] Six.", now: "One two. «Three hundred five.» Six.", says: "not in the new version", near: "1 of 4 words differ"},
		"prefix edited":              {old: "One two. [Three four.] Five.", now: "One too. «Three four.» Five.", says: "other words surround it", near: "what precedes them is other"},
		"suffix edited":              {old: "One two. [Three four.] Five.", now: "One two. «Three four.» Fife.", says: "other words surround it", near: "what follows them is other"},
		"stored ones decide":         {old: "One two. [Three four.] Five.", now: "One too. [Three four.] Fife.", fields: `"prefix":"o. ","suffix":" Fi"`},
		"a look-alike":               {old: "One two. [Three four.] Five six seven.", now: "One two. Five six seven. Why is it that «Three four.» and nobody else?", says: "other words surround it", near: "a look-alike"},
		"cut out":                    {old: "One two. [Three four.] Five.", now: "One two. Five.", says: "not in the new version"},
		"copied with surroundings":   {old: "One two. [Three four.] Five.", now: "One two. «Three four.» Five. One two. Three four. Five.", says: "in 2 places", near: "same surroundings"},
		"both sides edited":          {old: "Aa bb cc. [Three four.] Dd ee ff.", now: "Aa bb c. «Three four.» Dd e ff.", says: "other words", near: "what precedes and what follows"},
		"first of all, text before":  {old: "[Three four.] Five.", now: "One. [Three four.] Five."},
		"first of all, both ends":    {old: "[Three four.] Five.", now: "One. «Three four.» Five. Six.", says: "not at that edge of the document now"},
		"the whole text, more after": {old: "[Three four.]", now: "[Three four.] Five."},
		"a mark before":              {old: "[Three four.] Five.", now: "\uFEFF[Three four.] Five. Six."},
		"repeats with all surroundings in the old text": {old: filler + filler + "[Rule.]\n" + filler + filler + "Rule.\n" + filler + filler + "Rule.\n" + filler,
			now: filler + filler + "Rules.\n" + filler + filler + "«Rule.»\n" + filler + "x", says: "other words surround it"},
		"an edited original and its copy": {old: "A begins.\nB goes on.\n[The fee is ten per cent.]\nC follows it.\nD goes on, too.\nE ends.\n",
			now:  "A begins.\nB goes on.\nThe fee is five per cent.\nC follows it.\nD goes on, too.\nE ends.\nB goes on.\n«The fee is ten per cent.»\nC follows it.\nD goes on, too.\n",
			says: "in the new version only where"},
		"the same, with a shorter prefix": {old: "A begins and B goes on for so long.\n[The fee is ten per cent.]\nC follows it for so long a time.\nD goes on, too.\nE ends.\n",
			now:    "A begins and B goes on for so long.\nThe fee is five per cent.\nC follows it for so long a time.\nD goes on, too.\nE ends.\nB goes on for so long.\n«The fee is ten per cent.»\nC follows it for so long a time.\n",
			fields: `"prefix":"B goes on for so long.\n"`, says: "its order among the lines has changed"},
		"the same, with surroundings edited": {old: "Top line of all.\nPre one.\n[The fee is ten per cent.]\nPost one.\nTail line of all.\n",
			now:    "Top line of all.\nPre two.\nThe fee is five per cent.\nPost two.\nTail line of all.\nPre one.\n«The fee is ten per cent.»\nPost one.\n",
			fields: `"prefix":"Pre one.\n","suffix":"\nPost one."`, says: "its order among the lines has changed"},
		"the same, side by side": {old: "Top line of all.\nPre one.\n[The fee is ten per cent.]\nPost one.\nTail line of all.\n",
			now:    "Top line of it all.\nPre one.\nThe fee is five per cent.\nPost one.\nPre one.\n«The fee is ten per cent.»\nPost one.\nTail line.\n",
			fields: `"prefix":"Pre one.\n","suffix":"\nPost one."`, says: "has come into its neighbourhood"},
		"a look-alike behind, all before it unchanged": {old: "[A fee applies.] Then it closed at noon.", now: "[A fee applies.] Then it closed at noon. A fee applies on Sundays."},
		"a sentence before it":                         {old: "One two. [Three four.] Five six.", now: "One two. Zero. «Three four.» Five six.", says: "other words surround it", near: "what precedes them is other"},
		"moved with its surroundings": {old: "A begins and B goes on for so long.\n[The fee is ten per cent.]\nC follows it for so long a time.\nD goes on, too.\nE ends.\n",
			now: "D goes on, too.\nE ends.\nA begins and B goes on for so long.\n[The fee is ten per cent.]\nC follows it for so long a time.\n"},
		"no copy, no surroundings":           {old: "One. [Two three.] Four.", now: "Zero. One. «Two three.» Four.", fields: " ", lost: true, says: "is gone, and the label has no prefix or suffix", near: "the same words"},
		"no copy, surroundings":              {old: "One. [Two three.] Four.", now: "Zero. One. [Two three.] Four.", lost: true},
		"a copy, no surroundings":            {old: "One. [Two three.] Four.", now: "Zero. One. [Two three.] Four.", fields: " "},
		"wrong in the old text":              {old: "One. [Two three.] Four.", now: "Zero. One. «Two three.» Four.", fields: `"start":0,"end":10`, says: "not the text at its place in the old version"},
		"surroundings wrong in the old text": {old: "One. [Two three.] Four.", now: "Zero. One. «Two three.» Four.", fields: `"prefix":"None. "`, says: "not what surrounds the quote in the old version"},
		"ligatures":                          {old: "x [The specific officer.] y", now: "x «The speciﬁc oﬃcer.» y", says: "not in the new version", near: "ligatures"},
		"soft hyphens":                       {old: "x [Ein Mietvertrag.] y", now: "x «Ein Miet\u00advertrag.» y", says: "not in the new", near: "soft hyphens"},
		"quotation marks":                    {old: "x [The \"rule\" here.] y", now: "x «The “rule” here.» y", says: "not in the new", near: "quotation marks or dashes"},
		"case":                               {old: "x [The rule here.] y", now: "x «The Rule here.» y", says: "not in the new", near: "upper and lower case"},
		"normalisation":                      {old: "x [Eine Prüfung.] y", now: "x «Eine Pru\u0308fung.» y", says: "not in the new", near: "NFC/NFD"},
		"line endings":                       {old: "x\n[One.\nTwo.]\ny", now: "x\r\n«One.\r\nTwo.»\r\ny", says: "not in the new", near: "line endings"},
	} {
		t.Run(name, func(t *testing.T) {
			cut := func(text, marks string) (string, span.Span) {
				start := strings.Index(text, marks[:len(marks)/2])
				end := strings.Index(text, marks[len(marks)/2:]) - len(marks)/2
				if start < 0 {
					return text, span.Span{}
				}
				text = strings.NewReplacer(marks[:len(marks)/2], "", marks[len(marks)/2:], "").Replace(text)
				return text, span.Span{Start: start, End: end}
			}
			old, was := cut(c.old, "[]")
			now, want := cut(c.now, "[]")
			now, near := cut(now, "«»")
			fields := c.fields
			if fields == "" {
				prefix, suffix := quote.Surroundings(old, was)
				fields = fmt.Sprintf(`"prefix":%s,"suffix":%s`, quoted(prefix), quoted(suffix))
			}
			if !strings.Contains(fields, "start") {
				fields = fmt.Sprintf(`"start":%d,"end":%d,`, was.Start, was.End) + fields
			}
			line := `{"kerf":"golden/1","unit":"byte"}` + "\n" + `{"qid":"q","question":"Q?","spans":{"a":{"doc":"d","version":` + quoted(corpus.VersionOf(old)[:20]) + `,"quote":` + quoted(old[was.Start:was.End]) + `,` +
				strings.TrimRight(fields, ", ") + `}},"support":[["a"]]}`
			c2 := documents("d", now)
			c2.Older = []corpus.Version{{Doc: "d", Version: corpus.VersionOf(old)}}
			kept := func(version string) (string, error) {
				if c.lost || version != corpus.VersionOf(old) {
					return "", fs.ErrNotExist
				}
				return old, nil
			}
			set, found := Read("g", []byte(line), c2)
			if len(found) != 1 || found[0].Code != CodeStale || !set.Questions[0].Stale() {
				t.Fatal(found)
			}
			wrong := strings.Contains(c.says, "in the old version")
			if v := Verify(set, c2, kept); (len(v) == 1) != wrong || wrong && v[0].Code != CodeShifted {
				t.Error(v)
			}
			done := Anchor(set, c2, kept)
			if !want.Empty() {
				if len(done.Moved) != 1 || set.Questions[0].Spans[0].Bytes != want {
					t.Fatalf("%+v, want %v", done, want)
				}
				if set.Questions[0].Stale() {
					t.Error("still stale")
				}
				return
			}
			if len(done.Orphans) != 1 || !strings.Contains(done.Orphans[0].Reason, c.says) {
				t.Fatalf("%+v", done)
			}
			if got := done.Orphans[0].Proposals; !near.Empty() && (len(got) == 0 || c.near != "" && (got[0].Bytes != near || !strings.Contains(got[0].Reason, c.near)) || !slices.ContainsFunc(got, func(p Proposal) bool { return p.Bytes == near })) {
				t.Errorf("%+v, want %v", got, near)
			}
		})
	}
}

// TestOrphansOfOtherKinds: documents that have gone, versions that nobody knows,
// copies that are damaged, and places that the unit cannot name.
func TestOrphansOfOtherKinds(t *testing.T) {
	old := "One two. Three four. Five."
	v := corpus.VersionOf(old)
	c := documents("d", "Zero. "+old, "e", old)
	c.Older = []corpus.Version{{Doc: "d", Version: v}, {Doc: "t", Version: v}}
	for name, k := range map[string]struct {
		unit, fields, code, says, near string
		kept                           Kept
	}{
		"renamed":         {"byte", `"doc":"gone","version":` + quoted(v) + `,"start":9,"end":20`, CodeDoc, "is not in the corpus", "e [9,20): the same text under another id, in another document", nil},
		"deleted":         {"byte", `"doc":"gone","version":"sha256:00000000","start":9,"end":20`, CodeDoc, "is not in the corpus", "d [15,26): the same words, in another document", nil},
		"a draft":         {"byte", `"doc":"gone"`, CodeDoc, "is not in the corpus", "d [15,26): the same words, in another document", nil},
		"unknown version": {"byte", `"doc":"d","version":"sha256:00000000","start":9,"end":20`, CodeVersion, "does not know this version", "d [15,26): the same words", nil},
		"damaged copy": {"byte", `"doc":"d","version":` + quoted(v) + `,"start":9,"end":20`, CodeStale, "cannot be used: it is damaged", "d [15,26): the same words",
			func(string) (string, error) { return "", errors.New("it is damaged") }},
		"a draft on the old text": {"byte", `"doc":"d","version":` + quoted(v), "", "", "", func(string) (string, error) { return old, nil }},
	} {
		content := `{"kerf":"golden/1","unit":"` + k.unit + `"}` + "\n" + `{"qid":"q","question":"Q?","spans":{"a":{` + k.fields + `,"quote":"Three four."}},"support":[["a"]]}`
		set, found := Read("g", []byte(content), c)
		done := Anchor(set, c, k.kept)
		if k.code == "" {
			if len(done.Moved) != 1 || set.Questions[0].Spans[0].Start != 15 {
				t.Errorf("%s: %+v", name, done)
			}
			continue
		}
		if len(done.Orphans) != 1 || string(set.Encode()) != content {
			t.Fatalf("%s: %+v", name, done)
		}
		o := done.Orphans[0]
		if f := o.Finding(); len(found) != 1 || f.Code != k.code || f.Line != found[0].Line || f.Column != found[0].Column || f.Code != found[0].Code {
			t.Errorf("%s: %v, read %v", name, f, found)
		}
		if o.Draft() || !strings.Contains(o.Reason, k.says) || len(o.Proposals) == 0 || o.Proposals[0].Place()+": "+o.Proposals[0].Reason != k.near {
			t.Errorf("%s: %s %+v", name, o.Reason, o.Proposals)
		}
	}
	c = documents("c", "One too. Three four. Fife.", "d", "One too. Three four. Fife.")
	c.Older = []corpus.Version{{Doc: "d", Version: v}}
	set, _ := Read("g", []byte(`{"kerf":"golden/1","unit":"byte"}`+"\n"+`{"qid":"q","question":"Q?","spans":{"a":{"doc":"d","version":`+quoted(v)+`,"start":9,"end":20,"quote":"Three four."}},"support":[["a"]]}`), c)
	if done := Anchor(set, c, func(string) (string, error) { return old, nil }); len(done.Orphans) != 1 || len(done.Orphans[0].Proposals) != 2 || done.Orphans[0].Proposals[0].Doc != "d" {
		t.Errorf("its own document is not first: %+v", done)
	}
	c = documents("d", "Zero One two. Threefour. Five.")
	c.Older = []corpus.Version{{Doc: "d", Version: v}}
	set, _ = Read("g", []byte(`{"kerf":"golden/1","unit":"token:words"}`+"\n"+`{"qid":"q","question":"Q?","spans":{"a":{"doc":"d","version":`+quoted(v)+`,"start":1,"end":2,"quote":"two. ","prefix":"One ","suffix":"Three"}},"support":[["a"]]}`), c)
	if done := Anchor(set, c, nil); len(done.Moved) != 1 || set.Questions[0].Spans[0].Start != 2 {
		t.Errorf("%+v", done)
	}
	set, _ = Read("g", []byte(`{"kerf":"golden/1","unit":"token:words"}`+"\n"+`{"qid":"q","question":"Q?","spans":{"a":{"doc":"d","version":`+quoted(v)+`,"start":1,"end":2,"quote":"two. Three","prefix":"One ","suffix":"f"}},"support":[["a"]]}`), c)
	if done := Anchor(set, c, nil); len(done.Orphans) != 1 || !strings.Contains(done.Orphans[0].Reason, "unit token:words cannot name the place") ||
		done.Orphans[0].Proposals[0].Start != -1 || done.Orphans[0].Proposals[0].Paste != "" {
		t.Errorf("%+v", done)
	}
}
