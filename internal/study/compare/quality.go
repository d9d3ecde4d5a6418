package compare

import (
	"kerf/internal/golden"
	"kerf/internal/stats"
	"kerf/internal/text/term"
)

// HeldOut is the use of the questions that are kept from tuning.
type HeldOut struct {
	Questions int `json:"questions"` // that were asked
	Uses      int `json:"uses"`      // runs that asked held-out questions before this one
}

// Stale is the questions that were left out since a label of theirs is on a
// superseded version, and both denominators: answerable questions of the
// headline sample.
type Stale struct {
	Questions int `json:"questions"`
	Asked     int `json:"asked"`
	WithStale int `json:"with_stale"` // asked, and those left out that would be
}

func (in Facts) stale() *Stale {
	if len(in.Stale) == 0 {
		return nil
	}
	s := &Stale{Questions: len(in.Stale), Asked: len(in.headline())}
	s.WithStale = s.Asked
	for _, q := range in.Stale {
		if !q.Unanswerable && q.Sample == golden.Headline(in.Questions) {
			s.WithStale++
		}
	}
	return s
}

// overlaps is the word overlap between question and evidence, summed per origin
// over the answerable questions of a sample: a high one is easy for a search by
// words, whoever asks like that. A question without a term is missing.
func overlaps(questions []*golden.Question, sample string) map[string]stats.Sum {
	out := map[string]stats.Sum{}
	for _, q := range questions {
		if q.Unanswerable || q.Sample != sample {
			continue
		}
		origin := orNotStated(q.Origin)
		sum, ok := out[origin]
		if !ok {
			sum = stats.NewSum()
		}
		if num, den := overlap(q); den > 0 {
			sum.Add(num, den)
		} else {
			sum.Den, sum.Missing = sum.Den+1, sum.Missing+1
		}
		out[origin] = sum
	}
	return out
}

// overlap is the word overlap of a question: of its den distinct terms, the num
// that are found in the spans of the set in which most are (engine.md, word
// overlap).
func overlap(q *golden.Question) (num, den int) {
	asked := map[string]bool{}
	for _, t := range term.Terms(q.Text) {
		asked[t] = true
	}
	for _, set := range q.Support {
		found := map[string]bool{}
		for _, s := range set {
			for _, t := range term.Terms(s.Quote) {
				if asked[t] {
					found[t] = true
				}
			}
		}
		num = max(num, len(found))
	}
	return num, len(asked)
}
