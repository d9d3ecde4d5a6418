// Package report renders a compare.Report: the first screen of a terminal
// (Text), report.json (JSON) and one self-contained page (HTML).
//
// One story is told by all of them, in the words of this file. The words: a
// placement of the cuts is a phase; a question that is whole at some placements
// and not at others comes and goes (flips); ordinary cuts are label P/P. n is
// questions, never questions times placements. Every figure has its denominator,
// and no arm is ever advised.
package report

import (
	"fmt"
	"math/big"
	"sort"
	"strings"

	"kerf/internal/stats"
	"kerf/internal/study/compare"
)

// What every renderer says beside its figures.
const (
	sensitivity = "Sensitivity to the segmentation, not proof that a missing sentence caused a wrong answer." // S1-052
	stress      = "the lowest is a stress statistic, not an expected frequency"                               // S1-127
)

// story is what a report says first.
type story struct {
	*compare.Report
	mover     *compare.Arm  // the arm whose cuts the sentence moves: the baseline, else the first that has placements; nil if none has
	base      *compare.Arm  // the baseline; nil if it is not among the arms
	candidate *compare.Arm  // of pair
	pair      *compare.Pair // the first pair of the budget view; nil without one
}

func tell(r *compare.Report) story {
	s := story{Report: r, base: arm(r, r.Baseline)}
	if s.base != nil && s.base.Views.Budget.Flips.Applies {
		s.mover = s.base
	}
	for i := range r.Arms {
		if s.mover == nil && r.Arms[i].Views.Budget.Flips.Applies {
			s.mover = &r.Arms[i]
		}
	}
	for i := range r.Pairs {
		if p := &r.Pairs[i]; p.View == "budget" && s.pair == nil {
			if a := arm(r, p.Candidate); a != nil && s.base != nil && p.Baseline == r.Baseline {
				s.pair, s.candidate = p, a
			}
		}
	}
	return s
}

func arm(r *compare.Report, name string) *compare.Arm {
	for i := range r.Arms {
		if r.Arms[i].Arm == name {
			return &r.Arms[i]
		}
	}
	return nil
}

// questions is the denominator of the headline: answerable questions of the
// sample.
func (s story) questions() int {
	for i := range s.Arms {
		return s.Arms[i].Views.Budget.Ordinary().Den
	}
	return 0
}

// sentence is the verdict in words with its numbers: what moving the cuts does,
// and how the candidate differs.
func (s story) sentence() string { return strings.TrimSpace(s.moving() + " " + s.against()) }

func (s story) moving() string {
	switch {
	case s.questions() == 0:
		return fmt.Sprintf("Nothing to measure: 0 of %s answerable in the %s sample.", plural(s.Golden.Questions, "question is", "questions are"), s.Sample)
	case s.mover == nil:
		return "No arm has a second placement of the cuts: how much they matter is not measured."
	}
	v := &s.mover.Views.Budget
	d := v.Disagreement.Value
	r, ok := d.Rat()
	if !ok {
		return fmt.Sprintf("Disagreement is %s: in arm %s no question has a result at every placement (%d/%d missing).",
			stats.NotMeasured, line(s.mover.Arm), d.Missing, d.Den)
	}
	of := plural(d.Den, "question", "questions")
	if d.Missing > 0 {
		of += fmt.Sprintf(" less %d missing", d.Missing)
	}
	return fmt.Sprintf("Move the cuts and %s verdicts change (disagreement over %s, arm %s, %d placements); %s.",
		inHundred(r), of, line(s.mover.Arm), s.mover.Phases, moves(v.Flips.Value))
}

func (s story) against() string {
	if s.pair == nil || s.questions() == 0 {
		return ""
	}
	v := &s.candidate.Views.Budget
	move := "come and go: " + compare.NotApplicable
	if v.Flips.Applies {
		move = moves(v.Flips.Value)
	}
	noisy := noises("budget", s.candidate, s.base)
	if noisy != "" {
		noisy = "; " + line(noisy)
	}
	change := difference(s.pair.Ordinary)
	if s.pair.Ordinary.Missing < s.pair.Ordinary.Den {
		change += fmt.Sprintf("; gained %d, lost %d", len(s.pair.Gained), len(s.pair.Lost))
	}
	reach := "interval: " + stats.NotMeasured
	if s.pair.CI.Measured { // of the mean over placements, which needs its own figure beside it
		reach = "over the placements of both " + difference(s.pair.Difference) + ", " + interval(s.pair.CI)
	}
	return fmt.Sprintf("%s: %s; %s whole at the ordinary cuts, against %s in %s (%s; %s).",
		line(s.pair.Candidate), move, fraction(v.Ordinary()), fraction(s.base.Views.Budget.Ordinary()), line(s.pair.Baseline),
		change, reach+noisy)
}

// moves is a count of the questions that come and go, in words.
func moves(c stats.Count) string {
	if c.Missing == c.Den {
		return "come and go: " + fraction(c)
	}
	out := number(c.Num) + " of " + plural(c.Den, "question", "questions")
	if c.Missing > 0 {
		out += " (" + number(c.Missing) + " missing)"
	}
	if c.Num == 1 || c.Den == 1 {
		return out + " comes and goes"
	}
	return out + " come and go"
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return number(n) + " " + many
}

// decides says what would settle the comparison.
func (s story) decides() string {
	if s.pair == nil || s.pair.CI.Measured { // an interval stands in the sentence
		return ""
	}
	return fmt.Sprintf("Over the placements that both arms share the difference is %s. Whether it would hold on other questions is not measured: that takes an interval over the %d clusters of these questions.",
		difference(s.pair.Difference), s.Golden.Clusters)
}

// identity says which corpus, labels and run every figure belongs to (S2-045).
func (s story) identity() string {
	return fmt.Sprintf("run %s · corpus %s, %s · labels %s, %s", short(s.Run), short(s.Corpus.Digest),
		plural(s.Corpus.Docs, "document", "documents"), short(s.Golden.Digest), plural(s.Golden.Questions, "question", "questions"))
}

// short is the beginning of a digest, or the whole of a short name.
func short(digest string) string {
	d := line(strings.TrimPrefix(digest, "sha256:"))
	if len(d) > 12 && !strings.ContainsFunc(d, func(r rune) bool { return !strings.ContainsRune("0123456789abcdef", r) }) {
		return d[:12]
	}
	return d
}

// failsMost is the dependency, or where none is labelled the segment, with the
// largest share of questions that are not whole at the ordinary cuts, the first
// of equals. It is empty where neither is labelled.
func (s story) failsMost(a *compare.Arm) string {
	dependency := func(g *compare.Segment) string { return g.Dependency }
	segment := func(g *compare.Segment) string { return g.Segment }
	if most := s.mostOf(a, dependency); most != "" {
		return most
	}
	return s.mostOf(a, segment)
}

func (s story) mostOf(a *compare.Arm, name func(*compare.Segment) string) string {
	found, most := "", new(big.Rat)
	for i := range a.Segments {
		g := &a.Segments[i]
		r, ok := g.Ordinary.Rat()
		if name(g) == "" || name(g) == compare.NotStated || g.Sample != s.Sample || !ok {
			continue
		}
		if found == "" {
			found = "none"
		}
		if share := new(big.Rat).Sub(big.NewRat(1, 1), r); share.Cmp(most) > 0 {
			of := g.Ordinary.Den - g.Ordinary.Missing
			found, most = fmt.Sprintf("%s %d/%d", line(strings.ReplaceAll(name(g), "_", " ")), of-g.Ordinary.Num, of), share
		}
	}
	return found
}

// notCounted lists what stands in no denominator, or has no result.
func (s story) notCounted() []string {
	var out []string
	if s.Golden.Unanswerable > 0 {
		out = append(out, fmt.Sprintf("%d unanswerable of %s", s.Golden.Unanswerable, plural(s.Golden.Questions, "question", "questions")))
	}
	for _, l := range s.Golden.LeftOut {
		out = append(out, fmt.Sprintf("%s left out: %s", plural(l.Questions, "question", "questions"), line(l.Reason)))
	}
	if st := s.Golden.Stale; st != nil {
		out = append(out, fmt.Sprintf("asked: %s, %d with the stale ones", plural(st.Asked, "answerable question", "answerable questions"), st.WithStale))
	}
	for i, m := range s.MissingCells {
		if i == 3 {
			out = append(out, plural(len(s.MissingCells)-3, "more missing cell", "more missing cells"))
			break
		}
		out = append(out, fmt.Sprintf("missing cell %s %s: %s", line(m.Arm), line(m.Phase), line(m.Reason)))
	}
	return out
}

// apart is the support of the questions outside the headline's sample under
// baseline and candidate, a sentence a sample: they are never pooled (S1-133). It
// is empty where there is one sample alone.
func (s story) apart() []string {
	of := map[string][]string{}
	var samples []string
	for _, a := range s.compared() {
		for _, g := range a.Samples {
			if g.Sample == s.Sample || g.Questions == 0 {
				continue
			}
			if of[g.Sample] == nil {
				samples = append(samples, g.Sample)
			}
			of[g.Sample] = append(of[g.Sample], line(a.Arm)+" "+fraction(g.Ordinary))
		}
	}
	var out []string
	for _, sample := range samples {
		out = append(out, line(sample)+" questions, apart from all of the above, whole at the ordinary cuts: "+strings.Join(of[sample], ", "))
	}
	return out
}

// heldOut says how often the held-out questions have served (S2-015): a set that
// was looked at is no longer one that nothing was tuned on. It is empty where
// none was asked.
func (s story) heldOut() string {
	h := s.Golden.HeldOut
	if h == nil {
		return ""
	}
	return fmt.Sprintf("held-out set, %s, used %s before", plural(h.Questions, "question", "questions"), plural(h.Uses, "time", "times"))
}

// flags are the warnings and hard violations, most serious first.
func (s story) flags() []string {
	var out []string
	for _, v := range s.HardViolations {
		out = append(out, fmt.Sprintf("hard violation (%s): arm %s, placement %s, question %s: %s bytes [%d,%d)", line(v.Kind), line(v.Arm), line(v.Phase), line(v.QID), line(v.Doc), v.Start, v.End))
	}
	if s.Sample == "enriched" {
		out = append(out, "enriched questions only: these figures describe no usual mix of questions")
	}
	for i := range s.Arms {
		if f := s.Arms[i].Views.Budget.Infeasible; f.Num > 0 { // of the source, the same in every arm
			names := line(strings.Join(f.QIDs[:min(3, len(f.QIDs))], ", "))
			if len(f.QIDs) > 3 {
				names += ", …"
			}
			out = append(out, fmt.Sprintf("infeasible: the evidence of %d/%d questions does not fit the budget (%s); they count as not whole", f.Num, f.Den, names))
			break
		}
	}
	for _, w := range s.Warnings {
		text := "warning " + line(w.Code) + ": "
		for _, where := range []string{w.Arm, w.View} {
			if where != "" {
				text += line(where) + ": "
			}
		}
		text += line(w.Message)
		if w.Count != nil {
			text += " (" + fraction(*w.Count) + ")"
		}
		out = append(out, text)
	}
	return out
}

// Next is the command to look at after the first screen, its words after kerf:
// the worst question, or the cuts themselves where no question is listed.
func Next(r *compare.Report) []string {
	if len(r.WorstQuestions) == 0 {
		return []string{"cuts"}
	}
	qid := r.WorstQuestions[0].QID
	if strings.HasPrefix(qid, "-") { // no flag
		return []string{"explain", "--", qid}
	}
	return []string{"explain", qid}
}

// keys are the keys of m by falling count, then by name.
func keys(m map[string]int) []string {
	out := make([]string, 0, len(m))
	for k := range m {
		out = append(out, k)
	}
	sort.Slice(out, func(i, j int) bool {
		if m[out[i]] != m[out[j]] {
			return m[out[i]] > m[out[j]]
		}
		return out[i] < out[j]
	})
	return out
}
