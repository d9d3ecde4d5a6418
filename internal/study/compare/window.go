package compare

import (
	"math/big"
	"strconv"

	"kerf/internal/pipeline/pack"
	"kerf/internal/pipeline/split"
	"kerf/internal/stats"
	"kerf/internal/study/geometry"
	"kerf/internal/study/plan"
	"kerf/internal/text/span"
	"kerf/internal/verdict"
)

// Windows is the splitter of an arm.
func Windows(a plan.Arm) split.Windows {
	return split.Windows{Size: a.Split.Size, Overlap: a.Split.Overlap, Edge: split.Edge(a.Split.Edge)}
}

// geometry is what the cuts alone do, over all S phases; of cuts that do not move
// over the one that there is.
func (in Facts) geometry(p Planning, asked []int) (Geometry, error) {
	a := p.Arm
	if a.IsControl() {
		chunks, err := in.chunks(p, 0)
		if chunks == nil {
			return Geometry{}, err
		}
		return in.fixed(chunks, asked), nil
	}
	tables, err := in.Tables(a.Split.Tokenizer)
	if err != nil {
		return Geometry{}, err
	}
	var evidence []verdict.Evidence
	for _, i := range asked {
		evidence = append(evidence, in.Evidence[i])
	}
	t := geometry.Take(Windows(a), tables, evidence, geometry.All(a.Stride())).Total
	return Geometry{stats.Measured(t.Spans), stats.Measured(t.Sets), stats.Measured(t.Hull)}, nil
}

// indexed calls f with every chunk that the index of an arm holds at the
// ordinary cuts, in order; known is false where nothing is known of them.
func (in Facts) indexed(p Planning, f func(doc int, c split.Chunk)) (known bool, err error) {
	chunks, err := in.chunks(p, len(p.Phases)-1)
	if chunks == nil {
		return false, err
	}
	for d := range in.Documents {
		for _, c := range chunks(d) {
			if c.State == split.Emitted && !split.Blank(in.Documents[d].Text[c.Start:c.End]) {
				f(d, c)
			}
		}
		in.Passed(len(in.Documents[d].Text))
	}
	return true, nil
}

// cost is the index at the ordinary cuts: what a deployed index would hold is
// each chunk's text and its id, written DOC:START-END; BM25 has no vectors, and of
// another engine's nothing is known. Chunks of a table have no tokens of an arm.
func (in Facts) cost(p Planning) (Cost, error) {
	a := p.Arm
	units, tokens, unique, bytes := 0, 0, 0, 0
	doc, end := -1, 0
	known, err := in.indexed(p, func(d int, c split.Chunk) {
		if d != doc {
			doc, end = d, 0
		}
		units++
		tokens += c.Last - c.First
		unique += max(0, c.Last-max(end, c.First))
		end = max(end, c.Last)
		bytes += c.Len() + len(in.Documents[d].Doc) + len(":-") + digits(c.Start) + digits(c.End)
	})
	if !known {
		return Cost{}, err
	}
	once := CostOnce{IndexedUnits: stats.Measured(units)}
	if a.Retrieve.By == "bm25" {
		once.IndexBytes = stats.Measured(bytes)
	}
	if a.IsControl() {
		return Cost{Once: once}, nil
	}
	once.UniqueTokens, once.RepeatedTokens, once.Limit = stats.Measured(unique), stats.Measured(tokens-unique), stats.Measured(a.Split.Limit().RatString())
	if unique > 0 {
		once.Multiplier = stats.Measured(big.NewRat(int64(tokens), int64(unique)).RatString())
	}
	return Cost{Once: once}, nil
}

func digits(n int) int { return len(strconv.Itoa(n)) }

// tooLarge counts the chunks, at the ordinary cuts, that alone are more than the
// budget holds.
func (in Facts) tooLarge(p Planning) (stats.Count, error) {
	var c stats.Count
	b := in.Experiment.Budget
	counter, err := in.Tables(b.Tokenizer)
	if err != nil {
		return c, err
	}
	format := pack.Format(b.Format)
	_, err = in.indexed(p, func(d int, chunk split.Chunk) {
		before, after := format.Before(1, in.Documents[d].Doc), format.After()
		// No tokenizer makes more tokens than there are bytes.
		c.Add(len(before)+chunk.Len()+len(after) > b.Tokens && counter[d].CountSlice(before, chunk.Span, after) > b.Tokens)
	})
	return c, err
}

// line is the line of a byte, from 1.
func line(text string, at int) int {
	n := 1
	for _, c := range []byte(text[:at]) {
		if c == '\n' {
			n++
		}
	}
	return n
}

// hull is the smallest span around some spans.
func hull(spans []span.Span) span.Span {
	h := spans[0]
	for _, s := range spans[1:] {
		h.Start, h.End = min(h.Start, s.Start), max(h.End, s.End)
	}
	return h
}
