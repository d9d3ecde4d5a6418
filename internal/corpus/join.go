package corpus

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"kerf/internal/finding"
	"kerf/internal/text/span"
)

// openTexts opens a file of texts. One that cannot be read at any place is held in
// memory.
func openTexts(fsys fs.FS, name string) (*texts, error) {
	f, err := open(fsys, name)
	if err != nil {
		return nil, err
	}
	t := &texts{file: name, docs: map[string]*given{}, open: f}
	if at, ok := f.(io.ReaderAt); ok {
		t.lines = at
		return t, nil
	}
	content, err := io.ReadAll(io.LimitReader(f, MaxTexts+1))
	t.lines = bytes.NewReader(content)
	if err != nil {
		t.close()
	}
	return t, err
}

// close ends reading; what was written to the file would be an error there.
func (t *texts) close() { _ = t.open.Close() }

// extend adds the text of a document's next line to its digest.
func (t *texts) extend(g *given, text string) {
	if g.bytes > MaxText {
		return // join says so
	}
	t.joined = t.joined[:0]
	if len(g.lines) > 0 {
		t.joined = append(t.joined, t.between...)
	}
	t.joined = append(t.joined, text...)
	g.bytes += len(t.joined)
	g.digest.Write(t.joined)
}

// join makes a document of its lines; ok is false where they are none.
func (c *checker) join(t *texts, g *given) (ok bool) {
	var found finding.List
	add := func(at place, f finding.Finding) { found = append(found, t.finding(at, f)) }
	seen := map[string]int{}
	last, rises := 0, true
	for _, l := range g.lines {
		if l.page == "" && len(g.lines) > 1 {
			add(l.place, finding.Finding{Code: CodePages, Message: fmt.Sprintf("%q has %d lines, and this one names no page", g.doc, len(g.lines)),
				Expected: `"page" in each line of a document that has several`, Hint: "number them in their order, or delete the line if it is there twice"})
			continue
		}
		if first, twice := seen[l.page]; twice {
			add(l.place, finding.Finding{Code: CodePageTwice, Message: fmt.Sprintf("page %s of %q stands in line %d too", l.page, g.doc, first),
				Hint: "delete one of the two lines, or tell the pages apart"})
		}
		seen[l.page] = l.line
		if n, err := strconv.Atoi(l.page); err == nil {
			if n < last && rises {
				rises = false // said once a document
				add(l.place, finding.Finding{Code: CodePageOrder, Severity: finding.Warning,
					Message: fmt.Sprintf("page %d of %q comes after page %d: pages are joined in the order of the file", n, g.doc, last)})
			}
			last = n
		}
	}
	if found.Errors() == 0 {
		nul := strings.IndexByte(t.between, 0) // pages have none
		reason := ""
		switch {
		case g.bytes > MaxText:
			reason = tooLarge()
		case nul >= 0 && len(g.lines) > 1:
			reason = nulAt(g.lines[0].size + nul)
		}
		if reason != "" {
			add(g.at, finding.Finding{Code: CodeText, Message: fmt.Sprintf("the text of %q: %s", g.doc, reason)})
		}
	}
	c.found = append(c.found, found...)
	if found.Errors() > 0 {
		return false
	}
	g.version, g.digest = digestVersion(g.digest.Sum(nil)), nil
	at := 0
	for _, l := range g.lines {
		if l.page != "" {
			g.pages = append(g.pages, Page{l.page, at})
		}
		at += l.size + len(t.between)
	}
	g.access = g.joined()
	return true
}

// joined is the access of the whole document. What all lines say holds for all
// of it; what some say, for their pages with what separates them from the next.
func (g *given) joined() Access {
	var a Access
	if first := g.lines[0].says().Read; first != nil && !slices.ContainsFunc(g.lines, func(l givenLine) bool { return !slices.Equal(l.says().Read, first) }) {
		a.Read = first
	}
	for i, l := range g.lines {
		page := span.Span{End: g.bytes}
		if len(g.pages) > 0 {
			page.Start = g.pages[i].Start
		}
		if i+1 < len(g.pages) {
			page.End = g.pages[i+1].Start
		}
		says := l.says()
		if says.Read != nil && a.Read == nil && !page.Empty() {
			a.Spans = append(a.Spans, Restriction{page, says.Read})
		}
		for _, r := range says.Spans {
			a.Spans = append(a.Spans, Restriction{span.Span{Start: page.Start + r.Start, End: page.Start + r.End}, r.Read})
		}
	}
	return a
}

// says is who may read the line's text, in bytes of it.
func (l givenLine) says() Access {
	if l.access == nil {
		return Access{}
	}
	return *l.access
}

const (
	readAhead = 1 << 20 // bytes of lines that are read at once
	readOver  = 4 << 10 // bytes between two texts that are not worth another read
)

var errTextsChanged = errors.New("the file changed while it was read")

// text reads the lines of a document again and joins them, which is other bytes
// after the next call. It fails where the text is not the one that was checked.
func (t *texts) text(g *given) ([]byte, error) {
	t.joined = t.joined[:0]
	for i := 0; i < len(g.lines); {
		first, last := i, g.lines[i]
		for i++; i < len(g.lines); i++ {
			next := g.lines[i]
			if next.at-last.end() > readOver || next.end()-g.lines[first].at > readAhead {
				break
			}
			last = next
		}
		from := g.lines[first].at
		t.raw = slices.Grow(t.raw[:0], int(last.end()-from))[:last.end()-from]
		if n, err := t.lines.ReadAt(t.raw, from); n < len(t.raw) {
			if errors.Is(err, io.EOF) {
				err = errTextsChanged
			}
			return nil, err
		}
		for k, l := range g.lines[first:i] {
			if first+k > 0 {
				t.joined = append(t.joined, t.between...)
			}
			// No error is looked at: a text that is no JSON string has another digest.
			t.joined, _ = jsontext.AppendUnquote(t.joined, t.raw[l.at-from:][:l.in])
		}
	}
	if versionOf(t.joined) != g.version {
		return nil, errTextsChanged
	}
	return t.joined, nil
}

// end is where in the file the line's text ends.
func (l givenLine) end() int64 { return l.at + int64(l.in) }
