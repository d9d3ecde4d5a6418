package cli

import (
	"cmp"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"

	"kerf/internal/study/sweep"
)

// fit is how many cores the cells that are to be made are made on: as many as are
// wanted (0: all) and find memory. No result depends on it. An error says that the
// memory of one is not there.
func (a *app) fit(s *sweep.Study, cells []sweep.Cell) (jobs int, err error) {
	if a.Memory == nil || len(cells) == 0 {
		return a.jobs, nil
	}
	need, chunks, err := s.Need(cells)
	if err != nil {
		return 0, err
	}
	wanted := int64(min(cmp.Or(a.jobs, runtime.GOMAXPROCS(0)), len(cells)))
	free, known := a.Memory() // what the study holds is taken by now
	if !known || free/need >= wanted {
		return a.jobs, nil
	}
	if free < need {
		return 0, usage("an index of %s needs some %s of memory on one core, and %s are free; nothing was run: give the process more memory, or make several projects of the corpus",
			counted(chunks, "chunk"), megabytes(need), megabytes(free))
	}
	a.say("%s of %d: each needs some %s of memory, and %s are free", counted(int(free/need), "core"), wanted, megabytes(need), megabytes(free))
	return int(free / need), nil
}

// What reading many documents was measured to take (docs/performance.md), rounded up.
const (
	bytesReading  = 60 << 20
	bytesManifest = 10 // for each byte of the manifest: what is known of documents whose texts lie elsewhere
)

// fitDocuments says that there is no memory for the documents of a manifest of so
// many bytes, if there is none.
func (a *app) fitDocuments(manifest string, bytes int) error {
	if a.Memory == nil {
		return nil
	}
	need := bytesReading + bytesManifest*int64(bytes)
	if free, known := a.Memory(); known && free < need {
		return usage("%s: its documents need some %s of memory, and %s are free; nothing was run: give the process more memory, or make several projects of the corpus",
			manifest, megabytes(need), megabytes(free))
	}
	return nil
}

func megabytes(n int64) string { return fmt.Sprintf("%d MB", n/1_000_000) }

// freeMemory is the least of what the system has left and of what is left of the
// limits on this process and its control groups. read gives a file's
// content, "" where there is none; data and space are the limits RLIMIT_DATA and
// RLIMIT_AS, negative for none. ok is false where nothing is known.
func freeMemory(read func(name string) string, data, space int64) (free int64, ok bool) {
	free = math.MaxInt64
	limit := func(most int64, known bool) {
		if known {
			free, ok = min(free, max(0, most)), true
		}
	}
	limit(field(read("/proc/meminfo"), "MemAvailable:", 1024))
	status := read("/proc/self/status")
	for _, l := range []struct {
		most int64
		name string
	}{{data, "VmData:"}, {space, "VmSize:"}} {
		used, known := field(status, l.name, 1024)
		limit(l.most-used, known && l.most >= 0)
	}
	for line := range strings.Lines(read("/proc/self/cgroup")) {
		// "0::PATH" is the group of version 2, "4:memory:PATH" that of version 1.
		parts := strings.SplitN(strings.TrimSpace(line), ":", 3)
		root, file, anonymous := "/sys/fs/cgroup", "/memory.max", "anon"
		switch {
		case len(parts) < 3:
			continue
		case parts[1] == "memory":
			root, file, anonymous = "/sys/fs/cgroup/memory", "/memory.limit_in_bytes", "total_rss"
		case parts[1] != "":
			continue
		}
		for group := strings.TrimSuffix(parts[2], "/"); ; group = group[:strings.LastIndexByte(group, '/')] {
			most, err := strconv.ParseInt(strings.TrimSpace(read(root+group+file)), 10, 64)
			used, known := field(read(root+group+"/memory.stat"), anonymous, 1) // the system takes pages of files back
			limit(most-used, known && err == nil)
			if !strings.HasPrefix(group, "/") {
				break
			}
		}
	}
	return free, ok
}

// field is the number of a line "NAME NUMBER", in units of so many bytes.
func field(text, name string, unit int64) (n int64, ok bool) {
	for line := range strings.Lines(text) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == name {
			n, err := strconv.ParseInt(f[1], 10, 64)
			return n * unit, err == nil
		}
	}
	return 0, false
}
