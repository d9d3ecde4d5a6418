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
	w := newWatch(c)
	tallies := map[string]*tally{}
	for _, q := range questions {
		r := f.Find(q.QID)
		shown := w.look(s, q, reader, r)
		if s.control(q) {
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
	for _, name := range golden.Samples() {
		if t := tallies[name]; t != nil {
			s.sample(name, t.asked, t.measures())
		}
	}
	return s
}

// begin is a score of f with nothing in it.
func begin(f *rankings.File, ks []int, atK int) *Score {
	return &Score{Kerf: Kind, File: f.File, Digest: f.Digest, Name: f.Name, K: ks, AtK: atK, Rule: Rule{Order: AsGiven},
		Samples: []Sample{}, ByQuestion: []Question{}, Violations: []Violation{}, Failed: []Failure{}}
}

// control counts a question without evidence.
func (s *Score) control(q *golden.Question) bool {
	if q.Unanswerable {
		s.Controls++
	}
	return q.Unanswerable
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
	corpus *corpus.Corpus
	sets   map[string][]span.Set // by reader: what it may read of each document, made at first use
}

func newWatch(c *corpus.Corpus) *watch { return &watch{c, map[string][]span.Set{}} }

// look notes the violations of a ranking. Its hits keep their ranks; one that
// violates is an interval of no document, and so is one by id alone, of which
// nobody can tell.
func (w *watch) look(s *Score, q *golden.Question, reader []string, r *rankings.Ranking) []verdict.Ref {
	reader = q.For(reader)
	sets := w.of(reader)
	shown := make([]verdict.Ref, len(r.Hits))
	for i := range r.Hits {
		h := &r.Hits[i]
		shown[i] = verdict.Ref{Doc: h.Doc, Span: h.Span}
		if h.ByID() {
			continue
		}
		if !h.Older() && sets[h.Doc] == nil {
			sets[h.Doc] = append(span.Set{}, w.corpus.Documents[h.Doc].Readable(reader)...)
		}
		kind := ""
		switch {
		case h.Older():
			kind = "version"
		case !sets[h.Doc].Covers(h.Span):
			kind = "access"
		case q.Within != nil && !slices.Contains(q.Within, h.DocID):
			kind = "within"
		}
		if kind != "" {
			shown[i] = verdict.Ref{Doc: -1}
			s.Violations = append(s.Violations, Violation{kind, q.QID, i + 1, h.DocID, h.Version, h.Start, h.End})
		}
	}
	return shown
}

// of is what a reader may read of each document, as far as it was asked.
func (w *watch) of(reader []string) []span.Set {
	key := fmt.Sprintf("%q", reader)
	if w.sets[key] == nil {
		w.sets[key] = make([]span.Set, len(w.corpus.Documents))
	}
	return w.sets[key]
}
