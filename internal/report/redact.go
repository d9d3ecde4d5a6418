package report

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"kerf/internal/study/compare"
	"kerf/internal/text/span"
)

// Redact is a report and its overlays without texts: a digest in place of each
// question and each piece of evidence, a mask of equal length in place of each
// source. Names of files, spans and questions stay. The originals are unchanged.
func Redact(r *compare.Report, overlays []compare.Overlay) (*compare.Report, []compare.Overlay) {
	out := *r
	if out.Redact == "text" {
		return r, overlays
	}
	out.Redact = "text"
	out.WorstQuestions = slices.Clone(r.WorstQuestions)
	for i := range out.WorstQuestions {
		out.WorstQuestions[i].Question = digest(out.WorstQuestions[i].Question)
	}
	masked := slices.Clone(overlays)
	for i := range masked {
		o := &masked[i]
		o.Spans = slices.Clone(o.Spans)
		for j, e := range o.Spans {
			if !o.Gone {
				o.Spans[j].Digest = digest(o.Text[e.Start:e.End])
			}
		}
		o.Redacted, o.Text = true, mask(o.Text)
	}
	return &out, masked
}

// mask is text with an x for each byte; white space stays, since what is lost of
// it does not count.
func mask(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsSpace(r) {
			b.WriteRune(r)
			continue
		}
		b.WriteString(strings.Repeat("x", utf8.RuneLen(r)))
	}
	return b.String()
}

// digest names a text: the first 64 bits of its sha256.
func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "sha256:" + hex.EncodeToString(sum[:8])
}

// excerpt is the text of o at s, or how long it is where texts are redacted.
func excerpt(o *compare.Overlay, s span.Span) string {
	if o.Redacted {
		return "[" + plural(s.Len(), "byte", "bytes") + "]"
	}
	return o.Text[s.Start:s.End]
}

// quoted is the text of an evidence, or its digest.
func quoted(o *compare.Overlay, e compare.Evidence) string {
	if o.Redacted {
		return e.Digest + " " + excerpt(o, e.Span)
	}
	return o.Text[e.Start:e.End]
}
