package golden

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// Proposal is a place that may be the one that an orphan was made on.
type Proposal struct {
	Doc        string
	Version    string
	Start, End int       // in the file's unit; both -1 where that cannot name the place
	Bytes      span.Span // of the pinned text
	Quote      string    // the text there
	Reason     string
	Similarity float64 // share of the words that are the same
	Diff       string  // from the label's quote to this one, one line; "" if they are equal
	Paste      string  // the span as it would be there, with its name; "" where the unit cannot name the place

	score float64
}

// Place is where it is, for people.
func (p Proposal) Place() string {
	if p.Start < 0 {
		return fmt.Sprintf("%s bytes %s", p.Doc, p.Bytes)
	}
	return fmt.Sprintf("%s [%d,%d)", p.Doc, p.Start, p.End)
}

const (
	maxProposals = 5
	maxHeirs     = 3
	leastLine    = 16 // bytes of a line that says where a text went
)

// propose looks for s in d (nil: it has gone), in documents that took over lines
// of its old text, and, to the letter, in all others. Differences of writing are
// looked through for the search alone.
func (m *mover) propose(s *Span, from origin, d *corpus.Document) []Proposal {
	var all []Proposal
	add := func(d *corpus.Document, b span.Span, likeness float64, reason string) {
		if d.Doc != s.Doc {
			reason += ", in another document"
		}
		p := Proposal{Doc: d.Doc, Version: d.Version.Version, Start: -1, End: -1, Bytes: b, Quote: d.Text[b.Start:b.End], Reason: reason, Similarity: likeness,
			score: likeness + m.context(d, b, from)}
		all = append(all, p)
	}
	if hex, ok := digits(s.Version); ok && d == nil {
		for _, o := range m.corpus.Documents {
			b, problem := m.interval(s, o)
			if strings.HasPrefix(o.Version.Version, "sha256:"+hex) && problem == nil && o.Text[b.Start:b.End] == s.Quote {
				add(o, b, 3, "the same text under another id") // before all others
				all[len(all)-1].Similarity = 1
			}
		}
	}
	if len(all) == 0 {
		near := m.successors(s, from, d)
		for _, o := range m.corpus.Documents {
			for _, at := range quote.Find(o.Text, s.Quote) {
				b := span.Span{Start: at, End: at + len(s.Quote)}
				add(o, b, 1, m.surrounded(o, b, from))
			}
		}
		for _, o := range near {
			m.nearIn(s, from, o, add)
		}
	}
	slices.SortStableFunc(all, func(a, b Proposal) int {
		return cmp.Or(cmp.Compare(b.score, a.score), own(a, s)-own(b, s), strings.Compare(a.Doc, b.Doc), a.Bytes.Start-b.Bytes.Start, b.Bytes.Len()-a.Bytes.Len())
	})
	var out []Proposal
	for _, p := range all {
		taken := slices.ContainsFunc(out, func(o Proposal) bool {
			return o.Doc == p.Doc && o.Bytes.Start < p.Bytes.End && p.Bytes.Start < o.Bytes.End
		})
		if !taken && len(out) < maxProposals {
			out = append(out, m.finish(s, p))
		}
	}
	return out
}

func own(p Proposal, s *Span) int {
	if p.Doc == s.Doc {
		return 0
	}
	return 1
}

// finish adds what is shown of a proposal.
func (m *mover) finish(s *Span, p Proposal) Proposal {
	d := m.corpus.Find(p.Doc)
	if p.Quote != s.Quote {
		p.Diff = quote.Diff(s.Quote, p.Quote)
	}
	start, end, err := m.offsets(d, p.Bytes)
	if err != nil {
		p.Reason += fmt.Sprintf("; unit %s cannot name the place", m.unit)
		return p
	}
	p.Start, p.End = start, end
	there := *s
	there.Doc, there.Quote, there.completed = p.Doc, p.Quote, false
	complete(m.places, &there, d, p.Bytes)
	p.Paste = quoted(s.Name) + ":" + there.encode()
	return p
}

// nearIn proposes what is not the quote to the letter: the first difference of
// writing that explains it, passages that share most words, and what stands
// between the old surroundings now.
func (m *mover) nearIn(s *Span, from origin, d *corpus.Document, add func(*corpus.Document, span.Span, float64, string)) {
	for _, k := range quote.Differences() {
		found := m.fold(d, k.Fold).Find(k.Fold.Quote(s.Quote))
		found = slices.DeleteFunc(found, func(b span.Span) bool { return d.Text[b.Start:b.End] == s.Quote })
		for _, b := range found {
			reason := k.Reason
			if k.Kind == quote.LineEndings {
				reason = "quote and text differ in line endings"
			}
			add(d, b, 0.99, reason)
		}
		if len(found) > 0 {
			break
		}
	}
	for _, n := range m.near(d.Doc, d.Text, s.Quote) {
		if n.Differ > 0 {
			add(d, n.Span, n.Similarity(), differs(n))
		}
	}
	if b, ok := between(d.Text, from); ok && !strings.Contains(d.Text[b.Start:b.End], s.Quote) {
		n := quote.Resemblance(s.Quote, d.Text[b.Start:b.End])
		reason := "it stands between the old surroundings; " + differs(n)
		if n.Differ == 0 {
			reason = "it stands between the old surroundings and differs in writing"
		}
		add(d, b, min(n.Similarity(), 0.98), reason)
	}
}

func differs(n quote.Near) string {
	return fmt.Sprintf("%d of %s differ", n.Differ, count(n.Of, "word", "words"))
}

// between is what stands between prefix and suffix, blanks at its edges aside, if
// both stand once. An
// empty one counts where the old passage was at the edge of its document.
func between(text string, from origin) (span.Span, bool) {
	if from.text == "" && (from.prefix == "" || from.suffix == "") || !hasWord(from.prefix+from.suffix) {
		return span.Span{}, false
	}
	b := span.Span{Start: 0, End: len(text)}
	if from.prefix != "" {
		at := quote.Find(text, from.prefix)
		if len(at) != 1 {
			return b, false
		}
		b.Start = at[0] + len(from.prefix)
	}
	if from.suffix != "" {
		at := quote.Find(text[b.Start:], from.suffix)
		if len(at) != 1 {
			return b, false
		}
		b.End = b.Start + at[0]
	}
	inner := text[b.Start:b.End]
	b = span.Span{Start: b.End - len(strings.TrimLeftFunc(inner, unicode.IsSpace)), End: b.Start + len(strings.TrimRightFunc(inner, unicode.IsSpace))}
	if b.End <= b.Start {
		return b, false
	}
	const most = 3 // times the old length: more is no edit of it
	return b, hasWord(text[b.Start:b.End]) && b.Len() <= most*max(from.at.Len(), 64)
}

// surrounded says how the place of a quote differs from the old one. With less
// than a fifth of the surroundings left it is taken for a look-alike.
func (m *mover) surrounded(d *corpus.Document, b span.Span, from origin) string {
	first, last := proven(d.Text, b, from)
	before, after := first && strings.HasSuffix(d.Text[:b.Start], from.prefix), last && strings.HasPrefix(d.Text[b.End:], from.suffix)
	fold := quote.Differences()[len(quote.Differences())-1].Fold
	prefix, suffix := quote.Around(d.Text, b, 2*quote.ContextLength) // they may be longer unfolded
	folded := first && last && strings.HasSuffix(fold.Quote(prefix), fold.Quote(from.prefix)) && strings.HasPrefix(fold.Quote(suffix), fold.Quote(from.suffix))
	switch {
	case from.prefix == "" && from.suffix == "":
		return "the same words"
	case before && after:
		return "the same words with the same surroundings"
	case folded:
		return "the same words; the surroundings differ in writing alone (line endings, blanks, typographic signs)"
	case before:
		return "the same words; what follows them is other"
	case after:
		return "the same words; what precedes them is other"
	case m.context(d, b, from) > 0.2:
		return "the same words; what precedes and what follows them is other"
	}
	return "a look-alike: the same words with other surroundings"
}

// context is how much of the surroundings stands around b, 0 to 1.
func (m *mover) context(d *corpus.Document, b span.Span, from origin) float64 {
	total := len(from.prefix) + len(from.suffix)
	if total == 0 {
		return 0
	}
	before, after := d.Text[:b.Start], d.Text[b.End:]
	n := 0
	for n < min(len(before), len(from.prefix)) && before[len(before)-1-n] == from.prefix[len(from.prefix)-1-n] {
		n++
	}
	same := n
	for n = 0; n < min(len(after), len(from.suffix)) && after[n] == from.suffix[n]; n++ {
		same++
	}
	return float64(same) / float64(total)
}

// successors are d and the documents that hold most of those lines of the old
// text that d no longer has.
func (m *mover) successors(s *Span, from origin, d *corpus.Document) []*corpus.Document {
	key := [2]string{s.Doc, s.Version}
	if all, ok := m.heirs[key]; ok {
		return all
	}
	var all []*corpus.Document
	lines := onceEach(from.text)
	if d != nil {
		all = append(all, d)
		for line := range onceEach(d.Text) {
			delete(lines, line)
		}
	}
	type heir struct {
		doc   *corpus.Document
		lines int
	}
	var heirs []heir
	for _, o := range m.corpus.Documents {
		h := heir{doc: o}
		for line := range strings.Lines(o.Text) {
			line = strings.TrimSpace(line)
			if _, ok := lines[line]; ok && len(line) >= leastLine && o != d {
				h.lines++
			}
		}
		if h.lines > 0 {
			heirs = append(heirs, h)
		}
	}
	slices.SortStableFunc(heirs, func(a, b heir) int { return b.lines - a.lines })
	for _, h := range heirs[:min(maxHeirs, len(heirs))] {
		all = append(all, h.doc)
	}
	m.heirs[key] = all
	return all
}

// Draft reports whether it never had a place.
func (o Orphan) Draft() bool {
	return o.Code != CodeDoc && o.Code != CodeVersion && o.Code != CodeStale
}

// Finding is the orphan as check lists it, with the reason and the nearest
// place; what to paste stands in the proposals alone, since a person must choose.
// A draft's finding stands in Anchored.Open.
func (o Orphan) Finding() finding.Finding {
	at := o.Span.At.Get("version")
	if o.Code == CodeDoc {
		at = o.Span.At.Get("doc")
	}
	f := finding.Finding{Code: o.Code, QID: o.Question.QID, Message: fmt.Sprintf("span %s is an orphan: %s", quoted(o.Span.Name), o.Reason),
		Expected: "quote and surroundings exactly once in the pinned version", Found: quoted(cut(o.Span.Quote)), Hint: "nothing resembles it; label the passage again, or leave the question out"}
	if len(o.Proposals) > 0 {
		p := o.Proposals[0]
		f.Hint = fmt.Sprintf("%s near; the nearest: %s: %s", count(len(o.Proposals), "place", "places"), p.Place(), p.Reason)
	}
	return at.Finding(tidy(f))
}
