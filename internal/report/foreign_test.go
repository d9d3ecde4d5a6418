package report

import (
	"strings"
	"testing"
)

// TestScopeIsNamed: an arm that moves only some documents says so in every table.
func TestScopeIsNamed(t *testing.T) {
	r, overlays := full(true)
	for i := range r.Arms {
		r.Arms[i].Scope = "labelled"
	}
	rows := 0
	for row := range strings.Lines(comment(t, r, overlays)) {
		if strings.HasPrefix(row, "| 512/102") || strings.HasPrefix(row, "| <b>512/102") {
			if rows++; !strings.HasPrefix(strings.TrimPrefix(row[2:], "<b>"), "512/102 (labelled)") {
				t.Error(row)
			}
		}
	}
	if rows < 10 {
		t.Errorf("only %d rows", rows)
	}
}
