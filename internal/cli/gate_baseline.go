package cli

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kerf/internal/rankings"
	"kerf/internal/release/baseline"
	"kerf/internal/release/gate"
	"kerf/internal/study/compare"
	"kerf/internal/study/diff"
	"kerf/internal/study/ledger"
	"kerf/internal/study/plan"
	"kerf/internal/study/sweep"
)

// baselineName is the file that gate --accept writes.
const baselineName = "baseline.json"

// readBaseline reads a baseline file; all that is wrong with it is printed.
func (a *app) readBaseline(file string) (*baseline.Baseline, error) {
	content, err := a.bounded(file, baseline.Most)
	if err != nil {
		return nil, err
	}
	b, found := baseline.Read(a.shown(a.path(file)), content)
	return b, a.listed(found)
}

// gateBaseline compares with the rankings that a file keeps, judged by today's labels.
func (a *app) gateBaseline(ctx context.Context, p *project, f gating) (*gate.Gate, error) {
	if absent(a.path(f.baseline)) {
		return nil, a.refuse(f.baseline+": no such file; kerf gate --accept writes it, on the branch that is compared with", f.acceptance()...)
	}
	b, err := a.readBaseline(f.baseline)
	if err != nil {
		return nil, err
	}
	now, err := a.candidate(ctx, p)
	if err != nil {
		return nil, err
	}
	return a.held(ctx, p, f, b, now)
}

// held holds a candidate against a baseline.
func (a *app) held(ctx context.Context, p *project, f gating, b *baseline.Baseline, now ran) (*gate.Gate, error) {
	var sides []ran
	for _, name := range []string{baseline.Support, baseline.MRR} {
		set := b.Measure(name).Set
		if len(sides) == 1 && set == b.Measure(baseline.Support).Set {
			break
		}
		side, err := a.sideOf(ctx, p, f, set)
		if err != nil {
			return nil, err
		}
		sides = append(sides, side)
	}
	var mrr *ran
	if len(sides) > 1 {
		mrr = &sides[1]
	}
	g, err := a.screened(p, f, sides[0], mrr, now)
	if err != nil {
		return nil, err
	}
	differ := b.Instrument.Differences(baseline.NewInstrument(p.plan))
	if f.phase == "" {
		labels, err := baseline.Labels(p.plan.Arms[0], p.plan.Phases)
		if err != nil {
			return nil, err
		}
		differ = append(differ, baseline.Phases(b.Measure(baseline.Support).Set.Labels, labels)...)
	}
	g.Instrument = append(g.Instrument, instrument(differ)...)
	for _, name := range baseline.Names {
		if !slices.ContainsFunc(g.Screens, func(s gate.Screen) bool { return s.Measure == name }) {
			g.Missing = append(g.Missing, name+": the baseline has it, and it is not measured now")
		}
	}
	var had []string
	for _, m := range b.Measures {
		for _, q := range m.Set.Questions {
			had = append(had, q.QID)
		}
	}
	p.closed(g, had)
	for _, qid := range b.Gone(p.kept()) {
		if why := p.why[qid]; why != whyStale {
			if why == "" {
				why = "not in the golden set, or not of the headline sample"
			}
			g.Gone = append(g.Gone, gate.Gone{QID: qid, Why: why})
		}
	}
	return g, nil
}

// instrument is the settings of the instrument that are not the same.
func instrument(differ []baseline.Difference) []gate.Instrument {
	out := []gate.Instrument{}
	for _, d := range differ {
		out = append(out, gate.Instrument(d))
	}
	return out
}

// kept are the questions that a baseline may have: those of the headline sample, and
// what has become unanswerable since.
func (p *project) kept() []string {
	var out []string
	sample := headline(p.asked)
	for _, q := range p.asked {
		if q.Sample == sample || q.Unanswerable {
			out = append(out, q.QID)
		}
	}
	return out
}

// sideOf judges kept rankings: a control arm for each placement, joined again into
// the arm that they are of.
func (a *app) sideOf(ctx context.Context, p *project, f gating, set *baseline.Set) (ran, error) {
	file := a.shown(a.path(f.baseline))
	out := ran{side: diff.Side{Given: file, Kerf: set.Version, Arm: set.Arm.Name}, name: file}
	q := *p
	q.plan.Arms, q.brought, q.asked = nil, nil, nil
	sample := headline(p.asked)
	for _, x := range p.asked {
		if x.Unanswerable || set.Find(x.QID) != nil {
			q.asked = append(q.asked, x)
		} else if x.Sample == sample {
			out.new = append(out.new, x.QID)
		}
	}
	labels := set.Labels
	if f.phase != "" {
		labels = labels[len(labels)-1:]
	}
	now := p.brings()
	digest := now
	brought := bringing(p.brought, p.plan.Arms[0].Name).Rankings
	for i, label := range labels {
		kept, lost := set.Digest(label, p.corpus)
		if len(lost) > 0 {
			return out, incomparable{reason: fmt.Sprintf("%s of %s without a place in today's documents: %s", counted(len(lost), "hit"), file, lostText(lost))}
		}
		if brought == nil || !sameHits(set.Rankings(label, p.corpus), brought, p.plan.Depth) {
			digest = kept
		}
		name := fmt.Sprintf("placement-%d", i+1)
		q.plan.Arms = append(q.plan.Arms, plan.Arm{Name: name, Rankings: file})
		q.brought = append(q.brought, broughtFile{arm: name, path: file, rankings: &rankings.File{Digest: kept}})
	}
	if len(q.asked) == 0 {
		return out, incomparable{reason: file + " has no question that is asked today"}
	}
	q.plan.Baseline = q.plan.Arms[0].Name
	facts, missing, err := a.judged(ctx, &q, set, labels, file)
	if err != nil {
		return out, err
	}
	joined := compare.Planning{Arm: set.Arm}
	for i, arm := range facts.Arms {
		phase := arm.Phases[0]
		if phase.Failed == "" {
			if qid, err := cutShort(&facts, phase, set, labels[i]); err != nil {
				return out, err
			} else if qid != "" {
				return out, incomparable{reason: fmt.Sprintf("%s keeps the hits that were read then, and %s at %s reads on today", file, qid, labels[i])}
			}
		}
		phase.Label = labels[i]
		joined.Phases = append(joined.Phases, phase)
	}
	facts.Arms = []compare.Planning{joined}
	out.side.Facts, out.missing = &facts, missing
	switch today := p.plan.Arms[0]; {
	case set.Arm.Rankings != "":
		out.side.Digest = digest
	case set.Arm.Split.By == "table" && today.Split.By == "table" && today.Rankings == "":
		out.side.Digest = now // a baseline keeps the name of a table alone: of its content nothing is said
	}
	return out, nil
}

// judged are the verdicts of kept rankings, of which q has the digests. Cells are stored
// under these: the hits themselves are needed where one is to be run.
func (a *app) judged(ctx context.Context, q *project, set *baseline.Set, labels []string, file string) (compare.Facts, []string, error) {
	s, cells, err := q.cells()
	if err != nil {
		return compare.Facts{}, nil, err
	}
	results, err := a.stored(ctx, q, s, cells)
	if err != nil {
		return compare.Facts{}, nil, err
	}
	if results != nil {
		return q.facts(s, results, file)
	}
	for i, label := range labels {
		r := set.Rankings(label, q.corpus)
		for _, x := range q.asked {
			if x.Unanswerable && r.Find(x.QID) == nil {
				r.Add(rankings.Ranking{QID: x.QID})
			}
		}
		q.brought[i].rankings = r
	}
	if s, cells, err = q.cells(); err != nil {
		return compare.Facts{}, nil, err
	}
	return a.measure(ctx, q, s, cells, file)
}

// cells are those of a project that asks no engine.
func (p *project) cells() (*sweep.Study, []sweep.Cell, error) {
	s, err := p.studyWith(nil)
	if err != nil {
		return nil, nil, err
	}
	cells, err := s.Cells(false)
	return s, cells, err
}

// cutShort is a question whose context, under today's access, would take more hits than
// were kept of a placement; "" if there is none.
func cutShort(facts *compare.Facts, phase compare.Planned, set *baseline.Set, label string) (qid string, err error) {
	at := slices.Index(set.Labels, label)
	if !slices.ContainsFunc(set.Questions, func(q baseline.Question) bool { return q.Lists[at].More }) {
		return "", nil
	}
	rows, err := budgets(facts, phase)
	for _, r := range rows {
		if q := set.Find(r.QID); q != nil && q.Lists[at].More && !stopped(r) {
			return r.QID, nil
		}
	}
	return "", err
}

// stopped says that further hits may be left, which no view read.
func stopped(r ledger.BudgetRow) bool { return r.Stop == "overflow" || r.Stop == "truncated" }

func budgets(facts *compare.Facts, phase compare.Planned) ([]ledger.BudgetRow, error) {
	b, err := facts.Cells(ledger.Budget.Name(), phase.Cell)
	if err != nil {
		return nil, err
	}
	rows, _, err := ledger.Budget.Decode(b, "qid", "stop")
	return rows, err
}

// sameHits says that a file found all that was kept, to a depth.
func sameHits(kept, file *rankings.File, depth int) bool {
	for _, k := range kept.Rankings {
		r := file.Find(k.QID)
		if r == nil || !slices.EqualFunc(k.Hits, r.Hits[:min(len(r.Hits), depth)], func(a, b rankings.Hit) bool {
			return a.DocID == b.DocID && a.Version == b.Version && a.Span == b.Span && a.Prefix == b.Prefix
		}) {
			return false
		}
	}
	return true
}

func lostText(lost []baseline.Lost) string {
	const most = 3
	var out []string
	for _, l := range lost[:min(most, len(lost))] {
		out = append(out, fmt.Sprintf("%s rank %d, %s %s: %s", l.QID, l.Rank, l.Doc, l.Span, l.Why))
	}
	if len(lost) > most {
		out = append(out, fmt.Sprintf("and %d more", len(lost)-most))
	}
	return strings.Join(out, "; ")
}
