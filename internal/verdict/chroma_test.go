package verdict

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestChroma: one reference of ten characters, cut at its third and its end.
func TestChroma(t *testing.T) {
	references := []Ref{ref(0, 10, 20)}
	chunks := []Ref{ref(0, 0, 13), ref(0, 13, 20), ref(0, 20, 40), ref(1, 10, 20)}
	for _, c := range []struct {
		name      string
		got, want Areas
	}{
		{"omega", Exact.Omega(chunks, references), Areas{Found: 10, Of: 10, Shown: 20}},
		{"omega with closed ends", Imitated.Omega(chunks, references), Areas{Found: 10, Of: 10, Shown: 40}}, // the third only touches
		{"omega without the second", Exact.Omega(chunks[:1], references), Areas{Found: 3, Of: 10, Shown: 13, Lost: 7}},
		{"omega of nothing", Imitated.Omega(chunks[3:], references), Areas{Of: 10, Lost: 10}},
		{"hits", Exact.Retrieved([]Ref{chunks[0], chunks[0], chunks[3]}, references), Areas{Found: 3, Of: 10, Shown: 36, Lost: 7}},
		{"no hits", Exact.Retrieved(nil, references), Areas{Of: 10, Lost: 10}},
		{"overlapping references", Exact.Retrieved(chunks[:1], []Ref{ref(0, 10, 20), ref(0, 12, 14)}), Areas{Found: 3, Of: 10, Shown: 13, Lost: 7}},
		{"overlapping references added", Imitated.Retrieved(chunks[:1], []Ref{ref(0, 10, 20), ref(0, 12, 14)}), Areas{Found: 3, Of: 12, Shown: 13, Lost: 8}},
	} {
		if c.got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, c.got, c.want)
		}
	}
}

// TestChromaAgainstCharacters marks every character by itself.
func TestChromaAgainstCharacters(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 8))
	draw := func(n int) (refs []Ref) {
		for range n {
			start := rng.IntN(20)
			refs = append(refs, ref(int32(rng.IntN(2)), start, start+rng.IntN(8)))
		}
		return refs
	}
	differ := 0
	for range 20000 {
		shown, references := draw(rng.IntN(6)), draw(1+rng.IntN(3))
		for _, d := range []Definition{Exact, Imitated} {
			if got, want := d.Retrieved(shown, references), plainAreas(d, shown, references, false); got != want {
				t.Fatalf("%s, hits %v of %v: %+v, want %+v", d, shown, references, got, want)
			}
			if got, want := d.Omega(shown, references), plainAreas(d, shown, references, true); got != want {
				t.Fatalf("%s, chunks %v of %v: %+v, want %+v", d, shown, references, got, want)
			}
		}
		if Exact.Omega(shown, references) != Imitated.Omega(shown, references) {
			differ++
		}
	}
	if differ == 0 {
		t.Error("the two definitions never differ: the draws are too tame")
	}
}

func plainAreas(d Definition, shown, references []Ref, omega bool) (a Areas) {
	type place struct {
		doc int32
		at  int
	}
	characters := func(refs []Ref) map[place]bool {
		set := map[place]bool{}
		for _, r := range refs {
			for at := r.Start; at < r.End; at++ {
				set[place{r.Doc, at}] = true
			}
		}
		return set
	}
	wanted, all := characters(references), characters(shown)
	for p := range wanted {
		if all[p] {
			a.Found++
		} else {
			a.Lost++
		}
	}
	a.Of = len(wanted)
	lost := 0
	if d == Imitated {
		a.Of = 0
		for _, r := range references {
			for at := r.Start; at < r.End; at++ {
				a.Of++
				if !all[place{r.Doc, at}] {
					lost++
				}
			}
		}
		if !omega {
			a.Lost = lost
		}
	}
	if !omega {
		for _, h := range shown {
			a.Shown += len(characters([]Ref{h}))
		}
		return a
	}
	var touched []Ref
	for _, c := range shown {
		touches := false
		for at := c.Start; at < c.End; at++ {
			touches = touches || wanted[place{c.Doc, at}]
		}
		for _, r := range references {
			if d == Imitated && c.Doc == r.Doc && c.Start <= r.End && r.Start <= c.End {
				touches = true
			}
		}
		if touches {
			touched = append(touched, c)
		}
	}
	a.Shown = len(characters(touched))
	return a
}

// TestPlace: intervals in code points; the second of two equal chunks is
// believed to be the first, and a full stop is lost.
func TestPlace(t *testing.T) {
	c := InCharacters([]string{"", "Öne. Two. Öne. Two."})
	for _, p := range []struct {
		start, end   int // bytes
		place, first Ref
	}{
		{0, 5, ref(1, 0, 4), ref(1, 0, 3)},
		{11, 16, ref(1, 10, 14), ref(1, 0, 3)},
		{17, 21, ref(1, 15, 19), ref(1, 5, 8)},
		{6, 11, ref(1, 5, 10), ref(1, 5, 10)},
		{15, 16, ref(1, 13, 14), ref(1, 0, 0)}, // a full stop alone is the empty text
		{0, 21, ref(1, 0, 19), ref(1, 0, 18)},
	} {
		r := ref(1, p.start, p.end)
		if got := c.Place(r); got != p.place {
			t.Errorf("%v is %v, want %v", r, got, p.place)
		}
		if got := c.FirstPlace(r); got != p.first {
			t.Errorf("%v is found at %v, want %v", r, got, p.first)
		}
	}
	defer func() {
		if recover() == nil {
			t.Error("an interval inside a code point has a place")
		}
	}()
	c.Place(ref(1, 1, 5))
}

// TestReferences: every span of every set, once.
func TestReferences(t *testing.T) {
	a, b, c := ref(0, 1, 2), ref(0, 3, 4), ref(1, 1, 2)
	if got := (Evidence{{b, a}, {c, b}}).References(); !slices.Equal(got, []Ref{b, a, c}) {
		t.Error(got)
	}
}
