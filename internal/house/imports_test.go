package house

import (
	_ "embed"
	"slices"
	"strings"
	"testing"
)

//go:embed imports.txt
var allowed string

// readAllowed gives the allowed imports of each room and the rooms in the
// order of the list.
func readAllowed(t *testing.T, text string) (imports map[string][]string, order []string) {
	t.Helper()
	imports = map[string][]string{}
	for i, line := range strings.Split(text, "\n") {
		line, _, _ = strings.Cut(line, "#")
		if strings.TrimSpace(line) == "" {
			continue
		}
		name, list, ok := strings.Cut(line, ":")
		if _, twice := imports[name]; !ok || twice {
			t.Fatalf("imports.txt:%d: want one line ROOM: IMPORTS for each room, found %q", i+1, line)
		}
		imports[name] = strings.Fields(list)
		order = append(order, name)
	}
	return imports, order
}

// TestImports: the edges between rooms, and from rooms to other modules, are
// those of imports.txt, no more and no fewer, and they run downwards in it.
// Test files may import what they like; internal/twin is for them alone, so no
// line names it.
func TestImports(t *testing.T) {
	want, order := readAllowed(t, allowed)
	h := read(t)
	for _, r := range h.rooms {
		rooms, modules, _ := r.imports()
		got := slices.Concat(rooms, modules)
		slices.Sort(got)
		list, known := want[r.name]
		slices.Sort(list)
		if !known || !slices.Equal(got, list) {
			t.Errorf("imports.txt has %s: %s\nthe sources say, and if it is right the line is\n%s: %s",
				r.name, strings.Join(list, " "), r.name, strings.Join(got, " "))
		}
		for _, to := range rooms {
			if from, below := slices.Index(order, r.name), slices.Index(order, to); below >= 0 && below < from {
				t.Errorf("%s imports %s, which stands above it in imports.txt", r.name, to)
			}
		}
	}
	for _, name := range order {
		if !slices.ContainsFunc(h.rooms, func(r *room) bool { return r.name == name }) {
			t.Errorf("imports.txt lists %s, which does not exist", name)
		}
	}
}

// TestLabelsCannotLeak: nothing that the system under test is made of reaches
// labels or verdicts, by any way.
func TestLabelsCannotLeak(t *testing.T) {
	h := read(t)
	edges := map[string][]string{}
	for _, r := range h.rooms {
		edges[r.name], _, _ = r.imports()
	}
	var reaches func(name string, seen map[string]bool)
	reaches = func(name string, seen map[string]bool) {
		for _, to := range edges[name] {
			if !seen[to] {
				seen[to] = true
				reaches(to, seen)
			}
		}
	}
	tested := 0
	for _, r := range h.rooms {
		if !strings.HasPrefix(r.name, "internal/pipeline/") {
			continue
		}
		tested++
		seen := map[string]bool{}
		reaches(r.name, seen)
		for _, secret := range []string{"internal/golden", "internal/verdict", "internal/study", "internal/twin"} {
			for to := range seen {
				if to == secret || strings.HasPrefix(to, secret+"/") {
					t.Errorf("%s reaches %s", r.name, to)
				}
			}
		}
	}
	if tested == 0 {
		t.Error("no room of the pipeline found")
	}
}

// TestOutsideWorld: files, network, clock and randomness are met at the top
// alone; the rooms below get an fs.FS, a reader or a seed handed in.
func TestOutsideWorld(t *testing.T) {
	may := map[string]string{
		"cmd/kerf":                   "the process: arguments, signals",
		"internal/cli":               "opens what the user names",
		"internal/benchmark":         "runs and times kerf and its peers; not part of kerf",
		"internal/adapter/git":       "asks git, and gives it only so long",
		"internal/adapter/retriever": "runs or calls the host, and gives it only so long",
		"internal/release/simulate":  "writes a page of docs; not part of kerf",
		"internal/spool":             "writes what a large corpus needs, and maps it",
		"internal/study/cas":         "keeps cells on disk",
		"internal/study/ledger":      "reads a run back from its folder",
		"internal/study/sweep":       "writes the run's folder, and times it for timings.json",
		"internal/text/token/gen":    "writes a vocabulary; not part of kerf",
		"internal/twin":              "random corpora from a seed, for tests alone",
	}
	forbidden := []string{"os", "net", "time", "syscall", "unsafe", "path/filepath", "io/ioutil", "math/rand", "crypto/rand", "plugin"}
	for _, r := range read(t).rooms {
		if may[r.name] != "" {
			continue
		}
		_, _, standard := r.imports()
		for _, p := range standard {
			for _, f := range forbidden {
				if p == f || strings.HasPrefix(p, f+"/") {
					t.Errorf("%s imports %s", r.name, p)
				}
			}
		}
	}
}
