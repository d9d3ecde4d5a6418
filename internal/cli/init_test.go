package cli

import (
	"reflect"
	"testing"

	"github.com/goccy/go-yaml"

	"kerf/internal/study/plan"
)

func TestInitExperiment(t *testing.T) {
	e, found := plan.Parse("kerf.yaml", []byte(initExperiment))
	for i := range e.Arms {
		e.Arms[i].At = plan.Place{}
	}
	if len(found) > 0 || !reflect.DeepEqual(e, plan.Default()) {
		t.Errorf("%v\n got %+v\nwant %+v", found, e, plan.Default())
	}
	for _, job := range []string{initGitHub, initGitLab} {
		var v map[string]any
		if err := yaml.Unmarshal([]byte(job), &v); err != nil || v["kerf"] == nil && v["jobs"] == nil {
			t.Errorf("%v: %v", err, v)
		}
	}
}
