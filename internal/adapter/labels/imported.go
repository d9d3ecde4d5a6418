package labels

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/golden"
	"kerf/internal/text/coord"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// Imported is what is proved, as kerf's own files.
type Imported struct {
	Questions Questions
	Labels    Claims
	Chunks    Claims
	Documents int

	Golden []byte // golden/1, nil without questions
	Texts  []byte // texts/1, nil without documents
	Table  []byte // chunks/1, nil without chunks

	Found   finding.List // everything that is refused (errors) and what waits for a person (warnings)
	Skipped []Skipped
}

// Questions counts questions: Read = Imported + Refused.
type Questions struct {
	Read     int `json:"read"`
	Imported int `json:"imported"`
	Refused  int `json:"refused"`
}

// Claims counts the passages of readable questions, or the chunks: Read is the
// sum of the others. Drafts have no certain place: a quote that stands in several
// places, a chunk without an offset.
type Claims struct {
	Read    int `json:"read"`
	Proved  int `json:"proved"`
	Drafts  int `json:"drafts"`
	Refused int `json:"refused"`
}

// prove holds every claim against its document. A question is imported if one of its
// alternatives has no refused claim; a chunk whose offset is refused keeps its
// text alone. Offsets in the result are code points.
func (f *foreign) prove(c *corpus.Corpus) *Imported {
	out := &Imported{Found: slices.Clone(f.Found), Skipped: f.Skipped}
	p := &prover{unit: f.Unit, maps: map[string]*coord.Map{}, folds: map[fold]quote.Folded{}}
	p.corpus = out.documents(f, c)
	out.questions(f, p)
	out.chunks(f, p)
	out.Found.Sort()
	return out
}

func (out *Imported) add(at place, f finding.Finding) { out.Found = append(out.Found, at.finding(f)) }

// textLine is a line of texts/1.
type textLine struct {
	Doc    string `json:"doc"`
	Text   string `json:"text"`
	Source string `json:"source,omitempty"`
}

func (out *Imported) documents(f *foreign, c *corpus.Corpus) *corpus.Corpus {
	all := &corpus.Corpus{}
	taken := map[string]string{}
	var b bytes.Buffer
	for _, d := range f.Documents {
		text, twice := taken[d.Doc]
		switch {
		case twice && text != d.Text:
			out.add(d.At, finding.Finding{Code: CodeTwice, Message: "one document id for two texts", Expected: "an id of its own for every text", Found: fmt.Sprintf("%q", d.Doc)})
			continue
		case twice:
			continue
		case d.Text == "" || d.Doc == "":
			out.add(d.At, finding.Finding{Code: CodeForm, Message: "a document without id or text", Found: fmt.Sprintf("%q", d.Doc)})
			continue
		}
		taken[d.Doc] = d.Text
		all.Documents = append(all.Documents, &corpus.Document{Version: corpus.Version{Doc: d.Doc, Version: corpus.VersionOf(d.Text), Bytes: len(d.Text)}, Text: d.Text})
		line(&b, textLine{d.Doc, d.Text, d.Source})
	}
	if out.Documents = len(all.Documents); out.Documents > 0 {
		out.Texts = append([]byte("{\"kerf\":\"texts/1\"}\n"), b.Bytes()...)
	}
	for _, d := range c.Documents {
		if _, inside := taken[d.Doc]; !inside {
			all.Documents = append(all.Documents, d)
		}
	}
	slices.SortFunc(all.Documents, func(a, b *corpus.Document) int { return strings.Compare(a.Doc, b.Doc) })
	return all
}

// line writes v as one line.
func line(b *bytes.Buffer, v any) {
	if err := json.MarshalWrite(b, v); err != nil {
		panic("BUG: " + err.Error()) // the sources are UTF-8
	}
	b.WriteByte('\n')
}

// proved is the span of a claim, or nil and why not.
func (p *prover) proved(c claim) (*golden.Span, *finding.Finding) {
	d, problem := p.document(c)
	if problem != nil {
		return nil, problem
	}
	if !c.Offset && c.Quote == "" {
		return nil, &finding.Finding{Code: CodeNothing, Message: "neither offsets nor a quote", Expected: "at least one of them"}
	}
	s := &golden.Span{Doc: c.Doc, Quote: c.Quote, Prefix: c.Prefix, Suffix: c.Suffix, Role: c.Role, Draft: !c.Offset}
	if s.Draft {
		return s, nil
	}
	if s.Bytes, problem = p.place(c, d); problem != nil {
		return nil, problem
	}
	s.Version = d.Version.Version
	s.Start, s.End = p.codePoints(d, s.Bytes)
	s.Prefix, s.Suffix = quote.Surroundings(d.Text, s.Bytes)
	return s, nil
}

func (p *prover) codePoints(d *corpus.Document, b span.Span) (start, end int) {
	start, err1 := p.coords(d).Offset(coord.CodePoint, b.Start)
	end, err2 := p.coords(d).Offset(coord.CodePoint, b.End)
	if err1 != nil || err2 != nil {
		panic("BUG: a place inside a character")
	}
	return start, end
}

// asked is a question that is proved so far, and where its spans are claimed.
type asked struct {
	*golden.Question
	at     place
	claims map[string]place // by span name
}

func (out *Imported) questions(f *foreign, p *prover) {
	out.Questions.Read = f.questions
	var all []asked
	set := &golden.Set{Unit: coord.CodePoint}
	first := map[string]place{} // by qid
	for _, q := range f.Questions {
		if at, twice := first[q.QID]; twice {
			out.add(q.At, finding.Finding{Code: CodeTwice, QID: q.QID, Message: "a question id that stands twice", Expected: "an id of its own for every question",
				Found: fmt.Sprintf("%q", q.QID), Hint: fmt.Sprintf("first at %s:%d:%d", at.File, at.Line, at.Column)})
			continue
		}
		first[q.QID] = q.At
		a, ok := out.evidence(q, p)
		if ok {
			a.Method = "kerf import --from " + f.kind
			all = append(all, a)
			set.Questions = append(set.Questions, a.Question)
		}
	}
	if len(all) > 0 {
		out.Golden = out.anchor(set.Encode(), all, p)
	}
	out.Questions.Refused = out.Questions.Read - out.Questions.Imported
}

// evidence proves the claims of a question; false if no alternative is whole.
func (out *Imported) evidence(q question, p *prover) (asked, bool) {
	a := asked{Question: &q.Question, at: q.At, claims: map[string]place{}}
	var places []place // of Spans
	for _, set := range q.Sets {
		var support []*golden.Span
		whole := true
		for _, c := range set {
			out.Labels.Read++
			s, problem := p.proved(c)
			if problem != nil {
				problem.QID = q.QID
				if problem.Hint != "" && c.Note != "" {
					problem.Hint += "; " + c.Note
				}
				out.add(c.At, *problem)
				out.Labels.Refused++
				whole = false
				continue
			}
			if !s.Draft {
				out.Labels.Proved++
			} else {
				out.Labels.Drafts++
			}
			support = append(support, s)
			places = append(places, c.At)
		}
		if !whole || len(set) == 0 {
			places = places[:len(places)-len(support)]
			for _, s := range support {
				if s.Draft { // never looked for
					out.Labels.Drafts--
					out.Labels.Refused++
				}
			}
			continue
		}
		a.Spans = append(a.Spans, support...)
		a.Support = append(a.Support, support)
	}
	if len(a.Support) == 0 && !q.Unanswerable {
		if !slices.ContainsFunc(q.Sets, func(set []claim) bool { return len(set) > 0 }) {
			out.add(q.At, finding.Finding{Code: CodeNothing, QID: q.QID, Message: "a question without evidence", Expected: "at least one passage"})
		}
		return a, false
	}
	a.tidy(places)
	return a, true
}

// tidy makes one span of equal ones and one set of equal sets, and names the spans.
func (a *asked) tidy(places []place) {
	key := func(s *golden.Span) string {
		return fmt.Sprintf("%q %t %d %d %q %q %q", s.Doc, s.Draft, s.Start, s.End, s.Quote, s.Prefix, s.Suffix)
	}
	first := map[string]*golden.Span{}
	var spans []*golden.Span
	var kept []place
	for i, s := range a.Spans {
		if first[key(s)] == nil {
			first[key(s)] = s
			spans, kept = append(spans, s), append(kept, places[i])
		}
	}
	for i, s := range spans {
		if s.Name = "evidence"; len(spans) > 1 {
			s.Name = fmt.Sprintf("evidence-%d", i+1)
		}
		a.claims[s.Name] = kept[i]
	}
	var sets [][]*golden.Span
	have := map[string]bool{}
	for _, set := range a.Support {
		var one []*golden.Span
		for _, s := range set {
			if s = first[key(s)]; !slices.Contains(one, s) {
				one = append(one, s)
			}
		}
		slices.SortFunc(one, func(s, t *golden.Span) int { return slices.Index(spans, s) - slices.Index(spans, t) })
		names := ""
		for _, s := range one {
			names += s.Name + " "
		}
		if !have[names] {
			have[names] = true
			sets = append(sets, one)
		}
	}
	a.Spans, a.Support = spans, sets
}

// anchor reads the file as every later command will, places the drafts that have
// exactly one place, and leaves out the questions with an error.
func (out *Imported) anchor(content []byte, all []asked, p *prover) []byte {
	set, found := golden.Read("", content, p.corpus)
	done := golden.Anchor(set, p.corpus, nil)
	out.Labels.Proved += len(done.Placed)
	out.Labels.Drafts -= len(done.Placed)
	lines := map[int]*golden.Question{}
	for _, q := range set.Questions {
		lines[q.At.Line().Number] = q
	}
	bad := map[int]bool{} // line numbers
	for _, f := range slices.Concat(found, done.Open) {
		if f.Line < 2 {
			panic("BUG: " + f.String())
		}
		a := all[f.Line-2]
		at := a.at
		f.QID = a.QID
		if q := lines[f.Line]; q != nil {
			for _, s := range q.Spans {
				if s.At.Finding(finding.Finding{}).Column == f.Column {
					at = a.claims[s.Name]
				}
			}
		}
		if f.Paste = ""; f.Code == golden.CodeAmbiguous {
			f.Severity = finding.Warning
		} else if f.Severity == finding.Error {
			bad[f.Line] = true
			if slices.ContainsFunc(done.Open, func(o finding.Finding) bool { return o.Line == f.Line && o.Column == f.Column }) {
				out.Labels.Drafts--
				out.Labels.Refused++
			}
		}
		out.add(at, f)
	}
	var b bytes.Buffer
	for i, row := range bytes.SplitAfter(set.Encode(), []byte("\n")) {
		if !bad[i+1] {
			b.Write(row)
		}
	}
	out.Questions.Imported = len(all) - len(bad)
	if out.Questions.Imported == 0 {
		return nil
	}
	return b.Bytes()
}
