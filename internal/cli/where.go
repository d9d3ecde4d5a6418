package cli

import "github.com/spf13/cobra"

// where says where the user is: documents, labels, last run, next command.
func (a *app) where(cmd *cobra.Command) error { return cmd.Help() }
