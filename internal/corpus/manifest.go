package corpus

import (
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
)

// Kind is the first member of a manifest.
const Kind = "corpus/1"

// Extract is how kerf makes text from files: as they are. The other way is Texts.
const Extract = "text/1"

// Codes of the findings of this package.
const (
	CodeHeader   = "K201" // the first line is no header of corpus/1
	CodeUnknown  = "K202" // a key that looks like a known one, or an unknown one in access
	CodeField    = "K203" // a field that is missing or of another type
	CodeVersion  = "K204" // a version that is not sha256: and 64 hex digits
	CodePath     = "K205" // a path or root that leads out
	CodeMissing  = "K206" // a pinned text that cannot be read, or changed while it was read
	CodeChanged  = "K207" // a text whose digest is not the pinned one
	CodeBytes    = "K208" // a wrong number of bytes beside a right digest
	CodeText     = "K209" // a file that is not UTF-8 text
	CodeRepeated = "K210" // a version of a document twice
	CodeTwoIDs   = "K211" // one path under two documents (warning)
	CodeAccess   = "K212" // a restriction that means nothing in the text
	CodeNobody   = "K213" // a restriction that nobody passes (warning)
	CodeAlike    = "K214" // ids that differ by case or normalisation alone (warning)
	CodeBOM      = "K215" // a byte order mark in a text (warning)
	CodeRestate  = "K216" // a changed document whose restricted spans must be restated
	CodeNew      = "K217" // a file that is not in the manifest
	CodeEmpty    = "K218" // a manifest without documents

	CodeTexts     = "K219" // the first line is no header of texts/1
	CodePages     = "K220" // a document in several lines, one of them without a page
	CodePageTwice = "K221" // a page of a document twice
	CodePageOrder = "K222" // page numbers that fall (warning)
	CodePageTable = "K223" // a page table that is none, or not that of the texts
	CodeStated    = "K224" // an access that is not the one that the texts state
)

var (
	headerKeys  = []string{"kerf", "root", "extract", "include", "exclude"}
	versionKeys = []string{"doc", "version", "path", "bytes", "observed", "pages", "access"}
	accessKeys  = []string{"read", "spans"}
	spanKeys    = []string{"start", "end", "unit", "read"}
	versionForm = regexp.MustCompile(`^sha256:[0-9a-f]{64}$`)
	dateForm    = regexp.MustCompile(`^[0-9]{4}-[0-9]{2}-[0-9]{2}$`)
)

// manifest is the lines of a corpus/1 file before any text is looked at.
type manifest struct {
	file             string
	header           *jsonl.Value // nil for an empty file
	root, extract    string
	include, exclude []string
	lines            []*entry // in file order
}

// entry is one line. Its access has no spans yet: those need the text.
type entry struct {
	Version
	at    *jsonl.Value
	spans []restriction
}

// restriction is a Restriction in its own unit.
type restriction struct {
	at         *jsonl.Value
	unit       coord.Unit
	start, end int
	read       []string
}

// checker collects findings while values are taken apart.
type checker struct{ found finding.List }

func (c *checker) add(v *jsonl.Value, f finding.Finding) { c.found = append(c.found, v.Finding(f)) }

// pinned are the last entries of each document, sorted by id; older the others
// in file order.
func (m *manifest) pinned() (pinned, older []*entry) {
	last := map[string]*entry{}
	for _, e := range m.lines {
		last[e.Doc] = e
	}
	for _, e := range m.lines {
		if last[e.Doc] == e {
			pinned = append(pinned, e)
		} else {
			older = append(older, e)
		}
	}
	slices.SortFunc(pinned, func(a, b *entry) int { return strings.Compare(a.Doc, b.Doc) })
	return pinned, older
}

// parse takes a manifest apart; name is its path in the file system that the
// root resolves in.
func parse(name string, content []byte) (*manifest, finding.List) {
	c, m := &checker{}, &manifest{file: name}
	var bad finding.List
	first := true
	seen := map[[2]string]int{}
	found := jsonl.EachLine(name, content, func(number int, raw []byte) {
		l, f := jsonl.Parse(name, number, raw)
		bad = append(bad, f...)
		if l.Value == nil {
			return
		}
		if first {
			first = false
			if c.header(m, l.Value); m.header != nil {
				return
			}
		}
		c.line(m, l.Value, seen)
	})
	if found = append(found, bad...); first && len(found) == 0 {
		found = finding.List{{Code: CodeHeader, Severity: finding.Error, File: name, Line: 1,
			Message: "the manifest is empty", Expected: headerExample, Hint: "write it with: kerf freeze DIR"}}
	}
	return m, append(found, c.found...)
}

// line adds a line to the manifest; seen are the versions that stand above it.
func (c *checker) line(m *manifest, v *jsonl.Value, seen map[[2]string]int) {
	e, ok := c.entry(m, v)
	if !ok {
		return
	}
	key := [2]string{e.Doc, e.Version.Version}
	if first, twice := seen[key]; twice {
		c.add(e.at.Get("doc"), finding.Finding{Code: CodeRepeated,
			Message: fmt.Sprintf("document %q stands here with the version of line %d", e.Doc, first),
			Hint:    "delete one of the two lines"})
		return
	}
	seen[key] = e.Line
	m.lines = append(m.lines, e)
}

const headerExample = `{"kerf":"corpus/1","root":"docs","extract":"text/1"}`

func (c *checker) header(m *manifest, v *jsonl.Value) {
	if kind := v.Get("kerf"); kind == nil || kind.Text != Kind {
		f := finding.Finding{Code: CodeHeader, Message: "the first line is not the header of a corpus/1 file",
			Expected: headerExample, Found: jsonl.Quote(v.Line().Raw)}
		if kind != nil && kind.Kind == jsonl.String {
			f.Hint = fmt.Sprintf("this is a file of kind %q", kind.Text)
			m.header = v
		}
		c.add(v, f)
		return
	}
	m.header = v
	c.unknown(v, "", headerKeys, false)
	m.root = c.text(v, "root", true)
	m.extract = c.text(v, "extract", true)
	m.include, m.exclude = c.names(v, "include"), c.names(v, "exclude")
	if m.extract != "" && m.extract != Extract && m.extract != Texts {
		c.add(v.Get("extract"), finding.Finding{Code: CodeField, Message: "an extraction that this version does not know",
			Expected: Extract + " or " + Texts, Found: m.extract})
	}
	if m.root != "" && !fs.ValidPath(m.folder()) {
		c.add(v.Get("root"), finding.Finding{Code: CodePath, Message: fmt.Sprintf("the root %q leads out of the folder that kerf may read", m.root),
			Expected: "a folder below the manifest's, or below the git root", Found: m.root})
		m.root = ""
	}
}

// folder is the folder of the texts, or their file, in the file system of the
// manifest.
func (m *manifest) folder() string {
	if path.IsAbs(m.root) || strings.Contains(m.root, `\`) {
		return m.root // no valid path
	}
	return path.Join(path.Dir(m.file), m.root)
}

// again is the command that pins these documents again.
func (m *manifest) again() string {
	if m.extract == Texts {
		return "kerf freeze --texts " + m.root
	}
	return "kerf freeze " + m.root
}

// entry is one line. In a corpus of texts the document's id names its text, and
// there are no paths.
func (c *checker) entry(m *manifest, v *jsonl.Value) (*entry, bool) {
	if v.Kind != jsonl.Object {
		c.add(v, finding.Finding{Code: CodeField, Message: "a line that is no object", Expected: "an object", Found: string(v.Kind)})
		return nil, false
	}
	before := c.found.Errors()
	c.unknown(v, "", versionKeys, false)
	e := &entry{at: v, Version: Version{Line: v.Line().Number,
		Doc: c.text(v, "doc", true), Version: c.text(v, "version", true), Path: c.text(v, "path", m.extract != Texts), Observed: c.text(v, "observed", false)}}
	if e.Version.Version != "" && !versionForm.MatchString(e.Version.Version) {
		c.add(v.Get("version"), finding.Finding{Code: CodeVersion, Message: fmt.Sprintf("the version of %q is no digest", e.Doc),
			Expected: "sha256: and 64 hex digits", Found: jsonl.Quote(e.Version.Version)})
	}
	if m.extract == Texts && v.Get("path") != nil {
		c.add(v.Get("path"), finding.Finding{Code: CodePath, Message: "a path in a corpus of texts, where ids name the texts", Hint: "delete it"})
	} else if e.Path != "" && (!fs.ValidPath(e.Path) || e.Path == "." || strings.Contains(e.Path, `\`)) {
		c.add(v.Get("path"), finding.Finding{Code: CodePath, Message: fmt.Sprintf("the path of %q leads out of the root", e.Doc),
			Expected: `a path below the root, with "/" and without ".."`, Found: jsonl.Quote(e.Path)})
	}
	if e.Observed != "" && !dateForm.MatchString(e.Observed) {
		c.add(v.Get("observed"), finding.Finding{Code: CodeField, Message: "observed is no date", Expected: "YYYY-MM-DD", Found: jsonl.Quote(e.Observed)})
	}
	n, ok := v.Get("bytes").Int()
	if e.Bytes = n; !ok || n < 0 {
		c.wrong(v, "bytes", "a number of bytes")
	}
	c.pages(e)
	c.access(e)
	return e, c.found.Errors() == before
}

func (c *checker) access(e *entry) {
	a := e.at.Get("access")
	if a == nil {
		return
	}
	if a.Kind != jsonl.Object {
		c.wrong(e.at, "access", "an object")
		return
	}
	c.unknown(a, "access.", accessKeys, true)
	e.Access.Read = c.names(a, "read")
	spans := a.Get("spans")
	if spans == nil {
		return
	}
	if spans.Kind != jsonl.Array {
		c.wrong(a, "spans", "a list")
		return
	}
	for _, s := range spans.Elems {
		if s.Kind != jsonl.Object {
			c.add(s, finding.Finding{Code: CodeField, Message: "a restriction that is no object", Expected: "an object", Found: string(s.Kind)})
			continue
		}
		c.unknown(s, "access.spans.", spanKeys, true)
		r := restriction{at: s, read: c.names(s, "read")}
		if s.Get("read") == nil {
			c.wrong(s, "read", "a list of names")
		}
		var ok1, ok2 bool
		if r.start, ok1 = s.Get("start").Int(); !ok1 {
			c.wrong(s, "start", "an offset")
		}
		if r.end, ok2 = s.Get("end").Int(); !ok2 {
			c.wrong(s, "end", "an offset")
		}
		if ok1 && ok2 && (r.start < 0 || r.end <= r.start) {
			c.add(s, finding.Finding{Code: CodeAccess, Message: fmt.Sprintf("the restriction [%d,%d) of %q holds nothing", r.start, r.end, e.Doc),
				Expected: "0 <= start < end"})
		}
		u, err := coord.ParseUnit(c.text(s, "unit", true))
		if err != nil && s.Get("unit") != nil {
			c.add(s.Get("unit"), finding.Finding{Code: CodeField, Message: err.Error()})
		}
		r.unit = u
		e.spans = append(e.spans, r)
	}
}

// text is the text under key; a missing one counts only where it is required.
func (c *checker) text(v *jsonl.Value, key string, required bool) string {
	m := v.Get(key)
	if m == nil && !required {
		return ""
	}
	if m == nil || m.Kind != jsonl.String || m.Text == "" {
		c.wrong(v, key, "a text that is not empty")
		return ""
	}
	return m.Text
}

// names is the list of texts under key, nil if there is none.
func (c *checker) names(v *jsonl.Value, key string) []string {
	m := v.Get(key)
	if m == nil {
		return nil
	}
	names := []string{}
	for _, e := range m.Elems {
		if e.Kind != jsonl.String || strings.TrimSpace(e.Text) == "" {
			c.add(e, finding.Finding{Code: CodeField, Message: fmt.Sprintf("an entry of %q that is no name", key), Expected: "a text that is not empty", Found: string(e.Kind)})
			continue
		}
		names = append(names, e.Text)
	}
	if m.Kind != jsonl.Array {
		c.wrong(v, key, "a list of names")
	} else if key == "read" && len(m.Elems) == 0 {
		c.add(m, finding.Finding{Code: CodeNobody, Severity: finding.Warning, Message: "an empty list: nobody may read this"})
	}
	return names
}

// wrong says that the value under key is missing or of another type.
func (c *checker) wrong(v *jsonl.Value, key, want string) {
	if m := v.Get(key); m != nil {
		c.add(m, finding.Finding{Code: CodeField, Message: fmt.Sprintf("a wrong value under %q", key), Expected: want,
			Found: jsonl.Quote(v.Line().Raw[m.At:m.End])})
		return
	}
	c.add(v, finding.Finding{Code: CodeField, Message: fmt.Sprintf("the key %q is missing", key), Expected: want})
}

// unknown reports keys that are not known: in what machines write only those
// that look like a slip of a known key, since a misspelt `access` would open a
// document to everyone.
func (c *checker) unknown(v *jsonl.Value, prefix string, known []string, all bool) {
	for _, m := range v.Members {
		if slices.Contains(known, m.Name) {
			continue
		}
		guess := finding.DidYouMean(m.Name, known)
		if guess == "" && !all {
			continue
		}
		c.found = append(c.found, v.Line().Finding(m.At, finding.Finding{Code: CodeUnknown,
			Message: fmt.Sprintf("unknown key %q", prefix+m.Name), Expected: strings.Join(known, ", "), Found: m.Name, Hint: guess}))
	}
}
