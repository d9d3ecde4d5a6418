package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"kerf/internal/release/power"
	"kerf/internal/report"
	"kerf/internal/stats"
	"kerf/internal/study/sweep"
)

// powerPilot is what a pilot says of the change between two arms, at the ordinary
// cuts in the budget view.
type powerPilot struct {
	Baseline  string `json:"baseline"` // RUN/ARM
	Candidate string `json:"candidate"`
	power.Size
	Gained  int                  `json:"gained"`
	Lost    int                  `json:"lost"`
	Missing int                  `json:"missing"` // questions without a result in either arm; in none of the other figures
	ICC     stats.Maybe[float64] `json:"icc"`
}

// powerPilot reads a pilot, and how many questions each of its documents has.
func (a *app) powerPilot(names []string) (*powerPilot, []int, error) {
	p := new(powerPilot)
	var verdicts [2][][]stats.Verdict
	var kept [2]*sweep.Kept
	for i, name := range names {
		k, arm, err := a.keptArm(name)
		if err != nil {
			return nil, nil, err
		}
		if verdicts[i], err = k.Facts.Support(arm); err != nil {
			return nil, nil, err
		}
		kept[i] = k
		*[]*string{&p.Baseline, &p.Candidate}[i] = k.Manifest.Run + "/" + arm
	}
	if p.Baseline == p.Candidate {
		return nil, nil, usage("--pilot: both arms are %s", p.Baseline)
	}
	if kept[0].Manifest.Golden != kept[1].Manifest.Golden || len(verdicts[0]) != len(verdicts[1]) {
		return nil, nil, usage("--pilot: %s and %s have not been asked the same questions", p.Baseline, p.Candidate)
	}
	clusters := kept[0].Facts.Clusters()
	order := map[string]int{} // cluster -> its place below
	var gains, losses, sizes []int
	ordinary := func(row []stats.Verdict) stats.Verdict { return row[len(row)-1] }
	for i, cluster := range clusters {
		was, is := ordinary(verdicts[0][i]), ordinary(verdicts[1][i])
		if was == stats.Missing || is == stats.Missing {
			p.Missing++
			continue
		}
		c, ok := order[cluster]
		if !ok {
			c = len(sizes)
			order[cluster] = c
			gains, losses, sizes = append(gains, 0), append(losses, 0), append(sizes, 0)
		}
		sizes[c]++
		p.Questions++
		switch {
		case is > was:
			gains[c]++
			p.Gained++
		case is < was:
			losses[c]++
			p.Lost++
		}
	}
	p.Documents = len(sizes)
	if icc, ok := power.ICC(gains, losses, sizes); ok {
		p.ICC = stats.Measured(icc)
	}
	if p.Questions == 0 {
		return nil, nil, usage("--pilot: no question has a result in both arms")
	}
	return p, sizes, nil
}

// from takes from a pilot what no flag says.
func (p *powering) from(pilot *powerPilot, sizes []int, written func(string) bool) error {
	if !written("per-document") {
		p.perDocument = sizes
	}
	if !written("icc") && pilot.ICC.Measured {
		p.icc = max(0, pilot.ICC.Value)
	}
	if written("discordance") {
		return nil
	}
	changed := pilot.Gained + pilot.Lost
	if changed == 0 {
		return usage("--pilot: the arms differ at none of %s, which says how rarely they change and not how often; write --discordance (at most %.3g with 95 %% confidence, if each question had its own document)",
			counted(pilot.Questions, "question"), stats.NoLossBound(float64(pilot.Questions), .05))
	}
	p.discordance = float64(changed) / float64(pilot.Questions)
	if p.effect > p.discordance || -p.effect > p.discordance {
		return usage("--effect %v: larger than the share of the pilot's questions that change, %v", p.effect, p.discordance)
	}
	return nil
}

// keptArm is a finished run and one of its arms, by ARM of the newest run or by
// RUN/ARM.
func (a *app) keptArm(name string) (*sweep.Kept, string, error) {
	run, arm := "", name
	open := func() (*sweep.Kept, []string, error) {
		folder, err := a.runFolder(run)
		if err != nil {
			return nil, nil, err
		}
		if err := checkLedger(folder, filepath.Join(folder, "ledger")); err != nil {
			return nil, nil, err
		}
		k, err := sweep.OpenFolder(folder, a.texts())
		if err != nil {
			return nil, nil, err
		}
		var arms []string
		for _, p := range k.Facts.Arms {
			arms = append(arms, p.Arm.Name)
		}
		return k, arms, nil
	}
	k, arms, err := open()
	before, after, ok := strings.Cut(name, "/")
	if ok && (err != nil || !slices.Contains(arms, arm)) { // not an arm with a slash in its name
		run, arm = before, after
		k, arms, err = open()
	}
	if err != nil {
		return nil, "", err
	}
	if !slices.Contains(arms, arm) {
		return nil, "", usage("run %s: no arm %s: %s", k.Manifest.Run, arm, meant(arm, arms))
	}
	return k, arm, nil
}

func (a *app) powerText(out powerOutput) error {
	var b strings.Builder
	fmt.Fprintf(&b, "to rule out a loss of %s points: alpha %v one-sided, power %v, true effect %s points\n", points(out.Margin), out.Alpha, out.Power, points(out.Effect))
	fmt.Fprintf(&b, "assumed: %s in 100 questions change; ICC %s, the interval assumes %v at least; %s a document\n", points(out.Discordance), figures(out.ICC), out.Floor, sizesText(out.PerDocument))
	if p := out.Pilot; p != nil {
		icc := "ICC not measured"
		if p.ICC.Measured {
			icc = "ICC " + figures(p.ICC.Value)
		}
		fmt.Fprintf(&b, "pilot: %s against %s: %d gained, %d lost of %s in %s; %s", p.Candidate, p.Baseline, p.Gained, p.Lost, counted(p.Questions, "question"), counted(p.Documents, "cluster")+" of documents", icc)
		if p.Missing > 0 {
			fmt.Fprintf(&b, "; %s without a result", counted(p.Missing, "question"))
		}
		b.WriteString("\n")
	}
	b.WriteString("\n")
	rows := [][]string{{"", "questions", "documents", "accepted"}}
	row := func(name string, s power.Size, rest string) {
		rows = append(rows, []string{name, report.Number(s.Questions), report.Number(s.Documents), rest})
	}
	row("zero losses", out.ZeroLosses.Size, fmt.Sprintf("exact; %s if each had its own document", report.Number(out.ZeroLosses.Independent)))
	guess := "the formula alone: a guess, not simulated"
	if out.Guess.Trials.Trials > 0 {
		guess = accepted(out.Guess.Trials) + ": the formula's guess"
	}
	row("first guess", out.Guess.Size, guess)
	if n := out.Needed; n.Measured {
		row("needed", n.Value.Size, accepted(n.Value.Trials)+", simulated")
	} else {
		rows = append(rows, []string{"needed", "not reached", "", fmt.Sprintf("by %s", counted(power.MostQuestions, "question"))})
	}
	report.Columns(&b, rows)
	if n := out.Needed; n.Measured {
		fmt.Fprintf(&b, "false accepts there, with the truth at the margin: %s\n", accepted(power.Trials{Accepted: n.Value.FalseAccepts, Trials: n.Value.Trials.Trials}))
	}
	if l := out.Labelling; l != nil {
		fmt.Fprintf(&b, "labelling: %s at %v an hour: %.1f hours\n", counted(out.Needed.Value.Questions, "question"), l.Rate, l.Hours)
	}
	s := out.Smallest
	fmt.Fprintf(&b, "%s in %s can prove: ", counted(s.Questions, "question"), counted(s.Documents, "document"))
	if s.Documents < stats.FewClusters {
		fmt.Fprintf(&b, "nothing, there must be %d documents\n", stats.FewClusters)
	} else {
		fmt.Fprintf(&b, "a margin of %s points where none is lost (exact), about %s with power %v (formula)\n", points(s.ZeroLosses), points(s.Formula), out.Power)
	}
	fmt.Fprintf(&b, "seed %s\n", out.Seed)
	_, err := fmt.Fprint(a.Stdout, Escape(b.String()))
	if err == nil {
		a.next("import", "questions", "--help")
	}
	return err
}

// accepted is a simulated share with its Monte Carlo standard error.
func accepted(t power.Trials) string {
	return fmt.Sprintf("%s of %s (%.3f, s.e. %.3f)", report.Number(t.Accepted), report.Number(t.Trials), t.Share(), t.Error())
}

// sizesText is how many questions documents have.
func sizesText(sizes []int) string {
	low, high := slices.Min(sizes), slices.Max(sizes)
	if low == high {
		return counted(low, "question")
	}
	return fmt.Sprintf("%d to %d questions", low, high)
}

func points(share float64) string { return figures(100 * share) }

// figures is a number with three figures.
func figures(v float64) string { return fmt.Sprintf("%.3g", v) }
