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
	Lines []byte
	Read  int          // rows, with those that are no question
	Found finding.List // of those
	rows  []row        // of Lines, line by line
}

// columns are those of a sheet; beside them quote2, quote3 and so on.
var columns = []string{"question", "doc", "quote", "qid", "answer", "segment", "origin"}

// ReadSheet reads a CSV with a header: question, doc, and the quotes of doc that the
// answer needs together; a question without qid gets the next free one of set.
// Every cell that is empty counts as absent.
func ReadSheet(f File, set *golden.Set) *Sheet {
	out := &foreign{}
	s := newSource(f, out)
	sheet := &Sheet{}
	rows := s.csv("question", "doc", "quote")
	if len(rows) > 0 && !s.known(rows[0].columns) {
		rows = nil
	}
	sheet.Read = out.questions + len(rows)
	qid := counter(set, rows)
	lines := &golden.Set{Unit: set.Unit}
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
		sheet.rows = append(sheet.rows, r)
	}
	sheet.Found = out.Found
	if len(lines.Questions) > 0 {
		_, sheet.Lines, _ = bytes.Cut(lines.Encode(), []byte("\n")) // without the header
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
	if f.Line < 1 || f.Line > len(s.rows) {
		panic("BUG: " + f.String())
	}
	l, _ := jsonl.Parse("", f.Line, bytes.Split(s.Lines, []byte("\n"))[f.Line-1])
	r := s.rows[f.Line-1]
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

// Refused are the lines of the CSV at which rows that are not added begin: those
// of refused lines, and those that are no question, ascending.
func (s *Sheet) Refused(lines []int) []int {
	out := []int{}
	for _, n := range lines {
		out = append(out, s.rows[n-1].places[0].Line)
	}
	for _, f := range s.Found {
		out = append(out, f.Line)
	}
	slices.Sort(out)
	return slices.Compact(out)
}
