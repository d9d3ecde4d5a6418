// Package diff compares two arms question by question, of one run or of two:
// diff/1 (docs/format/diff.md).
//
// A difference is candidate minus baseline, over the questions that both sides
// asked of the same evidence. The first effect is the headline.
package diff

import (
	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/effect"
)

// Kind is the value of "kerf" in a diff.
const Kind = "diff/1"

// Diff is diff/1.
type Diff struct {
	Kerf         string       `json:"kerf"` // Kind
	Baseline     Named        `json:"baseline"`
	Candidate    Named        `json:"candidate"`
	Sample       string       `json:"sample"` // the headline sample: of strips, changes and grids
	Questions    Questions    `json:"questions"`
	Clusters     Clusters     `json:"clusters"`
	Estimand     string       `json:"estimand"` // effect.Population or effect.Fixed
	Level        float64      `json:"level"`
	ICC          float64      `json:"icc"`
	Draws        int          `json:"draws"`
	Seed         string       `json:"seed"`
	Intervention []string     `json:"intervention"`
	Confounded   []string     `json:"confounded"`
	Effects      []Effect     `json:"effects"`
	Exploratory  *Exploratory `json:"exploratory,omitzero"` // nil without parts
	Changes      []Change     `json:"changes"`
	Strips       []Strip      `json:"strips"`
	Anchored     []Anchored   `json:"anchored"`
	Grids        []Grid       `json:"grids"`
	Warnings     []Warning    `json:"warnings"`
}

// Named is one of the two sides.
type Named struct {
	Given      string                        `json:"given"`
	Arm        string                        `json:"arm"`
	Run        string                        `json:"run"` // "" for a file of rankings
	Kerf       string                        `json:"kerf"`
	Corpus     string                        `json:"corpus"`
	Golden     string                        `json:"golden"`
	Placements int                           `json:"placements"`
	Size       int                           `json:"size,omitzero"` // of windows
	Overlap    int                           `json:"overlap,omitzero"`
	Rebuild    *stats.Maybe[compare.Rebuild] `json:"rebuild,omitzero"`
}

// Questions says which are compared.
type Questions struct {
	Paired        int      `json:"paired"`
	Unanswerable  int      `json:"unanswerable"`
	OnlyBaseline  []string `json:"only_baseline"`
	OnlyCandidate []string `json:"only_candidate"`
	Relabelled    []string `json:"relabelled"` // text, reader, limits or evidence differ
}

// Clusters are those of the headline sample.
type Clusters struct {
	Unit    string      `json:"unit"`
	Count   int         `json:"count"`
	Largest stats.Count `json:"largest"`
}

// Effect is one paired difference.
type Effect struct {
	Measure    string                        `json:"measure"`
	View       string                        `json:"view"`      // budget, top_k, ranking
	Placement  string                        `json:"placement"` // all, ordinary
	Sample     string                        `json:"sample"`
	Segment    string                        `json:"segment,omitzero"`
	Dependency string                        `json:"dependency,omitzero"`
	Baseline   Level                         `json:"baseline"`
	Candidate  Level                         `json:"candidate"`
	Difference stats.Sum                     `json:"difference"`
	Gained     int                           `json:"gained"`
	Lost       int                           `json:"lost"`
	CI         stats.Maybe[effect.Interval]  `json:"ci"`
	Bootstrap  stats.Maybe[effect.Bootstrap] `json:"bootstrap"`
	Losses     *float64                      `json:"losses_below,omitzero"`
	Gains      *float64                      `json:"gains_below,omitzero"`
}

// IsPart says that it is over a part of a sample.
func (e *Effect) IsPart() bool { return e.Segment != "" || e.Dependency != "" }

// Level is one arm's value.
type Level struct {
	Value stats.Sum                    `json:"value"`
	CI    stats.Maybe[effect.Interval] `json:"ci"`
	Exact *effect.Bounds               `json:"exact,omitzero"`
}

// Exploratory is the largest of the differences of parts.
type Exploratory struct {
	Cells  int `json:"cells"`
	Effect int `json:"effect"` // its place in Effects
}

// Change is a question that one arm has whole at the ordinary cuts and the other
// not.
type Change struct {
	QID        string   `json:"qid"`
	View       string   `json:"view"`
	Change     string   `json:"change"` // gained, lost
	Segment    string   `json:"segment"`
	Dependency []string `json:"dependency"`
	Baseline   Standing `json:"baseline"`
	Candidate  Standing `json:"candidate"`
}

// Standing is how a question fares in one arm.
type Standing struct {
	Hits       int    `json:"hits"`
	Placements int    `json:"placements"`        // with a result
	WholeAt    *int   `json:"whole_at,omitzero"` // rank at the ordinary cuts; 0: never; nil: no ranks are kept
	Cause      string `json:"cause"`             // "" where it is whole at the ordinary cuts
}

// Strip is an arm over its placements, in a view.
type Strip struct {
	Arm           string                       `json:"arm"` // baseline, candidate
	View          string                       `json:"view"`
	Phase         []Phase                      `json:"phase"`
	Worst         stats.Maybe[compare.Worst]   `json:"worst"`
	WorstCI       stats.Maybe[effect.Bounds]   `json:"worst_ci"`
	Chosen        []Chosen                     `json:"chosen"`
	PerQueryWorst stats.Count                  `json:"per_query_worst"`
	Flips         compare.Moving[stats.Count]  `json:"flips"`
	Disagreement  compare.Moving[stats.Sum]    `json:"disagreement"`
	Variance      stats.Maybe[effect.Variance] `json:"variance"`
}

// Phase is a placement.
type Phase struct {
	Label   string      `json:"label"`
	Support stats.Count `json:"support"`
}

// Chosen is in how many draws a placement was the worst.
type Chosen struct {
	Label string `json:"label"`
	Draws int    `json:"draws"`
}

// Anchored holds every placement of the candidate against the baseline's mean.
type Anchored struct {
	View       string    `json:"view"`
	Label      string    `json:"label"` // of the least difference
	Difference stats.Sum `json:"difference"`
	Lo         float64   `json:"lo"` // the least of the one-sided bounds
}

// Grid is size by placement.
type Grid struct {
	View string `json:"view"`
	Rows []Cell `json:"rows"`
}

// Cell is a placement of both arms.
type Cell struct {
	Label       string      `json:"label"`
	Baseline    stats.Count `json:"baseline"`
	Candidate   stats.Count `json:"candidate"`
	Difference  string      `json:"difference"`  // of shares, "a/b"
	Interaction string      `json:"interaction"` // that less the mean of all
}

// Warning is something that a reader must know.
type Warning struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}
