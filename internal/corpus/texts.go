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

// Texts is the first member of a file of texts that another program has read
// from the sources, and the extraction of a corpus that is made of one.
const Texts = "texts/1"

// MaxTexts is the largest texts/1 file, in bytes.
const MaxTexts = 1 << 30

const (
	textsExample = `{"kerf":"texts/1"}`
	separator    = "\n" // of pages, where the header names none
)

var (
	textsKeys = []string{"kerf", "separator"}
	textKeys  = []string{"doc", "text", "page", "source", "access"}
)

// given is one document of a texts/1 file: its lines, joined.
type given struct {
	doc, text string
	pages     []Page
	access    Access       // in bytes of text
	stated    bool         // some line states an access
	at        *jsonl.Value // the first line
	lines     []*givenLine // in file order
	bad       bool         // a line of it is wrong
}

// givenLine is one line, which is one page where the document has several.
type givenLine struct {
	at   *jsonl.Value
	text string
	page string
	Access
}

// texts is a texts/1 file.
type texts struct {
	docs   map[string]*given
	unread bool // some line belongs to nobody knows which document
}

// texts takes a texts/1 file apart.
func (c *checker) texts(file string, content []byte) *texts {
	t := &texts{docs: map[string]*given{}}
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
		c.textLine(t, l.Value)
	}
	for _, doc := range slices.Sorted(maps.Keys(t.docs)) {
		if g := t.docs[doc]; !g.bad {
			g.bad = !c.join(g, join)
		}
	}
	return t
}

// textsHeader is what stands between two pages; ok is false where the line is no
// header, but a document.
func (c *checker) textsHeader(v *jsonl.Value) (join string, ok bool) {
	kind := v.Get("kerf")
	if kind == nil || kind.Text != Texts {
		f := finding.Finding{Code: CodeTexts, Message: "the first line is not the header of a texts/1 file",
			Expected: textsExample, Found: jsonl.Quote(v.Line().Raw), Paste: textsExample}
		if kind != nil {
			f.Hint = fmt.Sprintf("this is a file of kind %q", kind.Text)
		}
		c.add(v, f)
		return separator, kind != nil
	}
	c.unknown(v, "", textsKeys, false)
	s := v.Get("separator")
	switch {
	case s == nil:
		return separator, true
	case s.Kind != jsonl.String:
		c.wrong(v, "separator", "a text, which may be empty")
	}
	return s.Text, true
}

// textLine adds one line to its document.
func (c *checker) textLine(t *texts, v *jsonl.Value) {
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
	l := &givenLine{at: v}
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
		g = &given{doc: e.Doc, at: v}
		t.docs[e.Doc] = g
	}
	g.lines = append(g.lines, l)
	g.stated = g.stated || v.Get("access") != nil
	g.bad = g.bad || c.found.Errors() > before
}

// join makes a document of its lines; ok is false where they are none.
func (c *checker) join(g *given, between string) (ok bool) {
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
func (g *given) joined() Access {
	var a Access
	if first := g.lines[0].Read; first != nil && !slices.ContainsFunc(g.lines, func(l *givenLine) bool { return !slices.Equal(l.Read, first) }) {
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

// json is an access as a manifest has it, "" for none.
func (a Access) json() string {
	list := func(names []string) string {
		quoted := make([]string, len(names))
		for i, n := range names {
			quoted[i] = quote(n)
		}
		return `"read":[` + strings.Join(quoted, ",") + "]"
	}
	var parts []string
	if a.Read != nil {
		parts = append(parts, list(a.Read))
	}
	if len(a.Spans) > 0 {
		spans := make([]string, len(a.Spans))
		for i, r := range a.Spans {
			spans[i] = fmt.Sprintf(`{"start":%d,"end":%d,"unit":"byte",%s}`, r.Start, r.End, list(r.Read))
		}
		parts = append(parts, `"spans":[`+strings.Join(spans, ",")+"]")
	}
	return "{" + strings.Join(parts, ",") + "}"
}
