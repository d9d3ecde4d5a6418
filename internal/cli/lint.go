package cli

import (
	"fmt"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/corpus/alike"
	"kerf/internal/golden"
	"kerf/internal/jsonl"
	"kerf/internal/report"
)

// nearRow is a group of near-identical documents in one line.
func nearRow(g alike.Group) string {
	least := g.Links[0]
	for _, l := range g.Links[1:] {
		if l.Both*least.All < least.Both*l.All {
			least = l
		}
	}
	row := fmt.Sprintf("%s: %s of %s word 5-grams in both", strings.Join(g.Docs, ", "), report.Number(least.Both), report.Number(least.All))
	if len(g.Docs) > 2 {
		row += fmt.Sprintf(" (%s and %s, the least alike of the pairs that tie them)", least.A, least.B)
	}
	return row
}

// numberRows are the statements with other numbers, a row a place. Without all,
// most statements and places of a statement at the most.
func numberRows(found []alike.Contradiction, all bool) (rows []string) {
	const most = 10
	for i, c := range found {
		if i == most && !all {
			return append(rows, fmt.Sprintf("… and %s more (-v shows all)", counted(len(found)-most, "statement")))
		}
		rows = append(rows, "the same statement with other numbers:")
		for j, p := range c.Places {
			if j == most && !all {
				rows = append(rows, fmt.Sprintf("  … and %s more", counted(len(c.Places)-most, "place")))
				break
			}
			rows = append(rows, fmt.Sprintf("  %s  %s  %s", corpus.Place(p.Doc, p.Page, p.Line), strings.Join(p.Numbers, " "), jsonl.Quote(p.Text)))
		}
	}
	return rows
}

// splitRows say which support sets no single section holds.
func splitRows(splits []golden.Split, all bool) (rows []string) {
	if len(splits) == 0 {
		return nil
	}
	row := fmt.Sprintf("for information: the spans of %s lie in several sections or documents", counted(len(splits), "support set"))
	if !all {
		return append(rows, row+" (-v lists them)")
	}
	rows = append(rows, row)
	for _, s := range splits {
		var places []string
		for _, p := range s.Places {
			place := p.Span + " " + corpus.Place(p.Doc, p.Page, p.Line)
			if p.Heading != "" {
				place += " " + jsonl.Quote(p.Heading)
			}
			places = append(places, place)
		}
		rows = append(rows, fmt.Sprintf("  %s set %d: %s", s.QID, s.Set, strings.Join(places, ", ")))
	}
	return rows
}
