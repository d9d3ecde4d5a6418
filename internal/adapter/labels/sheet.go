package labels

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/jsonl"
)

// Sheet is a CSV of questions as lines of golden/1, all of whose spans are drafts.
type Sheet struct {
	Lines []byte       // each on the line of the CSV at which its row begins
	Read  int          // rows, with those that are no question
	Found finding.List // of those
	rows  map[int]row  // by that line
}

// columns are those of a sheet; beside them quote2, quote3 and so on.
var columns = []string{"question", "doc", "quote", "qid", "answer", "segment", "origin"}

// ReadSheet reads a CSV with a header: question, doc, and the quotes of doc that the
// answer needs together; a question without qid gets the next free one of set.
// Every cell that is empty counts as absent.
func ReadSheet(f File, set *golden.Set) *Sheet {
	out := &foreign{}
	s := newSource(f, out)
	sheet := &Sheet{rows: map[int]row{}}
	rows := s.csv("question", "doc", "quote")
	if len(rows) > 0 && !s.known(rows[0].columns) {
		rows = nil
	}
	sheet.Read = out.questions + len(rows)
	qid := counter(set, rows)
	lines, begin := &golden.Set{Unit: set.Unit}, []int(nil)
	for _, r := range rows {
		q := &golden.Question{QID: r.value("qid"), Text: r.value("question"), Answer: golden.Answer{Text: r.value("answer")}, Segment: r.value("segment"), Origin: r.value("origin")}
		for i, c := range r.columns {
			if quotePattern.MatchString(c) && r.cells[i] != "" {
				q.Spans = append(q.Spans, &golden.Span{Name: c, Doc: r.value("doc"), Quote: r.cells[i], Draft: true})
			}
		}
		if len(q.Spans) == 0 {
			s.add(r.at("quote"), finding.Finding{Code: CodeNothing, QID: q.QID, Message: "a row without a quote", Expected: "the words of doc that the answer needs",
				Hint: "add a question that the documents do not answer with: kerf add --unanswerable"})
			continue
		}
		if q.QID == "" {
			q.QID = qid()
		}
		q.Support = [][]*golden.Span{q.Spans}
		lines.Questions = append(lines.Questions, q)
		begin = append(begin, r.places[0].Line)
		sheet.rows[r.places[0].Line] = r
	}
	sheet.Found = out.Found
	at := 1
	for i, line := range bytes.SplitAfter(lines.Encode(), []byte("\n"))[1:] { // below the header
		if i < len(begin) {
			sheet.Lines = append(append(sheet.Lines, bytes.Repeat([]byte("\n"), begin[i]-at)...), line...)
			at = begin[i] + 1
		}
	}
	return sheet
}

var quotePattern = regexp.MustCompile(`^quote([2-9]|[1-9][0-9]+)?$`)

// known refuses columns that a sheet does not have.
func (s *source) known(header []string) bool {
	ok := true
	for _, c := range header {
		if slices.Contains(columns, c) || quotePattern.MatchString(c) {
			continue
		}
		s.add(place{s.Name, 1, 1}, finding.Finding{Code: CodeColumn, Message: fmt.Sprintf("unknown column %q", c), Expected: strings.Join(columns, ", ") + ", quote2, quote3, …", Found: c,
			Hint: finding.DidYouMean(c, columns)})
		ok = false
	}
	return ok
}

// counter gives out qids that neither the set nor a row has.
func counter(set *golden.Set, rows []row) func() string {
	next := golden.NextQID(set)
	stem := strings.TrimRight(next, "0123456789")
	n, err := strconv.Atoi(next[len(stem):])
	if err != nil {
		panic("BUG: " + err.Error())
	}
	taken := map[string]bool{}
	for _, r := range rows {
		taken[r.value("qid")] = true
	}
	return func() string {
		for ; ; n++ {
			if qid := fmt.Sprintf("%s%0*d", stem, len(next)-len(stem), n); !taken[qid] {
				taken[qid] = true
				return qid
			}
		}
	}
}

// Finding is a finding of Lines at the cell that it is about; what to paste into a
// line is nothing to paste into a cell.
func (s *Sheet) Finding(f finding.Finding) finding.Finding {
	r, ok := s.rows[f.Line]
	if !ok {
		panic("BUG: " + f.String())
	}
	l, _ := jsonl.Parse("", f.Line, bytes.Split(s.Lines, []byte("\n"))[f.Line-1])
	at := r.places[0]
	cell := func(members []jsonl.Member) {
		for _, m := range members {
			if l.Column(m.At) <= f.Column && f.Column <= l.Column(m.Value.End) && slices.Contains(r.columns, m.Name) {
				at = r.at(m.Name)
			}
		}
	}
	cell(l.Value.Members)
	cell(l.Value.Get("spans").Members)
	if f.Code == golden.CodeDoc {
		at = r.at("doc")
	}
	f.Paste = ""
	return at.finding(f)
}
