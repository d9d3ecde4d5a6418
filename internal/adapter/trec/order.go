package trec

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"unicode/utf8"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

// rank brings the lines of a query into the order of the rule. It is the number
// of groups of equal scores.
func (r *reader) rank(qid string, lines []line) (ties int) {
	if falls(lines) {
		return 0
	}
	rise := firstRise(lines)
	if r.order == ByScore {
		r.byScore(lines, rise)
	} else if rise > 0 {
		if r.rising++; r.rising == 1 {
			r.risingAt = finding.Finding{Code: CodeRising, Severity: finding.Warning, QID: qid, Line: int(lines[rise].number), Hint: compat}
		}
		lines = slices.Clone(lines)
		slices.SortFunc(lines, func(a, b line) int { return cmp.Compare(b.value, a.value) })
	}
	for i := 1; i < len(lines); i++ {
		if lines[i].value == lines[i-1].value && (i == 1 || lines[i-2].value != lines[i].value) {
			ties++
		}
	}
	return ties
}

// falls reports whether every score is below the one before it, as in most
// rankings: no rule changes their order.
func falls(lines []line) bool {
	for i := 1; i < len(lines); i++ {
		if !(lines[i].value < lines[i-1].value) {
			return false
		}
	}
	return true
}

// firstRise is the first line with a higher score than the line before it, 0 if
// there is none.
func firstRise(lines []line) int {
	for i := 1; i < len(lines); i++ {
		if lines[i].value > lines[i-1].value {
			return i
		}
	}
	return 0
}

// byScore orders as trec_eval does: by score, then by the bytes of the document's
// id, both descending. Without a rise, only groups of equal scores move.
func (r *reader) byScore(lines []line, rise int) {
	byDoc := func(a, b line) int { return bytes.Compare(r.doc(b), r.doc(a)) }
	if rise > 0 {
		slices.SortFunc(lines, func(a, b line) int { return cmp.Or(cmp.Compare(b.value, a.value), byDoc(a, b)) })
		return
	}
	for from := 0; from < len(lines); {
		to := from + 1
		for to < len(lines) && lines[to].value == lines[from].value {
			to++
		}
		slices.SortFunc(lines[from:to], byDoc)
		from = to
	}
}

// distinct hashes the documents of a query, and finds those that it has twice.
func (r *reader) distinct(qid string, lines []line) {
	slots := table(r.slots, len(lines))
	r.slots = slots
	for i := range lines {
		l := &lines[i]
		l.hash = r.seed.hash(r.text[l.at : l.at+l.size])
		at := int(l.hash) & (len(slots) - 1)
		for slots[at] != 0 && !r.same(&lines[slots[at]-1], l) {
			at = (at + 1) & (len(slots) - 1)
		}
		if slots[at] == 0 {
			slots[at] = uint32(i + 1)
		} else {
			r.twice(qid, lines[slots[at]-1], *l)
		}
	}
}

func (r *reader) same(a, b *line) bool {
	return a.hash == b.hash && bytes.Equal(r.doc(*a), r.doc(*b))
}

func (r *reader) twice(qid string, first, l line) {
	f := finding.Finding{Code: CodeJudgedTwice, Message: fmt.Sprintf("document %s is judged twice", jsonl.Quote(r.doc(l)))}
	if r.run {
		f.Code, f.Message = CodeHitTwice, fmt.Sprintf("document %s is twice in one ranking", jsonl.Quote(r.doc(l)))
	}
	f.QID, f.Line = qid, int(l.number)
	f.Column = utf8.RuneCount(r.text[bytes.LastIndexByte(r.text[:l.at], '\n')+1:l.at]) + 1
	f.Expected, f.Found = "each document once for a query", fmt.Sprintf("also in line %d", first.number)
	r.add(f)
}
