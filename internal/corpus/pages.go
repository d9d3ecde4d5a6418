package corpus

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

// Page is where a page of a document begins.
type Page struct {
	Label string `json:"page"`  // as the document's reader calls it: "3", "iv"
	Start int    `json:"start"` // byte of the document, from 0
}

// Page is the label of the page that holds byte b of the version's text, "" in
// a document without pages. What separates two pages belongs to the first.
func (v *Version) Page(b int) string {
	n := sort.Search(len(v.Pages), func(i int) bool { return v.Pages[i].Start > b })
	if n == 0 {
		return ""
	}
	return v.Pages[n-1].Label
}

// Place is a place in a document, for people: its page where it has pages, else
// its line, from 1.
func Place(doc, page string, line int) string {
	if page != "" {
		return doc + " p. " + page
	}
	return fmt.Sprintf("%s:%d", doc, line)
}

// PageTable is the pages as a list of texts, each the first byte of a page, a
// blank and its label; ParsePages reads it.
func (v *Version) PageTable() []string {
	var out []string
	for _, p := range v.Pages {
		out = append(out, fmt.Sprintf("%d %s", p.Start, p.Label))
	}
	return out
}

// ParsePages reads what PageTable writes.
func ParsePages(table []string) ([]Page, error) {
	var out []Page
	for _, t := range table {
		start, label, ok := strings.Cut(t, " ")
		n, err := strconv.Atoi(start)
		if err != nil || !ok {
			return nil, fmt.Errorf("no page of a table: %q", t)
		}
		out = append(out, Page{label, n})
	}
	return out, nil
}

const pagesExample = `[{"page":"1","start":0},…], from 0 and never falling`

// pages are the page table of a manifest's line.
func (c *checker) pages(e *entry) {
	v := e.at.Get("pages")
	if v == nil {
		return
	}
	if v.Kind != jsonl.Array {
		c.wrong(e.at, "pages", pagesExample)
		return
	}
	for _, p := range v.Elems {
		label, start := p.Get("page"), p.Get("start")
		n, ok := start.Int()
		last := 0
		if k := len(e.Pages); k > 0 {
			last = e.Pages[k-1].Start
		}
		if !ok || label == nil || label.Kind != jsonl.String || label.Text == "" || n < last || n > e.Bytes || len(e.Pages) == 0 && n != 0 {
			c.add(p, finding.Finding{Code: CodePageTable, Message: fmt.Sprintf("no page of %q", e.Doc),
				Expected: pagesExample, Found: jsonl.Quote(p.Line().Raw[p.At:p.End])})
			return
		}
		e.Pages = append(e.Pages, Page{label.Text, n})
	}
	v.Elems = nil // a manifest may hold a million of them
}

// writePages writes a page table as the manifest has it, nothing where there is
// none.
func writePages(b *strings.Builder, pages []Page) {
	for i, p := range pages {
		b.WriteString([]string{`,"pages":[`, ","}[min(i, 1)])
		fmt.Fprintf(b, `{"page":%s,"start":%d}`, quote(p.Label), p.Start)
	}
	if len(pages) > 0 {
		b.WriteByte(']')
	}
}
