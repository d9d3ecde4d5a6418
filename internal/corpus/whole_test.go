package corpus

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/span"
)

// The twin of texts: it holds the whole file, every value of it and every text.

// wholeGiven is one document of a texts/1 file: its lines, joined.
type wholeGiven struct {
	doc, text string
	pages     []Page
	access    Access       // in bytes of text
	stated    bool         // some line states an access
	at        *jsonl.Value // the first line
	lines     []*wholeLine // in file order
	bad       bool         // a line of it is wrong
}

// wholeLine is one line, which is one page where the document has several.
type wholeLine struct {
	at   *jsonl.Value
	text string
	page string
	Access
}

// wholeTexts is a texts/1 file.
type wholeTexts struct {
	docs   map[string]*wholeGiven
	unread bool // some line belongs to nobody knows which document
}

// whole takes a texts/1 file apart.
func (c *checker) whole(file string, content []byte) *wholeTexts {
	t := &wholeTexts{docs: map[string]*wholeGiven{}}
	if len(content) > MaxTexts {
		c.found = append(c.found, finding.Finding{Code: CodeText, Severity: finding.Error, File: file,
			Message: fmt.Sprintf("larger than %d bytes, the limit of one file of texts", MaxTexts), Hint: "freeze it in parts, each with a manifest of its own"})
		t.unread = true
		return t
	}
	lines, found := jsonl.ParseFile(file, content)
	c.found = append(c.found, found...)
	t.unread = found.Errors() > 0
	if len(lines) == 0 {
		if !t.unread {
			c.found = append(c.found, finding.Finding{Code: CodeTexts, Severity: finding.Error, File: file, Line: 1, Message: "no line in it", Expected: textsExample})
		}
		t.unread = true
		return t
	}
	join, header := c.textsHeader(lines[0].Value)
	if header {
		lines = lines[1:]
	}
	for _, l := range lines {
		c.wholeLine(t, l.Value)
	}
	for _, doc := range slices.Sorted(maps.Keys(t.docs)) {
		if g := t.docs[doc]; !g.bad {
			g.bad = !c.wholeJoin(g, join)
		}
	}
	return t
}

// wholeLine adds one line to its document.
func (c *checker) wholeLine(t *wholeTexts, v *jsonl.Value) {
	if v.Kind != jsonl.Object {
		c.add(v, finding.Finding{Code: CodeField, Message: "a line that is no object", Expected: "an object", Found: string(v.Kind)})
		t.unread = true
		return
	}
	before := c.found.Errors()
	c.unknown(v, "", textKeys, false)
	if s := v.Get("source"); s != nil && s.Kind != jsonl.String {
		c.wrong(v, "source", "a text")
	}
	e := &entry{at: v, Version: Version{Doc: c.text(v, "doc", true)}}
	l := &wholeLine{at: v}
	if m := v.Get("text"); m == nil || m.Kind != jsonl.String {
		c.wrong(v, "text", "a text, which may be empty")
	} else if p := CheckText([]byte(m.Text)); p != nil {
		c.add(m, finding.Finding{Code: CodeText, Message: fmt.Sprintf("the text of %q: %s", e.Doc, p.Reason), Expected: "UTF-8 text without NUL", Found: p.Bytes,
			Hint: "let the program that wrote it leave that out; kerf does not rewrite texts"})
	} else {
		l.text = m.Text
		if c.access(e); c.found.Errors() == before {
			l.Access = Access{e.Access.Read, c.resolve(e, l.text)}
		}
	}
	if p := v.Get("page"); p != nil {
		n, number := p.Int()
		switch {
		case number:
			l.page = strconv.Itoa(n)
		case p.Kind == jsonl.String && strings.TrimSpace(p.Text) != "":
			l.page = p.Text
		default:
			c.wrong(v, "page", `a text or a whole number: "iv", 4`)
		}
	}
	if e.Doc == "" {
		t.unread = true
		return
	}
	g := t.docs[e.Doc]
	if g == nil {
		g = &wholeGiven{doc: e.Doc, at: v}
		t.docs[e.Doc] = g
	}
	g.lines = append(g.lines, l)
	g.stated = g.stated || v.Get("access") != nil
	g.bad = g.bad || c.found.Errors() > before
}

// wholeJoin makes a document of its lines; ok is false where they are none.
func (c *checker) wholeJoin(g *wholeGiven, between string) (ok bool) {
	before := c.found.Errors()
	seen := map[string]int{}
	last, rises := 0, true
	for _, l := range g.lines {
		number := l.at.Line().Number
		if l.page == "" && len(g.lines) > 1 {
			c.add(l.at, finding.Finding{Code: CodePages, Message: fmt.Sprintf("%q has %d lines, and this one names no page", g.doc, len(g.lines)),
				Expected: `"page" in each line of a document that has several`, Hint: "number them in their order, or delete the line if it is there twice"})
			continue
		}
		if first, twice := seen[l.page]; twice {
			c.add(l.at, finding.Finding{Code: CodePageTwice, Message: fmt.Sprintf("page %s of %q stands in line %d too", l.page, g.doc, first),
				Hint: "delete one of the two lines, or tell the pages apart"})
		}
		seen[l.page] = number
		if n, err := strconv.Atoi(l.page); err == nil {
			if n < last && rises {
				rises = false // said once a document
				c.add(l.at, finding.Finding{Code: CodePageOrder, Severity: finding.Warning,
					Message: fmt.Sprintf("page %d of %q comes after page %d: pages are joined in the order of the file", n, g.doc, last)})
			}
			last = n
		}
	}
	if c.found.Errors() > before {
		return false
	}
	var b strings.Builder
	for i, l := range g.lines {
		if i > 0 {
			b.WriteString(between)
		}
		if l.page != "" {
			g.pages = append(g.pages, Page{l.page, b.Len()})
		}
		b.WriteString(l.text)
		if b.Len() > MaxText {
			break // CheckText says so
		}
	}
	g.text = b.String()
	if p := CheckText([]byte(g.text)); p != nil {
		c.add(g.at, finding.Finding{Code: CodeText, Message: fmt.Sprintf("the text of %q: %s", g.doc, p.Reason)})
		return false
	}
	g.access = g.joined()
	return true
}

// joined is the access of the whole document. What all lines say holds for all
// of it; what some say, for their pages with what separates them from the next.
func (g *wholeGiven) joined() Access {
	var a Access
	if first := g.lines[0].Read; first != nil && !slices.ContainsFunc(g.lines, func(l *wholeLine) bool { return !slices.Equal(l.Read, first) }) {
		a.Read = first
	}
	for i, l := range g.lines {
		page := span.Span{End: len(g.text)}
		if len(g.pages) > 0 {
			page.Start = g.pages[i].Start
		}
		if i+1 < len(g.pages) {
			page.End = g.pages[i+1].Start
		}
		if l.Read != nil && a.Read == nil && !page.Empty() {
			a.Spans = append(a.Spans, Restriction{page, l.Read})
		}
		for _, r := range l.Spans {
			a.Spans = append(a.Spans, Restriction{span.Span{Start: page.Start + r.Start, End: page.Start + r.End}, r.Read})
		}
	}
	return a
}
