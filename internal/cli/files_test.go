package cli

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// TestAbsolutePaths: corpus and golden of kerf.yaml may be absolute; every command
// then takes them as they are.
func TestAbsolutePaths(t *testing.T) {
	dir, here := handbookProject(t), t.TempDir()
	writeTestFile(t, filepath.Join(here, "kerf.yaml"), "kerf: experiment/1\nphases: {grid: 1}\ngrid: {size: [128], overlap: [0], tokenizer: words}\n"+
		"corpus: "+filepath.ToSlash(filepath.Join(dir, "corpus.jsonl"))+"\ngolden: "+filepath.ToSlash(filepath.Join(dir, "golden.jsonl"))+"\n")
	for _, args := range [][]string{nil, {"check"}, {"anchor"}, {"cuts"}, {"run"}, {"explain"}} {
		code, stdout, stderr := command(here, false, args...)
		if code != exitDone || len(args) == 0 && !strings.Contains(stdout, "12 documents, ") {
			t.Errorf("%v: %d %s %s", args, code, stdout, stderr)
		}
	}
	if absent(filepath.Join(here, ".kerf", "runs", "latest")) || !absent(filepath.Join(dir, ".kerf", "runs")) {
		t.Error("the run does not lie beside kerf.yaml")
	}
}

// TestModes: what is written is open to whom the umask says, a file that is
// replaced keeps its permissions and a link stays, and a kept text is no wider than
// its document.
func TestModes(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs permissions of POSIX")
	}
	dir := handbookProject(t)
	at := func(name ...string) string { return filepath.Join(append([]string{dir}, name...)...) }
	mode := func(path string) fs.FileMode {
		t.Helper()
		info, err := os.Stat(path)
		if err != nil {
			t.Fatal(err)
		}
		return info.Mode().Perm()
	}
	if want := mode(at("docs", "leave.md")); mode(at("corpus.jsonl")) != want {
		t.Errorf("a new file: %v, want %v", mode(at("corpus.jsonl")), want)
	}
	kept := func() (modes []fs.FileMode) {
		files, err := filepath.Glob(at(".kerf", "texts", "*"))
		if err != nil || len(files) != 12 {
			t.Fatal(files, err)
		}
		for _, f := range files {
			modes = append(modes, mode(f))
		}
		return modes
	}
	for _, m := range kept() {
		if want := mode(at("docs", "leave.md")) & 0o666; m != want {
			t.Errorf("a kept text: %v, want %v", m, want)
		}
	}
	docs, err := filepath.Glob(at("docs", "*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if err := os.Chmod(d, 0o640); err != nil {
			t.Fatal(err)
		}
	}
	if err := errors.Join(os.Chmod(at("corpus.jsonl"), 0o600), os.Rename(at("corpus.jsonl"), at("real.jsonl")), os.Symlink("real.jsonl", at("corpus.jsonl"))); err != nil {
		t.Fatal(err)
	}
	if code, _, stderr := command(dir, false, "freeze", "docs", "--observed", "2026-01-01"); code != exitDone {
		t.Fatal(stderr)
	}
	for _, m := range kept() {
		if m != 0o640 {
			t.Errorf("a kept text of a document of 0640: %v", m)
		}
	}
	if to, err := os.Readlink(at("corpus.jsonl")); err != nil || to != "real.jsonl" || mode(at("real.jsonl")) != 0o600 || !strings.Contains(read(t, at("real.jsonl")), "2026-01-01") {
		t.Errorf("%s %v %v", to, err, mode(at("real.jsonl")))
	}
}

// TestReadOnly: a finished run is read where nothing may be written, byte for byte;
// one that is not finished ends with 2, not as if it had run in part.
func TestReadOnly(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs permissions of POSIX")
	}
	binary, dir := built(t), handbookProject(t)
	if code, _, stderr := command(dir, false, "run"); code != exitDone {
		t.Fatal(stderr)
	}
	_, want, _ := command(dir, false, "run", "--json")
	_, explained, _ := command(dir, false, "explain")
	before := digests(t, folderOf(t, dir))
	overwrite(t, filepath.Join(dir, "kerf.yaml"), func(b []byte) []byte { return append(b, "seed: 2\n"...) }) // another run, of the same cells
	if code, _, stderr := command(dir, false, "run"); code != exitDone || cellCounts(t, stderr)[2] != 0 {
		t.Fatal(code, stderr)
	}
	overwrite(t, filepath.Join(dir, "kerf.yaml"), func(b []byte) []byte { return bytes.Replace(b, []byte("seed: 2\n"), nil, 1) })
	writeTestFile(t, filepath.Join(dir, "more.yaml"), "kerf: experiment/1\nphases: {grid: 2}\n")
	asNobody := func(cmd *exec.Cmd) {}
	if os.Getuid() == 0 { // whom no permission stops
		asNobody = func(cmd *exec.Cmd) { dropPrivileges(cmd) }
	}
	var folders []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			folders = append(folders, path)
		} else if err == nil {
			err = os.Chmod(path, 0o444)
		}
		return err
	})
	for _, f := range folders {
		err = errors.Join(err, os.Chmod(f, 0o555))
	}
	t.Cleanup(func() {
		for _, f := range folders {
			os.Chmod(f, 0o755)
		}
	})
	err = errors.Join(err, os.Chmod(filepath.Dir(dir), 0o755), os.Chmod(filepath.Dir(binary), 0o755))
	if err != nil {
		t.Fatal(err)
	}
	run := func(args ...string) (int, string, string) {
		t.Helper()
		cmd := exec.Command(binary, append([]string{"-C", dir}, args...)...)
		asNobody(cmd)
		var out, talk bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &talk
		if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
			t.Fatal(err)
		}
		return cmd.ProcessState.ExitCode(), out.String(), talk.String()
	}
	if code, stdout, stderr := run("run", "--json"); code != exitDone || stdout != want {
		t.Errorf("run: %d %s", code, stderr)
	}
	if code, stdout, stderr := run("explain"); code != exitDone || stdout != explained {
		t.Errorf("explain: %d %s", code, stderr)
	}
	if code, _, stderr := run("run", "-c", "more.yaml"); code != exitTrouble || !strings.Contains(stderr, "permission denied") {
		t.Errorf("a run that is not there: %d %s", code, stderr)
	}
	if code, _, stderr := run("run", "-o", "x.json"); code != exitTrouble || !strings.Contains(stderr, "permission denied") {
		t.Errorf("-o: %d %s", code, stderr)
	}
	first := ""
	for path := range before {
		first = filepath.Dir(path)
		break
	}
	for !strings.HasSuffix(filepath.Dir(first), "runs") {
		first = filepath.Dir(first)
	}
	for path, digest := range digests(t, first) {
		if before[path] != digest {
			t.Errorf("%s is another", path)
		}
	}
}

// TestFullOutput: a result that does not arrive is trouble, whichever command wrote
// it.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip("no /dev/full: ", err)
	}
	defer full.Close()
	dir := handbookProject(t)
	for _, args := range [][]string{{}, {"--help"}, {"help", "run"}, {"version"}, {"completion", "bash"}, {"freeze", "--verify"}, {"freeze", "--verify", "--json"}, {"check"}, {"cuts"}} {
		var talk bytes.Buffer
		code := Main(t.Context(), Process{Args: append([]string{"-C", dir}, args...), Stdin: strings.NewReader(""), Stdout: full, Stderr: &talk,
			Getenv: func(string) string { return "" }, Now: OS().Now})
		if code != exitTrouble || !strings.Contains(talk.String(), syscall.ENOSPC.Error()) {
			t.Errorf("%v: %d %s", args, code, talk.String())
		}
	}
}

// TestWithoutZeros: numbers of ids are the same with other zeros before them.
func TestWithoutZeros(t *testing.T) {
	for word, want := range map[string]string{"q-6": "q-006", "q-060": "q-0060", "Q-6": "q-006", "q-7": ""} {
		got := guess(word, []string{"q-006", "q-0060", "q-1000"})
		if want != "" {
			want = `: did you mean "` + want + `"?`
		}
		if got != want {
			t.Errorf("%s: %q, want %q", word, got, want)
		}
	}
}
