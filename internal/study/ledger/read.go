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
	"slices"

	"github.com/go-json-experiment/json"
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
// an error. Columns that this version does not know are passed over. Where columns
// are named, the others, and the index digest, are left empty unread.
func (t *Table[R]) Decode(file []byte, columns ...string) (rows []R, index string, err error) {
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
	v := reflect.ValueOf(rows)
	for j, name := range t.Columns() {
		if len(columns) > 0 && !slices.Contains(columns, name) {
			continue
		}
		leaf, _ := f.Schema().Lookup(name) // open has found it
		from := 0
		for _, g := range f.RowGroups() {
			to := from + int(g.NumRows())
			if err := readColumn(g.ColumnChunks()[leaf.ColumnIndex], v.Slice(from, to), j); err != nil {
				return nil, "", fmt.Errorf("column %s: %w", name, err)
			}
			from = to
		}
	}
	if len(rows) > 0 {
		index = v.Index(0).Field(0).String()
	}
	return rows, index, nil
}

// readColumn reads a column into the field of rows.
func readColumn(c parquet.ColumnChunk, rows reflect.Value, field int) error {
	pages := c.Pages()
	defer pages.Close()
	values := make([]parquet.Value, 256)
	row, last := 0, ""
	for {
		page, err := pages.ReadPage()
		if err == io.EOF && row == rows.Len() {
			return nil
		}
		if err != nil {
			return fmt.Errorf("row %d of %d: %w", row+1, rows.Len(), cmp.Or(err, io.ErrUnexpectedEOF))
		}
		for reader := page.Values(); ; {
			n, err := reader.ReadValues(values)
			if row+n > rows.Len() {
				return fmt.Errorf("more than %d rows", rows.Len())
			}
			for _, value := range values[:n] {
				if err := setField(rows.Index(row).Field(field), value, &last); err != nil {
					return fmt.Errorf("row %d: %w", row+1, err)
				}
				row++
			}
			if err == io.EOF {
				break
			}
			if err != nil || n == 0 {
				return fmt.Errorf("row %d of %d: %w", row+1, rows.Len(), cmp.Or(err, io.ErrNoProgress))
			}
		}
		parquet.Release(page)
	}
}

// setField sets a field of a row. last is the text before: equal ones are one.
func setField(f reflect.Value, v parquet.Value, last *string) error {
	switch f.Kind() {
	case reflect.String:
		if b := v.ByteArray(); string(b) != *last {
			*last = string(b)
		}
		f.SetString(*last)
	case reflect.Int:
		if f.OverflowInt(v.Int64()) {
			return fmt.Errorf("the number %d", v.Int64())
		}
		f.SetInt(v.Int64())
	case reflect.Pointer:
		if v.IsNull() {
			return nil
		}
		f.Set(reflect.New(f.Type().Elem()))
		return setField(f.Elem(), v, last)
	case reflect.Bool:
		f.SetBool(v.Boolean())
	case reflect.Float64:
		f.SetFloat(v.Double())
	case reflect.Slice:
		if list, ok := f.Addr().Interface().(*List); ok {
			return json.Unmarshal(v.ByteArray(), list)
		}
		f.SetBytes(bytes.Clone(v.ByteArray()))
	default:
		panic("BUG: a column of " + f.Kind().String())
	}
	return nil
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
