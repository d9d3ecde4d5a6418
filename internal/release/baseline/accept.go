package baseline

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"kerf/internal/stats"
)

// Candidate is a run that may become the baseline.
type Candidate struct {
	Instrument   Instrument
	Set          *Set
	Values       map[string]stats.Sum // of each of Names, on today's labels
	Unanswerable []string             // questions that nothing answers now: they are asked, and have no ranking here
}

// Verdict is what became of a measure.
type Verdict string

// The verdicts.
const (
	First     Verdict = "accepted"                     // there was no baseline
	Raised    Verdict = "raised"                       // the bound of its improvement is above zero
	Kept      Verdict = "not shown to be better: kept" // it is not
	Unchanged Verdict = "unchanged"                    // the rankings are those of the baseline
	Taken     Verdict = "taken, for the reason given"  //
)

// Decision says what became of a measure, and of the questions that are new to it.
type Decision struct {
	Measure  string
	Verdict  Verdict
	From, To stats.Sum            // the values that the file had and has; From without a Sum if First
	Lower    stats.Maybe[float64] // one-sided 97.5 % bound of the improvement, as it was given
	New      int                  // questions that had no ranking and take the candidate's
	Left     int                  // questions that stay without: the candidate has other placements
}

// Accept is the ratchet (requirements 5.12 to 5.14; statistics.md 8).
//
// Without a baseline (old is nil) every measure takes the candidate's rankings. Later a measure
// takes them only where lower, the one-sided 97.5 % bound of its improvement as a
// share, is measured and above zero; else it keeps its own, and takes the candidate's for
// the questions that it has none for: there is nothing that they could fall from.
// With a reason the measures of only, all if it is empty, take them whatever
// the bound, and the reason is recorded.
//
// The candidate must be whole and the two comparable: the same instrument, as many
// placements where the cuts of both move, every question of the baseline, the same
// versions of the documents that both name. What is not comparable is taken with a
// reason, by all measures together. Nothing of old is changed.
func Accept(old *Baseline, c Candidate, lower map[string]stats.Maybe[float64], reason string, only ...string) (*Baseline, []Decision, error) {
	for _, name := range only {
		if !slices.Contains(Names, name) {
			return nil, nil, fmt.Errorf("no measure %q (have %s)", name, strings.Join(Names, ", "))
		}
	}
	if err := c.whole(); err != nil {
		return nil, nil, err
	}
	reason = strings.TrimSpace(reason)
	taken := func(name string) bool { return reason != "" && (len(only) == 0 || slices.Contains(only, name)) }
	b := &Baseline{Instrument: c.Instrument}
	var said []Decision
	if old == nil {
		for _, name := range Names {
			b.Measures = append(b.Measures, Measure{name, c.Set, c.Values[name]})
			said = append(said, Decision{Measure: name, Verdict: First, To: c.Values[name], New: len(c.Set.Questions)})
		}
		return b, said, nil
	}
	why := old.comparable(c)
	if why != "" && reason == "" {
		return nil, nil, fmt.Errorf("%w: %s", ErrNotComparable, why)
	}
	if why != "" && slices.ContainsFunc(Names, func(name string) bool { return !taken(name) }) {
		return nil, nil, fmt.Errorf("%w: %s: every measure must take it", ErrNotComparable, why)
	}
	b.Accepted = slices.Clone(old.Accepted)
	for _, m := range old.Measures {
		d := Decision{Measure: m.Name, From: m.Value, To: c.Values[m.Name], Lower: lower[m.Name]}
		next := Measure{m.Name, c.Set, c.Values[m.Name]}
		var kept *Set
		if why == "" {
			kept, d.New, d.Left = m.Set.with(c.Set)
		}
		switch {
		case kept != nil && kept.same(c.Set):
			d.Verdict, d.To, next.Value = Unchanged, m.Value, m.Value
			if d.New == 0 {
				next.Set = m.Set
			}
		case taken(m.Name):
			d.Verdict, d.New, d.Left = Taken, 0, 0
			b.Accepted = append(b.Accepted, Override{m.Name, m.Value, next.Value, reason})
		case d.Lower.Measured && d.Lower.Value > 0:
			d.Verdict, d.New, d.Left = Raised, 0, 0
		default:
			d.Verdict, d.To = Kept, m.Value
			next = Measure{m.Name, kept, m.Value}
		}
		b.Measures, said = append(b.Measures, next), append(said, d)
	}
	b.share()
	return b, said, nil
}

// ErrNotComparable is the error of a candidate that only a reason can make the baseline.
var ErrNotComparable = errors.New("not comparable with the baseline")

// comparable is "", or why the candidate cannot be held against the baseline.
func (b *Baseline) comparable(c Candidate) string {
	if d := b.Instrument.Differences(c.Instrument); len(d) > 0 {
		return fmt.Sprintf("%s was %s and is %s", d[0].Name, d[0].Baseline, d[0].Candidate)
	}
	asked := slices.Clone(c.Unanswerable)
	for _, q := range c.Set.Questions {
		asked = append(asked, q.QID)
	}
	if gone := b.Gone(asked); len(gone) > 0 {
		return fmt.Sprintf("%s in the baseline, not in the current run", strings.Join(gone[:min(5, len(gone))], ", "))
	}
	for _, d := range Phases(b.Measure(Support).Set.Labels, c.Set.Labels) { // mrr is of the ordinary one
		return fmt.Sprintf("%s was %s and is %s", d.Name, d.Baseline, d.Candidate)
	}
	for _, m := range b.Measures {
		for _, doc := range slices.Sorted(maps.Keys(m.Set.Documents)) {
			if v, both := c.Set.Documents[doc]; both && v != m.Set.Documents[doc] {
				return "another version of " + doc
			}
		}
	}
	return ""
}

// whole is an error where the candidate cannot be a baseline.
func (c Candidate) whole() error {
	s := c.Set
	if len(s.Questions) == 0 {
		return errors.New("no question was asked")
	}
	for _, q := range s.Questions {
		for i, l := range q.Lists {
			switch {
			case l.Hits == nil:
				return fmt.Errorf("%s at %s: missing, and what is missing is never accepted", q.QID, s.Labels[i])
			case l.More && i == len(s.Labels)-1:
				return fmt.Errorf("%s at %s: not every hit is here", q.QID, s.Labels[i])
			case len(l.Hits) > c.Instrument.Depth:
				return fmt.Errorf("%s at %s: %d hits at depth %d", q.QID, s.Labels[i], len(l.Hits), c.Instrument.Depth)
			}
		}
	}
	for _, name := range Names {
		if why := share(c.Values[name], len(s.Questions)); why != "" {
			return fmt.Errorf("%s: %s", name, why)
		}
	}
	return nil
}

// with is s and the questions that d alone has, how many these are, and how many are
// left out: those of a d that has other placements. What a control found holds for
// every placement.
func (s *Set) with(d *Set) (merged *Set, added, left int) {
	merged = new(*s)
	merged.Questions, merged.Documents = slices.Clone(s.Questions), maps.Clone(s.Documents)
	for _, q := range d.Questions {
		i, there := slices.BinarySearchFunc(merged.Questions, q.QID, byQID)
		switch {
		case there:
			continue
		case d.Arm.IsControl():
			q.Lists = slices.Repeat(q.Lists, len(s.Labels))
		case !slices.Equal(s.Labels, d.Labels):
			left++
			continue
		}
		added++
		merged.Questions = slices.Insert(merged.Questions, i, q)
		for _, l := range q.Lists {
			for _, h := range l.Hits {
				merged.Documents[h.Doc] = d.Documents[h.Doc]
			}
		}
	}
	return merged, added, left
}

// same reports whether two sets hold the same rankings of the same arm, whatever
// made them.
func (s *Set) same(d *Set) bool {
	return s == d || s.Arm == d.Arm && slices.Equal(s.Labels, d.Labels) && maps.Equal(s.Documents, d.Documents) &&
		slices.EqualFunc(s.Questions, d.Questions, func(a, b Question) bool {
			return a.QID == b.QID && slices.EqualFunc(a.Lists, b.Lists, func(a, b List) bool { return a.More == b.More && slices.Equal(a.Hits, b.Hits) })
		})
}

// share makes measures of the same rankings name one set.
func (b *Baseline) share() {
	for i := range b.Measures {
		for _, earlier := range b.Measures[:i] {
			if earlier.Set.same(b.Measures[i].Set) {
				b.Measures[i].Set = earlier.Set
			}
		}
	}
}
