package trec

// plain reads the line that begins at at if nothing about it is unusual: it is
// of the present query, one blank or tab stands between its columns, its numbers
// are well formed, its rank is above the last one, and "\n" ends it. Otherwise
// ok is false, nothing has changed, and the line is read by split and value,
// which say the same of a plain line.
//
// A step that fails goes on at the end of the text, where no line ends.
func (r *reader) plain(at int) (l line, next int, ok bool) {
	text, id := r.text, r.now.id
	if at += len(id); id == "" || at > len(text) || string(text[at-len(id):at]) != id {
		return l, 0, false
	}
	doc := gap(text, columnEnd(text, gap(text, at)))
	at = columnEnd(text, doc)
	l.at, l.size = uint32(doc), uint32(at-doc)
	rank, _, at := digits(text, gap(text, at), 9)
	if !r.run {
		l.value = float64(rank)
		return l, at + 1, at < len(text) && text[at] == '\n'
	}
	if l.value, at = decimal(text, gap(text, at)); r.order == AsWritten && rank <= r.now.rank {
		return l, 0, false
	}
	at = columnEnd(text, gap(text, at))
	if at == len(text) || text[at] != '\n' || text[at-1] == '\r' {
		return l, 0, false
	}
	if r.order == AsWritten {
		r.now.rank = rank
	}
	return l, at + 1, true
}

// gap is where the column begins that one blank or tab parts from what ends at at.
func gap(text []byte, at int) int {
	if at+1 < len(text) && (text[at] == ' ' || text[at] == '\t') && text[at+1] > ' ' {
		return at + 1
	}
	return len(text)
}

// digits reads at least one and at most most digits from at on.
func digits(text []byte, at, most int) (n, size, end int) {
	from := at
	for at < len(text) && text[at]-'0' <= 9 {
		n = n*10 + int(text[at]-'0')
		at++
	}
	if size = at - from; size == 0 || size > most {
		return 0, 0, len(text)
	}
	return n, size, at
}

// decimal reads a finite decimal number. Up to 15 digits and their power of ten
// are exact in a float64, so that the quotient is the nearest one (Clinger 1990);
// other numbers go to strconv.
func decimal(text []byte, at int) (v float64, end int) {
	from, sign := at, 1.0
	if at < len(text) && text[at] == '-' {
		at, sign = at+1, -1
	}
	whole, size, at := digits(text, at, 15)
	v = float64(whole)
	if at < len(text) && text[at] == '.' {
		part, places, end := digits(text, at+1, 15-size)
		v, at = float64(whole*int(powers[places])+part)/powers[places], end
	}
	if at == len(text) || !separates(text[at]) {
		at = columnEnd(text, from)
		var ok bool
		if v, ok = score(text[from:at]); !ok {
			return 0, len(text)
		}
		return v, at
	}
	return sign * v, at
}

// powers of ten: 15 digits are exact in a float64, and so are these.
var powers = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14}
