package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) newInit() *cobra.Command {
	var ci string
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write kerf.yaml, an empty golden.jsonl and the CI job",
		Long: `Write into DIR (default: here) what a project needs: kerf.yaml with the eight
configurations, golden.jsonl with its header, and .kerf/ in .gitignore. A file
that is there already is never overwritten: exit 2, and nothing is written.`,
		Example: "  kerf init my-project",
		Args:    cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			dir := "."
			if len(args) > 0 {
				dir = args[0]
			}
			return a.init(dir, ci)
		},
	}
	cmd.Flags().StringVar(&ci, "ci", "", "also write the job of a CI `SYSTEM`: github or gitlab")
	return cmd
}

// newFile is a file to write, its path below DIR with "/".
type newFile struct{ path, content string }

func (a *app) init(dir, ci string) error {
	experiment := initExperiment
	if ci != "" { // a log may be public
		experiment = strings.Replace(experiment, initRedact, "report: {redact: text}       # digests in place of questions and quotes: a CI log may be public\n", 1)
	}
	files := []newFile{{"kerf.yaml", experiment}, {"golden.jsonl", initGolden}}
	switch ci {
	case "":
	case "github":
		files = append(files, newFile{".github/workflows/kerf.yml", initGitHub})
	case "gitlab":
		files = append(files, newFile{".gitlab-ci.yml", initGitLab})
	default:
		return usage("--ci %s: expected github or gitlab", ci)
	}
	if err := a.kinds("init"); err != nil {
		return err
	}
	base := a.path(dir)
	var there []string
	for _, f := range files {
		if _, err := os.Lstat(filepath.Join(base, filepath.FromSlash(f.path))); err == nil {
			there = append(there, filepath.ToSlash(filepath.Join(dir, f.path)))
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if there != nil {
		return usage("already there: %s; nothing is written", strings.Join(there, ", "))
	}
	ignore, err := ignored(filepath.Join(base, ".gitignore"))
	if err != nil {
		return err
	}
	if ignore != "" {
		files = append(files, newFile{".gitignore", ignore})
	}
	written := []string{}
	for _, f := range files {
		if err := writeFile(filepath.Join(base, filepath.FromSlash(f.path)), []byte(f.content)); err != nil {
			return err
		}
		written = append(written, filepath.ToSlash(filepath.Join(dir, f.path)))
	}
	if err := a.printInit(written); err != nil {
		return err
	}
	if absent(filepath.Join(base, "corpus.jsonl")) {
		a.in(base).next("freeze", "docs")
		return nil
	}
	a.say("kerf add takes a question, kerf import questions a CSV of them")
	a.in(base).next("add", "--help")
	return nil
}

// initOutput is init/1.
type initOutput struct {
	Kerf    string   `json:"kerf"`
	Written []string `json:"written"` // paths, below -C
}

func (a *app) printInit(written []string) error {
	if a.format == "json" {
		return writeJSON(a.Stdout, initOutput{"init/1", written})
	}
	for _, path := range written {
		if _, err := fmt.Fprintf(a.Stdout, "wrote %s\n", Escape(strings.ReplaceAll(path, "\n", "⏎"))); err != nil {
			return err
		}
	}
	return nil
}

// ignored is the .gitignore with a line for .kerf/, "" where it has one.
func ignored(path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	text := string(content)
	for line := range strings.Lines(text) {
		if strings.Trim(strings.TrimSpace(line), "/") == ".kerf" {
			return "", nil
		}
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	return text + ".kerf/\n", nil
}

const initGolden = `{"kerf":"golden/1","unit":"codepoint"}
`

// initRedact is the line that a project with CI has otherwise.
const initRedact = "report: {redact: none}       # or text: digests in place of questions and quotes\n"

// initExperiment is plan.Default, written out.
const initExperiment = `# What kerf measures, and how; every value here is the default.
kerf: experiment/1
corpus: corpus.jsonl         # the documents, pinned by: kerf freeze DIR
golden: golden.jsonl         # the questions and the evidence they need
reader: [public]             # who asks, for questions that name no reader
access: deny                 # a chunk that the reader may not read wholly is left out

# How much evidence fits into a prompt, counted on the context as it is written.
budget:
  tokens: 3000               # the evidence alone
  tokenizer: cl100k_base     # or o200k_base, codepoints, words
  allowance: 200             # kept beside it for instructions and the question
  output: 300                # kept for the answer
  overflow: stop             # at the first chunk that does not fit; or skip, truncate
  format: numbered           # "[1] document", then the text; or bare

k: [1, 3, 5, 10]             # cut-offs of the secondary view
at_k: 5                      # the one in tables
depth: 100                   # hits ranked for each question
phases: {grid: 8}            # placements of the cuts for each arm; or all
ignorable: white_space       # gaps that evidence may have; or strict: none
seed: 1
baseline: tokens-256-0       # the arm that others are compared with
` + initRedact + `
# The eight configurations: every size with every overlap, named
# tokens-SIZE-OVERLAP. A percentage is rounded down to whole tokens.
grid:
  size: [256, 512, 1024, 2048]
  overlap: [0, 20%]
  tokenizer: cl100k_base
  edge: drop-contained       # no last chunk inside its predecessor; or keep
  retrieve: {by: bm25}
`

const initGitHub = `# kerf on every pull request that touches what it reads: no model, no request.
# Reports hold no text (report.redact in kerf.yaml); what kerf check finds wrong it
# quotes: where the log is public, leave that to the authors.
name: kerf
on:
  pull_request:
    paths: [kerf.yaml, corpus.jsonl, golden.jsonl, "docs/**"] # docs: the folder that is frozen
permissions:
  contents: read
jobs:
  kerf:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v4
      # kerf is one static binary: put it on the PATH here, from where your team keeps it.
      - run: kerf version
      - run: kerf check
      - run: kerf run --offline --format markdown >> "$GITHUB_STEP_SUMMARY"
`

const initGitLab = `# kerf on every merge request that touches what it reads: no model, no request.
# Reports hold no text (report.redact in kerf.yaml); what kerf check finds wrong it
# quotes: where the log is public, leave that to the authors.
kerf:
  rules:
    - if: $CI_PIPELINE_SOURCE == "merge_request_event"
      changes: [kerf.yaml, corpus.jsonl, golden.jsonl, "docs/**/*"] # docs: the folder that is frozen
  script:
    # kerf is one static binary: put it on the PATH here, from where your team keeps it.
    - kerf version
    - kerf check
    - kerf run --offline
`
