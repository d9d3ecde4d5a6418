package golden

import (
	"fmt"
	"slices"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// places answers where things stand in a corpus; coordinate maps and folded
// texts are made once.
type places struct {
	corpus *corpus.Corpus
	unit   coord.Unit
	maps   map[string]*coord.Map
	folds  map[foldKey]quote.Folded
	whole  map[coord.Unit]bool // whether every quote of the set fits, once asked
}

func newPlaces(c *corpus.Corpus, unit coord.Unit) *places {
	return &places{corpus: c, unit: unit, maps: map[string]*coord.Map{}, folds: map[foldKey]quote.Folded{}, whole: map[coord.Unit]bool{}}
}

func (p *places) coords(d *corpus.Document) *coord.Map {
	m := p.maps[d.Doc]
	if m == nil {
		m = coord.New(d.Text)
		p.maps[d.Doc] = m
	}
	return m
}

// offsets are the offsets of b in the file's unit.
func (p *places) offsets(d *corpus.Document, b span.Span) (start, end int, err error) {
	if start, err = p.coords(d).Offset(p.unit, b.Start); err == nil {
		end, err = p.coords(d).Offset(p.unit, b.End)
	}
	return start, end, err
}

// show is b for a message: in the file's unit, in bytes where that cannot name it.
func (p *places) show(d *corpus.Document, b span.Span) string {
	start, end, err := p.offsets(d, b)
	if err != nil {
		return fmt.Sprintf("bytes %s", b)
	}
	return span.Span{Start: start, End: end}.String()
}

// paste is the fields that put a span at b.
func (p *places) paste(d *corpus.Document, b span.Span) string {
	start, end, err := p.offsets(d, b)
	if err != nil {
		return ""
	}
	return fmt.Sprintf(`"start":%d,"end":%d`, start, end)
}

// under is the interval of s in d, were the file's unit u.
func (p *places) under(u coord.Unit, s *Span, d *corpus.Document) (span.Span, error) {
	start, err := p.coords(d).Byte(u, s.Start)
	if err != nil {
		return span.Span{}, err
	}
	end, err := p.coords(d).Byte(u, s.End)
	return span.Span{Start: start, End: end}, err
}

// fits reports whether the quote of s is the slice of d under u.
func (p *places) fits(u coord.Unit, s *Span, d *corpus.Document) bool {
	b, err := p.under(u, s, d)
	return err == nil && !b.Empty() && d.Text[b.Start:b.End] == s.Quote
}

// fit is the units under which every quote with offsets matches its document,
// "" alone if no quote has offsets. The units of tokens are tried only where no
// other fits.
func (p *places) fit(set *Set) []coord.Unit {
	for _, group := range [][]coord.Unit{{coord.CodePoint, coord.Byte, coord.UTF16}, {"token:words", "token:cl100k_base", "token:o200k_base"}} {
		var fit []coord.Unit
		for _, u := range group {
			n, all := p.fitsAll(set, u)
			if n == 0 {
				return []coord.Unit{""}
			}
			if all {
				fit = append(fit, u)
			}
		}
		if fit != nil {
			return fit
		}
	}
	return nil
}

// fitsAll reports how many quotes have offsets, and whether all of them match
// under u.
func (p *places) fitsAll(set *Set, u coord.Unit) (n int, all bool) {
	if all, ok := p.whole[u]; ok {
		return 1, all
	}
	for _, q := range set.Questions {
		for _, s := range q.Spans {
			d := p.corpus.Find(s.Doc)
			if s.Draft || s.Quote == "" || d == nil || set.carries(s.Doc) {
				continue
			}
			if n++; !p.fits(u, s, d) {
				p.whole[u] = false
				return n, false
			}
		}
	}
	if n > 0 {
		p.whole[u] = true
	}
	return n, true
}

// resolve places the spans of a question and checks the documents it names.
func (r *reader) resolve(q *Question) {
	if r.set.carries(q.QID) && q.At.Get("fixture_id") != nil {
		if d := r.places.corpus.Find(q.QID); d.Version.Version != q.Spans[0].Version {
			r.add(q.At.Get("fixture_id"), finding.Finding{Code: CodeFixtureDoc, Message: "the corpus has another text under the fixture's name",
				Expected: cut(q.Spans[0].Version), Found: cut(d.Version.Version), Hint: "rename the fixture or the document"})
			for _, s := range q.Spans {
				s.Bytes = span.Span{}
			}
		}
		return
	}
	for i, doc := range q.Within {
		if r.places.corpus.Find(doc) == nil {
			r.unknownDoc(CodeWithin, "a document of within is not in the corpus", doc, q, i)
		}
	}
	for i, s := range q.Spans {
		if s.Doc == "" {
			continue
		}
		d := r.places.corpus.Find(s.Doc)
		if d == nil {
			r.unknownDoc(CodeDoc, fmt.Sprintf("document %s is not in the corpus", s.Doc), s.Doc, q, i)
			continue
		}
		if q.Within != nil && !slices.Contains(q.Within, s.Doc) {
			r.add(s.At.Get("doc"), finding.Finding{Code: CodeOutside, Message: fmt.Sprintf("span %s is evidence in a document that within leaves out", quoted(s.Name)),
				Expected: "one of: " + strings.Join(q.Within, ", "), Found: s.Doc, Hint: "no search can find it; name the document in within, or drop the span",
				Paste: `"within":[` + strings.Join(quoteAll(append(slices.Clone(q.Within), s.Doc)), ",") + `]`})
		}
		if r.version(s, d) && !s.Draft && s.Quote != "" || s.At.Get("quote") != nil && s.Quote == "" {
			r.place(s, d)
		}
	}
}

func (r *reader) unknownDoc(code, message, doc string, q *Question, i int) {
	v := q.At.Get("within")
	if code == CodeDoc {
		v = q.Spans[i].At.Get("doc")
	} else if e := slices.IndexFunc(v.Elems, func(e *jsonl.Value) bool { return e.Text == doc }); e >= 0 {
		v = v.Elems[e]
	}
	f := finding.Finding{Code: code, Message: message, Expected: "a document of the corpus", Found: quoted(cut(doc)), Hint: "freeze it, or correct the name"}
	var ids []string
	for _, d := range r.places.corpus.Documents {
		ids = append(ids, d.Doc)
	}
	if guess := near(doc, ids); guess != "" {
		f.Hint, f.Paste = fmt.Sprintf("%s exists", guess), quoted(guess)
	} else if base := sameBase(doc, ids); base != "" {
		f.Hint, f.Paste = fmt.Sprintf("%s exists", base), quoted(base)
	}
	r.add(v, f)
}

// sameBase is the only id that names doc with another folder or extension.
func sameBase(doc string, ids []string) string {
	stem := func(s string) string {
		s = s[strings.LastIndexByte(s, '/')+1:]
		if i := strings.LastIndexByte(s, '.'); i > 0 {
			s = s[:i]
		}
		return strings.ToLower(s)
	}
	found := ""
	for _, id := range ids {
		if stem(id) == stem(doc) {
			if found != "" {
				return ""
			}
			found = id
		}
	}
	return found
}

// version checks the version that a span names; false if it is not the pinned one.
func (r *reader) version(s *Span, d *corpus.Document) bool {
	if s.Version == "" {
		return true
	}
	v := s.At.Get("version")
	pinned := d.Version.Version
	known, ok := r.places.versions(s, d)
	if !ok {
		r.add(v, finding.Finding{Code: CodeVersionForm, Message: "a version that is no digest", Expected: "sha256: and 64 hex digits, or at least the first 8 of them", Found: quoted(cut(s.Version)),
			Hint: "the pinned version is " + pinned})
		return false
	}
	switch {
	case len(known) == 0:
		f := finding.Finding{Code: CodeVersion, Message: fmt.Sprintf("a version of %s that the corpus does not know", s.Doc), Expected: pinned, Found: cut(s.Version),
			Hint: "offsets hold for one version alone: freeze the text they were made on, or label the passage again"}
		if !s.Draft && r.places.unit != "" && r.places.fits(r.places.unit, s, d) {
			f.Hint, f.Paste = "the quote stands at the same place of the pinned version", `"version":`+quoted(pinned)
		}
		r.add(v, f)
	case len(known) > 1:
		r.add(v, finding.Finding{Code: CodeVersionShort, Message: "the shortened version fits several", Expected: strings.Join(known, ", "), Found: s.Version, Hint: "write more digits",
			Paste: `"version":` + quoted(known[0])})
	case known[0] != pinned:
		s.Stale = true
		r.add(v, finding.Finding{Code: CodeStale, Message: fmt.Sprintf("the label is on a version of %s that is no longer pinned", s.Doc), Expected: pinned, Found: known[0],
			Hint: "kerf anchor -w moves it where quote and surroundings are unchanged, and proposes places where they are not"})
	default:
		return true
	}
	return false
}

// versions is the known versions of d, pinned or older, that the version of s
// may stand for; false if it is no digest.
func (p *places) versions(s *Span, d *corpus.Document) ([]string, bool) {
	hex, ok := digits(s.Version)
	known := []string{d.Version.Version}
	for _, o := range p.corpus.Older {
		if o.Doc == s.Doc && !slices.Contains(known, o.Version) {
			known = append(known, o.Version)
		}
	}
	return slices.DeleteFunc(known, func(k string) bool { return !strings.HasPrefix(k, "sha256:"+hex) }), ok
}

// digits is the hex digits of a version as labels write it: at least 8.
func digits(version string) (string, bool) {
	hex := strings.TrimPrefix(version, "sha256:")
	return hex, len(hex) >= 8 && len(hex) <= 64 && strings.Trim(hex, "0123456789abcdef") == ""
}

// place resolves offsets that are given and compares quote and slice.
func (r *reader) place(s *Span, d *corpus.Document) {
	_, ok1 := s.At.Get("start").Int()
	_, ok2 := s.At.Get("end").Int()
	if s.Draft && s.Quote == "" {
		r.add(s.At.Get("quote"), finding.Finding{Code: CodeEmpty, Message: "an empty quote", Expected: "the words of the document", Found: `""`})
		return
	}
	if !ok1 || !ok2 || r.places.unit == "" {
		return
	}
	b, problem := r.places.interval(s, d)
	at := s.At.Get("start")
	switch {
	case problem != nil && (problem.Code == CodeSpanEmpty || problem.Code == CodeReversed):
	case problem != nil:
		f := r.places.why(s, d, r.set)
		problem.Hint, problem.Paste = f.Hint, f.Paste
	case s.Quote == "":
		at = s.At.Get("quote")
		problem = &finding.Finding{Code: CodeEmpty, Message: "an empty quote", Expected: quoted(cut(d.Text[b.Start:b.End])), Found: `""`, Paste: `"quote":` + quoted(d.Text[b.Start:b.End])}
	case d.Text[b.Start:b.End] != s.Quote:
		f := r.places.why(s, d, r.set)
		f.Message = fmt.Sprintf("the quote is not the text at %s %s: %s", s.Doc, r.places.show(d, b), f.Message)
		f.Expected, f.Found = quoted(cut(s.Quote)), quoted(cut(d.Text[b.Start:b.End]))
		problem = &f
	default:
		problem = r.places.surroundings(s, d, b)
		if problem == nil {
			s.Bytes = b
			return
		}
		at = s.At
	}
	r.add(at, *problem)
}

// surroundings is a finding where prefix or suffix do not surround b.
func (p *places) surroundings(s *Span, d *corpus.Document, b span.Span) *finding.Finding {
	if hasContext(s, d.Text, b) {
		return nil
	}
	prefix, suffix := quote.Surroundings(d.Text, b)
	return &finding.Finding{Code: CodeContext, Message: fmt.Sprintf("prefix or suffix is not what surrounds the quote at %s %s", s.Doc, p.show(d, b)),
		Expected: quoted(s.Prefix) + " and " + quoted(s.Suffix), Found: quoted(prefix) + " and " + quoted(suffix),
		Hint: "either the place or its surroundings are wrong", Paste: fmt.Sprintf(`"prefix":%s,"suffix":%s`, quoted(prefix), quoted(suffix))}
}

func hasContext(s *Span, text string, b span.Span) bool {
	return strings.HasSuffix(text[:b.Start], s.Prefix) && strings.HasPrefix(text[b.End:], s.Suffix)
}

// interval translates the offsets of s. A problem says what is wrong with them.
func (p *places) interval(s *Span, d *corpus.Document) (span.Span, *finding.Finding) {
	if 0 <= s.Start && s.Start < s.End {
		if b, err := p.under(p.unit, s, d); err == nil && !b.Empty() {
			return b, nil
		}
	}
	f := &finding.Finding{Found: span.Span{Start: s.Start, End: s.End}.String()}
	length, err := p.coords(d).Offset(p.unit, len(d.Text))
	if err != nil {
		length = len(d.Text)
	}
	inside := fmt.Sprintf("0 <= start < end <= %d (the length of %s in unit %s)", length, s.Doc, p.unit)
	switch {
	case s.Start == s.End:
		f.Code, f.Message, f.Expected = CodeSpanEmpty, "an empty span", inside
		f.Hint = "evidence that nothing can miss proves nothing: label the words"
	case s.End < s.Start:
		f.Code, f.Message, f.Expected = CodeReversed, fmt.Sprintf("end %d before start %d", s.End, s.Start), inside
		f.Paste = fmt.Sprintf(`"start":%d,"end":%d`, s.End, s.Start)
	case s.Start < 0:
		f.Code, f.Message, f.Expected = CodeRange, fmt.Sprintf("start %d before the beginning", s.Start), inside
	case s.End > length:
		f.Code, f.Message, f.Expected = CodeRange, fmt.Sprintf("end %d beyond length %d", s.End, length), inside
		if start, err := p.coords(d).Byte(p.unit, s.Start); err == nil && start < len(d.Text) {
			f.Message += fmt.Sprintf(": the text from %d on is %s, not %s", s.Start, quoted(cut(d.Text[start:])), quoted(cut(s.Quote)))
		}
	default:
		_, err := p.under(p.unit, s, d)
		f.Code, f.Message, f.Expected = CodeInside, fmt.Sprintf("an offset that is no place between characters in unit %s", p.unit), "offsets between characters"
		if err != nil {
			f.Message += ": " + err.Error()
		}
	}
	return span.Span{}, f
}
