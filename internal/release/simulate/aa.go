package main

import (
	"bytes"
	"context"
	"fmt"
	"hash/fnv"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"time"

	"kerf/internal/cli"
	"kerf/internal/release/power"
	"kerf/internal/stats"
	"kerf/internal/study/effect"
	"kerf/internal/study/sweep"
)

// alarms are the ways in which two identical arms are told apart.
var alarms = []string{"one placement: CI excludes 0", "four placements: CI excludes 0", "screen: falls by more than the tolerance"}

// set is a labelled set under one arm: verdicts by question and placement.
type set struct {
	name     string
	support  [][]stats.Verdict
	clusters []string
}

// aa is the table of A/A runs: an arm against itself, on every set that is there.
func aa(w io.Writer, folder string, trials, jobs int) error {
	fmt.Fprintf(w, `
## A/A: an arm against itself

Labelled sets under one arm (128 words, BM25, 1,000 words of context, 8 placements). Each of %d trials takes a random half
of the questions; for each cluster of documents a coin says which of the two arms gets which of two random placements, or
which four of the eight. So the arms are the same in truth, and what differs is what real cuts change. CI: 95 %%, as kerf
prints it; nominal .05, both sides together. Below 12 clusters it speaks of questions, and the coin is thrown for
each. The screen falls by more than max(.05, 5/(2n)) at one placement: it has no nominal level.
`, trials)
	head(w, append([]string{"set", "questions", "clusters"}, alarms...)...)
	for _, name := range []string{"squad2-dev", "xquad-de", "xquad-zh", "jsquad", "contractnli", "hotpotqa-sample", "orsharc-handbook", "chroma-general"} {
		dir := filepath.Join(folder, name)
		if !present(dir) {
			row(w, name, "not there", "", "", "", "")
			continue
		}
		arms, err := read(dir, oneArm, "w128")
		if err != nil {
			return err
		}
		s := arms[0]
		hits := count(trials, jobs, s.alarms)
		cells := []string{name, fmt.Sprint(len(s.support)), fmt.Sprint(s.distinct())}
		for _, n := range hits {
			cells = append(cells, thousandths(float64(n)/float64(trials)))
		}
		row(w, cells...)
	}
	return nil
}

// oneArm is the rest of the experiment of the A/A runs.
const oneArm = `budget: {tokens: 1000, tokenizer: words}
arms:
  w128: {split: {by: tokens, tokenizer: words, size: 128, overlap: 0}, retrieve: {by: bm25}}
`

// present reports whether a labelled set is there.
func present(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "golden.jsonl"))
	return err == nil
}

// read runs kerf on a set in a folder of its own, and is the set under each of the
// arms named. experiment is the budget and the arms of kerf.yaml.
func read(dir, experiment string, arms ...string) ([]set, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	home, err := os.MkdirTemp("", "kerf-aa-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	yaml := fmt.Sprintf(`kerf: experiment/1
corpus: %q
golden: %q
phases: {grid: %d}
%s`, filepath.Join(dir, "corpus.jsonl"), filepath.Join(dir, "golden.jsonl"), placements, experiment)
	if err := os.WriteFile(filepath.Join(home, "kerf.yaml"), []byte(yaml), 0o666); err != nil {
		return nil, err
	}
	var stderr bytes.Buffer
	code := cli.Main(context.Background(), cli.Process{
		Args: []string{"-C", home, "run", "--json"}, Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: &stderr,
		Getenv: func(string) string { return "" }, Now: func() time.Time { return time.Time{} },
	})
	if code != 0 {
		return nil, fmt.Errorf("%s: kerf run ends with %d: %s", dir, code, stderr.String())
	}
	runs := filepath.Join(home, ".kerf", "runs")
	latest, err := os.ReadFile(filepath.Join(runs, "latest"))
	if err != nil {
		return nil, err
	}
	kept, err := sweep.OpenFolder(filepath.Join(runs, strings.TrimSpace(string(latest))), func(string, string) (string, bool) { return "", false })
	if err != nil {
		return nil, err
	}
	var sets []set
	for _, arm := range arms {
		support, err := kept.Facts.Support(arm)
		if err != nil {
			return nil, err
		}
		sets = append(sets, set{filepath.Base(dir), support, kept.Facts.Clusters()})
	}
	return sets, nil
}

func (s set) distinct() int {
	seen := map[string]bool{}
	for _, c := range s.clusters {
		seen[c] = true
	}
	return len(seen)
}

// alarms is what trial t says of two identical arms.
func (s set) alarms(t int) []bool {
	h := fnv.New64a()
	io.WriteString(h, s.name)
	r := power.Trial(h.Sum64(), t)
	var order [placements]int
	for j := range order { // a shuffle
		k := int(r.Float64() * float64(j+1))
		order[j], order[k] = order[k], j
	}
	few := s.distinct() < stats.FewClusters
	swap := map[string]int{} // 1 or -1
	var one, four []*big.Rat // differences at the last placement dealt, and over all four
	var clusters []string
	change := 0
	for i, verdicts := range s.support {
		unit := s.clusters[i]
		if few {
			unit = fmt.Sprint(i)
		}
		if _, ok := swap[unit]; !ok {
			swap[unit] = 1 - 2*int(r.Float64()*2)
		}
		if r.Float64() < .5 {
			continue
		}
		sum, last := 0, 0
		for j := range placements / 2 {
			last = swap[unit] * int(verdicts[order[j]]-verdicts[order[j+placements/2]])
			sum += last
		}
		change += last
		one, four = append(one, big.NewRat(int64(last), 1)), append(four, big.NewRat(int64(sum), placements/2))
		clusters = append(clusters, s.clusters[i])
	}
	apart := func(differences []*big.Rat, scale effect.Scale) bool {
		i := effect.Standard(0).Of(differences, clusters, scale)
		return i.Measured && (i.Value.Lo > 0 || i.Value.Hi < 0)
	}
	return []bool{apart(one, effect.Verdicts), apart(four, effect.Fine), -change > max(len(clusters)/20, 2)}
}
