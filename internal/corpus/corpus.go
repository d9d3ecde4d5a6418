// Package corpus is the frozen documents: immutable versions of texts, named by
// their digest, with who may read which bytes.
//
// A Document is the pinned (current) version of one document id; the manifest
// corpus/1 may keep lines of older versions while labels name them. Documents
// are never rewritten: a byte order mark or a CRLF is content.
package corpus

import (
	"slices"

	"kerf/internal/text/span"
)

// Corpus is what a manifest pins.
type Corpus struct {
	Root      string      // folder of the texts, or their texts/1 file, relative to the manifest's folder
	Extract   string      // how text was made from the sources: "text/1", as they are; "texts/1", by another program
	Documents []*Document // pinned versions, sorted by the bytes of their ids
	Older     []Version   // superseded lines, in file order
}

// Version is one line of the manifest.
type Version struct {
	Doc      string
	Version  string // "sha256:" and 64 hex digits, of Text
	Path     string // below Root, with "/"; "" where Root is a file of texts
	Bytes    int
	Observed string // a date, or empty
	Pages    []Page // by start; nil: not known, or none
	Access   Access
	Line     int // in the manifest
}

// Document is a pinned version with its text.
type Document struct {
	Version
	Text string
}

// Access says who may read a document. No restriction means everyone.
type Access struct {
	Read  []string      // names, one of which the reader needs; nil: no restriction
	Spans []Restriction // further restrictions of parts, in file order
}

// Restriction limits the readers of a part of a text.
type Restriction struct {
	span.Span
	Read []string
}

// Readable is the set of bytes of d that a reader with these names may read: a
// byte is readable when every restriction that covers it shares a name with the
// reader (formats.md, Access).
func (d *Document) Readable(reader []string) span.Set {
	if d.Access.Read != nil && !shares(d.Access.Read, reader) {
		return span.Set{}
	}
	var denied []span.Span
	for _, r := range d.Access.Spans {
		if !shares(r.Read, reader) {
			denied = append(denied, r.Span)
		}
	}
	return span.Union(span.Span{Start: 0, End: len(d.Text)}).Minus(span.Union(denied...))
}

func shares(a, b []string) bool {
	return slices.ContainsFunc(a, func(name string) bool { return slices.Contains(b, name) })
}

// Find is the document with this id, nil if there is none.
func (c *Corpus) Find(id string) *Document {
	i, ok := slices.BinarySearchFunc(c.Documents, id, func(d *Document, id string) int {
		switch {
		case d.Doc < id:
			return -1
		case d.Doc > id:
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return c.Documents[i]
}
