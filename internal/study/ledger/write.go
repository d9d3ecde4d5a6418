package ledger

import (
	"bytes"
	"encoding/binary"
	"math"
	mathbits "math/bits"
	"slices"
)

// What the format calls things (parquet.thrift of parquet-format).
const (
	magic = "PAR1"

	typeBoolean   = 0
	typeInt64     = 2
	typeDouble    = 5
	typeByteArray = 6

	encodingPlain   = 0
	encodingRLE     = 3
	encodingDelta   = 5
	encodingRLEDict = 8

	pageData       = 0
	pageDictionary = 2

	repetitionRequired = 0
	repetitionOptional = 1
	convertedUTF8      = 0
)

// storage is the physical type and the encoding of a kind.
func (k kind) storage() (physical, encoding int) {
	switch k {
	case kindText:
		return typeByteArray, encodingRLEDict
	case kindInt, kindMaybe:
		return typeInt64, encodingDelta
	case kindDouble:
		return typeDouble, encodingPlain
	case kindBool:
		return typeBoolean, encodingPlain
	}
	return typeByteArray, encodingPlain
}

// Pages end after this many rows, or where their literal bytes pass the limit.
const (
	pageRows  = 1 << 16
	pageBytes = 1 << 20
)

// writer makes one file: one row group, its column chunks in order, footer.
// Nothing is compressed: the codecs' output depends on the processor, and what
// compresses well here (names, ordinals, offsets) is packed by its encoding.
type writer struct {
	*Scratch
	table    string
	rows     int
	elements [][]byte // schema elements
	chunks   [][]byte // column chunks
}

// Scratch is memory that one goroutine uses for one file after the other: with
// one, a cell's tables cost an allocation each. The zero value is ready.
type Scratch struct {
	out, page []byte
	dict      dict
	values    []int64
}

// dict gives each distinct text a code, in the order of first appearance.
type dict struct {
	index map[string]int32
	words []string
	codes []int32
	last  string
	code  int32
}

func (d *dict) add(s string) {
	if len(d.codes) == 0 || s != d.last {
		code, ok := d.index[s]
		if !ok {
			code = int32(len(d.words))
			d.index[s] = code
			d.words = append(d.words, s)
		}
		d.last, d.code = s, code
	}
	d.codes = append(d.codes, d.code)
}

// dictionary is an empty dictionary; it is the writer's own and used again.
func (w *writer) dictionary() *dict {
	d := &w.dict
	if d.index == nil {
		d.index = map[string]int32{}
	}
	clear(d.index)
	clear(d.words)
	d.words, d.codes = d.words[:0], slices.Grow(d.codes[:0], w.rows)
	return d
}

func (w *writer) numbers() []int64 {
	w.values = slices.Grow(w.values[:0], w.rows)
	return w.values
}

func (w *writer) texts(name string, d *dict) {
	start := len(w.out)
	w.page = w.page[:0]
	for _, word := range d.words {
		w.page = appendSized(w.page, word)
	}
	w.flush(pageDictionary, len(d.words), encodingPlain)
	width := dictWidth(len(d.words))
	w.pages(kindText, func(i, j int) {
		w.page = appendHybrid(append(w.page, byte(width)), d.codes[i:j], width)
	})
	w.finish(name, kindText, start)
}

// dictWidth is the bits of a code; 1 for a single word, since some readers
// stumble over none.
func dictWidth(words int) int { return max(1, mathbits.Len(uint(max(words, 1)-1))) }

func appendSized(dst []byte, s string) []byte {
	return append(binary.LittleEndian.AppendUint32(dst, uint32(len(s))), s...)
}

func (w *writer) ints(name string, values []int64) {
	start := len(w.out)
	w.pages(kindInt, func(i, j int) { w.page = appendDelta(w.page, values[i:j]) })
	w.finish(name, kindInt, start)
}

func (w *writer) maybes(name string, present []int32, values []int64) {
	start := len(w.out)
	w.pages(kindMaybe, func(i, j int) {
		w.page = append(w.page, 0, 0, 0, 0)
		w.page = appendHybrid(w.page, present[i:j], 1)
		binary.LittleEndian.PutUint32(w.page, uint32(len(w.page)-4))
		n := 0
		for _, p := range present[i:j] {
			n += int(p)
		}
		w.page = appendDelta(w.page, values[:n])
		values = values[n:]
	})
	w.finish(name, kindMaybe, start)
}

func (w *writer) doubles(name string, at func(int) float64) {
	start := len(w.out)
	w.pages(kindDouble, func(i, j int) {
		for ; i < j; i++ {
			w.page = binary.LittleEndian.AppendUint64(w.page, math.Float64bits(at(i)))
		}
	})
	w.finish(name, kindDouble, start)
}

func (w *writer) bools(name string, at func(int) bool) {
	start := len(w.out)
	w.pages(kindBool, func(i, j int) {
		for ; i < j; i += 8 {
			var b byte
			for k := i; k < min(i+8, j); k++ {
				if at(k) {
					b |= 1 << (k - i)
				}
			}
			w.page = append(w.page, b)
		}
	})
	w.finish(name, kindBool, start)
}

func (w *writer) literals(name string, at func(int) string) {
	start := len(w.out)
	for i := 0; i < w.rows; {
		w.page = w.page[:0]
		from := i
		for ; i < w.rows && i-from < pageRows && len(w.page) < pageBytes; i++ {
			w.page = appendSized(w.page, at(i))
		}
		w.flush(pageData, i-from, encodingPlain)
	}
	w.finish(name, kindLiteral, start)
}

// pages cuts the rows into pages; encode appends rows i to j to w.page.
func (w *writer) pages(k kind, encode func(i, j int)) {
	_, encoding := k.storage()
	for i := 0; i < w.rows; i += pageRows {
		j := min(i+pageRows, w.rows)
		w.page = w.page[:0]
		encode(i, j)
		w.flush(pageData, j-i, encoding)
	}
}

// flush writes w.page with its header.
func (w *writer) flush(page, values, encoding int) {
	if len(w.page) > math.MaxInt32 {
		panic("BUG: a ledger page of more than 2 GiB")
	}
	var head, inner fields
	inner.i32(1, values)
	inner.i32(2, encoding)
	head.i32(1, page)
	head.i32(2, len(w.page))
	head.i32(3, len(w.page))
	if page == pageData {
		inner.i32(3, encodingRLE)
		inner.i32(4, encodingRLE)
		head.child(5, inner.end())
	} else {
		head.child(7, inner.end())
	}
	w.out = append(append(w.out, head.end()...), w.page...)
}

// begin starts the file.
func (w *writer) begin() { w.out = append(w.out[:0], magic...) }

// finish notes the chunk that began at start.
func (w *writer) finish(name string, k kind, start int) {
	physical, encoding := k.storage()
	repetition := repetitionRequired
	if k == kindMaybe {
		repetition = repetitionOptional
	}
	var element fields
	element.i32(1, physical)
	element.i32(3, repetition)
	element.text(4, name)
	if k == kindText {
		element.i32(6, convertedUTF8)
		element.child(10, []byte{1<<4 | thriftStruct, 0, 0}) // LogicalType: STRING
	}
	w.elements = append(w.elements, element.end())

	encodings := [][]byte{binary.AppendVarint(nil, int64(encoding))}
	for _, more := range []int{encodingRLE, encodingPlain} {
		if more == encodingRLE && k == kindMaybe || more == encodingPlain && k == kindText {
			encodings = append(encodings, binary.AppendVarint(nil, int64(more)))
		}
	}
	size, first := len(w.out)-start, start
	if k == kindText { // the dictionary page comes first
		first += w.pageSize(start)
	}
	var meta, chunk fields
	meta.i32(1, physical)
	meta.list(2, thriftI32, encodings)
	meta.list(3, thriftBinary, [][]byte{appendBinary(nil, name)})
	meta.i32(4, 0) // no codec
	meta.i64(5, w.rows)
	meta.i64(6, size)
	meta.i64(7, size)
	meta.i64(9, first)
	if k == kindText {
		meta.i64(11, start)
	}
	chunk.i64(2, start)
	chunk.child(3, meta.end())
	w.chunks = append(w.chunks, chunk.end())
}

// pageSize is the size of the page at an offset of w.out, with its header.
func (w *writer) pageSize(at int) int {
	r := reader{b: w.out, at: at}
	head := r.value(thriftStruct, 0)
	return r.at - at + int(head.get(3).n)
}

// close is the whole file, in memory of its own.
func (w *writer) close() []byte {
	size := len(w.out) - len(magic)
	var root, group, version, name, footer fields
	root.text(4, "kerf")
	root.i32(5, len(w.elements))
	group.list(1, thriftStruct, w.chunks)
	group.i64(2, size)
	group.i64(3, w.rows)
	groups := [][]byte{group.end()}
	if w.rows == 0 {
		groups = nil
	}
	version.text(1, "kerf")
	version.text(2, formatName)
	name.text(1, "table")
	name.text(2, w.table)
	footer.i32(1, 2)
	footer.list(2, thriftStruct, append([][]byte{root.end()}, w.elements...))
	footer.i64(3, w.rows)
	footer.list(4, thriftStruct, groups)
	footer.list(5, thriftStruct, [][]byte{version.end(), name.end()})
	footer.text(6, "kerf")
	at := len(w.out)
	w.out = append(w.out, footer.end()...)
	w.out = binary.LittleEndian.AppendUint32(w.out, uint32(len(w.out)-at))
	w.out = append(w.out, magic...)
	return bytes.Clone(w.out)
}

// formatName is the kind and version of a ledger file, in its metadata.
const formatName = "ledger/1"
