package quote

import (
	"math/rand/v2"
	"strings"
	"testing"
)

func TestNear(t *testing.T) {
	for _, c := range []struct{ text, quote, want string }{
		{"Goods may go back within 14 days. Not opened.", "Goods may go back within 30 days.", "Goods may go back within 14 days."},
		{"One. A clerk always files it here with us. Two.", "A clerk files it here with us.", "A clerk always files it here with us."},
		{"x A clerk files here y", "A clerk always files it here", ""},
		{"x The speciﬁc oﬃcer is never closed y", "The specific officer is always closed", "The speciﬁc oﬃcer is never closed"},
		{"Haus\u00ad\nrat und Hof bleibt", "Hausrat und Haus bleibt", "Haus\u00ad\nrat und Hof bleibt"},
		{"nothing of it", "quite another sentence", ""},
		{"規則第一条です", "規則第二条です", "規則第一条です"},
		{"", "a", ""}, {"a", " ", ""},
	} {
		got := ""
		if all := NewWords(c.text).Near(c.quote, 0.67); len(all) > 0 {
			got = c.text[all[0].Start:all[0].End]
		}
		if got != c.want {
			t.Errorf("%q in %q: %q, want %q", c.quote, c.text, got, c.want)
		}
	}
}

// TestNearIsTheNearest compares the first place with trying every stretch.
func TestNearIsTheNearest(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	words := []string{"a", "b", "c", "d"}
	sentence := func(n int) string {
		var all []string
		for range n {
			all = append(all, words[rng.IntN(len(words))])
		}
		return strings.Join(all, " ")
	}
	found := 0
	for range 3000 {
		text, quote := sentence(1+rng.IntN(9)), sentence(1+rng.IntN(4))
		least := -1 // words that the nearest stretch differs in
		parts := strings.Split(text, " ")
		for i := range parts {
			for j := i + 1; j <= len(parts); j++ {
				if r := Resemblance(strings.Join(parts[i:j], " "), quote); least < 0 || r.Differ < least {
					least = r.Differ
				}
			}
		}
		all := NewWords(text).Near(quote, 0.01)
		switch {
		case len(all) == 0 && least < len(strings.Fields(quote)):
			t.Fatalf("%q in %q: none, want one that differs in %d", quote, text, least)
		case len(all) > 0:
			found++
			if q := len(strings.Fields(quote)); all[0].Differ*q > least*all[0].Of {
				t.Fatalf("%q in %q: %+v, want one that differs in %d", quote, text, all[0], least)
			}
			for _, n := range all {
				if r := Resemblance(text[n.Start:n.End], quote); r.Differ != n.Differ || r.Of != n.Of {
					t.Fatalf("%q in %q: %q %+v, compared %+v", quote, text, text[n.Start:n.End], n, r)
				}
			}
		}
	}
	if found < 1000 {
		t.Errorf("only %d", found)
	}
}

func TestDiff(t *testing.T) {
	long := strings.Repeat("word ", 30)
	for _, c := range []struct{ from, to, want string }{
		{"within 30 days", "within 14 days", "within [-30-]{+14+} days"},
		{"Hausrat", "Haus\u00ad\nrat", "[-Hausrat-]{+Haus(U+00AD)⏎rat+}"},
		{"é", "e\u0301", "[-é-]{+e(U+0301)+}"},
		{"fig", "ﬁg", "[-fig-]{+ﬁ(U+FB01)g+}"},
		{"a b", "a b", "a b"},
		{"", "a", "{+a+}"},
		{long + "old " + long, long + "new " + long, "…word word word word [-old-]{+new+} word word word word…"},
	} {
		if got := Diff(c.from, c.to); got != c.want {
			t.Errorf("%q to %q:\n%q, want\n%q", c.from, c.to, got, c.want)
		}
	}
}

// FuzzDiff: what is not gone is the new text, what is not new the old one.
func FuzzDiff(f *testing.F) {
	f.Add("within 30 days", "in 14 days of it")
	f.Add("", "x y")
	f.Fuzz(func(t *testing.T, from, to string) {
		var old, now strings.Builder
		for _, s := range steps(pieces(from), pieces(to)) {
			if s.kind <= 0 {
				old.WriteString(s.text)
			}
			if s.kind >= 0 {
				now.WriteString(s.text)
			}
		}
		if old.String() != from || now.String() != to {
			t.Errorf("%q %q", old.String(), now.String())
		}
		Diff(from, to)
	})
}
