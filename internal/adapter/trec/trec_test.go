package trec

import (
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"kerf/internal/verdict"
)

func read(t *testing.T, run, qrels string, order Order) (*Run, *Qrels) {
	t.Helper()
	q, found, err := ReadQrels("qrels", strings.NewReader(qrels))
	if err != nil || found.Errors() > 0 {
		t.Fatal(found, err)
	}
	r, found, err := ReadRun("run", strings.NewReader(run), order, q)
	if err != nil || found.Errors() > 0 {
		t.Fatal(found, err)
	}
	return r, q
}

// TestScatteredLines: a run whose lines are dealt out anew, each query's in their
// order, has the same rankings.
func TestScatteredLines(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	run, qrels := generate(2, 30, 20)
	lines := strings.SplitAfter(strings.TrimSuffix(string(run), "\n"), "\n")
	lines[len(lines)-1] += "\n"
	byQuery := map[string][]string{}
	var ids []string
	for _, l := range lines {
		id, _, _ := strings.Cut(l, " ")
		byQuery[id] = append(byQuery[id], l)
		ids = append(ids, id)
	}
	rng.Shuffle(len(ids), func(i, j int) { ids[i], ids[j] = ids[j], ids[i] })
	var mixed strings.Builder
	for _, id := range ids {
		mixed.WriteString(byQuery[id][0])
		byQuery[id] = byQuery[id][1:]
	}
	for _, order := range []Order{AsWritten, ByScore} {
		a, q := read(t, string(run), string(qrels), order)
		b, _ := read(t, mixed.String(), string(qrels), order)
		for _, r := range []*Run{a, b} {
			slices.SortFunc(r.Rankings, func(x, y Ranking) int { return strings.Compare(x.QID, y.QID) })
			for i := range r.Rankings {
				r.Rankings[i].Line = 0
			}
		}
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: the rankings differ", order)
		}
		if len(Check(a, q, Pairs(a, q))) > 0 || len(a.Rankings) != 30 {
			t.Errorf("%d rankings, %v", len(a.Rankings), Check(a, q, Pairs(a, q)))
		}
	}
}

// TestFound: the judged documents of a ranking are found by their ids, whatever
// these look like, and no others.
func TestFound(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	for range 300 {
		id := func() string { return strings.Repeat("é-doc", rng.IntN(5)) + fmt.Sprint(rng.IntN(60)) }
		var run, qrels strings.Builder
		relevance, ranked := map[string]int{}, map[string]bool{}
		var judged []int
		for range rng.IntN(20) {
			if d := id(); relevance[d] == 0 {
				relevance[d] = 1 + rng.IntN(3)
				judged = append(judged, relevance[d])
				fmt.Fprintf(&qrels, "q 0 %s %d\n", d, relevance[d])
			}
		}
		var want []verdict.Found
		for range 40 {
			if d := id(); !ranked[d] {
				ranked[d] = true
				fmt.Fprintf(&run, "q Q0 %s %d 1 t\n", d, len(ranked))
				if relevance[d] > 0 {
					want = append(want, verdict.Found{Rank: len(ranked), Relevance: relevance[d]})
				}
			}
		}
		if len(judged) == 0 {
			continue
		}
		r, q := read(t, run.String(), qrels.String(), AsWritten)
		if got := r.Rankings[0]; !slices.Equal(got.Found, want) || got.Depth != len(ranked) || !slices.Equal(q.Queries[0].Relevance, judged) {
			t.Fatalf("%+v, want %v of %d\n%s%s", got, want, len(ranked), qrels.String(), run.String())
		}
	}
}

// TestCheck: queries of one file alone, and without a relevant document, are named.
func TestCheck(t *testing.T) {
	r, q := read(t, "a Q0 d 1 1 t\nb Q0 d 1 1 t\nc Q0 d 1 1 t\n", "d 0 d 1\na 0 d 1\nb 0 d 0\n", AsWritten)
	var got []string
	for _, f := range Check(r, q, Pairs(r, q)) {
		got = append(got, fmt.Sprint(f.File, ":", f.Line, " ", f.Code, " ", f.QID))
	}
	if want := []string{"run:3 K374 c", "qrels:1 K373 d", "qrels:3 K375 b"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// source is a file of so many bytes, of which it has none.
type source struct {
	size int64
	err  error
}

func (s source) Seek(_ int64, whence int) (int64, error) {
	if whence == io.SeekEnd {
		return s.size, nil
	}
	return 0, nil
}

func (s source) Read([]byte) (int, error) { return 0, s.err }

// TestSource: a file above the limit is refused unread, and a source that fails is
// no empty file.
func TestSource(t *testing.T) {
	broken := errors.New("broken")
	for _, size := range []int64{10, Most, Most + 1} {
		_, found, err := ReadRun("run", source{size, broken}, AsWritten, new(Qrels))
		if size > Most {
			if err != nil || len(found) != 1 || found[0].Code != CodeLarge {
				t.Errorf("%d bytes: %v %v", size, found, err)
			}
		} else if !errors.Is(err, broken) {
			t.Errorf("%d bytes: %v %v", size, found, err)
		}
	}
	if _, _, err := ReadQrels("qrels", source{10, broken}); !errors.Is(err, broken) {
		t.Errorf("qrels: %v", err)
	}
}
