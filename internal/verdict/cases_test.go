package verdict

import (
	"testing"

	"kerf/internal/text/span"
)

func ref(doc int32, start, end int) Ref { return Ref{doc, span.Span{Start: start, End: end}} }

// TestUnionCoverage (sco-09): chunks that touch, overlap or leave a gap. The
// text is ASCII, so bytes are code points.
func TestUnionCoverage(t *testing.T) {
	j := Judge{Texts: []string{"The deposit is due in 30 days after delivery of the goods."}}
	e := Evidence{{ref(0, 15, 29)}}
	for _, c := range []struct {
		name              string
		shown             []Ref
		single, union, ws int // ranks
		covered           int
	}{
		{"touching", []Ref{ref(0, 0, 18), ref(0, 18, 40)}, 0, 2, 2, 14},
		{"a letter missing", []Ref{ref(0, 0, 16), ref(0, 17, 40)}, 0, 0, 0, 13},
		{"a blank missing", []Ref{ref(0, 0, 18), ref(0, 19, 40)}, 0, 0, 2, 13},
		{"overlapping", []Ref{ref(0, 0, 25), ref(0, 15, 40)}, 2, 2, 2, 14},
		{"inside only", []Ref{ref(0, 17, 27)}, 0, 0, 0, 10},
		{"one chunk", []Ref{ref(0, 10, 40)}, 1, 1, 1, 14},
		{"the other way round", []Ref{ref(0, 18, 40), ref(0, 0, 18)}, 0, 2, 2, 14},
	} {
		r := j.Ranks(e, c.shown)
		if r.Single != c.single || r.Union != c.union || r.UnionWS != c.ws {
			t.Errorf("%s: %+v", c.name, r)
		}
		if covered, of := j.Coverage(e, c.shown); covered != c.covered || of != 14 {
			t.Errorf("%s: %d of %d bytes covered", c.name, covered, of)
		}
		strict := Judge{Texts: j.Texts, Strict: true}
		if r := strict.Ranks(e, c.shown); r.UnionWS != c.union {
			t.Errorf("%s, strict: %+v", c.name, r)
		}
	}
}

// TestSupportSets (sco-12): one set must be complete; halves of two sets are
// nothing, and another document's bytes do not count.
func TestSupportSets(t *testing.T) {
	j := Judge{Texts: []string{string(make([]byte, 70)), string(make([]byte, 70))}}
	e := Evidence{{ref(0, 0, 10), ref(0, 20, 30)}, {ref(0, 50, 60)}}
	for _, c := range []struct {
		name  string
		shown []Ref
		want  Ranks
	}{
		{"r1", []Ref{ref(0, 0, 12), ref(0, 40, 48)}, Ranks{Span: 1}},
		{"r2", []Ref{ref(0, 0, 12), ref(0, 18, 31)}, Ranks{Union: 2, UnionWS: 2, Span: 1}},
		{"r3", []Ref{ref(0, 49, 61)}, Ranks{1, 1, 1, 1}},
		{"r4", []Ref{ref(0, 0, 12), ref(0, 55, 61)}, Ranks{Span: 1}},
		{"r5", []Ref{ref(1, 0, 12), ref(0, 18, 31)}, Ranks{Span: 2}},
	} {
		if got := j.Ranks(e, c.shown); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}

// TestVersionsAreDocuments (the ranks of ctx-03): two versions of one document
// are two texts; bytes of the old one are no evidence of the new.
func TestVersionsAreDocuments(t *testing.T) {
	j := Judge{Texts: []string{"Refund within 14 days.", "Refund within 30 days."}}
	e := Evidence{{ref(1, 14, 21)}}
	for _, c := range []struct {
		name  string
		shown []Ref
		want  int // rank of both the single and the union hit
	}{
		{"A", []Ref{ref(0, 0, 22)}, 0},
		{"B", []Ref{ref(0, 0, 22), ref(1, 0, 22)}, 2},
		{"C", []Ref{ref(1, 0, 10), ref(0, 10, 22)}, 0},
	} {
		if r := j.Ranks(e, c.shown); r.Single != c.want || r.Union != c.want || r.UnionWS != c.want {
			t.Errorf("%s: %+v, want %d", c.name, r, c.want)
		}
	}
}
