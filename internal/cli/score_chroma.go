package cli

import (
	"fmt"
	"strings"

	"kerf/internal/golden"
	"kerf/internal/rankings"
	"kerf/internal/report"
	"kerf/internal/study/score"
)

// scoreCharacters scores rankings by the measures of Chroma's report.
func (a *app) scoreCharacters(f *rankings.File, p *project, ks []int) error {
	if score.ByID(p.asked) {
		return usage("--compat chroma: the evidence is ids, which have no characters")
	}
	if err := a.kinds("score", ".json"); err != nil {
		return err
	}
	out := score.Characters(f, p.asked, p.corpus, ks)
	return a.answer(out, func() error {
		var b strings.Builder
		rows := [][]string{{"%, first k hits", "", "questions", "missing", "recall", "precision", "IoU"}}
		for _, r := range out.Rows {
			name := fmt.Sprintf("k %d", r.K)
			if r.Sample != golden.Representative {
				name += ", " + r.Sample
			}
			rows = append(rows, []string{name, string(r.Definition), fmt.Sprint(r.Recall.N + r.Missing), fmt.Sprint(r.Missing), meanSD(r.Recall), meanSD(r.Precision), meanSD(r.IoU)})
		}
		report.Columns(&b, rows)
		if out.NotPinned > 0 {
			fmt.Fprintf(&b, "%s of an older version, in no figure\n", counted(out.NotPinned, "hit"))
		}
		b.WriteString(`mean ± standard deviation over questions, in code points: Chroma, "Evaluating Chunking". Readers are not looked at.
exact: hits where they are. imitated: as the published code has it; a hit is where its text occurs first, without a
final full stop. precision_omega needs no ranking (kerf cuts --compat chroma).
`)
		_, err := fmt.Fprint(a.Stdout, Escape(b.String()))
		return err
	})
}
