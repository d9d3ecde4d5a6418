package score

import (
	"slices"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/rankings"
	"kerf/internal/verdict"
)

// IDs scores rankings against questions that name relevant chunks by id. A hit
// counts by its id alone; where it has a place too, it is held against the version
// and the reader as in Spans. f has a ranking for each question, and an id in every
// hit (Check).
func IDs(f *rankings.File, questions []*golden.Question, c *corpus.Corpus, reader []string, ks []int, atK int) *Score {
	s := begin(f, ks, atK)
	s.Rule.By = "ids"
	w := newWatch(c)
	tallies := map[string]*verdict.Graded{}
	for _, q := range questions {
		r := f.Find(q.QID)
		shown := w.look(s, q, reader, r)
		if s.control(q) {
			continue
		}
		s.note(r)
		if tallies[q.Sample] == nil {
			tallies[q.Sample] = verdict.NewGraded(ks)
		}
		var found []verdict.Found
		for i := range r.Hits {
			if h := &r.Hits[i]; (h.ByID() || shown[i].Doc >= 0) && slices.Contains(q.Relevant, h.ID) {
				found = append(found, verdict.Found{Rank: i + 1, Relevance: 1})
			}
		}
		judged := slices.Repeat([]int{1}, len(q.Relevant))
		one := verdict.NewGraded(ks)
		for _, t := range []*verdict.Graded{tallies[q.Sample], one} {
			if r.Error != "" {
				t.Miss()
			} else {
				t.Add(found, judged)
			}
		}
		s.ByQuestion = append(s.ByQuestion, Question{q.QID, q.Sample, one.Measures()})
	}
	for _, name := range golden.Samples() {
		if t := tallies[name]; t != nil {
			s.sample(name, t.Questions, t.Measures())
		}
	}
	return s
}
