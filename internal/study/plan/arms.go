package plan

import (
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"kerf/internal/finding"
)

var (
	armName = regexp.MustCompile(`^[A-Za-z0-9_-][A-Za-z0-9._-]{0,79}$`)
	percent = regexp.MustCompile(`^([0-9]{1,4}(?:\.[0-9]{1,6})?)%$`)
)

// Keys of arms and the words of splitters and retrievers that the format has
// and this version does not.
var (
	laterArm      = []string{"header", "rerank", "expand", "k_unit"}
	laterSplit    = []string{"max", "min", "snap", "access"}
	laterBy       = []string{"headings", "recursive", "sentences", "document"}
	laterRetrieve = []string{"of", "rrf", "embed", "n"}
	laterRank     = []string{"hybrid", "dense"}
)

// arms reads `arms` and `grid` into e; without both the grid has its defaults.
// It says whether every arm that the file asks for is in e, if only by name.
func (r *reader) arms(arms, grid, phases *node, e *Experiment) (whole bool) {
	if arms != nil {
		r.named(arms, e)
	}
	before := len(r.found)
	if grid != nil || arms == nil {
		r.grid(grid, e)
	}
	whole = len(r.found) == before
	if len(e.Arms) > maxArms {
		r.report(Place{1, 1}, finding.Finding{Code: CodeSize, Message: "the experiment has too many arms", Expected: fmt.Sprintf("at most %d", maxArms), Found: fmt.Sprint(len(e.Arms))})
		return whole
	}
	spelled := map[string]string{} // lower case -> name
	for _, a := range e.Arms {
		lower := strings.ToLower(a.Name)
		if other, ok := spelled[lower]; ok {
			r.report(a.At, finding.Finding{Code: CodeArm, Message: fmt.Sprintf("arms %s and %s differ in capitals alone", other, a.Name),
				Expected: "names that stay apart as file names", Found: a.Name})
			continue
		}
		spelled[lower] = a.Name
	}
	for _, a := range e.Arms {
		if s, grid := a.Stride(), e.Phases.GridOf(a); !a.IsControl() && !e.Phases.Exhaustive(a) && s >= 1 && a.Split.Size >= 1 && grid > s {
			at := a.At
			if at == (Place{}) && phases != nil { // a default arm
				at = phases.at
			}
			r.report(at, finding.Finding{Code: CodeArm,
				Message:  fmt.Sprintf("arm %s: %d placements do not fit into a stride of %d tokens (size %d less overlap %d)", a.Name, grid, s, a.Split.Size, a.Split.Overlap),
				Expected: "at most as many placements as the stride has tokens", Found: fmt.Sprint(grid), Paste: fmt.Sprintf("phases: {grid: %d}", s)})
		}
		if e.Access == "clip" && a.Retrieve.Foreign() {
			r.report(a.At, finding.Finding{Code: CodeArm, Message: fmt.Sprintf("arm %s: access: clip is for kerf's own retrieval; another engine is given whole chunks", a.Name), Expected: "access: deny", Found: "access: clip"})
		}
		if e.Phases.Exhaustive(a) && a.Retrieve.Foreign() {
			r.report(a.At, finding.Finding{Code: CodeArm, Message: fmt.Sprintf("arm %s: another engine is not asked at every placement: that is an index build each", a.Name),
				Expected: "a grid of its own", Found: "phases: all", Paste: "phases: {grid: 8}"})
		}
	}
	return whole
}

// named reads the arms that the file names.
func (r *reader) named(n *node, e *Experiment) {
	if n.kind != mapping || len(n.members) == 0 {
		r.value(n, "arms", "a mapping of names to arms", "")
		return
	}
	for _, m := range n.members {
		a := Arm{Name: m.key.text, Split: newSplit(), Retrieve: bm25, At: m.key.at}
		path := join("arms", a.Name)
		if other := otherType(a.Name); !m.key.quoted && other != "" {
			r.quote(m.key, path, other, strconv.Quote(a.Name)+":")
		} else if !armName.MatchString(a.Name) {
			r.report(m.key.at, finding.Finding{Code: CodeArm, Message: fmt.Sprintf("%s cannot be the name of an arm", m.key.written()),
				Expected: "1 to 80 of A-Z a-z 0-9 . _ -, not beginning with a dot", Found: m.key.written()})
		}
		r.arm(m, path, &a)
		e.Arms = append(e.Arms, a)
	}
}

func newSplit() Split { return Split{By: "tokens", Tokenizer: tokenizers[0], Edge: edges[0]} }

// split reads a splitter and returns the node of its size, nil without one. A
// splitter that cannot run keeps By or Size empty.
func (r *reader) split(n *node, path string, s *Split) (size *node) {
	var overlap, file *node
	by := s.By
	s.By = ""
	if n.kind == mapping && !slices.ContainsFunc(n.members, func(m member) bool { return m.key.text == "by" }) {
		s.By = by
	}
	r.fields(n, path, laterSplit,
		field{"by", r.choice(&s.By, []string{"tokens", "table"}, laterBy...)},
		field{"file", func(n *node, path string) { r.text(&s.File)(n, path); file = n }},
		field{"tokenizer", r.tokenizer(&s.Tokenizer)},
		field{"size", func(n *node, _ string) { size = n }},
		field{"overlap", func(n *node, _ string) { overlap = n }},
		field{"edge", r.choice(&s.Edge, edges)})
	switch {
	case s.By == "table":
		r.table(n, file, path, s)
		return nil
	case file != nil && s.By != "":
		r.report(file.at, finding.Finding{Code: CodeArm, Message: path + ": windows come from no file", Expected: "by: table, or no file", Found: file.written()})
	}
	if size == nil || s.By == "" {
		return size
	}
	o := amount{}
	if overlap != nil && !r.amount(overlap, path+".overlap", &o) {
		return size
	}
	if r.integer(&s.Size, math.MinInt32, maxSize)(size, path+".size"); s.Size == 0 && size.text != "0" {
		return size
	}
	s.Share, s.Overlap = o.share, o.of(s.Size)
	at := size
	if overlap != nil {
		at = overlap
	}
	r.fits(s, size.at, at.at, path)
	return size
}

// fits checks size and overlap against each other, and forgets them where they
// are no windows.
func (r *reader) fits(s *Split, size, overlap Place, path string) {
	f := finding.Finding{Code: CodeArm, Found: fmt.Sprintf("size %d, overlap %d", s.Size, s.Overlap)}
	both := fmt.Sprintf("%s: size %d, overlap %d: ", path, s.Size, s.Overlap)
	at := overlap
	switch {
	case s.Size < 1:
		f.Message, f.Expected, at = both+"size must be at least 1", fmt.Sprintf("a size from 1 to %d", maxSize), size
	case s.Overlap < 0:
		f.Message, f.Expected = both+"overlap must not be negative", "an overlap of 0 or more"
	case s.Overlap >= s.Size:
		f.Message, f.Expected = both+"overlap must be smaller than size", fmt.Sprintf("an overlap from 0 to %d", s.Size-1)
	default:
		return
	}
	r.report(at, f)
	s.Size, s.Overlap = 0, 0
}

// amount is an overlap: tokens, or a share of the size.
type amount struct {
	tokens int
	share  Fraction
}

func (a amount) of(size int) int {
	if a.share.Den != 0 {
		return a.share.of(size)
	}
	return a.tokens
}

func (r *reader) amount(n *node, path string, to *amount) bool {
	if m := percent.FindStringSubmatch(n.text); m != nil && n.kind == scalar {
		share, _ := new(big.Rat).SetString(m[1])
		share.Quo(share, big.NewRat(100, 1))
		*to = amount{share: Fraction{share.Num().Int64(), share.Denom().Int64()}}
		return true
	}
	if v, ok := n.whole(); ok {
		*to = amount{tokens: v}
		return true
	}
	r.value(n, path, "tokens (32) or a share of the size (20%)", "")
	return false
}

// grid adds every combination of size and overlap; nil is the grid of an
// experiment that names no arms. An arm of the same name must be equal, and is
// then that arm.
func (r *reader) grid(n *node, e *Experiment) {
	if n == nil {
		e.Arms = append(e.Arms, Default().Arms...)
		return
	}
	base, retrieve := newSplit(), bm25
	sizes := []int{256, 512, 1024, 2048}
	var sizeNodes, overlapNodes []*node
	overlaps := []amount{{}, {share: Fraction{1, 5}}}
	before := len(r.found)
	r.fields(n, "grid", []string{"by"},
		field{"size", func(n *node, path string) {
			sizeNodes = n.elems
			r.integers(&sizes, 1, maxSize)(n, path)
		}},
		field{"overlap", func(n *node, path string) {
			overlapNodes, overlaps = r.elements(n, path, "overlaps"), nil
			for i, e := range overlapNodes {
				var o amount
				ok := r.amount(e, fmt.Sprintf("%s[%d]", path, i), &o)
				r.once(e, path, ok && slices.Contains(overlaps, o))
				overlaps = append(overlaps, o)
			}
		}},
		field{"tokenizer", r.tokenizer(&base.Tokenizer)},
		field{"retrieve", func(n *node, path string) { r.retrieve(n, path, &retrieve) }},
		field{"edge", r.choice(&base.Edge, edges)})
	if len(r.found) > before {
		return
	}
	if len(sizes)*len(overlaps) > maxArms {
		r.report(n.at, finding.Finding{Code: CodeSize, Message: "the grid has too many arms", Expected: fmt.Sprintf("at most %d", maxArms), Found: fmt.Sprint(len(sizes) * len(overlaps))})
		return
	}
	known := map[string]int{}
	for i, a := range e.Arms {
		known[a.Name] = i
	}
	for i, size := range sizes {
		for j, o := range overlaps {
			a := Arm{Split: base, Retrieve: retrieve, At: n.at}
			if sizeNodes != nil {
				a.At = sizeNodes[i].at
			}
			at := a.At
			if overlapNodes != nil {
				at = overlapNodes[j].at
			}
			a.Split.Size, a.Split.Share, a.Split.Overlap = size, o.share, o.of(size)
			if r.fits(&a.Split, a.At, at, "grid"); a.Split.Size == 0 {
				continue
			}
			a.Name = a.Split.name()
			if k, ok := known[a.Name]; !ok {
				known[a.Name] = len(e.Arms)
				e.Arms = append(e.Arms, a)
			} else if !e.Arms[k].same(a) && e.Arms[k].Split.Size > 0 {
				r.report(e.Arms[k].At, finding.Finding{Code: CodeArm, Message: fmt.Sprintf("arm %s differs from the grid's arm of that name", a.Name),
					Expected: describe(a), Found: describe(e.Arms[k]), Hint: "give it another name, or take its size out of the grid"})
			}
		}
	}
}

func describe(a Arm) string {
	if a.IsControl() {
		return "an arm whose cuts do not move"
	}
	return fmt.Sprintf("{split: {by: %s, tokenizer: %s, size: %d, overlap: %d, edge: %s}, retrieve: {by: %s}}",
		a.Split.By, a.Split.Tokenizer, a.Split.Size, a.Split.Overlap, a.Split.Edge, a.Retrieve.By)
}
