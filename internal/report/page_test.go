package report

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"kerf/internal/study/compare"
)

// element is a node of a parsed page: an element, or text (Name empty).
type element struct {
	Name     string
	Attr     map[string]string
	Text     string
	Children []*element
}

// parse reads a page. It is well-formed XML but for its entities, which keeps
// the tests free of an HTML parser.
func parse(t *testing.T, page []byte) *element {
	t.Helper()
	d := xml.NewDecoder(bytes.NewReader(page))
	d.Entity = xml.HTMLEntity
	root := &element{}
	stack := []*element{root}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return root
		}
		if err != nil {
			t.Fatal(err)
		}
		top := stack[len(stack)-1]
		switch k := token.(type) {
		case xml.StartElement:
			e := &element{Name: k.Name.Local, Attr: map[string]string{}}
			for _, a := range k.Attr {
				e.Attr[a.Name.Local] = a.Value
			}
			top.Children = append(top.Children, e)
			stack = append(stack, e)
		case xml.EndElement:
			stack = stack[:len(stack)-1]
		case xml.CharData:
			top.Children = append(top.Children, &element{Text: string(k)})
		case xml.Comment:
			t.Errorf("a comment: %s", k)
		}
	}
}

// walk visits e and everything below it.
func (e *element) walk(visit func(*element)) {
	visit(e)
	for _, c := range e.Children {
		c.walk(visit)
	}
}

// all are the elements below e with this name and, unless it is empty, class.
func (e *element) all(name, class string) []*element {
	var out []*element
	e.walk(func(c *element) {
		if c.Name == name && (class == "" || slices.Contains(strings.Fields(c.Attr["class"]), class)) {
			out = append(out, c)
		}
	})
	return out
}

// text is the text below e, style sheet aside.
func (e *element) text() string {
	var b strings.Builder
	var add func(*element)
	add = func(c *element) {
		if c.Name == "style" {
			return
		}
		b.WriteString(c.Text)
		for _, d := range c.Children {
			add(d)
		}
		if c.Name == "br" {
			b.WriteByte('\n')
		}
	}
	add(e)
	return b.String()
}

func render(t *testing.T, r *compare.Report, overlays []compare.Overlay) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := HTML(&b, r, overlays, nil); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}
