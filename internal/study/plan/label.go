package plan

import "fmt"

// Label is the placement j/P of an arm's cuts.
type Label struct {
	J        int `json:"j"`
	P        int `json:"p"`         // 1 <= J <= P
	FirstCut int `json:"first_cut"` // the first interior cut, 1..S, in the arm's tokens; further cuts follow at S
}

// String is "j/P". P/P is the ordinary splitter.
func (l Label) String() string { return fmt.Sprintf("%d/%d", l.J, l.P) }

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
	if p.All {
		return Labels(a.Stride(), a.Stride())
	}
	return Labels(a.Stride(), p.Grid)
}
