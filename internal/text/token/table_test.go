package token

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"

	"kerf/internal/text/span"
)

// scraps are put together at random: six scripts, blanks and punctuation of all
// kinds, and what the patterns treat in a way of its own.
var scraps = []string{
	"\t\n", "\n\t\n",
	"Requests", " may", " be", " retained", "for", " 30", " days", ".", "I'll", "we'RE", "don't", "'s", "'ſ", "'", "'l", "THE", "HTTPServer", "iPhone", "ªAB", "e\u0301", "\u0301", "\u0301ABC", "ǅ",
	"Gebühr", " für", "Straße", "Договор", " хранится", "Δεδομένα", "البيانات", " ١٤", "يومًا", "保存期限", "は三十日", "です。", "、", "数据", "।", "यह", " नियम", "คำขอเก็บได้", "ימים", "한국어",
	" ", "  ", "   ", "\n", "\n\n", "\r\n", "\t", " \n", "\n ", "  \n  ", "\u00a0", "\u3000", "\u2028", "\u0085", " \u00a0 ",
	"!", "...", "---", "///", "//\n", "\n/", "?!\n", "<|endoftext|>", "[12] policy.md\n", "#", "((", "$", "_", "=====", "12345", "3.14", "1,000", "½", "x", "A", "a", "🙂", "👨‍👩‍👧", "\ufeff", "AAAAAAAAAAAA", "aaaaaaaaaaaaaaaaaaaaaaaa", "哈哈哈哈哈哈哈哈",
}

func randomText(r *rand.Rand, parts int) string {
	var b strings.Builder
	for range parts {
		s := scraps[r.IntN(len(scraps))]
		for range 1 + max(0, r.IntN(12)-10)*r.IntN(30) {
			b.WriteString(s)
		}
	}
	return b.String()
}

func named(t testing.TB, name string) Tokenizer {
	t.Helper()
	tok, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return tok
}

// checkTable compares a table with tokenising the literal strings.
func checkTable(t *testing.T, tok Tokenizer, table *Table, text, prefix, suffix string, s span.Span, limit int) {
	t.Helper()
	literal := prefix + text[s.Start:s.End] + suffix
	want := tok.Count(literal)
	if got := table.CountSlice(prefix, s, suffix); got != want {
		t.Fatalf("%s: CountSlice(%q, %v, %q) = %d, want %d\nslice %q\ntext %q", tok.Name(), prefix, s, suffix, got, want, text[s.Start:s.End], text)
	}
	if got := table.CountFramed(table.Frame(prefix, suffix), s); got != want {
		t.Fatalf("%s: CountFramed(%q, %v, %q) = %d, want %d\nslice %q\ntext %q", tok.Name(), prefix, s, suffix, got, want, text[s.Start:s.End], text)
	}
	fit := span.Span{Start: s.Start, End: s.Start}
	for x := s.End; x > s.Start; x-- {
		if (x == len(text) || utf8.RuneStart(text[x])) && tok.Count(prefix+text[s.Start:x]+suffix) <= limit {
			fit.End = x
			break
		}
	}
	if got := table.Fit(prefix, s, suffix, limit); got != fit {
		t.Fatalf("%s: Fit(%q, %v, %q, %d) = %v, want %v\nslice %q", tok.Name(), prefix, s, suffix, limit, got, fit, text[s.Start:s.End])
	}
}

// checkBounds compares the parts of a table with the tokenizer's tokens.
func checkBounds(t *testing.T, tok Tokenizer, table *Table, text string) {
	t.Helper()
	ends := tok.Ends(text)
	if table.Len() != len(ends) || tok.Count(text) != len(ends) || table.Start(0) != 0 {
		t.Fatalf("%s: %d tokens, count %d, start %d, want %d", tok.Name(), table.Len(), tok.Count(text), table.Start(0), len(ends))
	}
	if len(ends) > 0 && int(ends[len(ends)-1]) != len(text) {
		t.Fatalf("%s: tokens end at %d of %d", tok.Name(), ends[len(ends)-1], len(text))
	}
	for i, end := range ends {
		cut := int(end)
		if table.Start(i+1) != cut || table.Start(i) >= cut {
			t.Fatalf("%s: boundary %d at %d, want %d", tok.Name(), i+1, table.Start(i+1), cut)
		}
		for cut < len(text) && !utf8.RuneStart(text[cut]) {
			cut--
		}
		if table.Cut(i+1) != cut {
			t.Fatalf("%s: cut %d at %d, want %d", tok.Name(), i+1, table.Cut(i+1), cut)
		}
	}
	if b, ok := tok.(*BPE); ok && len(b.Encode(text)) != len(ends) {
		t.Fatalf("%s: %d ids, %d ends", tok.Name(), len(b.Encode(text)), len(ends))
	}
}

var edges = []string{"", "[12] policy.md\n", "\n\n", " ", "'", "x", "A", "\r", "  \n ", "3", "[1] doc\n", "!", "\u0301", "/"}

func TestTableAgainstTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, name := range Names() {
		tok := named(t, name)
		for range 30 {
			text := randomText(r, r.IntN(120))
			table := NewTable(tok, text)
			checkBounds(t, tok, table, text)
			for range 12 {
				from, to := codePoint(text, r.IntN(len(text)+1)), codePoint(text, r.IntN(len(text)+1))
				if from > to {
					from, to = to, from
				}
				s := span.Span{Start: from, End: to}
				prefix, suffix := edges[r.IntN(len(edges))], edges[r.IntN(len(edges))]
				checkTable(t, tok, table, text, prefix, suffix, s, r.IntN(tok.Count(prefix+text[from:to]+suffix)+2))
			}
		}
	}
}

// TestCountFramed: slices of few signs, so that rare neighbours meet at both edges,
// between what stands around a unit; and most slices of ordinary text are counted
// without a look at more than the edges.
func TestCountFramed(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	signs := strings.Split("a A b l re s ' . / 1 ª 漢 \u0301 \u00a0 ſ", " ")
	signs = append(signs, " ", "  ", "\t", "\n", "\r", " a", " .", "s's", "AB")
	for _, name := range Names() {
		tok := named(t, name)
		frames := []*Frame{}
		for _, before := range []string{"", "[1] a\n", "[12] a/b'\n", "[3] a.\n", "\n", " \n", "x"} {
			for _, after := range []string{"", "\n\n", "\n", "\r", "x"} {
				frames = append(frames, NewTable(tok, "").Frame(before, after))
			}
		}
		for range 4000 {
			r.Shuffle(len(signs), func(i, j int) { signs[i], signs[j] = signs[j], signs[i] })
			var b strings.Builder
			for range 8 + r.IntN(30) {
				b.WriteString(signs[r.IntN(5)])
			}
			text := b.String()
			table := NewTable(tok, text)
			for range 12 {
				from, to := codePoint(text, r.IntN(len(text)+1)), codePoint(text, r.IntN(len(text)+1))
				s := span.Span{Start: min(from, to), End: max(from, to)}
				f := frames[r.IntN(len(frames))]
				literal := f.before + text[s.Start:s.End] + f.after
				if got, want := table.CountFramed(f, s), tok.Count(literal); got != want {
					t.Fatalf("%s: %q + %q[%v] + %q: %d, want %d", name, f.before, text, s, f.after, got, want)
				}
			}
		}
	}
	tok := named(t, "o200k_base").(*BPE)
	text := strings.Repeat("Requests may be retained for 30 days, and no longer. This limit is 7 days for what is marked “temporary”;\nsee 2.3. ", 20)
	table, seen := NewTable(tok, text), 0
	frame := table.Frame("[1] a\n", "\n\n")
	for from := range 1000 {
		s := span.Span{Start: from, End: from + 1000}
		if codePoint(text, s.Start) != s.Start || codePoint(text, s.End) != s.End {
			continue
		}
		if _, ok := table.Apart(frame, s); ok {
			seen++
		}
	}
	if seen < 800 {
		t.Errorf("%d of 1,000 slices", seen)
	}
}

// Up to settled(x), the document and any other text that begins with the same x
// bytes have the same piece boundaries.
func TestSettled(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for _, name := range Names() {
		tok := named(t, name)
		for range 10_000 {
			// Few signs at a time, so that rare neighbours come about.
			var b strings.Builder
			signs := strings.Split("\t \n AB a A ' l re ! / 1 ª \u0301 漢", " ")
			signs = append(signs, " ", "\t", "\n")
			r.Shuffle(len(signs), func(i, j int) { signs[i], signs[j] = signs[j], signs[i] })
			for range 6 + r.IntN(12) {
				b.WriteString(signs[r.IntN(4)])
			}
			text := b.String()
			table := NewTable(tok, text)
			x := codePoint(text, r.IntN(len(text)+1))
			last := table.settled(x)
			if last < 0 || table.Len() == 0 {
				continue
			}
			other := text[:x] + signs[r.IntN(len(signs))]
			for p, head := 0, 0; head <= last; head = table.headAfter(head) {
				if head != p {
					t.Fatalf("%s: %q has a piece at %d and goes on as %q with none, settled at %d", name, text[:x], head, text[x:], last)
				}
				if p < len(other) {
					p = tok.piece(other, p)
				}
			}
		}
	}
}

// Pieces that are far longer than a token: letters without a blank, in which
// the table counts from the document's tokens (see countLong).
func TestTableInLongPieces(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	tok := named(t, "cl100k_base")
	words := strings.Fields("requests may be retained for thirty days antidisestablishment aaaaaaaa aaa ab ba z 保存期限は 三十日 です данные Straße")
	words = append(words, "\n", " ", "\t", "\n"+strings.Repeat(" ", 400), "\u00a0")
	for range 12 {
		var b strings.Builder
		b.WriteString("So: ")
		for b.Len() < 1200 {
			w := words[r.IntN(len(words))]
			b.WriteString(strings.Repeat(w, 1+max(0, r.IntN(10)-8)*(200/len(w))))
		}
		text := b.String() + " and so on. The end is near, or not.\n"
		table := NewTable(tok, text)
		for range 6 {
			from := codePoint(text, r.IntN(600))
			if r.IntN(2) == 0 {
				from = r.IntN(5)
			}
			s := span.Span{Start: from, End: codePoint(text, len(text)-r.IntN(500))}
			prefix, suffix := edges[r.IntN(len(edges))], append(edges, "days")[r.IntN(len(edges)+1)]
			// A limit near the count keeps the twin short.
			full := tok.Count(prefix + text[s.Start:s.End] + suffix)
			checkTable(t, tok, table, text, prefix, suffix, s, max(0, full-r.IntN(8)))
		}
	}
}

func FuzzTable(f *testing.F) {
	for _, s := range scraps {
		f.Add(s+" "+s, "[12] policy.md\n", "\n\n", uint16(0), uint16(5), uint16(3))
	}
	f.Add("\n  \n  \n  Symbols   \t x", " ", "'s", uint16(1), uint16(20), uint16(4))
	f.Add("ДоговорДоговор", "00000000000", "00", uint16(28), uint16(0), uint16(26)) // more prefix than slice
	f.Fuzz(func(t *testing.T, text, prefix, suffix string, from, to, limit uint16) {
		if len(text) > 600 {
			return
		}
		for _, name := range Names() {
			checkBits(t, named(t, name), text)
		}
		if !utf8.ValidString(text) || !utf8.ValidString(prefix) || !utf8.ValidString(suffix) {
			return
		}
		a, b := codePoint(text, int(from)%(len(text)+1)), codePoint(text, int(to)%(len(text)+1))
		s := span.Span{Start: min(a, b), End: max(a, b)}
		for _, name := range Names() {
			tok := named(t, name)
			table := NewTable(tok, text)
			checkBounds(t, tok, table, text)
			checkTable(t, tok, table, text, prefix, suffix, s, int(limit)%600)
		}
	})
}
