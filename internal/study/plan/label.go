package plan

import (
	"cmp"
	"fmt"
)

// Label is the placement j/P of an arm's cuts; the zero value is that of an arm
// whose cuts do not move.
type Label struct {
	J        int `json:"j"`
	P        int `json:"p"`         // 1 <= J <= P
	FirstCut int `json:"first_cut"` // the first interior cut, 1..S, in the arm's tokens; further cuts follow at S
}

// Control is the label of the one phase of an arm whose cuts do not move.
const Control = "control"

// String is "j/P", or Control. P/P is the ordinary splitter.
func (l Label) String() string {
	if l == (Label{}) {
		return Control
	}
	return fmt.Sprintf("%d/%d", l.J, l.P)
}

// Labels is the placements 1/grid to grid/grid for a stride, in order: first
// cuts max(1, floor(S*j/P + 1/2)) (engine.md 1; requirements 5.9). A grid of
// the stride itself is every placement. A grid above the stride is an error:
// two of its labels would share a first cut. Up to the stride none do, since
// S*j/P then grows by at least 1 with j.
func Labels(stride, grid int) ([]Label, error) {
	if stride < 1 || grid < 1 {
		return nil, fmt.Errorf("%d placements of a stride of %d tokens: both must be at least 1", grid, stride)
	}
	if grid > stride {
		return nil, fmt.Errorf("%d placements do not fit into a stride of %d tokens: two of them would be the same", grid, stride)
	}
	labels := make([]Label, grid)
	s, p := int64(stride), int64(grid)
	for i := range labels {
		j := int64(i + 1)
		labels[i] = Label{J: i + 1, P: grid, FirstCut: int(max(1, (2*s*j+p)/(2*p)))}
	}
	return labels, nil
}

// Labels is the arm's placements under the experiment's phases.
func (p Phases) Labels(a Arm) ([]Label, error) {
	switch {
	case a.IsControl():
		return []Label{{}}, nil
	case p.Exhaustive(a):
		return Labels(a.Stride(), a.Stride())
	}
	return Labels(a.Stride(), p.GridOf(a))
}

// Exhaustive reports whether every placement of the arm runs, in blocks.
func (p Phases) Exhaustive(a Arm) bool { return p.All && a.Moving.Grid == 0 && !a.IsControl() }

// GridOf is the number of the arm's placements where not all run.
func (p Phases) GridOf(a Arm) int { return cmp.Or(a.Moving.Grid, p.Grid) }
