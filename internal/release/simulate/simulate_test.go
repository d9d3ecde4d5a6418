package main

import (
	"fmt"
	"math"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kerf/internal/release/power"
	"kerf/internal/stats"
	"kerf/internal/study/effect"
)

// TestScreen: the pass table of statistics.md 8 is what enumeration gives.
func TestScreen(t *testing.T) {
	var b strings.Builder
	screen(&b)
	if strings.Contains(b.String(), "*\n") || strings.Contains(b.String(), "* |") {
		t.Errorf("the table differs from the published one:\n%s", b.String())
	}
	if p := passes(changes(2, .5, .25), 1); math.Abs(p-(1-.25)) > 1e-15 {
		t.Errorf("2 questions that lose half the time lose both in %v", 1-p)
	}
}

// TestFalseAccepts: the rule that kerf decides by accepts at most at nominal
// where documents are enough, and the point rule about half the time.
func TestFalseAccepts(t *testing.T) {
	const trials = 300
	for _, c := range []truth{common, rare} {
		d := design{.2, 4, 30}
		hits := count(trials, 2, func(t int) []bool {
			s := d.draw(c, t)
			return []bool{20*(total(s.gains)-total(s.losses)) >= -total(s.sizes), rule(.2).Accepts(s.gains, s.losses, s.sizes)}
		})
		if most := trials*alpha + 3*math.Sqrt(trials*alpha*(1-alpha)); hits[0] < trials/3 || float64(hits[1]) > most {
			t.Errorf("%s: accepted %v of %d", c.name, hits, trials)
		}
	}
}

// TestMeans: "kerf" of the tables over placements is what kerf's interval says, and
// trials have the rates of the truth.
func TestMeans(t *testing.T) {
	unchanged := 0
	for _, documents := range []int{12, 19, 20, 30} {
		d := design{.5, 4, documents}
		sum, questions := 0, 0
		for trial := range 400 {
			m := d.means(rare, .3, trial)
			sum, questions = sum+total(m.change), questions+total(m.sizes)
			if trial > 40 {
				continue
			}
			var values []*big.Rat
			var clusters []string
			again := means{sizes: make([]int, documents), change: make([]int, documents)}
			r := power.Trial(7, trial)
			for g, size := range m.sizes {
				for range size {
					of := 0
					if r.Float64() < float64(trial%4)/10 { // in some trials nothing changes
						of = int(r.Float64()*17) - 8
					}
					values, clusters = append(values, big.NewRat(int64(of), placements)), append(clusters, fmt.Sprint(g))
					again.sizes[g]++
					again.change[g] += of
					again.up, again.down = again.up+max(of, 0), again.down+max(-of, 0)
					again.squares += float64(of * of)
				}
			}
			want := effect.Design{Level: level, ICC: stats.DefaultICC}.Of(values, clusters, effect.Fine).Value.Lo
			bounds := again.bounds()
			if again.up+again.down == 0 {
				unchanged++
			}
			if got := max(bounds[3], -1); math.Abs(got-want) > 1e-12 {
				t.Fatalf("%d documents: %v, kerf says %v", documents, got, want)
			}
			if bounds[1] > bounds[0] || bounds[3] > bounds[0] {
				t.Fatalf("a floor that widens nothing narrows: %v", bounds)
			}
		}
		if mean := float64(sum) / placements / float64(questions); math.Abs(mean+margin) > .012 {
			t.Errorf("%d documents: mean change %v, want %v", documents, mean, -margin)
		}
	}
	if unchanged == 0 {
		t.Error("something changed in every trial")
	}
	nothing := means{sizes: []int{4, 5, 6}, change: []int{0, 0, 0}}.bounds()
	if nothing[0] != nothing[1] || nothing[2] != nothing[3] || nothing[0] > -.1 {
		t.Errorf("no change seen is no proof: %v", nothing)
	}
}

// TestRates: these documents have exactly the rates of the truth.
func TestRates(t *testing.T) {
	for documents := 2; documents < 12; documents++ {
		for _, uneven := range []bool{false, true} {
			losses, gains := design{0, 4, documents}.rates(common, uneven)
			sum := 0.0
			for g := range losses {
				sum += gains[g] - losses[g]
				if losses[g]/often+gains[g]/often > 1 {
					t.Errorf("%d documents: rates above 1", documents)
				}
			}
			if math.Abs(sum/float64(documents)+margin) > 1e-12 {
				t.Errorf("%d documents, uneven %v: %v", documents, uneven, sum)
			}
			if uneven == (losses[0] == losses[documents-1]) {
				t.Errorf("%d documents, uneven %v: %v", documents, uneven, losses)
			}
		}
	}
}

// TestAA: intervals do not tell two identical arms apart more often than nominal,
// on labelled sets under real cuts. The screen promises no such thing: where cuts
// change the verdicts of many questions it does cry out.
func TestAA(t *testing.T) {
	for _, name := range []string{"squad2-dev", "orsharc-handbook"} {
		dir := filepath.Join("..", "..", "..", "..", "shared", "data", name)
		if _, err := os.Stat(dir); err != nil {
			t.Skip("shared sets not present: " + dir)
		}
		s, err := read(dir)
		if err != nil {
			t.Fatal(err)
		}
		const trials, nominal = 200, .05
		hits := count(trials, 2, s.alarms)
		t.Logf("%s: %d questions, %d clusters: %v of %d", name, len(s.support), s.distinct(), hits, trials)
		for i, n := range hits[:2] {
			if most := trials*nominal + 3*math.Sqrt(trials*nominal*(1-nominal)); float64(n) > most {
				t.Errorf("%s: %s in %d of %d trials", name, alarms[i], n, trials)
			}
		}
	}
}

// TestSplice: only the generated part of a page is replaced, and pages without one
// are left alone.
func TestSplice(t *testing.T) {
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, []byte("# Page\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := run([]string{"-date", "d", "-o", page, "-trials", "1"}); err == nil || !strings.Contains(err.Error(), "has no lines") {
		t.Errorf("a page without a generated part: %v", err)
	}
	if err := run([]string{"-o", page}); err == nil {
		t.Error("no date")
	}
	if b, _ := os.ReadFile(page); string(b) != "# Page\n" {
		t.Errorf("the page is now %q", b)
	}
}
