package compare

import (
	"encoding/json"
	"math/big"
	"reflect"
	"testing"

	"kerf/internal/stats"
)

func TestMeasuresKeepOrder(t *testing.T) {
	const want = `{"label":"8/8","single_hit@5":{"num":3,"den":4,"missing":0},"single_mrr@5":{"sum":"7/12","den":4,"missing":1},"a":{"num":0,"den":4,"missing":0}}`
	m := Measures{"8/8", []Measure{
		{Name: "single_hit@5", Count: &stats.Count{Num: 3, Den: 4}},
		{Name: "single_mrr@5", Sum: &stats.Sum{Sum: big.NewRat(7, 12), Den: 4, Missing: 1}},
		{Name: "a", Count: &stats.Count{Den: 4}},
	}}
	b, err := json.Marshal(m)
	if err != nil || string(b) != want {
		t.Fatalf("%s, %v\nwant %s", b, err, want)
	}
	var back Measures
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if again, _ := json.Marshal(back); string(again) != want {
		t.Errorf("read and written again: %s", again)
	}
	if f, ok := back.Find("single_mrr@5"); !ok || f.Sum == nil || f.Sum.Missing != 1 {
		t.Errorf("single_mrr@5 = %+v, %v", f, ok)
	}
	for _, bad := range []string{`[]`, `{"label":1}`, `{"x":{"sum":"a"}}`, `{"x":3}`} {
		if json.Unmarshal([]byte(bad), &back) == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

func TestMoving(t *testing.T) {
	for _, m := range []Moving[stats.Count]{{}, Moved(stats.Count{Num: 1, Den: 2})} {
		b, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		var back Moving[stats.Count]
		if err := json.Unmarshal(b, &back); err != nil || !reflect.DeepEqual(m, back) {
			t.Errorf("%s: %+v, %v", b, back, err)
		}
		if !m.Applies && string(b) != `"not applicable"` {
			t.Errorf("%s", b)
		}
	}
}

func TestControl(t *testing.T) {
	one := Arm{Phases: 1, Views: Views{Budget: View{Phase: []Phase{{Label: Control, Support: stats.Count{Num: 1, Den: 3}}}}}}
	if !one.IsControl() || one.Views.Budget.Ordinary().Num != 1 {
		t.Error("a control with one phase is none")
	}
	one.Views.Budget.Phase[0].Label = "1/1"
	if one.IsControl() || (&View{}).Ordinary() != (stats.Count{}) {
		t.Error("a window with one phase is a control")
	}
}
