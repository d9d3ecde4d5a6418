package ledger

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"math"
	"reflect"
	"slices"
	"sync"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding"
	"github.com/parquet-go/parquet-go/encoding/rle"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Encode is the bytes of a Parquet file of rows, in their order. index is the
// digest of the index manifest that the rows belong to (the run's ID in
// run-level tables); it stands in every row in the place of its Index. Equal
// arguments give equal bytes on every machine.
//
// The file is the one that the library writes, byte for byte: its footer, its
// encodings and its compressor are used, but columns go from the rows into pages
// without buffers between, and what a row has in common with the one before it is
// not copied.
func (t *Table[R]) Encode(index string, rows []R) []byte {
	e := encoders.Get().(*encoder)
	file := e.file(t.form(), index, reflect.ValueOf(rows), pageBytes)
	encoders.Put(e)
	return file
}

// encoders are kept for their memory: nothing of a file stays in one.
var encoders = sync.Pool{New: func() any {
	e := &encoder{}
	e.thrift = thrift.NewEncoder(new(thrift.CompactProtocol).NewWriter(&e.out))
	return e
}}

// packer compresses pages. It is a pool of encoders, which keep nothing from one
// page to the next.
var packer = &zstd.Codec{Level: zstd.SpeedFastest}

const (
	pageBytes = 256 << 10 // from which on a page ends, before it is packed
	pageRows  = 64        // after so many rows the library looks whether it does
)

// form is the footer of a file of one empty row, as the library writes it: the
// schema, and what a column says of itself beside its counts.
func (t *Table[R]) form() *format.FileMetaData {
	t.once.Do(func() {
		b := encodeLibrary(t, make([]R, 1), pageBytes)
		size := binary.LittleEndian.Uint32(b[len(b)-8:])
		t.footer = new(format.FileMetaData)
		if err := thrift.Unmarshal(new(thrift.CompactProtocol), b[len(b)-8-int(size):len(b)-8], t.footer); err != nil {
			panic("BUG: table " + t.name + ": " + err.Error())
		}
	})
	return t.footer
}

// encoder is the memory of Encode.
type encoder struct {
	out    bytes.Buffer // the file
	thrift *thrift.Encoder

	// The page in the making. size is what the library would hold of it.
	rows, nulls, size, texts int
	last                     string // the text before
	prefix, suffix           []int32
	ints                     []int64
	levels                   []byte // of a column with nulls: 1 where there is a value
	plain                    []byte // values as they are; of texts in DELTA_BYTE_ARRAY what is new in each
	page, packed             []byte
}

// file is the file of rows.
func (e *encoder) file(form *format.FileMetaData, index string, rows reflect.Value, pageBytes int) []byte {
	full := int(float64(pageBytes) * 0.98) // as the library reckons
	e.out.Reset()
	e.out.WriteString("PAR1")
	n := rows.Len()
	meta := *form
	meta.NumRows, meta.RowGroups = int64(n), nil
	if n > 0 {
		group := form.RowGroups[0]
		group.Columns = slices.Clone(group.Columns)
		group.NumRows, group.TotalByteSize, group.TotalCompressedSize, group.FileOffset = int64(n), 0, 0, int64(e.out.Len())
		indexes, offsets := make([]format.ColumnIndex, len(group.Columns)), make([]format.OffsetIndex, len(group.Columns))
		for j := range group.Columns {
			c := column{chunk: &group.Columns[j], index: &indexes[j], offset: &offsets[j]}
			c.begin(int64(e.out.Len()))
			for i := range n {
				if j == 0 {
					e.text(&c, index)
				} else {
					e.value(&c, rows.Index(i).Field(j))
				}
				if i == n-1 || (i+1)%pageRows == 0 && e.size >= full {
					e.end(&c, i+1)
				}
			}
			group.TotalByteSize += c.chunk.MetaData.TotalUncompressedSize
			group.TotalCompressedSize += c.chunk.MetaData.TotalCompressedSize
		}
		for j := range indexes {
			c := &group.Columns[j]
			c.ColumnIndexOffset = int64(e.out.Len())
			e.write(&indexes[j])
			c.ColumnIndexLength = int32(int64(e.out.Len()) - c.ColumnIndexOffset)
		}
		for j := range offsets {
			c := &group.Columns[j]
			c.OffsetIndexOffset = int64(e.out.Len())
			e.write(&offsets[j])
			c.OffsetIndexLength = int32(int64(e.out.Len()) - c.OffsetIndexOffset)
		}
		meta.RowGroups = thrift.Slice[format.RowGroup]{group}
	}
	footer := e.out.Len()
	e.write(&meta)
	e.out.Write(binary.LittleEndian.AppendUint32(nil, uint32(e.out.Len()-footer)))
	e.out.WriteString("PAR1")
	return bytes.Clone(e.out.Bytes())
}

// write appends a structure of the format.
func (e *encoder) write(v any) {
	if err := e.thrift.Encode(v); err != nil {
		panic("BUG: " + err.Error())
	}
}

// column is what a file says of one.
type column struct {
	chunk    *format.ColumnChunk
	index    *format.ColumnIndex
	offset   *format.OffsetIndex
	encoding format.Encoding
	optional bool
	bound    []byte // zeros, in the place of every bound
}

// begin clears the counts of the form.
func (c *column) begin(at int64) {
	m := &c.chunk.MetaData
	c.encoding = m.EncodingStats[0].Encoding
	c.optional = len(m.SizeStatistics.DefinitionLevelHistogram) > 0
	switch m.Type {
	case format.Boolean:
		c.bound = make([]byte, 1)
	case format.Int64, format.Double:
		c.bound = make([]byte, 8)
	}
	m.DataPageOffset, m.NumValues, m.TotalUncompressedSize, m.TotalCompressedSize = at, 0, 0, 0
	m.Statistics.NullCount, m.SizeStatistics.UnencodedByteArrayDataBytes = 0, 0
	m.EncodingStats = slices.Clone(m.EncodingStats)
	m.EncodingStats[0].Count = 0
	if c.optional {
		m.SizeStatistics.DefinitionLevelHistogram = make([]int64, 2)
	}
}

// value adds a value of a row to the page.
func (e *encoder) value(c *column, v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		e.text(c, v.String())
		return
	case reflect.Int:
		e.int(v.Int())
	case reflect.Pointer:
		if e.size += 4 + 1; v.IsNil() {
			e.nulls++
			e.levels = append(e.levels, 0)
		} else {
			e.levels = append(e.levels, 1)
			e.int(v.Elem().Int())
		}
	case reflect.Bool:
		if e.rows%8 == 0 {
			e.plain = append(e.plain, 0)
			e.size++
		}
		if v.Bool() {
			e.plain[len(e.plain)-1] |= 1 << (e.rows % 8)
		}
	case reflect.Float64:
		e.plain = binary.LittleEndian.AppendUint64(e.plain, math.Float64bits(v.Float()))
		e.size += 8
	case reflect.Slice:
		switch v := v.Interface().(type) {
		case []byte:
			e.text(c, string(v))
		case List:
			e.text(c, v.text())
		default:
			panic("BUG: a column of slices")
		}
		return
	default:
		panic("BUG: a column of " + v.Kind().String())
	}
	e.rows++
}

func (e *encoder) int(v int64) {
	e.ints = append(e.ints, v)
	e.size += 8
}

// text adds a text to the page.
func (e *encoder) text(c *column, s string) {
	if c.encoding == format.Plain {
		e.plain = append(binary.LittleEndian.AppendUint32(e.plain, uint32(len(s))), s...)
	} else {
		n := len(s)
		if s != e.last { // which is quick where the two are one
			n = common(e.last, s)
			e.plain = append(e.plain, s[n:]...)
			e.last = s
		}
		e.prefix, e.suffix = append(e.prefix, int32(n)), append(e.suffix, int32(len(s)-n))
	}
	e.rows++
	e.texts += len(s)
	e.size += len(s) + 4
}

// common is the length of what both begin with.
func common(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// end writes the page, whose rows end at that of the file.
func (e *encoder) end(c *column, row int) {
	e.page = e.page[:0]
	if c.optional {
		levels, err := (&rle.Encoding{BitWidth: 1}).EncodeLevels(e.packed[:0], e.levels)
		e.must(err)
		e.page = append(binary.LittleEndian.AppendUint32(e.page, uint32(len(levels))), levels...)
		e.packed = levels
	}
	switch c.encoding {
	case format.Plain:
		e.page = append(e.page, e.plain...)
	case format.DeltaBinaryPacked:
		e.deltas(parquet.DeltaBinaryPacked.EncodeInt64(e.packed, e.ints))
	case format.DeltaByteArray:
		e.deltas(parquet.DeltaBinaryPacked.EncodeInt32(e.packed, e.prefix))
		e.deltas(parquet.DeltaBinaryPacked.EncodeInt32(e.packed, e.suffix))
		e.page = append(e.page, e.plain...)
	default:
		panic("BUG: a column in " + c.encoding.String())
	}
	m := &c.chunk.MetaData
	packed := e.page
	if m.Codec == format.Zstd {
		var err error
		packed, err = packer.Encode(e.packed, e.page)
		e.must(err)
		e.packed = packed
	}
	at := e.out.Len()
	e.write(&format.PageHeader{
		Type: format.DataPage, UncompressedPageSize: int32(len(e.page)), CompressedPageSize: int32(len(packed)), CRC: int32(crc32.ChecksumIEEE(packed)),
		DataPageHeader: thrift.New(format.DataPageHeader{NumValues: int32(e.rows), Encoding: c.encoding,
			DefinitionLevelEncoding: format.RLE, RepetitionLevelEncoding: format.RLE}),
	})
	header := e.out.Len() - at
	e.out.Write(packed)

	c.offset.PageLocations = append(c.offset.PageLocations, format.PageLocation{Offset: int64(at), CompressedPageSize: int32(e.out.Len() - at), FirstRowIndex: int64(row - e.rows)})
	m.EncodingStats[0].Count++
	m.NumValues += int64(e.rows)
	m.TotalUncompressedSize += int64(header + len(e.page))
	m.TotalCompressedSize += int64(header + len(packed))
	m.Statistics.NullCount += int64(e.nulls)
	m.SizeStatistics.UnencodedByteArrayDataBytes += int64(e.texts)
	c.index.NullPages = append(c.index.NullPages, e.nulls == e.rows)
	c.index.NullCounts = append(c.index.NullCounts, int64(e.nulls))
	c.index.MinValues, c.index.MaxValues = append(c.index.MinValues, c.bound), append(c.index.MaxValues, c.bound)
	if len(c.index.NullPages) > 1 {
		c.index.BoundaryOrder = format.Ascending // as equal bounds are
	}
	if c.optional {
		h := [2]int64{int64(e.nulls), int64(e.rows - e.nulls)}
		c.index.DefinitionLevelHistogram = append(c.index.DefinitionLevelHistogram, h[:]...)
		m.SizeStatistics.DefinitionLevelHistogram[0] += h[0]
		m.SizeStatistics.DefinitionLevelHistogram[1] += h[1]
	}
	e.rows, e.nulls, e.size, e.texts, e.last = 0, 0, 0, 0, ""
	e.prefix, e.suffix, e.ints, e.levels, e.plain = e.prefix[:0], e.suffix[:0], e.ints[:0], e.levels[:0], e.plain[:0]
}

// deltas appends numbers to the page.
func (e *encoder) deltas(packed []byte, err error) {
	e.must(err)
	e.page = append(e.page, packed...)
	e.packed = packed
}

func (e *encoder) must(err error) {
	if err != nil {
		panic("BUG: " + err.Error())
	}
}

// encodeLibrary is the file of rows as the library writes it.
func encodeLibrary[R any](t *Table[R], rows []R, pageBytes int) []byte {
	schema := t.schema()
	var b bytes.Buffer
	// What a processor or a build could change is left out: bounds of pages and
	// columns, the library's version, and dictionaries, whose pages are others
	// with AVX2 than without.
	w := parquet.NewGenericWriter[R](&b, parquet.DataPageStatistics(false), &parquet.WriterConfig{
		Schema: schema, SkipPageBounds: schema.Columns(), CreatedBy: "kerf", KeyValueMetadata: map[string]string{"kerf": formatName},
		DataPageVersion: 1, PageBufferSize: pageBytes, Compression: packer,
		Encodings: map[parquet.Kind]encoding.Encoding{parquet.ByteArray: &parquet.DeltaByteArray, parquet.Int64: &parquet.DeltaBinaryPacked},
	})
	_, err := w.Write(rows)
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		panic("BUG: table " + t.name + ": " + err.Error())
	}
	return b.Bytes()
}
