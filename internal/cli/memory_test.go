package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"
)

// TestFreeMemory: the least of what is left, of what is known.
func TestFreeMemory(t *testing.T) {
	files := map[string]string{
		"/proc/meminfo":                       "MemTotal: 9000 kB\nMemAvailable:    8000 kB\n",
		"/proc/self/status":                   "Name:\tkerf\nVmSize:\t  3000 kB\nVmData:\t 1000 kB\n",
		"/proc/self/cgroup":                   "0::/team/job\n",
		"/sys/fs/cgroup/memory.max":           "", // the root has none
		"/sys/fs/cgroup/team/memory.max":      "9000000\n",
		"/sys/fs/cgroup/team/memory.stat":     "anon 1000000\nfile 7000000\n",
		"/sys/fs/cgroup/team/job/memory.max":  "max\n",
		"/sys/fs/cgroup/team/job/memory.stat": "anon 500000\nfile 7000000\n",
	}
	for _, c := range []struct {
		name        string
		change      map[string]string
		data, space int64
		want        int64
		known       bool
	}{
		{"a group above", nil, -1, -1, 8_000_000, true},
		{"the system", map[string]string{"/proc/meminfo": "MemAvailable: 7000 kB\n"}, -1, -1, 7000 << 10, true},
		{"the group itself", map[string]string{"/sys/fs/cgroup/team/job/memory.max": "2000000\n"}, -1, -1, 1_500_000, true},
		{"in its own view of groups", map[string]string{"/proc/self/cgroup": "0::/\n", "/sys/fs/cgroup/memory.max": "6000000\n", "/sys/fs/cgroup/memory.stat": "anon 1\n"}, -1, -1, 5_999_999, true},
		{"data", nil, 4000 << 10, -1, 3000 << 10, true},
		{"address space", nil, 5000 << 10, 4500 << 10, 1500 << 10, true},
		{"more than the limit already", nil, 900 << 10, -1, 0, true},
		{"older control groups", map[string]string{"/proc/self/cgroup": "9:name=systemd:/\n5:memory:/team\n3:cpu:/\n0::/\n", "/sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712\n", "/sys/fs/cgroup/memory/memory.stat": "total_rss 5\n",
			"/sys/fs/cgroup/memory/team/memory.limit_in_bytes": "7000000\n", "/sys/fs/cgroup/memory/team/memory.stat": "rss 9\ntotal_rss 2000000\n"}, -1, -1, 5_000_000, true},
		{"a group that is no path", map[string]string{"/proc/self/cgroup": "0::team\n1\n:\n0::\n"}, -1, -1, 8000 << 10, true},
		{"nothing", map[string]string{"/proc/meminfo": "", "/proc/self/status": "", "/proc/self/cgroup": ""}, 5, 5, 0, false},
	} {
		free, known := freeMemory(func(name string) string {
			if text, ok := c.change[name]; ok {
				return text
			}
			return files[name]
		}, c.data, c.space)
		if known != c.known || known && free != c.want {
			t.Errorf("%s: %d, %v; want %d, %v", c.name, free, known, c.want, c.known)
		}
	}
}

// TestFit: where memory is short fewer cores are used, with the same result; where
// one does not find enough, nothing is run and nothing written.
func TestFit(t *testing.T) {
	if runtime.GOMAXPROCS(0) < 2 {
		t.Skip("one core alone")
	}
	dir := handbookProject(t)
	overwrite(t, filepath.Join(dir, "kerf.yaml"), func(b []byte) []byte { return append(b, "gate: {arm: tokens-128-0}\n"...) })
	run := func(free int64, args ...string) (int, string) {
		var out, talk bytes.Buffer
		code := Main(context.Background(), Process{
			Args: append([]string{"-C", dir}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk,
			Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} },
			Memory: func() (int64, bool) { return free, free >= 0 },
		})
		return code, talk.String()
	}
	for _, command := range []string{"run", "gate"} {
		args := []string{command}
		if command == "gate" {
			args = append(args, "--accept", "--reason", "first")
		}
		code, talk := run(1_000_000, args...)
		if code != exitTrouble || !strings.Contains(talk, "of memory on one core, and 1 MB are free; nothing was run") || strings.Count(talk, "\n") > 2 {
			t.Errorf("%s: exit %d, %s", command, code, talk)
		}
		if !absent(filepath.Join(dir, ".kerf", "runs")) {
			t.Errorf("%s: something was written", command)
		}
	}
	if code, talk := run(20_000_000, "run"); code != exitDone || !strings.Contains(talk, fmt.Sprintf("1 core of %d: each needs some 16 MB of memory, and 20 MB are free", min(runtime.GOMAXPROCS(0), 8))) {
		t.Errorf("exit %d, %s", code, talk)
	}
	report := read(t, filepath.Join(folderOf(t, dir), "report.json"))
	if code, talk := run(1, "run"); code != exitDone || strings.Contains(talk, "memory") {
		t.Errorf("stored cells need no memory: exit %d, %s", code, talk)
	}
	if err := os.RemoveAll(filepath.Join(dir, ".kerf")); err != nil {
		t.Fatal(err)
	}
	if code, talk := run(-1, "run"); code != exitDone || strings.Contains(talk, "memory") {
		t.Errorf("exit %d, %s", code, talk)
	}
	if got := read(t, filepath.Join(folderOf(t, dir), "report.json")); got != report {
		t.Error("another report on more cores")
	}
}

// TestFitDocuments: nor are the documents of a long manifest read where there is no
// memory for them.
func TestFitDocuments(t *testing.T) {
	dir := smallProject(t)
	line := `{"doc":"%06d","version":"sha256:` + strings.Repeat("0", 64) + `","path":"%06d","bytes":1}` + "\n"
	var manifest strings.Builder
	manifest.WriteString(`{"kerf":"corpus/1","root":"docs","extract":"text/1"}` + "\n")
	for i := range manifestLarge/len(line) + 1 {
		fmt.Fprintf(&manifest, line, i, i)
	}
	writeTestFile(t, filepath.Join(dir, "corpus.jsonl"), manifest.String())
	for _, c := range []struct {
		free int64
		said bool
	}{{70_000_000, true}, {1 << 40, false}, {-1, false}} {
		var out, talk bytes.Buffer
		code := Main(context.Background(), Process{
			Args: []string{"-C", dir, "check"}, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk,
			Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} },
			Memory: func() (int64, bool) { return c.free, c.free >= 0 },
		})
		said := strings.Contains(talk.String(), "corpus.jsonl: its documents need some 73 MB of memory, and 70 MB are free")
		if want := map[bool]int{true: exitTrouble, false: exitFindings}[c.said]; code != want || said != c.said || said && strings.Count(talk.String(), "\n") > 2 {
			t.Errorf("%d free: exit %d, %.300s", c.free, code, talk.String())
		}
	}
}
