package conform

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"kerf/internal/pipeline/engine"
)

// filters asks within documents and for readers. What does not fit is refused by the
// retriever; a host without the capability is filtered by kerf.
func (s *session) filters(ctx context.Context, asked []engine.Query) (string, error) {
	var filtered []engine.Query
	for i, q := range asked {
		q.QID += "-filtered"
		q.Docs = [][]string{nil, {"workshop.md"}, {"archive.md", "greenhouse.md"}, {"no such.md"}, {}}[i%5]
		q.Reader = [][]string{{"public"}, nil, {"board"}, {"public", "staff"}}[i%4]
		filtered = append(filtered, q)
	}
	if _, err := s.ask(ctx, libraryIndex, filtered); err != nil {
		return "", err
	}
	if !slices.Contains(s.report.Identity.Capabilities, "filter") {
		return fmt.Sprintf("the host has no filter, so kerf filters: %d questions within documents and for readers", len(filtered)), nil
	}
	return fmt.Sprintf("%d questions within documents and for readers have no other hits", len(filtered)), nil
}

// own are questions for chunks by their own texts.
func own(chunks []engine.Chunk, k int) (out []engine.Query) {
	for _, c := range chunks {
		out = append(out, engine.Query{QID: c.ID, Text: c.Text, K: k})
	}
	return out
}

// deletes drops an index, builds it without some of its chunks, and asks for those;
// then builds another in place of it, and drops that twice.
func (s *session) deletes(ctx context.Context, chunks []engine.Chunk) (string, error) {
	const index = "kerf-doctor-deleted"
	gone, left := chunks[:10], chunks[10:]
	for _, step := range []struct {
		drop        bool
		index, asks []engine.Chunk
	}{{false, chunks, gone}, {true, left, gone}, {false, gone, left[:10]}} {
		if step.drop {
			if err := s.host.Drop(ctx, index); err != nil {
				return "", err
			}
		}
		if err := s.host.Index(ctx, index, "doctor", "1/8", step.index); err != nil {
			return "", err
		}
		if _, err := s.ask(ctx, index, own(step.asks, len(chunks))); err != nil {
			return "", err
		}
	}
	if err := s.host.Drop(ctx, index); err != nil {
		return "", err
	}
	return "chunks of an index that was dropped, or built again under its name, do not come back", s.host.Drop(ctx, index)
}

// sideBySide asks each of two indexes for what the other has, and one of them when
// the other has been dropped.
func (s *session) sideBySide(ctx context.Context, a, b []engine.Chunk) (string, error) {
	const one, other = "kerf-doctor-one", "kerf-doctor-other"
	if err := s.host.Index(ctx, one, "doctor", "1/8", a); err != nil {
		return "", err
	}
	if err := s.host.Index(ctx, other, "doctor", "2/8", b); err != nil {
		return "", err
	}
	for _, step := range []struct {
		index string
		asks  []engine.Chunk
	}{{one, b[:5]}, {other, a[:5]}} {
		if _, err := s.ask(ctx, step.index, own(step.asks, 80)); err != nil {
			return "", err
		}
	}
	before, err := s.ask(ctx, other, own(b[:5], 5))
	if err == nil {
		err = s.host.Drop(ctx, one)
	}
	if err != nil {
		return "", err
	}
	after, err := s.ask(ctx, other, own(b[:5], 5))
	if err != nil {
		return "", err
	}
	if n := noise("", before, after); n.Differ > 0 {
		return "", fmt.Errorf("expected the same hits when another index has been dropped, found others in %d of %d questions", n.Differ, n.Questions)
	}
	return "two indexes do not mix, and one stays when the other is dropped", s.host.Drop(ctx, other)
}

// texts indexes strange ones among ordinary ones and asks every strange one by
// itself. Whether it is found is counted: an engine need not.
func (s *session) texts(ctx context.Context, ordinary []engine.Chunk) (string, error) {
	const index = "kerf-doctor-texts"
	chunks := append(strange(), ordinary...)
	if err := s.host.Index(ctx, index, "doctor", "3/8", chunks); err != nil {
		return "", err
	}
	found, err := s.ask(ctx, index, own(chunks, 10))
	if err != nil {
		return "", err
	}
	s.report.Own = Own{K: 10, Asked: len(chunks)}
	for i, ids := range found {
		if slices.Contains(ids, chunks[i].ID) {
			s.report.Own.Found++
		}
	}
	return fmt.Sprintf("%d texts with emoji, marks, right-to-left, CJK, controls and separators are indexed and asked", len(strange())), s.host.Drop(ctx, index)
}

// nothing asks questions that have no words, or words that no chunk has.
func (s *session) nothing(ctx context.Context) (string, error) {
	var asked []engine.Query
	for i, text := range []string{"", "   ", "?", "zzyzx qwrtlfx", strings.Repeat("many words ", 2000)} {
		asked = append(asked, engine.Query{QID: fmt.Sprintf("nothing-%d", i+1), Text: text, K: 10})
	}
	_, err := s.ask(ctx, libraryIndex, asked)
	var refused *engine.Refused
	if errors.As(err, &refused) {
		err = fmt.Errorf("expected hits or none, but no error, where there is nothing to find: %w", err)
	}
	return "questions without words, with unknown words and with many are answered", err
}
