// Package finding is the one shape of everything kerf has to say about bad or
// suspicious input: where it stands, what was expected, what was found, and a
// line to paste that repairs it.
//
// A Finding is data, not an error: a reader collects all of them in one pass.
// A List with errors in it becomes a Go error through Err.
package finding

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Severity says whether a finding stops the work.
type Severity string

const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Finding is one problem in one place. Line and Column count from 1, columns
// in code points; 0 means that the place has none.
type Finding struct {
	Code     string   `json:"code"`
	Severity Severity `json:"severity"`
	File     string   `json:"file"`
	Line     int      `json:"line"`
	Column   int      `json:"column"`
	QID      string   `json:"qid,omitempty"`
	Message  string   `json:"message"`
	Expected string   `json:"expected,omitempty"`
	Found    string   `json:"found,omitempty"`
	Hint     string   `json:"hint,omitempty"`
	Paste    string   `json:"paste,omitempty"`
}

// Place is file:line:column, as far as it is known.
func (f Finding) Place() string {
	place := f.File
	if f.Line > 0 {
		place = fmt.Sprintf("%s:%d", place, f.Line)
		if f.Column > 0 {
			place = fmt.Sprintf("%s:%d", place, f.Column)
		}
	}
	return place
}

// String is the text form, several lines, without a final line break. It
// escapes nothing: whoever prints to a terminal does.
func (f Finding) String() string {
	var b strings.Builder
	if place := f.Place(); place != "" {
		b.WriteString(place + ": ")
	}
	fmt.Fprintf(&b, "%s[%s]: %s", f.Severity, f.Code, f.Message)
	for _, row := range [][2]string{{"expected", f.Expected}, {"found", f.Found}, {"hint", f.Hint}, {"paste", f.Paste}} {
		if row[1] != "" {
			fmt.Fprintf(&b, "\n  %-8s %s", row[0], row[1])
		}
	}
	return b.String()
}

// List is what one pass over some input found.
type List []Finding

// Errors counts the findings that stop the work.
func (l List) Errors() int {
	n := 0
	for _, f := range l {
		if f.Severity == Error {
			n++
		}
	}
	return n
}

// Err is nil without errors, else an error that holds every one of them; As
// gets the list back.
func (l List) Err() error {
	if l.Errors() == 0 {
		return nil
	}
	return listError{l}
}

// Sort orders by file, line, column, code, qid; equal findings keep their order.
func (l List) Sort() {
	slices.SortStableFunc(l, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line, a.Column-b.Column,
			strings.Compare(a.Code, b.Code), strings.Compare(a.QID, b.QID))
	})
}

// As is the list inside err, if err came from Err.
func As(err error) (List, bool) {
	var e listError
	if errors.As(err, &e) {
		return e.list, true
	}
	return nil, false
}

type listError struct{ list List }

func (e listError) Error() string {
	var b strings.Builder
	for _, f := range e.list {
		if f.Severity == Error {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			b.WriteString(f.String())
		}
	}
	return b.String()
}
