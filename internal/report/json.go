package report

import (
	"fmt"
	"io"

	"github.com/go-json-experiment/json"

	"kerf/internal/study/compare"
)

// JSON writes report.json: one line, keys in the order of the type, map keys
// sorted, empty lists as []. Control and direction characters are \u escapes, so
// that the same bytes can stand on a terminal.
func JSON(w io.Writer, r *compare.Report) error {
	b, err := json.Marshal(r, json.Deterministic(true))
	if err != nil {
		return fmt.Errorf("report.json: %w", err)
	}
	_, err = io.WriteString(w, EscapeJSON(string(b))+"\n")
	return err
}
