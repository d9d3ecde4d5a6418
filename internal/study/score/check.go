package score

import (
	"fmt"

	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/rankings"
)

// Codes of the findings of this package.
const (
	CodeCutOff = "K353" // rankings go on after the reporting k (warning)
	CodeByID   = "K354" // hits by id alone, and labels that are spans
)

// Check says whether the hits of f can be held against the labels.
func Check(f *rankings.File, questions []*golden.Question) finding.List {
	for _, q := range questions {
		if f.ByID && !q.Unanswerable {
			return finding.List{{Code: CodeByID, Severity: finding.Error, File: f.File, QID: q.QID,
				Message:  fmt.Sprintf("the hits are ids alone, and the evidence of %s is spans", q.QID),
				Expected: "hits with places", Found: "ids", Hint: "give --chunks with the table of these ids, which says where they stand"}}
		}
	}
	return nil
}
