package baseline

import (
	"fmt"
	"slices"

	"kerf/internal/study/plan"
)

// Instrument is what measures, as kerf.yaml has it. What is measured, splitter and
// retrieval, stands in the Set, and so do the placements, of which an arm may have its own.
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
	Ignorable string
}

// NewInstrument is the instrument of an experiment.
func NewInstrument(e plan.Experiment) Instrument {
	return Instrument{Reader: once(e.Reader), Access: e.Access,
		Tokens: e.Budget.Tokens, Tokenizer: e.Budget.Tokenizer, Overflow: e.Budget.Overflow, Format: e.Budget.Format,
		K: slices.Clone(e.K), AtK: e.AtK, Depth: e.Depth, Ignorable: e.Ignorable}
}

// once is names in order, each once: a reader is a set of names.
func once(names []string) []string {
	sorted := append([]string{}, names...)
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

// Phases is the difference of two arms' placements, given as their labels; none where
// the cuts of one of them do not move: that arm's one ranking holds for every placement.
func Phases(was, is []string) []Difference {
	if len(was) == len(is) || was[0] == plan.Control || is[0] == plan.Control {
		return nil
	}
	return []Difference{{"phases", fmt.Sprint(len(was)), fmt.Sprint(len(is))}}
}

// settings are name and value of every setting.
func (i Instrument) settings() [][2]string {
	return [][2]string{
		{"reader", quotedList(i.Reader)}, {"access", i.Access},
		{"budget.tokens", fmt.Sprint(i.Tokens)}, {"budget.tokenizer", i.Tokenizer}, {"budget.overflow", i.Overflow}, {"budget.format", i.Format},
		{"k", integers(i.K)}, {"at_k", fmt.Sprint(i.AtK)}, {"depth", fmt.Sprint(i.Depth)}, {"ignorable", i.Ignorable},
	}
}
