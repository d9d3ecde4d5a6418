package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

// Params is how documents are frozen.
type Params struct {
	Manifest  string            // path in the file system; the previous one is read from there
	Root      string            // the folder of the texts, relative to the manifest's folder
	Texts     bool              // Root is a texts/1 file; then Include and Exclude mean nothing
	Include   []string          // patterns of further files; nil: as the previous manifest says
	Exclude   []string          // patterns of files and folders to leave out; nil: likewise
	Observed  string            // a date for every pinned line, or ""
	Dates     map[string]string // path below Root, of texts the base of Root -> date for lines that have none yet
	Labels    []Label           // the labels in use
	KeepOlder bool              // keep every older line: the labels are not known

	// Keep stores a copy of a pinned text; nil keeps none. It is called before
	// Freeze returns, and may be called for a freeze that is then refused.
	Keep func(version, text string) error
}

// Label is one use of a document version by a question. Version is as the label
// writes it: whole, a prefix of its digits, or empty.
type Label struct{ QID, Doc, Version string }

// names reports whether the label names this version of doc.
func (l Label) names(doc, version string) bool {
	const least = 8 // hex digits, formats.md
	digits := strings.TrimPrefix(l.Version, "sha256:")
	return l.Doc == doc && len(digits) >= least && strings.HasPrefix(strings.TrimPrefix(version, "sha256:"), digits)
}

// Frozen is a manifest and what happened on the way to it. Lists are sorted by
// document or path.
type Frozen struct {
	Manifest   []byte
	Documents  int // with a line in it
	New        []string
	Changed    []Change
	Moved      []Move
	Restated   []string // documents that have another access, as their texts state it
	Removed    []Removal
	Unreadable []Unreadable
	Left       []Left
	Links      []string
	Refused    finding.List // changed documents whose old line stays
}

// Change is a document with a new pinned version.
type Change struct {
	Doc  string   `json:"doc"`
	From string   `json:"from"`
	To   string   `json:"to"`
	QIDs []string `json:"qids"` // questions with a label on the old version, or on none
}

// Move is a new path with the text of a restricted document whose path has
// gone; the restrictions go with the text.
type Move struct {
	Doc  string `json:"doc"`
	From string `json:"from"`
}

// Removal is a document without its file. Its lines are dropped.
type Removal struct {
	Doc        string   `json:"doc"`
	Version    string   `json:"version"`
	Restricted bool     `json:"restricted"` // access went with the line
	QIDs       []string `json:"qids"`
}

// Unreadable is a file that is not frozen, and why.
type Unreadable struct {
	Path string `json:"path"`
	Problem
}

// Left counts the files of one extension that are not taken for text.
type Left struct {
	Extension string `json:"extension"` // with its dot, "" for none
	Files     int    `json:"files"`
}

// Freeze makes the manifest of a folder, or of a file of texts. Documents keep the ids and the access
// that the previous manifest gives to their paths, and lines that say the same
// keep their bytes, so freezing twice changes nothing. A file that is no text is
// a row of Unreadable (its previous lines stay); an unusable previous manifest,
// another root, a file that cannot be opened at all and any error in a file of
// texts are errors.
func Freeze(fsys fs.FS, p Params) (*Frozen, error) {
	prev, err := previous(fsys, p)
	if err != nil {
		return nil, err
	}
	z := &freezer{Params: p, prev: prev, out: &Frozen{}, known: map[string]*entry{}, older: map[string][]*entry{}, lines: map[string][]string{},
		kept: func(version string) (string, error) { return Kept(fsys, p.Manifest, version) }}
	pinned, older := prev.pinned()
	for _, e := range pinned {
		if other := z.known[e.name()]; other != nil {
			return nil, fmt.Errorf("%s: documents %q and %q are one file, %s; delete one line", p.Manifest, other.Doc, e.Doc, e.Path)
		}
		z.known[e.name()] = e
	}
	for _, e := range older {
		z.older[e.Doc] = append(z.older[e.Doc], e)
	}
	dir := path.Join(path.Dir(p.Manifest), p.Root)
	if p.Texts {
		err = z.texts(fsys, dir, pinned)
	} else {
		err = z.folder(fsys, dir, pinned)
	}
	if err != nil {
		return nil, err
	}
	slices.SortFunc(z.out.Unreadable, func(a, b Unreadable) int { return strings.Compare(a.Path, b.Path) })
	z.out.Manifest, z.out.Documents = z.manifest(), len(z.lines)
	return z.out, nil
}

// name is what the document's text is found by: its path, or in a file of texts
// its id.
func (e *entry) name() string { return cmp.Or(e.Path, e.Doc) }

// folder freezes the files below dir.
func (z *freezer) folder(fsys fs.FS, dir string, pinned []*entry) error {
	if z.Include == nil {
		z.Include = z.prev.include
	}
	if z.Exclude == nil {
		z.Exclude = z.prev.exclude
	}
	folder, err := fs.Sub(fsys, dir)
	if err != nil {
		return fmt.Errorf("the folder %s: %w", z.Root, err)
	}
	chosen, err := choose(folder, z.Include, z.Exclude, below(dir, z.Manifest))
	if err != nil {
		return err
	}
	z.out.Unreadable, z.out.Links = chosen.closed, chosen.links
	for _, kind := range slices.Sorted(maps.Keys(chosen.left)) {
		z.out.Left = append(z.out.Left, Left{kind, chosen.left[kind]})
	}
	z.missing(pinned, chosen)
	for _, name := range chosen.paths {
		if err := z.file(folder, name); err != nil {
			return err
		}
	}
	return nil
}

// previous is the manifest that is there, an empty one if none is.
func previous(fsys fs.FS, p Params) (*manifest, error) {
	content, err := fs.ReadFile(fsys, p.Manifest)
	if errors.Is(err, fs.ErrNotExist) {
		return &manifest{file: p.Manifest}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the previous manifest: %w", err)
	}
	m, found := parse(p.Manifest, content)
	if err := found.Err(); err != nil {
		return nil, err
	}
	if path.Clean(m.root) != path.Clean(p.Root) || p.Texts != (m.extract == Texts) {
		what, moved := "folder", "folder"
		if m.extract == Texts {
			what, moved = "texts", "file"
		}
		return nil, fmt.Errorf("%s pins the %s %q, not %q: freezing into it would drop its documents; name another manifest with -o, or edit its root where the %s has moved",
			p.Manifest, what, m.root, p.Root, moved)
	}
	return m, nil
}

// below is the path of the file name below the folder, "" if it is elsewhere.
func below(folder, name string) string {
	if folder == "." {
		return name
	}
	rel, _ := strings.CutPrefix(name, folder+"/")
	if rel == name {
		return ""
	}
	return rel
}

type freezer struct {
	Params
	prev  *manifest
	out   *Frozen
	known map[string]*entry   // pinned lines of the previous manifest, by name
	older map[string][]*entry // by document
	gone  []*entry            // pinned lines without a text
	lines map[string][]string // by document
	kept  func(version string) (string, error)
}

// missing lists the documents without a file.
func (z *freezer) missing(pinned []*entry, chosen *choice) {
	for _, e := range pinned {
		if _, there := slices.BinarySearch(chosen.paths, e.Path); there {
			continue
		}
		if slices.ContainsFunc(chosen.closed, func(u Unreadable) bool { return e.Path == u.Path || strings.HasPrefix(e.Path, u.Path+"/") }) {
			z.stay(e) // it may well be there
			continue
		}
		z.remove(e)
	}
}

func (z *freezer) remove(e *entry) {
	z.gone = append(z.gone, e)
	z.out.Removed = append(z.out.Removed, Removal{Doc: e.Doc, Version: e.Version.Version, Restricted: e.at.Get("access") != nil, QIDs: z.qids(e)})
}

// file freezes one file.
func (z *freezer) file(folder fs.FS, name string) error {
	content, err := readBounded(folder, name, MaxText)
	p := CheckText(content)
	if err != nil {
		p = &Problem{Reason: cause(err).Error()}
	}
	if p != nil {
		z.out.Unreadable = append(z.out.Unreadable, Unreadable{name, *p})
		if e := z.known[name]; e != nil {
			z.stay(e)
		}
		return nil
	}
	return z.take(Version{Doc: name, Version: versionOf(content), Path: name, Observed: z.Dates[name]}, string(content), "")
}

// take pins a text under what v says of it. Access is what the text's own file
// states, "" where it states none.
func (z *freezer) take(v Version, text, access string) (err error) {
	v.Bytes = len(text)
	e := z.known[cmp.Or(v.Path, v.Doc)]
	known := v.Observed
	v.Observed = cmp.Or(z.Observed, known)
	if e != nil {
		v.Doc = e.Doc
		if a := e.access(); access != "" && access != a {
			z.out.Restated = append(z.out.Restated, e.Doc)
		} else if access == "" && e.Version.Version != v.Version && len(e.spans) > 0 {
			z.refuse(e, v, text)
			z.stay(e)
			return nil
		} else {
			access = a
		}
	}
	switch {
	case e == nil:
		if access, err = z.arrive(v, access); err != nil {
			return err
		}
	case e.Version.Version == v.Version:
		v.Observed = cmp.Or(z.Observed, e.Observed, known)
	default:
		z.out.Changed = append(z.out.Changed, Change{e.Doc, e.Version.Version, v.Version, z.qids(e)})
		z.older[e.Doc] = append(z.older[e.Doc], e)
	}
	z.pin(v, access, e)
	if z.Keep != nil {
		return z.Keep(v.Version, text)
	}
	return nil
}

// access is the access of the line as it is written, "" for none.
func (e *entry) access() string {
	if a := e.at.Get("access"); a != nil {
		return raw(a)
	}
	return ""
}

// arrive takes in a new document and returns its access: as it is stated, else
// the one that its text already had under a name that has gone.
func (z *freezer) arrive(v Version, stated string) (access string, err error) {
	for _, e := range z.known {
		if e.Doc == v.Doc && !slices.Contains(z.gone, e) {
			return "", fmt.Errorf("%s:%d: the id %q belongs to %s, so the file of that name cannot have it; rename one", z.Manifest, e.Line, v.Doc, e.Path)
		}
	}
	for _, e := range z.gone {
		if a := e.access(); a != "" && stated == "" && e.Version.Version == v.Version {
			z.out.Moved = append(z.out.Moved, Move{v.Doc, e.Doc})
			return a, nil
		}
	}
	z.out.New = append(z.out.New, v.Doc)
	return stated, nil
}

// stay keeps all lines of a document as they are.
func (z *freezer) stay(e *entry) {
	for _, o := range append(slices.Clone(z.older[e.Doc]), e) {
		z.lines[e.Doc] = append(z.lines[e.Doc], string(o.at.Line().Raw))
	}
}

func raw(v *jsonl.Value) string { return string(v.Line().Raw[v.At:v.End]) }

// qids are the questions with a label on the version of e, or on its document
// without a version.
func (z *freezer) qids(e *entry) []string {
	qids := []string{}
	for _, l := range z.Labels {
		if l.Doc == e.Doc && l.Version == "" || l.names(e.Doc, e.Version.Version) {
			qids = append(qids, l.QID)
		}
	}
	slices.Sort(qids)
	return slices.Compact(qids)
}

// refuse says that the restrictions of e must be restated for the text v. The
// line to paste never opens what was closed: a restricted part that the new
// text holds exactly once is restricted there, for any other the whole document.
func (z *freezer) refuse(e *entry, v Version, text string) {
	v.Observed = "" // freeze adds it
	old, err := z.kept(e.Version.Version)
	if err != nil {
		old = ""
	}
	c := &checker{}
	resolved := c.resolve(e, old)
	var spans []string
	for i, r := range e.spans {
		start, end := 0, len(text)
		if len(c.found) == 0 {
			part := old[resolved[i].Start:resolved[i].End]
			if at := strings.Index(text, part); at >= 0 && at == strings.LastIndex(text, part) {
				start, end = at, at+len(part)
			}
		}
		spans = append(spans, fmt.Sprintf(`{"start":%d,"end":%d,"unit":"byte","read":%s}`, start, end, raw(r.at.Get("read"))))
	}
	access := `"spans":[` + strings.Join(spans, ",") + "]"
	if read := e.at.Get("access").Get("read"); read != nil {
		access = `"read":` + raw(read) + "," + access
	}
	z.out.Refused = append(z.out.Refused, e.at.Get("access").Finding(finding.Finding{Code: CodeRestate,
		Message:  fmt.Sprintf("%q changed, and parts of it are restricted: its new version is not pinned before they are restated", e.Doc),
		Expected: "restrictions of " + v.Version, Found: "restrictions of " + e.Version.Version,
		Hint:  "check where the restricted parts are now and add a line like this one below the old line (a part that the new text does not hold exactly once closes the whole document here)",
		Paste: v.line("{"+access+"}", nil)}))
}
