package trec

import (
	"bytes"
	"encoding/binary"
	"slices"
)

// plain reads lines as long as they differ from the one before in nothing but
// document, rank, and score or relevance, and these are plain: parted by one blank
// or tab, numbers short and well formed, ranks rising. Any other line is left to
// split and value, which would say the same of plain ones.
func (r *reader) plain() {
	text, begin, rank, lines := r.text, r.at, r.now.rank, r.lines
	for len(r.head) > 0 && bytes.HasPrefix(text[begin:], r.head) {
		doc := begin + len(r.head)
		at := columnEnd(text, doc)
		size := at - doc
		n, places := digits(text, at+1)
		if size == 0 || places == 0 || !blank(text[at]) {
			break
		}
		at += 1 + places
		value := float64(n)
		if r.run {
			if r.order == AsWritten && int64(n) <= rank || !blank(text[at]) {
				break
			}
			value, at = decimal(text, at+1)
		}
		if len(text)-at < 8 || (binary.LittleEndian.Uint64(text[at:])^r.word)&r.mask != 0 ||
			len(r.tail) > 8 && !bytes.HasPrefix(text[at+8:], r.tail[8:]) {
			break
		}
		r.number++
		if len(lines) == cap(lines) {
			lines = slices.Grow(lines, 1)
		}
		lines = lines[:len(lines)+1]
		l := &lines[len(lines)-1] // written in place: a copy would wait for all of it
		l.value, l.number, l.at, l.size = value, uint32(r.number), uint32(doc), uint32(size)
		begin = at + len(r.tail)
		if r.run {
			rank = int64(n)
		}
	}
	r.any = r.any || begin > r.at
	r.at, r.lines, r.now.rank = begin, lines, rank
}

// pattern makes the present line, which next follows, the one that plain holds
// others against.
func (r *reader) pattern(next int) {
	value := relevanceColumn
	if r.run {
		value = scoreColumn
	}
	r.head = append(r.head[:0], r.text[r.begin:r.columns[docColumn].from]...)
	r.tail = append(r.tail[:0], r.text[r.columns[value].to:next]...)
	var first [8]byte
	n := copy(first[:], r.tail)
	r.word, r.mask = binary.LittleEndian.Uint64(first[:]), 1<<(8*n)-1
}

// blank reports whether c parts columns.
func blank(c byte) bool { return c == ' ' || c == '\t' }
