package ledger

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Rows are read as they were written, all columns or one.
func TestColumns(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 7))
		columns(t, rng, Query)
		columns(t, rng, Source)
		columns(t, rng, Support)
		columns(t, rng, Boundary)
		columns(t, rng, Retrieval)
		columns(t, rng, Unit)
		columns(t, rng, Context)
		columns(t, rng, Budget)
		columns(t, rng, Verdict)
		columns(t, rng, PhaseBits)
		columns(t, rng, Measure)
		columns(t, rng, Aimed)
		columns(t, rng, Missing)
		columns(t, rng, Violation)
		columns(t, rng, Failure)
	}
}

func columns[R any](t *testing.T, rng *rand.Rand, table *Table[R]) {
	t.Helper()
	rows := make([]R, []int{0, 1, 63, 64, 65, rng.IntN(1500)}[rng.IntN(6)])
	v := reflect.ValueOf(rows)
	for j := 1; j < reflect.TypeFor[R]().NumField(); j++ {
		repeat := rng.IntN(10) // of ten values, as the one before
		for i := range rows {
			if f := v.Index(i).Field(j); i > 0 && rng.IntN(10) < repeat {
				f.Set(v.Index(i - 1).Field(j))
			} else {
				fill(rng, f)
			}
		}
	}
	got := table.Encode("sha256:feed", rows)
	read, index, err := table.Decode(got)
	if err != nil || len(read) > 0 && index != "sha256:feed" || !bytes.Equal(table.Encode("sha256:feed", read), got) {
		t.Fatalf("%s: %v: other rows are read than were written", table.name, err)
	}
	column := table.Columns()[1+rng.IntN(v.Type().Elem().NumField()-1)]
	part, index, err := table.Decode(got, column)
	if err != nil || index != "" || len(part) != len(rows) {
		t.Fatalf("%s: column %s: %v, index %q, %d rows of %d", table.name, column, err, index, len(part), len(rows))
	}
	for i := range read {
		from, to := reflect.ValueOf(&read[i]).Elem(), reflect.New(v.Type().Elem()).Elem()
		j := slices.Index(table.Columns(), column)
		to.Field(j).Set(from.Field(j))
		from.Set(to)
	}
	if !bytes.Equal(table.Encode("", part), table.Encode("", read)) {
		t.Fatalf("%s: column %s: other values than with the other columns, or some of those", table.name, column)
	}
}

// fill makes up a value.
func fill(rng *rand.Rand, f reflect.Value) {
	text := func() string {
		return strings.Repeat("ab", rng.IntN(60)) + fmt.Sprint(rng.IntN(1<<rng.IntN(20)))
	}
	number := int(int32(rng.Uint32()) >> rng.IntN(32))
	switch f.Interface().(type) {
	case string:
		f.SetString(text())
	case int:
		f.SetInt(int64(number))
	case *int:
		f.SetZero()
		if rng.IntN(2) == 0 {
			f.Set(reflect.ValueOf(&number))
		}
	case bool:
		f.SetBool(rng.IntN(2) == 0)
	case float64:
		f.SetFloat(math.Float64frombits(rng.Uint64()))
	case []byte:
		f.SetBytes([]byte(text()))
	case List:
		f.SetZero()
		for range rng.IntN(4) {
			f.Set(reflect.Append(f, reflect.ValueOf(text()+"<\u2028\x7f\"")))
		}
	default:
		panic(f.Type().String())
	}
}
