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

// Params is how a folder is frozen.
type Params struct {
	Manifest  string            // path in the file system; the previous one is read from there
	Root      string            // the folder of the texts, relative to the manifest's folder
	Include   []string          // patterns of further files; nil: as the previous manifest says
	Exclude   []string          // patterns of files and folders to leave out; nil: likewise
	Observed  string            // a date for every pinned line, or ""
	Dates     map[string]string // path below Root -> date for lines that have none yet
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

// Freeze makes the manifest of a folder. Documents keep the ids and the access
// that the previous manifest gives to their paths, and lines that say the same
// keep their bytes, so freezing twice changes nothing. A file that is no text is
// a row of Unreadable (its previous lines stay); an unusable previous manifest,
// another root and a file that cannot be opened at all are errors.
func Freeze(fsys fs.FS, p Params) (*Frozen, error) {
	prev, err := previous(fsys, p)
	if err != nil {
		return nil, err
	}
	z := &freezer{Params: p, prev: prev, out: &Frozen{}, byPath: map[string]*entry{}, older: map[string][]*entry{}, lines: map[string][]string{},
		kept: func(version string) (string, error) { return Kept(fsys, p.Manifest, version) }}
	if z.Include == nil {
		z.Include = prev.include
	}
	if z.Exclude == nil {
		z.Exclude = prev.exclude
	}
	dir := path.Join(path.Dir(p.Manifest), p.Root)
	folder, err := fs.Sub(fsys, dir)
	if err != nil {
		return nil, fmt.Errorf("the folder %s: %w", p.Root, err)
	}
	chosen, err := choose(folder, z.Include, z.Exclude, below(dir, p.Manifest))
	if err != nil {
		return nil, err
	}
	z.out.Unreadable, z.out.Links = chosen.closed, chosen.links
	for _, kind := range slices.Sorted(maps.Keys(chosen.left)) {
		z.out.Left = append(z.out.Left, Left{kind, chosen.left[kind]})
	}
	pinned, older := prev.pinned()
	for _, e := range pinned {
		if other := z.byPath[e.Path]; other != nil {
			return nil, fmt.Errorf("%s: documents %q and %q are one file, %s; delete one line", p.Manifest, other.Doc, e.Doc, e.Path)
		}
		z.byPath[e.Path] = e
	}
	for _, e := range older {
		z.older[e.Doc] = append(z.older[e.Doc], e)
	}
	z.missing(pinned, chosen)
	for _, name := range chosen.paths {
		if err := z.file(folder, name); err != nil {
			return nil, err
		}
	}
	slices.SortFunc(z.out.Unreadable, func(a, b Unreadable) int { return strings.Compare(a.Path, b.Path) })
	z.out.Manifest, z.out.Documents = z.manifest(), len(z.lines)
	return z.out, nil
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
	if path.Clean(m.root) != path.Clean(p.Root) {
		return nil, fmt.Errorf("%s pins the folder %q, not %q: freezing into it would drop its documents; name another manifest with -o, or edit its root where the folder has moved",
			p.Manifest, m.root, p.Root)
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
	prev   *manifest
	out    *Frozen
	byPath map[string]*entry   // pinned lines of the previous manifest
	older  map[string][]*entry // by document
	gone   []*entry            // pinned lines without a file
	lines  map[string][]string // by document
	kept   func(version string) (string, error)
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
		z.gone = append(z.gone, e)
		z.out.Removed = append(z.out.Removed, Removal{Doc: e.Doc, Version: e.Version.Version, Restricted: e.at.Get("access") != nil, QIDs: z.qids(e)})
	}
}

// file freezes one file.
func (z *freezer) file(folder fs.FS, name string) error {
	e := z.byPath[name]
	content, err := readBounded(folder, name)
	p := CheckText(content)
	if err != nil {
		p = &Problem{Reason: cause(err).Error()}
	}
	if p != nil {
		z.out.Unreadable = append(z.out.Unreadable, Unreadable{name, *p})
		if e != nil {
			z.stay(e)
		}
		return nil
	}
	text := string(content)
	v := Version{Doc: name, Version: VersionOf(text), Path: name, Bytes: len(text), Observed: cmp.Or(z.Observed, z.Dates[name])}
	switch {
	case e == nil:
		access, err := z.arrive(v)
		if err != nil {
			return err
		}
		z.pin(v, access, nil)
	case e.Version.Version == v.Version:
		v.Doc, v.Observed = e.Doc, cmp.Or(z.Observed, e.Observed, z.Dates[name])
		z.pin(v, e.at.Get("access"), e)
	case len(e.spans) > 0:
		v.Doc = e.Doc
		z.refuse(e, v, text)
		z.stay(e)
		return nil
	default:
		v.Doc = e.Doc
		z.out.Changed = append(z.out.Changed, Change{e.Doc, e.Version.Version, v.Version, z.qids(e)})
		z.older[e.Doc] = append(z.older[e.Doc], e)
		z.pin(v, e.at.Get("access"), e)
	}
	if z.Keep != nil {
		return z.Keep(v.Version, text)
	}
	return nil
}

// arrive takes in a new document and returns the access that its text already
// had under a path that has gone.
func (z *freezer) arrive(v Version) (access *jsonl.Value, err error) {
	for _, e := range z.byPath {
		if e.Doc == v.Doc && !slices.Contains(z.gone, e) {
			return nil, fmt.Errorf("%s:%d: the id %q belongs to %s, so the file of that name cannot have it; rename one", z.Manifest, e.Line, v.Doc, e.Path)
		}
	}
	for _, e := range z.gone {
		if a := e.at.Get("access"); a != nil && e.Version.Version == v.Version {
			z.out.Moved = append(z.out.Moved, Move{v.Doc, e.Doc})
			return a, nil
		}
	}
	z.out.New = append(z.out.New, v.Doc)
	return nil, nil
}

// pin adds the line of a document's pinned version behind those older ones that
// a label names. from is the line it follows, nil for a new document.
func (z *freezer) pin(v Version, access *jsonl.Value, from *entry) {
	for _, e := range z.older[v.Doc] {
		used := func(l Label) bool { return l.names(e.Doc, e.Version.Version) }
		if e.Version.Version != v.Version && (z.KeepOlder || slices.ContainsFunc(z.Labels, used)) {
			z.lines[v.Doc] = append(z.lines[v.Doc], string(e.at.Line().Raw))
		}
	}
	if from != nil && from.Version.Version == v.Version && from.Observed == v.Observed {
		z.lines[v.Doc] = append(z.lines[v.Doc], string(from.at.Line().Raw))
		return
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"doc":%s,"version":"%s","path":%s,"bytes":%d`, quote(v.Doc), v.Version, quote(v.Path), v.Bytes)
	if v.Observed != "" {
		fmt.Fprintf(&b, `,"observed":%s`, quote(v.Observed))
	}
	if access != nil {
		fmt.Fprintf(&b, `,"access":%s`, raw(access))
	}
	if from != nil {
		for _, m := range from.at.Members {
			if !slices.Contains(versionKeys, m.Name) {
				fmt.Fprintf(&b, `,%s:%s`, quote(m.Name), raw(m.Value))
			}
		}
	}
	b.WriteByte('}')
	z.lines[v.Doc] = append(z.lines[v.Doc], b.String())
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
		Hint: "check where the restricted parts are now and add a line like this one below the old line (a part that the new text does not hold exactly once closes the whole document here)",
		Paste: fmt.Sprintf(`{"doc":%s,"version":"%s","path":%s,"bytes":%d,"access":{%s}}`,
			quote(v.Doc), v.Version, quote(v.Path), v.Bytes, access)}))
}

// manifest is the file: the header, then the documents by their ids.
func (z *freezer) manifest() []byte {
	var b strings.Builder
	b.WriteString(z.header() + "\n")
	for _, doc := range slices.Sorted(maps.Keys(z.lines)) {
		for _, l := range z.lines[doc] {
			b.WriteString(l + "\n")
		}
	}
	return []byte(b.String())
}

func (z *freezer) header() string {
	if h := z.prev.header; h != nil && slices.Equal(z.Include, z.prev.include) && slices.Equal(z.Exclude, z.prev.exclude) {
		return string(h.Line().Raw)
	}
	var b strings.Builder
	fmt.Fprintf(&b, `{"kerf":"%s","root":%s,"extract":"%s"`, Kind, quote(z.Root), Extract)
	for _, list := range []struct {
		key      string
		patterns []string
	}{{"include", z.Include}, {"exclude", z.Exclude}} {
		if len(list.patterns) > 0 {
			quoted := make([]string, len(list.patterns))
			for i, s := range list.patterns {
				quoted[i] = quote(s)
			}
			fmt.Fprintf(&b, `,"%s":[%s]`, list.key, strings.Join(quoted, ","))
		}
	}
	if z.prev.header != nil {
		for _, m := range z.prev.header.Members {
			if !slices.Contains(headerKeys, m.Name) {
				fmt.Fprintf(&b, `,%s:%s`, quote(m.Name), raw(m.Value))
			}
		}
	}
	return b.String() + "}"
}
