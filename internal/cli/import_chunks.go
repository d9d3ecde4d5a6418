package cli

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/chunks"
	"kerf/internal/finding"
	"kerf/internal/golden"
)

func (a *app) newImportChunks() *cobra.Command {
	var labels bool
	cmd := &cobra.Command{
		Use:     "chunks FILE [--labels]",
		Short:   "The chunks of another index to their exact places",
		Example: `  printf '%s\n' '{"kerf":"chunks/1","unit":"codepoint"}' '{"doc":"returns.md","id":"returns#0","text":"A business customer has 14 days"}' > kerf-demo/chunks.jsonl && kerf -C kerf-demo import chunks chunks.jsonl`,
		Long: `FILE is a chunks/1 table (docs/format/chunks.md) of the frozen documents: every
chunk of an index with its text, its interval, or both. Offsets that are given are
verified and never moved. Chunks of text alone are placed by the order of their
document's chunks, exactly or with white space folded, and only where that order
leaves the whole list one placement. Whatever has no certain place is listed;
nothing is guessed. -o writes the complete table, each chunk with version, start
and end.

With --labels, the questions of golden.jsonl that name relevant_chunk_ids become
source spans, once, with the table of the index that they were made on; -o writes
the golden set.

Exit: 0 every chunk has its place, 1 something has none and nothing is written,
2 a file is missing or the documents have errors.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.jsonlines("import chunks"); err != nil {
				return err
			}
			if labels {
				return a.importChunkLabels(args[0])
			}
			return a.importChunks(args[0])
		},
	}
	cmd.Flags().BoolVar(&labels, "labels", false, "turn relevant_chunk_ids of the golden set into spans")
	return cmd
}

// chunksOutput is chunks-import/1.
type chunksOutput struct {
	Kerf       string       `json:"kerf"`
	File       string       `json:"file"`
	Digest     string       `json:"digest"`
	Unit       string       `json:"unit"`
	Chunks     int          `json:"chunks"`
	Placed     int          `json:"placed"`
	Verified   int          `json:"verified"`
	Exact      int          `json:"exact"`
	Folded     int          `json:"folded"`
	NotFound   int          `json:"not_found"`
	Ambiguous  int          `json:"ambiguous"`
	NotInOrder int          `json:"not_in_order"`
	Waiting    int          `json:"waiting"`
	Open       []chunksOpen `json:"open"`
	Findings   finding.List `json:"findings"`
	Errors     int          `json:"errors"`
	Warnings   int          `json:"warnings"`
	Written    []string     `json:"written"`
}

// chunksOpen is a chunk without a place; those that wait for it are counted alone.
type chunksOpen struct {
	ID     string        `json:"id"`
	Doc    string        `json:"doc"`
	Line   int           `json:"line"`
	Reason chunks.Reason `json:"reason"`
	Unit   string        `json:"unit"`
	Places [][2]int      `json:"places"`
	More   bool          `json:"more"`
}

// jsonlines refuses what a command that writes JSON Lines does not write.
func (a *app) jsonlines(command string) error {
	if err := a.textOrJSON(command); err != nil {
		return err
	}
	for _, o := range a.outputs {
		if !strings.HasSuffix(o, ".jsonl") {
			return usage("-o %s: %s writes .jsonl", o, command)
		}
	}
	return nil
}

// frozen is the experiment and its documents, which must have no errors.
func (a *app) frozen() (labelSet, error) {
	in, err := a.configured()
	if err != nil {
		return in, err
	}
	if _, err := a.documents(resolved(in.home, in.experiment.Corpus), &in); err != nil {
		return in, err
	}
	return in, a.refused(in.found)
}

// refused prints findings with an error among them; kerf check lists them all.
func (a *app) refused(found finding.List) error {
	n := found.Errors()
	if n == 0 {
		return nil
	}
	found.Sort()
	fmt.Fprintln(a.Stderr, Escape(found.Err().Error()))
	return a.refuse(counted(n, "error")+"; nothing was imported", "check")
}

// table reads a chunk table against the documents.
func (a *app) table(in labelSet, file string) (*chunks.Table, []byte, finding.List, error) {
	content, err := a.bounded(file, chunks.Most)
	if err != nil {
		return nil, nil, nil, err
	}
	t, found := chunks.Read(a.shown(a.path(file)), content, in.corpus)
	return t, content, found, nil
}

func (a *app) importChunks(file string) error {
	in, err := a.frozen()
	if err != nil {
		return err
	}
	t, content, found, err := a.table(in, file)
	if err != nil {
		return err
	}
	out := chunksImported(t, found, in)
	if out.Errors == 0 {
		if out.Written, err = a.writeOutputs(func() ([]byte, error) { return t.Encode(content, in.corpus) }); err != nil {
			return err
		}
	}
	if err := a.toStdout(out, func() error { return a.chunksText(out) }); err != nil {
		return err
	}
	switch {
	case out.Errors > 0:
		if len(a.outputs) > 0 {
			a.say("nothing was written")
		}
		a.say("mend the export, or give start and end, then import again")
		a.next("import", "chunks", file)
		return exit(exitFindings, nil)
	case len(out.Written) == 0 && out.Verified < out.Placed:
		a.next("import", "chunks", file, "-o", "placed.jsonl")
	default:
		a.next("run")
	}
	return nil
}

// writeOutputs writes what make makes to every -o file.
func (a *app) writeOutputs(make func() ([]byte, error)) ([]string, error) {
	if len(a.outputs) == 0 {
		return []string{}, nil
	}
	content, err := make()
	if err != nil {
		return nil, usage("%w", err)
	}
	for _, o := range a.outputs {
		if err := writeFile(a.path(o), content); err != nil {
			return nil, exit(exitTrouble, err)
		}
	}
	return a.outputs, nil
}

// toStdout prints text, or v as JSON.
func (a *app) toStdout(v any, text func() error) error {
	if a.format == "json" {
		return writeJSON(a.Stdout, v)
	}
	return text()
}

func chunksImported(t *chunks.Table, found finding.List, in labelSet) *chunksOutput {
	errs := found.Errors()
	out := &chunksOutput{Kerf: "chunks-import/1", File: t.File, Digest: t.Digest, Unit: string(t.Unit), Chunks: t.Lines, Placed: len(t.Chunks),
		Verified: t.Verified, Exact: t.Exact, Folded: t.Folded, Open: []chunksOpen{}, Findings: append(finding.List{}, found...), Errors: errs, Warnings: len(found) - errs, Written: []string{}}
	for _, o := range t.Open {
		switch o.Reason {
		case chunks.NotFound:
			out.NotFound++
		case chunks.Ambiguous:
			out.Ambiguous++
		case chunks.NotInOrder:
			out.NotInOrder++
		case chunks.Waiting:
			out.Waiting++
			continue
		}
		row := chunksOpen{ID: o.ID, Doc: in.corpus.Documents[o.Doc].Doc, Line: o.Line, Reason: o.Reason, Unit: string(o.Unit), Places: [][2]int{}, More: o.More}
		for _, p := range o.Places {
			row.Places = append(row.Places, [2]int{p.Start, p.End})
		}
		out.Open = append(out.Open, row)
	}
	return out
}

func (a *app) chunksText(out *chunksOutput) error {
	if err := a.findings(out.Findings); err != nil {
		return err
	}
	line := fmt.Sprintf("%s: %s: %d verified, %d aligned exactly, %d aligned with white space folded", out.File, counted(out.Chunks, "chunk"), out.Verified, out.Exact, out.Folded)
	for _, part := range []struct {
		n    int
		what string
	}{{out.NotFound, "not found"}, {out.Ambiguous, "ambiguous"}, {out.NotInOrder, "not in order"}, {out.Waiting, "waiting for others of their document"}} {
		if part.n > 0 {
			line += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	line += ", " + counted(out.Errors, "error")
	_, err := fmt.Fprintln(a.Stdout, Escape(line))
	return err
}

// spansAlone refuses questions that are labelled by chunk ids.
func (a *app) spansAlone(in labelSet) error {
	var qids []string
	for _, q := range in.set.Questions {
		if q.Relevant != nil {
			qids = append(qids, q.QID)
		}
	}
	if len(qids) == 0 {
		return nil
	}
	a.say("with the table of those chunks they become spans: kerf import chunks TABLE --labels; kerf score takes ids as they are")
	return a.refuse(fmt.Sprintf("%s: %s labelled by chunk ids, which move with every cut (the first is %s); nothing was run", in.golden, counted(len(qids), "question"), qids[0]), "import", "chunks", "--help")
}

// labelsOutput is chunk-labels/1.
type labelsOutput struct {
	Kerf      string       `json:"kerf"`
	Golden    string       `json:"golden"`
	File      string       `json:"file"`
	Digest    string       `json:"digest"`
	Questions []string     `json:"questions"` // that name chunks
	Findings  finding.List `json:"findings"`
	Errors    int          `json:"errors"`
	Written   []string     `json:"written"`
}

func (a *app) importChunkLabels(file string) error {
	in, err := a.labels()
	if err != nil {
		return err
	}
	if err := a.refused(in.found); err != nil {
		return err
	}
	t, _, found, err := a.table(in, file)
	if err != nil {
		return err
	}
	out := labelsOutput{Kerf: "chunk-labels/1", Golden: in.golden, File: t.File, Digest: t.Digest, Questions: []string{}, Written: []string{}}
	for _, q := range in.set.Questions {
		if q.Relevant != nil {
			out.Questions = append(out.Questions, q.QID)
		}
	}
	if found.Errors() == 0 {
		found = append(found, golden.Place(in.set, t, in.corpus)...)
	}
	out.Findings = slices.DeleteFunc(append(finding.List{}, found...), func(f finding.Finding) bool { return f.Severity == finding.Warning })
	if out.Errors = len(out.Findings); out.Errors == 0 && len(out.Questions) > 0 {
		if out.Written, err = a.writeOutputs(func() ([]byte, error) { return in.set.Encode(), nil }); err != nil {
			return err
		}
	}
	err = a.toStdout(out, func() error {
		if err := a.findings(out.Findings); err != nil {
			return err
		}
		verb := "would get"
		if len(out.Written) > 0 {
			verb = "have"
		}
		_, err := fmt.Fprintln(a.Stdout, Escape(fmt.Sprintf("%s: %s %s source spans in place of chunk ids of %s, %s", in.golden, counted(len(out.Questions), "question"), verb, t.File, counted(out.Errors, "error"))))
		return err
	})
	switch {
	case err != nil:
		return err
	case out.Errors > 0:
		a.say("nothing was written")
		return exit(exitFindings, nil)
	case len(out.Written) == 0 && len(out.Questions) > 0:
		a.next("import", "chunks", file, "--labels", "-o", in.golden)
	default:
		a.next("check")
	}
	return nil
}
