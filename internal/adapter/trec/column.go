package trec

import (
	"encoding/binary"
	"math/bits"
	"strconv"
	"strings"
)

// Columns of a line, from 0.
const (
	docColumn       = 2
	rankColumn      = 3
	scoreColumn     = 4
	relevanceColumn = 3
	runColumns      = 6
	qrelsColumns    = 4
)

// column is where a column of the present line stands in the text.
type column struct{ from, to int }

// column is the bytes of a column of the present line.
func (r *reader) column(i int) []byte { return r.text[r.columns[i].from:r.columns[i].to] }

// width is the number of columns that a line must have.
func (r *reader) width() int {
	if r.run {
		return runColumns
	}
	return qrelsColumns
}

// shape names them.
func (r *reader) shape() string {
	if r.run {
		return "6 columns: qid Q0 docid rank score tag"
	}
	return "4 columns: qid 0 docid relevance"
}

// split finds the columns of the line that begins at at. All are counted and
// the first of them kept; next is where the next line begins.
func (r *reader) split(at int) (n, next int) {
	text := r.text
	for {
		for at < len(text) && (text[at] == ' ' || text[at] == '\t') {
			at++
		}
		from := at
		at = columnEnd(text, at)
		end := at == len(text) || text[at] == '\n'
		to := at
		if end && at < len(text) && to > from && text[to-1] == '\r' {
			r.crlf = true
			to--
		}
		if to > from {
			r.columns[min(n, len(r.columns)-1)] = column{from, to}
			n++
		}
		if end {
			return n, min(at+1, len(text))
		}
	}
}

// columnEnd is the first place from at on that holds a blank, a tab or a line
// feed, or the end of text.
func columnEnd(text []byte, at int) int {
	for at+8 <= len(text) {
		// The lowest byte of w that is at most a blank, by borrows: the bit of a
		// byte above it may be set too, that of a byte below it never is.
		w := binary.LittleEndian.Uint64(text[at:])
		low := (w - 0x2121212121212121) & ^w & 0x8080808080808080
		if low == 0 {
			at += 8
			continue
		}
		at += bits.TrailingZeros64(low) / 8
		if separates(text[at]) {
			return at
		}
		at++
	}
	for at < len(text) && !separates(text[at]) {
		at++
	}
	return at
}

func separates(c byte) bool { return c == ' ' || c == '\n' || c == '\t' }

// integer reads an integer of at most 32 bits.
func integer(b []byte) (n int, ok bool) {
	long, err := strconv.ParseInt(string(b), 10, 32)
	return int(long), err == nil
}

// score reads a finite decimal number, rounded to the nearest float64.
func score(b []byte) (v float64, ok bool) {
	for _, c := range b {
		if strings.IndexByte("0123456789.-+eE", c) < 0 {
			return 0, false // strconv reads 0x1p3, 1_0, Inf and NaN too
		}
	}
	v, err := strconv.ParseFloat(string(b), 64)
	return v, err == nil
}
