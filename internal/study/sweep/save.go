package sweep

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"kerf/internal/golden"
	"kerf/internal/study/cas"
	"kerf/internal/study/compare"
	"kerf/internal/study/ledger"
	"kerf/internal/study/plan"
)

// Origin is what a run was made from beside the study, by digest.
type Origin struct {
	Kerf   string // kerf's version
	Corpus string
	Golden string
}

// ID names a run by all that its ledger and its report are made from: same
// inputs, same ID, same bytes. That is more than the cells depend on: paths and
// dates of documents, segments, answers, the names of the files.
func (s *Study) ID(o Origin, reproduce compare.Reproduce, cells []Cell) string {
	var inputs []string
	for _, c := range cells {
		inputs = append(inputs, string(s.Key(c)))
	}
	tables := s.runTables("", nil)
	for _, name := range slices.Sorted(maps.Keys(tables)) {
		inputs = append(inputs, ledger.Object(tables[name]))
	}
	key := plan.Key("kerf run", 1, struct {
		Experiment plan.Experiment
		Origin     Origin
		Reproduce  compare.Reproduce
	}{s.Experiment, o, reproduce}, inputs...)
	return strings.TrimPrefix(key, "sha256:")[:16]
}

// runTables are the tables of the run as a whole.
func (s *Study) runTables(id string, results []Result) map[string][]byte {
	var queries []ledger.QueryRow
	var supports []ledger.SupportRow
	for _, q := range s.Questions {
		queries = append(queries, ledger.QueryRow{
			QID: q.QID, Question: q.Text, Answer: q.Answer.Text, Condition: q.Answer.Condition, Dependency: q.Dependency,
			Segment: q.Segment, Sample: q.Sample, Split: q.Split, Answerable: !q.Unanswerable, Cluster: q.Cluster,
			Origin: q.Origin, Within: q.Question.Within, Reader: s.readers[q.Reader].names,
		})
		for n, set := range q.Support {
			for _, sp := range set {
				d := s.Documents[q.Evidence[n][slices.Index(set, sp)].Doc]
				supports = append(supports, ledger.SupportRow{QID: q.QID, Set: n + 1, Span: sp.Name, Doc: sp.Doc, Version: d.Version.Version,
					Start: sp.Bytes.Start, End: sp.Bytes.End, Role: sp.Role, NeededBy: sp.NeededBy})
			}
		}
	}
	var sources []ledger.SourceRow
	for _, d := range s.Documents {
		sources = append(sources, ledger.SourceRow{Doc: d.Doc, Version: d.Version.Version, Path: d.Path, Bytes: len(d.Text), Observed: d.Observed, Pages: d.PageTable()})
	}
	return map[string][]byte{
		ledger.Query.Name():   ledger.Query.Encode(id, queries),
		ledger.Source.Name():  ledger.Source.Encode(id, sources),
		ledger.Support.Name(): ledger.Support.Encode(id, supports),
		ledger.Failure.Name(): ledger.Failure.Encode(id, Failures(results)),
	}
}

// Failures are the cells without a result.
func Failures(results []Result) []ledger.FailureRow {
	var out []ledger.FailureRow
	for _, r := range results {
		if r.Err != nil {
			out = append(out, ledger.FailureRow{Arm: r.Arm.Name, Label: r.Label.String(), FirstCut: r.Label.FirstCut, Reason: reason(r.Err), Detail: r.Err.Error()})
		}
	}
	return out
}

// Facts are what the report of these results is built from.
func (s *Study) Facts(id string, o Origin, results []Result, leftOut []compare.LeftOut, reproduce compare.Reproduce) (compare.Facts, error) {
	in := compare.Facts{Run: id, Experiment: s.Experiment, Documents: s.Documents, LeftOut: leftOut, Tables: s.Tables, Passed: s.spool.Passed,
		Reproduce: reproduce, Corpus: o.Corpus, Golden: o.Golden}
	for _, q := range s.Questions {
		in.Questions = append(in.Questions, q.Question)
		in.Evidence = append(in.Evidence, q.Evidence)
	}
	objects := map[string]cas.Entry{}
	byArm := map[string][]Result{}
	for _, r := range results {
		objects[r.Name] = r.Entry
		if r.Err == nil {
			m, err := r.indexed()
			if err != nil {
				return in, err
			}
			in.Checked += m.Checked
		}
		byArm[r.Arm.Name] = append(byArm[r.Arm.Name], r)
	}
	in.Cells = func(table, cell string) ([]byte, error) {
		o, ok := objects[cell].Files[table]
		if !ok {
			return nil, fmt.Errorf("cell %s has no table %s", cell, table)
		}
		return ledger.ReadFile(o.Path)
	}
	for _, a := range s.Experiment.Arms {
		p := compare.Planning{Arm: a, Blocks: s.Experiment.Phases.Exhaustive(a)}
		for _, r := range byArm[a.Name] {
			if r.Targets != nil {
				p.Targets = append(p.Targets, r.aimed())
				continue
			}
			planned, err := r.planned()
			if err != nil {
				return in, err
			}
			if r.Again {
				p.Rebuild = &planned[0]
				continue
			}
			p.Phases = append(p.Phases, planned...)
		}
		if s.Experiment.Phases.Target != plan.NoTargets && a.Targeted() {
			var err error
			if _, p.Unreachable, err = s.Targets(a); err != nil {
				return in, err
			}
		}
		in.Arms = append(in.Arms, p)
	}
	return in, nil
}

// aimed is a cell of targeted placements as the report reads it.
func (r Result) aimed() compare.Aimed {
	a := compare.Aimed{Cell: r.Name}
	if r.Err != nil {
		a.Failed = reason(r.Err)
	}
	for _, t := range r.Targets {
		a.Questions = append(a.Questions, t.Question)
	}
	return a
}

// Planned are the facts of an experiment that has not run.
func (s *Study) Planned() (compare.Facts, error) {
	cells, err := s.Cells(false)
	if err != nil {
		return compare.Facts{}, err
	}
	return s.Facts("", Origin{}, s.notBegun(cells), nil, compare.Reproduce{})
}

func (s *Study) notBegun(cells []Cell) []Result {
	results := make([]Result, len(cells))
	for i, c := range cells {
		results[i] = Result{Cell: c, Key: s.Key(c), Err: ErrNotBegun}
	}
	return results
}

// planned are the placements that a result is of.
func (r Result) planned() ([]compare.Planned, error) {
	p := compare.Planned{Label: r.Label.String(), FirstCut: r.Label.FirstCut, Cell: r.Name}
	if r.Err != nil {
		p.Failed = reason(r.Err)
	}
	if r.Block == 0 {
		if r.Err != nil {
			return []compare.Planned{p}, nil
		}
		m, err := r.indexed()
		p.Chunks = m.Chunks
		return []compare.Planned{p}, err
	}
	var out []compare.Planned
	for i := range r.Block {
		p.FirstCut = r.Label.FirstCut + i
		p.Label = plan.Label{J: p.FirstCut, P: r.Arm.Stride()}.String()
		out = append(out, p)
	}
	return out, nil
}

// segments are the names of the segments, fixed before any retrieval.
func segments(questions []*golden.Question) []string {
	var out []string
	for _, q := range questions {
		if q.Segment != "" {
			out = append(out, q.Segment)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}
