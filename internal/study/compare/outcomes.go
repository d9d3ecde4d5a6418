package compare

import (
	"fmt"
	"slices"

	"kerf/internal/stats"
	"kerf/internal/verdict"
)

// Outcomes are what a run found of one arm, by question and by placement.
type Outcomes struct {
	Planning
	Support    [][]stats.Verdict     // in the budget view; nil for an unanswerable question
	TopK       [][]stats.Verdict     // in the top-k view
	Ranks      [][]verdict.Ranks     // on the raw ranking, where Support has a result; nil where the ledger keeps none
	Rebuild    *stats.Maybe[Rebuild] // as in Arm
	Violations []Violation
}

// Outcomes reads those of an arm from the ledger: all of its tables, or, with verdicts,
// none that nothing is taken from, where they are known to be what was written.
func (in Facts) Outcomes(arm string, verdicts bool) (*Outcomes, error) {
	i := slices.IndexFunc(in.Arms, func(p Planning) bool { return p.Arm.Name == arm })
	if i < 0 {
		return nil, fmt.Errorf("run %s has no arm %s", in.Run, arm)
	}
	t, err := in.readArm(in.Arms[i], verdicts)
	if err != nil {
		return nil, err
	}
	out := &Outcomes{Planning: in.Arms[i], Support: t.support, TopK: t.topK, Ranks: t.ranks}
	if out.Blocks {
		out.Ranks = nil
	}
	if out.Rebuild, err = in.rebuild(out.Planning); err != nil {
		return nil, err
	}
	out.Violations, _, err = in.violations(out.Planning)
	return out, err
}

// Cause says why a chunk does not show the evidence that it holds: its rank, 0
// where it has none, and what became of it, an outcome of the table retrieval or
// one of the other keys below. whole says that one chunk
// holds the span; where none does, it is cut.
func Cause(whole bool, rank int, outcome string) string {
	why := map[string]string{
		"denied": "the reader may not read the whole chunk", "outside within": "outside the documents searched",
		"not ranked": "not among the ranked hits", "unseen": "not among the hits that were read",
		"skipped": "dropped by the budget", "overflow": "dropped by the budget", "unread": "beyond the budget", "truncated": "shortened by the budget",
		"clipped": "the reader may not read all of it", "beyond k": "beyond the first k hits",
	}[outcome]
	if rank > 0 {
		why = fmt.Sprintf("ranked %s, %s", ordinal(rank), why)
	}
	if !whole {
		why = "cut here; " + why
	}
	return why
}

// ordinal is 1st, 2nd, 3rd, 4th, 11th, 23rd.
func ordinal(n int) string {
	suffix := "th"
	if n%100 < 11 || n%100 > 13 {
		switch n % 10 {
		case 1:
			suffix = "st"
		case 2:
			suffix = "nd"
		case 3:
			suffix = "rd"
		}
	}
	return fmt.Sprintf("%d%s", n, suffix)
}
