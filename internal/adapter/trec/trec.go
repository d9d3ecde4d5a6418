// Package trec reads the two files of TREC's evaluations: runs (qid Q0 docid
// rank score tag) and relevance judgements, qrels (qid 0 docid relevance).
//
// Columns are separated by blanks and tabs, lines end at "\n". Every problem of
// a file is a finding, in one pass; nothing is repaired but line ends and a byte
// order mark, and these are reported.
package trec

import (
	"hash/maphash"

	"kerf/internal/finding"
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

// File is a run or the qrels.
type File struct {
	Name    string
	Queries []Query // in the order of their first lines
	Tied    int     // in a run: groups of hits of one query with equal scores

	text []byte
	seed maphash.Seed // of the hashes of documents
}

// Query is what a file has of one query: in a run its ranking, in rank order;
// in qrels its judged documents, in file order.
type Query struct {
	ID    string
	Lines []Line

	rank       int  // of the last line that was read
	disordered bool // a rank was not above that of the line before
}

// Line is a document with its score, in a run, or its relevance, in qrels.
type Line struct {
	Value    float64
	Number   uint32 // of the line in the file, from 1
	at, size uint32 // of the document's id in the text
	hash     uint32
}

// Doc is the id of the document of one of f's lines.
func (f *File) Doc(l Line) string { return string(f.doc(l)) }

func (f *File) doc(l Line) []byte { return f.text[l.at : l.at+l.size] }

// ReadRun reads a run, whose rankings are in the order that the rule makes. It
// keeps text. The file may be used only if the list has no errors.
func ReadRun(name string, text []byte, order Order) (*File, finding.List) {
	r := newReader(name, text)
	r.run, r.order = true, order
	return r.read()
}

// ReadQrels reads relevance judgements. It keeps text. The file may be used only
// if the list has no errors.
func ReadQrels(name string, text []byte) (*File, finding.List) {
	return newReader(name, text).read()
}
