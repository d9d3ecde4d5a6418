package report

import (
	"strings"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
)

// called is an arm's name in a table, with what it moves where that is not
// everything.
func called(a *compare.Arm) string {
	if a.Scope == "" {
		return a.Arm
	}
	return a.Arm + " (" + a.Scope + ")"
}

// noise is what building its index anew, with the same chunks, changes in an arm
// that another engine ranks for; "" for other arms.
func noise(a *compare.Arm, view string) string {
	switch {
	case a.Rebuild == nil:
		return ""
	case !a.Rebuild.Measured:
		return "rebuilding the index of " + a.Arm + ": " + stats.NotMeasured
	}
	changed := a.Rebuild.Value.Support
	if view == "top_k" {
		changed = a.Rebuild.Value.TopK
	}
	return "rebuilding the index of " + a.Arm + " alone changes " + fraction(changed)
}

// noises are those of the arms of a pair.
func noises(view string, arms ...*compare.Arm) string {
	var out []string
	for _, a := range arms {
		if n := noise(a, view); n != "" {
			out = append(out, n)
		}
	}
	return strings.Join(out, "; ")
}

// asked says who ranked, where that was not kerf alone.
func (s story) asked() string {
	var names []string
	for i := range s.Arms {
		if s.Arms[i].Rebuild != nil {
			names = append(names, line(s.Arms[i].Arm))
		}
	}
	if names == nil {
		return "0 requests sent"
	}
	return "ranked by another engine: " + strings.Join(names, ", ")
}
