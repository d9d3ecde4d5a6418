package labels

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// readW3C reads Web Annotations (W3C Web Annotation Data Model, 2017), a list, a
// page's items, or one a line. The body's text is the question; every target is a
// passage that the answer needs: a source, and a selector that is a
// TextQuoteSelector (exact, prefix, suffix), a TextPositionSelector (start and end
// in code points), or a list of both, which must agree. refinedBy selects inside
// of what its selector selects.
func readW3C(files []File, names Names, c *corpus.Corpus) *foreign {
	out := &foreign{Unit: coord.CodePoint}
	byID := map[string]int{} // index of the question
	for _, f := range files {
		s := newSource(f, out)
		rows := s.rows()
		if len(rows) == 1 && rows[0].Get("items") != nil {
			rows, _ = s.list(rows[0], "items")
		}
		for _, v := range rows {
			out.questions++
			q := question{At: s.of(v), Question: golden.Question{QID: name(v.Get("id"))}}
			if q.QID == "" {
				q.QID = fmt.Sprintf("w3c-%04d", out.questions)
			}
			var ok bool
			if q.Text, ok = s.body(v); !ok {
				continue
			}
			target := s.get(v, "target", jsonl.Object, jsonl.Array, jsonl.String)
			if target == nil {
				continue
			}
			var set []claim
			for _, t := range oneOrMore(target) {
				one, good := s.target(t, names, c)
				ok = ok && good
				set = append(set, one)
			}
			if !ok {
				continue
			}
			if first, is := byID[before(q.QID)]; is && out.Questions[first].Text == q.Text {
				out.Questions[first].Sets = append(out.Questions[first].Sets, set)
				out.questions--
				continue
			}
			q.Sets = [][]claim{set}
			byID[q.QID] = len(out.Questions)
			out.Questions = append(out.Questions, q)
		}
	}
	return out
}

// before is the id before #2, #3, …, "" if it does not end so.
func before(id string) string {
	i := strings.LastIndexByte(id, '#')
	if i < 0 {
		return ""
	}
	if n, err := strconv.Atoi(id[i+1:]); err != nil || n < 2 {
		return ""
	}
	return id[:i]
}

func oneOrMore(v *jsonl.Value) []*jsonl.Value {
	if v.Kind == jsonl.Array {
		return v.Elems
	}
	return []*jsonl.Value{v}
}

// body is the question: bodyValue, or the only body that is a text and no tag.
func (s *source) body(v *jsonl.Value) (string, bool) {
	if b := v.Get("bodyValue"); b != nil && b.Kind == jsonl.String {
		return b.Text, true
	}
	b := s.get(v, "body", jsonl.Object, jsonl.Array, jsonl.String)
	if b == nil {
		return "", false
	}
	var texts []string
	for _, e := range oneOrMore(b) {
		if text := e.Get("value"); text != nil && text.Kind == jsonl.String && name(e.Get("purpose")) != "tagging" {
			texts = append(texts, text.Text)
		}
	}
	if len(texts) != 1 {
		s.add(s.of(b), finding.Finding{Code: CodeNothing, Message: "a body that is not one question", Expected: `one {"type":"TextualBody","value":"…"} besides tags`, Found: fmt.Sprintf("%d texts", len(texts))})
		return "", false
	}
	return texts[0], true
}

// target is the claim of one target.
func (s *source) target(t *jsonl.Value, names Names, c *corpus.Corpus) (claim, bool) {
	stated := claim{At: s.of(t)}
	if t.Kind != jsonl.Object {
		s.wrong(t, "an object with source and selector")
		return stated, false
	}
	src := s.get(t, "source", jsonl.String, jsonl.Object)
	sel := s.get(t, "selector", jsonl.Object, jsonl.Array)
	if src == nil || sel == nil {
		return stated, false
	}
	if src.Kind == jsonl.Object {
		src = s.get(src, "id", jsonl.String)
		if src == nil {
			return stated, false
		}
	}
	stated.Doc = names.doc(src.Text)
	refined := false
	for _, e := range oneOrMore(sel) {
		if !s.selector(e, &stated) {
			return stated, false
		}
		refined = refined || e.Get("refinedBy") != nil
	}
	if !refined {
		return stated, true
	}
	d := c.Find(stated.Doc)
	if d == nil { // Prove says so
		return stated, true
	}
	return s.refined(sel, stated, d)
}

// selector reads one selector and those that refine it, and keeps in the claim
// what a selector without refinement says.
func (s *source) selector(v *jsonl.Value, stated *claim) bool {
	kind := s.get(v, "type", jsonl.String)
	if kind == nil {
		return false
	}
	switch kind.Text {
	case "TextQuoteSelector":
		exact, ok := s.text(v, "exact")
		if !ok {
			return false
		}
		if stated.Quote != "" && stated.Quote != exact {
			s.add(s.of(v), finding.Finding{Code: CodeDisagree, Message: "two quotes of one target", Expected: jsonl.Quote(stated.Quote), Found: jsonl.Quote(exact)})
			return false
		}
		stated.Quote, stated.Prefix, stated.Suffix = exact, name(v.Get("prefix")), name(v.Get("suffix"))
	case "TextPositionSelector":
		start, end := s.get(v, "start", jsonl.Number), s.get(v, "end", jsonl.Number)
		if start == nil || end == nil {
			return false
		}
		a, ok1 := s.int(start)
		b, ok2 := s.int(end)
		if !ok1 || !ok2 {
			return false
		}
		if stated.Offset && (stated.Start != a || stated.End != b) {
			s.add(s.of(v), finding.Finding{Code: CodeDisagree, Message: "two positions of one target", Expected: span.Span{Start: stated.Start, End: stated.End}.String(), Found: span.Span{Start: a, End: b}.String()})
			return false
		}
		stated.Start, stated.End, stated.Offset = a, b, true
	default:
		s.add(s.of(kind), finding.Finding{Code: CodeSelector, Message: "a selector that kerf does not follow", Expected: "TextQuoteSelector or TextPositionSelector", Found: jsonl.Quote(kind.Text)})
		return false
	}
	if r := v.Get("refinedBy"); r != nil {
		for _, e := range oneOrMore(r) {
			if !s.selector(e, &claim{}) {
				return false
			}
		}
	}
	return true
}

// refined follows selectors with refinements to the one place that all of them
// select, which a quote among them must prove.
func (s *source) refined(sel *jsonl.Value, stated claim, d *corpus.Document) (claim, bool) {
	places, quoted := selected(sel, d.Text, []span.Span{{Start: 0, End: len(d.Text)}})
	switch {
	case !quoted:
		s.add(stated.At, finding.Finding{Code: CodeUnproved, Message: "positions without a quote that would prove them", Expected: "a TextQuoteSelector among the selectors"})
		return stated, false
	case len(places) != 1:
		f := finding.Finding{Code: CodeDisagree, Message: fmt.Sprintf("the selectors lead to %d places of %s", len(places), d.Doc), Expected: "exactly one place"}
		for i, b := range places[:min(len(places), mostPlaces)] {
			if i > 0 {
				f.Found += ", "
			}
			f.Found += span.Span{Start: utf8.RuneCountInString(d.Text[:b.Start]), End: utf8.RuneCountInString(d.Text[:b.End])}.String()
		}
		s.add(stated.At, f)
		return stated, false
	}
	b := places[0]
	start := utf8.RuneCountInString(d.Text[:b.Start])
	quote := d.Text[b.Start:b.End]
	return claim{Doc: stated.Doc, Offset: true, Start: start, End: start + utf8.RuneCountInString(quote), Quote: quote, At: stated.At}, true
}

// selected is where a selector, or all of a list, select inside of each of within;
// quoted, whether a quote is among them.
func selected(v *jsonl.Value, text string, within []span.Span) (places []span.Span, quoted bool) {
	if v.Kind == jsonl.Array {
		for i, e := range v.Elems {
			more, q := selected(e, text, within)
			quoted = quoted || q
			if i == 0 {
				places = more
			} else {
				places = both(places, more)
			}
		}
		return places, quoted
	}
	quoted = name(v.Get("type")) == "TextQuoteSelector"
	for _, w := range within {
		if quoted {
			exact := name(v.Get("exact"))
			for _, at := range quote.Find(text[w.Start:w.End], exact) {
				b := span.Span{Start: w.Start + at, End: w.Start + at + len(exact)}
				if !b.Empty() && strings.HasSuffix(text[:b.Start], name(v.Get("prefix"))) && strings.HasPrefix(text[b.End:], name(v.Get("suffix"))) {
					places = append(places, b)
				}
			}
			continue
		}
		m := coord.New(text[w.Start:w.End])
		start, _ := v.Get("start").Int()
		end, _ := v.Get("end").Int()
		a, err1 := m.Byte(coord.CodePoint, start)
		b, err2 := m.Byte(coord.CodePoint, end)
		if err1 == nil && err2 == nil && a < b {
			places = append(places, span.Span{Start: w.Start + a, End: w.Start + b})
		}
	}
	if r := v.Get("refinedBy"); r != nil {
		inner, q := selected(r, text, places)
		return inner, quoted || q
	}
	return places, quoted
}

// both are the spans of a that are in b too.
func both(a, b []span.Span) []span.Span {
	in := map[span.Span]bool{}
	for _, s := range b {
		in[s] = true
	}
	var out []span.Span
	for _, s := range a {
		if in[s] {
			out = append(out, s)
		}
	}
	return out
}
