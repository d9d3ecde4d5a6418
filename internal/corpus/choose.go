package corpus

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"unicode/utf8"
)

// textKinds are the extensions that freeze takes for text without being told:
// what a person wrote to be read as it stands. Tables, markup and code are text
// too, but as they stand they are rarely what a search indexes; --include adds
// them.
var textKinds = []string{".adoc", ".markdown", ".md", ".mdx", ".org", ".rst", ".text", ".txt"}

// choice is which files of a folder are documents.
type choice struct {
	paths  []string       // sorted by bytes
	left   map[string]int // extension -> files of other kinds
	links  []string       // links, which are not followed
	closed []Unreadable   // what could not be entered or has no name in UTF-8
}

// choose walks fsys. Names that begin with a dot are skipped with all that is
// below them.
func choose(fsys fs.FS, include, exclude []string, skip string) (*choice, error) {
	for _, pattern := range slices.Concat(include, exclude) {
		if _, err := path.Match(pattern, ""); err != nil || pattern == "" {
			return nil, fmt.Errorf("the pattern %q: %w", pattern, path.ErrBadPattern)
		}
	}
	c := &choice{left: map[string]int{}}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case !utf8.ValidString(name):
			c.closed = append(c.closed, Unreadable{Path: fmt.Sprintf("%+q", name), Problem: Problem{Reason: "the name is not UTF-8"}})
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case err != nil && name == ".":
			return err
		case err != nil:
			c.closed = append(c.closed, Unreadable{Path: name, Problem: Problem{Reason: cause(err).Error()}})
			return nil
		case name == ".":
			return nil
		case strings.HasPrefix(d.Name(), "."), matchAny(exclude, name):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case d.IsDir(), name == skip:
			return nil
		case d.Type()&fs.ModeSymlink != 0:
			c.links = append(c.links, name)
			return nil
		}
		kind := strings.ToLower(path.Ext(name))
		if d.Type().IsRegular() && (slices.Contains(textKinds, kind) || matchAny(include, name)) {
			c.paths = append(c.paths, name)
		} else {
			c.left[kind]++
		}
		return nil
	})
	slices.Sort(c.paths)
	return c, err
}

func matchAny(patterns []string, name string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return match(p, name) })
}

// match reports whether a path fits a pattern: one without "/" is held against
// the last name, another one against the whole path, where "**" stands for any
// number of folders.
func match(pattern, name string) bool {
	if !strings.Contains(pattern, "/") {
		ok, _ := path.Match(pattern, path.Base(name))
		return ok
	}
	return matchParts(strings.Split(strings.Trim(pattern, "/"), "/"), strings.Split(name, "/"))
}

func matchParts(pattern, name []string) bool {
	if len(pattern) == 0 {
		return len(name) == 0
	}
	if pattern[0] == "**" {
		for i := range len(name) + 1 {
			if matchParts(pattern[1:], name[i:]) {
				return true
			}
		}
		return false
	}
	if len(name) == 0 {
		return false
	}
	ok, _ := path.Match(pattern[0], name[0])
	return ok && matchParts(pattern[1:], name[1:])
}
