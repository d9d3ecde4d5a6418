package alike

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode"

	"kerf/internal/corpus"
	"kerf/internal/text/term"
)

func TestSentences(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"stops":            {"One. Two! Three? Four… Five", []string{"One.", "Two!", "Three?", "Four…", "Five"}},
		"no stop":          {"Pay 1,000.50 at kerf.example/a.b now.", []string{"Pay 1,000.50 at kerf.example/a.b now."}},
		"closers":          {`He said "no." (Twice.) “Why?” she asked.`, []string{`He said "no."`, "(Twice.)", "“Why?”", "she asked."}},
		"line break":       {"one\ntwo.\r\nthree", []string{"one\ntwo.", "three"}},
		"blank line":       {"one\n \ntwo", []string{"one", "two"}},
		"wide":             {"保証は二年です。返品は不可！", []string{"保証は二年です。", "返品は不可！"}},
		"heading":          {"# Fees\nWe pay\nlate.\n## 2 Returns ##\nNone", []string{"Fees", "We pay\nlate.", "Returns ##", "None"}},
		"clauses":          {"2.3 Pay now.\n\n2. Wait\n3) Go\n(4) Stop\n(a) Sit\n30 days it is", []string{"Pay now.", "Wait", "Go", "Stop", "Sit\n30 days it is"}},
		"list":             {"- one\n- 2.1 two\n* three\n> four\n-5 degrees\n**bold** text", []string{"one", "two", "three", "four\n-5 degrees\n**bold** text"}},
		"table":            {"Fees:\n| a | 1 b |\n| c | d |\nend", []string{"Fees:", "| a | 1 b |", "| c | d |", "end"}},
		"nothing":          {" \n\n", nil},
		"a sign alone":     {"#\n- \n>", nil},
		"not a number (x)": {"(see below) text\n(ab) text", []string{"(see below) text\n(ab) text"}},
	} {
		var got []string
		for _, s := range Sentences(c.text) {
			got = append(got, c.text[s.Start:s.End])
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func FuzzSentences(f *testing.F) {
	f.Add("# 2 Fees\n\n2.3 Pay €1,000.50 (10 %). Or −5!\n| a | b |\n- (a) x")
	f.Add("。\u2028.\xff 5\u00a0€")
	f.Fuzz(func(t *testing.T, text string) {
		last := 0
		for _, s := range Sentences(text) {
			if s.Start < last || s.End <= s.Start || s.End > len(text) || strings.TrimSpace(text[s.Start:s.End]) != text[s.Start:s.End] {
				t.Fatalf("%v after %d in %q", s, last, text)
			}
			last = s.End
			sentence := text[s.Start:s.End]
			m := mask(sentence)
			if strings.Count(m.key, "\x02") != len(m.numbers) || strings.Count(m.key, "\x01")+len(m.numbers) != m.words {
				t.Fatalf("mask %q: %+v", sentence, m)
			}
		}
		for _, h := range Sections(text) {
			if h.Start >= len(text) || strings.Contains(h.Title, "\n") {
				t.Fatalf("section %v of %q", h, text)
			}
		}
	})
}

func TestMask(t *testing.T) {
	for _, c := range []struct{ sentence, key, numbers string }{
		{"A deposit of €150.", "a deposit of #", "€150"},
		{"A deposit of 150 € paid", "a deposit of # paid", "€150"},
		{"A deposit of € 150, or £20", "a deposit of # or #", "€150 £20"},
		{"Pay 1,000.50 or 1.000,50 or 1'000 or 1\u202f000", "pay # or # or # or #", "1000.50 1000.50 1000 1000"},
		{"1,000 and 1000 and 12.5 and 12,5", "# and # and # and #", "1000 1000 12.5 12.5"},
		{"at 10%, 5 % or 3‰", "at # # or #", "10% 5% 3‰"},
		{"-5 to −3 °C, 3-5 and 3–5", "# to # c # # and # #", "-5 -3 3 5 3 5"},
		{"-€5 is €-5", "# is #", "€-5 €-5"},
		{"Q3 of ISO9001, COVID-19, 30kg", "q3 of iso9001 covid # # kg", "19 30"},
		{"٣٠ days, 30 days, ３０ days, 𝟛𝟘 days", "# days # days # days # days", "30 30 30 30"},
		{"On 10.12.2026 at 5:30", "on # at # #", "10.12.2026 5 30"},
		{"5 €10, 5 € 10", "# # # #", "5 €10 €5 10"},
		{"at most 7 days.", "at most # days", "7"},
		{"seven days", "", ""},
	} {
		m := mask(c.sentence)
		key := strings.TrimPrefix(strings.NewReplacer("\x01", " ", "\x02", " #").Replace(m.key), " ")
		if key != c.key || strings.Join(m.numbers, " ") != c.numbers {
			t.Errorf("%q: got %q %q, want %q %q", c.sentence, key, m.numbers, c.key, c.numbers)
		}
	}
}

func TestDigit(t *testing.T) {
	n := 0
	for r := rune(0); r <= unicode.MaxRune; r++ {
		if unicode.IsDigit(r) {
			if d := digit(r); d != n%10 {
				t.Fatalf("%U is %d, want %d", r, d, n%10)
			}
			n++
		}
	}
}

// otherPlain compares every sentence with every other one of another document.
// It gives the places that stand against one another, as doc:start.
func otherPlain(docs []*corpus.Document) []string {
	type sentence struct {
		doc, at       int
		words, values string
	}
	var all []sentence
	for i, d := range docs {
		for _, s := range Sentences(d.Text) {
			if m := mask(d.Text[s.Start:s.End]); m.words >= 6 && len(m.numbers) > 0 {
				all = append(all, sentence{i, s.Start, m.key, fmt.Sprint(m.numbers)})
			}
		}
	}
	// everywhere: each document that has the words has them with these values.
	everywhere := func(s sentence) bool {
		return !slices.ContainsFunc(all, func(o sentence) bool {
			return o.words == s.words && !slices.ContainsFunc(all, func(p sentence) bool { return p.doc == o.doc && p.words == s.words && p.values == s.values })
		})
	}
	var places []string
	for _, a := range all {
		for _, b := range all {
			if a.doc != b.doc && a.words == b.words && !everywhere(a) && !everywhere(b) {
				places = append(places, fmt.Sprintf("%s:%d", docs[a.doc].Doc, a.at))
			}
		}
	}
	slices.Sort(places)
	return slices.Compact(places)
}

func TestOtherNumbersTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	found := 0
	for round := range 1000 {
		docs := make([]string, 2+r.IntN(4))
		for i := range docs {
			for range r.IntN(6) {
				docs[i] += fmt.Sprintf("%s pays %s%d within %d %s of it. ", []string{"He", "She", "Who"}[r.IntN(3)], []string{"€", ""}[r.IntN(2)], 1+r.IntN(2), 1+r.IntN(2), []string{"days", "full days"}[r.IntN(2)])
			}
		}
		var got []string
		for _, c := range OtherNumbers(documents(docs...)) {
			for _, p := range c.Places {
				got = append(got, fmt.Sprintf("%s:%d", p.Doc, p.Start))
			}
		}
		slices.Sort(got)
		found += len(got)
		if want := otherPlain(documents(docs...)); !slices.Equal(got, want) {
			t.Fatalf("round %d: got %v, want %v of %q", round, got, want, docs)
		}
	}
	if found < 1000 {
		t.Errorf("only %d places", found)
	}
}

func TestOtherNumbers(t *testing.T) {
	a := "# Fees\n\n2.3 A late return costs €5 a day.\n\nZone 1 is served in 3 days.\nZone 2 is served in 5 days.\n"
	b := "A late RETURN costs\n€1,000 a day! Zone 1 is served in 3 days.\n"
	got := fmt.Sprintf("%+v", OtherNumbers(documents(a, b, "A late return costs €5 a day.")))
	want := "[{Places:[{Doc:d000 Line:3 Page: Start:12 End:43 Text:A late return costs €5 a day. Numbers:[€5]}" +
		" {Doc:d001 Line:1 Page: Start:0 End:35 Text:A late RETURN costs\n€1,000 a day! Numbers:[€1000]}" +
		" {Doc:d002 Line:1 Page: Start:0 End:31 Text:A late return costs €5 a day. Numbers:[€5]}]}]"
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if got := OtherNumbers(documents("Pay 5 euros a day.", "Pay 6 euros a day.")); got != nil {
		t.Errorf("five words are too few: %v", got)
	}
	if got := OtherNumbers(documents("Clause 2 asks for 5 euros a day. Clause 3 asks for 6 euros a day.", "Clause 2 asks for 5 euros a day.")); got != nil {
		t.Errorf("one document says more than the other: %v", got)
	}
}

// TestHandbookWording: the deliberate contradiction of the example is worded
// differently in its two documents, so the definition does not see it.
func TestHandbookWording(t *testing.T) {
	var texts []string
	for _, name := range []string{"expenses.md", "security.md"} {
		content, err := os.ReadFile(filepath.Join("../../../examples/handbook/docs", name))
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(content))
	}
	if got := OtherNumbers(documents(texts...)); got != nil {
		t.Errorf("got %v", got)
	}
	if same, all := overlap(texts[0], texts[1]); same > 10 || all < 1500 {
		t.Errorf("%d of %d grams", same, all)
	}
}

func TestSections(t *testing.T) {
	text := "start\n# One #\ntext\n```\n# code\n```\n####### seven\n#tag\n### 2 Two\nend"
	if got, want := fmt.Sprint(Sections(text)), "[{6 One} {53 2 Two}]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func BenchmarkOtherNumbers(b *testing.B) {
	docs := documents(prose(10<<20, 2000)...)
	b.SetBytes(10 << 20)
	b.ReportAllocs()
	for b.Loop() {
		OtherNumbers(docs)
	}
}

// words of a masked sentence are lexical terms where there is no number.
func TestMaskKeepsTerms(t *testing.T) {
	m := mask("Der Käufer zahlt, spätestens, 5 Tage danach")
	if want := len(term.Terms("Der Käufer zahlt spätestens Tage danach")) + 1; m.words != want {
		t.Errorf("%d words, want %d", m.words, want)
	}
}
