//go:build unix

// Command benchmark measures kerf beside the programs that others would use for the
// same work, alternating in one run: `make bench`. It prints the table of
// docs/performance.md, "Against peers". It is no part of kerf.
//
// Figures are CPU seconds, user and system, of all threads: other work on the
// machine disturbs them less than the clock on the wall. Peers come from their
// registries into a temporary folder, at the versions of pins; what cannot be
// installed is named and skipped.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

func main() {
	if len(os.Args) > 1 && os.Args[1] == "work" {
		exit(work(os.Args[2:]))
		return
	}
	f := flag.NewFlagSet("benchmark", flag.ExitOnError)
	rounds := f.Int("rounds", 5, "runs of each program; the median counts")
	only := f.String("only", "", "a `pattern` of rows to measure")
	shared := f.String("shared", "../shared", "`folder` of the shared sets; where it is not there, the handbook is measured")
	peers := f.Bool("peers", true, "install peers from their registries and measure them too")
	keep := f.String("folder", "", "`folder` for everything, kept; peers in it are used again (default: a temporary one)")
	largest := f.Int("memory", 100, "the largest corpus of the memory rows, in MB: 0, 1, 10 or 100")
	_ = f.Parse(os.Args[1:])
	pattern, err := regexp.Compile(*only)
	if err != nil || *rounds < 1 || f.NArg() > 0 {
		exit(fmt.Errorf("usage: benchmark [-rounds N] [-only PATTERN] [-shared DIR] [-peers=false] [-folder DIR] [-memory MB]: %v", err))
	}
	dir := *keep
	if dir == "" {
		if dir, err = os.MkdirTemp("", "kerf-bench-"); err != nil {
			exit(err)
		}
		defer os.RemoveAll(dir)
	}
	exit(run(dir, *shared, pattern, *rounds, *largest, *peers))
}

// exit ends with 2 where something went wrong.
func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "benchmark:", err)
		os.Exit(2)
	}
}

func run(dir, shared string, only *regexp.Regexp, rounds, largest int, peers bool) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	b := &bench{dir: dir, kerf: filepath.Join(dir, "kerf"), kits: map[string]*kit{}}
	if b.self, err = os.Executable(); err != nil {
		return err
	}
	build := command{words: []string{"go", "build", "-trimpath", "-o", b.kerf, "./cmd/kerf"}, env: []string{"CGO_ENABLED=0"}}
	if _, err := build.run(); err != nil {
		return err
	}
	if err := b.material(shared); err != nil {
		return err
	}
	if peers {
		b.install()
	}
	fmt.Printf("%s; %s/%s, %d cores, %s. Medians of %d; every program of a row ran once a round, in turns.\n\n",
		b.set, runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), runtime.Version(), rounds)
	for _, k := range b.missing {
		fmt.Printf("Not there, so not measured: %s\n\n", k)
	}
	fmt.Println("| work | program | CPU s | of kerf's (lowest ... highest round) | peak MB | made | remark |")
	fmt.Println("|---|---|---|---|---|---|---|")
	defer func() {
		away, _ := filepath.Glob(filepath.Join(dir, "*", ".kerf"+away+"*")) // the pattern is well-formed
		for _, f := range away {
			_ = os.RemoveAll(f) // what is left is removed with the folder
		}
	}()
	for _, r := range b.rows() {
		if only.MatchString(r.name) {
			r.measure(os.Stdout, rounds)
		}
	}
	if only.MatchString("memory") && largest > 0 {
		if err := b.memory(largest); err != nil {
			return err
		}
	}
	if only.MatchString("size") {
		info, err := os.Stat(b.kerf)
		if err != nil {
			return err
		}
		fmt.Printf("\nOne file, without cgo: %.1f MB.\n", float64(info.Size())/1e6)
	}
	fmt.Println("\nVersions:", strings.Join(b.versions(), ", "))
	return nil
}
