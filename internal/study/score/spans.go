package score

import (
	"fmt"
	"slices"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/rankings"
	"kerf/internal/text/span"
	"kerf/internal/verdict"
)

// Spans scores rankings whose hits have places against questions whose evidence
// is spans of c. reader is that of questions that name none. strict says that
// support bridges no gap, not even white space. f has a ranking for each question
// and no hit by id alone (rankings.File.Against).
func Spans(f *rankings.File, questions []*golden.Question, c *corpus.Corpus, reader []string, ks []int, atK int, strict bool) *Score {
	s := begin(f, ks, atK)
	s.Corpus = c.Digest()
	s.Rule.By, s.Rule.Gaps = "spans", "white_space"
	if strict {
		s.Rule.Gaps = "strict"
	}
	ordinal := map[string]int32{}
	judge := verdict.Judge{}
	for i, d := range c.Documents {
		ordinal[d.Doc] = int32(i)
		judge.Texts = append(judge.Texts, d.Text)
	}
	w := watch{corpus: c, readable: map[string][]span.Set{}}
	tallies := map[string]*tally{}
	for _, q := range questions {
		r := f.Find(q.QID)
		shown := w.look(s, q, reader, r)
		if q.Unanswerable {
			s.Controls++
			continue
		}
		s.note(r)
		if tallies[q.Sample] == nil {
			tallies[q.Sample] = newTally(ks)
		}
		one := newTally(ks)
		for _, t := range []*tally{tallies[q.Sample], one} {
			if r.Error != "" {
				t.miss()
			} else {
				t.add(&judge, evidence(q, ordinal), shown, strict)
			}
		}
		s.ByQuestion = append(s.ByQuestion, Question{q.QID, q.Sample, one.measures()})
	}
	var samples []Sample
	for _, name := range golden.Samples() {
		if t := tallies[name]; t != nil {
			samples = append(samples, Sample{Sample: name, Questions: t.asked, Measures: t.measures()})
		}
	}
	s.summary(samples)
	return s
}

// begin is a score of f with nothing in it.
func begin(f *rankings.File, ks []int, atK int) *Score {
	return &Score{Kerf: Kind, File: f.File, Digest: f.Digest, Name: f.Name, K: ks, AtK: atK, Rule: Rule{Order: AsGiven},
		Samples: []Sample{}, ByQuestion: []Question{}, Violations: []Violation{}, Failed: []Failure{}}
}

// note counts what is said of every ranking in a measure.
func (s *Score) note(r *rankings.Ranking) {
	if r.Error != "" {
		s.Failed = append(s.Failed, Failure{r.QID, r.Error})
	}
	if len(r.Hits) > s.AtK {
		s.Longer++
	}
	var scores []float64
	for i := range r.Hits {
		if r.Hits[i].Scored {
			scores = append(scores, r.Hits[i].Score)
		}
	}
	s.Rule.Tied += tied(scores)
}

// watch sees to it that no hit is evidence that must not have been returned.
type watch struct {
	corpus   *corpus.Corpus
	readable map[string][]span.Set // by reader: of each document, made at first use
}

// look notes the violations of a ranking. Its hits keep their ranks; one that
// violates is an interval of no document.
func (w *watch) look(s *Score, q *golden.Question, reader []string, r *rankings.Ranking) []verdict.Ref {
	reader = slices.Sorted(slices.Values(q.For(reader)))
	key := fmt.Sprintf("%q", reader)
	sets := w.readable[key]
	if sets == nil {
		sets = make([]span.Set, len(w.corpus.Documents))
		w.readable[key] = sets
	}
	shown := make([]verdict.Ref, len(r.Hits))
	for i := range r.Hits {
		h := &r.Hits[i]
		shown[i] = verdict.Ref{Doc: h.Doc, Span: h.Span}
		violates := func(kind string) {
			s.Violations = append(s.Violations, Violation{kind, q.QID, i + 1, h.DocID, h.Version, h.Start, h.End})
			shown[i] = verdict.Ref{Doc: -1}
		}
		if q.Within != nil && !slices.Contains(q.Within, h.DocID) {
			violates("within")
		}
		if h.Older() {
			violates("version")
			continue
		}
		if sets[h.Doc] == nil {
			sets[h.Doc] = w.corpus.Documents[h.Doc].Readable(reader)
			if sets[h.Doc] == nil {
				sets[h.Doc] = span.Set{}
			}
		}
		if !sets[h.Doc].Covers(h.Span) {
			violates("access")
		}
	}
	return shown
}
