package golden

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kerf/internal/corpus"
	"kerf/internal/corpus/alike"
	"kerf/internal/finding"
	"kerf/internal/text/term"
)

// labelled is a set of one question on places of documents: doc, quote, doc,
// quote, …; sets are of names a, b, ….
func labelled(t *testing.T, c *corpus.Corpus, support string, spans ...string) string {
	t.Helper()
	var members []string
	for i := 0; i < len(spans); i += 2 {
		at := strings.Index(c.Find(spans[i]).Text, spans[i+1])
		if at < 0 {
			t.Fatalf("%s does not hold %q", spans[i], spans[i+1])
		}
		members = append(members, fmt.Sprintf(`"%c":{"doc":%s,"start":%d,"end":%d,"quote":%s}`, 'a'+i/2, quoted(spans[i]), at, at+len(spans[i+1]), quoted(spans[i+1])))
	}
	return `{"kerf":"golden/1","unit":"byte"}` + "\n" + `{"support":` + support + `,"qid":"q","question":"Q?","spans":{` + strings.Join(members, ",") + `},"origin":"log","adjudication":{"state":"agreed"}}` + "\n"
}

func only(found finding.List, code string) finding.List {
	return slices.DeleteFunc(slices.Clone(found), func(f finding.Finding) bool { return f.Code != code })
}

// TestCopyIsProposed: the pasted line is legal, has the set, and nothing more is
// proposed then.
func TestCopyIsProposed(t *testing.T) {
	c := documents("a", "Fees are 5 EUR. Students pay nothing. End.", "b", "é Students\n  pay nothing. And: fees are 5. Fees are  5 EUR.", "c", "Fees are 5 EUR.")
	content := labelled(t, c, `[["a","b"]]`, "a", "Fees are 5 EUR.", "a", "Students pay nothing.")
	_, found := problems(content, c, false)
	copies := only(found, CodeCopy)
	if len(copies) != 1 || !strings.Contains(copies[0].Found, "set 1: b [44,60) + [3,26)") {
		t.Fatal(found)
	}
	if others := only(found, CodeElsewhere); len(others) != 1 || !strings.Contains(others[0].Found, "c [0,15)") || strings.Contains(others[0].Found, "b [") {
		t.Fatal(others)
	}
	rows := strings.SplitAfter(content, "\n")
	set, found := problems(rows[0]+copies[0].Paste+"\n", c, false)
	if len(only(found, CodeCopy)) > 0 || found.Errors() > 0 || len(found) != 2 { // K153: the fee stands in c, too
		t.Error(found)
	}
	q := set.Questions[0]
	if len(q.Support) != 2 || q.Support[1][0].Name != "a-2" || q.Support[1][1].Quote != "Students\n  pay nothing." || q.Support[1][0].Prefix == "" {
		t.Errorf("%+v", q.Support[1])
	}
}

func TestCopies(t *testing.T) {
	text := "One is quite enough here now. Two is quite enough here now."
	const five, six = "a b c d e", "a b c d e f"
	c := documents("a", text, "b", text, "c", text+" Two is quite enough here now.", "d", "One is quite enough here now.")
	for name, x := range map[string]struct {
		content string
		says    string // "" if nothing is proposed
	}{
		"one span":        {labelled(t, c, `[["a"]]`, "a", "One is quite enough here now."), "3 places"},
		"labelled":        {labelled(t, c, `[["a"],["b"]]`, "a", "One is quite enough here now.", "d", "One is quite enough here now."), "2 places"},
		"sets of copies":  {labelled(t, c, `[["a"],["b"],["c"]]`, "a", "One is quite enough here now.", "d", "One is quite enough here now.", "c", "One is quite enough here now."), "in b"},
		"two spans":       {labelled(t, c, `[["a","b"]]`, "a", "One is quite enough here now.", "a", "Two is quite enough here now."), "stands in 2 places of c"},
		"over documents":  {labelled(t, c, `[["a","b"]]`, "d", "One is quite enough here now.", "b", "Two is quite enough here now."), `\"b\":`},
		"within":          {strings.Replace(labelled(t, c, `[["a"]]`, "a", "One is quite enough here now."), `"qid"`, `"within":["a"],"qid"`, 1), ""},
		"nowhere else":    {labelled(t, c, `[["a"]]`, "a", "here now. Two is quite enough"), "2 places"},
		"five words":      {labelled(t, documents("a", five, "b", five), `[["a"]]`, "a", five), ""},
		"six words":       {labelled(t, documents("a", six, "b", six), `[["a"]]`, "a", six), "in b"},
		"at its own part": {labelled(t, documents("a", "x is x is x is x is x"), `[["a"]]`, "a", "x is x is x is x"), ""},
	} {
		docs := c
		switch name {
		case "at its own part":
			docs = documents("a", "x is x is x is x is x")
		case "five words":
			docs = documents("a", five, "b", five)
		case "six words":
			docs = documents("a", six, "b", six)
		}
		_, found := problems(x.content, docs, false)
		copies := only(found, CodeCopy)
		if found.Errors() > 0 || (len(copies) > 0) != (x.says != "") {
			t.Errorf("%s: %v", name, found)
		} else if x.says != "" && !strings.Contains(quoted(copies[0].String()), x.says) {
			t.Errorf("%s: %q is not said by %s", name, x.says, copies[0])
		}
	}
}

// TestAlternativesTwin: random sets over random documents, against a search
// through the words of each document.
func TestAlternativesTwin(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	words := func(s string) string { return strings.Join(strings.Fields(s), " ") }
	proposed := 0
	for range 2000 {
		var pairs []string
		for i := range 2 + r.IntN(4) {
			text := ""
			for range 1 + r.IntN(6) {
				text += []string{"a b c d e f", "c d", "e f g h i", "."}[r.IntN(4)] + []string{" ", "\n", "  ", ""}[r.IntN(4)]
			}
			pairs = append(pairs, fmt.Sprint("d", i), text+"|"+fmt.Sprint(i))
		}
		c := documents(pairs...)
		var spans []string
		var names []string
		for range 1 + r.IntN(3) {
			d := c.Documents[r.IntN(len(c.Documents))]
			at := r.IntN(len(d.Text))
			q := d.Text[at : at+1+r.IntN(len(d.Text)-at)]
			if words(q) == "" || slices.Contains(spans, q) {
				continue
			}
			names = append(names, quoted(string(rune('a'+len(spans)/2))))
			spans = append(spans, d.Doc, q)
		}
		if len(spans) == 0 {
			continue
		}
		set, found := Read("g", []byte(labelled(t, c, "[["+strings.Join(names, ",")+"]]", spans...)), c)
		if found.Errors() > 0 {
			t.Fatal(found)
		}
		k := &checker{set: set, places: newPlaces(c, set.Unit), stands: map[string][]place{}}
		k.stand()
		var got, want []string
		for _, a := range k.alternatives(set.Questions[0]) {
			got = append(got, a.doc.Doc)
		}
		for _, d := range c.Documents {
			all, own, n := true, true, 0
			for i := 0; i < len(spans); i += 2 {
				all = all && (spans[i] == d.Doc || strings.Contains(words(d.Text), words(spans[i+1])))
				own = own && spans[i] == d.Doc
				n += len(term.Terms(spans[i+1]))
			}
			if all && !own && n >= 6 {
				want = append(want, d.Doc)
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%q in %q: got %v, want %v", spans, pairs, got, want)
		}
		proposed += len(got)
		content := labelled(t, c, "[["+strings.Join(names, ",")+"]]", spans...)
		_, found = problems(content, c, false)
		for _, f := range only(found, CodeCopy) {
			if _, found := Read("g", []byte(strings.SplitAfter(content, "\n")[0]+f.Paste), c); f.Paste != "" && found.Errors() > 0 {
				t.Fatalf("%s\n%v", f.Paste, found)
			}
		}
	}
	if proposed < 300 {
		t.Errorf("only %d", proposed)
	}
}

func TestContradicted(t *testing.T) {
	c := documents("a", "# Fees\nA late return costs 5 euros a day. End.", "b", "A late return costs 6 euros a day.", "c", "A late return costs 7 euros a day.")
	all := alike.OtherNumbers(c.Documents)
	content := labelled(t, c, `[["a","b"]]`, "a", "costs 5 euros", "a", "End.")
	set, _ := problems(content, c, false)
	found := Contradicted(set, all)
	if len(found) != 1 || found[0].Code != CodeOtherNumbers || !strings.Contains(found[0].Found, `b:1 "A late return costs 6 euros a day.", c:1`) || found[0].Severity != finding.Warning {
		t.Error(found)
	}
	set, _ = problems(strings.Replace(content, `"qid"`, `"within":["a"],"qid"`, 1), c, false)
	if found := Contradicted(set, all); len(found) > 0 {
		t.Error("a document that is not searched contradicts nothing", found)
	}
}

func TestSplits(t *testing.T) {
	c := documents("a", "Top.\n# One\nFirst.\nSecond.\n## Two\nThird.", "b", "Other.")
	set, _ := problems(labelled(t, c, `[["a","b"],["b","c"],["c","d"],["a","e"]]`, "a", "First.", "a", "Second.", "a", "Third.", "a", "Top.", "b", "Other."), c, false)
	want := "[{q 2 [{b a 4  One} {c a 6  Two}]} {q 3 [{c a 6  Two} {d a 1  }]} {q 4 [{a a 3  One} {e b 1  }]}]"
	if got := fmt.Sprint(Splits(set, c)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
