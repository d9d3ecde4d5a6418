package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"kerf/internal/stats"
)

// CSV writes a table for spreadsheets (docs/format/csv.md): the names of the
// columns, then the rows, all of one width, as RFC 4180 quotes them. A cell is a
// text, an int or a float64; a stats.Count is three cells, and so is a stats.Sum, whose
// numerator is then a decimal of 15 digits.
//
// A text that a spreadsheet would take for a formula gets one "'" in front, and
// so does one that would with its own "'" taken away: whoever reads the file back
// takes one "'" away where Formula holds for what follows it. Numbers stay as
// they are.
func CSV(w io.Writer, s Sheet) error {
	out := csv.NewWriter(w)
	record := append([]string{}, s.Columns...)
	for i := -1; i < len(s.Rows); i++ {
		if i >= 0 {
			record = record[:0]
			for _, cell := range s.Rows[i] {
				record = appendCells(record, cell)
			}
		}
		if len(record) != len(s.Columns) {
			panic(fmt.Sprintf("BUG: a row of %d cells under %d columns", len(record), len(s.Columns)))
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}

func appendCells(record []string, cell any) []string {
	switch v := cell.(type) {
	case string:
		if Formula(v) {
			v = "'" + v
		}
		return append(record, v)
	case int:
		return append(record, strconv.Itoa(v))
	case float64:
		return append(record, strconv.FormatFloat(v, 'g', -1, 64))
	case stats.Count:
		return append(record, strconv.Itoa(v.Num), strconv.Itoa(v.Den), strconv.Itoa(v.Missing))
	case stats.Sum:
		num := strings.TrimSuffix(strings.TrimRight(v.Sum.FloatString(15), "0"), ".")
		return append(record, num, strconv.Itoa(v.Den), strconv.Itoa(v.Missing))
	}
	panic(fmt.Sprintf("BUG: a cell of type %T", cell))
}

// Formula reports whether a spreadsheet may take a text for a formula: it begins
// with a tab or a carriage return, or with = + - @ or one of their wide forms, if
// need be behind blanks, characters that do not show, and apostrophes.
func Formula(text string) bool {
	if begins := strings.TrimLeft(text, "'"); begins != "" && (begins[0] == '\t' || begins[0] == '\r') {
		return true
	}
	seen := strings.TrimLeftFunc(text, func(r rune) bool {
		return r == '\'' || unicode.IsSpace(r) || !unicode.IsGraphic(r) || unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector)
	})
	for _, sign := range "=+-@＝＋－＠" {
		if strings.HasPrefix(seen, string(sign)) {
			return true
		}
	}
	return false
}
