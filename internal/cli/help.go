package cli

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/finding"
)

// helpPages gives every command, those of cobra too, a page that begins with an
// example to run.
func helpPages(root *cobra.Command) {
	usage := root.UsageTemplate()
	before, rest, _ := strings.Cut(usage, "{{if .HasExample}}")
	_, after, ok := strings.Cut(rest, "{{end}}")
	if !ok {
		panic("BUG: the usage template has no place for examples")
	}
	root.SetUsageTemplate(before + after)
	root.SetHelpTemplate("{{with .Example}}Example: {{trim .}}\n\n{{end}}{{with or .Long .Short}}{{trimTrailingWhitespaces .}}\n\n{{end}}{{.UsageString}}")
	root.SetHelpCommand(&cobra.Command{
		Use:     "help [COMMAND]",
		Short:   "Print the help page of a command",
		Example: "  kerf help run",
		RunE: func(_ *cobra.Command, args []string) error {
			c, rest, err := root.Find(args)
			if err == nil && len(rest) > 0 {
				err = subcommand(c, rest)
			}
			if err != nil {
				return err
			}
			c.InitDefaultHelpFlag()
			return c.Help()
		},
	})
	root.CompletionOptions.HiddenDefaultCmd = true
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		if c.Name() != "completion" {
			continue
		}
		c.Example = "  kerf completion bash"
		c.Args = subcommand
		c.RunE = func(*cobra.Command, []string) error {
			return fmt.Errorf("completion for which shell? kerf completion bash")
		}
		for _, shell := range c.Commands() {
			shell.Example = "  " + shell.CommandPath()
		}
	}
}

// subcommand refuses a word that is no command below cmd.
func subcommand(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var known []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			known = append(known, c.Name())
		}
	}
	name := strings.Join(append(strings.Fields(cmd.CommandPath())[1:], args[0]), " ")
	if len(known) == 0 {
		return usage("no command %s", name)
	}
	return usage("no command %s: %s", name, meant(args[0], known))
}

// unknownFlag adds the flag that was most likely meant.
func unknownFlag(cmd *cobra.Command, err error) error {
	if name, ok := strings.CutPrefix(err.Error(), "unknown flag: "); ok {
		err = fmt.Errorf("%w%s", err, guess(name, flagPattern.FindAllString(cmd.Flags().FlagUsages(), -1)))
	}
	return exit(exitTrouble, err)
}

// meant is "did you mean …?", or all there is.
func meant(word string, known []string) string {
	if guess := finding.DidYouMean(word, known); guess != "" {
		return guess
	}
	return "there is " + strings.Join(known, ", ")
}

// guess is ": did you mean …?", or nothing. Zeros before a number are no
// difference: q-6 is q-006.
func guess(word string, known []string) string {
	for _, k := range known {
		if strings.EqualFold(withoutZeros(k), withoutZeros(word)) {
			return fmt.Sprintf(": did you mean %q?", k)
		}
	}
	if g := finding.DidYouMean(word, known); g != "" {
		return ": " + g
	}
	return ""
}

// withoutZeros is s without the zeros that begin its numbers.
func withoutZeros(s string) string {
	return numberPattern.ReplaceAllStringFunc(s, func(n string) string { return strings.TrimLeft(n, "0") })
}

var (
	flagPattern   = regexp.MustCompile(`--[a-z]+`)
	numberPattern = regexp.MustCompile(`[0-9]+`)
)
