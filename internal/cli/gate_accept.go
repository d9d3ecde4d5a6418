package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"

	"kerf/internal/golden"
	"kerf/internal/rankings"
	"kerf/internal/release/baseline"
	"kerf/internal/release/gate"
	"kerf/internal/report"
	"kerf/internal/stats"
	"kerf/internal/study/compare"
	"kerf/internal/study/diff"
	"kerf/internal/study/ledger"
	"kerf/internal/study/sweep"
	"kerf/internal/text/span"
)

// gateAccept writes the baseline file: the only way up, and down.
func (a *app) gateAccept(ctx context.Context, f gating) error {
	if f.baseline == "" {
		f.baseline = baselineName
	}
	p, err := a.gated("")
	if err != nil {
		return err
	}
	arm := p.plan.Arms[0]
	if p.plan.Phases.Exhaustive(arm) {
		return usage("phases: all keeps no hits, and a baseline is made of them; write phases: {grid: 8}, or compare with kerf gate --against REF")
	}
	if headline(p.asked) != golden.Representative {
		return usage("no question of %s is of the representative sample: enriched ones alone set no baseline", p.plan.Golden)
	}
	if len(p.stale) > 0 {
		return a.refuse(counted(len(p.stale), "question")+" left out for "+whyStale+": a baseline is of all of them", "anchor", "-w")
	}
	var old *baseline.Baseline
	var was []byte
	if !absent(a.path(f.baseline)) {
		if old, err = a.readBaseline(f.baseline); err != nil {
			return err
		}
		if was, err = a.bounded(f.baseline, baseline.Most); err != nil {
			return err
		}
	}
	now, set, err := a.acceptable(ctx, p)
	if err != nil {
		return err
	}
	c := baseline.Candidate{Instrument: baseline.NewInstrument(p.plan), Set: set, Values: map[string]stats.Sum{}}
	for _, q := range p.asked {
		if q.Unanswerable {
			c.Unanswerable = append(c.Unanswerable, q.QID)
		}
	}
	self, err := diff.Brief(now.side, now.side)
	if err != nil {
		return err
	}
	free := gate.Rule{Noisy: true}
	own, _ := gate.Build(self, self, free)
	for _, s := range own.Screens {
		if s.Verdict == gate.Incomplete {
			return exit(exitPart, fmt.Errorf("nothing is accepted that has no result: %s: %s", s.Measure, s.Why))
		}
		c.Values[s.Measure] = s.Candidate
	}
	lower, err := a.improvements(ctx, p, f, old, now)
	var other incomparable
	switch {
	case errors.As(err, &other) && f.reason == "":
		fmt.Fprintln(a.Stderr, Escape("kerf: "+err.Error()))
		a.next(f.acceptance("--reason", "WHY")...)
		return exit(gate.NotComparable.Exit(), nil)
	case err != nil && other.reason == "":
		return err
	}
	b, said, err := baseline.Accept(old, c, lower, f.reason)
	if errors.Is(err, baseline.ErrNotComparable) {
		fmt.Fprintln(a.Stderr, Escape("kerf: "+err.Error()))
		a.next(f.acceptance("--reason", "WHY")...)
		return exit(gate.NotComparable.Exit(), nil)
	} else if err != nil {
		return usage("%s: %v", f.baseline, err)
	}
	content := b.Encode()
	same := bytes.Equal(content, was)
	if !same {
		if err := writeFile(a.path(f.baseline), content); err != nil {
			return exit(exitTrouble, err)
		}
	}
	return a.accepted(f.baseline, same, said)
}

// improvements are the one-sided 97.5 % bounds by which a candidate is better than a
// baseline, by measure; none without one.
func (a *app) improvements(ctx context.Context, p *project, f gating, old *baseline.Baseline, now ran) (map[string]stats.Maybe[float64], error) {
	out := map[string]stats.Maybe[float64]{}
	if old == nil {
		return out, nil
	}
	g, err := a.held(ctx, p, gating{baseline: f.baseline, noisy: true}, old, now)
	if err != nil || len(g.Missing)+len(g.Instrument)+len(g.Gone) > 0 {
		return out, err // Accept says what is not comparable
	}
	for _, s := range g.Screens {
		if s.Segment == "" && s.CI.Measured {
			out[s.Measure] = stats.Measured(s.CI.Value.Lo)
		}
	}
	return out, nil
}

// acceptable runs the arm, keeping every hit of the ordinary placement, and collects
// what was found for the questions of the headline sample.
func (a *app) acceptable(ctx context.Context, p *project) (ran, *baseline.Set, error) {
	arm := p.plan.Arms[0]
	set, err := baseline.NewSet(Version, p.origin.Corpus, p.origin.Golden, arm, p.plan.Phases)
	if err != nil {
		return ran{}, nil, usage("%v", err)
	}
	s, end, err := a.study(ctx, p, "")
	if err != nil {
		return ran{}, nil, err
	}
	defer end()
	cells, err := s.Cells(false)
	if err != nil {
		return ran{}, nil, err
	}
	for i := range cells {
		cells[i].AllHits = cells[i].Label.J == cells[i].Label.P && !cells[i].Again
	}
	facts, missing, err := a.measure(ctx, p, s, cells, "now")
	if err != nil {
		return ran{}, nil, err
	}
	if len(missing) > 0 {
		return ran{}, nil, exit(exitPart, errors.New("nothing is accepted that has no result:\n"+strings.Join(missing, "\n")))
	}
	for _, phase := range facts.Arms[0].Phases {
		if err := p.collect(set, s, &facts, phase); err != nil {
			return ran{}, nil, err
		}
	}
	return ran{side: diff.Side{Given: "now", Kerf: Version, Arm: arm.Name, Facts: &facts, Digest: p.brings()}, name: "working tree"}, set, nil
}

// collect adds what was found at a placement to the set.
func (p *project) collect(set *baseline.Set, s *sweep.Study, facts *compare.Facts, phase compare.Planned) error {
	brought := bringing(p.brought, p.plan.Arms[0].Name)
	found, more := map[string][]rankings.Hit{}, map[string]bool{}
	if brought.Rankings == nil {
		prefixes := map[string]string{}
		if brought.Table != nil {
			for _, c := range brought.Table.Chunks {
				if c.Prefix != "" {
					prefixes[s.Documents[c.Doc].Doc+c.Span.String()] = c.Prefix
				}
			}
		}
		b, err := facts.Cells(ledger.Retrieval.Name(), phase.Cell)
		if err != nil {
			return err
		}
		rows, _, err := ledger.Retrieval.Decode(b, "qid", "doc", "version", "start", "end")
		if err != nil {
			return err
		}
		for _, r := range rows {
			at := span.Span{Start: r.Start, End: r.End}
			found[r.QID] = append(found[r.QID], rankings.Hit{DocID: r.Doc, Version: r.Version, Span: at, Prefix: prefixes[r.Doc+at.String()]})
		}
		read, err := budgets(facts, phase)
		if err != nil {
			return err
		}
		for _, r := range read {
			more[r.QID] = stopped(r) && phase.Label != set.Labels[len(set.Labels)-1]
		}
	}
	sample := headline(p.asked)
	for _, q := range p.asked {
		if q.Unanswerable || q.Sample != sample {
			continue
		}
		hits := found[q.QID]
		if brought.Rankings != nil {
			r := brought.Rankings.Find(q.QID)
			if r.Error != "" {
				continue // missing: Accept refuses it
			}
			hits = r.Hits[:min(len(r.Hits), p.plan.Depth)]
		}
		if err := set.Add(q.QID, phase.Label, hits, more[q.QID]); err != nil {
			return err
		}
	}
	return nil
}

// acceptOutput is accept/1.
type acceptOutput struct {
	Kerf     string             `json:"kerf"`
	File     string             `json:"file"`
	Measures []acceptedDecision `json:"measures"`
}

type acceptedDecision struct {
	Measure string               `json:"measure"`
	Verdict string               `json:"verdict"`
	From    *stats.Sum           `json:"from,omitempty"` // absent the first time
	To      stats.Sum            `json:"to"`
	Lower   stats.Maybe[float64] `json:"improvement_above"` // one-sided 97.5 % bound
	New     int                  `json:"new_questions"`
	Left    int                  `json:"left_without"`
}

func (a *app) accepted(file string, same bool, said []baseline.Decision) error {
	out := acceptOutput{Kerf: "accept/1", File: file, Measures: []acceptedDecision{}}
	for _, d := range said {
		x := acceptedDecision{Measure: d.Measure, Verdict: string(d.Verdict), To: d.To, Lower: d.Lower, New: d.New, Left: d.Left}
		if d.Verdict != baseline.First {
			x.From = &d.From
		}
		out.Measures = append(out.Measures, x)
	}
	err := a.answer(out, func() error {
		rows := [][]string{{"", "was", "is", "improvement at least", "", "new questions"}}
		for _, x := range out.Measures {
			was, bound := "", stats.NotMeasured
			if x.From != nil {
				was = report.Mean(*x.From)
			}
			if x.Lower.Measured {
				bound = inPoints(x.Lower.Value) + " points"
			}
			rows = append(rows, []string{x.Measure, was, report.Mean(x.To), bound, x.Verdict, fmt.Sprint(x.New)})
		}
		var b strings.Builder
		report.Columns(&b, rows)
		if same {
			fmt.Fprintf(&b, "%s stays as it is\n", file)
		} else {
			fmt.Fprintf(&b, "wrote %s: commit it\n", file)
		}
		_, err := fmt.Fprint(a.Stdout, Escape(b.String()))
		return err
	})
	if err == nil {
		a.next("gate", "--baseline", file)
	}
	return err
}
