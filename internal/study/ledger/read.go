package ledger

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"reflect"
	"runtime/debug"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

// Files are compared with their digest before they are read; still, what a file
// claims is held against its size before the library takes memory for it. What
// its encodings unfold to is the library's to bound.
const (
	maxFooter   = 1 << 16 // bytes
	maxUnpacked = 1 << 28 // bytes of a compressed page
	rowsPerByte = 256     // equal rows are 60 a byte: a page has a header
	rowsFree    = 1 << 16
)

// Decode is the rows of a file, and the index digest they carry ("" if there
// are none). A file that is not a whole and well-formed file of this table is
// an error. Columns that this version does not know are passed over.
func (t *Table[R]) Decode(file []byte) (rows []R, index string, err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a broken file may lead it to memory that is none
	defer func() {
		if broken := recover(); broken != nil { // the library panics at some broken files
			err = fmt.Errorf("%v", broken)
		}
		if err != nil {
			rows, index, err = nil, "", fmt.Errorf("table %s: %w", t.name, err)
		}
	}()
	f, err := t.open(file)
	if err != nil {
		return nil, "", err
	}
	rows = make([]R, f.NumRows())
	r := parquet.NewGenericReader[R](f)
	defer r.Close()
	for n := 0; n < len(rows); {
		m, err := r.Read(rows[n:min(n+256, len(rows))])
		if n += m; n < len(rows) && (err != nil || m == 0) {
			return nil, "", fmt.Errorf("row %d of %d: %w", n+1, len(rows), cmp.Or(err, io.ErrUnexpectedEOF))
		}
	}
	if len(rows) > 0 {
		index = reflect.ValueOf(rows[0]).Field(0).String()
	}
	return rows, index, nil
}

// open opens a file of the table that has its columns and claims no more than
// it can hold.
func (t *Table[R]) open(b []byte) (*parquet.File, error) {
	const tail = 8 // size of the footer, magic
	if len(b) < tail {
		return nil, fmt.Errorf("not a Parquet file (%d bytes)", len(b))
	}
	size := int64(binary.LittleEndian.Uint32(b[len(b)-tail:]))
	if size > min(maxFooter, int64(len(b)-tail)) {
		return nil, fmt.Errorf("a footer of %d bytes in a file of %d", size, len(b))
	}
	var protocol thrift.CompactProtocol
	if err := thrift.Unmarshal(&protocol, b[len(b)-tail-int(size):len(b)-tail], new(struct{})); err != nil {
		return nil, fmt.Errorf("footer: %.200s", err.Error()) // as a list longer than the footer
	}
	f, err := parquet.OpenFile(bytes.NewReader(b), int64(len(b)), parquet.SkipPageIndex(true), parquet.SkipBloomFilters(true))
	if err != nil {
		return nil, err
	}
	if name, _ := f.Lookup("kerf"); name != formatName {
		return nil, fmt.Errorf("not a %s file (it says %q)", formatName, name)
	}
	if f.Schema().Name() != t.name {
		return nil, fmt.Errorf("the file is of table %q", f.Schema().Name())
	}
	schema := t.schema()
	for _, path := range schema.Columns() {
		want, _ := schema.Lookup(path...)
		got, ok := f.Schema().Lookup(path...)
		if !ok || !parquet.EqualNodes(got.Node, want.Node) {
			return nil, fmt.Errorf("column %s is not there as %s", path[0], want.Node)
		}
	}
	m := f.Metadata()
	if m.NumRows < 0 || m.NumRows > rowsFree+rowsPerByte*int64(len(b)) {
		return nil, fmt.Errorf("%d rows in %d bytes", m.NumRows, len(b))
	}
	rows := int64(0)
	for _, g := range m.RowGroups {
		if rows += g.NumRows; g.NumRows < 0 {
			return nil, fmt.Errorf("a row group of %d rows", g.NumRows)
		}
		for _, c := range g.Columns {
			if err := checkPages(b, g.NumRows, &c.MetaData); err != nil {
				return nil, fmt.Errorf("column %v: %w", c.MetaData.PathInSchema, err)
			}
		}
	}
	if rows != m.NumRows {
		return nil, fmt.Errorf("%d rows in row groups of %d", m.NumRows, rows)
	}
	return f, nil
}

// checkPages walks over the pages of a column of so many rows.
func checkPages(b []byte, rows int64, c *format.ColumnMetaData) error {
	if c.Codec != format.Uncompressed && c.Codec != format.Zstd {
		return fmt.Errorf("is compressed with %v", c.Codec)
	}
	at := c.DataPageOffset
	if c.DictionaryPageOffset > 0 {
		at = c.DictionaryPageOffset
	}
	end := at + c.TotalCompressedSize
	if at < 0 || end < at || end > int64(len(b)) {
		return errors.New("lies outside the file")
	}
	var protocol thrift.CompactProtocol
	for at < end {
		var h format.PageHeader
		r := protocol.NewReaderFromBytes(b[at:end])
		if err := thrift.NewDecoder(r).Decode(&h); err != nil {
			return fmt.Errorf("page header: %w", err)
		}
		at += int64(r.BytesRead())
		size, unpacked := int64(h.CompressedPageSize), int64(h.UncompressedPageSize)
		if size < 0 || size > end-at || unpacked != size && (c.Codec == format.Uncompressed || unpacked < 0 || unpacked > maxUnpacked) {
			return fmt.Errorf("a page of %d bytes, %d unpacked, where %d are left", size, unpacked, end-at)
		}
		at += size
		if n := max(h.DataPageHeader.V.NumValues, h.DataPageHeaderV2.V.NumValues, h.DictionaryPageHeader.V.NumValues); int64(n) > rows {
			return fmt.Errorf("a page of %d values in %d rows", n, rows)
		}
	}
	return nil
}
