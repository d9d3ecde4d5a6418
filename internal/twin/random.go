package twin

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode/utf8"
)

// scripts are the alphabets of random words, with the code points that make
// trouble: combining marks, one that lower-cases to another length, the
// length mark U+30FC and its halfwidth form, voicing marks, joiners,
// variation selectors, letters outside the first plane.
var scripts = [][]rune{
	[]rune("abcdeEIZéßİǅ\u212a"),
	[]rune("αάβΣΩςΐ\u0301\u0345"),
	[]rune("北京大学生前来应聘〇々𠀀"),
	[]rune("カタナひらがー\u3099\u309aｶﾞｰ漢"),
	[]rune("ภาษาไทย๑ก\u0e47"),
	[]rune("العربي\u0651٣עבר\u05b0"),
	[]rune("👩\u200d👧❤\ufe0f🇩🇪1\u20e3"),
	[]rune("0123456789_"),
}

// joints stand between words; most are single blanks.
var joints = []string{
	" ", " ", " ", " ", " ", "", "", "_", "-", ", ", ". ", "。", "、", "\n", "\r\n", "\n\n", "\t",
	"\u00a0", "\u3000", "\u2028", "\u200b", "\ufeff",
}

var blanks = []string{" ", " ", "\n", "\r\n", "\t", "\u00a0", "\u0085", "\u3000", "\u2028"}

var names = []string{"public", "staff", "legal"}

// ids are those of documents; their order in bytes is not that of people.
var ids = []string{"a", "a.md", "a b", "B", "b/2", "10", "9", "ä", "中"}

// corpus is a random corpus in the making.
type corpus struct {
	*rand.Rand
	vocabulary []string
}

// Random makes a small corpus and questions on it. Equal sources give equal
// results. Every document is valid UTF-8, every offset stands on a code
// point, no span is of white space alone, every question names a reader and
// at least one document is not blank.
func Random(rng *rand.Rand) ([]Document, []Question) {
	c := corpus{Rand: rng}
	for range 24 {
		c.vocabulary = append(c.vocabulary, c.word())
	}
	ids := slices.Clone(ids)
	c.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	var docs []Document
	for i := range 2 + c.IntN(6) {
		docs = append(docs, c.document(ids[i], i == 0))
	}
	var questions []Question
	for i := range 3 + c.IntN(8) {
		questions = append(questions, c.question("q"+string(rune('a'+i)), docs))
	}
	return docs, questions
}

// RandomParams makes parameters for Random's corpora. Window and counter are
// drawn from the tokenizers.
func RandomParams(rng *rand.Rand, tokenizers ...Tokenizer) Params {
	p := Params{
		Size:          1 + rng.IntN(1+rng.IntN(80)),
		KeepContained: rng.IntN(3) == 0,
		Window:        tokenizers[rng.IntN(len(tokenizers))],
		K:             1 + rng.IntN(6),
		Budget:        rng.IntN(1 + rng.IntN(800)),
		Counter:       tokenizers[rng.IntN(len(tokenizers))],
		Format:        pick(rng, []string{"numbered", "bare"}),
		Overflow:      pick(rng, []string{"stop", "skip", "truncate"}),
		Strict:        rng.IntN(4) == 0,
	}
	if rng.IntN(3) > 0 {
		p.Overlap = rng.IntN(p.Size)
	}
	p.FirstCut = 1 + rng.IntN(p.stride())
	p.Depth = p.K + rng.IntN(1+rng.IntN(100))
	p.Clip = rng.IntN(3) == 0
	if rng.IntN(4) == 0 {
		p.FirstCuts = map[string]int{}
		for _, id := range ids {
			if rng.IntN(2) == 0 {
				p.FirstCuts[id] = 1 + rng.IntN(p.stride())
			}
		}
	}
	return p
}

// RandomAccess restricts further parts of Random's documents, for parameters
// that clip: many small ones, so that chunks fall into several pieces.
func RandomAccess(rng *rand.Rand, docs []Document) {
	c := corpus{Rand: rng}
	for i := range docs {
		for range c.IntN(6) {
			if start, end := c.interval(docs[i].Text); start < end {
				docs[i].Restrict = append(docs[i].Restrict, Restriction{start, end, c.readers()})
			}
		}
	}
}

func pick[T any](rng *rand.Rand, from []T) T { return from[rng.IntN(len(from))] }

func (c corpus) word() string {
	alphabet := pick(c.Rand, scripts)
	var w strings.Builder
	for range 1 + c.IntN(8) {
		w.WriteRune(pick(c.Rand, alphabet))
	}
	return w.String()
}

// blank is a stretch of n white space code points or so.
func (c corpus) blank(n int) string {
	var s strings.Builder
	for range n {
		s.WriteString(pick(c.Rand, blanks))
	}
	return s.String()
}

// text is n pieces: words mostly, now and then a long run without blanks or
// a long blank.
func (c corpus) text(n int) string {
	var s strings.Builder
	for range n {
		switch c.IntN(24) {
		case 0:
			s.WriteString(strings.Repeat(pick(c.Rand, c.vocabulary), 2+c.IntN(30)))
		case 1:
			s.WriteString(c.blank(1 + c.IntN(80)))
		case 2:
			s.WriteString(c.word())
		default:
			s.WriteString(pick(c.Rand, c.vocabulary) + pick(c.Rand, joints))
		}
	}
	return s.String()
}

func (c corpus) document(id string, full bool) Document {
	d := Document{ID: id}
	switch kind := c.IntN(12); {
	case full:
		d.Text = "x" + c.text(20+c.IntN(100))
	case kind == 0:
	case kind == 1:
		d.Text = c.blank(1 + c.IntN(100))
	case kind < 5:
		d.Text = c.text(1 + c.IntN(3))
	default:
		d.Text = c.text(10 + c.IntN(120))
	}
	if c.IntN(4) == 0 {
		d.Read = c.readers()
	}
	if c.IntN(3) == 0 {
		for range 1 + c.IntN(3) {
			if start, end := c.interval(d.Text); start < end {
				d.Restrict = append(d.Restrict, Restriction{start, end, c.readers()})
			}
		}
	}
	return d
}

// readers is a list of names, not empty.
func (c corpus) readers() []string {
	list := slices.Clone(names)
	c.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:1+c.IntN(len(list))]
}

// interval is a random interval between code points, most of them short.
func (c corpus) interval(text string) (start, end int) {
	var at []int
	for i := range text {
		at = append(at, i)
	}
	at = append(at, len(text))
	i := c.IntN(len(at))
	j := min(len(at)-1, i+1+c.IntN(1+c.IntN(120)))
	return at[i], at[j]
}

func (c corpus) question(qid string, docs []Document) Question {
	q := Question{QID: qid, Reader: []string{"public"}}
	if c.IntN(3) == 0 {
		q.Reader = c.readers()
	}
	if c.IntN(4) == 0 {
		for range 1 + c.IntN(3) {
			q.Within = append(q.Within, pick(c.Rand, docs).ID)
		}
		slices.Sort(q.Within)
		q.Within = slices.Compact(q.Within)
	}
	if c.IntN(10) > 0 {
		for range 1 + c.IntN(3) {
			q.Support = append(q.Support, c.set(docs))
		}
	}
	q.Text = c.asks(docs, q.Support)
	return q
}

// asks is the question's text: the evidence of some set half of the time,
// words, pieces of documents cut anywhere, some in capitals, some twice, now
// and then no term at all.
func (c corpus) asks(docs []Document, support [][]Evidence) string {
	if c.IntN(20) == 0 {
		return "?! 。"
	}
	var parts []string
	if len(support) > 0 && c.IntN(2) == 0 {
		for _, e := range pick(c.Rand, support) {
			parts = append(parts, textOf(docs, e.Doc)[e.Start:e.End])
		}
	}
	for range 1 + c.IntN(7) {
		switch c.IntN(6) {
		case 0:
			d := pick(c.Rand, docs)
			start, end := c.interval(d.Text)
			parts = append(parts, d.Text[start:end])
		case 1:
			parts = append(parts, strings.ToUpper(pick(c.Rand, c.vocabulary)))
		case 2:
			if len(parts) > 0 {
				parts = append(parts, pick(c.Rand, parts))
			}
		default:
			parts = append(parts, pick(c.Rand, c.vocabulary))
		}
	}
	return strings.Join(parts, pick(c.Rand, joints))
}

// set is one support set. Its spans may overlap, touch, repeat, begin inside
// words and be spread over documents.
func (c corpus) set(docs []Document) []Evidence {
	var set []Evidence
	from := docs
	if c.IntN(3) > 0 {
		// The first document is never blank, so that a span can be found.
		from = docs[:1+c.IntN(len(docs))]
	}
	for want := 1 + c.IntN(1+c.IntN(4)); len(set) < want; {
		d := pick(c.Rand, from)
		start, end := c.interval(d.Text)
		if n := len(set); n > 0 && c.IntN(3) == 0 { // touch or overlap the one before
			d = Document{ID: set[n-1].Doc, Text: textOf(docs, set[n-1].Doc)}
			start = set[n-1].End
			for c.IntN(3) > 0 && start > set[n-1].Start {
				_, size := utf8.DecodeLastRuneInString(d.Text[:start])
				start -= size
			}
			_, size := c.interval(d.Text[start:])
			end = start + size
		}
		if !blank(d.Text[start:end]) {
			set = append(set, Evidence{d.ID, start, end})
		}
	}
	return set
}

func textOf(docs []Document, id string) string {
	return docs[slices.IndexFunc(docs, func(d Document) bool { return d.ID == id })].Text
}
