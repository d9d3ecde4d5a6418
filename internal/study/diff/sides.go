package diff

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"

	"kerf/internal/golden"
	"kerf/internal/study/compare"
	"kerf/internal/verdict"
)

// Side is an arm of a run, or of a file of rankings held against a project.
type Side struct {
	Given  string // as typed
	Run    string // "" for a file
	Digest string // of a file
	Kerf   string // the version that made it
	Arm    string
	Facts  *compare.Facts
}

// side is a Side that was read, its rows the paired questions in order.
type side struct {
	Side
	*compare.Outcomes
	questions []int // of Facts
	kept      *kept // nil: no hits are kept
}

func read(s Side, verdicts bool) (*side, error) {
	o, err := s.Facts.Outcomes(s.Arm, verdicts)
	return &side{Side: s, Outcomes: o}, err
}

func (s *side) named() Named {
	n := Named{Given: s.Given, Arm: s.Arm, Run: s.Run, Kerf: s.Kerf, Corpus: s.Facts.Corpus, Golden: s.Facts.Golden, Placements: len(s.Phases), Rebuild: s.Rebuild}
	if a := s.Outcomes.Arm; !a.IsControl() {
		n.Size, n.Overlap = a.Split.Size, a.Split.Overlap
	}
	return n
}

// pair keeps the answerable questions that both sides asked alike.
func pair(b, c *side) Questions {
	q := Questions{OnlyBaseline: []string{}, OnlyCandidate: []string{}, Relabelled: []string{}}
	index := map[string]int{}
	for i, x := range b.Facts.Questions {
		index[x.QID] = i
	}
	both := map[string]bool{}
	for j, x := range c.Facts.Questions {
		i, ok := index[x.QID]
		both[x.QID] = ok
		switch {
		case !ok:
			q.OnlyCandidate = append(q.OnlyCandidate, x.QID)
		case !slices.Equal(b.asks(i), c.asks(j)):
			q.Relabelled = append(q.Relabelled, x.QID)
		case x.Unanswerable:
			q.Unanswerable++
		default:
			b.questions, c.questions = append(b.questions, i), append(c.questions, j)
		}
	}
	for _, x := range b.Facts.Questions {
		if !both[x.QID] {
			q.OnlyBaseline = append(q.OnlyBaseline, x.QID)
		}
	}
	q.Paired = len(b.questions)
	return q
}

// asks is all of a question that a verdict depends on, as texts.
func (s *side) asks(i int) []string {
	q := s.Facts.Questions[i]
	out := []string{q.Text, strconv.FormatBool(q.Unanswerable), "reader"}
	out = append(out, sorted(s.reader(q))...)
	out = append(append(out, "within"), sorted(q.Within)...)
	for _, set := range s.Facts.Evidence[i] {
		out = append(out, "set")
		for _, r := range set {
			d := s.Facts.Documents[r.Doc]
			out = append(out, d.Doc, d.Version.Version, r.String())
		}
	}
	return out
}

func (s *side) reader(q *golden.Question) []string {
	if len(q.Reader) > 0 {
		return q.Reader
	}
	return s.Facts.Experiment.Reader
}

func sorted(names []string) []string {
	names = slices.Clone(names)
	slices.Sort(names)
	return names
}

// at are the ranks of a paired question at a placement; ok is false without a
// result.
func (s *side) at(question, placement int) (r verdict.Ranks, ok bool) {
	i := s.questions[question]
	if s.Support[i][placement] < 0 {
		return r, false
	}
	return s.Ranks[i][placement], true
}

func (s *side) question(n int) *golden.Question { return s.Facts.Questions[s.questions[n]] }

// frozen is what a side was made with, by name.
func (s *side) frozen() []struct{ name, value string } {
	a, e := s.Outcomes.Arm, s.Facts.Experiment
	e.Budget.Curve = nil
	depth := ""
	if a.Rankings == "" {
		depth = strconv.Itoa(e.Depth)
	}
	placements := "all" // so many as the stride has, which is size and overlap again
	if !e.Phases.All || a.IsControl() {
		placements = strconv.Itoa(len(s.Phases))
	}
	return []struct{ name, value string }{
		{"size", strconv.Itoa(a.Split.Size)}, {"overlap", strconv.Itoa(a.Split.Overlap)},
		{"split", a.Split.By + a.Split.File}, {"tokenizer", a.Split.Tokenizer}, {"edge", a.Split.Edge},
		{"retrieve", fmt.Sprint(a.Retrieve)}, {"rankings", cmp.Or(s.Digest, a.Rankings)}, {"scope", a.Moving.Scope},
		{"placements", placements}, {"budget", fmt.Sprint(e.Budget)}, {"at_k", strconv.Itoa(e.AtK)}, {"depth", depth},
		{"access", e.Access}, {"ignorable", e.Ignorable}, {"corpus", s.Facts.Corpus}, {"kerf", s.Kerf},
	}
}

// differ are the declared intervention, and what else differs: size and overlap
// are meant to; where they are equal and one thing alone differs, that one is.
func differ(b, c *side) (intervention, confounded []string) {
	intervention, confounded = []string{}, []string{}
	was, is := b.frozen(), c.frozen()
	for i := range was {
		if was[i].value == is[i].value {
			continue
		}
		if n := was[i].name; n == "size" || n == "overlap" {
			intervention = append(intervention, n)
		} else {
			confounded = append(confounded, n)
		}
	}
	if len(intervention) == 0 && len(confounded) == 1 {
		return confounded, intervention
	}
	return intervention, confounded
}
