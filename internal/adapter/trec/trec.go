// Package trec reads the two files of TREC's evaluations: runs (qid Q0 docid
// rank score tag) and relevance judgements, qrels (qid 0 docid relevance).
//
// Columns are separated by blanks and tabs, lines end at "\n". Every problem of
// a file is a finding, in one pass; nothing is repaired but line ends and a byte
// order mark, and these are reported.
package trec

import (
	"io"

	"kerf/internal/finding"
	"kerf/internal/verdict"
)

// Codes of the findings of this package.
const (
	CodeText        = "K361" // a line that is not UTF-8, or holds NUL
	CodeColumns     = "K362" // a wrong number of columns
	CodeScore       = "K363" // a score that is not a finite number
	CodeRank        = "K364" // a rank that is not an integer
	CodeRelevance   = "K365" // a relevance that is not an integer
	CodeHitTwice    = "K366" // a document twice in one ranking
	CodeJudgedTwice = "K367" // a document judged twice for one query
	CodeNothing     = "K368" // a file without lines
	CodeLarge       = "K369" // a file above the limit
	CodeOrder       = "K370" // the lines of a query are not in the order of their ranks
	CodeCRLF        = "K371" // lines that end at "\r\n" (warning)
	CodeBOM         = "K372" // a byte order mark (warning)
	CodeNoRanking   = "K373" // a judged query without a ranking
	CodeNotJudged   = "K374" // a ranking of a query that is not judged
	CodeNoRelevant  = "K375" // a query without a relevant document
	CodeMore        = "K376" // more findings of a code than are listed
	CodeRising      = "K377" // scores that rise along the ranks (warning)
)

// Most is the largest file that is read, in bytes.
const Most = 1 << 30

// Order is the rule that makes a ranking out of the lines of a query.
type Order string

const (
	// AsWritten: the order of the lines, which that of the ranks must agree
	// with. The score is information.
	AsWritten Order = "as written: the order of the lines, which the ranks agree with"
	// ByScore: trec_eval's own. The ranks and the order of the lines are not
	// looked at.
	ByScore Order = "trec_eval: score, then docid, both descending"
)

// Qrels are relevance judgements.
type Qrels struct {
	Name    string
	Queries []Judged // in the order of their first lines

	text   []byte
	byID   map[string]int
	judged int // documents
}

// Judged is the judged documents of one query.
type Judged struct {
	QID       string
	Line      int   // the first of the query
	Relevance []int // of every judged document, in file order

	lines []line
}

// Run is rankings, held against judgements.
type Run struct {
	Name     string
	Rankings []Ranking // in the order of their first lines
	Tied     int       // groups of documents of one query with equal scores
}

// Ranking is what a run has of one query.
type Ranking struct {
	QID   string
	Line  int             // the first of the query
	Depth int             // documents in it
	Found []verdict.Found // those that are judged, in rank order
}

// ReadQrels reads relevance judgements from src, which is at its beginning. The
// result may be used only if the list has no errors; err is a failure of src.
func ReadQrels(name string, src io.ReadSeeker) (q *Qrels, found finding.List, err error) {
	q = &Qrels{Name: name}
	var relevance []int // of all queries
	r := newReader(name, func(r *reader, i int, lines []line) {
		if i == 0 {
			relevance = make([]int, 0, len(r.lines))
			q.Queries = make([]Judged, 0, len(r.queries))
		}
		r.distinct(r.queries[i].id, lines)
		from := len(relevance)
		for _, l := range lines {
			relevance = append(relevance, int(l.value))
		}
		q.Queries = append(q.Queries, Judged{r.queries[i].id, r.queries[i].line, relevance[from:len(relevance):len(relevance)], lines})
	})
	r.gather = true
	if err := r.read(src); err != nil {
		return nil, nil, err
	}
	q.text, q.byID, q.judged = r.text, r.byID, len(r.lines)
	return q, r.list(), nil
}

// ReadRun reads a run, puts its rankings into the order that the rule makes and
// finds the documents that qrels judges. Of src, which is at its beginning, one
// query at a time is in memory; only where the lines of a query do not stand
// together it is read again, as a whole. The result may be used only if the list
// has no errors; err is a failure of src.
func ReadRun(name string, src io.ReadSeeker, order Order, qrels *Qrels) (run *Run, found finding.List, err error) {
	for _, gather := range []bool{false, true} {
		if _, err := src.Seek(0, io.SeekStart); err != nil {
			return nil, nil, err
		}
		run = &Run{Name: name, Rankings: make([]Ranking, 0, len(qrels.Queries))}
		m := &matcher{qrels: qrels, found: make([]verdict.Found, 0, qrels.judged)}
		r := newReader(name, func(r *reader, i int, lines []line) {
			q := r.queries[i]
			r.distinct(q.id, lines)
			run.Tied += r.rank(q.id, lines)
			run.Rankings = append(run.Rankings, Ranking{QID: q.id, Line: q.line, Depth: len(lines), Found: m.match(r, q.id, lines)})
		})
		r.run, r.order, r.gather = true, order, gather
		r.queries, r.byID = make([]query, 0, len(qrels.Queries)), make(map[string]int, len(qrels.Queries))
		if err := r.read(src); err != nil {
			return nil, nil, err
		}
		if !r.scattered {
			return run, r.list(), nil
		}
	}
	panic("BUG: lines that are gathered are not scattered")
}
