package trec

import (
	"fmt"
	"maps"
	"slices"

	"kerf/internal/finding"
)

// mostOfACode is how many findings of one code are listed; the others are counted.
const mostOfACode = 100

// findings are those of one file.
type findings struct {
	name  string
	found finding.List
	count map[string]int // by code
}

// add lists a finding, whose severity is an error if it has none.
func (l *findings) add(f finding.Finding) {
	if l.count == nil {
		l.count = map[string]int{}
	}
	if l.count[f.Code]++; l.count[f.Code] > mostOfACode {
		return
	}
	f.File = l.name
	if f.Severity == "" {
		f.Severity = finding.Error
	}
	l.found = append(l.found, f)
}

// list is all that was found, in order of place.
func (l *findings) list() finding.List {
	l.found.Sort()
	for _, code := range slices.Sorted(maps.Keys(l.count)) {
		if more := l.count[code] - mostOfACode; more > 0 {
			l.found = append(l.found, finding.Finding{Code: CodeMore, Severity: finding.Error, File: l.name, Message: fmt.Sprintf("%d more findings of %s are not listed", more, code)})
		}
	}
	return l.found
}
