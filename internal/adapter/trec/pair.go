package trec

import (
	"bytes"
	"hash/maphash"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/verdict"
)

// Pair is a ranking with its judgements: either is nil where the file does not
// have the query.
type Pair struct {
	QID             string
	Ranking, Judged *Query
}

// Pairs are the queries of both files: those of qrels in its order, then those
// of run alone in its order.
func Pairs(run, qrels *File) []Pair {
	ranked := make(map[string]*Query, len(run.Queries))
	for i := range run.Queries {
		ranked[run.Queries[i].ID] = &run.Queries[i]
	}
	pairs := make([]Pair, 0, len(qrels.Queries))
	for i := range qrels.Queries {
		q := &qrels.Queries[i]
		pairs = append(pairs, Pair{q.ID, ranked[q.ID], q})
		delete(ranked, q.ID)
	}
	for i := range run.Queries {
		if q := &run.Queries[i]; ranked[q.ID] != nil {
			pairs = append(pairs, Pair{q.ID, q, nil})
		}
	}
	return pairs
}

// Relevant is the number of relevant documents of the pair.
func (p Pair) Relevant() (n int) {
	if p.Judged != nil {
		for _, l := range p.Judged.Lines {
			if l.Value > 0 {
				n++
			}
		}
	}
	return n
}

// Check names every query that has no measures: one without a ranking, of which
// nothing says that its search found nothing; one that is not judged; and one
// without a relevant document.
func Check(run, qrels *File, pairs []Pair) finding.List {
	inRun, inQrels := findings{name: run.Name}, findings{name: qrels.Name}
	for _, p := range pairs {
		switch {
		case p.Judged == nil:
			inRun.add(finding.Finding{Code: CodeNotJudged, QID: p.QID, Line: int(p.Ranking.Lines[0].Number), Message: "no judgement for a ranked query",
				Expected: "query " + jsonl.Quote(p.QID) + " in " + qrels.Name, Found: "none", Hint: leftOut})
		case p.Ranking == nil:
			inQrels.add(finding.Finding{Code: CodeNoRanking, QID: p.QID, Line: int(p.Judged.Lines[0].Number), Message: "no ranking for a labelled query",
				Expected: "query " + jsonl.Quote(p.QID) + " in " + run.Name, Found: "none", Hint: leftOut + "; --compat trec_eval-c counts them 0"})
		case p.Relevant() == 0:
			inQrels.add(finding.Finding{Code: CodeNoRelevant, QID: p.QID, Line: int(p.Judged.Lines[0].Number), Message: "no relevant items for a query",
				Expected: "a document of query " + jsonl.Quote(p.QID) + " with a relevance above 0", Found: "none", Hint: "judge one, or delete the query; --compat trec_eval counts it 0"})
		}
	}
	return append(inRun.list(), inQrels.list()...)
}

const leftOut = "--compat trec_eval leaves such queries out of the means"

// Matcher finds the judged documents in rankings.
type Matcher struct {
	run, qrels *File
	slots      []uint32 // a hash table of the judged documents of one query
	judged     []Line   // they, with the run's hashes
	found      []verdict.Found
	relevance  []int
}

// NewMatcher matches the rankings of run with the judgements of qrels.
func NewMatcher(run, qrels *File) *Matcher { return &Matcher{run: run, qrels: qrels} }

// Match is what verdict.Graded counts of a pair: the judged documents in the
// ranking, in rank order, and the relevance of all of them. Both are valid until
// the next call.
func (m *Matcher) Match(p Pair) (found []verdict.Found, judged []int) {
	m.found, m.relevance, m.judged = m.found[:0], m.relevance[:0], m.judged[:0]
	m.slots = table(m.slots, 8*len(p.Judged.Lines))
	mask := uint32(len(m.slots) - 1)
	for i, l := range p.Judged.Lines {
		l.hash = uint32(maphash.Bytes(m.run.seed, m.qrels.doc(l)))
		at := l.hash & mask
		for m.slots[at] != 0 {
			at = (at + 1) & mask
		}
		m.slots[at] = uint32(i + 1)
		m.judged, m.relevance = append(m.judged, l), append(m.relevance, int(l.Value))
	}
	if p.Ranking == nil {
		return nil, m.relevance
	}
	for i, l := range p.Ranking.Lines {
		for at := l.hash & mask; m.slots[at] != 0; at = (at + 1) & mask {
			if j := m.judged[m.slots[at]-1]; j.hash == l.hash && bytes.Equal(m.qrels.doc(j), m.run.doc(l)) {
				m.found = append(m.found, verdict.Found{Rank: i + 1, Relevance: int(j.Value)})
				break
			}
		}
	}
	return m.found, m.relevance
}
