package cli

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestKeptHitsRunShort: a baseline keeps the hits that were read. Where documents that
// held them are closed since, today's context would read on, and a context that
// is only as full as it was would hide a fall: not comparable.
func TestKeptHitsRunShort(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "demo")
	kerf := func(args ...string) (code int, out, talk string) {
		var stdout, stderr bytes.Buffer
		code = Main(context.Background(), Process{Args: args, Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
			Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} }})
		return code, stdout.String(), stderr.String()
	}
	if code, _, talk := kerf("demo", dir, "-q"); code != 0 {
		t.Fatal(talk)
	}
	change := func(file, old, new string) {
		t.Helper()
		content, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil || !strings.Contains(string(content), old) {
			t.Fatalf("%s: %v", file, err)
		}
		if err := os.WriteFile(filepath.Join(dir, file), []byte(strings.ReplaceAll(string(content), old, new)), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if code, _, talk := kerf("-C", dir, "gate", "--accept", "-q"); code != 0 {
		t.Fatal(talk)
	}
	if code, out, talk := kerf("-C", dir, "gate", "--baseline", "baseline.json", "-q"); code != 0 {
		t.Fatal(out, talk)
	}
	change("corpus.jsonl", `"doc":"definitions.md",`, `"doc":"definitions.md","access":{"read":["legal"]},`)
	code, out, talk := kerf("-C", dir, "gate", "--baseline", "baseline.json", "-q")
	if code != 5 || !strings.Contains(out, "baseline.json keeps the hits that were read then, and ") {
		t.Errorf("exit %d\n%s\n%s", code, out, talk)
	}
}
