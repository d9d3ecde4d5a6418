package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// clocked runs kerf with a clock that shows tick(n) when it is read for the nth
// time, from 0.
func clocked(dir string, tick func(n int) time.Duration, args ...string) (code int, stdout, stderr string) {
	var out, talk bytes.Buffer
	n := 0
	code = Main(context.Background(), Process{
		Args: append([]string{"-C", dir}, args...), Stdin: strings.NewReader(""), Stdout: &out, Stderr: &talk,
		Getenv: os.Getenv, Now: func() time.Time {
			n++
			return time.Unix(0, 0).Add(tick(n - 1))
		},
	})
	return code, out.String(), talk.String()
}

// twoArms is a document, two questions and two arms.
func twoArms(t *testing.T, arms string) string {
	t.Helper()
	dir := t.TempDir()
	library(t, dir, map[string]string{"a.md": "Opened goods stay. Unopened goods go back free of charge to us."})
	span := `"spans":{"s":{"doc":"a.md","start":0,"end":18,"quote":"Opened goods stay."}},"support":[["s"]]}`
	writeTestFile(t, filepath.Join(dir, "golden.jsonl"), `{"kerf":"golden/1","unit":"byte"}`+"\n"+
		`{"qid":"q1","question":"Do opened goods stay?",`+span+"\n"+`{"qid":"q2","question":"What stays?",`+span+"\n")
	writeTestFile(t, filepath.Join(dir, "kerf.yaml"), "kerf: experiment/1\nphases: {grid: 1}\narms:\n"+arms)
	return dir
}

const w4w5 = "  w4: {split: {tokenizer: words, size: 4}}\n  w5: {split: {tokenizer: words, size: 5, overlap: 1}}\n"

func benched(t *testing.T, dir string) (out benchOutput) {
	t.Helper()
	if err := json.Unmarshal([]byte(read(t, filepath.Join(dir, "timings.json"))), &out); err != nil {
		t.Fatal(err)
	}
	return out
}

// TestBenchTurns: the clock is read once at the start, twice an index and twice a
// request; the request that is the nth takes n ms. Who begins moves on with each
// question and each round, and the warm-up is in no figure.
func TestBenchTurns(t *testing.T) {
	dir := twoArms(t, w4w5)
	// Reading 5 begins request 0, reading 6 ends it.
	tick := func(n int) time.Duration {
		request, end := (n-5)/2, (n-5)%2
		if n < 5 {
			return time.Duration(n) * time.Second
		}
		total := 1000*time.Second + time.Duration(request)*time.Second
		return total + time.Duration(end*(request+1))*time.Millisecond
	}
	code, stdout, stderr := clocked(dir, tick, "bench", "--rounds", "3")
	if code != exitDone {
		t.Fatalf("exit %d: %s", code, stderr)
	}
	out := benched(t, dir)
	// Requests 1-4 warm up. Round 0: q1 asks w4 (5), w5 (6), q2 asks w5 (7), w4 (8);
	// round 1 begins with w5: w5 9, w4 10, w4 11, w5 12; round 2 as round 0: w4 13, w5 14, w5 15, w4 16.
	want := []benchArm{
		{Arm: "w4", By: "bm25", Chunks: 3, Index: 1000, Requests: 6, Latency: &latency{10, 16, 16, 16}}, // 5 8 10 11 13 16
		{Arm: "w5", By: "bm25", Chunks: 3, Index: 1000, Requests: 6, Latency: &latency{9, 15, 15, 15}},  // 6 7 9 12 14 15
	}
	if !reflect.DeepEqual(out.Arms, want) {
		t.Errorf("arms %+v %+v %+v", out.Arms, out.Arms[0].Latency, out.Arms[1].Latency)
	}
	if out.Rounds != 3 || out.Planned != 3 || out.WarmUp != 1 || out.Questions != 2 || out.Concurrency != 1 || out.Stopped != "" || out.Began != "1970-01-01T00:00:00Z" {
		t.Errorf("%+v", out)
	}
	for _, line := range []string{"w4   bm25            3    1000.0         6       0  10.000  16.000  16.000", "2 questions, 3 rounds after 1 to warm up, one request at a time"} {
		if !strings.Contains(stdout, line) {
			t.Errorf("no %q in\n%s", line, stdout)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, ".kerf")); !os.IsNotExist(err) {
		t.Error("bench left a cache: ", err)
	}
}

// TestBenchPercentiles by nearest rank, against the definition.
func TestBenchPercentiles(t *testing.T) {
	for n := 1; n <= 250; n++ {
		d := &deployed{failed: []int{2}, rounds: [][]time.Duration{nil}}
		var sorted []float64
		for i := range n {
			ms := (i*7919 + 13) % 1009
			d.rounds[0] = append(d.rounds[0], time.Duration(ms)*time.Millisecond)
			sorted = append(sorted, float64(ms))
		}
		slices.Sort(sorted)
		got := d.percentiles(1)
		for percent, x := range map[int]float64{50: got.P50, 95: got.P95, 99: got.P99, 100: got.Max} {
			// The smallest latency that at least percent % of all do not exceed.
			want := sorted[slices.IndexFunc(sorted, func(y float64) bool {
				within := 0
				for _, z := range sorted {
					if z <= y {
						within++
					}
				}
				return 100*within >= percent*n
			})]
			if x != want {
				t.Fatalf("n %d, p%d: %v, want %v", n, percent, x, want)
			}
		}
	}
}

// TestBenchDeadline: figures are those of complete rounds; without one there are
// none, and that is no zero.
func TestBenchDeadline(t *testing.T) {
	dir := twoArms(t, w4w5)
	seconds := func(n int) time.Duration { return time.Duration(n) * time.Second }
	// Readings 5 to 12 are the warm-up, 13 to 20 the first round, whose last request begins
	// with 19.
	code, stdout, _ := clocked(dir, seconds, "bench", "--deadline", "20s")
	out := benched(t, dir)
	if code != exitPart || out.Rounds != 1 || out.Planned != 5 || out.Stopped != "deadline" || out.Arms[0].Requests != 2 || out.Arms[1].Requests != 2 {
		t.Errorf("exit %d: %+v", code, out)
	}
	if !strings.Contains(stdout, "stopped after 1 of 5 rounds: deadline\n") {
		t.Error(stdout)
	}
	code, stdout, _ = clocked(dir, seconds, "bench", "--deadline", "19s", "--json")
	out = benched(t, dir)
	if code != exitPart || out.Rounds != 0 || out.Arms[0].Latency != nil || out.Arms[0].Requests != 0 || !strings.HasPrefix(stdout, `{"kerf":"bench/1"`) {
		t.Errorf("exit %d: %+v\n%s", code, out, stdout)
	}
	code, _, _ = clocked(dir, seconds, "bench", "--deadline", "1h", "--rounds", "1", "--warm-up", "0", "-o", "mine.json")
	if code != exitDone {
		t.Errorf("exit %d", code)
	}
	if again := benched(t, dir); !reflect.DeepEqual(again, out) {
		t.Error("-o writes another file, and timings.json too")
	}
}

// TestBenchSharesNothing: what one arm made of the texts is not there for the next.
func TestBenchSharesNothing(t *testing.T) {
	a := &app{dir: twoArms(t, w4w5), Process: Process{Getenv: os.Getenv, Now: time.Now, Stderr: io.Discard}}
	p, err := a.project()
	if err != nil {
		t.Fatal(err)
	}
	for _, arm := range p.plan.Arms {
		d, err := a.deploy(t.Context(), p, arm, nil)
		if err != nil || d.Chunks() == 0 {
			t.Fatal(d, err)
		}
		if p.kin != nil {
			t.Errorf("%s: the next arm would find its tokens", arm.Name)
		}
	}
}
