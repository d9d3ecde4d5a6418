package house

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"strings"
	"testing"
)

const mostLines = 400

// TestFiles: a file stays short enough to be read in one go, a room says what
// it is for, and nothing runs before main.
func TestFiles(t *testing.T) {
	h := read(t)
	for _, r := range h.rooms {
		var comment string
		for i, f := range r.files {
			if lines := h.fset.File(f.Pos()).LineCount(); lines > mostLines {
				t.Errorf("%s has %d lines; the most is %d", r.paths[i], lines, mostLines)
			}
			if f.Doc != nil {
				comment += f.Doc.Text()
			}
			for _, d := range f.Decls {
				if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
					t.Errorf("%s: func init", h.fset.Position(fn.Pos()))
				}
			}
		}
		if !strings.HasPrefix(comment, "Package ") && !strings.HasPrefix(comment, "Command ") {
			t.Errorf("%s has no package comment that says what it is for", r.name)
		}
	}
}

// TestNoState: a package-level variable is a constant that Go has no word for.
// It holds an embedded file, a value made once, an error to compare with, a
// compiled pattern or a table, and nothing changes it afterwards.
func TestNoState(t *testing.T) {
	h := read(t)
	for _, r := range h.rooms {
		for _, problem := range state(h.fset, r.name, r.files) {
			t.Error(problem)
		}
	}
}

// TestStateIsSeen: each kind of state is found, and a local variable of the
// same name is not taken for it.
func TestStateIsSeen(t *testing.T) {
	const source = `package p
import "errors"
var free int
var made = build()
var table = map[string]int{"a": 1}
var errGone = errors.New("gone")
var rows = []int{1, 2}
func build() int { return 1 }
func f() *[]int {
	table["b"] = 2
	rows[0]++
	errGone = nil
	delete(table, "a")
	for rows[1] = range 3 {
	}
	return &rows
}
func g() {
	rows := []int{3}
	rows[0] = 4
	_ = &rows
}
`
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", source, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, p := range state(fset, "p", []*ast.File{file}) {
		lines = append(lines, strings.Split(p, ":")[1])
	}
	if got, want := strings.Join(lines, " "), "3 4 10 11 12 13 14 16"; got != want {
		t.Errorf("state is seen in lines %s, want %s", got, want)
	}
}

// state lists the package-level variables that are none of the allowed kinds,
// and every place that changes one.
func state(fset *token.FileSet, name string, files []*ast.File) (problems []string) {
	for _, f := range files {
		for _, d := range f.Decls {
			g, ok := d.(*ast.GenDecl)
			if !ok || g.Tok != token.VAR {
				continue
			}
			for _, s := range g.Specs {
				v := s.(*ast.ValueSpec)
				for i, id := range v.Names {
					if id.Name != "_" && !embedded(g, v) && (i >= len(v.Values) || !fixed(v.Values[i])) {
						problems = append(problems, fmt.Sprintf("%s: variable %s is state", fset.Position(id.Pos()), id.Name))
					}
				}
			}
		}
	}
	// Imports cannot be resolved here and need not be: a package's own
	// variables are known without them.
	info := types.Info{Uses: map[*ast.Ident]types.Object{}}
	config := types.Config{Importer: none{}, Error: func(error) {}}
	pkg, _ := config.Check(name, fset, files, &info)
	change := func(e ast.Expr, how string) {
		id := base(e)
		if id == nil {
			return
		}
		if v, ok := info.Uses[id].(*types.Var); ok && v.Parent() == pkg.Scope() {
			problems = append(problems, fmt.Sprintf("%s: variable %s is %s", fset.Position(id.Pos()), id.Name, how))
		}
	}
	for _, f := range files {
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.AssignStmt:
				for _, e := range n.Lhs {
					change(e, "assigned")
				}
			case *ast.IncDecStmt:
				change(n.X, "assigned")
			case *ast.RangeStmt:
				if n.Tok == token.ASSIGN {
					change(n.Key, "assigned")
					change(n.Value, "assigned")
				}
			case *ast.UnaryExpr:
				if n.Op == token.AND {
					change(n.X, "handed out by address")
				}
			case *ast.CallExpr:
				if fn, ok := n.Fun.(*ast.Ident); ok && len(n.Args) > 0 && (fn.Name == "clear" || fn.Name == "delete" || fn.Name == "copy") {
					change(n.Args[0], "changed")
				}
			}
			return true
		})
	}
	return problems
}

type none struct{}

func (none) Import(path string) (*types.Package, error) {
	return nil, fmt.Errorf("%s is not looked at", path)
}

func embedded(g *ast.GenDecl, v *ast.ValueSpec) bool {
	for _, doc := range []*ast.CommentGroup{g.Doc, v.Doc} {
		if doc != nil {
			for _, c := range doc.List {
				if strings.HasPrefix(c.Text, "//go:embed ") {
					return true
				}
			}
		}
	}
	return false
}

// fixed says whether a variable of this value can be a constant in all but
// name.
func fixed(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit: // a table of rows
		return true
	case *ast.UnaryExpr:
		return e.Op == token.AND && fixed(e.X)
	case *ast.CallExpr:
		if s, ok := e.Fun.(*ast.SelectorExpr); ok {
			if pkg, ok := s.X.(*ast.Ident); ok {
				switch pkg.Name + "." + s.Sel.Name {
				case "errors.New", "regexp.MustCompile", "sync.OnceValue", "sync.OnceValues", "strings.NewReplacer":
					return true
				}
			}
		}
	}
	return false
}

// base is the variable that an expression such as x.f[i] is part of.
func base(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.IndexExpr:
			e = x.X
		case *ast.SelectorExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.ParenExpr:
			e = x.X
		case *ast.SliceExpr:
			e = x.X
		default:
			return nil
		}
	}
}
