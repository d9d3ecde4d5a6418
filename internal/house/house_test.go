package house

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// room is one package of the module without its test files.
type room struct {
	name  string // folder below the module's root, with "/"
	files []*ast.File
	paths []string // of files, as messages name them
}

// house is the whole module, read from its sources: `go list` would read them
// in another process, where the test cache does not see that they changed.
type house struct {
	fset  *token.FileSet
	rooms []*room // by name
}

// read parses every source of the module but test files, testdata and hidden
// folders.
func read(t *testing.T) house {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(filepath.Join(root, "go.mod")); err != nil {
		t.Fatal(err)
	}
	h := house{fset: token.NewFileSet()}
	rooms := map[string]*room{}
	err = fs.WalkDir(os.DirFS(root), ".", func(name string, e fs.DirEntry, err error) error {
		base := path.Base(name)
		switch {
		case err != nil:
			return err
		case e.IsDir() && name != "." && (base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_")):
			return fs.SkipDir
		case e.IsDir() || path.Ext(name) != ".go" || strings.HasSuffix(name, "_test.go"):
			return nil
		}
		content, err := fs.ReadFile(os.DirFS(root), name)
		if err != nil {
			return err
		}
		file, err := parser.ParseFile(h.fset, name, content, parser.ParseComments|parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		dir := path.Dir(name)
		if rooms[dir] == nil {
			rooms[dir] = &room{name: dir}
			h.rooms = append(h.rooms, rooms[dir])
		}
		rooms[dir].files = append(rooms[dir].files, file)
		rooms[dir].paths = append(rooms[dir].paths, name)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(h.rooms) < 10 {
		t.Fatalf("%d rooms found: the walk missed the module", len(h.rooms))
	}
	slices.SortFunc(h.rooms, func(a, b *room) int { return cmp.Compare(a.name, b.name) })
	return h
}

// imports are the rooms, modules and packages of the standard library that a
// room uses, sorted.
func (r *room) imports() (rooms, modules, standard []string) {
	for _, f := range r.files {
		for _, i := range f.Imports {
			p, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				panic("BUG: " + err.Error())
			}
			first, _, _ := strings.Cut(p, "/")
			switch {
			case first == "kerf":
				rooms = append(rooms, strings.TrimPrefix(p, "kerf/"))
			case strings.Contains(first, "."): // every module that kerf uses has three elements
				modules = append(modules, strings.Join(strings.SplitN(p, "/", 4)[:3], "/"))
			default:
				standard = append(standard, p)
			}
		}
	}
	for _, l := range []*[]string{&rooms, &modules, &standard} {
		slices.Sort(*l)
		*l = slices.Compact(*l)
	}
	return rooms, modules, standard
}
