package cli

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"kerf/internal/twin/host"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"kerf": func() { os.Exit(Main(context.Background(), OS())) },
		"host": func() { // host FAULT [filter]: an engine behind retriever/1
			h := host.Host{Fault: os.Args[1], Filter: len(os.Args) > 2}
			os.Exit(h.Serve(os.Stdin, os.Stdout, os.Stderr))
		},
	})
}

// TestScripts runs every testdata/*.txtar as a shell-like script with kerf as
// a command: go test ./internal/cli -run TestScripts/freeze runs one,
// UPDATE_SCRIPTS=1 rewrites the want files that `cmp stdout` compares with.
// Beside the usual commands there are `exit CODE kerf ARGS`, which demands an
// exact exit code, and `write FILE 'text with \x00 escapes'` for bytes that a
// txtar file cannot hold; `host FAULT [filter]` is a retriever to name to kerf.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "testdata",
		UpdateScripts:      os.Getenv("UPDATE_SCRIPTS") != "",
		RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			// Commits of a script are the same everywhere.
			env.Vars = append(env.Vars, "GIT_CONFIG_NOSYSTEM=1", "GIT_AUTHOR_NAME=ann", "GIT_AUTHOR_EMAIL=ann@example.com",
				"GIT_COMMITTER_NAME=ann", "GIT_COMMITTER_EMAIL=ann@example.com",
				"GIT_AUTHOR_DATE=2026-03-04T05:06:07Z", "GIT_COMMITTER_DATE=2026-03-04T05:06:07Z")
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){"exit": wantExit, "write": writeBytes},
	})
}

// wantExit is `exit CODE COMMAND ARGS...`. Its outputs are those of the
// command, for `stdout`, `stderr` and `cmp`.
func wantExit(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exit CODE COMMAND ARGS...")
	}
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var e *exec.ExitError
		if !errors.As(err, &e) {
			ts.Fatalf("%v", err)
		}
		got = e.ExitCode()
	}
	if strconv.Itoa(got) != args[0] {
		ts.Fatalf("exit code %d, want %s", got, args[0])
	}
}

// writeBytes is `write FILE TEXT`, both with the escapes of a Go string.
func writeBytes(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: write FILE TEXT")
	}
	for i, arg := range args {
		var err error
		args[i], err = strconv.Unquote(`"` + strings.ReplaceAll(arg, `"`, `\"`) + `"`)
		ts.Check(err)
	}
	file := ts.MkAbs(args[0])
	ts.Check(os.MkdirAll(filepath.Dir(file), 0o777))
	ts.Check(os.WriteFile(file, []byte(args[1]), 0o666))
}
