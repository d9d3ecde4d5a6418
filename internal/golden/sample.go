package golden

// The samples. They are printed apart everywhere; a pooled figure does not exist.
const (
	Representative = "representative"
	Enriched       = "enriched"
)

// Headline is the sample that headline figures are over: representative, or
// enriched where there is nothing else.
func Headline(questions []*Question) string {
	for _, q := range questions {
		if q.Sample != Enriched {
			return Representative
		}
	}
	if len(questions) == 0 {
		return Representative
	}
	return Enriched
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
