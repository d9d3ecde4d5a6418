package cli

import (
	"github.com/spf13/cobra"
)

func (a *app) newImport() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "import WHAT FILE",
		Short:   "Bring questions, labels and chunks from other tools",
		Example: "  kerf -C kerf-demo import chunks chunks.jsonl",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("import what? kerf import chunks FILE")
			}
			return usage("import %s: %s", args[0], meant(args[0], []string{"chunks"}))
		},
		RunE: func(*cobra.Command, []string) error { panic("BUG: import has subcommands only") },
	}
	cmd.AddCommand(a.newImportChunks())
	return cmd
}
