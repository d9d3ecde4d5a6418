//go:build unix

package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestMeasure: programs run in turns, what is left of the last round is put away,
// figures are medians, ratios those of a round, and a program that fails is named
// and not asked again.
func TestMeasure(t *testing.T) {
	dir := t.TempDir()
	log := filepath.Join(dir, "log")
	shell := func(script string) command {
		return command{words: []string{"sh", "-c", script}, dir: dir, env: []string{"CPU=2.5"}, fresh: []string{filepath.Join(dir, "left")}}
	}
	r := row{name: "w", mb: 5, inner: true, programs: []program{
		// 1, 2, 3 s, so the median is 2; twice that where something was left.
		{name: "kerf", command: shell(`test -e left && echo left >> log; touch left; echo kerf >> log; echo '{"cpu":'$(grep -c kerf log)',"count":7}'`)},
		{name: "peer", kit: &kit{}, remark: "r", command: shell(`echo peer >> log; echo '{"cpu":'$CPU',"count":"x"}'`)},
		{name: "dies", kit: &kit{}, command: shell(`echo dies >> log; echo 'no | such' >&2; exit 3`)},
	}}
	var out bytes.Buffer
	r.measure(&out, 3)
	want := "| w | **kerf** | 2 (2 MB/s) | 1 |  | 7 |  |\n" + // 5 MB in 2 s is 2.5, to even
		"| w | peer | 2.5 (2 MB/s) | 1.25 (0.833 ... 2.5) |  | x | r |\n"
	lines := strings.SplitAfter(out.String(), "\n")
	if got := strings.Join(lines[:2], ""); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if !strings.HasPrefix(lines[2], "| w | dies | failed |") || !strings.Contains(lines[2], "exit status 3: no / such") {
		t.Error(lines[2])
	}
	got, err := os.ReadFile(log)
	if order := strings.Fields(string(got)); err != nil || strings.Join(order, " ") != "kerf peer dies kerf peer kerf peer" {
		t.Error(order, err)
	}
}

// TestNothingToCompare: where kerf itself fails there is no ratio.
func TestNothingToCompare(t *testing.T) {
	r := row{name: "w", programs: []program{
		{name: "kerf", command: command{words: []string{"false"}}},
		{name: "peer", kit: &kit{}, command: command{words: []string{"true"}}}}}
	var out bytes.Buffer
	r.measure(&out, 1)
	if _, line, _ := strings.Cut(out.String(), "\n"); !strings.HasPrefix(line, "| w | peer | 0") || !strings.Contains(line, " |  | up to ") {
		t.Error(out.String())
	}
}

// TestWholeProcess: without a clock of its own a program's figure is the process's.
func TestWholeProcess(t *testing.T) {
	o, err := command{words: []string{"sh", "-c", "i=0; while [ $i -lt 20000 ]; do i=$((i+1)); done; echo done"}}.run()
	if err != nil || o.cpu <= 0 || o.peak < 0.1 || o.peak > 1000 || string(o.stdout) != "done\n" {
		t.Errorf("%+v, %v", o, err)
	}
}

func TestCounted(t *testing.T) {
	for want, x := range map[string]any{"1444328": 1444328.0, "0.0208": 0.020804999999999955, "x": "x"} {
		if got := (made{Count: x}).counted(); got != want {
			t.Errorf("%v: %s, want %s", x, got, want)
		}
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		x    []float64
		want float64
	}{{[]float64{3}, 3}, {[]float64{9, 1, 4}, 4}, {[]float64{9, 1, 5, 4}, 4.5}} {
		if got := median(c.x); got != c.want {
			t.Errorf("%v: %v, want %v", c.x, got, c.want)
		}
	}
}
