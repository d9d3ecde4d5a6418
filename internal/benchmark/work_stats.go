//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"

	"kerf/internal/stats"
	"kerf/internal/text/span"
	"kerf/internal/verdict"
)

// asked is a question of the row of spans: its evidence, one span, and its hits.
type asked struct {
	Evidence place   `json:"evidence"`
	Ranking  []place `json:"ranking"`
}

// place is document, start and end.
type place [3]int

// spansOf are n questions of 100 distinct hits each, chunks of 400 characters of 50
// documents: half of them have those that hold the evidence, at any rank.
func spansOf(n int) (out []asked) {
	state := uint64(1)
	below := func(n int) int { // Knuth's multiplier; good enough to be no pattern
		state = state*6364136223846793005 + 1442695040888963407
		return int(state >> 33 % uint64(n))
	}
	for range n {
		const documents, chunks, size = 50, 52, 400
		start := below(chunks*size - 400)
		q := asked{Evidence: place{below(documents), start, start + 20 + below(300)}}
		first := below(documents * chunks)
		for i := range 100 { // 2,600 and 37 have no common divisor: all distinct
			c := (first + 37*i) % (documents * chunks)
			q.Ranking = append(q.Ranking, place{c / chunks, c % chunks * size, c%chunks*size + size})
		}
		if at := below(200); at < 99 {
			doc, from, to := q.Evidence[0], q.Evidence[1]/size, (q.Evidence[2]-1)/size
			for i, c := range []int{from, to}[:min(2, to-from+1)] {
				if p := (place{doc, c * size, c*size + size}); !slices.Contains(q.Ranking, p) {
					q.Ranking[at+i] = p
				}
			}
		}
		out = append(out, q)
	}
	return out
}

// spans judges every question of a file: the ranks at which its evidence is whole,
// in one hit and in all hits so far.
func spans(file string) (m made, err error) {
	var questions []asked
	content, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(content, &questions)
	}
	if err != nil {
		return m, err
	}
	ref := func(p place) verdict.Ref {
		return verdict.Ref{Doc: int32(p[0]), Span: span.Span{Start: p[1], End: p[2]}}
	}
	var evidence []verdict.Evidence
	var shown [][]verdict.Ref
	for _, q := range questions {
		evidence = append(evidence, verdict.Evidence{{ref(q.Evidence)}})
		var hits []verdict.Ref
		for _, p := range q.Ranking {
			hits = append(hits, ref(p))
		}
		shown = append(shown, hits)
	}
	j := verdict.Judge{Strict: true} // gaps are not bridged: no text is read
	return passes(func() any {
		single, union, reciprocal := 0, 0, 0.0
		for i, e := range evidence {
			r := j.Ranks(e, shown[i])
			if r.Single > 0 {
				single++
				reciprocal += 1 / float64(r.Single)
			}
			if r.Union > 0 {
				union++
			}
		}
		return fmt.Sprintf("%d single, %d union, mrr %.4f", single, union, reciprocal/float64(len(evidence)))
	}), nil
}

// paired is the differences of n questions: -1, 0 and 1 of verdicts, of scores about
// 2,000 different ones.
func paired(n int, scores bool) (difference, questions []int) {
	for i := range n {
		d := 0
		if i*7919%10 == 0 {
			d++
		}
		if i*104729%17 == 0 {
			d--
		}
		if scores {
			d = i*7919%1009 - i*7907%997
		}
		difference, questions = append(difference, d), append(questions, 1)
	}
	return difference, questions
}

// bootstrap is the width of an interval of the mean of so many paired differences, of
// verdicts or of scores.
func bootstrap(size, of string) (made, error) {
	n, err := strconv.Atoi(size)
	if err != nil {
		return made{}, err
	}
	difference, questions := paired(n, of == "scores")
	return passes(func() any {
		i := stats.NewSums(difference, questions).Bootstrap(1, 10_000, stats.Mean([]int{0}, 1)).Percentile(0.95)
		return i.High - i.Low
	}), nil
}

// worst is the width of an interval of the difference of the least of 16 placements
// of two arms, over so many documents.
func worst(size string) (made, error) {
	documents, err := strconv.Atoi(size)
	if err != nil {
		return made{}, err
	}
	const placements = 16
	columns := make([][]int, 2*placements+1) // the last counts questions
	for c := range columns {
		columns[c] = make([]int, documents)
	}
	for g := range documents {
		for q := range 1 + g*7%8 {
			for p := range 2 * placements {
				if (g*31+q*17+p*(13+g%5))%(11+p/placements) < 8 {
					columns[p][g]++
				}
			}
			columns[2*placements][g]++
		}
	}
	var base, candidate []int
	for p := range placements {
		base, candidate = append(base, p), append(candidate, placements+p)
	}
	least, leastOfBase := stats.Worst(candidate, 2*placements), stats.Worst(base, 2*placements)
	f := func(totals []int64) (num, den int64) {
		num, den = least(totals)
		other, _ := leastOfBase(totals)
		return num - other, den
	}
	return passes(func() any {
		i := stats.NewSums(columns...).Bootstrap(1, 10_000, f).Percentile(0.95)
		return i.High - i.Low
	}), nil
}
