package compare

import (
	"fmt"
	"slices"

	"kerf/internal/stats"
)

// Support are the verdicts of the budget view of an arm, by headline question and
// by placement, the last of which is the ordinary one.
func (in Facts) Support(arm string) ([][]stats.Verdict, error) {
	i := slices.IndexFunc(in.Arms, func(p Planning) bool { return p.Arm.Name == arm })
	if i < 0 {
		return nil, fmt.Errorf("run %s has no arm %s", in.Run, arm)
	}
	t, err := in.readArm(in.Arms[i], false)
	if err != nil {
		return nil, err
	}
	return pick(t.support, in.headline()), nil
}

// Clusters are the clusters of the headline questions.
func (in Facts) Clusters() []string { return in.clusters(in.headline()) }
