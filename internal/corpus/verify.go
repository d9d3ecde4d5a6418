package corpus

import (
	"fmt"
	"io/fs"
	"path"
	"slices"

	"kerf/internal/finding"
)

// Verify holds a manifest against its folder: what Read finds, and the files
// that freeze would take and the manifest does not have. It changes nothing.
func Verify(fsys fs.FS, name string) (*Corpus, finding.List) {
	c, found := Read(fsys, name)
	if c == nil {
		return nil, found
	}
	content, err := fs.ReadFile(fsys, name)
	if err != nil {
		return c, append(found, finding.Finding{Code: CodeMissing, Severity: finding.Error, File: name, Message: cause(err).Error()})
	}
	m, _ := parse(name, content)
	if m.extract == Texts {
		return c, append(found, newTexts(fsys, m)...)
	}
	folder, err := fs.Sub(fsys, m.folder())
	if err != nil {
		panic("BUG: parse let an invalid root through: " + err.Error())
	}
	chosen, err := choose(folder, m.include, m.exclude, below(m.folder(), name))
	if err != nil {
		return c, append(found, finding.Finding{Code: CodeMissing, Severity: finding.Error, File: m.folder(), Message: cause(err).Error()})
	}
	for _, u := range chosen.closed {
		found = append(found, u.finding(path.Join(m.folder(), u.Path)))
	}
	pinned, _ := m.pinned()
	for _, name := range chosen.paths {
		if slices.ContainsFunc(pinned, func(e *entry) bool { return e.Path == name }) {
			continue
		}
		file := path.Join(m.folder(), name)
		f := finding.Finding{Code: CodeNew, Severity: finding.Error, File: file, Message: fmt.Sprintf("the file is not in %s", path.Base(m.file)), Hint: m.again()}
		if p := check(folder, name); p != nil {
			f = p.finding(file)
			f.Hint += `; or leave it out: kerf freeze --exclude ` + name
		}
		found = append(found, f)
	}
	found.Sort()
	return c, found
}

// check is CheckText of a file; one that cannot be read is a problem, too.
func check(fsys fs.FS, name string) *Problem {
	content, err := readBounded(fsys, name, MaxText)
	if err != nil {
		return &Problem{Reason: cause(err).Error()}
	}
	return CheckText(content)
}

// Blank are the documents without a visible character, by id.
func (c *Corpus) Blank() []string { return c.ids((*Document).Blank) }

// Marked are the documents that begin with a byte order mark, by id.
func (c *Corpus) Marked() []string { return c.ids((*Document).Marked) }

func (c *Corpus) ids(is func(*Document) bool) []string {
	ids := []string{}
	for _, d := range c.Documents {
		if is(d) {
			ids = append(ids, d.Doc)
		}
	}
	return ids
}

// Identical are the groups of documents with one and the same text, each by id,
// the groups by their first. Blank documents are listed elsewhere.
func (c *Corpus) Identical() [][]string {
	byVersion := map[string]int{}
	var groups [][]string
	for _, d := range c.Documents {
		if d.Blank() {
			continue
		}
		i, ok := byVersion[d.Version.Version]
		if !ok {
			i = len(groups)
			byVersion[d.Version.Version] = i
			groups = append(groups, nil)
		}
		groups[i] = append(groups[i], d.Doc)
	}
	return slices.DeleteFunc(groups, func(g []string) bool { return len(g) < 2 })
}

// Bytes is the length of all pinned texts together.
func (c *Corpus) Bytes() int {
	n := 0
	for _, d := range c.Documents {
		n += len(d.Text)
	}
	return n
}
