package retriever

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"kerf/internal/pipeline/engine"
)

// Search asks a question, once more where the host answers it with an error. A host
// that cannot filter is asked for twice as many hits until enough of them fit.
func (h *Host) Search(ctx context.Context, index string, q engine.Query) ([]engine.Hit, error) {
	places, ok := h.indexes[index]
	switch {
	case !ok && h.failure == nil:
		panic(fmt.Sprintf("BUG: index %s was not built", index))
	case q.K < 1:
		panic(fmt.Sprintf("BUG: %d hits of question %s", q.K, q.QID))
	}
	if h.filter {
		hits, err := h.twice(ctx, index, q)
		if err != nil {
			return nil, err
		}
		for rank, hit := range hits {
			if why := outside(places[hit.ID], q); why != "" {
				return nil, refuse(request{op: "search", qid: q.QID}, engine.RuleFilter,
					"expected hits that the filter lets through, found %s in place %d: %s", quoted(hit.ID), rank+1, why)
			}
		}
		return hits, nil
	}
	wanted := q
	wanted.Docs, wanted.Reader = nil, nil
	for before := 0; ; {
		hits, err := h.twice(ctx, index, wanted)
		switch {
		case err != nil:
			return nil, err
		case len(hits) < before: // what is gone might fit: it would be a miss that is none
			return nil, refuse(request{op: "search", qid: q.QID}, engine.RuleK,
				"expected at least the %d hits of the same search with a smaller k, found %d with k %d", before, len(hits), wanted.K)
		}
		before = len(hits)
		more := len(hits) == wanted.K && wanted.K < len(places)
		hits = slices.DeleteFunc(hits, func(hit engine.Hit) bool { return outside(places[hit.ID], q) != "" })
		if len(hits) >= q.K || !more {
			return hits[:min(len(hits), q.K)], nil
		}
		wanted.K = min(2*wanted.K, len(places))
	}
}

// outside says why a chunk is no answer to q, "" where it may be one.
func outside(c place, q engine.Query) string {
	switch {
	case q.Docs != nil && !slices.Contains(q.Docs, c.doc):
		return "document " + quoted(c.doc) + " was not to be searched"
	case q.Reader != nil && c.readers != nil && !slices.ContainsFunc(c.readers, func(r string) bool { return slices.Contains(q.Reader, r) }):
		return "the reader may not read it"
	}
	return ""
}

// twice searches, and once more after an error of the host's own.
func (h *Host) twice(ctx context.Context, index string, q engine.Query) ([]engine.Hit, error) {
	hits, err := h.search(ctx, index, q)
	var refused *engine.Refused
	if errors.As(err, &refused) && refused.Rule == "" {
		hits, err = h.search(ctx, index, q)
	}
	return hits, err
}

func (h *Host) search(ctx context.Context, index string, q engine.Query) ([]engine.Hit, error) {
	at := h.next("search", q.QID, index)
	r, err := h.ask(ctx, at, searchRequest{at.op, at.seq, index + h.run, q.QID, q.Text, q.K, q.Reader, q.Docs})
	switch {
	case err != nil:
		return nil, err
	case r.QID == nil:
		return nil, h.fail(at, "the qid of the question", "none", nil)
	case *r.QID != q.QID:
		return nil, h.fail(at, "the reply to question "+quoted(q.QID), "one to question "+quoted(*r.QID), nil)
	case r.Hits == nil:
		return nil, h.fail(at, "hits, or [] for none", "no list of hits", nil)
	case len(r.Hits) > q.K:
		return nil, refuse(at, engine.RuleK, "expected at most %d hits, found %d", q.K, len(r.Hits))
	}
	hits, seen := make([]engine.Hit, len(r.Hits)), make(map[string]int, len(r.Hits))
	for i, hit := range r.Hits {
		if hit.ID == nil || hit.Score == nil {
			return nil, h.fail(at, "an id and a score in every hit", fmt.Sprintf("none in hit %d", i+1), nil)
		}
		id := *hit.ID
		if _, known := h.indexes[index][id]; !known {
			return nil, refuse(at, engine.RuleKnown, "expected chunks of index %s, found %s in place %d, which is none", index, quoted(id), i+1)
		}
		if first, twice := seen[id]; twice {
			return nil, refuse(at, engine.RuleRepeated, "expected each chunk once, found %s in places %d and %d", quoted(id), first, i+1)
		}
		seen[id] = i + 1
		hits[i] = engine.Hit{ID: id, Score: *hit.Score}
	}
	return hits, nil
}
