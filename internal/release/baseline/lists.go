package baseline

import (
	"bytes"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"

	"kerf/internal/finding"
	"kerf/internal/jsonl"
)

// Nearly all of a file is lists of hits. Where they are laid out as Encode lays them
// out they are read in one scan, straight into a Set, and the few values around them as
// any others. A file that gives cause for a finding, or is laid out otherwise, is read
// plainly as a whole: what is found, and where, never depends on the scan.

// listed is the questions of a set, all with the same labels.
type listed struct {
	questions []Question
	labels    []string
	docs      map[string]string // every document that a hit names, by itself
	longest   int               // hits of a list
	more      bool              // some list of the last label goes on
}

// quick is the baseline of a file without a finding; ok is false where the file has
// one, or is to be read plainly.
func quick(file string, content []byte) (b *Baseline, ok bool) {
	if !utf8.Valid(content) {
		return nil, false
	}
	const begin = "\n\"questions\":{\n" // a text holds no line break, so that this is a key
	var around []byte                   // the file, a number in place of the questions of each set
	r := &reader{file: file, scanned: []*listed{}}
	for {
		at := bytes.Index(content, []byte(begin))
		if at < 0 {
			break
		}
		s := scanner{text: content[at+len(begin):]}
		of := s.set()
		if s.failed {
			return nil, false
		}
		around = strconv.AppendInt(append(around, content[:at+len(begin)-2]...), int64(len(r.scanned)), 10)
		r.scanned, content = append(r.scanned, of), s.text[s.at:]
	}
	if len(r.scanned) == 0 {
		return nil, false
	}
	n := len(r.scanned)
	b = r.read(append(around, content...))
	return b, len(r.found)+r.more == 0 && r.taken == n
}

// take is the questions that v stands for, in the order of the file.
func (r *reader) take(v *jsonl.Value, path string, s *Set, i *Instrument) (named map[string]bool) {
	n, ok := v.Int()
	if !ok || n != r.taken || n >= len(r.scanned) {
		r.problem(v, finding.Finding{Code: CodeType, Message: path})
		return nil
	}
	of := r.scanned[n]
	r.taken++
	s.Questions = of.questions
	named = map[string]bool{}
	fits := slices.Equal(of.labels, s.Labels) && !of.more && (i.Depth <= 0 || of.longest <= i.Depth)
	for doc := range of.docs {
		_, known := s.Documents[doc]
		fits = fits && known && strings.TrimSpace(doc) != ""
		named[doc] = true
	}
	if !fits {
		r.problem(v, finding.Finding{Code: CodeType, Message: path})
	}
	return named
}

// scanner reads what Encode writes of questions. It fails at the first byte that is
// another.
type scanner struct {
	text   []byte
	at     int // that is read next
	failed bool
	of     listed
	doc    string  // of the last hit
	slab   []Hit   // that lists are cut from
	seen   []int32 // places of a list, by hash: hits, from 1
}

// longestList is how many hits a list may have to be scanned.
const longestList = 1000

// set reads questions up to the end of their object.
func (s *scanner) set() *listed {
	s.of.docs = map[string]string{}
	last := ""
	for more := true; more && !s.failed; {
		q := Question{QID: s.word(), Lists: make([]List, 0, len(s.of.labels))}
		s.is(":{")
		s.fail(q.QID <= last || strings.TrimSpace(q.QID) != q.QID)
		s.lists(&q)
		last, s.of.questions = q.QID, append(s.of.questions, q)
		if more = s.next(','); more {
			s.is("\n")
		}
	}
	s.is("}")
	return &s.of
}

// lists reads the lists of a question: those of the first give the labels.
func (s *scanner) lists(q *Question) {
	for more := true; more && !s.failed; more = s.next(',') {
		label, i := s.word(), len(q.Lists)
		s.is(":[")
		switch {
		case len(s.of.questions) == 0:
			s.of.labels = append(s.of.labels, label)
		case i >= len(s.of.labels) || s.of.labels[i] != label:
			s.failed = true
		}
		l := s.list()
		s.of.longest, q.Lists = max(s.of.longest, len(l.Hits)), append(q.Lists, l)
	}
	s.is("}")
	if n := len(q.Lists); n > 0 && n == len(s.of.labels) {
		s.of.more = s.of.more || q.Lists[n-1].More
	} else {
		s.failed = true
	}
}

// list reads hits up to the end of their list.
func (s *scanner) list() (l List) {
	if s.slab == nil {
		s.slab = make([]Hit, 0, 256)
	}
	from := len(s.slab)
	for !s.failed && !s.next(']') {
		if len(s.slab) > from {
			s.is(",")
		}
		if end := `"` + more + `"]`; s.at+len(end) <= len(s.text) && string(s.text[s.at:s.at+len(end)]) == end {
			s.at, l.More = s.at+len(end), true
			break
		}
		if len(s.slab) == cap(s.slab) {
			list := s.slab[from:]
			s.slab, from = append(make([]Hit, 0, 4096+2*len(list)), list...), 0
		}
		s.slab = append(s.slab, s.hit())
		s.fail(len(s.slab)-from > longestList)
	}
	l.Hits = s.slab[from:len(s.slab):len(s.slab)]
	s.fail(s.twice(l.Hits))
	return l
}

func (s *scanner) hit() (h Hit) {
	s.is(`["`)
	h.Doc = s.document()
	s.is(",")
	h.Start = s.number()
	s.is(",")
	h.End = s.number()
	if s.next(',') {
		h.Prefix = s.word()
		s.fail(strings.TrimSpace(h.Prefix) == "")
	}
	s.is("]")
	s.fail(h.End <= h.Start)
	return h
}

// twice reports whether a place stands twice in a list.
func (s *scanner) twice(hits []Hit) bool {
	size := 1 << bits.Len(uint(2*len(hits)))
	if size > len(s.seen) {
		s.seen = make([]int32, size)
	}
	seen := s.seen[:size]
	clear(seen)
	for i := range hits {
		h := &hits[i]
		at := (uint32(h.Start)*0x9E3779B1 + uint32(h.End)) * 0x85EBCA77 >> 16
		for at &= uint32(size - 1); seen[at] != 0; at = (at + 1) & uint32(size-1) {
			if o := &hits[seen[at]-1]; o.Span == h.Span && o.Doc == h.Doc {
				return true
			}
		}
		seen[at] = int32(i + 1)
	}
	return false
}

func (s *scanner) fail(wrong bool) { s.failed = s.failed || wrong }

// is reads what must stand here.
func (s *scanner) is(text string) {
	end := s.at + len(text)
	if end > len(s.text) || string(s.text[s.at:end]) != text {
		s.failed = true
		return
	}
	s.at = end
}

// next reads a byte if it stands here.
func (s *scanner) next(c byte) bool {
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// number is a whole number of few digits.
func (s *scanner) number() (n int) {
	from := s.at
	for s.at < len(s.text) && s.at < from+9 && s.text[s.at]-'0' <= 9 {
		n = 10*n + int(s.text[s.at]-'0')
		s.at++
	}
	s.fail(s.at == from || s.at > from+1 && s.text[from] == '0')
	return n
}

// document is a name after its first quote; equal ones are one text.
func (s *scanner) document() string {
	if end := s.at + len(s.doc); end < len(s.text) && s.text[end] == '"' && s.doc != "" && string(s.text[s.at:end]) == s.doc {
		s.at = end + 1
		return s.doc
	}
	if end := bytes.IndexByte(s.text[s.at:], '"'); end >= 0 {
		if known, ok := s.of.docs[string(s.text[s.at:s.at+end])]; ok {
			s.at, s.doc = s.at+end+1, known
			return known
		}
	}
	from := s.at
	s.doc = s.rest()
	s.fail(bytes.IndexByte(s.text[from:s.at], '\\') >= 0) // both ways above take a name as it stands
	s.of.docs[s.doc] = s.doc
	return s.doc
}

// word is a text.
func (s *scanner) word() string {
	s.is(`"`)
	return s.rest()
}

// rest is a text after its first quote.
func (s *scanner) rest() string {
	from, escaped := s.at, false
	for ; !s.failed && s.at < len(s.text) && s.text[s.at] >= ' '; s.at++ {
		switch c := s.text[s.at]; {
		case c == '\\':
			escaped = true
			s.at++
		case c == '"':
			s.at++
			if !escaped {
				return string(s.text[from : s.at-1])
			}
			text, err := jsontext.AppendUnquote(nil, s.text[from-1:s.at])
			s.fail(err != nil)
			return string(text)
		}
	}
	s.failed = true
	return ""
}
