package diff

import "testing"

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
