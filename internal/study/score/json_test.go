package score

import (
	"bytes"
	"encoding/json"
	"math/big"
	"testing"

	"kerf/internal/stats"
)

// TestMeasuresJSON compares every figure with what encoding/json makes of it.
func TestMeasuresJSON(t *testing.T) {
	third := &stats.Sum{Sum: big.NewRat(-7, 3), Den: 12, Missing: 3}
	m := Measures{{Name: "single_hit@5", Count: &stats.Count{Num: 1, Den: 20, Missing: 2}}, {Name: "mrr", Sum: third},
		{Name: "map", Sum: &stats.Sum{Sum: new(big.Rat)}}, {Name: "ndcg", Sum: &stats.Sum{Sum: new(big.Rat).SetFloat64(0.1), Den: 1}}}
	got, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	var want bytes.Buffer
	for i, f := range m {
		var v any = f.Count
		switch {
		case f.Count != nil:
		case Irrational(f.Name):
			v = json.RawMessage(`{"sum":"0.1","den":1,"missing":0}`)
		default:
			v = f.Sum
		}
		figure, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		want.WriteString(map[bool]string{true: "{", false: ","}[i == 0] + `"` + f.Name + `":` + string(figure))
	}
	if want.WriteString("}"); string(got) != want.String() {
		t.Errorf("%s\nwant %s", got, want.String())
	}
	if got, err := (Measures{}).MarshalJSON(); err != nil || string(got) != "{}" {
		t.Errorf("%s %v", got, err)
	}
}
