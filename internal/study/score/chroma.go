package score

import (
	"slices"

	"kerf/internal/corpus"
	"kerf/internal/golden"
	"kerf/internal/rankings"
	"kerf/internal/stats"
	"kerf/internal/verdict"
)

// ChromaKind is the value of "kerf" in the output.
const ChromaKind = "score-chroma/1"

// Chroma is score-chroma/1: recall, precision and IoU of Chroma's report over the
// first k hits, in code points (verdict.Areas).
type Chroma struct {
	Kerf      string           `json:"kerf"`
	File      string           `json:"file"`
	Digest    string           `json:"digest"`
	Unit      string           `json:"unit"`
	NotPinned int              `json:"not_pinned"` // hits of an older version, which are in no area
	Rows      []ChromaRow      `json:"rows"`
	Questions []ChromaQuestion `json:"by_question"`
}

// ChromaRow is figures over the questions of one sample. Precision is undefined
// for a question without hits: its N is the smaller.
type ChromaRow struct {
	Sample     string             `json:"sample"` // samples are never pooled
	K          int                `json:"k"`
	Definition verdict.Definition `json:"definition"`
	Missing    int                `json:"missing"` // questions whose search failed
	Recall     stats.Spread       `json:"recall"`
	Precision  stats.Spread       `json:"precision"`
	IoU        stats.Spread       `json:"iou"`
}

// ChromaQuestion is the areas of one question that was searched for.
type ChromaQuestion struct {
	QID      string        `json:"qid"`
	K        int           `json:"k"`
	Exact    verdict.Areas `json:"exact"`
	Imitated verdict.Areas `json:"imitated"`
}

// Characters scores as Spans does, by the measures of Chroma's report, at the
// cut-offs ks. It knows no readers.
func Characters(f *rankings.File, questions []*golden.Question, c *corpus.Corpus, ks []int) *Chroma {
	s := &Chroma{Kerf: ChromaKind, File: f.File, Digest: f.Digest, Unit: "codepoint", Rows: []ChromaRow{}, Questions: []ChromaQuestion{}}
	ordinal := map[string]int32{}
	var texts []string
	for i, d := range c.Documents {
		ordinal[d.Doc] = int32(i)
		texts = append(texts, d.Text)
	}
	characters := verdict.InCharacters(texts)
	type asked struct {
		references, exact, believed []verdict.Ref
		qid                         string
	}
	samples, missing := map[string][]asked{}, map[string]int{}
	for _, q := range questions {
		r := f.Find(q.QID)
		for i := range r.Hits {
			if r.Hits[i].Older() {
				s.NotPinned++
			}
		}
		if q.Unanswerable {
			continue
		}
		if r.Error != "" {
			missing[q.Sample]++
			continue
		}
		a := asked{qid: q.QID}
		for _, ref := range evidence(q, ordinal).References() {
			a.references = append(a.references, characters.Place(ref))
		}
		for _, h := range r.Hits[:min(slices.Max(ks), len(r.Hits))] {
			var exact, believed verdict.Ref // of an older version: nothing, at its rank
			if !h.Older() {
				ref := verdict.Ref{Doc: h.Doc, Span: h.Span}
				exact, believed = characters.Place(ref), characters.FirstPlace(ref)
			}
			a.exact, a.believed = append(a.exact, exact), append(a.believed, believed)
		}
		samples[q.Sample] = append(samples[q.Sample], a)
	}
	for _, name := range golden.Samples() {
		if len(samples[name]) == 0 && missing[name] == 0 {
			continue
		}
		for _, k := range ks {
			var exact, imitated []verdict.Areas
			for _, a := range samples[name] {
				n := min(k, len(a.exact))
				exact = append(exact, verdict.Exact.Retrieved(a.exact[:n], a.references))
				imitated = append(imitated, verdict.Imitated.Retrieved(a.believed[:n], a.references))
				s.Questions = append(s.Questions, ChromaQuestion{a.qid, k, exact[len(exact)-1], imitated[len(imitated)-1]})
			}
			s.Rows = append(s.Rows, row(name, k, verdict.Exact, missing[name], exact), row(name, k, verdict.Imitated, missing[name], imitated))
		}
	}
	return s
}

func row(sample string, k int, d verdict.Definition, missing int, areas []verdict.Areas) ChromaRow {
	over := func(parts func(a verdict.Areas) (num, den int)) stats.Spread {
		var values []float64
		for _, a := range areas {
			if num, den := parts(a); den > 0 {
				values = append(values, float64(num)/float64(den))
			}
		}
		return stats.SpreadOf(values)
	}
	return ChromaRow{sample, k, d, missing,
		over(func(a verdict.Areas) (int, int) { return a.Found, a.Of }),
		over(func(a verdict.Areas) (int, int) { return a.Found, a.Shown }),
		over(func(a verdict.Areas) (int, int) { return a.Found, a.Shown + a.Lost })}
}
