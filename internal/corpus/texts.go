package corpus

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

// Texts is the first member of a file of texts that another program has read
// from the sources, and the extraction of a corpus that is made of one.
const Texts = "texts/1"

// MaxTexts is the largest texts/1 file, in bytes.
const MaxTexts = 1 << 30

const (
	textsExample = `{"kerf":"texts/1"}`
	separator    = "\n" // of pages, where the header names none
)

var (
	textsKeys = []string{"kerf", "separator"}
	textKeys  = []string{"doc", "text", "page", "source", "access"}
)

// texts is a texts/1 file: what its lines say, and where the texts stand in it. It
// holds no text but the one that was asked for last.
type texts struct {
	file    string
	docs    map[string]*given
	unread  bool   // some line belongs to nobody knows which document
	between string // two pages of a document

	open   fs.File
	lines  io.ReaderAt // of open
	raw    []byte      // of the lines that are read again
	joined []byte      // a text
}

// given is one document of a texts/1 file: what its lines say, joined.
type given struct {
	doc        string
	version    string    // of its text
	digest     hash.Hash // of its text so far
	bytes      int       // of its text; where they are more than MaxText, not all
	pages      []Page
	access     Access // in bytes of the text
	stated     bool   // some line states an access
	at, textAt place  // of the first line, and of what is under "text" there
	lines      []givenLine
	bad        bool // a line of it is wrong
}

// givenLine is one line, which is one page where the document has several.
type givenLine struct {
	place
	page     string
	at       int64 // where in the file its text stands, in quotes
	in, size int   // bytes of it there, and of the text
	access   *Access
}

// place is where in the file a value stands.
type place struct{ line, column int }

func placeOf(v *jsonl.Value) place {
	f := v.Finding(finding.Finding{})
	return place{f.Line, f.Column}
}

func (t *texts) finding(at place, f finding.Finding) finding.Finding {
	f.File, f.Line, f.Column = t.file, at.line, at.column
	f.Severity = cmp.Or(f.Severity, finding.Error)
	return f
}

// texts takes a texts/1 file apart, line by line. Whoever gets it closes it.
func (c *checker) texts(fsys fs.FS, file string) (*texts, error) {
	t, err := openTexts(fsys, file)
	if err != nil {
		return nil, err
	}
	lines, header := &checker{}, false
	var unread finding.List
	in := io.NewSectionReader(t.lines, 0, MaxTexts+1)
	found, err := jsonl.ParseStream(file, in, func(at int64, l *jsonl.Line, bad finding.List) {
		unread = append(unread, bad...)
		switch {
		case l.Value == nil:
			return
		case !header:
			header = true
			var is bool
			if t.between, is = lines.textsHeader(l.Value); is {
				return
			}
		}
		lines.textLine(t, at, l.Value)
	})
	if err != nil {
		t.close()
		return nil, err
	}
	if end, err := in.Seek(0, io.SeekCurrent); err != nil || end > MaxTexts {
		c.found = append(c.found, finding.Finding{Code: CodeText, Severity: finding.Error, File: file,
			Message: fmt.Sprintf("larger than %d bytes, the limit of one file of texts", MaxTexts), Hint: "freeze it in parts, each with a manifest of its own"})
		t.docs, t.unread = nil, true
		return t, nil
	}
	found = append(found, unread...)
	if found.Errors() > 0 {
		t.unread = true
	} else if !header {
		t.unread = true
		found = append(found, finding.Finding{Code: CodeTexts, Severity: finding.Error, File: file, Line: 1, Message: "no line in it", Expected: textsExample})
	}
	c.found = slices.Concat(c.found, found, lines.found)
	for _, doc := range slices.Sorted(maps.Keys(t.docs)) {
		if g := t.docs[doc]; !g.bad {
			g.bad = !c.join(t, g)
		}
	}
	return t, nil
}

// textsHeader is what stands between two pages; ok is false where the line is no
// header, but a document.
func (c *checker) textsHeader(v *jsonl.Value) (join string, ok bool) {
	kind := v.Get("kerf")
	if kind == nil || kind.Text != Texts {
		f := finding.Finding{Code: CodeTexts, Message: "the first line is not the header of a texts/1 file",
			Expected: textsExample, Found: jsonl.Quote(v.Line().Raw), Paste: textsExample}
		if kind != nil {
			f.Hint = fmt.Sprintf("this is a file of kind %q", kind.Text)
		}
		c.add(v, f)
		return separator, kind != nil
	}
	c.unknown(v, "", textsKeys, false)
	s := v.Get("separator")
	switch {
	case s == nil:
		return separator, true
	case s.Kind != jsonl.String:
		c.wrong(v, "separator", "a text, which may be empty")
	}
	return s.Text, true
}

// textLine adds one line, which begins at a byte of the file, to its document.
func (c *checker) textLine(t *texts, at int64, v *jsonl.Value) {
	if v.Kind != jsonl.Object {
		c.add(v, finding.Finding{Code: CodeField, Message: "a line that is no object", Expected: "an object", Found: string(v.Kind)})
		t.unread = true
		return
	}
	own := &checker{}
	own.unknown(v, "", textKeys, false)
	if s := v.Get("source"); s != nil && s.Kind != jsonl.String {
		own.wrong(v, "source", "a text")
	}
	e := &entry{at: v, Version: Version{Doc: own.text(v, "doc", true)}}
	l := givenLine{place: placeOf(v)}
	m := v.Get("text")
	if m == nil || m.Kind != jsonl.String {
		own.wrong(v, "text", "a text, which may be empty")
	} else if p := checkString(m.Text); p != nil {
		own.add(m, finding.Finding{Code: CodeText, Message: fmt.Sprintf("the text of %q: %s", e.Doc, p.Reason), Expected: "UTF-8 text without NUL", Found: p.Bytes,
			Hint: "let the program that wrote it leave that out; kerf does not rewrite texts"})
	} else {
		l.at, l.in, l.size = at+int64(m.At), m.End-m.At, len(m.Text)
		if own.access(e); own.found.Errors() == 0 && v.Get("access") != nil {
			l.access = &Access{e.Access.Read, own.resolve(e, m.Text)}
		}
	}
	if p := v.Get("page"); p != nil {
		n, number := p.Int()
		switch {
		case number:
			l.page = strconv.Itoa(n)
		case p.Kind == jsonl.String && strings.TrimSpace(p.Text) != "":
			l.page = p.Text
		default:
			own.wrong(v, "page", `a text or a whole number: "iv", 4`)
		}
	}
	c.found = append(c.found, own.found...)
	if e.Doc == "" {
		t.unread = true
		return
	}
	g := t.docs[e.Doc]
	if g == nil {
		g = &given{doc: e.Doc, digest: sha256.New(), at: l.place}
		if m != nil {
			g.textAt = placeOf(m)
		}
		t.docs[e.Doc] = g
	}
	g.stated = g.stated || v.Get("access") != nil
	if g.bad = g.bad || own.found.Errors() > 0; !g.bad {
		t.extend(g, m.Text)
	}
	g.lines = append(g.lines, l)
}

// json is an access as a manifest has it, "" for none.
func (a Access) json() string {
	list := func(names []string) string {
		quoted := make([]string, len(names))
		for i, n := range names {
			quoted[i] = quote(n)
		}
		return `"read":[` + strings.Join(quoted, ",") + "]"
	}
	var parts []string
	if a.Read != nil {
		parts = append(parts, list(a.Read))
	}
	if len(a.Spans) > 0 {
		spans := make([]string, len(a.Spans))
		for i, r := range a.Spans {
			spans[i] = fmt.Sprintf(`{"start":%d,"end":%d,"unit":"byte",%s}`, r.Start, r.End, list(r.Read))
		}
		parts = append(parts, `"spans":[`+strings.Join(spans, ",")+"]")
	}
	return "{" + strings.Join(parts, ",") + "}"
}
