package golden

import (
	"fmt"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// Anchored is what Anchor did, each list in file order.
type Anchored struct {
	Placed  []Placed     // drafts that are complete now
	Moved   []Moved      // labels that are on the pinned version now
	Orphans []Orphan     // labels, and drafts whose quote is not found, that a person must place
	Open    finding.List // drafts without exactly one place, sorted
}

// Placed is a draft that was completed.
type Placed struct {
	Question *Question
	Span     *Span
}

// Anchor completes every draft whose quote, with prefix and suffix where they
// are given, stands exactly once in its document, and moves every label of an
// older version whose quote and surroundings stand exactly once in the pinned
// one (see move). Both get version, offsets in the file's unit, and 32 code
// points of surroundings. Nothing is guessed: each other draft is a finding that
// lists its places, each other label an orphan with the places that are near.
func Anchor(set *Set, c *corpus.Corpus, kept Kept) Anchored {
	m := &mover{places: newPlaces(set.With(c), set.Unit), kept: kept, texts: map[string]text{}, words: map[string]*quote.Words{},
		shared: map[[2]string][]pair{}, heirs: map[[2]string][]*corpus.Document{}}
	var out Anchored
	if set.Unit == "" {
		return out
	}
	for _, q := range set.Questions {
		for _, s := range q.Spans {
			if q.At == nil || set.carries(q.QID) || s.Quote == "" || s.Doc == "" {
				continue
			}
			d := m.corpus.Find(s.Doc)
			switch {
			case d == nil || m.superseded(s, d):
				from := s.Version
				if o := m.move(q, s, d); o != nil {
					out.Orphans = append(out.Orphans, *o)
				} else {
					out.Moved = append(out.Moved, Moved{q, s, from})
				}
			case s.Draft && m.legal(s, d):
				b, problem := m.locate(s, d, set)
				if problem == nil {
					complete(m.places, s, d, b)
					out.Placed = append(out.Placed, Placed{q, s})
					continue
				}
				problem.QID = q.QID
				out.Open = append(out.Open, s.At.Finding(tidy(*problem)))
				if problem.Code != CodeAmbiguous && problem.Code != CodeInside {
					out.Orphans = append(out.Orphans, Orphan{Question: q, Span: s, Code: problem.Code, Reason: problem.Message,
						Proposals: m.propose(s, origin{prefix: s.Prefix, suffix: s.Suffix}, d)})
				}
			}
		}
	}
	out.Open.Sort()
	return out
}

// complete writes the place b into s.
func complete(p *places, s *Span, d *corpus.Document, b span.Span) {
	start, end, err := p.offsets(d, b)
	if err != nil {
		panic("BUG: " + err.Error())
	}
	s.Start, s.End, s.Bytes, s.Version = start, end, b, d.Version.Version
	s.Prefix, s.Suffix = quote.Surroundings(d.Text, b)
	s.Draft, s.Stale, s.completed = false, false, true
}

// locate is the one place of a draft's quote, which the file's unit can name,
// or why there is none.
func (p *places) locate(s *Span, d *corpus.Document, set *Set) (span.Span, *finding.Finding) {
	all := quote.Find(d.Text, s.Quote)
	if len(all) == 0 {
		f := p.why(s, d, set)
		f.Message = fmt.Sprintf("the quote is not found in %s: %s", s.Doc, f.Message)
		f.Expected, f.Found = "exactly one place", quoted(cut(s.Quote))
		return span.Span{}, &f
	}
	var kept []span.Span
	before, after := 0, 0
	for _, a := range all {
		b := span.Span{Start: a, End: a + len(s.Quote)}
		prefix, suffix := strings.HasSuffix(d.Text[:b.Start], s.Prefix), strings.HasPrefix(d.Text[b.End:], s.Suffix)
		if prefix {
			before++
		}
		if suffix {
			after++
		}
		if prefix && suffix {
			kept = append(kept, b)
		}
	}
	switch {
	case len(kept) == 1:
		if _, _, err := p.offsets(d, kept[0]); err != nil {
			return span.Span{}, &finding.Finding{Code: CodeInside, Message: fmt.Sprintf("the quote's place is none that unit %s can name", p.unit), Expected: "an edge between two units",
				Found: fmt.Sprintf("%v (bytes %s)", err, kept[0]), Hint: "quote whole tokens, or declare another unit"}
		}
		return kept[0], nil
	case len(kept) > 1:
		shown, more := p.around(d, kept)
		return span.Span{}, &finding.Finding{Code: CodeAmbiguous, Message: fmt.Sprintf("the quote stands in %d places of %s", len(kept), s.Doc),
			Expected: "exactly one place", Found: shown + more, Hint: "quote more words, or add the prefix or suffix that tells them apart", Paste: p.apart(d, kept)}
	}
	which := "prefix and suffix do not occur together around"
	switch {
	case before == 0:
		which = "prefix does not occur before"
	case after == 0:
		which = "suffix does not occur after"
	}
	var places []span.Span
	for _, a := range all {
		places = append(places, span.Span{Start: a, End: a + len(s.Quote)})
	}
	shown, more := p.around(d, places)
	return span.Span{}, &finding.Finding{Code: CodeContext, Message: fmt.Sprintf("%s any of the %s of the quote in %s", which, count(len(all), "match", "matches"), s.Doc),
		Expected: "prefix " + quoted(s.Prefix) + ", suffix " + quoted(s.Suffix), Found: shown + more, Hint: "correct prefix and suffix, or delete them"}
}

// around lists places with a few words on both sides.
func (p *places) around(d *corpus.Document, places []span.Span) (shown, more string) {
	var all []string
	for _, b := range places[:min(maxPlaces, len(places))] {
		prefix, suffix := quote.Surroundings(d.Text, b)
		all = append(all, fmt.Sprintf("%s …%s|%s…", p.show(d, b), tail(prefix, 16), head(suffix, 16)))
	}
	if n := len(places) - maxPlaces; n > 0 {
		more = fmt.Sprintf("; %d more", n)
	}
	return strings.Join(all, "; "), more
}

// apart is the surroundings of the first place, to paste and adapt.
func (p *places) apart(d *corpus.Document, places []span.Span) string {
	prefix, suffix := quote.Surroundings(d.Text, places[0])
	return fmt.Sprintf(`"prefix":%s,"suffix":%s`, quoted(prefix), quoted(suffix))
}

func head(s string, n int) string { r := []rune(s); return oneLine(string(r[:min(n, len(r))])) }
func tail(s string, n int) string { r := []rune(s); return oneLine(string(r[max(0, len(r)-n):])) }

// oneLine shows line breaks as what they are.
func oneLine(s string) string {
	return strings.NewReplacer("\r\n", "⏎", "\n", "⏎", "\r", "⏎", "\t", " ").Replace(s)
}
