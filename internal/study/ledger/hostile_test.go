package ledger

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"
	"github.com/parquet-go/parquet-go/encoding/thrift"
	"github.com/parquet-go/parquet-go/format"
)

func TestBadFiles(t *testing.T) {
	good := Retrieval.Encode("sha256:feed", hits()[:20])
	for name, b := range map[string][]byte{
		"empty": nil, "short": good[:10], "torn": good[:len(good)/2], "headless": good[1:],
		"another table": Verdict.Encode("", nil), "compressed": foreign([]RetrievalRow{{QID: "a"}}, parquet.Compression(&parquet.Gzip)),
		"not kerf's":       foreign([]RetrievalRow{{QID: "a"}}, parquet.KeyValueMetadata("kerf", "")),
		"a column less":    foreign([]struct{ Index string }{{"a"}}),
		"of other columns": foreign([]UnitRow{{}}),
	} {
		if _, _, err := Retrieval.Decode(b); err == nil || !strings.HasPrefix(err.Error(), "table retrieval: ") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// foreign is a file as another program would write it, of the table retrieval.
func foreign[R any](rows []R, more ...parquet.WriterOption) []byte {
	var b bytes.Buffer
	schema := parquet.NewSchema("retrieval", parquet.SchemaOf(new(R)))
	w := parquet.NewGenericWriter[R](&b, append([]parquet.WriterOption{schema, parquet.KeyValueMetadata("kerf", formatName)}, more...)...)
	_, err := w.Write(rows)
	if err := errors.Join(err, w.Close()); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// Files that another writer made, with a column more, bounds and indexes, and in
// two row groups, are read.
func TestForeignFiles(t *testing.T) {
	type row struct {
		New string `parquet:"new"`
		RetrievalRow
	}
	rows := []row{{"x", RetrievalRow{Index: "i", QID: "a", Start: 7}}, {"y", RetrievalRow{Index: "i", QID: "b", Score: 0.5}}}
	got, index, err := Retrieval.Decode(foreign(rows, parquet.MaxRowsPerRowGroup(1)))
	if err != nil || index != "i" || !slices.Equal(got, []RetrievalRow{rows[0].RetrievalRow, rows[1].RetrievalRow}) {
		t.Errorf("%v, %q, %v", got, index, err)
	}
}

// No flipped byte and no cut brings a panic. Most are errors, and the digest of
// the object finds the rest.
func TestFlippedBytes(t *testing.T) {
	ctx, units := contexts()
	n := 5
	flip(t, Retrieval, hits()[:4])
	flip(t, Context, ctx[:4])
	flip(t, Unit, units[:2])
	flip(t, Budget, []BudgetRow{{QID: "a"}, {QID: "b", FullPrompt: &n}})
	flip(t, Verdict, make([]VerdictRow, 20))
	flip(t, Query, []QueryRow{{QID: "a", Within: List{"x"}}})
	flip(t, PhaseBits, []PhaseBitsRow{{Bits: []byte{1}}})
}

func flip[R any](t *testing.T, table *Table[R], rows []R) {
	good := table.Encode("i", rows)
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 1 << (i % 8)
		table.Decode(bad)
		if _, _, err := table.Decode(good[:i]); err == nil {
			t.Fatalf("%s cut at %d of %d: no error", table.name, i, len(good))
		}
	}
}

// Rows that are all equal are not taken for a lie.
func TestEqualRows(t *testing.T) {
	for n := range 7 {
		n = 1 << (3 * n)
		b := Boundary.Encode("", make([]BoundaryRow, n))
		if rows, _, err := Boundary.Decode(b); err != nil || len(rows) != n {
			t.Errorf("%d of %d rows in %d bytes, %v", len(rows), n, len(b), err)
		}
	}
}

// footed is a file of nothing but a footer.
func footed(f []byte) []byte {
	b := append([]byte("PAR1"), f...)
	return append(binary.LittleEndian.AppendUint32(b, uint32(len(f))), "PAR1"...)
}

func TestClaimsAreBounded(t *testing.T) {
	for name, b := range map[string][]byte{
		"long footer": append(make([]byte, 100), "\xff\xff\xff\x7fPAR1"...),
		"deep":        footed(bytes.Repeat([]byte{0x1c}, maxFooter)), // a struct in a struct in a struct …
		"deeper":      footed(bytes.Repeat([]byte{0x1c}, maxFooter+1)),
		"long list":   footed([]byte{0x29, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x07, 0}), // 2,147,483,647 structs
		"long text":   footed([]byte{0x68, 0xff, 0xff, 0xff, 0xff, 0x07}),          // 2 GiB
		"rows":        claim(func(f *format.FileMetaData) { f.NumRows = 1 << 30 }),
		"group":       claim(func(f *format.FileMetaData) { f.RowGroups[0].NumRows = 1 << 30 }),
		"values":      claim(func(f *format.FileMetaData) { f.NumRows, f.RowGroups[0].NumRows = 9, 9 }),
		"fewer":       claim(func(f *format.FileMetaData) { f.NumRows, f.RowGroups[0].NumRows = 11, 11 }),
		"offset":      claim(func(f *format.FileMetaData) { f.RowGroups[0].Columns[1].MetaData.DictionaryPageOffset = 1 << 40 }),
		"size":        claim(func(f *format.FileMetaData) { f.RowGroups[0].Columns[1].MetaData.TotalCompressedSize = 1 << 40 }),
		"columns":     claim(func(f *format.FileMetaData) { f.RowGroups[0].Columns = f.RowGroups[0].Columns[:3] }),
	} {
		if _, _, err := Retrieval.Decode(b); err == nil {
			t.Errorf("%s: no error", name)
		} else {
			t.Logf("%s: %v", name, err)
		}
	}
}

// claim is a file of ten rows with a changed footer.
func claim(change func(*format.FileMetaData)) []byte {
	b := Retrieval.Encode("i", hits()[:10])
	end := len(b) - 8
	start := end - int(binary.LittleEndian.Uint32(b[end:]))
	var meta format.FileMetaData
	if err := thrift.Unmarshal(new(thrift.CompactProtocol), bytes.Clone(b[start:end]), &meta); err != nil {
		panic(err)
	}
	change(&meta)
	f, err := thrift.Marshal(new(thrift.CompactProtocol), meta)
	if err != nil {
		panic(err)
	}
	return append(binary.LittleEndian.AppendUint32(append(b[:start:start], f...), uint32(len(f))), "PAR1"...)
}

func TestFolder(t *testing.T) {
	dir := t.TempDir()
	write := func(name string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, []byte(name), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	write("verdict/b.parquet")
	write("verdict/a.1of2.parquet")
	files, err := Digests(dir)
	want := map[string]string{}
	for _, name := range []string{"verdict/a.1of2.parquet", "verdict/b.parquet"} {
		want[name] = Object([]byte(name))
	}
	if err != nil || !maps.Equal(files, want) {
		t.Errorf("%v, %v", files, err)
	}
	cells, err := Cells(dir, "verdict")
	none, err2 := Cells(dir, "unit")
	if err != nil || err2 != nil || !slices.Equal(cells, []string{"a.1of2", "b"}) || len(none) > 0 {
		t.Error(cells, none, err, err2)
	}
	for _, stray := range []string{"x.parquet", "verdict/x.json", "verdict/more/x.parquet"} {
		write(stray)
		if _, err := Digests(dir); err == nil || !strings.Contains(err.Error(), "not a file of the ledger") {
			t.Errorf("%s: %v", stray, err)
		}
		if err := os.Remove(filepath.Join(dir, stray)); err != nil {
			t.Fatal(err)
		}
	}
}

func FuzzDecode(f *testing.F) {
	tables := Tables()
	ctx, units := contexts()
	f.Add(byte(4), Retrieval.Encode("i", hits()[:40]))
	f.Add(byte(5), Unit.Encode("i", units[:2]))
	f.Add(byte(6), Context.Encode("i", ctx[:30]))
	f.Add(byte(7), Budget.Encode("i", []BudgetRow{{QID: "a"}, {QID: "b"}}))
	f.Add(byte(8), Verdict.Encode("i", make([]VerdictRow, 20)))
	f.Add(byte(0), Query.Encode("i", []QueryRow{{QID: "a", Within: List{"x"}}}))
	f.Fuzz(func(t *testing.T, table byte, b []byte) {
		var out bytes.Buffer
		if tables[int(table)%len(tables)].WriteJSONL(&out, "c", b) != nil {
			return
		}
		for line := range bytes.Lines(out.Bytes()) {
			if !json.Valid(line) {
				t.Fatalf("%.200q is no JSON", line)
			}
		}
	})
}
