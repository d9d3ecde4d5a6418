package ci

import (
	"fmt"
	"io"
	"strings"

	"kerf/internal/release/gate"
)

// Outputs writes the outputs of a step, for $GITHUB_OUTPUT: verdict, one word of
// pass, regression, incomplete and not-comparable; and exit, a number. Both are of
// kerf alone.
func Outputs(w io.Writer, g *gate.Gate) error {
	capitals(g.Verdict) // no other word goes out
	_, err := fmt.Fprintf(w, "verdict=%s\nexit=%d\n", strings.ReplaceAll(string(g.Verdict), " ", "-"), g.Exit)
	return err
}
