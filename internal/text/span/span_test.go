package span

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// room is the length of the text in these tests.
const room = 40

// byteSet is the plain twin of a set: which bytes are in it.
type byteSet [room]bool

func bytesOf(spans ...Span) (b byteSet) {
	for _, s := range spans {
		for i := s.Start; i < s.End; i++ {
			b[i] = true
		}
	}
	return b
}

func (b byteSet) len() (n int) {
	for _, in := range b {
		if in {
			n++
		}
	}
	return n
}

// set is the canonical set of these bytes.
func (b byteSet) set() Set {
	out := Set{}
	for i, in := range b {
		switch {
		case !in:
		case i > 0 && b[i-1]:
			out[len(out)-1].End = i + 1
		default:
			out = append(out, Span{i, i + 1})
		}
	}
	return out
}

func (b byteSet) and(c byteSet, not bool) (out byteSet) {
	for i := range b {
		out[i] = b[i] && c[i] != not
	}
	return out
}

// check compares every operation on two lists of spans and one span more with
// the byte sets.
func check(t *testing.T, a, b []Span, s Span) {
	t.Helper()
	before := slices.Clone(a)
	u, v := Union(a...), Union(b...)
	if !slices.Equal(a, before) {
		t.Fatalf("Union(%v) changed its argument to %v", before, a)
	}
	x, y, z := bytesOf(a...), bytesOf(b...), bytesOf(s)
	for _, test := range []struct {
		name      string
		got, want []Span
	}{
		{"Union", u, x.set()},
		{"Intersect", u.Intersect(v), x.and(y, false).set()},
		{"Minus", u.Minus(v), x.and(y, true).set()},
		{"Gaps", u.Gaps(s), z.and(x, true).set()},
		{"Clip", Union(s.Clip(Span{5, 30})), z.and(bytesOf(Span{5, 30}), false).set()},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Fatalf("%s of %v, %v, %v: %v, want %v", test.name, a, b, s, test.got, test.want)
		}
	}
	if got, want := u.Len(), x.len(); got != want {
		t.Fatalf("Len of %v: %d, want %d", a, got, want)
	}
	if got, want := s.Len(), z.len(); got != want || s.Empty() != (want == 0) {
		t.Fatalf("%v: Len %d, Empty %v, want %d", s, got, s.Empty(), want)
	}
	if got, want := u.Covers(s), z.and(x, true).len() == 0; got != want {
		t.Fatalf("%v covers %v: %v, want %v", u, s, got, want)
	}
	for _, c := range a {
		if got, want := c.Contains(s), z.and(bytesOf(c), true).len() == 0; got != want {
			t.Fatalf("%v contains %v: %v, want %v", c, s, got, want)
		}
	}
	if !slices.Equal(u, x.set()) || !slices.Equal(v, y.set()) {
		t.Fatalf("an operation changed its set: %v, %v", u, v)
	}
}

func randomSpan(r *rand.Rand) Span {
	start := r.IntN(room + 1)
	return Span{start, min(room, start+r.IntN(12)-2)} // some empty, some reversed
}

func TestAgainstByteSets(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 20000 {
		a, b := make([]Span, r.IntN(8)), make([]Span, r.IntN(8))
		for i := range a {
			a[i] = randomSpan(r)
		}
		for i := range b {
			b[i] = randomSpan(r)
		}
		check(t, a, b, randomSpan(r))
	}
}

func FuzzAlgebra(f *testing.F) {
	f.Add([]byte{0, 5, 5, 9}, []byte{3, 7}, byte(2), byte(8))
	f.Add([]byte{9, 3, 4, 4, 1, 2}, []byte{}, byte(8), byte(2))
	f.Add([]byte{0, 40, 10, 20}, []byte{0, 10, 20, 40}, byte(0), byte(40))
	f.Fuzz(func(t *testing.T, a, b []byte, start, end byte) {
		spans := func(raw []byte) (out []Span) {
			for i := 0; i+1 < len(raw); i += 2 {
				out = append(out, Span{int(raw[i]) % (room + 1), int(raw[i+1]) % (room + 1)})
			}
			return out
		}
		check(t, spans(a), spans(b), Span{int(start) % (room + 1), int(end) % (room + 1)})
	})
}

func TestOrderAndPrint(t *testing.T) {
	spans := []Span{{3, 9}, {0, 4}, {3, 5}}
	slices.SortFunc(spans, Compare)
	if want := []Span{{0, 4}, {3, 5}, {3, 9}}; !slices.Equal(spans, want) {
		t.Errorf("sorted %v, want %v", spans, want)
	}
	if got := (Span{29, 36}).String(); got != "[29,36)" {
		t.Errorf("printed %s", got)
	}
	if got := (Span{9, 12}).Clip(Span{1, 9}); got != (Span{}) {
		t.Errorf("clip of touching spans: %v, want the zero Span", got)
	}
}
