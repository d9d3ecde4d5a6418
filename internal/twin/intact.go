package twin

// Geometry counts, for one question, what one phase or several leave whole.
type Geometry struct {
	// Spans counts the distinct spans that lie whole in some chunk, Of all of
	// them, each once a phase.
	Spans, Of int
	// Sets counts the phases in which each span of some set lies whole in some
	// chunk, Hull those in which one chunk holds a whole set.
	Sets, Hull int
}

// Intact cuts the documents at their first cuts and gives one Geometry a question.
// Of p it reads FirstCut, FirstCuts, Size, Overlap, KeepContained and Window.
func Intact(docs []Document, questions []Question, p Params) []Geometry {
	chunks := map[string][]Chunk{}
	for _, d := range docs {
		chunks[d.ID] = cut(d, bounds(d.Text, p.Window), p)
	}
	return intact(chunks, questions)
}

// IntactAll is the sum of Intact over all first cuts 1 to Size-Overlap, the same in
// each document.
func IntactAll(docs []Document, questions []Question, p Params) []Geometry {
	bound := map[string][]int{}
	for _, d := range docs {
		bound[d.ID] = bounds(d.Text, p.Window)
	}
	total := make([]Geometry, len(questions))
	p.FirstCuts = nil
	for p.FirstCut = 1; p.FirstCut <= p.stride(); p.FirstCut++ {
		chunks := map[string][]Chunk{}
		for _, d := range docs {
			chunks[d.ID] = cut(d, bound[d.ID], p)
		}
		for i, g := range intact(chunks, questions) {
			total[i].Spans += g.Spans
			total[i].Of += g.Of
			total[i].Sets += g.Sets
			total[i].Hull += g.Hull
		}
	}
	return total
}

func intact(chunks map[string][]Chunk, questions []Question) []Geometry {
	out := make([]Geometry, len(questions))
	for i, q := range questions {
		whole := map[Evidence]bool{}
		sets, hull := 0, 0
		for _, set := range q.Support {
			all := 1
			for _, e := range set {
				whole[e] = false
				for _, c := range chunks[e.Doc] {
					whole[e] = whole[e] || c.holds(e)
					if holdsSet(c, Question{Support: [][]Evidence{set}}) {
						hull = 1
					}
				}
				if !whole[e] {
					all = 0
				}
			}
			sets = max(sets, all)
		}
		out[i] = Geometry{Of: len(whole), Sets: sets, Hull: hull}
		for _, yes := range whole {
			if yes {
				out[i].Spans++
			}
		}
	}
	return out
}
