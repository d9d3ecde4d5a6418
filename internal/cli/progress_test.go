package cli

import (
	"bytes"
	"context"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestTerminal: on a terminal cells are counted on one line that is written over
// and wiped at the end; -q hides it; a damaged cell is a line of its own; the
// result has colour unless NO_COLOR is set, and nothing of a question steers.
func TestTerminal(t *testing.T) {
	dir := handbookProject(t)
	golden := read(t, filepath.Join(dir, "golden.jsonl"))
	writeTestFile(t, filepath.Join(dir, "golden.jsonl"), strings.Replace(golden, `"question":"`, `"question":"\u001b[2J\u202e`, -1))
	run := func(noColour string, args ...string) (string, string) {
		t.Helper()
		var out, talk bytes.Buffer
		var now time.Time
		code := Main(context.Background(), Process{
			Args: append([]string{"-C", dir}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk, OutTerminal: true, ErrTerminal: true,
			Getenv: func(name string) string { return map[string]string{"NO_COLOR": noColour}[name] },
			Now:    func() time.Time { now = now.Add(time.Second); return now },
		})
		if code != exitDone {
			t.Fatal(code, talk.String())
		}
		return out.String(), talk.String()
	}
	_, talk := run("", "run", "-j", "1")
	const wipe = "\r\x1b[K"
	if !strings.Contains(talk, wipe+"1 of 8 cells, ") || !strings.Contains(talk, wipe+"8 of 8 cells, ") || !strings.Contains(talk, " a second, ") || !strings.Contains(talk, wipe+"run ") {
		t.Errorf("%q", talk)
	}
	overwrite(t, filepath.Join(folderOf(t, dir), "ledger", "verdict", "tokens-128-0.2of4.parquet"), func(b []byte) []byte { return b[1:] })
	out, talk := run("", "run", "-q")
	if lines := strings.Split(talk, "\n"); len(lines) != 2 || !strings.HasPrefix(lines[0], "tokens-128-0.2of4: redone: ") {
		t.Errorf("-q: %q", talk)
	}
	plain, _ := run("1", "run", "-q")
	if !strings.Contains(out, "\x1b[") || strings.Contains(plain, "\x1b") {
		t.Errorf("colour %q\nwithout %q", out, plain)
	}
	for _, s := range []string{out, plain} {
		if strings.Contains(s, "\x1b[2J") || strings.Contains(s, "\u202e") || !strings.Contains(s, "U+202E") {
			t.Errorf("a question steers: %q", s)
		}
	}
	if s, _ := run("", "run", "--json"); strings.ContainsAny(s, "\x1b\u202e") {
		t.Errorf("a question steers in JSON: %q", s)
	}
}
