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

// givenTexts reads the texts/1 file of a corpus; what it returns holds the text
// of a line against it.
func (c *checker) givenTexts(fsys fs.FS, m *manifest) func(e *entry) (string, bool) {
	file := m.folder()
	content, err := readBounded(fsys, file, MaxTexts)
	if err != nil {
		c.add(m.header.Get("root"), finding.Finding{Code: CodeMissing, Message: fmt.Sprintf("the texts cannot be read: %v", cause(err)),
			Found: file, Hint: "bring the file back, or freeze another one: kerf freeze --texts FILE"})
		return func(*entry) (string, bool) { return "", false }
	}
	t := c.texts(file, content)
	return func(e *entry) (string, bool) {
		g := t.docs[e.Doc]
		switch {
		case t.unread || g != nil && g.bad:
			return "", false // what is wrong there is said, and may be all that differs
		case g == nil:
			c.add(e.at.Get("doc"), finding.Finding{Code: CodeMissing, Message: fmt.Sprintf("the text of %q is not in %s", e.Doc, file), Hint: m.again()})
			return "", false
		case !c.isPinned(m, e, file, []byte(g.text)):
			return "", false
		case !slices.Equal(e.Pages, g.pages):
			c.add(e.at, finding.Finding{Code: CodePageTable, Message: fmt.Sprintf("the page table of %q is not that of %s", e.Doc, file), Hint: m.again()})
		}
		if g.stated {
			stated := Access{e.Access.Read, (&checker{}).resolve(e, g.text)}
			if !slices.Equal(stated.Read, g.access.Read) || (stated.Read == nil) != (g.access.Read == nil) || !slices.EqualFunc(stated.Spans, g.access.Spans, equalRestriction) {
				c.add(e.at, finding.Finding{Code: CodeStated, Message: fmt.Sprintf("the access of %q is not the one that %s states", e.Doc, file),
					Expected: g.access.json(), Found: stated.json(), Hint: "edit it there, then: " + m.again()})
			}
		}
		if strings.HasPrefix(g.text, mark) {
			c.add(g.at.Get("text"), finding.Finding{Code: CodeBOM, Severity: finding.Warning, Message: bomMessage})
		}
		return g.text, true
	}
}

func equalRestriction(a, b Restriction) bool {
	return a.Span == b.Span && slices.Equal(a.Read, b.Read)
}

// newTexts are the documents of a corpus's texts/1 file that the manifest does
// not have.
func newTexts(fsys fs.FS, m *manifest) finding.List {
	content, err := readBounded(fsys, m.folder(), MaxTexts)
	if err != nil {
		return nil // Read says so
	}
	pinned, _ := m.pinned()
	known := map[string]bool{}
	for _, e := range pinned {
		known[e.Doc] = true
	}
	var found finding.List
	t := (&checker{}).texts(m.folder(), content)
	for _, doc := range slices.Sorted(maps.Keys(t.docs)) {
		if g := t.docs[doc]; !known[doc] && !g.bad {
			found = append(found, g.at.Finding(finding.Finding{Code: CodeNew, Severity: finding.Error,
				Message: fmt.Sprintf("the document %q is not in %s", doc, path.Base(m.file)), Hint: m.again()}))
		}
	}
	return found
}

// texts freezes a texts/1 file: all of it or, where anything is wrong, nothing.
func (z *freezer) texts(fsys fs.FS, file string, pinned []*entry) error {
	content, err := readBounded(fsys, file, MaxTexts)
	if err != nil {
		return fmt.Errorf("the texts %s: %w", z.Root, cause(err))
	}
	c := &checker{}
	t := c.texts(file, content)
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
		if err := z.take(Version{Doc: doc, Observed: z.Dates[path.Base(file)], Pages: g.pages}, g.text, access); err != nil {
			return err
		}
	}
	return nil
}
