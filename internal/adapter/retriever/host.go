// Package retriever is an engine that is another program, asked over retriever/1
// (docs/format/retriever.md): as a process over its standard input and output, or
// as a server over HTTP.
//
// Nothing of the host is trusted: every reply is bounded, in time as well, and held
// against the request; every hit must be a chunk that was indexed. Texts of the host
// in errors are not escaped.
package retriever

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"kerf/internal/pipeline/engine"
)

// What one batch of index holds at the most; a longer chunk is a batch of its own.
const (
	batchChunks = 256
	batchText   = 4 << 20 // bytes
)

// Limits bound a host.
type Limits struct {
	Hello  time.Duration // for the reply to hello
	Index  time.Duration // for the reply to a batch
	Search time.Duration // for the reply to search, drop and bye
	End    time.Duration // for the process to end after bye, and after SIGTERM
	Reply  int           // bytes of a reply
}

// Default are the limits of the page.
func Default() Limits {
	return Limits{Hello: 60 * time.Second, Index: 300 * time.Second, Search: 60 * time.Second, End: 5 * time.Second, Reply: 16 << 20}
}

// Within are the limits with d for every reply; 0 changes nothing.
func (l Limits) Within(d time.Duration) Limits {
	if d > 0 {
		l.Hello, l.Index, l.Search = d, d, d
	}
	return l
}

// transport carries one request after another to a host.
type transport interface {
	// exchange sends a line and waits for the one that answers it. A *engine.Refused
	// says that this request failed; any other error, that there is no host any more.
	// What was found instead of a reply is the text of the error.
	exchange(ctx context.Context, request []byte) ([]byte, error)
	// end waits until the host that has said bye is gone.
	end(ctx context.Context) error
	// stop ends the host, by force if need be, and waits until it is gone. Its last
	// words on standard error are returned.
	stop() string
	// hide is a text for an error, without secrets that the host may have sent back.
	hide(text string) string
}

// Host is an engine over retriever/1. It is used by one goroutine at a time.
type Host struct {
	transport transport
	limits    Limits
	seq       int
	identity  engine.Identity
	filter    bool
	run       string                      // what index names end with where the host serves several runs
	indexes   map[string]map[string]place // index, id
	failure   error                       // why it was stopped
}

// place is what must be known of a chunk to judge a hit.
type place struct {
	doc     string
	readers []string
}

var _ engine.Engine = (*Host)(nil)

// request names what is asked, for errors.
type request struct {
	op, qid, index string
	seq            int
}

// open begins the conversation.
func open(ctx context.Context, t transport, limits Limits) (*Host, error) {
	h := &Host{transport: t, limits: limits, indexes: map[string]map[string]place{}}
	if err := h.hello(ctx); err != nil {
		return nil, err // it has been stopped
	}
	return h, nil
}

func (h *Host) hello(ctx context.Context) error {
	at := h.next("hello", "", "")
	r, err := h.ask(ctx, at, helloRequest{at.op, at.seq, kind, []int{version}})
	var refused *engine.Refused
	if errors.As(err, &refused) {
		return h.fail(at, fmt.Sprintf("version %d", version), "the error "+quoted(refused.Reason), nil)
	}
	switch {
	case err != nil:
		return err
	case r.Version == nil:
		return h.fail(at, "a version", "none", nil)
	case *r.Version != version:
		return h.fail(at, fmt.Sprintf("version %d, the only one that was offered", version), fmt.Sprintf("version %d", *r.Version), nil)
	case r.Name == nil || *r.Name == "":
		return h.fail(at, "a name", "none", nil)
	}
	if r.Settings != nil {
		if err := r.Settings.Canonicalize(); err != nil {
			return h.fail(at, "settings that are JSON", err.Error(), nil)
		}
	}
	slices.Sort(r.Capabilities)
	h.identity = engine.Identity{Name: *r.Name, Model: r.Model, Settings: string(r.Settings), Capabilities: slices.Compact(r.Capabilities)}
	h.filter = slices.Contains(h.identity.Capabilities, "filter")
	return nil
}

// Identity is what the host said of itself.
func (h *Host) Identity() engine.Identity { return h.identity }

// Index sends the chunks in batches.
func (h *Host) Index(ctx context.Context, index, arm, label string, chunks []engine.Chunk) error {
	delete(h.indexes, index) // until all of them are there
	places := make(map[string]place, len(chunks))
	for _, c := range chunks {
		places[c.ID] = place{c.Doc, c.Readers}
	}
	if len(places) != len(chunks) {
		panic(fmt.Sprintf("BUG: %d chunks with %d ids in index %s", len(chunks), len(places), index))
	}
	for sent, first := 0, true; first || sent < len(chunks); first = false {
		batch := next(chunks[sent:])
		sent += len(batch)
		at := h.next("index", "", index)
		r, err := h.ask(ctx, at, indexRequest{at.op, at.seq, index + h.run, arm, label, first, batch, sent == len(chunks)})
		switch {
		case err != nil:
			return err
		case r.Chunks == nil:
			return h.fail(at, "chunks, how many the index holds", "none", nil)
		case *r.Chunks != sent:
			return refuse(at, engine.RuleCount, "expected %d chunks in index %s after this batch, found %d", sent, index, *r.Chunks)
		}
	}
	h.indexes[index] = places
	return nil
}

// next is the batch that chunks begin with.
func next(chunks []engine.Chunk) []chunk {
	batch, text := []chunk{}, 0
	for _, c := range chunks {
		if text += len(c.Text); len(batch) == batchChunks || len(batch) > 0 && text > batchText {
			break
		}
		batch = append(batch, chunk{c.ID, c.Doc, c.Start, c.End, c.Text, c.Readers})
	}
	return batch
}

// Drop forgets an index.
func (h *Host) Drop(ctx context.Context, index string) error {
	delete(h.indexes, index)
	at := h.next("drop", "", index)
	_, err := h.ask(ctx, at, dropRequest{at.op, at.seq, index + h.run})
	return err
}

// Close says bye and ends the host, whatever happens. One that does not end by
// itself with status 0 is a *Failure. Close of a host that has failed or was closed
// returns nil: it is gone, and that was said.
func (h *Host) Close(ctx context.Context) error {
	if h.failure != nil {
		return nil
	}
	at := h.next("bye", "", "")
	_, err := h.ask(ctx, at, byeRequest{at.op, at.seq})
	var refused *engine.Refused
	if err != nil && !errors.As(err, &refused) {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, h.limits.End, fmt.Errorf("none after %v", h.limits.End))
	defer cancel()
	if err := h.transport.end(ctx); err != nil {
		return h.fail(at, "the end of the host, with status 0", err.Error(), err)
	}
	h.failure = errors.New("the host has ended")
	return nil
}

func (h *Host) next(op, qid, index string) request {
	h.seq++
	return request{op, qid, index, h.seq}
}

// ask sends a request and holds the reply against it.
func (h *Host) ask(ctx context.Context, at request, message any) (reply, error) {
	if h.failure != nil {
		return reply{}, fmt.Errorf("%s: nothing more is asked: %w", at.op, h.failure)
	}
	limit := h.limits.Search
	switch at.op {
	case "hello":
		limit = h.limits.Hello
	case "index":
		limit = h.limits.Index
	}
	ctx, cancel := context.WithTimeoutCause(ctx, limit, fmt.Errorf("none after %v", limit))
	defer cancel()
	b, err := h.transport.exchange(ctx, line(message))
	var refused *engine.Refused
	switch {
	case errors.As(err, &refused):
		refused.Op, refused.QID, refused.Reason = at.op, at.qid, h.transport.hide(refused.Reason)
		return reply{}, refused
	case err != nil:
		return reply{}, h.fail(at, "a reply", err.Error(), err)
	}
	r, err := decode(b)
	switch {
	case err != nil:
		return r, h.fail(at, "a reply", err.Error()+" (standard output is for replies alone, messages belong to standard error)", nil)
	case r.Op != at.op || r.Seq != at.seq:
		return r, h.fail(at, fmt.Sprintf("the reply to %s %d", at.op, at.seq), fmt.Sprintf("one to %s %d", quoted(r.Op), r.Seq), nil)
	case r.Error != nil:
		return r, &engine.Refused{Op: at.op, QID: at.qid, Reason: h.transport.hide(*r.Error)}
	}
	return r, nil
}

// fail stops the host and says why.
func (h *Host) fail(at request, expected, found string, cause error) error {
	f := &Failure{Op: at.op, Seq: at.seq, QID: at.qid, Index: at.index, Expected: expected, Found: h.transport.hide(found), cause: cause}
	again := *f
	h.failure = &again // its last words are said once, not with each request that is not sent
	f.Stderr = h.transport.stop()
	return f
}

func refuse(at request, rule, format string, args ...any) error {
	return &engine.Refused{Op: at.op, QID: at.qid, Rule: rule, Reason: fmt.Sprintf(format, args...)}
}
