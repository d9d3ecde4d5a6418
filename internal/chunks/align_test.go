package chunks

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// placements is every placement of texts at strictly ascending starts, each from
// its list of places; at most two are needed.
func placements(places [][]span.Span, behind int) [][]span.Span {
	if len(places) == 0 {
		return [][]span.Span{nil}
	}
	var all [][]span.Span
	for _, p := range places[0] {
		if p.Start <= behind {
			continue
		}
		for _, tail := range placements(places[1:], p.Start) {
			all = append(all, append([]span.Span{p}, tail...))
		}
	}
	return all
}

// trial is a document and a list, some of its chunks with offsets.
type trial struct {
	text  string
	texts []string
	given []span.Span // zero: none
}

// try does by exhaustion what Read does: the placement of the whole list, and
// the places of each chunk over all placements, nil where there is none.
func (x trial) try() (whole []span.Span, places [][]span.Span) {
	folded := quote.Blanks().Apply(x.text)
	for _, exactly := range []bool{true, false} {
		var lists [][]span.Span
		for i, text := range x.texts {
			var all []span.Span
			switch {
			case !x.given[i].Empty():
				all = []span.Span{x.given[i]}
			case exactly:
				for _, p := range quote.Find(x.text, text) {
					all = append(all, span.Span{Start: p, End: p + len(text)})
				}
			default:
				all = folded.Find(quote.Blanks().Quote(text))
			}
			lists = append(lists, all)
		}
		all := placements(lists, -1)
		if len(all) == 1 {
			return all[0], nil
		}
		if len(all) > 1 {
			places = make([][]span.Span, len(x.texts))
			for _, one := range all {
				for i, p := range one {
					places[i] = append(places[i], p)
				}
			}
			for i := range places {
				slices.SortFunc(places[i], span.Compare)
				places[i] = slices.Compact(places[i])
			}
			return nil, places
		}
	}
	return nil, nil
}

func (x trial) lines() string {
	var b strings.Builder
	b.WriteString(header("byte"))
	for i, text := range x.texts {
		if g := x.given[i]; g.Empty() {
			fmt.Fprintf(&b, `{"doc":"d","id":"c#%d","text":%s}`+"\n", i, quoted(text))
		} else {
			fmt.Fprintf(&b, `{"doc":"d","id":"c#%d","start":%d,"end":%d}`+"\n", i, g.Start, g.End)
		}
	}
	return b.String()
}

// TestAlignEqualsTryingEverything: small random lists, cut from their documents
// and spoilt, against all placements.
func TestAlignEqualsTryingEverything(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	pick := func(s string) string { return string(s[rng.IntN(len(s))]) }
	var unique, several, none, folded, waiting int
	for range 60_000 {
		var b strings.Builder
		for range 1 + rng.IntN(12) {
			b.WriteString(pick("aab  \n"))
		}
		x := trial{text: b.String()}
		from := 0
		for range 1 + rng.IntN(4) {
			start := rng.IntN(len(x.text))
			if from < len(x.text) && rng.IntN(4) > 0 {
				start = from + rng.IntN(min(3, len(x.text)-from))
			}
			end := min(len(x.text), start+1+rng.IntN(4))
			text, given := x.text[start:end], span.Span{}
			from = start + 1
			switch rng.IntN(8) {
			case 0:
				text = strings.Join(strings.Fields(text), " ")
			case 1:
				text = strings.ReplaceAll(text, " ", "\n\n")
			case 2:
				text += pick("ab")
			case 3, 4:
				given = span.Span{Start: start, End: end}
			}
			if strings.TrimSpace(text) == "" {
				text, given = "-", span.Span{Start: start, End: end}
			}
			x.texts, x.given = append(x.texts, text), append(x.given, given)
		}
		if !slices.ContainsFunc(x.given, span.Span.Empty) {
			continue
		}
		whole, places := x.try()
		table, found := Read("t", []byte(x.lines()), documents("d", x.text))
		fail := func() { t.Fatalf("%q\n%s\n%+v\n%v\nwant %v or %v", x.text, x.lines(), table, found, whole, places) }
		if whole != nil {
			if found != nil || !slices.Equal(spans(table), whole) || len(table.Open) > 0 {
				fail()
			}
			unique++
			folded += table.Folded
			continue
		}
		// Only the given ones have a place, and every other one is listed.
		open := map[string]Open{}
		for _, o := range table.Open {
			open[o.ID] = o
		}
		if found.Errors() == 0 || len(table.Chunks) != table.Verified || len(open)+table.Verified != len(x.texts) {
			fail()
		}
		for i, g := range x.given {
			if !g.Empty() {
				continue
			}
			o := open[fmt.Sprintf("c#%d", i)]
			switch {
			case places == nil && (o.Reason == NotFound) != (len(quote.Blanks().Apply(x.text).Find(quote.Blanks().Quote(x.texts[i]))) == 0):
				fail()
			case places == nil:
			case len(places[i]) == 1 && o.Reason != Waiting:
				fail()
			case len(places[i]) > 1 && (o.Reason != Ambiguous || !slices.Equal(o.Places, places[i]) || o.More):
				fail()
			}
			if o.Reason == Waiting {
				waiting++
			}
		}
		if places == nil {
			none++
		} else {
			several++
		}
	}
	if unique < 3000 || several < 3000 || none < 3000 || folded < 500 || waiting < 500 {
		t.Errorf("%d unique, %d several, %d none, %d folded, %d waiting: the trials say too little", unique, several, none, folded, waiting)
	}
}

// TestEncode: what is written reads back as the same chunks, all of them with
// offsets.
func TestEncode(t *testing.T) {
	c := documents("d", "é one\n\ntwo", "e", "x")
	content := `{"kerf":"chunks/1","made_by":"x","unit":"codepoint"}
{"id":"a","doc":"d","text":"é one","page":3,"start":null}

{"id":"b","doc":"d","text":"one two","prefix":"T: \u0007"}
{"id":"c","doc":"e","start":0,"end":1,"text":"x"}
`
	table, found := Read("t", []byte(content), c)
	if len(found) > 0 {
		t.Fatal(found)
	}
	out, err := table.Encode([]byte(content), c)
	if err != nil {
		t.Fatal(err)
	}
	d, e := c.Documents[0].Version.Version, c.Documents[1].Version.Version
	want := `{"kerf":"chunks/1","unit":"codepoint","made_by":"x"}
{"doc":"d","id":"a","version":"` + d + `","start":0,"end":5,"page":3}
{"doc":"d","id":"b","version":"` + d + `","start":2,"end":10,"prefix":"T: \u0007"}
{"doc":"e","id":"c","version":"` + e + `","start":0,"end":1}
`
	if string(out) != want {
		t.Errorf("%s\nwant\n%s", out, want)
	}
	again(t, table, out, c)
	content = strings.Replace(content, "codepoint", "token:words", 1)
	table, found = Read("t", []byte(content), c)
	if len(found) > 0 {
		t.Fatal(found)
	}
	if _, err := table.Encode([]byte(content), c); err == nil || !strings.Contains(err.Error(), `chunk "a" of "d"`) {
		t.Errorf("a place that the unit cannot name: %v", err)
	}
}
