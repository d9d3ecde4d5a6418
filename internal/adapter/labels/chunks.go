package labels

import (
	"bytes"
	"fmt"

	"kerf/internal/finding"
	"kerf/internal/text/quote"
	"kerf/internal/text/span"
)

// chunkLine is a line of chunks/1; without offsets where none is proved.
type chunkLine struct {
	Doc     string `json:"doc"`
	ID      string `json:"id"`
	Text    string `json:"text"`
	Version string `json:"version,omitempty"`
	Start   *int   `json:"start,omitempty"`
	End     *int   `json:"end,omitempty"`
}

func (out *Imported) chunks(f *foreign, p *prover) {
	ids := map[string]bool{}
	before := map[string]span.Span{} // the last proved chunk of each document
	var b bytes.Buffer
	out.Chunks.Read, out.Chunks.Refused = f.chunks, f.chunks-len(f.Chunks)
	for _, ch := range f.Chunks {
		d, problem := p.document(ch.claim)
		switch {
		case problem == nil && ids[ch.ID]:
			problem = &finding.Finding{Code: CodeTwice, Message: "a chunk id that stands twice", Expected: "an id of its own for every chunk", Found: fmt.Sprintf("%q", ch.ID)}
		case problem == nil && ch.Quote == "":
			problem = &finding.Finding{Code: CodeNothing, Message: "a chunk without text", Found: fmt.Sprintf("%q", ch.ID)}
		}
		if problem != nil { // it cannot stand in a table
			out.add(ch.At, *problem)
			out.Chunks.Refused++
			continue
		}
		ids[ch.ID] = true
		row := chunkLine{Doc: ch.Doc, ID: ch.ID, Text: ch.Quote}
		var at span.Span
		if ch.Offset {
			at, problem = p.place(ch.claim, d)
		}
		if last, there := before[ch.Doc]; ch.Offset && problem == nil && there && at.Start <= last.Start {
			if all := quote.Find(d.Text, ch.Quote); len(all) > 1 {
				problem = &finding.Finding{Code: CodeOrder, Message: fmt.Sprintf("the text stands %d times in %s, and the offset is not behind that of the chunk before", len(all), ch.Doc),
					Expected: "chunks of one document in its order", Found: span.Span{Start: ch.Start, End: ch.End}.String(), Hint: "it stands at " + p.starts(d, all)}
			}
		}
		switch {
		case !ch.Offset:
			out.Chunks.Drafts++
		case problem != nil:
			out.add(ch.At, *problem)
			out.Chunks.Refused++
		default:
			out.Chunks.Proved++
			before[ch.Doc] = at
			start, end := p.codePoints(d, at)
			row.Version, row.Start, row.End = d.Version.Version, &start, &end
		}
		line(&b, row)
	}
	if b.Len() > 0 {
		out.Table = append([]byte("{\"kerf\":\"chunks/1\",\"unit\":\"codepoint\"}\n"), b.Bytes()...)
	}
}
