//go:build linux || darwin || freebsd

package corpus

import (
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestPipe: what is no file is named and not waited for, as a text and as a file of
// texts.
func TestPipe(t *testing.T) {
	dir := t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe"), 0o666); err != nil {
		t.Skip("no pipes here: ", err)
	}
	version := VersionOf("x")
	for name, manifest := range map[string]string{
		"text":  `{"kerf":"corpus/1","root":".","extract":"text/1"}` + "\n" + `{"doc":"d","version":"` + version + `","path":"pipe","bytes":1}` + "\n",
		"texts": `{"kerf":"corpus/1","root":"pipe","extract":"texts/1"}` + "\n" + `{"doc":"d","version":"` + version + `","bytes":1}` + "\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, "corpus.jsonl"), []byte(manifest), 0o666); err != nil {
			t.Fatal(err)
		}
		_, found := Read(os.DirFS(dir), "corpus.jsonl")
		if found.Errors() != 1 || found[0].Code != CodeMissing || !strings.Contains(found[0].Message, "it is no regular file") {
			t.Errorf("%s: %v", name, found)
		}
	}
}
