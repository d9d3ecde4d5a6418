package cli

import (
	_ "embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"
)

func (a *app) newInit() *cobra.Command {
	var ci string
	cmd := &cobra.Command{
		Use:   "init [DIR]",
		Short: "Write kerf.yaml, an empty golden.jsonl and the jobs of a CI",
		Long: `Write into DIR (default: here) what a project needs: kerf.yaml with the eight
configurations, golden.jsonl with its header, and .kerf/ in .gitignore. A file
that is there already is never overwritten: exit 2, and nothing is written.

--ci also writes two jobs, at the root of the repository: the gate of every change
to what kerf reads, and a run by night. No model, no request, no right to write.
A project that is there already gets the jobs alone.`,
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
	cmd.Flags().StringVar(&ci, "ci", "", "also write the jobs of a CI `SYSTEM`: github or gitlab")
	return cmd
}

// newFile is a file to write, its path below DIR with "/".
type newFile struct{ path, content string }

func (a *app) init(dir, ci string) error {
	experiment := initExperiment
	if ci != "" { // a log may be public
		experiment = strings.Replace(experiment, initRedact, "report: {redact: text}       # digests in place of questions and quotes: a CI log may be public\n", 1)
	}
	if err := a.kinds("init"); err != nil {
		return err
	}
	base := a.path(dir)
	below, err := below(base)
	if err != nil {
		return err
	}
	files, err := jobs(ci, below)
	if err != nil {
		return err
	}
	files = append([]newFile{{"kerf.yaml", experiment}, {"golden.jsonl", initGolden}}, files...)
	var there, yours []string
	include := "" // a .gitlab-ci.yml that is there: one line of it is kerf's
	for _, f := range files {
		if _, err := os.Lstat(filepath.Join(base, filepath.FromSlash(f.path))); err == nil && f.content == initInclude {
			include = f.path
		} else if err == nil && ci != "" && (f.content == experiment || f.content == initGolden) {
			yours = append(yours, f.path)
		} else if err == nil {
			there = append(there, filepath.ToSlash(filepath.Join(dir, f.path)))
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if there != nil {
		return usage("already there: %s; nothing is written", strings.Join(there, ", "))
	}
	files = slices.DeleteFunc(files, func(f newFile) bool { return f.path == include || slices.Contains(yours, f.path) })
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
	if include != "" {
		a.say("%s is yours: add to its include the line   - local: .gitlab/kerf.yml", filepath.ToSlash(filepath.Join(dir, include)))
	}
	if content, err := os.ReadFile(filepath.Join(base, "kerf.yaml")); slices.Contains(yours, "kerf.yaml") && err == nil && !strings.Contains(string(content), "\ngate:") {
		a.say("kerf.yaml is yours: the jobs need the line   gate: {arm: NAME}   there, of the arm that is deployed; where a log is public, also   report: {redact: text}")
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
const initExperiment = `# What kerf measures, and how; every value but gate.arm is the default.
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
gate: {arm: tokens-256-0}    # the arm that is deployed: put its name here, kerf gate screens it
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

// Jobs of a CI. {below} is the path from the repository's root to the project,
// with a final "/", or nothing; {defaults} and {enter} go there.
//
//go:embed ci/github.yml
var initGitHub string

//go:embed ci/gitlab.yml
var initGitLab string

const initInclude = "include:\n  - local: .gitlab/kerf.yml\n"

// jobs are the files of a CI, their paths from the project, which lies below the
// repository's root.
func jobs(ci, below string) ([]newFile, error) {
	if ci == "" {
		return nil, nil
	}
	// A folder's name is written where a shell, a pattern or a variable could begin.
	if i := strings.IndexFunc(below, func(r rune) bool { return r < ' ' || strings.ContainsRune("\"'`\\$*?+[]{}!", r) }); i >= 0 {
		return nil, usage("--ci: the folder %s has %q in its name, which patterns of a CI give a meaning", below, below[i])
	}
	up := strings.Repeat("../", strings.Count(below, "/"))
	defaults, enter := "", ""
	if below != "" {
		folder := strings.TrimSuffix(below, "/")
		defaults = "defaults:\n  run:\n    working-directory: \"" + folder + "\"\n"
		enter = "    - cd \"" + folder + "\"\n"
	}
	fill := strings.NewReplacer("{below}", below, "{defaults}", defaults, "{enter}", enter)
	switch ci {
	case "github":
		return []newFile{{up + ".github/workflows/kerf.yml", fill.Replace(initGitHub)}}, nil
	case "gitlab":
		return []newFile{{up + ".gitlab/kerf.yml", fill.Replace(initGitLab)}, {up + ".gitlab-ci.yml", initInclude}}, nil
	}
	return nil, usage("--ci %s: expected github or gitlab", ci)
}

// below is the path to dir from the root of the repository that it lies in, with
// a final "/"; "" at the root, and without a repository. dir need not exist.
func below(dir string) (string, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	root := gitRoot(dir)
	if root == "" || root == dir {
		return "", nil
	}
	rel, err := filepath.Rel(root, dir)
	return filepath.ToSlash(rel) + "/", err
}
