// Package baseline is what a repository keeps of an accepted arm: baseline/1
// (docs/format/baseline.md), and the ratchet by which it rises.
//
// A Baseline holds no result that decides: it holds Sets of rankings, which are scored
// anew on the labels of the day. Each measure has its own Set, since each rises by
// itself. The Instrument is how they were measured; another one is not comparable.
package baseline

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"kerf/internal/corpus"
	"kerf/internal/rankings"
	"kerf/internal/stats"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
)

// Kind is the kind and version that a file names.
const Kind = "baseline/1"

// The measures of baseline/1; a file has each of them.
const (
	MRR     = "mrr"     // of the raw ranking, at the ordinary cuts
	Support = "support" // whole evidence in the budget view: each question's mean over the placements
)

// Names are the measures in the order of a file.
var Names = []string{MRR, Support}

// Baseline is baseline/1.
type Baseline struct {
	Instrument Instrument
	Measures   []Measure  // one for each of Names, in their order
	Accepted   []Override // oldest first
}

// Measure is one measure and the rankings that it is held against.
type Measure struct {
	Name  string
	Set   *Set      // measures that took the same rankings share one
	Value stats.Sum // when it took them, on the labels of then: information
}

// Override is an acceptance that the ratchet alone would not have given.
type Override struct {
	Measure  string
	From, To stats.Sum
	Reason   string
}

// Set is the rankings of one arm, and what they were made from.
type Set struct {
	Version        string // of the kerf that made them
	Corpus, Golden string // digests of then: information
	Arm            plan.Arm
	Labels         []string          // of the placements, the ordinary one last
	Documents      map[string]string // version of every document that a hit names
	Questions      []Question        // by the bytes of their qid
}

// Question is what was found for a question.
type Question struct {
	QID   string
	Lists []List // by placement, as Set.Labels
}

// List is the hits of one search, in rank order.
type List struct {
	Hits []Hit
	More bool // further hits were ranked, which no view read; never at the ordinary placement
}

// Hit is a piece of a document of the set.
type Hit struct {
	Doc       string
	span.Span        // bytes of the version in Set.Documents
	Prefix    string // words that stood before the source text in the index: never evidence
}

// NewSet is a set without questions for an arm under an experiment's placements; an
// arm that has no such placements is an error.
func NewSet(version, corpus, golden string, a plan.Arm, p plan.Phases) (*Set, error) {
	labels, err := Labels(a, p)
	return &Set{Version: version, Corpus: corpus, Golden: golden, Arm: bare(a), Labels: labels, Documents: map[string]string{}}, err
}

// Labels names the placements of an arm under an experiment's.
func Labels(a plan.Arm, p plan.Phases) ([]string, error) {
	labels, err := p.Labels(a)
	all := make([]string, len(labels))
	for i, l := range labels {
		all[i] = l.String()
	}
	return all, err
}

// bare is the arm as a file has it: where it stood in kerf.yaml and how long its
// engine may take say nothing of what it found.
func bare(a plan.Arm) plan.Arm {
	a.At, a.Retrieve.Timeout = plan.Place{}, 0
	return a
}

// Add adds what the search for a question found at a placement: all hits, or, with
// more, the first of them. A hit without a place in a text, a document of two
// versions, and a search that is there already are errors.
func (s *Set) Add(qid, label string, hits []rankings.Hit, more bool) error {
	at := slices.Index(s.Labels, label)
	if at < 0 {
		return fmt.Errorf("%s: arm %s has no placement %s", qid, s.Arm.Name, label)
	}
	list := List{Hits: make([]Hit, len(hits)), More: more}
	for i, h := range hits {
		switch v, known := s.Documents[h.DocID]; {
		case h.Empty() || h.Start < 0: // or an id alone
			return fmt.Errorf("%s at %s: the hit at rank %d has no place in a document", qid, label, i+1)
		case known && v != h.Version:
			return fmt.Errorf("%s at %s: the hit at rank %d is of another version of %s than others", qid, label, i+1, h.DocID)
		}
		s.Documents[h.DocID] = h.Version
		list.Hits[i] = Hit{h.DocID, h.Span, h.Prefix}
	}
	i, there := slices.BinarySearchFunc(s.Questions, qid, byQID)
	if !there {
		s.Questions = slices.Insert(s.Questions, i, Question{qid, make([]List, len(s.Labels))})
	}
	if s.Questions[i].Lists[at].Hits != nil {
		return fmt.Errorf("%s at %s: a second search", qid, label)
	}
	s.Questions[i].Lists[at] = list
	return nil
}

func byQID(q Question, qid string) int { return strings.Compare(q.QID, qid) }

// Find is a question of the set, nil if it has none of that name.
func (s *Set) Find(qid string) *Question {
	if i, ok := slices.BinarySearchFunc(s.Questions, qid, byQID); ok {
		return &s.Questions[i]
	}
	return nil
}

// Measure is the measure of that name, nil if there is none.
func (b *Baseline) Measure(name string) *Measure {
	if i := slices.IndexFunc(b.Measures, func(m Measure) bool { return m.Name == name }); i >= 0 {
		return &b.Measures[i]
	}
	return nil
}

// Gone are the questions of any measure that are not asked, by qid.
func (b *Baseline) Gone(asked []string) []string {
	still := map[string]bool{}
	for _, qid := range asked {
		still[qid] = true
	}
	var gone []string
	for _, m := range b.Measures {
		for _, q := range m.Set.Questions {
			if !still[q.QID] {
				gone = append(gone, q.QID)
			}
		}
	}
	slices.Sort(gone)
	return slices.Compact(gone)
}

// Lost is a hit that has no place in today's documents.
type Lost struct {
	QID  string
	Rank int // from 1
	Hit
	Version string // that the hit is of
	Why     string // a clause: "the document is not in the corpus"
}

// Digest names what was found at a placement by all of it, and lists the hits that have
// no place in today's documents. A label that the set does not have is a defect.
func (s *Set) Digest(label string, c *corpus.Corpus) (digest string, lost []Lost) {
	at := s.placement(label)
	docs := s.today(c)
	size := 0
	for _, q := range s.Questions {
		size += len(q.QID) + 8*(1+len(q.Lists[at].Hits)) // about as much, without prefixes
	}
	told := make([]byte, 0, size) // each text with its length before it, each document where it is met first
	text := func(s string) { told = append(binary.AppendUvarint(told, uint64(len(s))), s...) }
	number := func(n int) { told = binary.AppendUvarint(told, uint64(n)) }
	met := 0
	for _, q := range s.Questions {
		text(q.QID)
		number(len(q.Lists[at].Hits))
		for i, h := range q.Lists[at].Hits {
			d := docs[h.Doc]
			first := d.met == 0
			if first {
				met++
				d.met = met
			}
			if number(d.met); first {
				text(h.Doc)
				text(s.Documents[h.Doc])
			}
			number(h.Start)
			number(h.End)
			text(h.Prefix)
			if why := d.outside(h.Span); why != "" {
				lost = append(lost, Lost{q.QID, i + 1, h, s.Documents[h.Doc], why})
			}
		}
	}
	sum := sha256.Sum256(told)
	return "sha256:" + hex.EncodeToString(sum[:]), lost
}

// Rankings is what was found at a placement as rankings of today's documents, less the
// hits that Digest lists: those are in no ranking, so that a file with any of them is of
// no use. A label that the set does not have is a defect.
func (s *Set) Rankings(label string, c *corpus.Corpus) *rankings.File {
	at := s.placement(label)
	docs := s.today(c)
	f := &rankings.File{Name: s.Arm.Name}
	f.Digest, _ = s.Digest(label, c)
	for _, q := range s.Questions {
		r := rankings.Ranking{QID: q.QID, Hits: make([]rankings.Hit, 0, len(q.Lists[at].Hits))}
		for _, h := range q.Lists[at].Hits {
			if d := docs[h.Doc]; d.outside(h.Span) == "" {
				r.Hits = append(r.Hits, rankings.Hit{Doc: d.ordinal, DocID: h.Doc, Version: s.Documents[h.Doc], Span: h.Span, Prefix: h.Prefix})
			}
		}
		f.Add(r)
	}
	return f
}

func (s *Set) placement(label string) int {
	at := slices.Index(s.Labels, label)
	if at < 0 {
		panic("BUG: the set has no placement " + label)
	}
	return at
}

// pinned is a document of a set as the corpus has it today.
type pinned struct {
	ordinal int32
	text    string
	gone    string // why nothing of it has a place; "": its version is the pinned one
	met     int    // number in the order in which hits name them, from 1; 0: none has yet
}

// today are the documents of a set as the corpus has them.
func (s *Set) today(c *corpus.Corpus) map[string]*pinned {
	docs := make(map[string]*pinned, len(s.Documents))
	for doc := range s.Documents {
		docs[doc] = &pinned{gone: "the document is not in the corpus"}
	}
	for i, d := range c.Documents {
		p := docs[d.Doc]
		if p == nil {
			continue
		}
		p.ordinal, p.text, p.gone = int32(i), d.Text, ""
		if d.Version.Version != s.Documents[d.Doc] {
			p.gone = "another version of the document is pinned"
		}
	}
	return docs
}

// outside says why a span is no piece of a document, "" where it is one.
func (p *pinned) outside(s span.Span) string {
	if p.gone != "" {
		return p.gone
	}
	return outside(p.text, s)
}

// outside says why a span is no piece of a text, "" where it is one.
func outside(text string, s span.Span) string {
	switch {
	case s.End > len(text):
		return fmt.Sprintf("the document has %d bytes", len(text))
	case !utf8.RuneStart(text[s.Start]) || s.End < len(text) && !utf8.RuneStart(text[s.End]):
		return "an end lies inside a character"
	}
	return ""
}
