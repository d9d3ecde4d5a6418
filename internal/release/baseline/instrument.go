package baseline

import (
	"fmt"
	"slices"
	"strings"

	"kerf/internal/study/plan"
)

// Instrument is what measures, as kerf.yaml has it. What it measures, splitter and
// retrieval, stands in the Set.
type Instrument struct {
	Reader    []string // names in order, each once
	Access    string
	Tokens    int // of the budget, as the next three
	Tokenizer string
	Overflow  string
	Format    string
	K         []int
	AtK       int
	Depth     int
	Phases    plan.Phases // without targets, which stand in no mean
	Ignorable string
}

// NewInstrument is the instrument of an experiment.
func NewInstrument(e plan.Experiment) Instrument {
	return Instrument{Reader: once(e.Reader), Access: e.Access,
		Tokens: e.Budget.Tokens, Tokenizer: e.Budget.Tokenizer, Overflow: e.Budget.Overflow, Format: e.Budget.Format,
		K: slices.Clone(e.K), AtK: e.AtK, Depth: e.Depth, Phases: plan.Phases{All: e.Phases.All, Grid: e.Phases.Grid}, Ignorable: e.Ignorable}
}

// once is names in order, each once: a reader is a set of names.
func once(names []string) []string {
	sorted := slices.Clone(names)
	slices.Sort(sorted)
	return slices.Compact(sorted)
}

// Difference is a setting that two instruments do not share.
type Difference struct {
	Name                string // as kerf.yaml has it: budget.tokens
	Baseline, Candidate string // for people
}

// Differences are the settings in which today's instrument differs from i, in the
// order of a file.
func (i Instrument) Differences(today Instrument) []Difference {
	var differ []Difference
	now := today.settings()
	for n, s := range i.settings() {
		if s[1] != now[n][1] {
			differ = append(differ, Difference{s[0], s[1], now[n][1]})
		}
	}
	return differ
}

// settings are name and value of every setting.
func (i Instrument) settings() [][2]string {
	return [][2]string{
		{"reader", quotedList(i.Reader)}, {"access", i.Access},
		{"budget.tokens", fmt.Sprint(i.Tokens)}, {"budget.tokenizer", i.Tokenizer}, {"budget.overflow", i.Overflow}, {"budget.format", i.Format},
		{"k", integers(i.K)}, {"at_k", fmt.Sprint(i.AtK)}, {"depth", fmt.Sprint(i.Depth)}, {"phases", strings.Trim(phases(i.Phases), `"`)}, {"ignorable", i.Ignorable},
	}
}
