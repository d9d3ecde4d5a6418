package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"kerf/internal/adapter/git"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/rankings"
	"kerf/internal/release/baseline"
	"kerf/internal/release/gate"
	"kerf/internal/study/diff"
	"kerf/internal/study/plan"
)

// mostText is the largest file of text that is read from a commit, in bytes.
const mostText = 1 << 30

// commit is a commit of the repository that the project lies in.
type commit struct {
	repository *git.Repository
	name       string // as the user, or the CI, calls it
	sha        string
}

func (c commit) String() string { return c.name + "@" + c.sha[:min(12, len(c.sha))] }

// read gives a file as it was; its path is that of today.
func (c commit) read(ctx context.Context, path string, most int64) ([]byte, error) {
	name, err := c.repository.Inside(path)
	if err != nil {
		return nil, err
	}
	return c.repository.File(ctx, c.sha, name, most)
}

// commit finds what a change is compared with.
func (a *app) commit(ctx context.Context, home, ref string) (c commit, err error) {
	if c.repository, err = git.Open(ctx, home); err != nil {
		return c, fmt.Errorf("%w; without git: kerf gate --accept once, then kerf gate --baseline FILE", err)
	}
	c.name = ref
	if ref != "" {
		c.sha, err = c.repository.Commit(ctx, ref)
	} else {
		c.name, c.sha, err = c.repository.Base(ctx, a.Getenv)
	}
	return c, err
}

// incomparable says why there is nothing to compare with.
type incomparable struct {
	reason string       // a sentence without its stop
	found  finding.List // what is wrong with the other side's files
}

func (e incomparable) Error() string { return "not comparable: " + e.reason }

// gateAgainst compares with the arm at a commit, on today's documents and labels
// and with today's instrument.
func (a *app) gateAgainst(ctx context.Context, p *project, f gating) (*gate.Gate, error) {
	c, err := a.commit(ctx, p.home, f.against)
	if err != nil {
		return nil, err
	}
	file := filepath.Join(p.home, "kerf.yaml")
	if p.config != "" {
		file = a.path(p.config)
	}
	content, err := c.read(ctx, file, mostText)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, incomparable{reason: fmt.Sprintf("%s has no %s", c, a.shown(file))}
	} else if err != nil {
		return nil, err
	}
	was, found := plan.Parse(a.shown(file)+"@"+c.sha[:min(12, len(c.sha))], content)
	if found.Errors() > 0 {
		return nil, incomparable{fmt.Sprintf("kerf.yaml of %s cannot be read: %s", c, counted(found.Errors(), "error")), found}
	}
	name := was.Gate.Arm
	if name == "" {
		name = p.plan.Gate.Arm
	}
	at := slices.IndexFunc(was.Arms, func(x plan.Arm) bool { return x.Name == name })
	if at < 0 {
		return nil, incomparable{reason: fmt.Sprintf("%s has no arm %s", c, name)}
	}
	now, err := a.candidate(ctx, p)
	if err != nil {
		return nil, err
	}
	base, err := a.sideAt(ctx, p, c, was.Arms[at], f.phase)
	if err != nil {
		return nil, err
	}
	if base.side.Facts == nil { // the very same
		base.side.Facts, base.missing = now.side.Facts, nil
	}
	g, err := a.screened(p, f, base, nil, now)
	if err != nil {
		return nil, err
	}
	if head, err := c.repository.Commit(ctx, "HEAD"); f.against == "" && err == nil && head == c.sha {
		g.Warnings = append(g.Warnings, diff.Warning{Code: "head", Message: "the merge base with " + c.name + " is HEAD itself: what is compared is the working tree with the last commit"})
	}
	if base.side.Facts == now.side.Facts {
		g.Warnings = append(g.Warnings, diff.Warning{Code: "unchanged", Message: "arm " + name + " is the same at " + c.String() + ", and so is what it brings; documents and labels are today's on both sides: nothing that is screened differs"})
	}
	differ := baseline.NewInstrument(was).Differences(baseline.NewInstrument(p.plan))
	// All placements of an arm are as many as its stride has: those are its cuts, the tested system.
	all := was.Phases.Exhaustive(was.Arms[at]) && p.plan.Phases.Exhaustive(p.plan.Arms[0])
	if f.phase == "" && !all {
		before, err := baseline.Labels(was.Arms[at], was.Phases)
		if err != nil {
			return nil, err
		}
		labels, err := baseline.Labels(p.plan.Arms[0], p.plan.Phases)
		if err != nil {
			return nil, err
		}
		differ = append(differ, baseline.Phases(before, labels)...)
	}
	g.Instrument = append(g.Instrument, instrument(differ)...)
	if changed := limits(was.Gate, p.plan.Gate); len(changed) > 0 {
		g.Warnings = append(g.Warnings, diff.Warning{Code: "limits-changed", Message: fmt.Sprintf("gate of kerf.yaml is not that of %s: %s; today's decides", c, strings.Join(changed, ", "))})
	}
	return g, a.goneSince(ctx, p, c, was, g)
}

// limits are the settings of what passes that are not the same: a change that
// loosens them passes by its own doing.
func limits(was, is plan.Gate) (changed []string) {
	told := func(bounds []plan.Bound) (out []string) {
		for _, b := range bounds {
			out = append(out, b.Measure+" "+b.Value.Rat().RatString())
		}
		slices.Sort(out)
		return out
	}
	for _, x := range []struct {
		name    string
		was, is []string
	}{
		{"fail_on", []string{was.FailOn}, []string{is.FailOn}}, {"tolerance", told(was.Tolerance), told(is.Tolerance)},
		{"floor", told(was.Floor), told(is.Floor)}, {"segments", was.Segments, is.Segments},
	} {
		if !slices.Equal(x.was, x.is) {
			changed = append(changed, x.name)
		}
	}
	return changed
}

// sideAt runs the arm as it was at a commit. Facts is nil where it is the very arm
// of today with the same files.
func (a *app) sideAt(ctx context.Context, p *project, c commit, arm plan.Arm, phase string) (ran, error) {
	out := ran{side: diff.Side{Given: c.String(), Kerf: Version, Arm: arm.Name}, name: c.String(), commit: c.sha}
	q := *p
	q.plan.Arms, q.plan.Baseline = []plan.Arm{arm}, arm.Name
	if phase != "" {
		if err := q.ordinary(phase); err != nil {
			return out, err
		}
	}
	in := labelSet{home: p.home, experiment: q.plan}
	var err error
	q.brought, err = a.brought(&in, p.corpus, func(file string) ([]byte, string, error) {
		path := resolved(p.home, file)
		content, err := c.read(ctx, absolute(path), rankings.Most)
		return content, a.shown(path) + "@" + c.sha[:min(12, len(c.sha))], err
	})
	if err != nil {
		return out, incomparable{reason: fmt.Sprintf("%s: %v", c, err)}
	}
	if in.found.Errors() > 0 {
		return out, incomparable{fmt.Sprintf("what the arm %s of %s brings does not fit today's documents: %s", arm.Name, c, counted(in.found.Errors(), "error")), in.found}
	}
	q.asked, out.new = ranked(q.brought, p.asked)
	if len(q.asked) == 0 {
		return out, incomparable{reason: fmt.Sprintf("the rankings of %s have no question that is asked today", c)}
	}
	if lost := superseded(q.brought, q.asked); len(lost) > 0 {
		return out, incomparable{reason: fmt.Sprintf("%s of the rankings of %s without a place in today's documents: %s", counted(len(lost), "hit"), c, lostText(lost))}
	}
	out.side.Digest = q.brings()
	x, y := q.plan.Arms[0], p.plan.Arms[0]
	x.At, y.At = plan.Place{}, plan.Place{}
	if reflect.DeepEqual(x, y) && q.brings() == p.brings() {
		return out, nil
	}
	s, end, err := a.study(ctx, &q, "")
	if err != nil {
		return out, err
	}
	defer end()
	cells, err := s.Cells(false)
	if err != nil {
		return out, err
	}
	facts, missing, err := a.measure(ctx, &q, s, cells, c.String())
	out.side.Facts, out.missing = &facts, missing
	return out, err
}

// superseded are the hits of versions that are no longer pinned. In what is screened
// they are evidence of nothing; a baseline that they weaken would hide a fall.
func superseded(files []broughtFile, asked []*golden.Question) (lost []baseline.Lost) {
	for _, f := range files {
		if f.rankings == nil {
			continue
		}
		for _, q := range asked {
			for i, h := range f.rankings.Find(q.QID).Hits {
				if h.Older() {
					lost = append(lost, baseline.Lost{QID: q.QID, Rank: i + 1, Hit: baseline.Hit{Doc: h.DocID, Span: h.Span}, Version: h.Version, Why: "another version of the document is pinned"})
				}
			}
		}
	}
	return lost
}

// ranked are the questions that every file of rankings has a line for, and the qids
// of the others.
func ranked(files []broughtFile, asked []*golden.Question) (in []*golden.Question, new []string) {
	for _, q := range asked {
		if slices.ContainsFunc(files, func(f broughtFile) bool { return f.rankings != nil && f.rankings.Find(q.QID) == nil }) {
			new = append(new, q.QID)
		} else {
			in = append(in, q)
		}
	}
	return in, new
}

// goneSince names in g the questions that were asked at a commit and are not today.
func (a *app) goneSince(ctx context.Context, p *project, c commit, was plan.Experiment, g *gate.Gate) error {
	file := resolved(p.home, was.Golden)
	unknown := func(why string) {
		g.Warnings = append(g.Warnings, diff.Warning{Code: "gone-unknown", Message: fmt.Sprintf("%s: %s; a question that is gone since may have no name here", c, why)})
	}
	if _, err := c.repository.Inside(absolute(file)); err != nil {
		unknown(err.Error())
		return nil
	}
	content, err := c.read(ctx, absolute(file), mostText)
	if errors.Is(err, fs.ErrNotExist) {
		unknown("has no " + a.shown(file))
		return nil
	} else if err != nil {
		return err
	}
	set, found := golden.Read(a.shown(file), content, nil) // labels are of older documents: no places

	// K001 to K008 are what is no JSON.
	unread := slices.DeleteFunc(found, func(f finding.Finding) bool { return !strings.HasPrefix(f.Code, "K00") })
	if n := unread.Errors(); n > 0 {
		unknown(fmt.Sprintf("errors of JSON in %s: %d", a.shown(file), n))
	}
	var asked []*golden.Question
	for _, q := range set.Questions {
		if why := leftOut(q, false); why == "" || why == whyStale {
			asked = append(asked, q)
		}
	}
	g.Gone = p.gone(asked)
	var had []string
	sample := headline(asked)
	for _, q := range asked {
		if !q.Unanswerable && q.Sample == sample {
			had = append(had, q.QID)
		}
	}
	p.closed(g, had)
	return nil
}

// closed warns of questions that were screened and that nothing answers today, by
// their labels: they are no alarm, and nobody is to miss that they went.
func (p *project) closed(g *gate.Gate, had []string) {
	var names []string
	for _, q := range p.asked {
		if q.Unanswerable && slices.Contains(had, q.QID) {
			names = append(names, q.QID)
		}
	}
	if len(names) > 0 {
		g.Warnings = append(g.Warnings, diff.Warning{Code: "unanswerable-now", Message: fmt.Sprintf("labels that say now that nothing answers the question: %d; these questions have left both sides: %s", len(names), shortList(names))})
	}
}

// headline is the sample that is screened: what has no answer is in no figure.
func headline(asked []*golden.Question) string {
	return golden.Headline(slices.DeleteFunc(slices.Clone(asked), func(q *golden.Question) bool { return q.Unanswerable }))
}

// gone are those of some questions of before that are not asked today, or not in the
// headline sample any more. One that has become unanswerable is asked.
func (p *project) gone(before []*golden.Question) []gate.Gone {
	out := []gate.Gone{}
	today := map[string]*golden.Question{}
	for _, q := range p.asked {
		today[q.QID] = q
	}
	sample, screened := headline(before), headline(p.asked)
	for _, q := range before {
		now := today[q.QID]
		switch {
		case now == nil && p.why[q.QID] == whyStale: // said where questions are left out
		case now == nil && p.why[q.QID] != "":
			out = append(out, gate.Gone{QID: q.QID, Why: p.why[q.QID]})
		case now == nil:
			out = append(out, gate.Gone{QID: q.QID, Why: "not in the golden set"})
		case q.Unanswerable || now.Unanswerable || q.Sample != sample || now.Sample == screened:
		case now.Sample == sample:
			out = append(out, gate.Gone{QID: q.QID, Why: "of the " + sample + " sample; the " + screened + " one is screened now"})
		default:
			out = append(out, gate.Gone{QID: q.QID, Why: "of the " + now.Sample + " sample now"})
		}
	}
	return out
}
