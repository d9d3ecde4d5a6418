package stats

import (
	"math"
	"testing"
)

func TestMeanSD(t *testing.T) {
	if mean, sd := MeanSD([]float64{2, 4, 4, 4, 5, 5, 7, 9}); mean != 5 || sd != 2 {
		t.Errorf("%v %v", mean, sd)
	}
	if mean, sd := MeanSD([]float64{0.25}); mean != 0.25 || sd != 0 {
		t.Errorf("%v %v", mean, sd)
	}
	if mean, sd := MeanSD(nil); !math.IsNaN(mean) || !math.IsNaN(sd) {
		t.Errorf("%v %v", mean, sd)
	}
}

func TestSpread(t *testing.T) {
	trip(t, SpreadOf([]float64{1, 3}), `{"n":2,"mean":2,"sd":1}`)
	trip(t, SpreadOf(nil), `{"n":0,"mean":"not measured","sd":"not measured"}`)
}
