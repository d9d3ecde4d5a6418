package golden

import (
	"fmt"
	"slices"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/finding"
)

// For is the names of q's reader: its own, else those given.
func (q *Question) For(reader []string) []string {
	if q.Reader != nil {
		return q.Reader
	}
	return reader
}

// MayRead reports whether the reader of q, the given one where it names none,
// may read some support set of it as a whole. Nothing else makes a question
// answerable (S1-091). An unanswerable question has nothing to read, and a span
// that has no place hides nothing.
func (q *Question) MayRead(c *corpus.Corpus, reader []string) bool {
	return q.Unanswerable || slices.ContainsFunc(q.Support, func(set []*Span) bool {
		return len(q.hidden(set, c, reader)) == 0
	})
}

// hidden are the spans of a set of which its reader may not read every byte.
func (q *Question) hidden(set []*Span, c *corpus.Corpus, reader []string) []*Span {
	var out []*Span
	for _, s := range set {
		if d := c.Find(s.Doc); d != nil && !s.Bytes.Empty() && !d.Readable(q.For(reader)).Covers(s.Bytes) {
			out = append(out, s)
		}
	}
	return out
}

// Unreadable are the questions whose reader, the experiment's where they name
// none, may read no support set as a whole, one warning each.
func Unreadable(set *Set, c *corpus.Corpus, reader []string) finding.List {
	c = set.With(c)
	var found finding.List
	for _, q := range set.Questions {
		if q.At == nil || len(q.Support) == 0 || q.MayRead(c, reader) {
			continue
		}
		var hidden []string
		for i, spans := range q.Support {
			for _, s := range q.hidden(spans, c, reader) {
				hidden = append(hidden, fmt.Sprintf("set %d: span %s in %s", i+1, quoted(s.Name), s.Doc))
			}
		}
		if more := len(hidden) - maxPlaces; more > 0 {
			hidden = append(hidden[:maxPlaces], fmt.Sprintf("%d more", more))
		}
		f := finding.Finding{Code: CodeUnreadable, Severity: finding.Warning, QID: q.QID, Message: "no support set is readable as a whole by the question's reader",
			Expected: "a set that may be read by " + strings.Join(q.For(reader), ", "), Found: strings.Join(hidden, "; "),
			Hint: `no arm can answer it: correct access or reader, or say "answerable":false`}
		found = append(found, supportOf(q).Finding(tidy(f)))
	}
	found.Sort()
	return found
}
