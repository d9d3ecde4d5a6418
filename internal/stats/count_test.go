package stats

import (
	"encoding/json"
	"math/big"
	"strings"
	"testing"
)

func TestCount(t *testing.T) {
	var c Count
	c.Add(true)
	c.Add(false)
	c.Add(true)
	if c != (Count{Num: 2, Den: 3}) {
		t.Errorf("%+v", c)
	}
	c = c.Plus(Count{Num: 1, Den: 4, Missing: 2})
	if r, ok := c.Rat(); !ok || r.Cmp(big.NewRat(3, 5)) != 0 { // over what was measured
		t.Errorf("%v %v", r, ok)
	}
	if f, ok := c.Rate(); !ok || f != 0.6 {
		t.Errorf("%v %v", f, ok)
	}
	if s := c.String(); s != "3/7 (2 missing)" {
		t.Error(s)
	}
	if s := (Count{Num: 3, Den: 7}).String(); s != "3/7" {
		t.Error(s)
	}
	for _, none := range []Count{{}, {Den: 3, Missing: 3}} {
		if r, ok := none.Rat(); ok || r != nil {
			t.Errorf("%v: %v", none, r)
		}
		if _, ok := none.Rate(); ok {
			t.Errorf("%v has a rate", none)
		}
	}
}

func TestSum(t *testing.T) {
	s := NewSum()
	t0 := s
	s.Add(1, 3)
	s.Add(1, 2)
	s.Add(0, 1)
	if t0.Sum.Sign() != 0 {
		t.Error("a copy changed with the sum")
	}
	if r, ok := s.Rat(); !ok || r.Cmp(big.NewRat(5, 18)) != 0 {
		t.Errorf("%v %v", r, ok)
	}
	if f, ok := s.Rate(); !ok || f != 5.0/18 {
		t.Errorf("%v %v", f, ok)
	}
	s.Den, s.Missing = s.Den+2, 2
	if r, _ := s.Rat(); r.Cmp(big.NewRat(5, 18)) != 0 {
		t.Errorf("with missing cells: %v", r)
	}
	for _, none := range []Sum{{}, NewSum(), {Sum: big.NewRat(1, 1), Den: 1, Missing: 1}} {
		if _, ok := none.Rat(); ok {
			t.Errorf("%v has a mean", none)
		}
		if _, ok := none.Rate(); ok {
			t.Errorf("%v has a rate", none)
		}
	}
}

// trip writes v, compares, and reads it back into a new value that must be
// written alike.
func trip[T any](t *testing.T, v T, want string) T {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil || string(b) != want {
		t.Fatalf("%s %v, want %s", b, err, want)
	}
	var back T
	if err := json.Unmarshal(b, &back); err != nil {
		t.Fatal(err)
	}
	if again, err := json.Marshal(back); err != nil || string(again) != want {
		t.Fatalf("%s %v, want %s", again, err, want)
	}
	return back
}

func TestJSON(t *testing.T) {
	if c := trip(t, Count{1, 4, 2}, `{"num":1,"den":4,"missing":2}`); c != (Count{1, 4, 2}) {
		t.Error(c)
	}
	if s := trip(t, Sum{big.NewRat(22, 6), 4, 1}, `{"sum":"11/3","den":4,"missing":1}`); s.Sum.Cmp(big.NewRat(11, 3)) != 0 {
		t.Error(s.Sum)
	}
	trip(t, Sum{big.NewRat(4, 2), 2, 0}, `{"sum":"2","den":2,"missing":0}`)
	trip(t, Sum{}, `{"sum":"0","den":0,"missing":0}`)
	if m := trip(t, Measured(Count{1, 2, 0}), `{"num":1,"den":2,"missing":0}`); !m.Measured {
		t.Error("no longer measured")
	}
	if m := trip(t, Maybe[Count]{}, `"not measured"`); m.Measured {
		t.Error("measured by reading")
	}
	if m := trip(t, Measured(0), `0`); !m.Measured { // zero is a measurement
		t.Error("zero is lost")
	}
	trip(t, []Maybe[float64]{Measured(0.5), {}}, `[0.5,"not measured"]`)
}

// TestSumRefuses: the text of a sum is an integer or a/b, nothing else that
// math/big would read.
func TestSumRefuses(t *testing.T) {
	for _, sum := range []string{"", "x", "1/0", "0.5", "1e3", "1e1000000000", "0x10", "1_000", " 1", "inf", "NaN", "1/2/3", "1-2", "1_0"} {
		var s Sum
		b, _ := json.Marshal(map[string]any{"sum": sum, "den": 1, "missing": 0})
		if err := json.Unmarshal(b, &s); err == nil || !strings.Contains(err.Error(), "no rational number") {
			t.Errorf("%q: %v, %v", sum, s.Sum, err)
		}
	}
}
