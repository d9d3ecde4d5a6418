package cli

import (
	"reflect"
	"testing"

	"kerf/internal/study/plan"
)

func TestInitExperiment(t *testing.T) {
	e, found := plan.Parse("kerf.yaml", []byte(initExperiment))
	for i := range e.Arms {
		e.Arms[i].At = plan.Place{}
	}
	if e.Gate.Arm != e.Baseline {
		t.Errorf("gate.arm %s", e.Gate.Arm)
	}
	e.Gate.Arm, e.Gate.At = "", plan.Place{} // the one value that is no default
	if len(found) > 0 || !reflect.DeepEqual(e, plan.Default()) {
		t.Errorf("%v\n got %+v\nwant %+v", found, e, plan.Default())
	}
}
