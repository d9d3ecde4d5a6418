package corpus

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"kerf/internal/finding"
)

// givenTexts reads the texts/1 file of a corpus; textOf holds the text of a line
// against it, until done.
func (c *checker) givenTexts(fsys fs.FS, m *manifest, keep func([]byte) string) (textOf func(e *entry) (string, bool), done func()) {
	file := m.folder()
	t, err := c.texts(fsys, file)
	if err != nil {
		c.add(m.header.Get("root"), finding.Finding{Code: CodeMissing, Message: fmt.Sprintf("the texts cannot be read: %v", cause(err)),
			Found: file, Hint: "bring the file back, or freeze another one: kerf freeze --texts FILE"})
		return func(*entry) (string, bool) { return "", false }, func() {}
	}
	return func(e *entry) (string, bool) { return c.givenText(t, m, e, keep) }, t.close
}

// givenText is the text of a line, held against it.
func (c *checker) givenText(t *texts, m *manifest, e *entry, keep func([]byte) string) (string, bool) {
	g := t.docs[e.Doc]
	switch {
	case t.unread || g != nil && g.bad:
		return "", false // what is wrong there is said, and may be all that differs
	case g == nil:
		c.add(e.at.Get("doc"), finding.Finding{Code: CodeMissing, Message: fmt.Sprintf("the text of %q is not in %s", e.Doc, t.file), Hint: m.again()})
		return "", false
	case !c.isPinned(m, e, t.file, g.version, g.bytes):
		return "", false
	case !slices.Equal(e.Pages, g.pages):
		c.add(e.at, finding.Finding{Code: CodePageTable, Message: fmt.Sprintf("the page table of %q is not that of %s", e.Doc, t.file), Hint: m.again()})
	}
	content, err := t.text(g)
	if err != nil {
		c.add(e.at.Get("doc"), finding.Finding{Code: CodeMissing, Message: fmt.Sprintf("the text of %q cannot be read: %v", e.Doc, cause(err)),
			Found: t.file, Hint: "once nobody writes it any more: " + m.again()})
		return "", false
	}
	text := keep(content)
	if g.stated {
		stated := Access{e.Access.Read, (&checker{}).resolve(e, text)}
		if !slices.Equal(stated.Read, g.access.Read) || (stated.Read == nil) != (g.access.Read == nil) || !slices.EqualFunc(stated.Spans, g.access.Spans, equalRestriction) {
			c.add(e.at, finding.Finding{Code: CodeStated, Message: fmt.Sprintf("the access of %q is not the one that %s states", e.Doc, t.file),
				Expected: g.access.json(), Found: stated.json(), Hint: "edit it there, then: " + m.again()})
		}
	}
	if strings.HasPrefix(text, mark) {
		c.found = append(c.found, t.finding(g.textAt, finding.Finding{Code: CodeBOM, Severity: finding.Warning, Message: bomMessage}))
	}
	return text, true
}

func equalRestriction(a, b Restriction) bool {
	return a.Span == b.Span && slices.Equal(a.Read, b.Read)
}

// newTexts are the documents of a corpus's texts/1 file that the manifest does
// not have.
func newTexts(fsys fs.FS, m *manifest) finding.List {
	t, err := (&checker{}).texts(fsys, m.folder())
	if err != nil {
		return nil // Read says so
	}
	defer t.close()
	pinned, _ := m.pinned()
	known := map[string]bool{}
	for _, e := range pinned {
		known[e.Doc] = true
	}
	var found finding.List
	for _, doc := range slices.Sorted(maps.Keys(t.docs)) {
		if g := t.docs[doc]; !known[doc] && !g.bad {
			found = append(found, t.finding(g.at, finding.Finding{Code: CodeNew,
				Message: fmt.Sprintf("the document %q is not in %s", doc, path.Base(m.file)), Hint: m.again()}))
		}
	}
	return found
}

// texts freezes a texts/1 file: all of it or, where anything is wrong, nothing.
func (z *freezer) texts(fsys fs.FS, file string, pinned []*entry) error {
	unread := func(err error) error { return fmt.Errorf("the texts %s: %w", z.Root, cause(err)) }
	c := &checker{}
	t, err := c.texts(fsys, file)
	if err != nil {
		return unread(err)
	}
	defer t.close()
	if c.found.Errors() > 0 {
		return c.found.Err()
	}
	for _, e := range pinned {
		if t.docs[e.Doc] == nil {
			z.remove(e)
		}
	}
	for _, doc := range slices.Sorted(maps.Keys(t.docs)) {
		g := t.docs[doc]
		access := ""
		if g.stated {
			access = g.access.json()
		}
		text, err := t.text(g)
		if err != nil {
			return unread(err)
		}
		if err := z.take(Version{Doc: doc, Version: g.version, Observed: z.Dates[path.Base(file)], Pages: g.pages}, string(text), access); err != nil {
			return err
		}
	}
	return nil
}
