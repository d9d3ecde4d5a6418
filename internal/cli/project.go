package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/report"
	"kerf/internal/spool"
	"kerf/internal/study/compare"
	"kerf/internal/study/ledger"
	"kerf/internal/study/plan"
	"kerf/internal/study/sweep"
)

// project is what is measured: an experiment, the frozen documents and the
// questions that are asked.
type project struct {
	home    string // folder of kerf.yaml, else -C; .kerf lies in it
	plan    plan.Experiment
	corpus  *corpus.Corpus
	spool   *spool.Spool // where it lies
	set     *golden.Set
	asked   []*golden.Question
	leftOut []compare.LeftOut
	stale   []*golden.Question // left out for their labels' version, and nothing else
	heldout int                // held-out questions among those asked
	uses    string             // heldout.jsonl, where these are counted
	flags   string             // of kerf run, that say what is asked
	why     map[string]string  // of a question left out, by qid
	origin  sweep.Origin
	config  string
	files   []compare.Input
	brought []broughtFile // by the arms
	kin     *sweep.Study  // of the same documents; nil: none yet
	began   time.Time     // of kerf gate: its deadline counts from here, for both sides
}

// state is the folder of kerf's own files.
func (p *project) state() string { return filepath.Join(p.home, ".kerf") }

// asking says which questions of the golden set are asked.
type asking struct {
	heldout bool
	stale   string     // "fail" or "exclude"; "": as the experiment says
	byID    bool       // take questions that are labelled by chunk ids, not spans
	arms    []plan.Arm // in place of the experiment's; nil: those
	alone   bool       // no arm is run, so that no file is read that one brings

	beside func(labelSet) finding.List // what else to list where the labels have errors; nil: nothing
}

// project is what commands other than run look at.
func (a *app) project() (*project, error) { return a.ask(asking{}) }

// ask reads everything; with any error in it, all errors are printed and the
// command ends with 2.
func (a *app) ask(which asking) (*project, error) {
	in, err := a.labels()
	if err != nil {
		return nil, err
	}
	if which.arms != nil {
		in.experiment.Arms, in.experiment.Baseline = which.arms, which.arms[0].Name
	}
	flags := ""
	if which.heldout {
		flags += " --heldout"
	}
	if which.stale != "" && which.stale != in.experiment.Stale {
		in.experiment.Stale = which.stale
		flags += " --stale " + which.stale
	}
	if in.experiment.Stale == "exclude" {
		in.found = slices.DeleteFunc(in.found, func(f finding.Finding) bool { return f.Code == golden.CodeStale })
	}
	var brought []broughtFile
	if !which.alone {
		if brought, err = a.brought(&in, in.set.With(in.corpus), a.fromHome(in.home)); err != nil {
			return nil, err
		}
	}
	if in.found.Errors() > 0 && which.beside != nil {
		in.found = append(in.found, which.beside(in)...)
	}
	if n := in.found.Errors(); n > 0 {
		in.found.Sort()
		fmt.Fprintln(a.Stderr, Escape(in.found.Err().Error()))
		return nil, a.refuse(counted(n, "error")+"; kerf check lists them all, nothing was run", "check")
	}
	if !which.byID {
		if err := a.spansAlone(in); err != nil {
			return nil, err
		}
	}
	p := &project{brought: brought, home: in.home, plan: in.experiment, corpus: in.set.With(in.corpus), spool: in.spool, set: in.set, config: in.config}
	if p.corpus.Bytes() == 0 || !slices.ContainsFunc(p.corpus.Documents, func(d *corpus.Document) bool { return !d.Blank() }) {
		return nil, usage("%s: no document has any text", in.experiment.Corpus)
	}
	p.flags, p.uses = flags, filepath.Join(filepath.Dir(in.file), heldoutName)
	counts := map[string]int{}
	p.why = map[string]string{}
	for _, q := range in.set.Questions {
		why := leftOut(q, which.heldout)
		q = q.Asked()
		switch {
		case why == whyStale:
			p.stale = append(p.stale, q)
		case why == "":
			p.asked = append(p.asked, q)
			if q.IsHeldOut() {
				p.heldout++
			}
			continue
		}
		counts[why]++
		p.why[q.QID] = why
	}
	for _, why := range []string{whyDraft, whyHeldout, whyStale} {
		if counts[why] > 0 {
			p.leftOut = append(p.leftOut, compare.LeftOut{Reason: why, Questions: counts[why]})
		}
	}
	if len(p.asked) == 0 {
		return nil, a.nothingToAsk(in.golden, p.leftOut)
	}
	if which.heldout && p.heldout == 0 {
		return nil, usage("--heldout: no question of %s to ask is held out", in.golden)
	}
	if found := unranked(brought, p.asked); found.Errors() > 0 {
		fmt.Fprintln(a.Stderr, Escape(found.Err().Error()))
		return nil, a.refuse(counted(found.Errors(), "error")+": rankings lack questions; nothing was run", "check")
	}
	content, err := os.ReadFile(in.file)
	if err != nil {
		return nil, a.unread(in.file, err, "")
	}
	p.origin = sweep.Origin{Kerf: Version, Corpus: p.corpus.Digest(), Golden: ledger.Object(content)}
	p.files = []compare.Input{{Name: in.experiment.Corpus, Digest: p.origin.Corpus}, {Name: in.experiment.Golden, Digest: p.origin.Golden}}
	p.files = append(p.files, inputs(brought)...)
	return p, nil
}

// nothingToAsk says why not, a reason a part, and what to do about it.
func (a *app) nothingToAsk(file string, out []compare.LeftOut) error {
	var why []string
	next := []string{"check"}
	for _, l := range out {
		reason := l.Reason
		switch reason {
		case whyHeldout:
			reason += ": kerf run --heldout asks them"
			if len(out) == 1 {
				next = []string{"run", "--heldout"}
			}
		default:
			next = []string{"anchor", "-w"}
		}
		why = append(why, counted(l.Questions, "question")+" ("+reason+")")
	}
	return a.refuse(file+": no question to ask: "+strings.Join(why, "; "), next...)
}

// Why a question of the golden set is not asked.
const (
	whyDraft   = "draft: no place in the text yet"
	whyHeldout = "held out"
	whyStale   = "label on a superseded version"
)

func leftOut(q *golden.Question, heldout bool) string {
	switch {
	case slices.ContainsFunc(q.Spans, func(s *golden.Span) bool { return s.Draft }):
		return whyDraft
	case q.IsHeldOut() && !heldout:
		return whyHeldout
	case q.Stale():
		return whyStale
	}
	return ""
}

// study is the project in the engine's terms.
func (p *project) study() (*sweep.Study, error) {
	var s *sweep.Study
	var err error
	if p.kin != nil {
		s, err = p.kin.Beside(p.plan, p.asked)
	} else {
		s, err = sweep.New(p.plan, p.corpus.Documents, p.asked, p.spool)
		p.kin = s
	}
	if err == nil && p.corpus.Extract != "" {
		s.Extract = p.corpus.Extract
	}
	return s, err
}

// reproduce is what the report says of its making.
func (p *project) reproduce(s *sweep.Study) compare.Reproduce {
	r := compare.Reproduce{Command: "kerf run", Kerf: Version, Unicode: sweep.Unicode, Inputs: p.files}
	if p.config != "" {
		r.Command = "kerf run -c " + report.Quote(filepath.Base(p.config)) // from home
	}
	r.Command += p.flags
	for _, t := range s.Tokenizers() {
		r.Inputs = append(r.Inputs, compare.Input{Name: t.Name, Digest: t.Digest})
	}
	return r
}
