package ledger

import "slices"

// VerdictNames are the verdicts of a question at a phase, in the order in which
// VerdictRow has them; phase_bits has a row a name.
var VerdictNames = []string{"support", "support_strict", "top_k", "top_k_strict", "single_unit", "single_unit_top_k", "candidates"}

// VerdictBits is the index of a name among VerdictNames, -1 if it is none.
func VerdictBits(name string) int { return slices.Index(VerdictNames, name) }

// Verdicts are the verdicts of a row in the order of VerdictNames.
func (v *VerdictRow) Verdicts() []bool {
	return []bool{v.Support, v.SupportStrict, v.TopK, v.TopKStrict, v.SingleUnit, v.SingleUnitTopK, v.UnionWSRank > 0}
}

// BitsFeasible is the row of phase_bits that says whether the question is
// feasible; its bits are all the same.
const BitsFeasible = "feasible"

// Rows of the table measure that are no measure of the ranking.
const (
	MeasureChunks   = "chunks"          // Num: indexed chunks of the phase
	MeasureEvidence = "evidence_tokens" // Den contexts of the cell hold Num evidence tokens
	MeasureTopK     = "top_k_tokens"    // Den contexts of the cell would hold Num tokens in the top-k view
	MeasureRepeated = "repeated_tokens" // Num: repeated tokens in the cell's Den contexts
	MeasureCurve    = "curve@"          // with a ceiling: Num of Den headline questions are supported under it
	MeasureEmpty    = "empty_contexts"  // Num of the cell's Den contexts
)
