package baseline

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/study/plan"
)

// Most is the largest file that is read, in bytes.
const Most = 64 << 20

// Read reads a baseline. Every problem of its values is found in one pass; with any,
// there is no baseline. Text that is no JSON is one finding, and nothing else is read.
func Read(file string, content []byte) (*Baseline, finding.List) {
	if len(content) <= Most {
		if b, ok := quick(file, content); ok {
			return b, nil
		}
	}
	return plain(file, content)
}

// plain is Read of any file, value by value.
func plain(file string, content []byte) (*Baseline, finding.List) {
	r := &reader{file: file}
	b := r.read(content)
	if r.more > 0 {
		r.found = append(r.found, finding.Finding{Code: CodeMore, Severity: finding.Error, File: file, Message: fmt.Sprintf("%d more findings are not listed", r.more)})
	}
	if r.found.Errors() > 0 {
		return nil, r.found
	}
	return b, r.found
}

func (r *reader) read(content []byte) *Baseline {
	if len(content) > Most {
		r.found = finding.List{{Code: CodeLarge, Severity: finding.Error, File: r.file, Message: "the file is too large", Expected: fmt.Sprintf("at most %d bytes", Most), Found: fmt.Sprint(len(content))}}
		return nil
	}
	if rest, marked := bytes.CutPrefix(content, []byte("\uFEFF")); marked {
		content = rest
		r.found = finding.List{{Code: jsonl.CodeBOM, Severity: finding.Warning, File: r.file, Line: 1, Column: 1,
			Message: "the file begins with a byte order mark; it is skipped", Hint: "save the file as UTF-8 without a mark"}}
	}
	r.lay(content)
	whole, found := jsonl.Parse(r.file, 1, content)
	if len(found) > 0 {
		r.add(r.unread(content, found[0]))
		return nil
	}
	b := &Baseline{}
	if r.kind(whole.Value) {
		r.baseline(whole.Value, b)
	}
	r.found.Sort()
	return b
}

// unread is what hinders reading, placed in the file's lines, with the key at which it
// stands.
func (r *reader) unread(content []byte, f finding.Finding) finding.Finding {
	if f.Code == jsonl.CodeUTF8 {
		f.Found = jsonl.Quote(f.Found[:strings.Index(f.Found+" ", " ")]) // the place in it is one of the whole file
	}
	at := 0
	for range f.Column - 1 {
		_, size := utf8.DecodeRune(content[at:])
		at += size
	}
	f.Line, f.Column = r.place(at)
	dec := jsontext.NewDecoder(bytes.NewBuffer(content))
	var err error
	for err == nil {
		_, err = dec.ReadToken()
	}
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) && f.Code == jsonl.CodeSyntax && syntax.JSONPointer != "" {
		f.Message = strings.Join(slices.Collect(syntax.JSONPointer.Tokens()), ".") + ": " + f.Message
	}
	rest := string(content[min(at, len(content)):])
	switch {
	case at >= len(content):
		f.Hint = "the file is not whole: take it from the repository again"
	case notNumber.MatchString(rest):
		f.Hint = "that is not a number: a measure without a value is never accepted"
	case conflict.MatchString(rest):
		f.Hint = "a merge left both sides in the file: keep one of them, then kerf gate --accept"
	}
	return f
}

var (
	notNumber = regexp.MustCompile(`^[-+]?(?i:nan|inf)`)
	conflict  = regexp.MustCompile(`^(<{7}|={7}|>{7})`)
)

// kind reads the kind of the file; without it nothing else is read.
func (r *reader) kind(v *jsonl.Value) bool {
	var kind string
	m := v.Get("kerf")
	if m != nil && m.Kind == jsonl.String {
		kind = m.Text
	}
	if kind == Kind {
		return true
	}
	f := finding.Finding{Code: CodeKind, Message: "this is no baseline that kerf reads", Expected: Kind, Found: jsonl.Quote(kind), Hint: jsonl.Taker(kind)}
	if m == nil {
		m, f.Found = v, "no kind"
	}
	if strings.HasPrefix(kind, "baseline/") {
		f.Hint = "a newer kerf wrote it: use that one, or kerf gate --accept --reason"
	}
	if f.Hint == "" {
		f.Hint = "kerf gate --accept writes one"
	}
	r.problem(m, f)
	return false
}

// baseline reads the members in an order in which each knows what it depends on.
func (r *reader) baseline(v *jsonl.Value, b *Baseline) {
	sets, used := map[string]*Set{}, map[*Set]bool{}
	r.fields(v, "",
		field{"kerf", func(*jsonl.Value, string) {}},
		field{"instrument", func(v *jsonl.Value, path string) { r.instrument(v, path, &b.Instrument) }},
		field{"rankings", func(v *jsonl.Value, path string) {
			for _, m := range r.members(v, path) {
				sets[m.Name] = r.set(m.Value, join(path, m.Name), &b.Instrument)
			}
		}},
		field{"measures", func(v *jsonl.Value, path string) {
			each := make([]field, len(Names))
			for i, name := range Names {
				each[i] = field{name, func(v *jsonl.Value, path string) {
					m := r.measure(v, path, sets)
					m.Name, used[m.Set] = name, true
					b.Measures = append(b.Measures, m)
				}}
			}
			r.fields(v, path, each...)
		}},
		field{"accepted", func(v *jsonl.Value, path string) {
			for i, e := range r.elements(v, path) {
				var o Override
				r.fields(e, fmt.Sprintf("%s[%d]", path, i), field{"measure", r.choice(&o.Measure, Names)},
					field{"from", r.value(&o.From, math.MaxInt)}, field{"to", r.value(&o.To, math.MaxInt)}, field{"reason", r.text(&o.Reason)})
				b.Accepted = append(b.Accepted, o)
			}
		}})
	if len(b.Measures) < len(Names) || used[nil] {
		return // which rankings are meant is not known
	}
	for _, m := range v.Get("rankings").Members {
		if !used[sets[m.Name]] {
			r.problem(m.Value, finding.Finding{Code: CodeUnused, Message: join("rankings", m.Name) + ": no measure is held against these rankings", Expected: "rankings that a measure names", Found: jsonl.Quote(m.Name), Hint: "delete them"})
		}
	}
}

// measure reads a measure but for its name; its set is nil where there is none.
func (r *reader) measure(v *jsonl.Value, path string, sets map[string]*Set) (m Measure) {
	var of string
	most := math.MaxInt
	r.fields(v, path,
		field{"rankings", func(v *jsonl.Value, path string) {
			r.text(&of)(v, path)
			if m.Set = sets[of]; m.Set != nil {
				most = len(m.Set.Questions)
			} else if of != "" {
				r.problem(v, finding.Finding{Code: CodeNoName, Message: path + ": there are no rankings of this name", Expected: "a name under rankings", Found: jsonl.Quote(of)})
			}
		}},
		field{"value", func(v *jsonl.Value, path string) { r.value(&m.Value, most)(v, path) }})
	return m
}

func (r *reader) instrument(v *jsonl.Value, path string, i *Instrument) {
	r.fields(v, path,
		field{"reader", func(v *jsonl.Value, path string) {
			for n, e := range r.elements(v, path) {
				var name string
				r.text(&name)(e, fmt.Sprintf("%s[%d]", path, n))
				i.Reader = append(i.Reader, name)
			}
			i.Reader = once(i.Reader)
		}},
		field{"access", r.text(&i.Access)},
		field{"budget", func(v *jsonl.Value, path string) {
			r.fields(v, path, field{"tokens", r.integer(&i.Tokens, 0)}, field{"tokenizer", r.text(&i.Tokenizer)}, field{"overflow", r.text(&i.Overflow)}, field{"format", r.text(&i.Format)})
		}},
		field{"k", func(v *jsonl.Value, path string) {
			for n, e := range r.elements(v, path) {
				var k int
				r.integer(&k, 1)(e, fmt.Sprintf("%s[%d]", path, n))
				i.K = append(i.K, k)
			}
		}},
		field{"at_k", r.integer(&i.AtK, 1)},
		field{"depth", r.integer(&i.Depth, 1)},
		field{"ignorable", r.text(&i.Ignorable)})
}

func (r *reader) arm(v *jsonl.Value, path string, a *plan.Arm) {
	num, den := 0, 0
	r.fields(v, path,
		field{"name", r.text(&a.Name)},
		field{"split", func(v *jsonl.Value, path string) {
			s := &a.Split
			r.fields(v, path, field{"by", r.words(&s.By)}, field{"file?", r.text(&s.File)}, field{"tokenizer", r.words(&s.Tokenizer)}, field{"size", r.integer(&s.Size, 0)}, field{"overlap", r.integer(&s.Overlap, 0)},
				field{"share?", func(v *jsonl.Value, path string) {
					r.fields(v, path, field{"num", r.integer(&num, 0)}, field{"den", r.integer(&den, 1)})
				}},
				field{"edge", r.words(&s.Edge)})
			s.Share = plan.Fraction{Num: int64(num), Den: int64(den)}
		}},
		field{"retrieve", func(v *jsonl.Value, path string) {
			t := &a.Retrieve
			r.fields(v, path, field{"by", r.words(&t.By)}, field{"run?", r.text(&t.Run)}, field{"url?", r.text(&t.URL)}, field{"url_env?", r.text(&t.URLEnv)}, field{"key_env?", r.text(&t.KeyEnv)})
		}},
		field{"rankings?", r.text(&a.Rankings)}, field{"chunks?", r.text(&a.Chunks)},
		field{"phases?", func(v *jsonl.Value, path string) {
			r.fields(v, path, field{"grid?", r.integer(&a.Moving.Grid, 1)}, field{"scope?", r.text(&a.Moving.Scope)})
		}})
}

// set reads the rankings of an arm.
func (r *reader) set(v *jsonl.Value, path string, i *Instrument) *Set {
	s := &Set{Documents: map[string]string{}}
	known := false // the arm
	var named map[string]bool
	r.fields(v, path,
		field{"version", r.text(&s.Version)}, field{"corpus", r.digest(&s.Corpus)}, field{"golden", r.digest(&s.Golden)},
		field{"arm", func(v *jsonl.Value, path string) {
			before := r.problems()
			r.arm(v, path, &s.Arm)
			known = r.problems() == before
		}},
		field{"placements", func(at *jsonl.Value, path string) {
			var n int
			if r.integer(&n, 1)(at, path); n == 0 || !known {
				return
			}
			a := s.Arm
			a.Moving.Grid = n // whatever the experiment had
			var labels []string
			err := errors.New("the set has not so many lists")
			if n <= v.End-v.At { // a list has bytes: this bounds the labels of a hostile file
				labels, err = Labels(a, plan.Phases{})
			}
			if err == nil && len(labels) != n {
				err = errors.New("the cuts of this arm do not move")
			}
			if err != nil {
				r.problem(at, finding.Finding{Code: CodePlacement, Message: path + ": " + err.Error(), Expected: "as many placements as the arm has", Found: r.written(at)})
				return
			}
			s.Labels = labels
		}},
		field{"documents", func(v *jsonl.Value, path string) {
			for _, m := range r.members(v, path) {
				var version string
				r.digest(&version)(m.Value, join(path, m.Name))
				s.Documents[m.Name] = version
			}
		}},
		field{"questions", func(v *jsonl.Value, path string) {
			if r.scanned != nil {
				named = r.take(v, path, s, i)
				return
			}
			named = map[string]bool{}
			for _, m := range r.members(v, path) {
				r.qid = m.Name
				q := r.question(m, join(path, m.Name), s, i)
				s.Questions = append(s.Questions, q)
				for _, l := range q.Lists {
					for _, h := range l.Hits {
						named[h.Doc] = true
					}
				}
				r.qid = ""
			}
			if len(v.Members) == 0 && v.Kind == jsonl.Object {
				r.problem(v, finding.Finding{Code: CodeMissing, Message: path + ": no question", Expected: "the questions that were asked", Found: "none"})
			}
			slices.SortFunc(s.Questions, func(a, b Question) int { return strings.Compare(a.QID, b.QID) })
		}})
	if documents := v.Get("documents"); documents != nil && len(s.Labels) > 0 {
		for _, m := range documents.Members {
			if !named[m.Name] {
				r.problem(m.Value, finding.Finding{Code: CodeUnused, Message: join(path+".documents", m.Name) + ": no hit is of this document", Expected: "documents that hits name", Found: jsonl.Quote(m.Name), Hint: "delete it"})
			}
		}
	}
	return s
}

// question reads what was found for a question. Without the set's labels, which then
// have a finding, its lists are read for their own problems alone.
func (r *reader) question(m jsonl.Member, path string, s *Set, i *Instrument) Question {
	q := Question{QID: m.Name, Lists: make([]List, len(s.Labels))}
	if strings.TrimSpace(m.Name) != m.Name || m.Name == "" {
		r.problem(m.Value, finding.Finding{Code: CodeMissing, Message: path + ": this is no qid", Expected: "a qid without blanks at its ends", Found: jsonl.Quote(m.Name)})
	}
	missing := slices.Clone(s.Labels)
	for _, e := range r.members(m.Value, path) {
		path := join(path, e.Name)
		at := slices.Index(s.Labels, e.Name)
		l := r.list(e.Value, path, s)
		switch {
		case len(s.Labels) == 0:
			continue
		case at < 0:
			r.problem(e.Value, finding.Finding{Code: CodePlacement, Message: path + ": the arm has no such placement", Expected: ends(s.Labels), Found: jsonl.Quote(e.Name)})
			continue
		case l.More && at == len(s.Labels)-1:
			r.problem(e.Value, finding.Finding{Code: CodePlacement, Message: path + ": not every hit is here", Expected: "all hits at the ordinary placement: " + MRR + " reads them", Found: quoted(more)})
		case i.Depth > 0 && len(l.Hits) > i.Depth:
			r.problem(e.Value, finding.Finding{Code: CodeValue, Message: path + ": more hits than the depth", Expected: fmt.Sprintf("at most %d", i.Depth), Found: fmt.Sprint(len(l.Hits))})
		}
		q.Lists[at] = l
		missing = slices.DeleteFunc(missing, func(label string) bool { return label == e.Name })
	}
	if len(missing) > 0 && m.Value.Kind == jsonl.Object {
		r.problem(m.Value, finding.Finding{Code: CodePlacement, Message: fmt.Sprintf("%s: placements without a list: %d", path, len(missing)), Expected: "a list for each of " + ends(s.Labels), Found: "none for " + missing[0]})
	}
	return q
}

// ends names labels by the first and the last.
func ends(labels []string) string {
	if len(labels) == 1 {
		return labels[0]
	}
	return labels[0] + " to " + labels[len(labels)-1]
}

// list reads the hits of a search.
func (r *reader) list(v *jsonl.Value, path string, s *Set) List {
	l := List{Hits: []Hit{}}
	ranks := map[Hit]int{}
	elems := r.elements(v, path)
	for i, e := range elems {
		if i == len(elems)-1 && e.Kind == jsonl.String && e.Text == more {
			l.More = true
			break
		}
		h, ok := r.hit(e, fmt.Sprintf("%s[%d]", path, i), s)
		if !ok {
			continue
		}
		place := Hit{Doc: h.Doc, Span: h.Span}
		if first, twice := ranks[place]; twice {
			r.problem(e, finding.Finding{Code: CodeTwice, Message: fmt.Sprintf("%s: %s %s at ranks %d and %d", path, h.Doc, h.Span, first, i+1), Expected: "each piece of text once", Found: h.Span.String()})
		}
		ranks[place] = i + 1
		l.Hits = append(l.Hits, h)
	}
	return l
}

// hit reads [doc, start, end] or [doc, start, end, prefix].
func (r *reader) hit(v *jsonl.Value, path string, s *Set) (h Hit, ok bool) {
	e := v.Elems
	if v.Kind != jsonl.Array || len(e) < 3 || len(e) > 4 {
		r.problem(v, finding.Finding{Code: CodeType, Message: path + ": this is no hit", Expected: `["DOC", START, END], or ["DOC", START, END, "PREFIX"]`, Found: jsonl.Quote(v.Line().Raw[v.At:v.End])})
		return h, false
	}
	before := r.problems()
	r.text(&h.Doc)(e[0], path+".doc")
	r.integer(&h.Start, 0)(e[1], path+".start")
	r.integer(&h.End, 0)(e[2], path+".end")
	if len(e) == 4 {
		r.text(&h.Prefix)(e[3], path+".prefix")
	}
	if r.problems() > before {
		return h, false
	}
	if _, known := s.Documents[h.Doc]; !known {
		r.problem(e[0], finding.Finding{Code: CodeNoName, Message: path + ": a document without a version", Expected: "a document of the set's documents", Found: jsonl.Quote(h.Doc)})
	}
	if h.End <= h.Start {
		r.problem(e[1], finding.Finding{Code: CodeInterval, Message: path + ": the interval is empty or reversed", Expected: "0 <= start < end", Found: h.Span.String()})
	}
	return h, true
}
