package ledger

import "kerf/internal/stats"

// The rows. Offsets are bytes of the document's frozen text, half-open; ranks
// and ordinals say where they count from; docs/format/ledger.md has it in full.

// QueryRow is one question of the golden set.
type QueryRow struct {
	QID, Question, Answer, Condition string
	Dependency                       []string
	Segment, Sample, Split           string
	Answerable                       bool
	Cluster, Origin                  string
	Within, Reader                   []string // Within empty: all documents
}

// SourceRow is one pinned document.
type SourceRow struct {
	Doc, Version, Path string
	Bytes              int
	Observed           string
}

// SupportRow is one span in one support set of a question.
type SupportRow struct {
	QID            string
	Set            int    // from 1
	Span           string // name
	Doc, Version   string
	Start, End     int
	Role, NeededBy string
}

// BoundaryRow is one core of a segmentation, and the chunk made of it.
type BoundaryRow struct {
	Doc                  string
	Core                 int // ordinal in the document, from 0
	CutToken, Cut        int // where the core begins: token ordinal, byte
	Start, End           int // the chunk, bytes
	StartToken, EndToken int
	State                string // indexed, blank, contained, empty
}

// RetrievalRow is one hit that a view read.
type RetrievalRow struct {
	QID          string
	Rank         int // from 1
	Score        float64
	Doc, Version string
	Start, End   int
	Stage        string // bm25
	Lineage      string
	Outcome      string // packed, truncated, overflow, skipped, merged, unread
}

// UnitRow is the literal bytes of one distinct presented unit.
type UnitRow struct {
	Digest string // Object of Bytes
	Bytes  string
}

// ContextRow is one unit in one context: Before and After are the pieces of the
// format around its text, so that a context is the concatenation of
// Before + unit + After over its rows.
type ContextRow struct {
	QID           string
	N             int // from 1
	Unit          string
	Doc, Version  string
	Start, End    int
	Kind          string // source
	Before, After string
}

// BudgetRow is one context as a whole; figures are tokens of the budget's
// tokenizer unless they say otherwise.
type BudgetRow struct {
	QID                        string
	Ceiling, Allowance, Output int
	EvidenceTokens             int
	FullPrompt                 stats.Maybe[int]
	RepeatedTokens             int
	Units                      int    // a count
	Stop                       string // end, overflow, depth, truncated, skipped
	ContextSHA256              string // Object of the literal context
	ContextBytes               int
	Feasible                   bool
}

// VerdictRow is the judgement of one question at one phase.
type VerdictRow struct {
	QID                                          string
	FirstCut                                     int // token ordinal
	Support, SupportStrict                       bool
	TopK, TopKStrict                             bool
	SingleUnit, SingleUnitTopK                   bool
	SingleRank, UnionRank, UnionWSRank, SpanRank int // from 1; 0 = none
}

// PhaseBitsRow is one question's verdicts by one measure over a row of phases:
// bit i (of byte i/8, least significant first) is first cut FirstCut + i.
type PhaseBitsRow struct {
	QID, Measure     string
	FirstCut, Phases int
	Bits             string
}

// MeasureRow is one measure of one phase: Num of Den, or Sum over Den.
type MeasureRow struct {
	FirstCut    int
	Label, Name string
	Num, Den    int
	Sum         string // a rational, "" where Num says it
}

// FailureRow is a cell without a result when the run ended.
type FailureRow struct {
	Arm, Label     string
	FirstCut       int
	Reason, Detail string
}

// The tables.
var (
	Query = &Table[QueryRow]{"query", []column[QueryRow]{
		text("qid", func(r *QueryRow) *string { return &r.QID }),
		text("question", func(r *QueryRow) *string { return &r.Question }),
		text("answer", func(r *QueryRow) *string { return &r.Answer }),
		text("condition", func(r *QueryRow) *string { return &r.Condition }),
		list("dependency", func(r *QueryRow) *[]string { return &r.Dependency }),
		text("segment", func(r *QueryRow) *string { return &r.Segment }),
		text("sample", func(r *QueryRow) *string { return &r.Sample }),
		text("split", func(r *QueryRow) *string { return &r.Split }),
		boolean("answerable", func(r *QueryRow) *bool { return &r.Answerable }),
		text("cluster", func(r *QueryRow) *string { return &r.Cluster }),
		text("origin", func(r *QueryRow) *string { return &r.Origin }),
		list("within", func(r *QueryRow) *[]string { return &r.Within }),
		list("reader", func(r *QueryRow) *[]string { return &r.Reader }),
	}}
	Source = &Table[SourceRow]{"source", []column[SourceRow]{
		text("doc", func(r *SourceRow) *string { return &r.Doc }),
		text("version", func(r *SourceRow) *string { return &r.Version }),
		text("path", func(r *SourceRow) *string { return &r.Path }),
		number("bytes", func(r *SourceRow) *int { return &r.Bytes }),
		text("observed", func(r *SourceRow) *string { return &r.Observed }),
	}}
	Support = &Table[SupportRow]{"support", []column[SupportRow]{
		text("qid", func(r *SupportRow) *string { return &r.QID }),
		number("set", func(r *SupportRow) *int { return &r.Set }),
		text("span", func(r *SupportRow) *string { return &r.Span }),
		text("doc", func(r *SupportRow) *string { return &r.Doc }),
		text("version", func(r *SupportRow) *string { return &r.Version }),
		number("start", func(r *SupportRow) *int { return &r.Start }),
		number("end", func(r *SupportRow) *int { return &r.End }),
		text("role", func(r *SupportRow) *string { return &r.Role }),
		text("needed_by", func(r *SupportRow) *string { return &r.NeededBy }),
	}}
	Boundary = &Table[BoundaryRow]{"boundary", []column[BoundaryRow]{
		text("doc", func(r *BoundaryRow) *string { return &r.Doc }),
		number("core", func(r *BoundaryRow) *int { return &r.Core }),
		number("cut_token", func(r *BoundaryRow) *int { return &r.CutToken }),
		number("cut", func(r *BoundaryRow) *int { return &r.Cut }),
		number("start", func(r *BoundaryRow) *int { return &r.Start }),
		number("end", func(r *BoundaryRow) *int { return &r.End }),
		number("start_token", func(r *BoundaryRow) *int { return &r.StartToken }),
		number("end_token", func(r *BoundaryRow) *int { return &r.EndToken }),
		text("state", func(r *BoundaryRow) *string { return &r.State }),
	}}
	Retrieval = &Table[RetrievalRow]{"retrieval", []column[RetrievalRow]{
		text("qid", func(r *RetrievalRow) *string { return &r.QID }),
		number("rank", func(r *RetrievalRow) *int { return &r.Rank }),
		decimal("score", func(r *RetrievalRow) *float64 { return &r.Score }),
		text("doc", func(r *RetrievalRow) *string { return &r.Doc }),
		text("version", func(r *RetrievalRow) *string { return &r.Version }),
		number("start", func(r *RetrievalRow) *int { return &r.Start }),
		number("end", func(r *RetrievalRow) *int { return &r.End }),
		text("stage", func(r *RetrievalRow) *string { return &r.Stage }),
		text("lineage", func(r *RetrievalRow) *string { return &r.Lineage }),
		text("outcome", func(r *RetrievalRow) *string { return &r.Outcome }),
	}}
	Unit = &Table[UnitRow]{"unit", []column[UnitRow]{
		text("digest", func(r *UnitRow) *string { return &r.Digest }),
		literal("bytes", func(r *UnitRow) *string { return &r.Bytes }),
	}}
	Context = &Table[ContextRow]{"context", []column[ContextRow]{
		text("qid", func(r *ContextRow) *string { return &r.QID }),
		number("n", func(r *ContextRow) *int { return &r.N }),
		text("unit", func(r *ContextRow) *string { return &r.Unit }),
		text("doc", func(r *ContextRow) *string { return &r.Doc }),
		text("version", func(r *ContextRow) *string { return &r.Version }),
		number("start", func(r *ContextRow) *int { return &r.Start }),
		number("end", func(r *ContextRow) *int { return &r.End }),
		text("kind", func(r *ContextRow) *string { return &r.Kind }),
		text("before", func(r *ContextRow) *string { return &r.Before }),
		text("after", func(r *ContextRow) *string { return &r.After }),
	}}
	Budget = &Table[BudgetRow]{"budget", []column[BudgetRow]{
		text("qid", func(r *BudgetRow) *string { return &r.QID }),
		number("ceiling", func(r *BudgetRow) *int { return &r.Ceiling }),
		number("allowance", func(r *BudgetRow) *int { return &r.Allowance }),
		number("output", func(r *BudgetRow) *int { return &r.Output }),
		number("evidence_tokens", func(r *BudgetRow) *int { return &r.EvidenceTokens }),
		maybe("full_prompt", func(r *BudgetRow) *stats.Maybe[int] { return &r.FullPrompt }),
		number("repeated_tokens", func(r *BudgetRow) *int { return &r.RepeatedTokens }),
		number("units", func(r *BudgetRow) *int { return &r.Units }),
		text("stop", func(r *BudgetRow) *string { return &r.Stop }),
		text("context_sha256", func(r *BudgetRow) *string { return &r.ContextSHA256 }),
		number("context_bytes", func(r *BudgetRow) *int { return &r.ContextBytes }),
		boolean("feasible", func(r *BudgetRow) *bool { return &r.Feasible }),
	}}
	Verdict = &Table[VerdictRow]{"verdict", []column[VerdictRow]{
		text("qid", func(r *VerdictRow) *string { return &r.QID }),
		number("first_cut", func(r *VerdictRow) *int { return &r.FirstCut }),
		boolean("support", func(r *VerdictRow) *bool { return &r.Support }),
		boolean("support_strict", func(r *VerdictRow) *bool { return &r.SupportStrict }),
		boolean("top_k", func(r *VerdictRow) *bool { return &r.TopK }),
		boolean("top_k_strict", func(r *VerdictRow) *bool { return &r.TopKStrict }),
		boolean("single_unit", func(r *VerdictRow) *bool { return &r.SingleUnit }),
		boolean("single_unit_top_k", func(r *VerdictRow) *bool { return &r.SingleUnitTopK }),
		number("single_rank", func(r *VerdictRow) *int { return &r.SingleRank }),
		number("union_rank", func(r *VerdictRow) *int { return &r.UnionRank }),
		number("union_ws_rank", func(r *VerdictRow) *int { return &r.UnionWSRank }),
		number("span_rank", func(r *VerdictRow) *int { return &r.SpanRank }),
	}}
	PhaseBits = &Table[PhaseBitsRow]{"phase_bits", []column[PhaseBitsRow]{
		text("qid", func(r *PhaseBitsRow) *string { return &r.QID }),
		text("measure", func(r *PhaseBitsRow) *string { return &r.Measure }),
		number("first_cut", func(r *PhaseBitsRow) *int { return &r.FirstCut }),
		number("phases", func(r *PhaseBitsRow) *int { return &r.Phases }),
		bits("bits", func(r *PhaseBitsRow) *string { return &r.Bits }),
	}}
	Measure = &Table[MeasureRow]{"measure", []column[MeasureRow]{
		number("first_cut", func(r *MeasureRow) *int { return &r.FirstCut }),
		text("label", func(r *MeasureRow) *string { return &r.Label }),
		text("name", func(r *MeasureRow) *string { return &r.Name }),
		number("num", func(r *MeasureRow) *int { return &r.Num }),
		number("den", func(r *MeasureRow) *int { return &r.Den }),
		text("sum", func(r *MeasureRow) *string { return &r.Sum }),
	}}
	Failure = &Table[FailureRow]{"failure", []column[FailureRow]{
		text("arm", func(r *FailureRow) *string { return &r.Arm }),
		text("label", func(r *FailureRow) *string { return &r.Label }),
		number("first_cut", func(r *FailureRow) *int { return &r.FirstCut }),
		text("reason", func(r *FailureRow) *string { return &r.Reason }),
		text("detail", func(r *FailureRow) *string { return &r.Detail }),
	}}
)

// Tables is every table, in the order of the documentation.
func Tables() []Any {
	return []Any{Query, Source, Support, Boundary, Retrieval, Unit, Context, Budget, Verdict, PhaseBits, Measure, Failure}
}
