//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"
)

// command is a process to run.
type command struct {
	words []string
	dir   string
	env   []string // beside those of this process
	fresh []string // put away before it starts: nothing is used again
}

// outcome is what a process took.
type outcome struct {
	cpu    float64 // seconds, user and system, of the process and its children
	peak   float64 // MB of memory
	stdout []byte
}

// run runs the command to its end. A command that fails is an error with what it
// said last.
func (c command) run() (outcome, error) {
	for _, f := range c.fresh {
		if err := putAway(f); err != nil {
			return outcome{}, err
		}
	}
	cmd := exec.Command(c.words[0], c.words[1:]...)
	cmd.Dir, cmd.Env = c.dir, append(os.Environ(), c.env...)
	var out, talk bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &talk
	if err := cmd.Run(); err != nil {
		said := strings.Split(strings.TrimSpace(talk.String()), "\n")
		return outcome{}, fmt.Errorf("%s: %w: %s", strings.Join(c.words, " "), err, strings.Join(said[max(0, len(said)-3):], " / "))
	}
	o := outcome{cpu: (cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()).Seconds(), stdout: out.Bytes()}
	if usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage); ok {
		o.peak = megabytes(usage)
	}
	return o, nil
}

// away and a number end the name of what was put away.
const away = ".away"

// putAway gives a folder that may be there another name. A file system may charge
// whoever makes files after a removal for it.
func putAway(folder string) error {
	n := 1
	for ; ; n++ {
		if _, err := os.Lstat(fmt.Sprint(folder, away, n)); errors.Is(err, fs.ErrNotExist) {
			break
		}
	}
	if err := os.Rename(folder, fmt.Sprint(folder, away, n)); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// megabytes is the peak of a process. That of one just started is its parent's: less
// than this program's own peak is not told apart.
func megabytes(r *syscall.Rusage) float64 {
	if runtime.GOOS == "darwin" {
		return float64(r.Maxrss) / 1e6
	}
	return float64(r.Maxrss) / 1e3 // KB on Linux
}

// ownPeak is this program's.
func ownPeak() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic("BUG: " + err.Error())
	}
	return megabytes(&r)
}

// program is kerf or a peer at one piece of work.
type program struct {
	name   string
	kit    *kit // that it is of; nil: kerf
	remark string
	command
}

// row is a piece of work and who does it, kerf first.
type row struct {
	name     string
	mb       float64 // of text that one pass reads, to print as MB/s; 0: none
	inner    bool    // the programs time the work alone, without start and reading
	programs []program
}

// made is what a program prints that times itself.
type made struct {
	CPU   float64 `json:"cpu"`
	Count any     `json:"count"`
}

// counted is what was made, in few digits where it is no whole number.
func (m made) counted() string {
	if x, ok := m.Count.(float64); !ok {
		return fmt.Sprint(m.Count)
	} else if x != math.Trunc(x) {
		return fmt.Sprintf("%.3g", x)
	} else {
		return fmt.Sprintf("%.0f", x)
	}
}

// measure runs every program once a round, in turns, and prints a line for each.
func (r row) measure(w io.Writer, rounds int) {
	n := len(r.programs)
	cpu, peak := make([][]float64, n), make([][]float64, n)
	count, failed := make([]string, n), make([]error, n)
	for round := range rounds {
		for i, p := range r.programs {
			if failed[i] != nil {
				continue
			}
			o, err := p.run()
			seconds := o.cpu
			if r.inner && err == nil {
				var m made
				if err = json.Unmarshal(o.stdout, &m); err == nil {
					seconds, count[i] = m.CPU, m.counted()
				}
			}
			failed[i] = err
			cpu[i], peak[i] = append(cpu[i], seconds), append(peak[i], o.peak)
			fmt.Fprintf(os.Stderr, "%s, round %d: %s %.4f s, %v\n", r.name, round+1, p.name, seconds, err)
		}
	}
	for i, p := range r.programs {
		if failed[i] != nil {
			fmt.Fprintf(w, "| %s | %s | failed |  |  |  | %s |\n", r.name, p.title(), strings.ReplaceAll(failed[i].Error(), "|", "/"))
			continue
		}
		figure := fmt.Sprintf("%.3g", median(cpu[i]))
		if r.mb > 0 {
			figure += fmt.Sprintf(" (%.0f MB/s)", r.mb/median(cpu[i]))
		}
		ratio := ""
		if i == 0 {
			ratio = "1"
		} else if failed[0] == nil {
			ratios := make([]float64, rounds)
			for k := range ratios {
				ratios[k] = cpu[i][k] / cpu[0][k]
			}
			ratio = fmt.Sprintf("%.3g (%.3g ... %.3g)", median(ratios), slices.Min(ratios), slices.Max(ratios))
		}
		memory := ""
		if !r.inner {
			if memory = fmt.Sprintf("%.0f", median(peak[i])); median(peak[i]) <= ownPeak()+1 {
				memory = "up to " + memory
			}
		}
		fmt.Fprintf(w, "| %s | %s | %s | %s | %s | %s | %s |\n", r.name, p.title(), figure, ratio, memory, count[i], p.remark)
	}
}

func (p program) title() string {
	if p.kit == nil {
		return "**" + p.name + "**"
	}
	return p.name
}

func median(x []float64) float64 {
	x = slices.Sorted(slices.Values(x))
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}
