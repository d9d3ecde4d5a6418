package token

import (
	"encoding/binary"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// The encodings written plainly: tiktoken's patterns (tiktoken_ext/openai_public.py)
// as lists of what each alternative repeats, with all backtracking, and merges
// of the pair of lowest rank, looked for from the start each time.

// part of an alternative: a set of code points, at least and at most so many; as
// many as there are if it is possessive, else as many as what follows lets it take.
// One with ahead takes nothing; ahead has to hold. One with options is one of these,
// or nothing.
type part struct {
	in          func(rune) bool
	least, most int
	possessive  bool
	ahead       func(rest []rune) bool
	options     [][]part
}

// match is the end of the first way in which the parts match at i, -1 if none does.
func match(parts []part, s []rune, i int) int {
	if len(parts) == 0 {
		return i
	}
	p, rest := parts[0], parts[1:]
	switch {
	case p.ahead != nil && !p.ahead(s[i:]):
		return -1
	case p.ahead != nil:
		return match(rest, s, i)
	case p.options != nil:
		for _, option := range p.options {
			if end := match(slices.Concat(option, rest), s, i); end >= 0 {
				return end
			}
		}
		return match(rest, s, i)
	}
	n := 0
	for n < p.most && i+n < len(s) && p.in(s[i+n]) {
		n++
	}
	for ; n >= p.least; n-- {
		if end := match(rest, s, i+n); end >= 0 || p.possessive {
			return end
		}
	}
	return -1
}

// plainPattern is the alternatives of an encoding's pattern, in order.
func plainPattern(encoding string) (alternatives [][]part) {
	const many = math.MaxInt
	not := func(sets ...func(rune) bool) func(rune) bool {
		return func(r rune) bool {
			return !slices.ContainsFunc(sets, func(in func(rune) bool) bool { return in(r) })
		}
	}
	one := func(s string) func(rune) bool { return func(r rune) bool { return strings.ContainsRune(s, r) } }
	is := func(tables ...*unicode.RangeTable) func(rune) bool {
		return func(r rune) bool { return unicode.In(r, tables...) }
	}
	letters, numbers, blanks := is(unicode.L), is(unicode.N), is(unicode.White_Space)
	upper, lower := is(unicode.Lu, unicode.Lt, unicode.Lm, unicode.Lo, unicode.M), is(unicode.Ll, unicode.Lm, unicode.Lo, unicode.M)
	signs := not(blanks, letters, numbers)
	space, lines := one(" "), one("\r\n")
	fold := func(want rune) func(rune) bool {
		return func(r rune) bool {
			for f := unicode.SimpleFold(want); ; f = unicode.SimpleFold(f) {
				if f == r {
					return true
				}
				if f == want {
					return false
				}
			}
		}
	}
	contractions := func(endings ...string) (options [][]part) {
		for _, ending := range endings {
			option := []part{{in: one("'"), least: 1, most: 1}}
			for _, r := range ending {
				option = append(option, part{in: fold(r), least: 1, most: 1})
			}
			options = append(options, option)
		}
		return options
	}
	some := func(in func(rune) bool, least, most int) part { return part{in: in, least: least, most: most} }
	all := func(in func(rune) bool, least, most int) part {
		return part{in: in, least: least, most: most, possessive: true}
	}
	atEnd := part{ahead: func(rest []rune) bool { return len(rest) == 0 }}
	noWord := part{ahead: func(rest []rune) bool { return len(rest) == 0 || blanks(rest[0]) }}
	before := not(lines, letters, numbers)
	if encoding == "cl100k_base" {
		return append(contractions("s", "d", "m", "t", "ll", "ve", "re"),
			[]part{all(before, 0, 1), all(letters, 1, many)},
			[]part{all(numbers, 1, 3)},
			[]part{some(space, 0, 1), all(signs, 1, many), all(lines, 0, many)},
			[]part{all(blanks, 1, many), atEnd},
			[]part{some(blanks, 0, many), some(lines, 1, 1)},
			[]part{some(blanks, 1, many), noWord},
			[]part{some(blanks, 1, 1)})
	}
	ending := part{options: contractions("s", "t", "re", "ve", "m", "ll", "d")}
	return [][]part{
		{some(before, 0, 1), some(upper, 0, many), some(lower, 1, many), ending},
		{some(before, 0, 1), some(upper, 1, many), some(lower, 0, many), ending},
		{some(numbers, 1, 3)},
		{some(space, 0, 1), some(signs, 1, many), some(one("\r\n/"), 0, many)},
		{some(blanks, 0, many), some(lines, 1, many)},
		{some(blanks, 1, many), noWord},
		{some(blanks, 1, many)},
	}
}

// plainBPE is an encoding with the ranks of a file of gen.
type plainBPE struct {
	pattern [][]part
	ranks   map[string]uint32
}

func newPlainBPE(encoding, file string) *plainBPE {
	p := &plainBPE{plainPattern(encoding), map[string]uint32{}}
	n := int(binary.LittleEndian.Uint32([]byte(file)))
	blob := file[4+n:]
	for rank, length := range []byte(file[4 : 4+n]) {
		p.ranks[blob[:length]] = uint32(rank)
		blob = blob[length:]
	}
	return p
}

// pieces are what the pattern matches, one after another. A byte that is not UTF-8
// counts as U+FFFD.
func (p *plainBPE) pieces(text string) (pieces []string) {
	var code []rune
	var at []int // byte of each, and the end
	for i, r := range text {
		code, at = append(code, r), append(at, i)
	}
	at = append(at, len(text))
	for i := 0; i < len(code); {
		end := -1
		for _, alternative := range p.pattern {
			if end = match(alternative, code, i); end >= 0 {
				break
			}
		}
		pieces = append(pieces, text[at[i]:at[end]])
		i = end
	}
	return pieces
}

// encode is the ids of a text and the byte end of each of its tokens.
func (p *plainBPE) encode(text string) (ids []uint32, ends []int32) {
	end := 0
	for _, piece := range p.pieces(text) {
		for _, token := range p.merge(piece) {
			end += len(token)
			ids, ends = append(ids, p.ranks[token]), append(ends, int32(end))
		}
	}
	return ids, ends
}

// merge joins, again and again, the leftmost of the pairs with the lowest rank.
func (p *plainBPE) merge(piece string) []string {
	if _, ok := p.ranks[piece]; ok {
		return []string{piece}
	}
	parts := make([]string, 0, len(piece))
	for i := range len(piece) {
		parts = append(parts, piece[i:i+1])
	}
	for {
		best, at := uint32(math.MaxUint32), -1
		for i := range len(parts) - 1 {
			if rank, ok := p.ranks[parts[i]+parts[i+1]]; ok && rank < best {
				best, at = rank, i
			}
		}
		if at < 0 {
			return parts
		}
		parts = slices.Replace(parts, at, at+2, parts[at]+parts[at+1])
	}
}

func plainBPEs() map[string]*plainBPE {
	return map[string]*plainBPE{"cl100k_base": newPlainBPE("cl100k_base", cl100kFile), "o200k_base": newPlainBPE("o200k_base", o200kFile)}
}

func (p *plainBPE) check(t *testing.T, tok *BPE, text string) {
	t.Helper()
	var pieces []string // most wrong ones have the right ids
	for from := 0; from < len(text); {
		to := tok.piece(text, from)
		pieces, from = append(pieces, text[from:to]), to
	}
	if want := p.pieces(text); !slices.Equal(pieces, want) {
		t.Fatalf("%s %q\n got %q\nwant %q", tok.Name(), text, pieces, want)
	}
	ids, ends := p.encode(text)
	if got := tok.Encode(text); !slices.Equal(got, ids) {
		t.Fatalf("%s %q\n got %v\nwant %v", tok.Name(), text, got, ids)
	}
	if got := tok.Ends(text); !slices.Equal(got, ends) || tok.Count(text) != len(ends) {
		t.Fatalf("%s %q: %d tokens\n got %v\nwant %v", tok.Name(), text, tok.Count(text), got, ends)
	}
}

// awkward is a text of code points that meet rarely: from a few ranges at a time.
func awkward(r *rand.Rand, n int) string {
	var some []string
	for range 2 + r.IntN(6) {
		switch r.IntN(4) {
		case 0:
			some = append(some, string(rune(r.IntN(0x80))))
		case 1:
			some = append(some, string(rune(r.IntN(0x3100))))
		case 2:
			some = append(some, string(rune(r.IntN(unicode.MaxRune+1)))) // surrogates become U+FFFD
		default:
			some = append(some, scraps[r.IntN(len(scraps))])
		}
	}
	var b strings.Builder
	for range n {
		s := some[r.IntN(len(some))]
		for range 1 + max(0, r.IntN(12)-10)*r.IntN(20) {
			b.WriteString(s)
		}
	}
	return b.String()
}

func TestEncodeAgainstPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for name, plain := range plainBPEs() {
		for range 3000 {
			plain.check(t, bpe(t, name), awkward(r, 1+r.IntN(30)))
		}
		// Long pieces are merged window by window.
		for range 20 {
			plain.check(t, bpe(t, name), strings.ReplaceAll(randomText(r, 60), " ", ""))
		}
	}
}

// FuzzEncode compares both encodings with the plain ones, on bytes of any kind.
func FuzzEncode(f *testing.F) {
	for _, s := range scraps {
		f.Add(s + s)
		f.Add(" " + s + "\n " + s)
	}
	f.Add("\n  \n  \n  Symbols   \t x")
	f.Add("\xff\xe6\xbc a\x80")
	f.Add("\ufffd\ufffd \ufffd\xef\xbf \U000e0001\u0378\u0378")
	f.Add(strings.Repeat(" ", 300) + "x")
	f.Add(strings.Repeat("漢字かな交じり文", 6) + "\r\n<|endoftext|><|im_start|>")
	f.Add("👩🏽‍💻🏳️‍🌈👨‍👩‍👧‍👦 ok\u0301\u0301\u064b ١٢٣٤")
	plain := plainBPEs()
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 400 {
			return
		}
		for name, p := range plain {
			p.check(t, bpe(t, name), text)
		}
	})
}

// checkSplit compares the parts of a piece with those of merging all of it with a
// heap, which TestEncodeAgainstPlain and FuzzEncode compare with the plain twin for
// pieces of up to some hundred bytes.
func checkSplit(t *testing.T, piece string) {
	t.Helper()
	if piece == "" {
		return
	}
	for _, name := range []string{"cl100k_base", "o200k_base"} {
		v := bpe(t, name).vocab
		got, want := v.split(nil, piece, 0, len(piece)), v.mergeLong(nil, piece, 0, len(piece))
		if !slices.Equal(got, want) {
			t.Fatalf("%s: %d bytes %.300q\n got %v\nwant %v", name, len(piece), piece, got, want)
		}
	}
}

// TestSplitAgainstHeap: pieces of all lengths, in which tokens are longer than
// windows, or what is to the right decides far to the left, or code points meet
// that tokens have parts of.
func TestSplitAgainstHeap(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	for i := range 3000 {
		checkSplit(t, awkward(r, 1+r.IntN(120)))
		tokens := bpe(t, []string{"cl100k_base", "o200k_base"}[i%2]).vocab
		var b strings.Builder
		for range 1 + r.IntN(60) { // tokens at random; few of them have blanks
			b.WriteString(tokens.bytes(uint32(r.IntN(len(tokens.starts) - 1))))
		}
		checkSplit(t, b.String())
	}
	for _, unit := range []string{"a", "x", "ab", "漢", "👨‍👩‍👧", " ", "-", "=", "\u0301", "\xff", "é", "ا", "한"} {
		for _, n := range []int{20, 31, 32, 33, 63, 64, 65, 100, 127, 128, 129, 300, 1000, 5001} {
			run := strings.Repeat(unit, n)
			checkSplit(t, run)
			checkSplit(t, "b"+run+"z"+run)
		}
	}
	checkSplit(t, strings.Repeat("漢字かな交じり文を書く", 9000))
}

func FuzzSplit(f *testing.F) {
	for _, s := range scraps {
		f.Add(s, s, uint16(40))
	}
	f.Add("\n", " ", uint16(300))
	f.Add("\xe6", "\xbc\xa2漢", uint16(30))
	f.Fuzz(func(t *testing.T, edge, unit string, times uint16) {
		if len(unit) > 0 && int(times) > 3000/len(unit) || len(edge) > 1000 {
			return
		}
		checkSplit(t, edge+strings.Repeat(unit, int(times))+edge)
	})
}
