package golden

import "slices"

// The samples. They are printed apart everywhere; a pooled figure does not exist.
// Where held-out questions are asked, they are samples of their own.
const (
	Representative  = "representative"
	Enriched        = "enriched"
	HeldOut         = "heldout"
	HeldOutEnriched = "heldout enriched"
)

// Samples are all samples, in the order in which they are printed.
func Samples() []string { return []string{Representative, Enriched, HeldOut, HeldOutEnriched} }

// IsHeldOut reports whether q is kept from tuning: left out unless asked for.
func (q *Question) IsHeldOut() bool { return q.Split == "heldout" }

// Asked is q as a run asks it: a held-out question in a sample of its own.
func (q *Question) Asked() *Question {
	if !q.IsHeldOut() {
		return q
	}
	asked := *q
	asked.Sample = HeldOut
	if q.Sample == Enriched {
		asked.Sample = HeldOutEnriched
	}
	return &asked
}

// Headline is the sample that headline figures are over: the first of Samples
// that has a question, so representative where it has one.
func Headline(questions []*Question) string {
	for _, sample := range Samples() {
		if slices.ContainsFunc(questions, func(q *Question) bool { return q.Sample == sample }) {
			return sample
		}
	}
	return Representative
}

// Clusters is the number of resampling units: the connected components of
// documents that questions' spans tie together, a question's own cluster where
// it names one, and for an unanswerable question its within, else itself
// (formats.md, cluster).
func Clusters(questions []*Question) map[*Question]string {
	parent := map[string]string{}
	var root func(string) string
	root = func(d string) string {
		if p, ok := parent[d]; ok && p != d {
			parent[d] = root(p)
			return parent[d]
		}
		parent[d] = d
		return d
	}
	join := func(docs []string) {
		for _, d := range docs {
			if a, b := root(docs[0]), root(d); a != b {
				parent[max(a, b)] = min(a, b)
			}
		}
	}
	docs := func(q *Question) []string {
		if q.Unanswerable {
			return q.Within
		}
		var out []string
		for _, set := range q.Support {
			for _, s := range set {
				out = append(out, s.Doc)
			}
		}
		return out
	}
	for _, q := range questions {
		if q.Cluster == "" {
			join(docs(q))
		}
	}
	clusters := map[*Question]string{}
	for _, q := range questions {
		switch d := docs(q); {
		case q.Cluster != "":
			clusters[q] = "cluster " + q.Cluster
		case len(d) > 0:
			clusters[q] = "document " + root(d[0])
		default:
			clusters[q] = "question " + q.QID
		}
	}
	return clusters
}
