package cli

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/adapter/labels"
)

func (a *app) newImport() *cobra.Command {
	m := migration{mapped: map[string]string{}}
	cmd := &cobra.Command{
		Use:     "import questions|chunks FILE, or import --from KIND PATH…",
		Short:   "Bring questions, labels and chunks from other tools",
		Example: "  kerf -C kerf-demo export w3c -o w3c.jsonl && kerf -C kerf-demo import --from w3c w3c.jsonl",
		Long: `kerf import questions appends the rows of a CSV to golden.jsonl, kerf import chunks
places the chunks of another index. --from reads another tool's labelled set or
chunks and proves every offset in it against the text: what is wrong is refused
and listed with where the passage does stand; nothing is moved.

  chroma          questions CSV of Chroma's chunking evaluation
  legalbench-rag  benchmark JSON; the documents are those of corpus.jsonl
  squad           SQuAD 1.1 and 2.0 JSON, with its documents
  hotpotqa        HotpotQA JSON, with its documents
  beir            a folder of corpus.jsonl, queries.jsonl and qrels
  label-studio    JSON export, with its documents
  w3c             Web Annotations, quote and position selectors
  llamaindex      docstore JSON: chunks, and the documents that are in it
  langchain       Documents as JSON or JSON Lines: chunks

-o writes the questions, --texts the documents for kerf freeze --texts, --chunks the
chunks for kerf import chunks; without them only the proof is done. A file that
is there is not overwritten.

Exit: 0 all proved, 1 something refused (the rest is written), 2 a file is
missing or usage.`,
		Args: func(_ *cobra.Command, args []string) error {
			switch {
			case m.from == "" && len(args) == 0:
				return usage("import what? kerf import questions FILE, kerf import chunks FILE, or kerf import --from KIND PATH")
			case m.from == "" && slices.ContainsFunc(labels.Kinds(), func(k labels.Kind) bool { return k.Name == args[0] }):
				return usage("import %s: --from names a kind: kerf import --from %s", args[0], strings.Join(args, " "))
			case m.from == "" && (len(args) > 1 || absent(a.path(args[0]))):
				return usage("import %s: %s", args[0], meant(args[0], []string{"questions", "chunks"}))
			case m.from == "":
				return usage("import %s: import what? kerf import questions FILE, kerf import chunks FILE, or kerf import --from KIND PATH", args[0])
			case len(args) == 0:
				return usage("import --from %s needs a file", m.from)
			}
			return nil
		},
		RunE: func(_ *cobra.Command, args []string) error { return a.importLabels(m, args) },
	}
	m.flags(cmd)
	cmd.AddCommand(a.newImportQuestions(), a.newImportChunks())
	return cmd
}
