package cli

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kerf/internal/adapter/retriever/conform"
	"kerf/internal/corpus"
	"kerf/internal/pipeline/engine"
	"kerf/internal/study/plan"
)

// doctorOutput is doctor/1.
type doctorOutput struct {
	Kerf      string           `json:"kerf"`
	Checks    []conform.Check  `json:"checks"`
	Retriever *doctorRetriever `json:"retriever,omitempty"`
}

func (r *doctorRetriever) identity() engine.Identity {
	return engine.Identity{Name: r.Name, Model: r.Model, Settings: r.Settings, Capabilities: r.Capabilities}
}

func (a *app) newDoctor() *cobra.Command {
	var r plan.Retrieve
	var timeout time.Duration
	cmd := &cobra.Command{
		Use:     "doctor [--retriever CMD | --retriever-url URL]",
		Short:   "What kerf sees here, or whether a retriever keeps to retriever/1",
		Example: `  kerf -C kerf-demo doctor`,
		Long: `Without a flag: what kerf sees here, one line each.

With --retriever or --retriever-url: holds an engine against every rule of
docs/format/retriever.md with texts of kerf's own, in indexes whose names begin
with kerf-doctor, and counts how much of its rankings changes when the same index
is built again (noise, which is no failure).

Exit: 0 all is well, 1 a check failed, 2 trouble (a command that cannot be run),
4 the host died, hung or broke the protocol.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.kinds("doctor", ".json"); err != nil {
				return err
			}
			var err error
			if r.Timeout, err = seconds(timeout); err != nil {
				return err
			}
			changed := cmd.Flags().Changed
			switch command, url := changed("retriever"), changed("retriever-url"); {
			case command && url:
				return usage("--retriever and --retriever-url: expected one of the two")
			case r.KeyEnv != "" && !url:
				return usage("--key-env is for --retriever-url")
			case command:
				r.By = "command"
				return a.doctorHost(cmd.Context(), r, "--retriever")
			case url:
				r.By = "http"
				return a.doctorHost(cmd.Context(), r, "--retriever-url")
			case changed("timeout"):
				return usage("--timeout is for --retriever and --retriever-url")
			}
			return a.doctor()
		},
	}
	f := cmd.Flags()
	f.StringVar(&r.Run, "retriever", "", "the `COMMAND` of a host: split into words, run without a shell, in -C")
	f.StringVar(&r.URL, "retriever-url", "", "the `URL` of a host")
	f.StringVar(&r.KeyEnv, "key-env", "", "send the key in the environment variable `NAME`")
	f.DurationVar(&timeout, "timeout", 0, "wait `D` for every reply, for example 120s (default: 60s, for a batch of chunks 300s)")
	return cmd
}

// doctor says what kerf sees. What is not there yet is no failure, what is there and
// cannot be used is.
func (a *app) doctor() error {
	home, e, config, err := a.seenConfig()
	out := doctorOutput{Kerf: "doctor/1"}
	add := func(name, detail string, err error) {
		c := conform.Check{Name: name, Outcome: conform.Kept, Detail: detail}
		if err != nil {
			c.Outcome, c.Detail = conform.Failed, err.Error()
		}
		out.Checks = append(out.Checks, c)
	}
	add("version", "kerf "+Version, nil)
	add("go", fmt.Sprintf("%s %s/%s", runtime.Version(), runtime.GOOS, runtime.GOARCH), nil)
	add("cores", fmt.Sprint(runtime.GOMAXPROCS(0)), nil)
	add("kerf.yaml", config, err)
	detail, err := a.seenDocuments(resolved(home, e.Corpus))
	add("documents", detail, err)
	detail, err = a.seenQuestions(resolved(home, e.Golden))
	add("questions", detail, err)
	detail, err = a.writable(filepath.Join(home, ".kerf"))
	add(".kerf", detail, err)
	if detail, err = exec.LookPath("git"); err != nil {
		detail = "not found; kerf freeze then knows no dates of documents"
	}
	add("git", detail, nil)
	if err := a.answer(out, func() error { return a.doctorRows(out) }); err != nil {
		return err
	}
	if slices.ContainsFunc(out.Checks, func(c conform.Check) bool { return c.Outcome == conform.Failed }) {
		return exit(exitFindings, nil)
	}
	return nil
}

// seenConfig is the experiment and its folder, the default one where there is none
// or it has errors.
func (a *app) seenConfig() (home string, e plan.Experiment, detail string, err error) {
	home, e = a.dir, plan.Default()
	config, err := a.findConfig()
	if err != nil || config == "" {
		return home, e, "none; the default experiment counts", err
	}
	home = filepath.Dir(config)
	content, err := os.ReadFile(config)
	if err != nil {
		return home, e, "", err
	}
	parsed, found := plan.Parse(a.shown(config), content)
	if n := found.Errors(); n > 0 {
		return home, e, "", fmt.Errorf("%s: %s; kerf check lists them", a.shown(config), counted(n, "error"))
	}
	return home, parsed, a.shown(config), nil
}

// seenDocuments reads the manifest and its texts.
func (a *app) seenDocuments(file string) (string, error) {
	if absent(file) {
		return "none; kerf freeze DIR pins them", nil
	}
	t, err := openTree(file)
	if err != nil {
		return "", err
	}
	defer t.root.Close()
	c, found := corpus.Read(t.FS(), t.name)
	if n := found.Errors(); n > 0 {
		return "", fmt.Errorf("%s: %s; kerf check lists them", a.shown(file), counted(n, "error"))
	}
	return fmt.Sprintf("%s: %s", a.shown(file), counted(len(c.Documents), "document")), nil
}

// seenQuestions opens the golden set; kerf check says what is wrong in it.
func (a *app) seenQuestions(file string) (string, error) {
	if absent(file) {
		return "none; kerf init begins with an empty set", nil
	}
	_, err := os.ReadFile(file)
	return a.shown(file), err
}

// writable tries to write below dir, or where dir would be made.
func (a *app) writable(dir string) (string, error) {
	at, detail := dir, a.shown(dir)+" can be written"
	if absent(dir) {
		at, detail = filepath.Dir(dir), a.shown(dir)+" can be made"
	}
	f, err := os.CreateTemp(at, ".kerf-doctor-*")
	if err != nil {
		return "", err
	}
	return detail, errors.Join(f.Close(), os.Remove(f.Name()))
}
