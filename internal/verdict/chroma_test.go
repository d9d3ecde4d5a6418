package verdict

import (
	"math/rand/v2"
	"testing"

	"kerf/internal/text/span"
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

// TestFirstPlace: the second of two equal chunks is believed to be the first,
// and a full stop is lost.
func TestFirstPlace(t *testing.T) {
	text := "One. Two. One. Two."
	for _, c := range []struct {
		chunk      string
		start, end int
	}{{text[10:14], 0, 3}, {text[15:], 5, 8}, {text[5:14], 5, 13}, {".", 0, 0}, {text, 0, 18}} {
		if s, ok := FirstPlace(text, c.chunk); !ok || s != (span.Span{Start: c.start, End: c.end}) {
			t.Errorf("%q at %v %v, want [%d,%d)", c.chunk, s, ok, c.start, c.end)
		}
	}
	if s, ok := FirstPlace(text, "Three"); ok {
		t.Errorf("found at %v", s)
	}
}
