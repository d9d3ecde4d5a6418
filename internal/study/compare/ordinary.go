package compare

import (
	"fmt"
	"slices"

	"kerf/internal/golden"
	"kerf/internal/stats"
)

// Ordinary are the verdicts of the budget view at the ordinary cuts of an arm, by
// question; of unanswerable questions, and of those without a result, Missing.
func (in Facts) Ordinary(arm string) ([]stats.Verdict, error) {
	i := slices.IndexFunc(in.Arms, func(p Planning) bool { return p.Arm.Name == arm })
	if i < 0 {
		return nil, fmt.Errorf("run %s has no arm %s", in.Run, arm)
	}
	p := in.Arms[i]
	if !p.Blocks { // the last placement is the ordinary one
		p.Phases = p.Phases[len(p.Phases)-1:]
	}
	t, err := in.readArm(p)
	if err != nil {
		return nil, err
	}
	out := make([]stats.Verdict, len(in.Questions))
	for q, row := range t.support {
		out[q] = stats.Missing
		if len(row) > 0 {
			out[q] = row[len(row)-1]
		}
	}
	return out, nil
}

// Headline are the answerable questions that headline figures are over, and the
// cluster of each.
func (in Facts) Headline() (questions []int, clusters []string) {
	of := golden.Clusters(in.Questions)
	for _, i := range in.headline() {
		questions = append(questions, i)
		clusters = append(clusters, of[in.Questions[i]])
	}
	return questions, clusters
}
