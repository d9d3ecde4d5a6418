package score

import (
	"fmt"

	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/rankings"
)

// Codes of the findings of this package.
const (
	CodeCutOff  = "K353" // rankings go on after the reporting k (warning)
	CodeByID    = "K354" // hits by id alone, and evidence that is spans
	CodeNoID    = "K355" // a hit without id, and evidence that is ids
	CodeMixed   = "K356" // evidence that is spans beside evidence that is ids
	CodeNothing = "K357" // no question has evidence
)

// ByID reports whether the questions name relevant chunks by id.
func ByID(questions []*golden.Question) bool {
	for _, q := range questions {
		if q.Relevant != nil {
			return true
		}
	}
	return false
}

// Check says whether the hits of f can be held against the labels: Spans and IDs
// need that they can.
func Check(f *rankings.File, questions []*golden.Question) finding.List {
	var spans, ids *golden.Question
	for _, q := range questions {
		switch {
		case q.Unanswerable:
		case q.Relevant != nil && ids == nil:
			ids = q
		case q.Relevant == nil && spans == nil:
			spans = q
		}
	}
	found := finding.Finding{Severity: finding.Error, File: f.File}
	switch {
	case spans == nil && ids == nil:
		found.Code, found.Message, found.Expected, found.Found = CodeNothing, "no question that is asked has evidence", "an answerable question", fmt.Sprintf("unanswerable ones: %d", len(questions))
	case spans != nil && ids != nil:
		found.Code, found.QID, found.Message = CodeMixed, ids.QID, fmt.Sprintf("the evidence of %s is ids, that of %s spans: there is no measure of both", ids.QID, spans.QID)
		found.Expected, found.Found, found.Hint = "spans, or ids", "both", "give --chunks with the table of these ids, which turns them into spans"
	case spans != nil && f.ByID:
		found.Code, found.QID, found.Message = CodeByID, spans.QID, fmt.Sprintf("the hits are ids alone, and the evidence of %s is spans", spans.QID)
		found.Expected, found.Found, found.Hint = "hits with places", "ids", "give --chunks with the table of these ids, which says where they stand"
	case ids != nil:
		for _, r := range f.Rankings {
			for i := range r.Hits {
				if r.Hits[i].ID == "" {
					found.Code, found.QID, found.Line, found.Message = CodeNoID, r.QID, r.Line, fmt.Sprintf("%s: the hit at rank %d has no id, and the evidence is ids", r.QID, i+1)
					found.Expected, found.Found, found.Hint = "an id in every hit", "none", "give --chunks with the table of these ids, which turns the labels into spans"
					return finding.List{found}
				}
			}
		}
		return nil
	default:
		return nil
	}
	return finding.List{found}
}
