package diff

import (
	"testing"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/ledger"
	"kerf/internal/text/span"
	"kerf/internal/verdict"
)

// TestWholeIsNoPart: a segment that is all of its sample is no part of it, and the
// largest of no parts is nothing.
func TestWholeIsNoPart(t *testing.T) {
	m := newRun("r", arms())
	for _, q := range m.facts.Questions {
		q.Segment = "one"
	}
	d := build(t, m.side("base"), m.side("cand"))
	for _, e := range d.Effects {
		if e.IsPart() {
			t.Errorf("%s of %s", e.Measure, e.Segment)
		}
	}
	if d.Exploratory != nil {
		t.Errorf("%+v", d.Exploratory)
	}
	m.facts.Questions[0].Dependency = []string{"exception"}
	d = build(t, m.side("base"), m.side("cand"))
	if x := d.Exploratory; x == nil || d.Effects[x.Effect].Dependency != "exception" || d.Effects[x.Effect].Difference.Den != 1 {
		t.Errorf("%+v", x)
	}
}

// TestRanks: each measure reads its own rank: the span alone is whole in the first
// hit, the set by union in the second, in one hit in the third.
func TestRanks(t *testing.T) {
	m := newRun("r", map[string][][]stats.Verdict{"base": {{0}}, "cand": {{1}}})
	m.facts.Experiment.K, m.facts.Experiment.AtK = []int{2}, 2
	m.files["verdict/cand.0"] = ledger.Verdict.Encode("i", []ledger.VerdictRow{{QID: "q00", Support: true, TopK: true, SingleRank: 3, UnionRank: 2, UnionWSRank: 2, SpanRank: 1}})
	d := build(t, m.side("base"), m.side("cand"))
	for measure, want := range map[string]string{"single_hit@2": "0", "union_hit@2": "1", "single_mrr@2": "0", "mrr": "1"} {
		if e := d.find(measure, "ranking", "ordinary", ""); e.Difference.Sum.RatString() != want || e.Difference.Den != 1 {
			t.Errorf("%s: %+v", measure, e.Difference)
		}
	}
	if d.find("support", "budget", "all", "").Measure != "" || d.Changes[0].Candidate.WholeAt == nil || *d.Changes[0].Candidate.WholeAt != 2 {
		t.Errorf("one placement is the ordinary one: %+v", d.Changes)
	}
}

// TestFirstOfEquals: of two sets of which nothing is shown the first says why.
func TestFirstOfEquals(t *testing.T) {
	m := newRun("r", map[string][][]stats.Verdict{"base": {{1}, {1}}, "cand": {{0}, {1}}})
	m.facts.Evidence[0] = append(m.facts.Evidence[0], []verdict.Ref{{Doc: 1, Span: span.Span{Start: 0, End: 5}}})
	m.files["boundary/cand.0"] = ledger.Boundary.Encode("i", []ledger.BoundaryRow{{Doc: "d00", Start: 0, End: 30, State: "indexed"}, {Doc: "d01", Start: 0, End: 30, State: "indexed"}})
	m.files["retrieval/cand.0"] = ledger.Retrieval.Encode("i", []ledger.RetrievalRow{{QID: "q00", Rank: 12, Doc: "d00", Start: 0, End: 30, Outcome: "unread"}})
	if c := build(t, m.side("base"), m.side("cand")).Changes[0].Candidate; c.Cause != "ranked 12th, beyond the budget" {
		t.Errorf("%q", c.Cause)
	}
}

// TestNoise: a difference no larger than what the engine's own rebuild changes is
// said to be so, and hits that nobody should have got are counted.
func TestNoise(t *testing.T) {
	m := newRun("r", map[string][][]stats.Verdict{"base": {{1}, {1}}, "cand": {{0}, {1}}})
	p := &m.facts.Arms[1]
	p.Rebuild = &compare.Planned{Label: "again", Cell: "again"}
	m.files["verdict/again"] = ledger.Verdict.Encode("i", []ledger.VerdictRow{{QID: "q00"}, {QID: "q01"}})
	m.files["retrieval/again"] = ledger.Retrieval.Encode("i", nil)
	p.Arm.Rankings = "file.jsonl"
	m.files["violation/cand.0"] = ledger.Violation.Encode("i", []ledger.ViolationRow{{QID: "q00", Kind: "version"}})
	m.files["missing/cand.0"] = ledger.Missing.Encode("i", nil)
	codes := ""
	for _, w := range build(t, m.side("base"), m.side("cand")).Warnings {
		codes += w.Code + " "
	}
	if codes != "these-documents-only confounded hard-violations noise noise " {
		t.Errorf("%s", codes)
	}
}
