// Package gate is the fast screen of a pull request: gate/1 (docs/format/gate.md).
//
// A measure may fall by its tolerance and no more; the comparison is of exact
// fractions. It is an alarm and no proof: what it would miss at this many questions
// is part of its answer. What was not measured never passes.
package gate

import (
	"math/big"

	"kerf/internal/stats"
	"kerf/internal/study/diff"
	"kerf/internal/study/effect"
)

// Kind is the value of "kerf" in a Gate.
const Kind = "gate/1"

// Verdict is what the screen says of a measure, or as a whole.
type Verdict string

// The verdicts, the gravest first: the whole is the gravest of its screens'.
const (
	NotComparable Verdict = "not comparable" // the measuring instrument differs, or a question is gone
	Incomplete    Verdict = "incomplete"     // something has no result
	Regression    Verdict = "regression"     // a fall by more than the tolerance, or a value below the floor
	Pass          Verdict = "pass"
)

// Gate is gate/1.
type Gate struct {
	Kerf       string         `json:"kerf"` // Kind
	Verdict    Verdict        `json:"verdict"`
	Enforced   bool           `json:"enforced"` // false: fail_on is never, and the exit code 0
	Exit       int            `json:"exit"`
	Baseline   Side           `json:"baseline"`
	Candidate  Side           `json:"candidate"`
	Sample     string         `json:"sample"` // whose questions are screened
	Questions  diff.Questions `json:"questions"`
	Placements int            `json:"placements"`      // of the candidate
	Screens    []Screen       `json:"screens"`         // support, mrr, then segments by name
	Unmeasured []string       `json:"unmeasured"`      // measures of the format that nobody measured: answer_accuracy
	Missing    []string       `json:"missing"`         // what has no result on one side, a sentence each
	Reason     string         `json:"reason,omitzero"` // why there is nothing to compare with; nothing is screened then
	Instrument []Instrument   `json:"instrument"`      // what measures and differs
	Gone       []Gone         `json:"gone"`            // questions of the baseline that are not asked any more
	Changes    []Change       `json:"changes"`         // in the budget view at the ordinary cuts: lost, then gained, each in the order of the golden set
	Changed    []string       `json:"changed"`         // what differs of the tested system: size, split, retrieve, rankings, ...
	Warnings   []diff.Warning `json:"warnings"`
	Repair     []string       `json:"repair,omitzero"` // the words of a kerf command that makes both comparable
}

// Side is one of the two sides.
type Side struct {
	Name   string `json:"name"` // main@1a2b3c4d5e6f, baseline.json, working tree
	Arm    string `json:"arm"`
	Commit string `json:"commit,omitzero"`
	Kerf   string `json:"kerf"` // the version that ranked
}

// Screen is one measure against its tolerance.
type Screen struct {
	Measure   string                       `json:"measure"`          // support, mrr
	Segment   string                       `json:"segment,omitzero"` // "": all questions of the sample
	View      string                       `json:"view"`             // budget, ranking
	Placement string                       `json:"placement"`        // all, ordinary
	Baseline  stats.Sum                    `json:"baseline"`         // sums over the questions; the mean is Sum / (Den - Missing)
	Candidate stats.Sum                    `json:"candidate"`        //
	Drop      string                       `json:"drop,omitzero"`    // baseline less candidate, exact, a share "a/b"; absent where not measured
	Tolerance string                       `json:"tolerance"`        // "a/b"
	Least     string                       `json:"least_tolerance"`  // max(1/20, 5/(2n))
	Floor     string                       `json:"floor,omitzero"`   // "a/b"
	Verdict   Verdict                      `json:"verdict"`          //
	Why       string                       `json:"why,omitzero"`     // of a verdict other than pass, a sentence
	Lost      int                          `json:"lost"`             // questions
	Gained    int                          `json:"gained"`           //
	Misses    *Misses                      `json:"misses,omitzero"`  // nil without a question
	CI        stats.Maybe[effect.Interval] `json:"ci"`               // of candidate less baseline: information, it decides nothing
}

// Misses is what the screen does not see: the true losses that it passes half of
// the time and one time in six, for so many independent questions of one verdict
// each, .02 of which gain; and the smallest loss that they can exclude at all. Shares.
type Misses struct {
	Questions int     `json:"questions"`
	Half      float64 `json:"half"`
	Sixth     float64 `json:"sixth"`
	Provable  float64 `json:"provable"` // 1 - .025^(1/n), where nothing is lost
}

// Instrument is a setting of the measuring instrument on both sides.
type Instrument struct {
	Name      string `json:"name"` // of kerf.yaml: budget.tokens, reader, ...; or hit
	Baseline  string `json:"baseline"`
	Candidate string `json:"candidate"`
}

// Gone is a question of the baseline that has no counterpart.
type Gone struct {
	QID string `json:"qid"`
	Why string `json:"why"` // not in the golden set, a draft, held out, of another sample, ...
}

// Change is a question that one side alone has whole, and where to look.
type Change struct {
	diff.Change
	Label    Place   `json:"label"`    // its line in the golden set
	Evidence []Place `json:"evidence"` // its spans in the documents, of the first set
}

// Place is a line of a file.
type Place struct {
	File string `json:"file"` // as the project names it, with "/"
	Line int    `json:"line"` // from 1; 0: not known
}

// Passes is the rule: a measure may fall by its tolerance and no more.
func Passes(baseline, candidate, tolerance *big.Rat) bool {
	return new(big.Rat).Sub(baseline, candidate).Cmp(tolerance) <= 0
}

// LeastTolerance is max(1/20, 5/(2n)) for n questions: below two and a half
// questions' worth a screen cries wolf (requirements 5.14).
func LeastTolerance(n int) *big.Rat {
	least := big.NewRat(1, 20)
	if n > 0 && n < 50 {
		least.SetFrac64(5, 2*int64(n))
	}
	return least
}
