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

	"github.com/parquet-go/parquet-go/encoding/thrift"
)

// Files are those of the library, byte for byte, whatever the rows, for pages of
// one row and of many: columns of every type end pages within a few thousand rows.
// They are read as they were written, all columns or one.
func TestTwin(t *testing.T) {
	for seed := range uint64(6) {
		rng := rand.New(rand.NewPCG(seed, 7))
		twin(t, rng, Query)
		twin(t, rng, Source)
		twin(t, rng, Support)
		twin(t, rng, Boundary)
		twin(t, rng, Retrieval)
		twin(t, rng, Unit)
		twin(t, rng, Context)
		twin(t, rng, Budget)
		twin(t, rng, Verdict)
		twin(t, rng, PhaseBits)
		twin(t, rng, Measure)
		twin(t, rng, Aimed)
		twin(t, rng, Missing)
		twin(t, rng, Violation)
		twin(t, rng, Failure)
	}
}

func twin[R any](t *testing.T, rng *rand.Rand, table *Table[R]) {
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
	form := func() []byte {
		b, err := thrift.Marshal(new(thrift.CompactProtocol), *table.form())
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	before := form()
	for _, size := range []int{pageBytes, 1, 8 + rng.IntN(200), 1000 + rng.IntN(5000)} {
		got := encoders.New().(*encoder).file(table.form(), "sha256:feed", v, size)
		for i := range rows {
			v.Index(i).Field(0).SetString("sha256:feed")
		}
		if want := encodeLibrary(table, rows, size); !bytes.Equal(got, want) {
			t.Fatalf("%s: %d rows, pages of %d: %d bytes, the library writes %d", table.name, len(rows), size, len(got), len(want))
		}
	}
	got := table.Encode("sha256:feed", rows)
	if !bytes.Equal(got, encodeLibrary(table, rows, pageBytes)) {
		t.Fatalf("%s: other bytes with the memory of other files", table.name)
	}
	if !bytes.Equal(form(), before) { // several goroutines read it
		t.Fatalf("%s: the form has changed", table.name)
	}
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
