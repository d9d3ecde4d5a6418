package cli

import "github.com/spf13/cobra"

// commands is every command of kerf, in the order of the help page.
func (a *app) commands() []*cobra.Command {
	return []*cobra.Command{
		a.newDemo(),
		a.newInit(),
		a.newFreeze(),
		a.newAnchor(),
		a.newAdd(),
		a.newImport(),
		a.newCheck(),
		a.newRun(),
		a.newExport(),
		a.newCuts(),
		a.newScore(),
		a.newDiff(),
		a.newGate(),
		a.newExplain(),
		a.newView(),
		a.newBench(),
		a.newRelease(),
		a.newDoctor(),
		a.newVersion(),
	}
}
