package trec

// plain reads lines as long as nothing about them is unusual: they are of the
// present query, one blank or tab stands between columns, numbers are well
// formed, ranks rise, and "\n" ends the line. Any other line is left to split and
// value, which would say the same of plain ones.
//
// A step that fails goes on at the end of the text, where no line ends.
func (r *reader) plain() {
	text, id, begin, rank, lines := r.text, r.now.id, r.at, r.now.rank, r.lines
	for id != "" {
		at := begin + len(id)
		if at > len(text) || string(text[begin:at]) != id {
			break
		}
		doc := gap(text, columnEnd(text, gap(text, at)))
		at = columnEnd(text, doc)
		l := line{at: uint32(doc), size: uint32(at - doc)}
		n, _, at := digits(text, gap(text, at), 9)
		if !r.run {
			l.value = float64(n)
		} else {
			if r.order == AsWritten && n <= rank {
				break
			}
			l.value, at = decimal(text, gap(text, at))
			at = columnEnd(text, gap(text, at))
		}
		if at == len(text) || text[at] != '\n' || text[at-1] == '\r' {
			break
		}
		r.number++
		l.number, l.hash = uint32(r.number), r.seed.hash(text[doc:doc+int(l.size)])
		lines = append(lines, l)
		begin = at + 1
		if r.run {
			rank = n
		}
	}
	r.any = r.any || begin > r.at
	r.at, r.lines, r.now.rank = begin, lines, rank
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
