package golden

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"unicode"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// Kept is the text of a version that is no longer pinned, by its whole digest.
// The error is fs.ErrNotExist where no copy is left. A nil Kept keeps none.
type Kept func(version string) (string, error)

// Moved is a label that was moved to the pinned version of its document.
type Moved struct {
	Question *Question
	Span     *Span
	From     string // the version it named, as written
}

// Orphan is a label without a certain place in the pinned version, or a draft
// whose quote is not found: nothing of it was changed.
type Orphan struct {
	Question  *Question
	Span      *Span
	Code      string // of its finding: K130, K133 or K135, or the draft's
	Reason    string
	Proposals []Proposal // nearest first, at most five
}

// mover is one pass of Anchor; everything in maps is made once.
type mover struct {
	*places
	kept   Kept
	texts  map[string]text // of older versions
	words  map[string]*quote.Words
	shared map[[2]string][]pair
	heirs  map[[2]string][]*corpus.Document
}

type text struct {
	text string
	err  error
}

// old is the kept text of a version.
func (m *mover) old(version string) (string, error) {
	t, ok := m.texts[version]
	if !ok {
		t.err = fs.ErrNotExist
		if hex, _ := digits(version); m.kept != nil && len(hex) == 64 {
			t.text, t.err = m.kept("sha256:" + hex)
		}
		m.texts[version] = t
	}
	return t.text, t.err
}

// legal reports whether the version of s is absent or the pinned one.
func (m *mover) legal(s *Span, d *corpus.Document) bool {
	known, ok := m.versions(s, d)
	return s.Version == "" || ok && len(known) == 1 && known[0] == d.Version.Version
}

// superseded reports whether s names a version of d that is not pinned: an
// older one, or one that the manifest does not know.
func (m *mover) superseded(s *Span, d *corpus.Document) bool {
	known, ok := m.versions(s, d)
	return s.Version != "" && ok && (len(known) == 0 || len(known) == 1 && known[0] != d.Version.Version)
}

// origin is what is known of the passage that a label was made on.
type origin struct {
	prefix, suffix string
	text           string    // of the version, "" if there is no copy
	at             span.Span // in text
}

// move moves s to the pinned version d of its document (nil: the document has
// gone), or says why not. It moves only where
//
//   - the version is an older one of this document, and where its text is kept,
//     the label is right there;
//   - quote and surroundings stand exactly once in d. Surroundings are the stored
//     prefix and suffix, else those in the old text, and longer ones where these
//     stand several times in the old text;
//   - a side without a word, at the edge of the old text, is at the edge of d too,
//     or all that precedes or follows the passage is unchanged;
//   - nothing casts doubt on the place (see doubt).
func (m *mover) move(q *Question, s *Span, d *corpus.Document) *Orphan {
	o := &Orphan{Question: q, Span: s, Code: CodeStale}
	version := s.Version
	switch known := []string(nil); {
	case d == nil:
		o.Code, o.Reason = CodeDoc, fmt.Sprintf("the document %s is not in the corpus", s.Doc)
	default:
		if known, _ = m.versions(s, d); len(known) == 1 {
			version = known[0]
			break
		}
		o.Code, o.Reason = CodeVersion, fmt.Sprintf("the manifest does not know this version of %s", s.Doc)
	}
	from, problem := m.origin(s, version)
	if o.Reason == "" {
		o.Reason = problem
	}
	if o.Reason == "" {
		found := matches(d.Text, from.prefix, s.Quote, from.suffix)
		if o.Reason = m.unsure(s, d, from, found); o.Reason == "" {
			complete(m.places, s, d, found[0])
			return nil
		}
	}
	o.Proposals = m.propose(s, from, d)
	return o
}

// origin finds out where s was made. The problem says why it cannot be moved.
func (m *mover) origin(s *Span, version string) (o origin, problem string) {
	o = origin{prefix: s.Prefix, suffix: s.Suffix}
	old, err := m.old(version)
	if err != nil {
		switch {
		case s.At.Get("prefix") != nil || s.At.Get("suffix") != nil:
		case errors.Is(err, fs.ErrNotExist):
			problem = "the text of the old version is gone, and the label has no prefix or suffix"
		default:
			problem = "the label has no prefix or suffix, and the text of the old version cannot be used: " + err.Error()
		}
		return o, problem
	}
	b, problem := m.was(s, version, old)
	if problem != "" {
		return o, problem
	}
	o.text, o.at = old, b
	for n := quote.ContextLength; ; n *= 2 {
		prefix, suffix := quote.Around(old, b, n)
		if n > quote.ContextLength || !hasWord(s.Prefix) {
			o.prefix = longer(o.prefix, prefix)
		}
		if n > quote.ContextLength || !hasWord(s.Suffix) {
			o.suffix = longer(o.suffix, suffix)
		}
		if len(matches(old, o.prefix, s.Quote, o.suffix)) == 1 {
			return o, ""
		}
	}
}

// was is the place of s in the text of its version.
func (m *mover) was(s *Span, version, old string) (b span.Span, problem string) {
	d := &corpus.Document{Version: corpus.Version{Doc: "\x00" + version}, Text: old} // no document has such an id
	if s.Draft {
		found := matches(old, s.Prefix, s.Quote, s.Suffix)
		if len(found) != 1 {
			return b, "the old version, which the draft names, does not hold its quote exactly once"
		}
		return found[0], ""
	}
	b, f := m.interval(s, d)
	switch {
	case f != nil || old[b.Start:b.End] != s.Quote:
		return b, "the quote is not the text at its place in the old version"
	case !hasContext(s, old, b):
		return b, "prefix or suffix is not what surrounds the quote in the old version"
	}
	return b, ""
}

func longer(a, b string) string {
	if len(b) > len(a) {
		return b
	}
	return a
}

// matches is where quote stands between prefix and suffix.
func matches(text, prefix, words, suffix string) []span.Span {
	var found []span.Span
	for _, at := range quote.Find(text, words) {
		b := span.Span{Start: at, End: at + len(words)}
		if strings.HasSuffix(text[:b.Start], prefix) && strings.HasPrefix(text[b.End:], suffix) {
			found = append(found, b)
		}
	}
	return found
}

// unsure says why none of found is certain to be the passage, "" if one is.
func (m *mover) unsure(s *Span, d *corpus.Document, from origin, found []span.Span) string {
	switch len(found) {
	case 0:
		if len(quote.Find(d.Text, s.Quote)) == 0 {
			return "the quote is not in the new version"
		}
		return "the quote stands in the new version only where other words surround it"
	case 1:
	default:
		return fmt.Sprintf("quote and surroundings stand in %d places of the new version", len(found))
	}
	b := found[0]
	if first, last := proven(d.Text, b, from); !(first && last) && !from.unmoved(d.Text, b) {
		return "on one side no word surrounded the passage, and it is not at that edge of the document now"
	}
	if _, _, err := m.offsets(d, b); err != nil {
		return fmt.Sprintf("unit %s cannot name the place: %v", m.unit, err)
	}
	return m.doubt(s, d, from, b)
}

// proven reports on which sides the surroundings tell the place b: where they
// hold a word, or where b is at the edge of the text as the old place was.
func proven(text string, b span.Span, from origin) (first, last bool) {
	return hasWord(from.prefix) || !hasWord(text[:b.Start]), hasWord(from.suffix) || !hasWord(text[b.End:])
}

// unmoved reports whether all that precedes or all that follows the passage is
// unchanged, up to its surroundings on the other side.
func (from origin) unmoved(now string, b span.Span) bool {
	old := from.text
	return old != "" && (b == from.at && strings.HasPrefix(now, old[:from.at.End+len(from.suffix)]) ||
		len(now)-b.End == len(old)-from.at.End && strings.HasSuffix(now, old[from.at.Start-len(from.prefix):]))
}

func hasWord(text string) bool {
	return strings.IndexFunc(text, func(r rune) bool { return unicode.In(r, unicode.L, unicode.N) }) >= 0
}

// Alike is the least share of words that make another passage resemble a quote.
const Alike = 0.6

// doubt says why b, which alone has quote and surroundings, may still be a copy
// whose original was edited. It can say so only where the old text is kept. A
// passage is beyond doubt where all that precedes or all that follows it is
// unchanged. Else no new passage may resemble it: within its neighbourhood, which
// ends at the nearest lines that old and new have once each; and where its order
// among those lines has changed, anywhere, nor may its surroundings have been
// copied.
func (m *mover) doubt(s *Span, d *corpus.Document, from origin, b span.Span) string {
	old, now := from.text, d.Text
	if old == "" || from.unmoved(now, b) {
		return ""
	}
	was, is := span.Span{Start: 0, End: len(old)}, span.Span{Start: 0, End: len(now)} // the neighbourhood
	order, line := true, strings.LastIndexByte(old[:from.at.Start], '\n')+1
	for _, p := range m.lines(s.Version, old, d) {
		switch before := p.old < from.at.Start; {
		case p.old >= line && p.old < from.at.End: // a line of the passage itself
		case before != (p.now < b.Start):
			order = false
		case before:
			was.Start, is.Start = max(was.Start, p.old), max(is.Start, p.now)
		default:
			was.End, is.End = min(was.End, p.old), min(is.End, p.now)
		}
	}
	if order {
		resembling := func(text string) int { return len(quote.NewWords(text).Near(s.Quote, Alike)) }
		if resembling(now[is.Start:is.End]) > resembling(old[was.Start:was.End]) {
			return "a new passage that resembles it has come into its neighbourhood"
		}
		return ""
	}
	more := func(words string) bool {
		return hasWord(words) && len(quote.Find(now, words)) > len(quote.Find(old, words))
	}
	if more(from.prefix) || more(from.suffix) || len(m.near(d.Doc, now, s.Quote)) > len(m.near("\x00"+s.Doc+s.Version, old, s.Quote)) {
		return "its order among the lines has changed, and a new passage resembles it or its surroundings"
	}
	return ""
}

// near is the places of a text that resemble a quote; key names the text.
func (m *mover) near(key, text, words string) []quote.Near {
	if m.words[key] == nil {
		m.words[key] = quote.NewWords(text)
	}
	return m.words[key].Near(words, Alike)
}

// pair is where one line begins in an old and in a new text.
type pair struct{ old, now int }

// lines are the lines that old and d have exactly once each, blanks at their
// edges aside.
func (m *mover) lines(version, old string, d *corpus.Document) []pair {
	key := [2]string{version, d.Doc}
	pairs, ok := m.shared[key]
	if !ok {
		now := onceEach(d.Text)
		for line, at := range onceEach(old) {
			if b, both := now[line]; both && at >= 0 && b >= 0 {
				pairs = append(pairs, pair{at, b})
			}
		}
		slices.SortFunc(pairs, func(a, b pair) int { return a.old - b.old })
		m.shared[key] = pairs
	}
	return pairs
}

// onceEach is where every line with a word stands; -1 for repeated ones.
func onceEach(text string) map[string]int {
	at, all := 0, map[string]int{}
	for line := range strings.Lines(text) {
		if key := strings.TrimSpace(line); hasWord(key) {
			if _, twice := all[key]; twice {
				all[key] = -1
			} else {
				all[key] = at
			}
		}
		at += len(line)
	}
	return all
}

// Stale reports whether a label of q is on a version that is no longer pinned.
func (q *Question) Stale() bool {
	return slices.ContainsFunc(q.Spans, func(s *Span) bool { return s.Stale })
}

// Verify holds the labels of older versions against the texts that are kept of
// them: a label that was wrong there is an error. Where no copy is left, nothing
// can be said.
func Verify(set *Set, c *corpus.Corpus, kept Kept) finding.List {
	m := &mover{places: newPlaces(set.With(c), set.Unit), kept: kept, texts: map[string]text{}}
	var found finding.List
	for _, q := range set.Questions {
		for _, s := range q.Spans {
			if !s.Stale || set.Unit == "" || s.Quote == "" {
				continue
			}
			known, _ := m.versions(s, m.corpus.Find(s.Doc))
			old, err := m.old(known[0])
			if errors.Is(err, fs.ErrNotExist) {
				continue
			}
			problem := ""
			if err != nil {
				problem = err.Error()
			} else {
				_, problem = m.was(s, known[0], old)
			}
			if problem != "" {
				f := s.At.Finding(finding.Finding{Code: CodeShifted, Message: problem, Expected: "the text of " + known[0], Found: quoted(cut(s.Quote)),
					Hint: "kerf anchor does not move it; label the passage again"})
				f.QID = q.QID
				found = append(found, f)
			}
		}
	}
	found.Sort()
	return found
}
