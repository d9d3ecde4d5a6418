package cli

import (
	"fmt"
	"runtime"
	"unicode"

	"github.com/spf13/cobra"
)

// Version is kerf's own version, raised by hand with CHANGELOG.md.
const Version = "0.1.0"

func (a *app) newVersion() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "Print the version",
		Example: "  kerf version",
		Args:    cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			if a.format != "text" || len(a.outputs) > 0 {
				return usage("version prints one line of text: no --format, no -o")
			}
			_, err := fmt.Fprintf(a.Stdout, "kerf %s %s %s/%s unicode %s\n", Version, runtime.Version(), runtime.GOOS, runtime.GOARCH, unicode.Version)
			return err
		},
	}
}
