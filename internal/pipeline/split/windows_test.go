package split

import (
	"encoding/json"
	"os"
	"slices"
	"testing"

	"kerf/internal/text/span"
)

// units is a text of n one-byte tokens.
type units int

func (u units) Len() int      { return int(u) }
func (u units) Cut(i int) int { return i }

func emitted(w Windows, t Tokens, first int) [][2]int {
	var out [][2]int
	for _, c := range w.Place(t, first, nil) {
		if c.State == Emitted {
			out = append(out, [2]int{c.Start, c.End})
		}
	}
	return out
}

// TestPhaseSweepOfTheReport runs the report's own construction, with every
// chunk kept (testdata/phase-sweep.json).
func TestPhaseSweepOfTheReport(t *testing.T) {
	content, err := os.ReadFile("testdata/phase-sweep.json")
	if err != nil {
		t.Fatal(err)
	}
	var f struct {
		Intervals []struct {
			Units, Capacity, Overlap int
			FirstCut                 int `json:"first_cut"`
			Cuts                     []int
			Cores, Chunks            [][2]int
		}
	}
	if err := json.Unmarshal(content, &f); err != nil {
		t.Fatal(err)
	}
	if len(f.Intervals) == 0 {
		t.Fatal("no intervals")
	}
	for _, c := range f.Intervals {
		w := Windows{c.Capacity, c.Overlap, Keep}
		var cores, chunks [][2]int
		var cuts []int
		for _, p := range w.Place(units(c.Units), c.FirstCut, nil) {
			cores = append(cores, [2]int{p.First, p.Core})
			chunks = append(chunks, [2]int{p.Start, p.End})
			if p.Core < c.Units {
				cuts = append(cuts, p.Core)
			}
		}
		if !slices.Equal(cuts, c.Cuts) || !slices.Equal(cores, c.Cores) || !slices.Equal(chunks, c.Chunks) {
			t.Errorf("%+v:\n cuts %v\n cores %v\n chunks %v", c, cuts, cores, chunks)
		}
	}
}

func TestOrdinaryWindows(t *testing.T) {
	for _, c := range []struct {
		n, size, overlap int
		edge             Edge
		want             [][2]int
	}{
		{30, 11, 5, DropContained, [][2]int{{0, 11}, {6, 17}, {12, 23}, {18, 29}, {24, 30}}},
		{23, 10, 3, DropContained, [][2]int{{0, 10}, {7, 17}, {14, 23}}},
		{23, 10, 3, Keep, [][2]int{{0, 10}, {7, 17}, {14, 23}, {21, 23}}},
		{10, 6, 4, DropContained, [][2]int{{0, 6}, {2, 8}, {4, 10}}},
		{10, 10, 4, DropContained, [][2]int{{0, 10}}},
		{0, 4, 1, DropContained, nil},
		{1, 4, 1, DropContained, [][2]int{{0, 1}}},
	} {
		w := Windows{c.size, c.overlap, c.edge}
		if got := emitted(w, units(c.n), w.Stride()); !slices.Equal(got, c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
}

// TestHoldersAgainstLooking compares the arithmetic with looking at every chunk,
// for all texts up to 14 tokens and all their intervals.
func TestHoldersAgainstLooking(t *testing.T) {
	for n := 1; n <= 14; n++ {
		for size := 1; size <= 8; size++ {
			for overlap := 0; overlap < size; overlap++ {
				w := Windows{size, overlap, Keep}
				for first := 1; first <= w.Stride(); first++ {
					chunks := w.Place(units(n), first, nil)
					if len(chunks) != w.Cores(n, first) {
						t.Fatalf("n %d %+v first %d: %d cores, not %d", n, w, first, w.Cores(n, first), len(chunks))
					}
					for lo := 0; lo < n; lo++ {
						for hi := lo + 1; hi <= n; hi++ {
							k, l := w.Holders(n, first, lo, hi)
							for i, c := range chunks {
								in := c.Contains(span.Span{Start: lo, End: hi})
								if in != (k <= i && i <= l) {
									t.Fatalf("n %d %+v first %d [%d,%d): holders %d..%d, chunk %d is %v", n, w, first, lo, hi, k, l, i, c.Span)
								}
							}
						}
					}
				}
			}
		}
	}
}

// TestSurvival compares the closed form with counting over all placements.
func TestSurvival(t *testing.T) {
	for size := 1; size <= 9; size++ {
		for overlap := 0; overlap < size; overlap++ {
			w := Windows{size, overlap, DropContained}
			for n := w.Stride(); n <= 25; n++ {
				for length := 1; length <= n; length++ {
					for lo := 0; lo+length <= n; lo++ {
						whole := 0
						for first := 1; first <= w.Stride(); first++ {
							if w.Whole(Extent{n, lo, lo + length}, first) {
								whole++
							}
						}
						if whole != w.Survival(length) {
							t.Fatalf("%+v n %d [%d,%d): %d of %d, closed form %d", w, n, lo, lo+length, whole, w.Stride(), w.Survival(length))
						}
					}
				}
			}
		}
	}
}
