package ledger

import (
	"bytes"
	"reflect"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/compress/zstd"
	"github.com/parquet-go/parquet-go/encoding"
)

// Encode is the bytes of a Parquet file of rows, in their order. index is the
// digest of the index manifest that the rows belong to (the run's ID in
// run-level tables); it becomes the Index of every row. Equal arguments give
// equal bytes on every machine.
func (t *Table[R]) Encode(index string, rows []R) []byte {
	for v, i := reflect.ValueOf(rows), 0; i < len(rows); i++ {
		v.Index(i).Field(0).SetString(index) // Index
	}
	schema := t.schema()
	var b bytes.Buffer
	// What a processor or a build could change is left out: bounds of pages and
	// columns, the library's version, and dictionaries, whose pages are others
	// with AVX2 than without. A writer is not used again: its Reset (v0.32.0) leaves the
	// columns of the next file without names.
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

// pageBytes is the size from which on a page ends, before it is packed.
const pageBytes = 256 << 10

// packer compresses pages. It is a pool of encoders, which keep nothing from one
// page to the next.
var packer = &zstd.Codec{Level: zstd.SpeedFastest}
