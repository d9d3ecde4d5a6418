package cli

import (
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) newRelease() *cobra.Command {
	verbs := []string{"power"}
	cmd := &cobra.Command{
		Use:     "release VERB",
		Short:   "How many questions a decision needs",
		Example: "  kerf release power --margin .05 --discordance .1 --per-document 4",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usage("release what? There is %s", strings.Join(verbs, ", "))
			}
			return usage("release %s: %s", args[0], meant(args[0], verbs))
		},
		RunE: func(*cobra.Command, []string) error { panic("BUG: release has subcommands only") },
	}
	cmd.AddCommand(a.newReleasePower())
	return cmd
}
