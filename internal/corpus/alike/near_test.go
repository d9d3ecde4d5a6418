package alike

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/text/term"
)

func documents(texts ...string) []*corpus.Document {
	var docs []*corpus.Document
	for i, text := range texts {
		docs = append(docs, &corpus.Document{Version: corpus.Version{Doc: fmt.Sprintf("d%03d", i)}, Text: text})
	}
	return docs
}

// gramsPlain is the definition, written down.
func gramsPlain(text string) map[string]bool {
	words := term.Terms(text)
	grams := map[string]bool{}
	for i := 0; i+5 <= len(words); i++ {
		grams[strings.Join(words[i:i+5], " ")] = true
	}
	if len(grams) == 0 && len(words) > 0 {
		grams[strings.Join(words, " ")] = true
	}
	return grams
}

// nearPlain compares all pairs: the groups, and every near-identical pair.
func nearPlain(docs []*corpus.Document) (groups [][]string, pairs map[Link]bool) {
	var left []*corpus.Document
	for i, d := range docs {
		if !slices.ContainsFunc(docs[:i], func(o *corpus.Document) bool { return o.Text == d.Text }) {
			left = append(left, d)
		}
	}
	pairs = map[Link]bool{}
	group := map[string]int{}
	for i, d := range left {
		group[d.Doc] = i
	}
	for i, a := range left {
		for _, b := range left[i+1:] {
			ga, gb, both := gramsPlain(a.Text), gramsPlain(b.Text), 0
			for g := range ga {
				if gb[g] {
					both++
				}
			}
			all := len(ga) + len(gb) - both
			if all == 0 || float64(both)/float64(all) < 0.9-1e-12 {
				continue
			}
			pairs[Link{a.Doc, b.Doc, both, all}] = true
			from, to := group[b.Doc], group[a.Doc]
			for doc, g := range group {
				if g == from {
					group[doc] = to
				}
			}
		}
	}
	for i := range left {
		var docs []string
		for _, d := range left {
			if group[d.Doc] == group[left[i].Doc] {
				docs = append(docs, d.Doc)
			}
		}
		if len(docs) > 1 && docs[0] == left[i].Doc {
			groups = append(groups, docs)
		}
	}
	return groups, pairs
}

// TestNearIdenticalTwin: random families of texts against all pairs, also with
// hashes that mostly collide.
func TestNearIdenticalTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	hashes := map[string]func(string) uint64{"fnv": fnv, "four": func(s string) uint64 { return fnv(s) % 4 }, "none": func(string) uint64 { return 0 }}
	tied, links := 0, 0
	for round := range 100 {
		docs := documents(family(r)...)
		want, pairs := nearPlain(docs)
		for name, hash := range hashes {
			got := nearIdentical(docs, hash)
			var groups [][]string
			for _, g := range got {
				groups = append(groups, g.Docs)
				if len(g.Links) != len(g.Docs)-1 {
					t.Fatalf("round %d: %d links tie %d documents", round, len(g.Links), len(g.Docs))
				}
				for _, l := range g.Links {
					links++
					if !pairs[l] {
						t.Fatalf("round %d: %v is no near-identical pair", round, l)
					}
				}
			}
			if !reflect.DeepEqual(groups, want) {
				t.Fatalf("round %d, hash %s: got %v, want %v of %d documents", round, name, groups, want, len(docs))
			}
			tied += len(groups)
		}
	}
	if tied < 200 || links < 300 {
		t.Errorf("only %d groups with %d links: the rounds say little", tied, links)
	}
}

// family is texts that are one another's with a few words changed, and strangers.
func family(r *rand.Rand) []string {
	word := func() string { return fmt.Sprintf("w%d", r.IntN(6+r.IntN(60))) }
	var texts []string
	for range 1 + r.IntN(4) {
		base := make([]string, r.IntN(12))
		if r.IntN(3) > 0 {
			base = make([]string, 40+r.IntN(160))
		}
		for i := range base {
			base[i] = word()
		}
		for range 1 + r.IntN(6) {
			words := slices.Clone(base)
			for n := r.IntN(4); n > 0 && len(words) > 0; n-- {
				at := r.IntN(len(words))
				switch r.IntN(3) {
				case 0:
					words[at] = word()
				case 1:
					words = slices.Insert(words, at, word())
				default:
					words = slices.Delete(words, at, at+1)
				}
			}
			texts = append(texts, strings.Join(words, []string{" ", ", ", "\n"}[r.IntN(3)]))
		}
	}
	return texts
}

func TestNearIdentical(t *testing.T) {
	long := strings.Repeat("a b c d e f g h i j k l m n o p q r s t u v w x y z ", 4)
	distinct := make([]string, 99)
	for i := range distinct {
		distinct[i] = fmt.Sprintf("w%d", i)
	}
	n95 := strings.Join(distinct[:99], " ") // 95 grams
	changed := func(n int) string {
		w := slices.Clone(distinct[:n])
		w[n/2] = "other"
		return strings.Join(w, " ")
	}
	for name, c := range map[string]struct {
		texts []string
		want  string
	}{
		"case and signs do not count": {[]string{"Fees: none!", "fees (none)"}, "[{[d000 d001] [{d000 d001 1 1}]}]"},
		"identical ones take no part": {[]string{long, long, long + "."}, "[{[d000 d002] [{d000 d002 26 26}]}]"},
		"90 of 100 is enough":         {[]string{n95, changed(99)}, "[{[d000 d001] [{d000 d001 90 100}]}]"},
		"89 of 99 is not":             {[]string{strings.Join(distinct[:98], " "), changed(98)}, "[]"},
		"no words, no likeness":       {[]string{"", " \n", "…", "---"}, "[]"},
		"pairs of code points":        {[]string{"保証期間は二年です。", "保証期間は、二年です"}, "[]"},
		"the same signs, other blanks": {[]string{"保証期間は二年です。", " 保証期間は二年です\n"},
			"[{[d000 d001] [{d000 d001 4 4}]}]"},
	} {
		if got := fmt.Sprint(NearIdentical(documents(c.texts...))); got != c.want {
			t.Errorf("%s: got %s, want %s", name, got, c.want)
		}
	}
}

func BenchmarkNearIdentical(b *testing.B) {
	docs := documents(prose(10<<20, 2000)...)
	b.SetBytes(10 << 20)
	b.ReportAllocs()
	for b.Loop() {
		NearIdentical(docs)
	}
}

// prose is about size bytes of invented text in n documents, a tenth of them
// another one's near copy.
func prose(size, n int) []string {
	r := rand.New(rand.NewPCG(3, 4))
	texts := make([]string, n)
	for i := range texts {
		if i%10 == 9 {
			texts[i] = strings.Replace(texts[i-1], " the ", " this ", 2)
			continue
		}
		var b strings.Builder
		for b.Len() < size/n {
			for range 6 + r.IntN(14) {
				fmt.Fprintf(&b, "%s%d ", []string{"the ", "word", "fee", "rule"}[r.IntN(4)], int(r.ExpFloat64()*2000))
			}
			fmt.Fprintf(&b, "within %d days. ", r.IntN(100))
		}
		texts[i] = b.String()
	}
	return texts
}

func TestPlain(t *testing.T) {
	for _, same := range [][]string{
		{"May I return opened software?", "may i  return\topened software", "“May I return opened software”?!", "ＭＡＹ I return opened software？"},
		{"Straße?", "STRASSE"},
		{"Don't they pay?", "don’t they pay"},
		{"cafe\u0301", "caf\u00e9 …"},
	} {
		for _, s := range same {
			if Plain(s) != Plain(same[0]) {
				t.Errorf("%q and %q differ: %q, %q", s, same[0], Plain(s), Plain(same[0]))
			}
		}
	}
	for _, other := range [][2]string{{"What is C?", "What is C#?"}, {"Is 10 enough?", "Is 10% enough?"}, {"C", "C++"}, {"€5", "5"}, {"a b", "ab"}} {
		if Plain(other[0]) == Plain(other[1]) {
			t.Errorf("%q and %q are %q", other[0], other[1], Plain(other[0]))
		}
	}
}
