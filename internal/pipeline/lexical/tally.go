package lexical

// tally counts question terms chunk by chunk.
type tally struct {
	pairs   []pair  // of one chunk after another
	ends    []int32 // by slot: the end of its pairs
	lengths []int32 // by slot: terms
	having  []int32 // by term id: chunks that have it
	here    []int32 // by term id: occurrences in the chunk at hand
	seen    []int32 // the terms of the chunk at hand, each once: the first n
	n       int
}

// pair is a term of a chunk, and how often it is there.
type pair struct{ id, f int32 }

// open begins with nothing counted.
func (t *tally) open(chunks, terms int) {
	t.pairs = t.pairs[:0]
	t.ends, t.lengths = sized(t.ends, chunks), sized(t.lengths, chunks)
	t.having, t.here = resize(t.having, terms), resize(t.here, terms)
	t.seen = sized(t.seen, terms+1) // one more: a term seen again is written behind the last
}

// countAll counts terms for the chunk at hand.
func countAll[ID uint16 | int32](t *tally, ids []ID) {
	seen, here, n := t.seen, t.here, t.n
	for _, id := range ids {
		seen[n] = int32(id)
		before := here[id]
		here[id] = before + 1
		n += int(uint32(before-1) >> 31) // 1 if it was 0: nobody could predict a branch here
	}
	t.n = n
}

// one counts one term of the chunk at hand.
func (t *tally) one(id int32) { countAll(t, []int32{id}) }

// close ends the chunk at hand, the one in this slot, of so many terms.
func (t *tally) close(slot, length int) {
	pairs, here, having := t.pairs, t.here, t.having
	for _, id := range t.seen[:t.n] {
		pairs = append(pairs, pair{id, here[id]})
		having[id]++
		here[id] = 0
	}
	t.pairs, t.n = pairs, 0
	t.ends[slot], t.lengths[slot] = int32(len(t.pairs)), int32(length)
}

// of is what was counted in the chunk in this slot.
func (t *tally) of(slot int32) []pair {
	from := int32(0)
	if slot > 0 {
		from = t.ends[slot-1]
	}
	return t.pairs[from:t.ends[slot]]
}

// drop ends the chunk at hand, calling f with its terms, and does not keep it.
func (t *tally) drop(f func(id, n int32)) {
	for _, id := range t.seen[:t.n] {
		f(id, t.here[id])
		t.here[id] = 0
	}
	t.n = 0
}
