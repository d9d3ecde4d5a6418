package main

import (
	"fmt"
	"io"
	"math/big"
	"path/filepath"

	"kerf/internal/study/effect"
)

// sizes are arms of windows of cl100k_base tokens, ranked by BM25.
var sizes = []struct {
	name          string
	size, overlap int // overlap: % of size
}{{"128/0", 128, 0}, {"256/0", 256, 0}, {"256/20 %", 256, 20}, {"512/0", 512, 0}, {"1024/0", 1024, 0}}

// questionsOrDocuments compares sizes of chunks on labelled sets: the interval of a
// difference where every question stands for itself beside the one over documents.
func questionsOrDocuments(w io.Writer, folder string) error {
	fmt.Fprintf(w, `
## Questions or documents

Sizes of chunks (tokens/overlap, cl100k_base) on labelled sets, by BM25 and 1,024 tokens of bare text: differences of whole evidence in points, the 95 %%
interval where every question is taken for a cluster of its own, and kerf's, over clusters of documents. "gained", "lost": questions. "8": each
question's mean over %d placements of the cuts; "1": the ordinary cuts alone. DEFF: the variance over clusters was so many times that of independent
questions, and so many times is assumed, at least 1 + (m-1)·.2. Where just one of the two intervals holds 0, the last column says which, and whether it
is for that floor alone.
`, placements)
	experiment, names := "budget: {tokens: 1024, format: bare}\narms:\n", []string{}
	for i, a := range sizes {
		names = append(names, fmt.Sprint("s", i))
		experiment += fmt.Sprintf("  s%d: {split: {by: tokens, size: %d, overlap: %d%%}, retrieve: {by: bm25}}\n", i, a.size, a.overlap)
	}
	for _, name := range []string{"squad2-dev", "xquad-de"} {
		dir := filepath.Join(folder, name)
		if !present(dir) {
			fmt.Fprintf(w, "\n### %s\n\nThe set is not there: nothing is measured.\n", name)
			continue
		}
		arms, err := read(dir, experiment, names...)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "\n### %s: %d questions, %d clusters\n", name, len(arms[0].clusters), arms[0].distinct())
		head(w, "chunks", "cuts", "gained", "lost", "difference", "by questions", "by documents", "DEFF seen, assumed", "holds 0")
		for c := range arms {
			for b := range c {
				x, y := effect.Of(arms[c].support, placements), effect.Of(arms[b].support, placements)
				pair := sizes[c].name + " less " + sizes[b].name
				row(w, append([]string{pair, "8"}, byBoth(x.Less(y), arms[0].clusters, effect.Fine)...)...)
				row(w, append([]string{pair, "1"}, byBoth(x.Ordinary().Less(y.Ordinary()), arms[0].clusters, effect.Verdicts)...)...)
			}
		}
	}
	return nil
}

// byBoth is what is said of differences by questions and by documents.
func byBoth(differences []*big.Rat, clusters []string, scale effect.Scale) []string {
	own := make([]string, len(clusters))
	gained, lost := 0, 0
	for i, d := range differences {
		own[i] = fmt.Sprint(i)
		gained, lost = gained+max(d.Sign(), 0), lost+max(-d.Sign(), 0)
	}
	mean, _ := effect.Total(differences).Rate()
	questions, documents := effect.Standard(0).Of(differences, own, scale).Value, effect.Standard(0).Of(differences, clusters, scale).Value
	bounds := func(i effect.Interval) string { return fmt.Sprintf("%+.1f to %+.1f", 100*i.Lo, 100*i.Hi) }
	holds := func(i effect.Interval) bool { return i.Lo <= 0 && 0 <= i.Hi }
	seen := effect.Design{Level: documents.Level}.Of(differences, clusters, scale).Value // without a floor
	apart := ""
	switch {
	case holds(documents) && !holds(questions) && holds(seen):
		apart = "by documents alone"
	case holds(documents) && !holds(questions):
		apart = "by documents alone, for the floor"
	case holds(questions) && !holds(documents):
		apart = "by questions alone"
	}
	return []string{fmt.Sprint(gained), fmt.Sprint(lost), fmt.Sprintf("%+.1f", 100*mean), bounds(questions), bounds(documents),
		fmt.Sprintf("%.1f, %.1f", seen.DEFF, documents.DEFF), apart}
}
