// Package compare turns the ledger of a run and its golden set into the report:
// per arm and view the support over placements of the cuts, per pair of arms
// the paired difference, segments and samples apart, and what is missing.
//
// A Report is report/1 (docs/format/report.md): counts, never fractions. An
// Overlay holds the source text behind a question, for renderers alone: the
// report stays free of long texts.
package compare

import (
	"kerf/internal/stats"
	"kerf/internal/study/effect"
	"kerf/internal/study/plan"
)

// Kind is the value of "kerf" in a report.
const Kind = "report/1"

// Control is the label of the only phase of an unshifted control.
const Control = plan.Control

// Report is report.json. Its lists have a declared order, its maps are written
// by sorted key: the same run gives the same bytes.
type Report struct {
	Kerf            string          `json:"kerf"` // Kind
	Run             string          `json:"run"`
	Corpus          Corpus          `json:"corpus"`
	Golden          Golden          `json:"golden"`
	Reader          []string        `json:"reader"`
	Budget          Budget          `json:"budget"`
	K               []int           `json:"k"`
	AtK             int             `json:"at_k"`
	Phases          Phases          `json:"phases"`
	Ignorable       string          `json:"ignorable"`        // white_space or strict
	Sample          string          `json:"sample"`           // whose questions views, measures, pairs are over: representative; enriched where the set has no other
	Baseline        string          `json:"baseline"`         // an arm
	Redact          string          `json:"redact"`           // "none", or "text": digests stand in place of questions
	Arms            []Arm           `json:"arms"`             // in the order of the experiment
	Pairs           []Pair          `json:"pairs"`            // the same order, without the baseline; budget before top_k
	ContextsChecked int             `json:"contexts_checked"` // for hard violations
	HardViolations  []Violation     `json:"hard_violations"`
	Warnings        []Warning       `json:"warnings"`
	MissingCells    []MissingCell   `json:"missing_cells"`
	WorstQuestions  []WorstQuestion `json:"worst_questions"` // worst first
	Reproduce       Reproduce       `json:"reproduce"`
}

// Corpus says which documents.
type Corpus struct {
	Digest string `json:"digest"`
	Docs   int    `json:"docs"`
	Bytes  int    `json:"bytes"`
}

// Golden says which labels: all questions of the run, by what decides how far
// a figure over them reaches.
type Golden struct {
	Digest        string               `json:"digest"`
	Questions     int                  `json:"questions"`
	Answerable    int                  `json:"answerable"`
	Unanswerable  int                  `json:"unanswerable"` // in no denominator of support
	Clusters      int                  `json:"clusters"`
	Origin        map[string]int       `json:"origin"`           // questions per origin; "not stated" where a line names none
	Sample        map[string]int       `json:"sample"`           // questions per sample
	Dependency    map[string]int       `json:"dependency"`       // questions per dependency; one may have several
	Adjudication  map[string]int       `json:"adjudication"`     // questions per state
	Unadjudicated []string             `json:"unadjudicated"`    // qids without a second look at which spans are needed, in order
	Author        map[string]int       `json:"author"`           // questions per author
	Method        map[string]int       `json:"method"`           // questions per method
	Review        map[string]int       `json:"review"`           // questions that a person has looked at, per aspect (S2-007)
	Overlap       map[string]stats.Sum `json:"overlap"`          // word overlap of question and evidence per origin, over the answerable questions of the headline sample
	LeftOut       []LeftOut            `json:"left_out"`         // lines of the file that are none of Questions
	Stale         *Stale               `json:"stale,omitzero"`   // absent where no label is on a superseded version
	HeldOut       *HeldOut             `json:"heldout,omitzero"` // absent where no held-out question was asked
}

// LeftOut is a reason for which lines of the golden file were not asked.
type LeftOut struct {
	Reason    string `json:"reason"`
	Questions int    `json:"questions"`
}

// Budget is what a context may hold, as the experiment declares it.
type Budget = plan.Budget

// Phases is the declared list of placements: a grid of j/P, or all of them.
type Phases struct {
	Grid int  `json:"grid,omitzero"`
	All  bool `json:"all,omitzero"`
}

// Window is the geometry of a windowed arm, in tokens of Tokenizer.
type Window struct {
	Size      int    `json:"size"`
	Overlap   int    `json:"overlap"`
	Stride    int    `json:"stride"`
	Tokenizer string `json:"tokenizer"`
}

// Arm is one configuration over all of its phases.
type Arm struct {
	Arm   string `json:"arm"`
	Split string `json:"split"` // as in the experiment: "tokens", "table"; "rankings" where hits are all that is known
	*Window
	Retrieve string                `json:"retrieve"`       // "bm25", "rankings", "command", "http"
	Scope    string                `json:"scope,omitzero"` // "labelled": documents without a golden span keep the ordinary cuts
	Phases   int                   `json:"phases"`
	Rebuild  *stats.Maybe[Rebuild] `json:"rebuild,omitzero"` // of another engine's index; absent where kerf ranks
	Views    Views                 `json:"views"`
	Measures []Measures            `json:"measures"`         // one a phase, over the questions, on the raw ranking
	Stages   Stages                `json:"stages"`           // support after each stage, over questions x phases
	Curve    []Ceiling             `json:"curve"`            // support under further budgets, ascending; the declared one among them
	Targets  *Targets              `json:"targets,omitzero"` // cuts aimed at the evidence; absent where none were asked for
	Geometry Geometry              `json:"geometry"`
	Segments []Segment             `json:"segments"` // of the budget view, by segment, then by dependency
	Samples  []Segment             `json:"samples"`  // of the budget view; never pooled
	Cost     Cost                  `json:"cost"`
}

// IsControl reports whether the arm is an unshifted control: one phase, no
// placement to compare with.
func (a *Arm) IsControl() bool {
	return a.Phases == 1 && len(a.Views.Budget.Phase) == 1 && a.Views.Budget.Phase[0].Label == Control
}

// Views are the two ways to choose a context. They are never presented as each
// other (S1-070).
type Views struct {
	Budget View `json:"budget"` // primary: a fixed number of evidence tokens
	TopK   View `json:"top_k"`  // secondary: the first at_k raw hits
}

// View is the view of this name, "budget" or "top_k".
func (a *Arm) View(name string) *View {
	switch name {
	case "budget":
		return &a.Views.Budget
	case "top_k":
		return &a.Views.TopK
	}
	panic("BUG: no view " + name)
}

// View is the support of an arm's questions in one kind of context.
type View struct {
	Support         stats.Count           `json:"support"` // over questions x phases
	SupportStrict   stats.Count           `json:"support_strict"`
	Phase           []Phase               `json:"phase"`
	Worst           stats.Maybe[Worst]    `json:"worst"` // not measured where every phase has a missing cell
	PerQueryWorst   stats.Count           `json:"per_query_worst"`
	PerQueryBest    stats.Count           `json:"per_query_best"`
	Flips           Moving[stats.Count]   `json:"flips"`
	Disagreement    Moving[stats.Sum]     `json:"disagreement"`
	SingleUnit      stats.Count           `json:"single_unit"` // over questions x phases
	Infeasible      Infeasible            `json:"infeasible"`
	SupportFeasible stats.Count           `json:"support_feasible"` // over feasible questions x phases
	ContextTokens   stats.Maybe[Quantile] `json:"context_tokens"`
	RepeatedTokens  stats.Sum             `json:"repeated_tokens"` // budget tokens of bytes shown more than once, over the contexts
	EmptyContexts   stats.Count           `json:"empty_contexts"`  // over the contexts
}

// Ordinary is the support at the ordinary cuts, label P/P: the last phase. It is
// empty for a view without phases.
func (v *View) Ordinary() stats.Count {
	if len(v.Phase) == 0 {
		return stats.Count{}
	}
	return v.Phase[len(v.Phase)-1].Support
}

// Stages are the support of what each stage hands on (S1-052): candidates are
// all ranked hits, packed is the budget view. Stages that the arm does not have
// are not applicable.
type Stages struct {
	Candidates stats.Count         `json:"candidates"`
	Fused      Moving[stats.Count] `json:"fused"`
	Reranked   Moving[stats.Count] `json:"reranked"`
	Expanded   Moving[stats.Count] `json:"expanded"`
	Packed     stats.Count         `json:"packed"`
}

// Ceiling is a point of the budget curve.
type Ceiling struct {
	Tokens   int         `json:"tokens"`   // the evidence's ceiling
	Support  stats.Count `json:"support"`  // over questions x phases
	Ordinary stats.Count `json:"ordinary"` // over questions, at the ordinary cuts
}

// Targets are placements with a cut aimed at the evidence of one question each:
// before its first span, between two, after its last. They stand in no mean.
type Targets struct {
	Placements  int                `json:"placements"`
	Questions   int                `json:"questions"`   // that are aimed at
	Support     stats.Count        `json:"support"`     // of the question aimed at, over its targeted placements
	Grid        stats.Count        `json:"grid"`        // of the same questions, over the ordinary phases
	Lost        stats.Count        `json:"lost"`        // questions that some targeted placement loses
	Worst       stats.Maybe[Worst] `json:"worst"`       // the targeted placement with the smallest support of all questions: a stress statistic
	Unreachable []string           `json:"unreachable"` // labels whose place is no token boundary
}

// Phase is one placement of the cuts.
type Phase struct {
	Label    string      `json:"label"`              // "j/P", or Control
	FirstCut int         `json:"first_cut,omitzero"` // in the arm's tokens; 0 for a control
	Chunks   int         `json:"chunks"`
	Support  stats.Count `json:"support"` // over questions
}

// Worst is the phase with the smallest support, the first of equals: a stress
// statistic, not an expected frequency (S1-127).
type Worst struct {
	Label   string      `json:"label"`
	Support stats.Count `json:"support"`
}

// Infeasible counts the questions whose cheapest set does not fit the budget.
// They stay in the denominator of Support.
type Infeasible struct {
	Num  int      `json:"num"`
	Den  int      `json:"den"`
	QIDs []string `json:"qids"`
}

// Quantile holds percentiles over Den contexts, nearest rank.
type Quantile struct {
	P50 int `json:"p50"`
	P95 int `json:"p95"`
	Den int `json:"den"`
}

// Segment is a part of an arm's questions: one segment, one dependency or one
// sample. Segments and dependencies are divided by sample too.
type Segment struct {
	Segment      string              `json:"segment,omitzero"`
	Dependency   string              `json:"dependency,omitzero"`
	Sample       string              `json:"sample"`
	Questions    int                 `json:"questions"` // unanswerable ones too; no denominator of support holds those
	Support      stats.Count         `json:"support"`   // over answerable questions x phases
	Ordinary     stats.Count         `json:"ordinary"`  // over answerable questions, at the ordinary cuts
	Worst        stats.Maybe[Worst]  `json:"worst"`
	Flips        Moving[stats.Count] `json:"flips"`
	Disagreement Moving[stats.Sum]   `json:"disagreement"`
}

// Geometry is what the cuts alone do to the evidence, over all S phases.
type Geometry struct {
	SpansIntact stats.Maybe[stats.Count] `json:"spans_intact"`
	SetsIntact  stats.Maybe[stats.Count] `json:"sets_intact"`
	HullIntact  stats.Maybe[stats.Count] `json:"hull_intact"`
}

// Cost keeps what is paid once apart from what every query costs (S1-162).
type Cost struct {
	Once     CostOnce     `json:"once"`
	PerQuery CostPerQuery `json:"per_query"`
}

// CostOnce is the index at the ordinary cuts.
type CostOnce struct {
	IndexedUnits    stats.Maybe[int]    `json:"indexed_units"`
	UniqueTokens    stats.Maybe[int]    `json:"unique_tokens"`
	RepeatedTokens  stats.Maybe[int]    `json:"repeated_tokens"`
	Multiplier      stats.Maybe[string] `json:"multiplier"` // (unique + repeated) / unique, "a/b"
	Limit           stats.Maybe[string] `json:"limit"`      // C/(C-O), "a/b"
	IndexBytes      stats.Maybe[int]    `json:"index_bytes"`
	EmbeddingTokens stats.Maybe[int]    `json:"embedding_tokens"`
	Billed          stats.Maybe[string] `json:"billed"`
}

// CostPerQuery is what one question costs.
type CostPerQuery struct {
	Latency stats.Maybe[string] `json:"latency"`
	Billed  stats.Maybe[string] `json:"billed"`
}

// Pair compares a candidate with the baseline, question by question.
type Pair struct {
	Candidate  string                `json:"candidate"`
	Baseline   string                `json:"baseline"`
	View       string                `json:"view"`       // budget or top_k
	Gained     []string              `json:"gained"`     // qids whole at the candidate's ordinary cuts and not at the baseline's
	Lost       []string              `json:"lost"`       // the other way round
	Ordinary   stats.Sum             `json:"ordinary"`   // gained - lost, over questions
	Difference stats.Sum             `json:"difference"` // sum over questions of the mean difference over the shared phases
	CI         stats.Maybe[Interval] `json:"ci"`
	Confounded []string              `json:"confounded"` // what else differs than the declared intervention
}

// Interval is a confidence interval of Pair.Difference, as shares of questions.
type Interval = effect.Interval

// Violation is a hard one: a hit with a byte that its reader may not read, of a
// version that is not pinned, or outside of the documents that its question
// searches.
type Violation struct {
	Kind    string `json:"kind"` // access, version or within
	Arm     string `json:"arm"`
	Phase   string `json:"phase"`
	QID     string `json:"qid"`
	Rank    int    `json:"rank"` // of the hit, from 1
	Doc     string `json:"doc"`
	Version string `json:"version"`
	Start   int    `json:"start"`
	End     int    `json:"end"`
}

// Warning is something that a reader of a figure must know.
type Warning struct {
	Code    string       `json:"code"`
	Arm     string       `json:"arm,omitzero"`
	View    string       `json:"view,omitzero"`
	Message string       `json:"message"`
	Count   *stats.Count `json:"count,omitzero"` // what it concerns, of how many
	QIDs    []string     `json:"qids,omitzero"`  // the questions that it concerns, in order
}

// MissingCell is a planned cell without a result.
type MissingCell struct {
	Arm    string `json:"arm"`
	Phase  string `json:"phase"`
	Reason string `json:"reason"`
}

// WorstQuestion is a question that comes and goes, or is never whole, in the
// budget view of an arm.
type WorstQuestion struct {
	QID      string   `json:"qid"`
	Question string   `json:"question"` // its digest where texts are redacted
	Arm      string   `json:"arm"`
	Hits     int      `json:"hits"`   // phases that keep its evidence whole
	Phases   int      `json:"phases"` // phases with a result
	Label    string   `json:"label"`  // a phase that does not: one that shows some of a set, else one that cuts its evidence, else the first
	Shown    []string `json:"shown"`  // names of the spans that the context at Label shows, of the set of which it shows most
	Lost     []string `json:"lost"`   // the other spans of that set
	Cut      *Cut     `json:"cut,omitzero"`
}

// Cut is a cut inside the evidence at WorstQuestion.Label. A question can be
// lost without one: the chunks that hold its evidence were not shown.
type Cut struct {
	Doc   string `json:"doc"`
	Line  int    `json:"line"`          // of At, from 1
	Page  string `json:"page,omitzero"` // of At; "" in a document without pages
	Span  string `json:"span"`          // name of the evidence that is cut; "" for a cut between two spans
	Start int    `json:"start"`         // bytes of that evidence in the document
	End   int    `json:"end"`
	At    int    `json:"at"` // the byte before which the cut falls
}

// Reproduce is what makes the run again.
type Reproduce struct {
	Command string  `json:"command"`
	Kerf    string  `json:"kerf"`
	Unicode string  `json:"unicode"`
	Inputs  []Input `json:"inputs"`
}

// Input is a file or table that the run read.
type Input struct {
	Name   string `json:"name"`
	Digest string `json:"digest"`
}
