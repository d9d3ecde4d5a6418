package labels

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"kerf/internal/finding"
)

// row is a record of a CSV file with a header.
type row struct {
	columns []string
	cells   []string
	places  []place
}

func (r row) value(column string) string {
	if i := slices.Index(r.columns, column); i >= 0 {
		return r.cells[i]
	}
	return ""
}

// at is where a cell begins; the row, where it has no such column.
func (r row) at(column string) place {
	return r.places[max(slices.Index(r.columns, column), 0)]
}

// csv reads RFC 4180 with a header that has at least these columns. A record that
// cannot be read is a finding, and ends the reading: where the next one begins is
// not known.
func (s *source) csv(required ...string) []row {
	r := csv.NewReader(bytes.NewReader(s.Content))
	r.FieldsPerRecord = -1
	columns, err := r.Read()
	if err != nil {
		s.unreadable(err, "a header: "+strings.Join(required, ","))
		return nil
	}
	for i, c := range columns {
		columns[i] = strings.TrimSpace(c)
		if columns[i] != "" && slices.Contains(columns[:i], columns[i]) {
			s.add(s.field(r, i), finding.Finding{Code: CodeTwice, Message: "a column that stands twice", Expected: "every column once", Found: columns[i]})
			return nil
		}
	}
	ok := true
	for _, c := range required {
		if !slices.Contains(columns, c) {
			f := finding.Finding{Code: CodeForm, Message: fmt.Sprintf("the header has no column %q", c), Expected: strings.Join(required, ","),
				Found: strings.Join(columns, ","), Hint: finding.DidYouMean(c, columns)}
			if len(columns) == 1 && strings.ContainsAny(columns[0], ";\t") {
				f.Hint = "commas separate the columns: export with them in place of semicolons or tabs"
			}
			s.add(s.field(r, 0), f)
			ok = false
		}
	}
	if !ok {
		return nil
	}
	var rows []row
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			s.unreadable(err, "a record as RFC 4180 writes it")
			return rows
		}
		if len(cells) != len(columns) {
			s.out.questions++
			s.add(s.field(r, 0), finding.Finding{Code: CodeForm, Message: "a row of another length than the header", Expected: fmt.Sprintf("%d cells", len(columns)),
				Found: fmt.Sprint(len(cells)), Hint: "put a cell with a comma, a quote or a line break in quotes"})
			continue
		}
		this := row{columns: columns, cells: cells}
		for i := range cells {
			this.places = append(this.places, s.field(r, i))
		}
		rows = append(rows, this)
	}
}

// field is where a field of the last record begins.
func (s *source) field(r *csv.Reader, i int) place {
	line, column := r.FieldPos(i) // in bytes
	return s.at(s.lines[line-1] + column - 1)
}

func (s *source) unreadable(err error, expected string) {
	f, at := finding.Finding{Code: CodeForm, Message: "this is not CSV: " + err.Error(), Expected: expected}, s.at(0)
	var pe *csv.ParseError
	if errors.As(err, &pe) {
		at = s.at(s.lines[pe.Line-1] + pe.Column - 1)
		f.Message = "this is not CSV: " + pe.Err.Error()
	} else if errors.Is(err, io.EOF) {
		f.Message = "the file is empty"
	}
	s.add(at, f)
}
