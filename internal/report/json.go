package report

import (
	"fmt"
	"io"
	"unicode/utf8"

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
	out := make([]byte, 0, len(b)+1)
	for i := 0; i < len(b); {
		c, n := utf8.DecodeRune(b[i:])
		if dangerous(c) { // above U+007E: inside a text, as the encoder escapes what is below U+0020
			out = fmt.Appendf(out, `\u%04x`, c)
		} else {
			out = append(out, b[i:i+n]...)
		}
		i += n
	}
	_, err = w.Write(append(out, '\n'))
	return err
}
