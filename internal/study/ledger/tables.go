package ledger

import "github.com/go-json-experiment/json"

// The rows: a field is a column. Texts are dictionary encoded, ints as deltas,
// lists are JSON texts. Index is the digest that Encode is given. Offsets are bytes of the document's frozen text, half-open; ranks
// and ordinals say where they count from; docs/format/ledger.md has it in full.

// List is texts in one column: names may hold any character, so that no
// separator is safe.
type List []string

// MarshalJSON is an array, also of a nil list.
func (l List) MarshalJSON() ([]byte, error) { return json.Marshal([]string(l)) }

// QueryRow is one question of the golden set.
type QueryRow struct {
	Index      string `parquet:"index"`
	QID        string `parquet:"qid"`
	Question   string `parquet:"question"`
	Answer     string `parquet:"answer"`
	Condition  string `parquet:"condition"`
	Dependency List   `parquet:"dependency,json"`
	Segment    string `parquet:"segment"`
	Sample     string `parquet:"sample"`
	Split      string `parquet:"split"`
	Answerable bool   `parquet:"answerable"`
	Cluster    string `parquet:"cluster"`
	Origin     string `parquet:"origin"`
	Within     List   `parquet:"within,json"` // none: all documents
	Reader     List   `parquet:"reader,json"`
}

// SourceRow is one pinned document.
type SourceRow struct {
	Index    string `parquet:"index"`
	Doc      string `parquet:"doc"`
	Version  string `parquet:"version"`
	Path     string `parquet:"path"`
	Bytes    int    `parquet:"bytes"`
	Observed string `parquet:"observed"`
	Pages    List   `parquet:"pages,json"` // in order, each its first byte, a blank, its label; none: no pages
}

// SupportRow is one span in one support set of a question.
type SupportRow struct {
	Index    string `parquet:"index"`
	QID      string `parquet:"qid"`
	Set      int    `parquet:"set"`  // from 1
	Span     string `parquet:"span"` // name
	Doc      string `parquet:"doc"`
	Version  string `parquet:"version"`
	Start    int    `parquet:"start"`
	End      int    `parquet:"end"`
	Role     string `parquet:"role"`
	NeededBy string `parquet:"needed_by"`
}

// BoundaryRow is one core of a segmentation, and the chunk made of it.
type BoundaryRow struct {
	Index      string `parquet:"index"`
	Doc        string `parquet:"doc"`
	Core       int    `parquet:"core"`      // ordinal in the document, from 0
	CutToken   int    `parquet:"cut_token"` // where the core begins
	Cut        int    `parquet:"cut"`       // the same as a byte
	Start      int    `parquet:"start"`     // the chunk, bytes
	End        int    `parquet:"end"`
	StartToken int    `parquet:"start_token"`
	EndToken   int    `parquet:"end_token"`
	State      string `parquet:"state"` // indexed, blank, contained, empty
}

// RetrievalRow is one hit that a view read.
type RetrievalRow struct {
	Index   string  `parquet:"index"`
	QID     string  `parquet:"qid"`
	Rank    int     `parquet:"rank"` // from 1
	Score   float64 `parquet:"score,uncompressed"`
	Doc     string  `parquet:"doc"`
	Version string  `parquet:"version"`
	Start   int     `parquet:"start"`
	End     int     `parquet:"end"`
	Stage   string  `parquet:"stage"` // bm25
	Lineage string  `parquet:"lineage"`
	Outcome string  `parquet:"outcome"` // packed, truncated, overflow, skipped, merged, unread
}

// UnitRow is the literal bytes of one distinct presented unit.
type UnitRow struct {
	Index  string `parquet:"index"`
	Digest string `parquet:"digest"` // Object of Bytes
	Bytes  string `parquet:"bytes,plain,uncompressed"`
}

// ContextRow is one unit in one context: Before and After are the pieces of the
// format around its text, so that a context is the concatenation of
// Before + unit + After over its rows.
type ContextRow struct {
	Index   string `parquet:"index"`
	QID     string `parquet:"qid"`
	N       int    `parquet:"n"` // from 1
	Unit    string `parquet:"unit"`
	Doc     string `parquet:"doc"`
	Version string `parquet:"version"`
	Start   int    `parquet:"start"`
	End     int    `parquet:"end"`
	Kind    string `parquet:"kind"` // source
	Before  string `parquet:"before"`
	After   string `parquet:"after"`
}

// BudgetRow is one context as a whole; figures are tokens of the budget's
// tokenizer unless they say otherwise.
type BudgetRow struct {
	Index          string `parquet:"index"`
	QID            string `parquet:"qid"`
	Ceiling        int    `parquet:"ceiling"`
	Allowance      int    `parquet:"allowance"`
	Output         int    `parquet:"output"`
	EvidenceTokens int    `parquet:"evidence_tokens"`
	FullPrompt     *int   `parquet:"full_prompt,optional"` // nil: not measured
	RepeatedTokens int    `parquet:"repeated_tokens"`
	TopKTokens     int    `parquet:"top_k_tokens"`   // of the first at_k hits, rendered as units
	Units          int    `parquet:"units"`          // a count
	Stop           string `parquet:"stop"`           // end, overflow, depth, truncated, skipped
	ContextSHA256  string `parquet:"context_sha256"` // Object of the literal context
	ContextBytes   int    `parquet:"context_bytes"`
	Feasible       bool   `parquet:"feasible"`
}

// VerdictRow is the judgement of one question at one phase.
type VerdictRow struct {
	Index          string `parquet:"index"`
	QID            string `parquet:"qid"`
	FirstCut       int    `parquet:"first_cut"` // token ordinal
	Support        bool   `parquet:"support"`
	SupportStrict  bool   `parquet:"support_strict"`
	TopK           bool   `parquet:"top_k"`
	TopKStrict     bool   `parquet:"top_k_strict"`
	SingleUnit     bool   `parquet:"single_unit"`
	SingleUnitTopK bool   `parquet:"single_unit_top_k"`
	SingleRank     int    `parquet:"single_rank"` // ranks are from 1; 0: none
	UnionRank      int    `parquet:"union_rank"`
	UnionWSRank    int    `parquet:"union_ws_rank"`
	SpanRank       int    `parquet:"span_rank"`
}

// PhaseBitsRow is one question's verdicts by one measure over a row of phases:
// bit i (of byte i/8, least significant first) is first cut FirstCut + i.
type PhaseBitsRow struct {
	Index    string `parquet:"index"`
	QID      string `parquet:"qid"`
	Measure  string `parquet:"measure"`
	FirstCut int    `parquet:"first_cut"`
	Phases   int    `parquet:"phases"`
	Bits     []byte `parquet:"bits"`
}

// MeasureRow is one measure of one phase: Num of Den, or Sum over Den.
type MeasureRow struct {
	Index    string `parquet:"index"`
	FirstCut int    `parquet:"first_cut"`
	Label    string `parquet:"label"`
	Name     string `parquet:"name"`
	Num      int    `parquet:"num"`
	Den      int    `parquet:"den"`
	Sum      string `parquet:"sum"` // a rational, "" where Num says it
}

// TargetRow is one question at a placement with a cut aimed at its evidence.
type TargetRow struct {
	Index         string `parquet:"index"`
	Label         string `parquet:"label"`
	QID           string `parquet:"qid"`
	Doc           string `parquet:"doc"`       // the document that is cut
	Token         int    `parquet:"token"`     // the boundary aimed at
	FirstCut      int    `parquet:"first_cut"` // of that document
	Support       bool   `parquet:"support"`
	SupportStrict bool   `parquet:"support_strict"`
	TopK          bool   `parquet:"top_k"`
	Supported     *int   `parquet:"supported,optional"` // headline questions that are supported at this placement; nil: not asked
	Asked         *int   `parquet:"asked,optional"`     // of so many
}

// MissingRow is a question whose search failed, in rankings that say so: it has no
// other row in its cell.
type MissingRow struct {
	Index  string `parquet:"index"`
	QID    string `parquet:"qid"`
	Reason string `parquet:"reason"`
}

// ViolationRow is a hit that its question should not have been given.
type ViolationRow struct {
	Index   string `parquet:"index"`
	QID     string `parquet:"qid"`
	Kind    string `parquet:"kind"` // version, access, within
	Rank    int    `parquet:"rank"` // from 1
	Doc     string `parquet:"doc"`
	Version string `parquet:"version"`
	Start   int    `parquet:"start"`
	End     int    `parquet:"end"`
}

// FailureRow is a cell without a result when the run ended.
type FailureRow struct {
	Index    string `parquet:"index"`
	Arm      string `parquet:"arm"`
	Label    string `parquet:"label"`
	FirstCut int    `parquet:"first_cut"`
	Reason   string `parquet:"reason"`
	Detail   string `parquet:"detail"`
}

// The tables.
var (
	Query     = &Table[QueryRow]{name: "query"}
	Source    = &Table[SourceRow]{name: "source"}
	Support   = &Table[SupportRow]{name: "support"}
	Boundary  = &Table[BoundaryRow]{name: "boundary"}
	Retrieval = &Table[RetrievalRow]{name: "retrieval"}
	Unit      = &Table[UnitRow]{name: "unit"}
	Context   = &Table[ContextRow]{name: "context"}
	Budget    = &Table[BudgetRow]{name: "budget"}
	Verdict   = &Table[VerdictRow]{name: "verdict"}
	PhaseBits = &Table[PhaseBitsRow]{name: "phase_bits"}
	Measure   = &Table[MeasureRow]{name: "measure"}
	Aimed     = &Table[TargetRow]{name: "target"}
	Missing   = &Table[MissingRow]{name: "missing"}
	Violation = &Table[ViolationRow]{name: "violation"}
	Failure   = &Table[FailureRow]{name: "failure"}
)

// Tables is every table, in the order of the documentation.
func Tables() []Any {
	return []Any{Query, Source, Support, Boundary, Retrieval, Unit, Context, Budget, Verdict, PhaseBits, Measure, Aimed, Missing, Violation, Failure}
}
