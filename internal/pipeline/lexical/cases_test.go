package lexical

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"kerf/internal/pipeline/rank"
	"kerf/internal/pipeline/split"
	"kerf/internal/text/token"
)

// search ranks whole documents for each question: windows larger than any text.
func search(t *testing.T, texts, questions []string) (*Placement, [][]rank.Hit) {
	t.Helper()
	p := placed(t, "codepoints", texts, questions, split.Windows{Size: 1000, Overlap: 0, Edge: split.DropContained}, 1000)
	var out [][]rank.Hit
	for q := range questions {
		out = append(out, p.search(q, nil, &Sight{}, 100))
	}
	return p, out
}

func placed(t testing.TB, tokenizer string, texts, questions []string, w split.Windows, first int) *Placement {
	t.Helper()
	tok, err := token.Named(tokenizer)
	if err != nil {
		t.Fatal(err)
	}
	tables := make([]*token.Table, len(texts))
	for i, text := range texts {
		tables[i] = token.NewTable(tok, text)
	}
	p := New(texts, questions, nil).Under(tables).NewPlacement()
	p.Place(w, Everywhere(first))
	return p
}

func docs(hits []rank.Hit) []int32 {
	var out []int32
	for _, h := range hits {
		out = append(out, h.Doc)
	}
	return out
}

// TestFrequentTerm (rnk-06): a term in most chunks still counts for them.
func TestFrequentTerm(t *testing.T) {
	_, got := search(t, []string{"red fox runs", "red dog sleeps", "blue fox", "red red fox cub"}, []string{"red fox"})
	if want := []int32{3, 0, 2, 1}; !slices.Equal(docs(got[0]), want) {
		t.Fatalf("order %v, want %v", docs(got[0]), want)
	}
	for i, want := range []float64{.762265309, .713349888, .412992040, .356674944} {
		if s := got[0][i].Score; math.Abs(s-want) > 1e-9 {
			t.Errorf("hit %d: score %.12f, want %.9f", i+1, s, want)
		}
	}
}

// TestNothingToFind (rnk-07): no text, no question, no term: empty rankings and
// no number that is none.
func TestNothingToFind(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		found []int32 // of "fee"; the other questions find nothing
	}{
		{"none", nil, nil},
		{"all empty", []string{"", "", ""}, nil},
		{"one empty", []string{"", "fee 10", ""}, []int32{1}},
		{"other words", []string{"the the", "of the"}, nil},
		{"no terms", []string{"...", "-"}, nil}, // a mean length of 0
	} {
		p, got := search(t, c.texts, []string{"fee", "", "zzz", "?!"})
		if !slices.Equal(docs(got[0]), c.found) || len(got[1])+len(got[2])+len(got[3]) > 0 {
			t.Errorf("%s: %v", c.name, got)
		}
		for _, h := range got[0] {
			if !(h.Score > 0) || math.IsInf(h.Score, 1) {
				t.Errorf("%s: score %v", c.name, h.Score)
			}
		}
		for slot, norm := range p.norm {
			if p.Live[slot] && p.Terms > 0 && !(norm > 0) {
				t.Errorf("%s: slot %d has the norm %v", c.name, slot, norm)
			}
		}
	}
}

// TestScriptsWithoutBlanks (rnk-08): overlapping pairs find words in languages
// that write none apart; a document without a common pair is no hit at all.
func TestScriptsWithoutBlanks(t *testing.T) {
	texts := []string{"契約期間の更新手続きについて", "料金は三十日以内に支払う", "押金三十日内退还", "发票须在当月提交", "押金不计利息", "退货运费由买方承担"} // ja0 ja1 zh0 to zh3
	_, got := search(t, texts, []string{"运费", "押金", "更新手続き", "三十日", "海洋"})
	for q, want := range [][]int32{{5}, {4, 2}, {0}, {2, 1}, nil} {
		if !slices.Equal(docs(got[q]), want) {
			t.Errorf("q%d: %v, want %v", q+1, got[q], want)
		}
	}
}

// TestBlankDocuments (spl-09): a document without a visible character has no
// chunk, and a blank window counts in no N.
func TestBlankDocuments(t *testing.T) {
	texts := []string{"", "  \n\t\n \u00a0\u2003\n", "Head." + string(slices.Repeat([]byte(" "), 50)) + "Foot."}
	p := placed(t, "codepoints", texts, []string{"head foot"}, split.Windows{Size: 10, Overlap: 0, Edge: split.DropContained}, 10)
	live := make([]int, len(texts))
	var spans [][2]int
	for slot, c := range p.Chunks {
		if p.Live[slot] {
			live[p.Docs[slot]]++
			spans = append(spans, [2]int{c.Start, c.End})
		}
	}
	if !slices.Equal(live, []int{0, 0, 2}) || !slices.Equal(spans, [][2]int{{0, 10}, {50, 60}}) || p.N != 2 || p.Terms != 2 {
		t.Errorf("chunks %v at %v, N %d, %d terms", live, spans, p.N, p.Terms)
	}
}

// TestManyTerms asks more terms than have ids of two bytes: the other questions'
// hits stay as they are.
func TestManyTerms(t *testing.T) {
	texts := []string{strings.Repeat("zulu late fee ", 40), "a notice of the zz fee", "late zz notice"}
	questions := []string{"late fee", "zz notice", "zulu"}
	var many strings.Builder
	for i := range 1 << 16 {
		fmt.Fprintf(&many, "w%d ", i)
	}
	w := split.Windows{Size: 5, Overlap: 1}
	few := placed(t, "words", texts, questions, w, 3)
	p := placed(t, "words", texts, append(questions, many.String()), w, 3)
	if p.view.found[0].long == nil || few.view.found[0].short == nil {
		t.Fatal("expected ids of four and of two bytes")
	}
	for q := range questions {
		got, want := p.search(q, nil, sight(nil), 100), few.search(q, nil, sight(nil), 100)
		if len(want) == 0 || !slices.Equal(got, want) {
			t.Errorf("question %q:\n%v\nwant\n%v", questions[q], got, want)
		}
	}
}

// TestPairsHoldEverySlotAndId: what is left of a word for a count is what the
// larger of the two leaves.
func TestPairsHoldEverySlotAndId(t *testing.T) {
	for _, n := range [][2]int{{1 << 20, 3}, {3, 1 << 20}, {1<<20 - 1, 1<<20 - 1}} {
		tally := tally{widest: 16}
		tally.open(n[0], n[1])
		if last := uint32(max(n[0], n[1]) - 1); last<<tally.shift>>tally.shift != last || tally.shift < 11 {
			t.Errorf("%d chunks, %d terms: counts of %d bits", n[0], n[1], tally.shift)
		}
	}
}
