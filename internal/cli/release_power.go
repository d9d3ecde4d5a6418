package cli

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"runtime"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"kerf/internal/release/power"
	"kerf/internal/stats"
)

// powerTrials is how many comparisons are simulated at each size.
const powerTrials = 2000

// powering is the flags of kerf release power.
type powering struct {
	margin, discordance, icc, floor, effect, alpha, power float64
	perDocument                                           []int
	pilot                                                 []string
	questions                                             int
	rate                                                  string
	perHour                                               float64
}

func (a *app) newReleasePower() *cobra.Command {
	var p powering
	cmd := &cobra.Command{
		Use:   "power",
		Short: "How many questions prove that an arm loses no more than a margin",
		Long: `How many labelled questions, in how many documents, prove that a candidate loses no
more than a margin against a baseline: from a pilot run, or from assumptions. The
formula is a first guess; what counts is simulated with the interval that kerf
decides by, and where nothing is lost the rule is exact.

Exit: 0 printed, 2 a flag is missing or outside of its range, or the pilot cannot be read.`,
		Example: "  kerf release power --margin .05 --discordance .1 --per-document 4 --rate 12/h",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if err := a.kinds("release power", ".json"); err != nil {
				return err
			}
			return a.releasePower(p, cmd.Flags().Changed)
		},
	}
	f := cmd.Flags()
	f.Float64Var(&p.margin, "margin", 0, "the loss that must be ruled out: `D` of the questions, .05 for 5 points")
	f.Float64Var(&p.discordance, "discordance", 0, "share `P` of the questions that only one arm answers")
	f.IntSliceVar(&p.perDocument, "per-document", nil, "`N` questions a document; a list is used over and over")
	f.Float64Var(&p.icc, "icc", stats.DefaultICC, "correlation `R` of the changes within a document")
	f.Float64Var(&p.floor, "icc-floor", stats.DefaultICC, "correlation `R` that the interval assumes at least")
	f.Float64Var(&p.effect, "effect", 0, "the true difference `D`, gains less losses")
	f.Float64Var(&p.alpha, "alpha", .025, "chance `A` of a wrong accept, one-sided")
	f.Float64Var(&p.power, "power", .8, "wanted chance `P` to accept")
	f.StringSliceVar(&p.pilot, "pilot", nil, "two arms of a run, `BASELINE,CANDIDATE`, or RUN/ARM,RUN/ARM")
	f.IntVar(&p.questions, "questions", 0, "say the smallest margins for `N` questions")
	f.StringVar(&p.rate, "rate", "", "labels an hour, `N/h`: print hours")
	return cmd
}

// problems are everything that is wrong with the flags.
func (p *powering) problems(written func(string) bool) error {
	var found []error
	between := func(flag string, v, low, high float64, open bool) {
		if !(v >= low && v <= high) || open && (v == low || v == high) {
			found = append(found, fmt.Errorf("--%s %v: expected a number %v to %v%s", flag, v, low, high, map[bool]string{true: ", these excluded"}[open]))
		}
	}
	needed := func(flag, why string) {
		if !written(flag) {
			found = append(found, fmt.Errorf("--%s is needed: %s", flag, why))
		}
	}
	needed("margin", "the loss that must be ruled out, .05 for 5 points")
	if written("margin") && !(p.margin >= .001 && p.margin < 1) {
		found = append(found, fmt.Errorf("--margin %v: expected a number .001 to below 1", p.margin))
	}
	if !written("pilot") {
		needed("discordance", "how many questions change between the arms; or --pilot BASELINE,CANDIDATE")
		needed("per-document", "how many questions a document has; or --pilot BASELINE,CANDIDATE")
	} else if len(p.pilot) != 2 {
		found = append(found, fmt.Errorf("--pilot %s: expected two arms, BASELINE,CANDIDATE", strings.Join(p.pilot, ",")))
	}
	if written("discordance") && !(p.discordance > 0 && p.discordance <= 1) {
		found = append(found, fmt.Errorf("--discordance %v: expected a number above 0, at most 1", p.discordance))
	}
	const most = 10_000
	for _, n := range p.perDocument {
		if n < 1 || n > most {
			found = append(found, fmt.Errorf("--per-document %d: expected a number 1 to %d", n, most))
		}
	}
	between("icc", p.icc, 0, 1, false)
	between("icc-floor", p.floor, 0, 1, false)
	between("alpha", p.alpha, 0, .5, true)
	between("power", p.power, min(max(p.alpha, 0), .5), 1, true)
	if written("margin") && !(p.effect > -p.margin && p.effect <= 1) {
		found = append(found, fmt.Errorf("--effect %v: expected a number above %v, what is lost at the margin, at most 1", p.effect, -p.margin))
	}
	if written("discordance") && math.Abs(p.effect) > p.discordance {
		found = append(found, fmt.Errorf("--effect %v: larger than --discordance %v, the share of the questions that change", p.effect, p.discordance))
	}
	if written("questions") && p.questions < 1 {
		found = append(found, fmt.Errorf("--questions %d: expected a positive number", p.questions))
	}
	if written("rate") {
		number, ok := strings.CutSuffix(p.rate, "/h")
		v, err := strconv.ParseFloat(number, 64)
		if !ok || err != nil || !(v > 0) || math.IsInf(v, 0) {
			found = append(found, fmt.Errorf("--rate %s: expected labels an hour, such as 12/h", p.rate))
		}
		p.perHour = v
	}
	if err := errors.Join(found...); err != nil {
		return exit(exitTrouble, err)
	}
	return nil
}

// powerOutput is power/1.
type powerOutput struct {
	Kerf        string                   `json:"kerf"`
	Margin      float64                  `json:"margin"`
	Alpha       float64                  `json:"alpha"`
	Power       float64                  `json:"power"`
	Effect      float64                  `json:"effect"`
	Discordance float64                  `json:"discordance"`
	ICC         float64                  `json:"icc"`
	Floor       float64                  `json:"icc_floor"`
	PerDocument []int                    `json:"per_document"`
	Pilot       *powerPilot              `json:"pilot,omitempty"`
	ZeroLosses  powerExact               `json:"zero_losses"`
	Guess       powerSize                `json:"guess"`
	Needed      stats.Maybe[powerNeeded] `json:"needed"`
	Smallest    power.Provable           `json:"smallest"`
	Labelling   *powerLabelling          `json:"labelling,omitempty"`
	Seed        string                   `json:"seed"`
}

type powerExact struct {
	Independent int `json:"independent"` // questions, if each had its own document
	power.Size
}

type powerSize struct {
	power.Size
	DEFF float64 `json:"design_effect"`
	power.Trials
}

type powerNeeded struct {
	powerSize
	FalseAccepts int `json:"false_accepts"` // of as many trials
}

type powerLabelling struct {
	Rate  float64 `json:"rate"` // an hour
	Hours float64 `json:"hours"`
}

func (a *app) releasePower(p powering, written func(string) bool) error {
	if err := p.problems(written); err != nil {
		return err
	}
	var pilot *powerPilot
	if written("pilot") {
		var sizes []int
		var err error
		if pilot, sizes, err = a.powerPilot(p.pilot); err != nil {
			return err
		}
		if err := p.from(pilot, sizes, written); err != nil {
			return err
		}
	}
	out := powerOutput{Kerf: "power/1", Margin: p.margin, Alpha: p.alpha, Power: p.power, Effect: p.effect,
		Discordance: p.discordance, ICC: p.icc, Floor: p.floor, PerDocument: p.perDocument}
	inputs, err := json.Marshal(out)
	if err != nil {
		return err
	}
	digest := sha256.Sum256(inputs)
	out.Pilot = pilot // the seed depends on numbers, not on the names of runs
	out.Seed = fmt.Sprintf("%x", digest[:8])
	jobs := a.jobs
	if jobs == 0 {
		jobs = runtime.NumCPU()
	}
	plan := power.Plan{
		Rule:        power.Rule{Margin: p.margin, Alpha: p.alpha, Floor: p.floor},
		Discordance: p.discordance, Effect: p.effect, ICC: p.icc, Sizes: p.perDocument, Power: p.power,
		Seed: binary.BigEndian.Uint64(digest[:8]), Trials: powerTrials, Jobs: jobs,
	}
	out.ZeroLosses = powerExact{plan.Whole(), plan.ZeroLosses()}
	guess := plan.Guess()
	out.Guess = powerSize{Size: guess, DEFF: plan.DesignEffect(guess.Documents)}
	if guess.Questions <= power.MostQuestions {
		out.Guess.Trials = plan.At(guess.Documents)
	}
	of := guess.Questions
	if size, at, ok := plan.Needed(); ok {
		out.Needed = stats.Measured(powerNeeded{powerSize{size, plan.DesignEffect(size.Documents), at}, plan.FalseAccepts(size.Documents).Accepted})
		of = size.Questions
		if p.perHour > 0 {
			out.Labelling = &powerLabelling{p.perHour, float64(size.Questions) / p.perHour}
		}
	}
	switch {
	case p.questions > 0:
		of = p.questions
	case out.Pilot != nil:
		of = out.Pilot.Questions
	}
	out.Smallest = plan.Smallest(of)
	return a.answer(out, func() error { return a.powerText(out) })
}
