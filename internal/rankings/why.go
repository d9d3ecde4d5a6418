package rankings

import (
	"bytes"
	"fmt"
	"strings"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/coord"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

func (r *reader) unknownDoc(m *mention, name string) {
	if r.full(CodeDoc) { // the likely name is sought among all
		return
	}
	f := finding.Finding{Code: CodeDoc, Message: fmt.Sprintf("%s: document %s is not in the corpus", r.qid, name), Expected: "a document of the corpus", Found: jsonl.Quote(name)}
	ids := make([]string, len(r.corpus.Documents))
	for i, d := range r.corpus.Documents {
		ids[i] = d.Doc
	}
	f.Hint = finding.DidYouMean(name, ids)
	for _, id := range ids { // the longest id that ends it
		if rest, ok := strings.CutSuffix(name, "/"+id); ok {
			f.Hint, f.Paste = "the header can strip what stands before the names", fmt.Sprintf(`"doc_prefix":%q`, rest+"/")
		}
	}
	r.problem(m.is[docField], f)
}

// find is where the text of a hit stands, if that is one place.
func (r *reader) find(m *mention, doc int32, rank int) (b span.Span, ok bool) {
	text, d := string(m.text[textField]), r.corpus.Documents[doc]
	var places []int
	if text != "" {
		places = quote.Find(d.Text, text)
	}
	if len(places) == 1 {
		return span.Span{Start: places[0], End: places[0] + len(text)}, true
	}
	if r.full(CodeNoPlace) {
		return b, false
	}
	f := finding.Finding{Code: CodeNoPlace, Message: fmt.Sprintf("%s: the text at rank %d stands nowhere in %s", r.qid, rank, d.Doc), Expected: "a text of the document, exactly", Found: jsonl.Quote(text)}
	if len(places) > 1 {
		const most = 5
		var at []string
		for _, p := range places[:min(most, len(places))] {
			at = append(at, r.show(doc, span.Span{Start: p, End: p + len(text)}))
		}
		if len(places) > most {
			at = append(at, fmt.Sprintf("and %d more", len(places)-most))
		}
		f.Message = fmt.Sprintf("%s: the text at rank %d stands in %d places of %s: %s", r.qid, rank, len(places), d.Doc, strings.Join(at, ", "))
		f.Expected, f.Hint = "a text that stands once", "give its start and end; kerf does not choose"
	}
	r.problem(m.is[textField], f)
	return b, false
}

// names are the members that a hit has.
func (m *mention) names() string {
	var names []string
	for f, name := range []string{"doc", "version", "id", "text", "prefix", "start", "end", "score"} {
		if m.has(field(f)) {
			names = append(names, name)
		}
	}
	if names == nil {
		return "no member of a hit"
	}
	return strings.Join(names, ", ")
}

// otherText says where the text of a hit first differs from the document's.
func (r *reader) otherText(m *mention, doc int32, rank int, b span.Span, interval bool) {
	if r.full(CodeText) { // the whole document is searched for it
		return
	}
	text, d := m.text[textField], r.corpus.Documents[doc]
	slice := d.Text[b.Start:b.End]
	at := 0
	for at < len(text) && at < len(slice) && text[at] == slice[at] {
		at++
	}
	for at > 0 && (at < len(text) && text[at]&0xC0 == 0x80 || at < len(slice) && slice[at]&0xC0 == 0x80) {
		at-- // to the start of the character
	}
	f := finding.Finding{Code: CodeText, Message: fmt.Sprintf("%s: the text at rank %d is not the slice %s %s: the first difference is at character %d", r.qid, rank, d.Doc, r.show(doc, b), len([]rune(slice[:at]))),
		Expected: jsonl.Quote(slice[at:]), Found: jsonl.Quote(text[at:])}
	written := proof{doc, span.Span{Start: m.start, End: m.end}, string(text)}
	places := quote.Find(d.Text, string(text))
	var fit []string
	for _, u := range plainUnits() {
		if interval && u != r.unit && r.proves(written, u) {
			fit = append(fit, string(u))
		}
	}
	switch {
	case fit != nil:
		f.Hint = "it is the slice under unit " + strings.Join(fit, ", and under ")
	case len(places) == 1:
		f.Hint = "it stands at " + r.show(doc, span.Span{Start: places[0], End: places[0] + len(text)})
	case bytes.HasSuffix(text, []byte(slice)):
		f.Hint = "words that stand before the source text go under prefix"
	}
	r.problem(m.is[textField], f)
}

// proof is a text at an interval in a unit that is not known.
type proof struct {
	doc int32
	span.Span
	text string
}

func plainUnits() []coord.Unit { return []coord.Unit{coord.CodePoint, coord.Byte, coord.UTF16} }

func (r *reader) proves(p proof, u coord.Unit) bool {
	start, err1 := r.coords(p.doc).Byte(u, p.Start)
	end, err2 := r.coords(p.doc).Byte(u, p.End)
	return err1 == nil && err2 == nil && start < end && r.corpus.Documents[p.doc].Text[start:end] == p.text
}

// fitting names the units under which every text is its slice, and the member to
// paste. Those of tokens are tried only where no other fits.
func (r *reader) fitting() (hint, paste string) {
	if len(r.texts) == 0 {
		return "no hit has both an interval and a text, which could tell the unit: declare what the retriever counts in", `"unit":"codepoint"`
	}
	for _, group := range [][]coord.Unit{plainUnits(), {"token:words", "token:cl100k_base", "token:o200k_base"}} {
		var fit []string
		for _, u := range group {
			all := true
			for i := 0; all && i < len(r.texts); i++ {
				all = r.proves(r.texts[i], u)
			}
			if all {
				fit = append(fit, string(u))
			}
		}
		if fit != nil {
			return "every text is its slice under unit " + strings.Join(fit, ", and under "), `"unit":"` + fit[0] + `"`
		}
	}
	return "no unit fits every text of the file", `"unit":"codepoint"`
}
