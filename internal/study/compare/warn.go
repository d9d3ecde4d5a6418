package compare

import (
	"fmt"
	"math/big"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/study/plan"
)

// fewClusters is the number of clusters below which nothing is said of a
// population of documents (requirements.md 5.7).
const fewClusters = 12

// warnings are what a reader of the figures must know.
func (in Facts) warnings(r *Report, tables []*table) ([]Warning, error) {
	out := []Warning{}
	for i, p := range in.Arms {
		_, failed, err := in.violations(p)
		if err != nil {
			return nil, err
		}
		if len(failed) > 0 {
			out = append(out, Warning{Code: "search-failed", Arm: p.Arm.Name, Count: &stats.Count{Num: len(failed), Den: len(in.Questions)}, QIDs: failed,
				Message: "searches failed, as the rankings say: these questions are missing, not misses"})
		}
		if p.Arm.Moving.Scope == plan.Labelled {
			out = append(out, Warning{Code: "scope-labelled", Arm: p.Arm.Name, Message: "only documents with a golden span move; the others keep the ordinary cuts"})
		}
		c, err := in.tooLarge(p)
		if err != nil {
			return nil, err
		}
		if c.Num > 0 {
			out = append(out, Warning{Code: "chunk-above-budget", Arm: p.Arm.Name, View: "budget", Count: &c,
				Message: fmt.Sprintf("chunks that alone are more than the budget of %d tokens, at the ordinary cuts", in.Experiment.Budget.Tokens)})
		}
		if e := tables[i].empty; e.Num > 0 {
			out = append(out, Warning{Code: "empty-context", Arm: p.Arm.Name, View: "budget", Count: &e,
				Message: "contexts are empty: nothing was found, or the first hit did not fit"})
		}
	}
	if r.Golden.Clusters < fewClusters && r.Golden.Clusters > 0 {
		out = append(out, Warning{Code: "few-clusters",
			Message: fmt.Sprintf("%s, fewer than %d: figures speak of these documents only", clusters(r.Golden.Clusters), fewClusters)})
	}
	if n := r.Golden.Adjudication["unadjudicated"]; n > 0 {
		out = append(out, Warning{Code: "unadjudicated", Count: &stats.Count{Num: n, Den: r.Golden.Questions},
			Message: "questions have had no second look at which spans are needed"})
	}
	out = append(out, in.unreadable()...)
	if r.Sample == golden.Enriched || r.Sample == golden.HeldOutEnriched {
		out = append(out, Warning{Code: "enriched-only", Message: "headline figures are of the enriched sample: nothing is said of how often anything happens"})
	}
	return out, in.check(r)
}

// unreadable names the questions of which no support set may be read as a whole
// by their reader: no arm can answer them, so they are not answerable (S1-091).
func (in Facts) unreadable() []Warning {
	c := &corpus.Corpus{Documents: in.Documents}
	w := Warning{Code: "unreadable-evidence", Count: &stats.Count{}}
	for _, i := range in.where(func(*golden.Question) bool { return true }) {
		q := in.Questions[i]
		hidden := !q.MayRead(c, in.Experiment.Reader)
		if w.Count.Add(hidden); hidden {
			w.QIDs = append(w.QIDs, q.QID)
		}
	}
	if len(w.QIDs) == 0 {
		return nil
	}
	const named = 3
	w.Message = "no support set is readable as a whole by the question's own reader: " + strings.Join(w.QIDs[:min(named, len(w.QIDs))], ", ")
	if more := len(w.QIDs) - named; more > 0 {
		w.Message += fmt.Sprintf(" and %d more", more)
	}
	return []Warning{w}
}

func clusters(n int) string {
	if n == 1 {
		return "1 document cluster"
	}
	return fmt.Sprint(n, " document clusters")
}

// check is a last look at what must hold of any report: a verdict that bridges
// no gap is not found more often than one that does.
func (in Facts) check(r *Report) error {
	for _, a := range r.Arms {
		for _, v := range []View{a.Views.Budget, a.Views.TopK} {
			if v.SupportStrict.Num > v.Support.Num || v.PerQueryWorst.Num > v.PerQueryBest.Num {
				return fmt.Errorf("arm %s: the ledger contradicts itself: strict support %s, support %s", a.Arm, v.SupportStrict, v.Support)
			}
			if s := v.Disagreement.Value.Sum; s != nil && s.Cmp(big.NewRat(int64(v.Flips.Value.Den), 1)) > 0 {
				return fmt.Errorf("arm %s: disagreement %s is above one a question", a.Arm, s.RatString())
			}
		}
	}
	return nil
}
