package cli

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"kerf/internal/study/ledger"
)

// handbookProject is the demo's documents and questions under two arms at four
// placements: 8 cells.
func handbookProject(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	files, err := demoFiles()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		writeTestFile(t, filepath.Join(dir, filepath.FromSlash(f.path)), f.content)
	}
	writeTestFile(t, filepath.Join(dir, "kerf.yaml"), "kerf: experiment/1\nphases: {grid: 4}\ngrid: {size: [128, 256], overlap: [0], tokenizer: words}\n")
	if code, _, stderr := command(dir, false, "freeze", "docs"); code != exitDone {
		t.Fatal(stderr)
	}
	return dir
}

// overwrite changes a file that may be read-only, and other names of it.
func overwrite(t *testing.T, path string, change func([]byte) []byte) {
	t.Helper()
	content, err := os.ReadFile(path)
	if err == nil {
		err = os.Chmod(path, 0o666)
	}
	if err == nil {
		err = os.WriteFile(path, change(content), 0o666)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// folderOf is the only run's folder.
func folderOf(t *testing.T, dir string) string {
	t.Helper()
	id, err := os.ReadFile(filepath.Join(dir, ".kerf", "runs", "latest"))
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, ".kerf", "runs", strings.TrimSpace(string(id)))
}

func read(t *testing.T, path string) string {
	t.Helper()
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// TestDamagedObject: a byte flipped, a file cut short or emptied, under the
// store or in the run's folder (one file with two names): it is named, only its
// cell is done again, and the bytes are the old ones.
func TestDamagedObject(t *testing.T) {
	dir := handbookProject(t)
	code, _, stderr := command(dir, false, "run")
	if code != exitDone || cellCounts(t, stderr) != [4]int{8, 0, 8, 0} {
		t.Fatal(code, stderr)
	}
	_, report, _ := command(dir, false, "run", "--json")
	manifest := read(t, filepath.Join(folderOf(t, dir), "manifest.json"))
	for name, change := range map[string]func([]byte) []byte{
		"flipped": func(b []byte) []byte { b[len(b)/2] ^= 1; return b },
		"torn":    func(b []byte) []byte { return b[:len(b)-7] },
		"emptied": func([]byte) []byte { return nil },
	} {
		for _, flag := range []string{"-q=false", "--resume"} {
			overwrite(t, filepath.Join(folderOf(t, dir), "ledger", "context", "tokens-128-0.3of4.parquet"), change)
			code, _, stderr := command(dir, false, "run", flag)
			if code != exitDone || cellCounts(t, stderr) != [4]int{8, 7, 1, 0} {
				t.Errorf("%s, %s: %d %s", name, flag, code, stderr)
			}
			if !strings.Contains(stderr, "tokens-128-0.3of4: redone: ") || !strings.Contains(stderr, filepath.Join("cas", "objects")) || !strings.Contains(stderr, "damaged") {
				t.Errorf("%s, %s: neither cell nor file is named: %s", name, flag, stderr)
			}
			if got := read(t, filepath.Join(folderOf(t, dir), "manifest.json")); got != manifest {
				t.Errorf("%s, %s: the manifest is another", name, flag)
			}
			if _, got, _ := command(dir, false, "run", "--json"); got != report {
				t.Errorf("%s, %s: the report is another", name, flag)
			}
			if code, _, stderr := command(dir, false, "export", "ledger", "--table", "failure"); code != exitDone {
				t.Errorf("%s, %s: %s", name, flag, stderr)
			}
		}
	}
	// A record, and an object that is gone.
	found, err := filepath.Glob(filepath.Join(dir, ".kerf", "cas", "records", "*", "*"))
	if err != nil || len(found) != 8 {
		t.Fatal(found, err)
	}
	overwrite(t, found[3], func(b []byte) []byte { return b[:90] })
	if code, _, stderr := command(dir, false, "run"); code != exitDone || cellCounts(t, stderr) != [4]int{8, 7, 1, 0} || !strings.Contains(stderr, found[3]) {
		t.Errorf("a torn record: %d %s", code, stderr)
	}
}

// TestTornLog (gat-09): the last line of the log without its end is named and
// removed; complete lines stay.
func TestTornLog(t *testing.T) {
	dir := handbookProject(t)
	if code, _, stderr := command(dir, false, "run"); code != exitDone {
		t.Fatal(stderr)
	}
	log := filepath.Join(folderOf(t, dir), "log.jsonl")
	whole := read(t, log)
	if n := strings.Count(whole, "\n"); n != 8 {
		t.Fatalf("%d lines: %s", n, whole)
	}
	overwrite(t, log, func(b []byte) []byte { return append(b, `{"cell":"tok`...) })
	overwrite(t, filepath.Join(folderOf(t, dir), "ledger", "unit", "tokens-256-0.1of4.parquet"), func(b []byte) []byte { b[40]++; return b })
	code, _, stderr := command(dir, false, "run")
	if want := log + `:9: "{\"cell\":\"tok": the last line was cut off`; code != exitDone || !strings.Contains(stderr, want) {
		t.Errorf("%d %s\nwant %s", code, stderr, want)
	}
	after := read(t, log)
	if !strings.HasPrefix(after, whole) || strings.Count(after, "\n") != 9 || !strings.HasSuffix(after, "}\n") {
		t.Errorf("the log is %s", after)
	}
}

// ticking runs kerf under a clock that goes on by a second with each look at it.
func ticking(dir string, args ...string) (code int, stdout, stderr string) {
	var out, talk bytes.Buffer
	var now time.Time
	code = Main(context.Background(), Process{
		Args: append([]string{"-C", dir}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk,
		Getenv: func(string) string { return "" }, Now: func() time.Time { now = now.Add(time.Second); return now },
	})
	return code, out.String(), talk.String()
}

// TestPartAfterWhole: a run that was whole, whose store was emptied, and that
// the deadline then cut short has no files of the cells that it now lacks.
func TestPartAfterWhole(t *testing.T) {
	dir := handbookProject(t)
	if code, _, stderr := command(dir, false, "run"); code != exitDone {
		t.Fatal(stderr)
	}
	whole := read(t, filepath.Join(folderOf(t, dir), "manifest.json"))
	if err := os.RemoveAll(filepath.Join(dir, ".kerf", "cas")); err != nil {
		t.Fatal(err)
	}
	code, stdout, stderr := ticking(dir, "run", "-j", "1", "--deadline", "10s")
	counts := cellCounts(t, stderr)
	if code != exitPart || counts[0] != 8 || counts[2] == 0 || counts[3] == 0 {
		t.Fatalf("%d %s", code, stderr)
	}
	if !strings.Contains(stdout, "missing cell") {
		t.Errorf("the first screen does not say that cells are missing: %s", stdout)
	}
	code, failures, stderr := command(dir, false, "export", "ledger", "--table", "failure")
	if code != exitDone || strings.Count(failures, "\n") != counts[3] || !strings.Contains(failures, `"reason":"deadline"`) {
		t.Errorf("%d %s %s", code, failures, stderr)
	}
	attempts := read(t, filepath.Join(folderOf(t, dir), "attempts.jsonl"))
	if strings.Count(attempts, "\n") != counts[3] {
		t.Errorf("attempts: %s", attempts)
	}
	code, _, stderr = command(dir, false, "run", "--resume")
	if want := [4]int{8, counts[2], counts[3], 0}; code != exitDone || cellCounts(t, stderr) != want {
		t.Errorf("%d %s, want %v", code, stderr, want)
	}
	if got := read(t, filepath.Join(folderOf(t, dir), "manifest.json")); got != whole {
		t.Error("the manifest is another than of the run that nobody disturbed")
	}
	if code, failures, _ = command(dir, false, "export", "ledger", "--table", "failure"); code != exitDone || failures != "" {
		t.Errorf("%d %s", code, failures)
	}
}

// TestOtherRunsStay: a run with other inputs has a folder of its own and leaves
// every byte of the first one alone.
func TestOtherRunsStay(t *testing.T) {
	dir := handbookProject(t)
	if code, _, stderr := command(dir, false, "run"); code != exitDone {
		t.Fatal(stderr)
	}
	first := folderOf(t, dir)
	before := digests(t, first)
	cells, err := filepath.Glob(filepath.Join(first, "ledger", "verdict", "*"))
	if err != nil || len(cells) != 8 {
		t.Fatal(cells, err)
	}
	config := filepath.Join(dir, "kerf.yaml")
	// The same cells, but another report; other cells; the same under another
	// name, which a report prints.
	overwrite(t, config, func(b []byte) []byte { return append(b, "baseline: tokens-256-0\n"...) })
	for i, args := range [][]string{{"run"}, {"run", "--hits", "all"}, {"run", "-c", "other.yaml"}} {
		writeTestFile(t, filepath.Join(dir, "other.yaml"), read(t, config))
		code, _, stderr := command(dir, false, args...)
		if code != exitDone {
			t.Fatal(stderr)
		}
		if folderOf(t, dir) == first {
			t.Errorf("%v: has the folder of the first run", args)
		}
		if want := i != 1; (cellCounts(t, stderr)[1] == 8) != want {
			t.Errorf("%v: %s", args, stderr)
		}
		after := digests(t, first)
		for name, digest := range before {
			if after[name] != digest {
				t.Errorf("%v: %s of the first run was rewritten", args, name)
			}
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, ".kerf", "runs"))
	if err != nil || len(entries) != 5 { // four runs and latest
		t.Error(entries, err)
	}
}

// digests has the digest of every file below a folder.
func digests(t *testing.T, root string) map[string]string {
	t.Helper()
	out := map[string]string{}
	err := os.CopyFS(t.TempDir(), os.DirFS(root)) // every file can be read
	for _, pattern := range []string{"*.*", "*/*.*", "*/*/*.*"} {
		files, _ := filepath.Glob(filepath.Join(root, pattern))
		for _, f := range files {
			if b, err := os.ReadFile(f); err == nil {
				out[f] = ledger.Object(b)
			}
		}
	}
	if err != nil || len(out) < 60 {
		t.Fatal(len(out), err)
	}
	return out
}

// TestNoSpace: on a disk without room, and on one that cannot be written at all,
// cells fail, are named, and the exit code says so (2 where writing is not
// permitted); with room again the same
// command completes the run with the bytes of an undisturbed one.
func TestNoSpace(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("needs Linux and root: mounts a small file system")
	}
	dir := handbookProject(t)
	if code, _, stderr := command(dir, false, "run"); code != exitDone {
		t.Fatal(stderr)
	}
	want := read(t, filepath.Join(folderOf(t, dir), "manifest.json"))
	state := filepath.Join(dir, ".kerf")
	if err := os.RemoveAll(state); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(state, 0o777); err != nil {
		t.Fatal(err)
	}
	mount := func(options string) {
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", state).CombinedOutput(); err != nil {
			t.Skipf("cannot mount a file system here: %v %s", err, out)
		}
	}
	mount("size=256k")
	defer func() {
		if out, err := exec.Command("umount", "-l", state).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	}()
	failing := func(exit int, why string) {
		code, stdout, stderr := command(dir, false, "-j", "1", "run")
		if code != exit || stdout != "" || !strings.Contains(stderr, why) {
			t.Errorf("%s: exit %d %s: %s", why, code, stdout, stderr)
		}
	}
	failing(exitPart, "no space left")
	code, failures, stderr := command(dir, false, "export", "ledger", "--table", "failure")
	if rows := strings.Count(failures, "\n"); code != exitDone || rows == 0 || rows+records(t, dir) != 8 || strings.Count(failures, "no space left") != rows {
		t.Errorf("failure rows: exit %d %s %s", code, failures, stderr)
	}
	failing(exitPart, "no space left") // not even for the room that failure rows need
	mount("remount,ro")
	failing(exitTrouble, "read-only file system")
	mount("remount,rw,size=64m")
	if code, _, stderr := command(dir, false, "run", "--resume"); code != exitDone || cellCounts(t, stderr)[3] != 0 {
		t.Errorf("%d %s", code, stderr)
	}
	if got := read(t, filepath.Join(folderOf(t, dir), "manifest.json")); got != want {
		t.Error("the manifest is another than of the run that nobody disturbed")
	}
}

// TestNoSpaceAtAnyStage: a disk that grows a little from one attempt to the next, so
// that it is full in the store, the ledger, the reports: each says so, and the last
// gives what a run with room gives.
func TestNoSpaceAtAnyStage(t *testing.T) {
	if runtime.GOOS != "linux" || os.Getuid() != 0 {
		t.Skip("needs Linux and root: mounts a small file system")
	}
	dir := handbookProject(t)
	if code, _, stderr := command(dir, false, "run"); code != exitDone {
		t.Fatal(stderr)
	}
	want := sums(t, dir)
	state := filepath.Join(dir, ".kerf")
	if err := errors.Join(os.RemoveAll(state), os.Mkdir(state, 0o777)); err != nil {
		t.Fatal(err)
	}
	attempts := 0
	for size := 64; ; size += 64 {
		options := fmt.Sprintf("remount,size=%dk", size)
		if size == 64 {
			options = "size=64k"
		}
		if out, err := exec.Command("mount", "-t", "tmpfs", "-o", options, "tmpfs", state).CombinedOutput(); err != nil {
			t.Skipf("cannot mount a file system here: %v %s", err, out)
		}
		if size == 64 {
			defer func() {
				if out, err := exec.Command("umount", "-l", state).CombinedOutput(); err != nil {
					t.Errorf("umount: %v %s", err, out)
				}
			}()
		}
		code, stdout, stderr := command(dir, false, "-j", "1", "run")
		if code == exitDone {
			break
		}
		if code != exitPart || !strings.Contains(stderr, "no space left") || size > 64<<10 {
			t.Fatalf("%d KB: exit %d %s: %s", size, code, stdout, stderr)
		}
		attempts++
	}
	if attempts < 8 {
		t.Errorf("the disk was full %d times alone", attempts)
	}
	folder := folderOf(t, dir)
	full := filepath.Join(state, "full")
	for _, gone := range []string{"report.json", "report.html", "report.md"} { // with no room at all
		if err := os.Remove(filepath.Join(folder, gone)); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, make([]byte, 64<<20), 0o666); err == nil {
			t.Fatal("the disk is not full")
		}
		if code, _, stderr := command(dir, false, "run"); code != exitPart || !strings.Contains(stderr, "no space left") {
			t.Errorf("without %s: exit %d %s", gone, code, stderr)
		}
		if err := os.Remove(full); err != nil {
			t.Fatal(err)
		}
		if code, _, stderr := command(dir, false, "run"); code != exitDone {
			t.Errorf("with room for %s: exit %d %s", gone, code, stderr)
		}
	}
	if got := sums(t, dir); !maps.Equal(got, want) {
		t.Errorf("the run of many attempts gives %v, want %v", got, want)
	}
}

// TestInterrupted: an interrupt ends a run with 130 and what to do; the same
// command goes on.
func TestInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("no process can be interrupted by another on Windows")
	}
	binary := built(t)
	dir := midSize(t, 20, 1200)
	cmd := exec.Command(binary, "-C", dir, "run", "-j", "1", "--progress", "json")
	talk, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	lines, last := bufio.NewScanner(talk), ""
	for n := 0; lines.Scan(); last = lines.Text() {
		if n++; n == 5 {
			if err := cmd.Process.Signal(os.Interrupt); err != nil {
				t.Fatal(err)
			}
		}
	}
	err = cmd.Wait()
	var e *exec.ExitError
	if !errors.As(err, &e) || e.ExitCode() != exitInterrupted || last != "kerf: interrupted; the same command goes on where it stopped" {
		t.Errorf("%v; the last line is %q", err, last)
	}
	if n := records(t, dir); n < 5 || n == 64 {
		t.Errorf("%d cells are finished", n)
	}
	if attempts, _ := filepath.Glob(filepath.Join(dir, ".kerf", "runs", "*", "attempts.jsonl")); attempts != nil {
		t.Errorf("cells that an interrupt left out count as attempts: %s", read(t, attempts[0]))
	}
	if code, _, stderr := process(t, binary, dir, "run", "--resume", "-q"); code != exitDone || stderr != "" {
		t.Errorf("%d %s", code, stderr)
	}
}
