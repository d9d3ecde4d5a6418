package golden

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/corpus/alike"
	"kerf/internal/finding"
)

// Contradicted are the labels whose evidence another document states with other
// numbers, one warning a span. Documents that the question's search leaves out
// do not count.
func Contradicted(set *Set, all []alike.Contradiction) finding.List {
	var found finding.List
	for _, q := range set.Questions {
		if q.At == nil {
			continue
		}
		for _, s := range q.Spans {
			var others []string
			n := 0
			for _, c := range all {
				i := slices.IndexFunc(c.Places, func(p alike.Place) bool { return p.Doc == s.Doc && !p.Span().Clip(s.Bytes).Empty() })
				if i < 0 {
					continue
				}
				for _, p := range c.Places {
					if p.Doc == s.Doc || slices.Equal(p.Numbers, c.Places[i].Numbers) || q.Within != nil && !slices.Contains(q.Within, p.Doc) {
						continue
					}
					if n++; n <= maxPlaces {
						others = append(others, corpus.Place(p.Doc, p.Page, p.Line)+" "+quoted(cut(p.Text)))
					}
				}
			}
			if n == 0 {
				continue
			}
			if n > maxPlaces {
				others = append(others, fmt.Sprintf("%d more", n-maxPlaces))
			}
			f := finding.Finding{Code: CodeOtherNumbers, Severity: finding.Warning, QID: q.QID, Message: fmt.Sprintf("what span %s says stands elsewhere with other numbers", quoted(s.Name)),
				Expected: "the same numbers as in " + quoted(cut(s.Quote)), Found: strings.Join(others, ", "),
				Hint: "an answer from there is another one: correct the documents, or say in the answer contract which of them holds"}
			found = append(found, s.At.Finding(tidy(f)))
		}
	}
	found.Sort()
	return found
}

// Split is a support set whose spans lie in several sections or documents, so
// that no single passage holds the answer. It is information, not a problem.
type Split struct {
	QID    string       `json:"qid"`
	Set    int          `json:"set"`    // from 1
	Places []SplitPlace `json:"places"` // of its spans, in the order of the set
}

// SplitPlace is where a span of a split set lies.
type SplitPlace struct {
	Span    string `json:"span"`
	Doc     string `json:"doc"`
	Line    int    `json:"line"`          // of its first byte, from 1
	Page    string `json:"page,omitzero"` // likewise; "" in a document without pages
	Heading string `json:"heading"`       // the nearest Markdown heading above, "" if there is none
}

// Splits are the support sets that are split, in file order. A section begins
// with each Markdown heading, of any level.
func Splits(set *Set, c *corpus.Corpus) []Split {
	c = set.With(c)
	sections := map[*corpus.Document][]alike.Section{}
	var out []Split
	for _, q := range set.Questions {
		for i, spans := range q.Support {
			x := Split{QID: q.QID, Set: i + 1}
			type section struct {
				doc *corpus.Document
				n   int
			}
			in := map[section]bool{}
			for _, s := range spans {
				d := c.Find(s.Doc)
				if d == nil || s.Bytes.Empty() {
					continue
				}
				if _, ok := sections[d]; !ok {
					sections[d] = alike.Sections(d.Text)
				}
				n := sort.Search(len(sections[d]), func(j int) bool { return sections[d][j].Start > s.Bytes.Start })
				p := SplitPlace{Span: s.Name, Doc: s.Doc, Line: 1 + strings.Count(d.Text[:s.Bytes.Start], "\n"), Page: d.Page(s.Bytes.Start)}
				if n > 0 {
					p.Heading = sections[d][n-1].Title
				}
				in[section{d, n}] = true
				x.Places = append(x.Places, p)
			}
			if len(in) > 1 {
				out = append(out, x)
			}
		}
	}
	return out
}
