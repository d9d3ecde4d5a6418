package cli

import (
	"path/filepath"
	"slices"

	"github.com/spf13/cobra"

	"kerf/internal/adapter/labels"
	"kerf/internal/golden"
)

func (a *app) newImportQuestions() *cobra.Command {
	return &cobra.Command{
		Use:     "questions FILE",
		Short:   "Append the questions of a CSV, each quote at its place",
		Example: `  printf '%s\n' question,doc,quote 'What becomes of seconds?,returns.md,"Seconds may be returned like other goods, but we give credit instead of money."' > kerf-demo/questions.csv && kerf -C kerf-demo import questions questions.csv`,
		Long: `Appends the rows of a CSV to golden.jsonl, as kerf add does. The header names the
columns: question, doc, quote, and if there are more, quote2, quote3 and so on; qid,
answer, segment and origin may be there. All quotes of a row are needed together.

A quote with exactly one place gets it at once; with several it stays a draft and
is listed with them; a row with a quote that stands nowhere, a taken qid or a
question that is there already is refused with its line and column.

Exit: 0 all added, 1 rows refused, 2 nothing could be added to this file.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return a.importQuestions(args[0]) },
	}
}

func (a *app) importQuestions(file string) error {
	if err := a.kinds("import questions", ".json"); err != nil {
		return err
	}
	in, err := a.growing()
	if err != nil {
		return err
	}
	content, err := a.readInput(file)
	if err != nil {
		return err
	}
	before := in.set.Encode() // nothing is completed: the file as it was read
	name := filepath.ToSlash(file)
	sheet := labels.ReadSheet(labels.File{Name: name, Content: content}, in.set)
	x, err := golden.Extend(in.set, in.corpus, name, sheet.Lines)
	if err != nil {
		return exit(exitTrouble, err)
	}
	found := slices.Clone(sheet.Found)
	for _, f := range x.Found {
		found = append(found, sheet.Finding(f))
	}
	found.Sort()
	if err := a.extend(in.file, before, x); err != nil {
		return exit(exitTrouble, err)
	}
	out := a.added("import-questions/1", in.golden, x, found)
	for _, f := range sheet.Found {
		out.Refused = append(out.Refused, f.Line)
	}
	slices.Sort(out.Refused)
	out.Refused = slices.Compact(out.Refused)
	if err := a.answer(out, func() error { return a.addText(out, "row") }); err != nil {
		return err
	}
	return a.afterAdding(out, "mend the rows that were refused, and import them alone", "import", "questions", "--help")
}
