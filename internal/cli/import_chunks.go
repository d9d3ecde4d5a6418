package cli

import (
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"kerf/internal/chunks"
)

func (a *app) newImportChunks() *cobra.Command {
	return &cobra.Command{
		Use:     "chunks FILE",
		Short:   "The chunks of somebody else's index to their exact places",
		Example: "  kerf -C kerf-demo import chunks chunks.jsonl",
		Args:    cobra.ExactArgs(1),
		RunE:    func(_ *cobra.Command, args []string) error { return a.importChunks(args[0]) },
	}
}

func (a *app) importChunks(file string) error {
	in, err := a.labels()
	if err != nil {
		return err
	}
	content, err := os.ReadFile(a.path(file))
	if err != nil {
		return a.unread(a.path(file), err, "")
	}
	t, found := chunks.Read(file, content, in.corpus)
	if err := a.findings(found); err != nil {
		return err
	}
	if found.Errors() > 0 {
		return exit(exitFindings, nil)
	}
	_, err = fmt.Fprintln(a.Stdout, Escape(fmt.Sprintf("%s: %s", file, counted(len(t.Chunks), "chunk"))))
	return err
}
