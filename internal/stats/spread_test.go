package stats

import (
	"math"
	"testing"
)

func TestSpread(t *testing.T) {
	if mean, sd := Spread([]float64{2, 4, 4, 4, 5, 5, 7, 9}); mean != 5 || sd != 2 {
		t.Errorf("%v %v", mean, sd)
	}
	if mean, sd := Spread([]float64{0.25}); mean != 0.25 || sd != 0 {
		t.Errorf("%v %v", mean, sd)
	}
	if mean, sd := Spread(nil); !math.IsNaN(mean) || !math.IsNaN(sd) {
		t.Errorf("%v %v", mean, sd)
	}
}
