package examples_test

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/testscript"

	"kerf/internal/cli"
)

// installer is the package that installs the others: ten times as fast as pip.
const installer = "uv==0.13.9"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kerf": func() { os.Exit(cli.Main(context.Background(), cli.OS())) },
	})
}

// TestShort: an example is read in one sitting, and fits on a screen.
func TestShort(t *testing.T) {
	files := sources(t, "*.py")
	if len(files) < 8 {
		t.Fatalf("%d programs found: %v", len(files), files)
	}
	for _, name := range files {
		content, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(content), "\n"), "\n")
		if len(lines) > 60 {
			t.Errorf("%s has %d lines, want at most 60", name, len(lines))
		}
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > 100 {
				t.Errorf("%s:%d has %d columns, want at most 100", name, i+1, n)
			}
		}
	}
}

// TestRealPackages runs testdata/*.txtar with the examples and the packages of their
// requirements.txt in an environment of Python's own: in $KERF_E2E_VENV, which is kept
// for the next time, or in a temporary folder. Where there is no Python, or nothing
// to install from, it is skipped.
func TestRealPackages(t *testing.T) {
	if testing.Short() {
		t.Skip("skipped: -short, and this test installs Python packages")
	}
	python := environment(t)
	testscript.Run(t, testscript.Params{
		Dir:           "testdata",
		UpdateScripts: os.Getenv("UPDATE_SCRIPTS") != "",
		Setup: func(env *testscript.Env) error {
			env.Setenv("PATH", filepath.Dir(python)+string(os.PathListSeparator)+env.Getenv("PATH"))
			for _, name := range slices.Concat(sources(t, "*.py"), sources(t, "*.yaml"), sources(t, "handbook/golden.jsonl"), sources(t, "handbook/docs/*")) {
				to := filepath.Join(env.WorkDir, name)
				if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
					return err
				}
				content, err := os.ReadFile(name)
				if err != nil {
					return err
				}
				if err := os.WriteFile(to, content, 0o666); err != nil {
					return err
				}
			}
			return nil
		},
	})
}

// environment gives the Python of an environment with the packages of the examples.
func environment(t *testing.T) string {
	t.Helper()
	system, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("skipped: no python3 on the PATH")
	}
	dir := os.Getenv("KERF_E2E_VENV")
	if dir == "" {
		dir = filepath.Join(t.TempDir(), "venv")
	}
	if out, err := exec.Command(system, "-m", "venv", dir).CombinedOutput(); err != nil {
		t.Skipf("skipped: python3 makes no environment: %v\n%s", err, out)
	}
	python := filepath.Join(dir, "bin", "python")
	if _, err := os.Stat(python); err != nil {
		python = filepath.Join(dir, "Scripts", "python.exe")
	}
	// pip knows where this machine has its packages from.
	pip := exec.Command(python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--timeout", "3", "--retries", "0", installer)
	if out, err := pip.CombinedOutput(); err != nil {
		t.Skipf("skipped: no package index can be reached, or it has no %s: %v\n%s", installer, err, out)
	}
	// NLTK, which LlamaIndex splits sentences with, refuses the hard links that uv makes.
	install := []string{"-m", "uv", "pip", "install", "--quiet", "--link-mode", "copy", "--python", python}
	for _, name := range sources(t, "requirements.txt") {
		install = append(install, "-r", name)
	}
	if out, err := exec.Command(python, install...).CombinedOutput(); err != nil {
		t.Fatalf("the packages of the examples cannot be installed: %v\n%s", err, out)
	}
	return python
}

// sources are the files of the examples that match pattern, here or one folder down.
func sources(t *testing.T, pattern string) []string {
	t.Helper()
	var all []string
	for _, p := range []string{pattern, "*/" + pattern} {
		names, err := filepath.Glob(p)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, names...)
	}
	return all
}
