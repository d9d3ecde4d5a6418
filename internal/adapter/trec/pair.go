package trec

import (
	"bytes"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/verdict"
)

// matcher finds the judged documents in rankings.
type matcher struct {
	qrels  *Qrels
	slots  []uint32 // a hash table of the judged documents of one query
	judged []line   // they, with the hashes of the run's reader
	found  []verdict.Found
	next   int // the query behind the one that was matched last
}

// find is the query qid, which is most often the next one.
func (q *Qrels) find(qid string, next int) (i int, ok bool) {
	if next < len(q.Queries) && q.Queries[next].QID == qid {
		return next, true
	}
	i, ok = q.byID[qid]
	return i, ok
}

// match is the documents of a ranking that are judged, in rank order.
func (m *matcher) match(r *reader, qid string, lines []line) []verdict.Found {
	i, ok := m.qrels.find(qid, m.next)
	if !ok {
		return nil
	}
	m.next = i + 1
	judged := m.qrels.Queries[i].lines
	m.judged = append(m.judged[:0], judged...)
	m.slots = table(m.slots, 4*len(judged)) // nearly empty: most documents are not judged
	slots := m.slots
	doc := func(l line) []byte { return m.qrels.text[l.at : l.at+l.size] }
	for i := range m.judged {
		l := &m.judged[i]
		l.hash = r.seed.hash(doc(*l))
		at := int(l.hash) & (len(slots) - 1)
		for slots[at] != 0 {
			at = (at + 1) & (len(slots) - 1)
		}
		slots[at] = uint32(i + 1)
	}
	from := len(m.found)
	for i := range lines {
		l := &lines[i]
		for at := int(l.hash) & (len(slots) - 1); slots[at] != 0; at = (at + 1) & (len(slots) - 1) {
			if j := &m.judged[slots[at]-1]; j.hash == l.hash && bytes.Equal(doc(*j), r.doc(*l)) {
				m.found = append(m.found, verdict.Found{Rank: i + 1, Relevance: int(j.value)})
				break
			}
		}
	}
	return m.found[from:len(m.found):len(m.found)]
}

// Pair is a ranking with its judgements: either is nil where the file does not
// have the query.
type Pair struct {
	QID     string
	Ranking *Ranking
	Judged  *Judged
}

// Pairs are the queries of both files: those of qrels in its order, then those
// of run alone in its order.
func Pairs(run *Run, qrels *Qrels) []Pair {
	pairs := make([]Pair, len(qrels.Queries), len(qrels.Queries)+len(run.Rankings))
	for i := range qrels.Queries {
		pairs[i] = Pair{QID: qrels.Queries[i].QID, Judged: &qrels.Queries[i]}
	}
	next := 0
	for i := range run.Rankings {
		ranking := &run.Rankings[i]
		if j, ok := qrels.find(ranking.QID, next); ok {
			pairs[j].Ranking = ranking
			next = j + 1
		} else {
			pairs = append(pairs, Pair{QID: ranking.QID, Ranking: ranking})
		}
	}
	return pairs
}

// Relevant is the number of relevant documents of the pair.
func (p Pair) Relevant() (n int) {
	if p.Judged != nil {
		for _, relevance := range p.Judged.Relevance {
			if relevance > 0 {
				n++
			}
		}
	}
	return n
}

// Check names every query that has no measures: one without a ranking, of which
// nothing says that its search found nothing; one that is not judged; and one
// without a relevant document.
func Check(run *Run, qrels *Qrels, pairs []Pair) finding.List {
	inRun, inQrels := findings{name: run.Name}, findings{name: qrels.Name}
	for _, p := range pairs {
		switch {
		case p.Judged == nil:
			inRun.add(finding.Finding{Code: CodeNotJudged, QID: p.QID, Line: p.Ranking.Line, Message: "no judgement for a ranked query",
				Expected: "query " + jsonl.Quote(p.QID) + " in " + qrels.Name, Found: "none", Hint: leftOut})
		case p.Ranking == nil:
			inQrels.add(finding.Finding{Code: CodeNoRanking, QID: p.QID, Line: p.Judged.Line, Message: "no ranking for a labelled query",
				Expected: "query " + jsonl.Quote(p.QID) + " in " + run.Name, Found: "none", Hint: leftOut + "; --compat trec_eval-c counts them 0"})
		case p.Relevant() == 0:
			inQrels.add(finding.Finding{Code: CodeNoRelevant, QID: p.QID, Line: p.Judged.Line, Message: "no relevant items for a query",
				Expected: "a document of query " + jsonl.Quote(p.QID) + " with a relevance above 0", Found: "none", Hint: "judge one, or delete the query; --compat trec_eval counts it 0"})
		}
	}
	return append(inRun.list(), inQrels.list()...)
}

const leftOut = "--compat trec_eval leaves such queries out of the means"
