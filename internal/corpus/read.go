package corpus

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"kerf/internal/finding"
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

// Read reads the manifest name in fsys and the texts that it pins. The root
// resolves against the manifest's folder and must stay inside fsys; whoever
// hands fsys in decides with it how far up that may lead (the manifest's folder
// or the git root), and takes one that does not follow links out of itself
// (os.Root).
//
// Every problem of the manifest and of the texts is a finding. A document with
// an error is left out of the corpus, so a caller goes on only without errors.
// The corpus is nil where the manifest cannot be read at all.
func Read(fsys fs.FS, name string) (*Corpus, finding.List) {
	return ReadInto(fsys, name, func(content []byte) string { return string(content) })
}

// ReadInto is Read where keep gives each text its place in memory, once it is
// known to be the pinned one. It gets the bytes, which are others when it has
// returned.
func ReadInto(fsys fs.FS, name string, keep func(content []byte) string) (*Corpus, finding.List) {
	content, err := fs.ReadFile(fsys, name)
	if err != nil {
		return nil, finding.List{{Code: CodeMissing, Severity: finding.Error, File: name,
			Message: fmt.Sprintf("the manifest cannot be read: %v", cause(err)), Hint: "write it with: kerf freeze DIR"}}
	}
	m, found := parse(name, content)
	if m.header == nil || m.root == "" {
		return nil, found
	}
	c := &checker{found: found}
	corpus := &Corpus{Root: m.root, Extract: m.extract}
	pinned, older := m.pinned()
	var text bytes.Buffer
	textOf := func(e *entry) (string, bool) {
		if !c.pinnedText(fsys, m, e, &text) {
			return "", false
		}
		return keep(text.Bytes()), true
	}
	if m.extract == Texts {
		given, done := c.givenTexts(fsys, m, keep)
		defer done()
		textOf = given
	}
	paths := map[string]string{}
	for _, e := range pinned {
		if other, ok := paths[e.Path]; ok && e.Path != "" {
			c.add(e.at.Get("path"), finding.Finding{Code: CodeTwoIDs, Severity: finding.Warning,
				Message: fmt.Sprintf("documents %q and %q are one file", other, e.Doc), Found: e.Path})
		}
		paths[e.Path] = e.Doc
		if text, ok := textOf(e); ok {
			e.Access.Spans = c.resolve(e, text)
			corpus.Documents = append(corpus.Documents, &Document{Version: e.Version, Text: text})
		}
	}
	for _, e := range older {
		corpus.Older = append(corpus.Older, e.Version)
	}
	if len(pinned) == 0 && c.found.Errors() == 0 {
		c.add(m.header, finding.Finding{Code: CodeEmpty, Message: "the manifest has no documents", Hint: "kerf freeze DIR"})
	}
	c.alike(pinned)
	c.found.Sort()
	return corpus, c.found
}

// pinnedText reads the text of e and holds it against its line.
func (c *checker) pinnedText(fsys fs.FS, m *manifest, e *entry, into *bytes.Buffer) bool {
	file := path.Join(m.folder(), e.Path)
	into.Reset()
	if err := readInto(fsys, file, MaxText, into); err != nil {
		c.add(e.at.Get("path"), finding.Finding{Code: CodeMissing, Message: fmt.Sprintf("the text of %q cannot be read: %v", e.Doc, cause(err)),
			Found: file, Hint: "bring the file back, or freeze again: " + m.again()})
		return false
	}
	content := into.Bytes()
	if p := CheckText(content); p != nil {
		c.found = append(c.found, p.finding(file))
		return false
	}
	if !c.isPinned(m, e, file, versionOf(content), len(content)) {
		return false
	}
	if bytes.HasPrefix(content, []byte(mark)) {
		c.found = append(c.found, bomFinding(file))
	}
	return true
}

// isPinned holds a text's version and length against the line that pins it.
func (c *checker) isPinned(m *manifest, e *entry, file, version string, length int) bool {
	if version != e.Version.Version {
		c.add(e.at.Get("version"), finding.Finding{Code: CodeChanged, Message: fmt.Sprintf("%s is not the pinned version of %q", file, e.Doc),
			Expected: e.Version.Version, Found: version, Hint: m.again()})
		return false
	}
	if length != e.Bytes {
		c.add(e.at.Get("bytes"), finding.Finding{Code: CodeBytes, Message: fmt.Sprintf("a wrong number of bytes of %q", e.Doc),
			Expected: fmt.Sprint(length), Found: fmt.Sprint(e.Bytes), Paste: fmt.Sprintf(`"bytes":%d`, length)})
		return false
	}
	return true
}

// resolve brings the restrictions of e into bytes of text.
func (c *checker) resolve(e *entry, text string) []Restriction {
	if len(e.spans) == 0 {
		return nil
	}
	var out []Restriction
	at := coord.New(text)
	for _, r := range e.spans {
		start, err := at.Byte(r.unit, r.start)
		end, err2 := at.Byte(r.unit, r.end)
		if err = errors.Join(err, err2); err != nil {
			c.add(r.at, finding.Finding{Code: CodeAccess, Message: fmt.Sprintf("the restriction [%d,%d) is no part of the text of %q: %s",
				r.start, r.end, e.Doc, strings.ReplaceAll(err.Error(), "\n", "; "))})
			continue
		}
		out = append(out, Restriction{Span: span.Span{Start: start, End: end}, Read: r.read})
	}
	return out
}

// Kept is the text of a version that freeze has kept a copy of, beside the
// manifest name in fsys. A missing copy is fs.ErrNotExist; a copy that is not
// its digest is an error.
func Kept(fsys fs.FS, name, version string) (string, error) {
	if !versionForm.MatchString(version) {
		return "", fmt.Errorf("no version: %q", version)
	}
	file := KeptPath(name, version)
	content, err := readBounded(fsys, file, MaxText)
	if err != nil {
		return "", fmt.Errorf("the kept text of %s: %w", version, err)
	}
	if got := VersionOf(string(content)); got != version {
		return "", fmt.Errorf("%s is damaged: its digest is %s", file, got)
	}
	return string(content), nil
}

// KeptPath is where the text of a version is kept, beside the manifest name.
// The digest stands without its "sha256:", which not every file system allows.
func KeptPath(name, version string) string {
	return path.Join(path.Dir(name), ".kerf/texts", strings.TrimPrefix(version, "sha256:"))
}

// Digest names the corpus by what a result can depend on: ids, versions and who
// may read which bytes. Order and repetition of names and restrictions, paths
// and dates do not count.
func (c *Corpus) Digest() string {
	h := sha256.New()
	fmt.Fprint(h, "kerf corpus digest/1\n")
	names := func(read []string) string {
		if read == nil {
			return "null"
		}
		read = slices.Compact(slices.Sorted(slices.Values(read)))
		quoted := make([]string, len(read))
		for i, r := range read {
			quoted[i] = quote(r)
		}
		return "[" + strings.Join(quoted, ",") + "]"
	}
	for _, d := range c.Documents {
		spans := make([]string, len(d.Access.Spans))
		for i, r := range d.Access.Spans {
			spans[i] = fmt.Sprintf("[%d,%d,%s]", r.Start, r.End, names(r.Read))
		}
		slices.Sort(spans)
		pages := "" // which a report names
		for _, p := range d.Pages {
			pages += fmt.Sprintf(",[%s,%d]", quote(p.Label), p.Start)
		}
		fmt.Fprintf(h, "[%s,%q,%s,[%s]%s]\n", quote(d.Doc), d.Version.Version, names(d.Access.Read), strings.Join(slices.Compact(spans), ","), pages)
	}
	return "sha256:" + hex.EncodeToString(h.Sum(nil))
}

// quote is s as a JSON string; s is valid UTF-8.
func quote(s string) string {
	q, err := jsontext.AppendQuote(nil, s)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	return string(q)
}

// alike warns of ids that some file systems and people take for one.
func (c *checker) alike(pinned []*entry) {
	fold := cases.Fold()
	seen := map[string]string{}
	for _, e := range pinned {
		key := norm.NFC.String(fold.String(norm.NFD.String(e.Doc)))
		if other, ok := seen[key]; ok {
			c.add(e.at.Get("doc"), finding.Finding{Code: CodeAlike, Severity: finding.Warning,
				Message: fmt.Sprintf("documents %+q and %+q differ by case or Unicode normalisation alone", other, e.Doc)})
			continue
		}
		seen[key] = e.Doc
	}
}

const bomMessage = "the text begins with a byte order mark; it is content: character 0, bytes 0 to 2"

func bomFinding(file string) finding.Finding {
	return finding.Finding{Code: CodeBOM, Severity: finding.Warning, File: file, Line: 1, Column: 1,
		Message: bomMessage}
}

func (p *Problem) finding(file string) finding.Finding {
	return finding.Finding{Code: CodeText, Severity: finding.Error, File: file, Line: p.Line, Column: p.Column,
		Message: p.Reason, Expected: "UTF-8 text", Found: p.Bytes, Hint: "save the file as UTF-8; kerf does not guess encodings"}
}

// readBounded reads a file, but never more than one byte above most.
func readBounded(fsys fs.FS, name string, most int64) ([]byte, error) {
	var b bytes.Buffer
	err := readInto(fsys, name, most, &b)
	return b.Bytes(), err
}

// open opens a file to read. A pipe or the like is an error: to open it may take for
// ever.
func open(fsys fs.FS, name string) (fs.File, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if t := info.Mode().Type(); t&^fs.ModeDir != 0 {
		return nil, &fs.PathError{Op: "open", Path: name, Err: errors.New("it is no regular file")}
	}
	return fsys.Open(name)
}

func readInto(fsys fs.FS, name string, most int64, b *bytes.Buffer) error {
	f, err := open(fsys, name)
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = b.ReadFrom(io.LimitReader(f, most+1))
	return err
}

// cause is an error without the path, which the finding names already.
func cause(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}
