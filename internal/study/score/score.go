// Package score computes score/1: what rankings that somebody else's retriever
// made are worth, over labelled spans or over ids (formats.md, Output of the other
// commands; docs/format/score.md).
//
// Figures are counts and exact sums over questions. Samples are never pooled. A
// search that failed is missing in every measure, never a miss.
package score

import (
	"math/big"
	"strconv"
	"strings"

	"kerf/internal/stats"
	"kerf/internal/verdict"
)

// Kind is the value of "kerf" in the output.
const Kind = "score/1"

// Score is score/1.
type Score struct {
	Kerf       string      `json:"kerf"`             // Kind
	File       string      `json:"file"`             // of the rankings
	Digest     string      `json:"digest,omitempty"` // of its content
	Name       string      `json:"name,omitempty"`   // of the run, as the file says
	Corpus     string      `json:"corpus,omitempty"` // digest of the documents; absent by id
	K          []int       `json:"k"`                // cut-offs, ascending
	AtK        int         `json:"at_k"`             // the one to report at
	Longer     int         `json:"longer"`           // rankings of questions in some measure that go on after AtK
	Sample     string      `json:"sample,omitempty"` // whose questions Questions and Measures are over
	Questions  int         `json:"questions"`        // in the denominators
	Measures   Measures    `json:"measures"`
	Samples    []Sample    `json:"samples"` // every sample, that of Measures too
	ByQuestion []Question  `json:"by_question"`
	Rule       Rule        `json:"rule"`
	Violations []Violation `json:"hard_violations"`
	Failed     []Failure   `json:"failed"`       // searches that failed: missing
	Controls   int         `json:"unanswerable"` // questions without evidence, in no measure
}

// Rule says how the figures were made.
type Rule struct {
	Order  string `json:"order"`            // of the hits
	By     string `json:"by"`               // spans or ids
	Gaps   string `json:"gaps,omitempty"`   // white_space or strict: gaps that support bridges; absent by id
	Tied   int    `json:"tied_groups"`      // groups of hits of one question with equal scores
	Others string `json:"others,omitempty"` // of a TREC run: what becomes of queries that only one file has

	NotRanked  int `json:"not_ranked,omitempty"`  // judged queries that the run does not have
	NotJudged  int `json:"not_judged,omitempty"`  // ranked queries that are not judged: in no mean
	NoRelevant int `json:"no_relevant,omitempty"` // queries in the means without a relevant document: 0
}

// AsGiven is the order of rankings/1: that of the file, whatever the scores are.
const AsGiven = "as given"

// Sample is the figures over the questions of one sample.
type Sample struct {
	Sample    string   `json:"sample,omitempty"` // absent for a TREC run
	Questions int      `json:"questions"`
	Point     string   `json:"points_per_question"` // what one question is worth, in points of a share: 100/n (S2-014)
	Measures  Measures `json:"measures"`
}

// Question is the figures of one question.
type Question struct {
	QID      string   `json:"qid"`
	Sample   string   `json:"sample,omitempty"`
	Measures Measures `json:"measures"`
}

// Violation is a hit that must not have been returned. Its rank is kept, and it
// is evidence of nothing.
type Violation struct {
	Kind    string `json:"kind"` // version, access or within
	QID     string `json:"qid"`
	Rank    int    `json:"rank"` // from 1
	Doc     string `json:"doc"`
	Version string `json:"version"`
	Start   int    `json:"start"` // bytes; 0 and 0 where only the text of an older version could tell
	End     int    `json:"end"`
}

// Failure is a search that failed.
type Failure struct {
	QID   string `json:"qid"`
	Error string `json:"error"`
}

// Measures are named figures in declared order. Their JSON is one object.
type Measures []verdict.Measure

// Find is the measure with this name, nil if there is none.
func (m Measures) Find(name string) *verdict.Measure {
	for i := range m {
		if m[i].Name == name {
			return &m[i]
		}
	}
	return nil
}

// Irrational reports whether a measure is no rational number: its sum is that of
// float64s, which stands in the JSON in its shortest decimal form.
func Irrational(name string) bool { return strings.HasPrefix(name, "ndcg") }

// MarshalJSON writes the object, keys in order, as encoding/json would write each
// figure: a score of many questions is mostly this.
func (m Measures) MarshalJSON() ([]byte, error) {
	b := make([]byte, 0, 64*len(m)+2)
	b = append(b, '{')
	for i, f := range m {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(append(append(b, '"'), f.Name...), `":{`...)
		switch {
		case f.Count != nil:
			b = strconv.AppendInt(append(b, `"num":`...), int64(f.Count.Num), 10)
			b = whole(b, f.Count.Den, f.Count.Missing)
		case Irrational(f.Name):
			sum, _ := f.Sum.Sum.Float64()
			b = strconv.AppendFloat(append(b, `"sum":"`...), sum, 'g', -1, 64)
			b = whole(append(b, '"'), f.Sum.Den, f.Sum.Missing)
		default:
			b = append(append(append(b, `"sum":"`...), f.Sum.Sum.RatString()...), '"')
			b = whole(b, f.Sum.Den, f.Sum.Missing)
		}
	}
	return append(b, '}'), nil
}

// whole appends a denominator and what is missing of it.
func whole(b []byte, den, missing int) []byte {
	b = strconv.AppendInt(append(b, `,"den":`...), int64(den), 10)
	b = strconv.AppendInt(append(b, `,"missing":`...), int64(missing), 10)
	return append(b, '}')
}

// point is 100/n.
func point(n int) string {
	if n == 0 {
		return stats.NotMeasured
	}
	return big.NewRat(100, int64(n)).RatString()
}

// sample adds the figures over a sample; those of the first stand at the top too.
func (s *Score) sample(name string, questions int, m Measures) {
	s.Samples = append(s.Samples, Sample{name, questions, point(questions), m})
	if len(s.Samples) == 1 {
		s.Sample, s.Questions, s.Measures = name, questions, m
	}
}

// tied is the number of groups of equal scores.
func tied(scores []float64) (groups int) {
	seen := make(map[float64]int, len(scores))
	for _, v := range scores {
		if seen[v]++; seen[v] == 2 {
			groups++
		}
	}
	return groups
}
