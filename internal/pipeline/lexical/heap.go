package lexical

// scored is a chunk with its score.
type scored struct {
	score float64
	slot  int32
}

// worse is rank.Compare turned round: among equal scores the larger slot is
// worse, since slots ascend with document, start and end.
func (s scored) worse(t scored) bool {
	return s.score < t.score || s.score == t.score && s.slot > t.slot
}

// heap has its worst element first.
type heap []scored

// push adds s; at depth elements, depth > 0, s takes the place of the worst,
// which the caller knows to be worse.
func (h *heap) push(s scored, depth int) {
	if len(*h) == depth {
		(*h)[0] = s
		h.down()
		return
	}
	*h = append(*h, s)
	for i := len(*h) - 1; i > 0; {
		up := (i - 1) / 2
		if !(*h)[i].worse((*h)[up]) {
			return
		}
		(*h)[i], (*h)[up] = (*h)[up], (*h)[i]
		i = up
	}
}

// down restores the order after the first element was replaced.
func (h heap) down() {
	if len(h) == 0 {
		return
	}
	s, i := h[0], 0
	for {
		c := 2*i + 1
		if c >= len(h) {
			break
		}
		if c+1 < len(h) && h[c+1].worse(h[c]) {
			c++
		}
		if !h[c].worse(s) {
			break
		}
		h[i] = h[c]
		i = c
	}
	h[i] = s
}
