package chunks

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
	"kerf/internal/text/span"
)

const units = "byte, codepoint, utf16 or token:NAME"

// doc is the document of a row.
func (r *reader) doc(w *row) *corpus.Document { return r.corpus.Documents[w.Doc] }

func (r *reader) coords(doc int32) *coord.Map {
	if r.maps[doc] == nil {
		r.maps[doc] = coord.New(r.corpus.Documents[doc].Text)
	}
	return r.maps[doc]
}

// unit settles the unit of the offsets, and says which would fit where the
// header does not. first is the first line of the file.
func (r *reader) unit(first *jsonl.Line) {
	if first == nil {
		return
	}
	f := finding.Finding{Code: CodeUnit, Message: "the unit of the offsets is not declared", Expected: units, Found: "no unit"}
	at := 0
	if r.header == nil {
		f.Code, f.Message, f.Expected, f.Found = CodeHeader, "the header line is missing", `{"kerf":"chunks/1","unit":"codepoint"} as the first line`, jsonl.Quote(first.Raw)
	} else if v := r.header.Value.Get("unit"); v != nil {
		u, err := coord.ParseUnit(v.Text)
		if v.Kind == jsonl.String && err == nil {
			r.table.Unit = u
			return
		}
		at, f.Message, f.Found = v.At, "a unit that kerf does not know", jsonl.Quote(source(v))
	}
	fit := r.fit()
	switch {
	case len(r.rows) == 0:
		f.Hint, fit = "no line is a chunk: one JSON object a line, below the header", []string{string(coord.CodePoint)}
	case !slices.ContainsFunc(r.rows, func(w *row) bool { return w.given }):
		f.Hint, fit = "no chunk has offsets; any unit will do", []string{string(coord.CodePoint)}
	case fit == nil:
		f.Hint, fit = "no unit fits every chunk of the file", []string{string(coord.CodePoint)}
	default:
		f.Hint = "every chunk would match under unit " + strings.Join(fit, ", and under ")
	}
	if f.Paste = fmt.Sprintf(`"unit":%q`, fit[0]); r.header == nil {
		f.Paste = fmt.Sprintf(`{"kerf":"chunks/1","unit":%q}`, fit[0])
	}
	r.keep(first.Finding(at, f))
}

// fit is the units under which every chunk with offsets and a text matches, nil
// if there is no such chunk. Units of tokens are tried where no other fits.
func (r *reader) fit() []string {
	for _, group := range [][]coord.Unit{{coord.CodePoint, coord.Byte, coord.UTF16}, {"token:words", "token:cl100k_base", "token:o200k_base"}} {
		var fit []string
		for _, u := range group {
			n := 0
			if !slices.ContainsFunc(r.rows, func(w *row) bool {
				if !w.given || !w.hasText {
					return false
				}
				n++
				b, err := r.under(u, w)
				return err != nil || r.doc(w).Text[b.Start:b.End] != w.text
			}) && n > 0 {
				fit = append(fit, string(u))
			}
		}
		if fit != nil {
			return fit
		}
	}
	return nil
}

// under is the bytes of a row's interval, were the file's unit u.
func (r *reader) under(u coord.Unit, w *row) (span.Span, error) {
	start, err := r.coords(w.Doc).Byte(u, w.start)
	if err != nil {
		return span.Span{}, err
	}
	end, err := r.coords(w.Doc).Byte(u, w.end)
	return span.Span{Start: start, End: end}, err
}

// verify proves the offsets that are given.
func (r *reader) verify() {
	if r.table.Unit == "" {
		return
	}
	hint, asked := "", false
	for _, w := range r.rows {
		if !w.given {
			continue
		}
		b, f := r.prove(w)
		if f == nil {
			w.Span, w.placed = b, true
			if !w.bad {
				r.table.Verified++
			}
			continue
		}
		if !asked {
			asked = true
			if fit := r.fit(); fit != nil {
				hint = "unit " + strings.Join(fit, " or ") + " would match every chunk"
			}
		}
		f.Hint = hint
		at := w.at
		if f.Code == CodeText {
			at = w.atText
		}
		r.problem(w, at, *f)
	}
}

// prove is the bytes of a row's interval, or what is wrong with it.
func (r *reader) prove(w *row) (span.Span, *finding.Finding) {
	d, u := r.doc(w), r.table.Unit
	b, err := r.under(u, w)
	name := fmt.Sprintf("chunk %s %s", jsonl.Quote(w.ID), w.shown())
	if err != nil || b.Empty() {
		length, e := r.coords(w.Doc).Offset(u, len(d.Text))
		if e != nil {
			panic("BUG: the end of a text is no place: " + e.Error())
		}
		f := &finding.Finding{Code: CodeRange, Message: fmt.Sprintf("%s is outside of %s, whose length is %d", name, jsonl.Quote(d.Doc), length),
			Expected: fmt.Sprintf("0 <= start < end <= %d (unit %s)", length, u), Found: w.shown()}
		if w.start >= 0 && w.end <= length {
			f.Code, f.Expected = CodeInside, "offsets between characters"
			f.Message = fmt.Sprintf("%s of %s begins or ends inside a character", name, jsonl.Quote(d.Doc))
			if err != nil {
				f.Message += ": " + err.Error()
			}
		}
		return span.Span{}, f
	}
	slice := d.Text[b.Start:b.End]
	if !w.hasText || slice == w.text {
		return b, nil
	}
	same := b.Start + common(slice, w.text)
	difference := fmt.Sprintf("at source offset %d", same)
	if n, err := r.coords(w.Doc).Offset(u, same); err == nil {
		difference = fmt.Sprintf("at source offset %d", n)
	} else {
		difference += " (byte)"
	}
	return span.Span{}, &finding.Finding{Code: CodeText, Message: fmt.Sprintf("%s of %s does not have its text: first difference %s", name, jsonl.Quote(d.Doc), difference),
		Expected: around(w.text, same-b.Start), Found: around(slice, same-b.Start)}
}

// common is the length of the longest common beginning, in whole characters.
func common(a, b string) int {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	for n > 0 && n < len(a) && !utf8.RuneStart(a[n]) {
		n--
	}
	return n
}

// around is a text for a message: whole if it is short, else the part from
// shortly before a byte on.
func around(s string, at int) string {
	from := max(0, at-20)
	for from > 0 && !utf8.RuneStart(s[from]) {
		from--
	}
	if len(s) <= 60 {
		from = 0
	}
	if from > 0 {
		return "… " + jsonl.Quote(s[from:])
	}
	return jsonl.Quote(s)
}
