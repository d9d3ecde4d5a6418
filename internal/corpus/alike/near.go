package alike

import (
	"cmp"
	"slices"

	"kerf/internal/corpus"
)

// Group is documents tied together by pairs that are near-identical. The
// relation is not transitive: two documents of a group may be less alike than
// that, where others stand between them.
type Group struct {
	Docs  []string `json:"docs"`  // by id
	Links []Link   `json:"links"` // near-identical pairs that tie all of them together, one fewer than documents
}

// Link is a near-identical pair, A before B.
type Link struct {
	A    string `json:"a"`
	B    string `json:"b"`
	Both int    `json:"both"` // distinct grams of A that are in B
	All  int    `json:"all"`  // distinct grams of A or B
}

// NearIdentical are the groups of near-identical documents, by their first. Of
// identical documents (Corpus.Identical) only the first by id takes part, and
// documents without a word have nothing to compare.
//
// Not all pairs are compared. It is the join of Xiao and others (Efficient
// Similarity Joins for Near Duplicate Detection, WWW 2008): under one order of
// all grams, rare ones first, two sets that share t elements share one of the
// first |A|-t+1 of A and |B|-t+1 of B. Grams are known by a hash there. The sizes
// are of distinct grams all the same, and equal hashes of different grams only
// raise the overlap that is thought possible, so no pair is lost. What remains
// is compared by its words, unless it is in one group already.
func NearIdentical(docs []*corpus.Document) []Group { return nearIdentical(docs, fnv) }

// posting is a document that has a gram at a place of its order.
type posting struct{ doc, at int32 }

// buckets is the number of counters for how many documents have a gram; they
// are shared by hash, and that changes only the order.
const buckets = 1 << 20

// keptElements is how many elements are kept between the two passes over the
// documents, 64 MiB of them; the others are made again.
const keptElements = 8 << 20

func nearIdentical(docs []*corpus.Document, hash func(string) uint64) []Group {
	docs = distinct(docs)
	count := make([]int32, buckets)
	sizes := make([]int, len(docs))
	sets := make([][]uint64, len(docs)) // of the first documents, so many as are kept
	room := keptElements
	for i, d := range docs {
		set := elements(d.Text, hash)
		sizes[i] = len(set)
		if room -= len(set); room >= 0 {
			sets[i] = set
		}
		for _, e := range set {
			count[e%buckets]++
		}
	}
	order := make([]int, 0, len(docs))
	for i, n := range sizes {
		if n > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return sizes[a] - sizes[b] })
	j := joiner{docs: docs, sizes: sizes, parent: make([]int, len(docs)), index: map[uint64][]posting{}, shared: make([]int32, len(docs))}
	for i := range j.parent {
		j.parent[i] = i
	}
	for _, i := range order {
		set := sets[i]
		if sets[i] = nil; set == nil {
			set = elements(docs[i].Text, hash)
		}
		slices.SortFunc(set, func(a, b uint64) int {
			return cmp.Or(cmp.Compare(count[a%buckets], count[b%buckets]), cmp.Compare(a, b))
		})
		j.add(i, set)
	}
	return j.groups()
}

// distinct drops documents whose text an earlier one has.
func distinct(docs []*corpus.Document) []*corpus.Document {
	seen := map[string]bool{}
	var out []*corpus.Document
	for _, d := range docs {
		if !seen[d.Text] {
			seen[d.Text] = true
			out = append(out, d)
		}
	}
	return out
}

// elements are the hashes of the distinct grams of a text, ascending; a hash
// stands there once for each gram that has it.
func elements(text string, hash func(string) uint64) []uint64 {
	w := numbering{}.words(text, hash)
	type begin struct {
		hash uint64
		at   int32
	}
	all := make([]begin, w.grams())
	for i := range all {
		var h uint64
		for _, id := range w.gram(i) {
			h = h*0x9e3779b97f4a7c15 + w.hashes[id]
			h ^= h >> 29
		}
		all[i] = begin{h, int32(i)}
	}
	same := func(a, b int32) int {
		ga, gb := w.gram(int(a)), w.gram(int(b))
		return slices.Compare(ga[:], gb[:])
	}
	slices.SortFunc(all, func(a, b begin) int {
		if a.hash != b.hash {
			return cmp.Compare(a.hash, b.hash)
		}
		return same(a.at, b.at)
	})
	out := make([]uint64, 0, len(all))
	for i, b := range all {
		if i == 0 || b.hash != all[i-1].hash || same(b.at, all[i-1].at) != 0 {
			out = append(out, b.hash)
		}
	}
	return out
}

// least is the smallest overlap of two sets of these sizes with Jaccard >= 0.9:
// both/(a+b-both) >= 9/10.
func least(a, b int) int { return (9*(a+b) + 18) / 19 }

type joiner struct {
	docs   []*corpus.Document
	sizes  []int
	parent []int // union of documents that are linked
	index  map[uint64][]posting
	shared []int32 // elements met in the prefix of the document being added; -1: too few can follow
	links  []link
}

type link struct{ a, b, both, all int }

func (j *joiner) root(i int) int {
	for j.parent[i] != i {
		j.parent[i] = j.parent[j.parent[i]]
		i = j.parent[i]
	}
	return i
}

// add links document i with those before it, which are no larger.
func (j *joiner) add(i int, set []uint64) {
	n := len(set)
	smallest := (9*n + 9) / 10
	var candidates []int32
	for at, e := range set[:n-smallest+1] {
		list := j.index[e]
		for len(list) > 0 && j.sizes[list[0].doc] < smallest { // so it is for all larger ones to come
			list = list[1:]
		}
		if len(list) != len(j.index[e]) {
			j.index[e] = list
		}
		for _, p := range list {
			m := j.sizes[p.doc]
			s := j.shared[p.doc]
			if s < 0 {
				continue
			}
			if s == 0 {
				candidates = append(candidates, p.doc)
			}
			j.shared[p.doc] = s + 1
			if int(s)+1+min(n-at-1, m-int(p.at)-1) < least(n, m) {
				j.shared[p.doc] = -1
			}
		}
	}
	slices.SortFunc(candidates, func(a, b int32) int { return cmp.Or(cmp.Compare(j.shared[b], j.shared[a]), cmp.Compare(a, b)) })
	for _, c := range candidates {
		if j.shared[c] > 0 && j.root(int(c)) != j.root(i) {
			j.compare(int(c), i)
		}
		j.shared[c] = 0
	}
	for at, e := range set[:n-least(n, n)+1] {
		j.index[e] = append(j.index[e], posting{int32(i), int32(at)})
	}
}

// compare links a and b if their grams say so.
func (j *joiner) compare(a, b int) {
	a, b = min(a, b), max(a, b)
	both, all := overlap(j.docs[a].Text, j.docs[b].Text)
	if 10*both >= 9*all {
		j.links = append(j.links, link{a, b, both, all})
		a, b = j.root(a), j.root(b)
		j.parent[max(a, b)] = min(a, b)
	}
}

// overlap is the distinct grams in both texts and in either.
func overlap(a, b string) (both, all int) {
	n := numbering{}
	in := map[[gramLength]uint32]uint8{} // 1: in a, 2: in b
	for i, text := range []string{a, b} {
		w := n.words(text, fnv)
		for at := range w.grams() {
			in[w.gram(at)] |= 1 << i
		}
	}
	for _, texts := range in {
		if texts == 3 {
			both++
		}
	}
	return both, len(in)
}

func (j *joiner) groups() []Group {
	slices.SortFunc(j.links, func(x, y link) int { return cmp.Or(cmp.Compare(x.a, y.a), cmp.Compare(x.b, y.b)) })
	at := map[int]int{}
	var groups []Group
	for i, d := range j.docs {
		r := j.root(i)
		g, ok := at[r]
		if !ok {
			g = len(groups)
			at[r] = g
			groups = append(groups, Group{})
		}
		groups[g].Docs = append(groups[g].Docs, d.Doc)
	}
	for _, l := range j.links {
		g := &groups[at[j.root(l.a)]]
		g.Links = append(g.Links, Link{j.docs[l.a].Doc, j.docs[l.b].Doc, l.both, l.all})
	}
	return slices.DeleteFunc(groups, func(g Group) bool { return len(g.Docs) < 2 })
}
