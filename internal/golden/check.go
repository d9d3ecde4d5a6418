package golden

import (
	"fmt"
	"slices"
	"strings"

	"kerf/internal/corpus"
	"kerf/internal/finding"
	"kerf/internal/jsonl"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// checker is one pass over a set that was read.
type checker struct {
	set    *Set
	places *places
	strict bool
	found  finding.List
	stands map[string][]place // quote -> where it stands in the corpus, by document and place
}

// Check is what Read leaves open: drafts, labels that are legal and look like
// slips, and how far people have looked at them. It takes a set from Read and
// adds nothing that Read said. With strict, version, review and adjudication
// are demanded of every question, and what was a warning about them is an error.
func Check(set *Set, c *corpus.Corpus, strict bool) finding.List {
	k := &checker{set: set, places: newPlaces(set.With(c), set.Unit), strict: strict, stands: map[string][]place{}}
	docs := k.places.corpus.Documents
	if len(docs) > 0 && !slices.ContainsFunc(docs, func(d *corpus.Document) bool { return !d.Blank() }) {
		k.found = append(k.found, finding.Finding{Code: CodeNoText, Severity: finding.Error, File: set.File, Message: "the corpus holds no text",
			Expected: "a document with words", Found: fmt.Sprintf("%s of blanks", count(len(docs), "document", "documents"))})
	}
	k.stand()
	for _, q := range set.Questions {
		if q.At == nil {
			continue
		}
		copies := k.alternatives(q)
		k.copies(q, copies)
		used := map[*Span]bool{}
		for _, s := range slices.Concat(q.Support...) {
			used[s] = true
		}
		for _, s := range q.Spans {
			k.span(q, s, used[s], copies)
		}
		k.sets(q)
		if !set.carries(q.QID) {
			k.people(q)
		}
	}
	k.counted(CodeUnadjudicated, "unadjudicated: no second person has said that each span is necessary", `"adjudication":{"state":"agreed","by":["…","…"],"reasons":{…}}`,
		func(q *Question) bool { return q.Adjudication.State == "unadjudicated" }, strict)
	k.byID()
	k.counted(CodeOrigin, "without origin", `"origin":"ticket"`, func(q *Question) bool { return q.At.Get("origin") == nil }, false)
	k.found.Sort()
	return k.found
}

func (k *checker) add(q *Question, v *jsonl.Value, f finding.Finding) {
	f.QID = q.QID
	if f.Severity == "" {
		f.Severity = finding.Warning
	}
	k.found = append(k.found, v.Finding(tidy(f)))
}

// demand is the severity of what only strict insists on.
func (k *checker) demand() finding.Severity {
	if k.strict {
		return finding.Error
	}
	return finding.Warning
}

// counted is one warning for all questions that are so, or, if each, one error
// for each of them. Fixtures have no fields for it and are left out.
func (k *checker) counted(code, what, paste string, is func(*Question) bool, each bool) {
	var all []*Question
	total := 0
	for _, q := range k.set.Questions {
		if q.At == nil || k.set.carries(q.QID) {
			continue
		}
		total++
		if is(q) {
			all = append(all, q)
		}
	}
	if each {
		for _, q := range all {
			k.add(q, q.At, finding.Finding{Code: code, Severity: finding.Error, Message: what, Paste: paste})
		}
		return
	}
	if len(all) > 0 {
		f := all[0].At.Finding(finding.Finding{Code: code, Severity: finding.Warning, Message: fmt.Sprintf("%d of %s %s", len(all), count(total, "question", "questions"), what),
			Found: "the first is " + quoted(cut(all[0].QID)), Paste: paste})
		k.found = append(k.found, f)
	}
}

// span looks at one label.
func (k *checker) span(q *Question, s *Span, used bool, copies []alternative) {
	if !used && len(q.Support) > 0 {
		k.add(q, s.At, finding.Finding{Code: CodeUnused, Message: fmt.Sprintf("span %s is in no support set: nothing depends on it", quoted(s.Name)), Expected: "its name in a set of support", Found: cut(source(supportOf(q))),
			Hint: "add it to the sets that need it; if it is merely topical, delete it"})
	}
	d := k.places.corpus.Find(s.Doc)
	if d == nil || s.Stale {
		return
	}
	if k.strict && s.Version == "" && !s.Draft {
		k.add(q, s.At, finding.Finding{Code: CodeNoVersion, Severity: finding.Error, Message: fmt.Sprintf("span %s names no version", quoted(s.Name)), Expected: d.Version.Version, Found: "none", Paste: `"version":` + quoted(d.Version.Version)})
	}
	if s.Draft {
		k.draft(q, s, d)
		return
	}
	if s.Bytes.Empty() {
		return
	}
	if strings.TrimSpace(s.Quote) == "" {
		k.add(q, s.At, finding.Finding{Code: CodeBlank, Message: fmt.Sprintf("span %s is blanks alone", quoted(s.Name)), Expected: "words", Found: quoted(cut(s.Quote)), Hint: "blanks are evidence of nothing"})
		return
	}
	k.edges(q, s, d)
	k.elsewhere(q, s, d, copies)
}

// draft says whether a draft can be completed.
func (k *checker) draft(q *Question, s *Span, d *corpus.Document) {
	if s.Quote == "" || k.set.Unit == "" {
		return
	}
	b, problem := k.places.locate(s, d, k.set)
	if problem != nil {
		problem.Severity = finding.Error
		k.add(q, s.At, *problem)
		return
	}
	k.add(q, s.At, finding.Finding{Code: CodeDraft, Severity: k.demand(), Message: fmt.Sprintf("span %s is a draft", quoted(s.Name)), Expected: "version, start and end",
		Found: "doc and quote alone", Hint: "kerf anchor -w completes it; until then no run can use it", Paste: k.places.paste(d, b)})
}

// edges looks for blanks at the edges and for words that they cut.
func (k *checker) edges(q *Question, s *Span, d *corpus.Document) {
	b := s.Bytes
	trimmed := trimmed(s)
	if trimmed != b {
		edge := "starts"
		switch {
		case trimmed.Start != b.Start && trimmed.End != b.End:
			edge = "starts and ends"
		case trimmed.End != b.End:
			edge = "ends"
		}
		k.add(q, s.At, finding.Finding{Code: CodeBlankEdge, Message: fmt.Sprintf("span %s %s with a blank", quoted(s.Name), edge), Expected: "trimmed span " + k.places.show(d, trimmed), Found: k.places.show(d, b),
			Paste: fmt.Sprintf(`%s,"quote":%s`, k.places.paste(d, trimmed), quoted(d.Text[trimmed.Start:trimmed.End]))})
	}
	whole := span.Span{Start: quote.WordStart(d.Text, trimmed.Start), End: quote.WordEnd(d.Text, trimmed.End)}
	for _, at := range []int{trimmed.Start, trimmed.End} {
		word := span.Span{Start: quote.WordStart(d.Text, at), End: quote.WordEnd(d.Text, at)}
		if !quote.CutsWord(d.Text, at) {
			continue
		}
		k.add(q, s.At, finding.Finding{Code: CodeWord, Message: fmt.Sprintf("span %s cuts the word %s %s", quoted(s.Name), cut(d.Text[word.Start:word.End]), k.places.show(d, word)),
			Expected: "whole words " + k.places.show(d, whole), Found: k.places.show(d, b), Paste: fmt.Sprintf(`%s,"quote":%s`, k.places.paste(d, whole), quoted(d.Text[whole.Start:whole.End]))})
		return
	}
}

// elsewhere looks for the quote in the other places that the question's search
// reads. Surroundings that are stored and unique settle it within a document;
// labelled places and whole copies of a set are reported otherwise or not at all.
func (k *checker) elsewhere(q *Question, s *Span, d *corpus.Document, copies []alternative) {
	var others []string
	n := 0
	for _, p := range k.stands[s.Quote] {
		switch {
		case p.doc == d && !hasContext(s, d.Text, p.b),
			q.Within != nil && !slices.Contains(q.Within, p.doc.Doc),
			slices.ContainsFunc(q.Spans, p.at),
			slices.ContainsFunc(copies, func(a alternative) bool { return a.covers(p) }):
			continue
		}
		if n++; n <= maxPlaces {
			others = append(others, p.doc.Doc+" "+k.places.show(p.doc, p.b))
		}
	}
	if n == 0 {
		return
	}
	if n > maxPlaces {
		others = append(others, fmt.Sprintf("%d more", n-maxPlaces))
	}
	k.add(q, s.At, finding.Finding{Code: CodeElsewhere, Message: fmt.Sprintf("the quote of span %s stands in %s too", quoted(s.Name), count(n, "other place", "other places")),
		Expected: "one place", Found: strings.Join(others, ", "),
		Hint: "only the labelled place counts; if another one is enough too, label it as a set of its own"})
}

// sets looks for sets that hold a span without anything that it needs.
func (k *checker) sets(q *Question) {
	for i, set := range q.Support {
		for _, s := range set {
			var needs []string
			met := false
			for _, n := range q.Spans {
				if n.NeededBy == s.Name {
					needs = append(needs, n.Name)
					met = met || slices.Contains(set, n)
				}
			}
			if len(needs) > 0 && !met {
				k.add(q, supportOf(q), finding.Finding{Code: CodeNeedMissing, Message: fmt.Sprintf("support set %d holds span %s without what it needs", i+1, quoted(s.Name)),
					Expected: strings.Join(needs, " or "), Found: strings.Join(names(set), ", "), Hint: "add it to the set, or drop needed_by"})
			}
		}
	}
}

// supportOf is the list of sets where it stands; a fixture calls it otherwise.
func supportOf(q *Question) *jsonl.Value {
	if v := q.At.Get("support"); v != nil {
		return v
	}
	return q.At.Get("sufficient_support_sets")
}

func names(set []*Span) []string {
	var all []string
	for _, s := range set {
		all = append(all, s.Name)
	}
	return all
}

// people looks at review and adjudication.
func (k *checker) people(q *Question) {
	if q.Adjudication.State == "disputed" {
		k.add(q, q.At.Get("adjudication"), finding.Finding{Code: CodeDisputed, Severity: k.demand(), Message: "the labellers disagree and nothing is decided", Expected: "agreed or resolved", Found: "disputed",
			Hint: "record the decision under adjudication.decisions", Paste: `"state":"resolved"`})
	}
	review := q.Review
	looks := [][2]string{{"answerability", review.Answerability}, {"paraphrase", review.Paraphrase}}
	if !q.Unanswerable {
		looks = append(looks, [2]string{"evidence", review.Evidence})
	}
	var missing []string
	for _, l := range append(looks, [2]string{"by", review.By}) {
		if l[1] == "" {
			missing = append(missing, l[0])
		}
	}
	for _, l := range append(looks, [2]string{"task_coverage", review.TaskCoverage}) {
		if l[1] != "" && l[1] != "ok" {
			k.add(q, q.At.Get("review").Get(l[0]), finding.Finding{Code: CodeObjection, Severity: k.demand(), Message: "the review of " + l[0] + " is not ok", Expected: `"ok"`, Found: quoted(cut(l[1])), Hint: "mend the question, then review it again"})
		}
	}
	v := q.At.Get("review")
	if v == nil {
		v = q.At
	}
	const paste = `"review":{"answerability":"ok","evidence":"ok","paraphrase":"ok","by":"…"}`
	switch {
	case len(missing) > 0 && k.strict:
		k.add(q, v, finding.Finding{Code: CodeNoReview, Severity: finding.Error, Message: "no complete review", Expected: "review of answerability, evidence and paraphrase, and by whom", Found: "missing: " + strings.Join(missing, ", "), Paste: paste})
	case q.Origin == "synthetic" && q.At.Get("review") == nil:
		k.add(q, q.At.Get("origin"), finding.Finding{Code: CodeSynthetic, Message: "a synthetic question that no person has reviewed", Expected: "a review", Found: "none", Paste: paste})
	}
}
