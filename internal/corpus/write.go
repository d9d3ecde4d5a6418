package corpus

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// pin adds the line of a document's pinned version behind those older ones that
// a label names. from is the line it follows, nil for a new document.
func (z *freezer) pin(v Version, access string, from *entry) {
	for _, e := range z.older[v.Doc] {
		used := func(l Label) bool { return l.names(e.Doc, e.Version.Version) }
		if e.Version.Version != v.Version && (z.KeepOlder || slices.ContainsFunc(z.Labels, used)) {
			z.lines[v.Doc] = append(z.lines[v.Doc], string(e.at.Line().Raw))
		}
	}
	if from != nil && from.Version.Version == v.Version && from.Observed == v.Observed && from.access() == access && slices.Equal(from.Pages, v.Pages) {
		z.lines[v.Doc] = append(z.lines[v.Doc], string(from.at.Line().Raw))
		return
	}
	z.lines[v.Doc] = append(z.lines[v.Doc], v.line(access, from))
}

// line is the line of a manifest. from is the line it follows, whose other keys
// stay; nil for none.
func (v *Version) line(access string, from *entry) string {
	var b strings.Builder
	fmt.Fprintf(&b, `{"doc":%s,"version":"%s"`, quote(v.Doc), v.Version)
	if v.Path != "" {
		fmt.Fprintf(&b, `,"path":%s`, quote(v.Path))
	}
	fmt.Fprintf(&b, `,"bytes":%d`, v.Bytes)
	if v.Observed != "" {
		fmt.Fprintf(&b, `,"observed":%s`, quote(v.Observed))
	}
	writePages(&b, v.Pages)
	if access != "" {
		fmt.Fprintf(&b, `,"access":%s`, access)
	}
	if from != nil {
		for _, m := range from.at.Members {
			if !slices.Contains(versionKeys, m.Name) {
				fmt.Fprintf(&b, `,%s:%s`, quote(m.Name), raw(m.Value))
			}
		}
	}
	return b.String() + "}"
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
	fmt.Fprintf(&b, `{"kerf":"%s","root":%s,"extract":"%s"`, Kind, quote(z.Root), map[bool]string{false: Extract, true: Texts}[z.Texts])
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
