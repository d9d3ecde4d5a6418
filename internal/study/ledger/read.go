package ledger

import (
	"encoding/binary"
	"fmt"
	"math"
)

// file is an opened ledger file. Reading trusts nothing: sizes and counts are
// checked against the bytes that are there before memory is taken for them.
type file struct {
	b      []byte
	table  string
	rows   int
	chunks []value // column metadata
}

// A file may claim this many rows a byte, and some more: the longest runs that
// kerf's encodings make of real rows stay far below.
const (
	rowsPerByte = 8
	rowsFree    = 1024
)

func open(b []byte) (*file, error) {
	const tail = 4 + len(magic)
	if len(b) < len(magic)+tail || string(b[:len(magic)]) != magic || string(b[len(b)-len(magic):]) != magic {
		return nil, fmt.Errorf("not a whole Parquet file (%d bytes)", len(b))
	}
	size := int64(binary.LittleEndian.Uint32(b[len(b)-tail:]))
	if size > int64(len(b)-tail-len(magic)) {
		return nil, fmt.Errorf("a footer of %d bytes in a file of %d", size, len(b))
	}
	end := len(b) - tail
	r := reader{b: b[end-int(size) : end]}
	footer := r.value(thriftStruct, 0)
	if r.err != nil {
		return nil, fmt.Errorf("footer: %w", r.err)
	}
	f := &file{b: b}
	format := ""
	for _, kv := range footer.get(5).parts {
		switch string(kv.get(1).b) {
		case "kerf":
			format = string(kv.get(2).b)
		case "table":
			f.table = string(kv.get(2).b)
		}
	}
	if format != formatName {
		return nil, fmt.Errorf("not a %s file (it says %q)", formatName, format)
	}
	rows := footer.get(3).n
	if rows < 0 || rows > rowsFree+rowsPerByte*int64(len(b)) {
		return nil, fmt.Errorf("%d rows in %d bytes", rows, len(b))
	}
	f.rows = int(rows)
	groups := footer.get(4).parts
	if rows == 0 && len(groups) == 0 {
		return f, nil
	}
	if len(groups) != 1 || groups[0].get(3).n != rows {
		return nil, fmt.Errorf("%d row groups where one of %d rows belongs", len(groups), rows)
	}
	for _, c := range groups[0].get(1).parts {
		f.chunks = append(f.chunks, c.get(3))
	}
	return f, nil
}

// chunk is one column's pages and the number of rows that they must hold.
type chunk struct {
	pages reader
	rows  int
}

// column is the chunk of a column, checked to be stored as kind k is.
func (f *file) column(name string, k kind) (*chunk, error) {
	if f.chunks == nil && f.rows == 0 {
		return &chunk{}, nil
	}
	physical, _ := k.storage()
	for _, m := range f.chunks {
		path := m.get(3).parts
		if len(path) != 1 || string(path[0].b) != name {
			continue
		}
		start := m.get(9).n
		if k == kindText {
			start = m.get(11).n
		}
		size := m.get(7).n
		switch {
		case m.get(1).n != int64(physical):
			return nil, fmt.Errorf("is of type %d, not %d", m.get(1).n, physical)
		case m.get(4).n != 0:
			return nil, fmt.Errorf("is compressed (codec %d)", m.get(4).n)
		case m.get(5).n != int64(f.rows):
			return nil, fmt.Errorf("has %d values for %d rows", m.get(5).n, f.rows)
		case start < 0 || size < 0 || start > int64(len(f.b)) || size > int64(len(f.b))-start:
			return nil, fmt.Errorf("lies outside the file")
		}
		return &chunk{pages: reader{b: f.b[start : start+size]}, rows: f.rows}, nil
	}
	return nil, fmt.Errorf("is not there")
}

// page is the next page: its kind, values and body. The encoding must be the
// one that kerf writes.
func (c *chunk) page(wantKind, wantEncoding int) (values int, body []byte, err error) {
	head := c.pages.value(thriftStruct, 0)
	inner := head.get(5)
	if wantKind == pageDictionary {
		inner = head.get(7)
	}
	body = c.pages.take(int(max(-1, min(head.get(3).n, math.MaxInt32))))
	if c.pages.err != nil {
		return 0, nil, c.pages.err
	}
	n := inner.get(1).n
	switch {
	case head.get(1).n != int64(wantKind) || inner.get(2).n != int64(wantEncoding):
		return 0, nil, fmt.Errorf("page of kind %d with encoding %d where kind %d with encoding %d belongs",
			head.get(1).n, inner.get(2).n, wantKind, wantEncoding)
	case n < 0 || n > math.MaxInt32:
		return 0, nil, fmt.Errorf("page of %d values", n)
	}
	return int(n), body, nil
}

// data calls decode for each data page with the rows before it.
func (c *chunk) data(encoding int, decode func(from, n int, body []byte) error) error {
	for at := 0; at < c.rows; {
		n, body, err := c.page(pageData, encoding)
		if err == nil && (n == 0 || n > c.rows-at) {
			err = fmt.Errorf("page of %d values at row %d of %d", n, at, c.rows)
		}
		if err == nil {
			err = decode(at, n, body)
		}
		if err != nil {
			return err
		}
		at += n
	}
	if c.pages.at != len(c.pages.b) {
		return fmt.Errorf("%d bytes after the last page", len(c.pages.b)-c.pages.at)
	}
	return nil
}

func (c *chunk) codes(each func(i int, word string) error) error {
	if c.rows == 0 {
		return nil
	}
	n, body, err := c.page(pageDictionary, encodingPlain)
	if err != nil {
		return err
	}
	words := make([]string, 0, min(n, len(body)/4))
	err = sized(body, n, func(_ int, word []byte) { words = append(words, string(word)) })
	if err != nil {
		return fmt.Errorf("dictionary: %w", err)
	}
	return c.data(encodingRLEDict, func(from, n int, body []byte) error {
		if len(body) == 0 {
			return errShort
		}
		_, err := decodeHybrid(body[1:], n, int(body[0]), func(i, code int) error {
			if code >= len(words) {
				return fmt.Errorf("code %d of %d words", code, len(words))
			}
			return each(from+i, words[code])
		})
		return err
	})
}

// sized reads exactly n byte arrays, each after its length.
func sized(body []byte, n int, each func(i int, b []byte)) error {
	r := reader{b: body}
	for i := range n {
		head := r.take(4)
		if r.err != nil {
			return r.err
		}
		b := r.take(int(min(binary.LittleEndian.Uint32(head), math.MaxInt32)))
		if r.err != nil {
			return r.err
		}
		each(i, b)
	}
	if r.at != len(body) {
		return fmt.Errorf("%d bytes after the last value", len(body)-r.at)
	}
	return nil
}

func (c *chunk) ints(each func(i int, v int64) error) error {
	return c.data(encodingDelta, func(from, n int, body []byte) error {
		return decodeDelta(body, n, func(i int, v int64) error { return each(from+i, v) })
	})
}

func (c *chunk) maybes(each func(i int, v int64) error) error {
	return c.data(encodingDelta, func(from, n int, body []byte) error {
		if len(body) < 4 {
			return errShort
		}
		size := int64(binary.LittleEndian.Uint32(body))
		if size > int64(len(body)-4) {
			return errShort
		}
		levels, values := body[4:4+size], body[4+size:]
		var present []int
		_, err := decodeHybrid(levels, n, 1, func(i, level int) error {
			if level == 1 {
				present = append(present, i)
			}
			return nil
		})
		if err != nil {
			return err
		}
		return decodeDelta(values, len(present), func(i int, v int64) error { return each(from+present[i], v) })
	})
}

func (c *chunk) doubles(each func(i int, v float64)) error {
	return c.data(encodingPlain, func(from, n int, body []byte) error {
		if len(body) != 8*n {
			return errShort
		}
		for i := range n {
			each(from+i, math.Float64frombits(binary.LittleEndian.Uint64(body[8*i:])))
		}
		return nil
	})
}

func (c *chunk) bools(each func(i int, v bool)) error {
	return c.data(encodingPlain, func(from, n int, body []byte) error {
		if len(body) != (n+7)/8 {
			return errShort
		}
		for i := range n {
			each(from+i, body[i/8]>>(i%8)&1 == 1)
		}
		return nil
	})
}

func (c *chunk) literals(each func(i int, v string)) error {
	return c.data(encodingPlain, func(from, n int, body []byte) error {
		return sized(body, n, func(i int, b []byte) { each(from+i, string(b)) })
	})
}
