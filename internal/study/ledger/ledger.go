// Package ledger is the facts of a run as flat rows: what was asked, where the
// cuts fell, what was ranked, what was put before the model, byte for byte, and
// how it was judged. Every measure and every report is a function of these rows.
//
// A table has one file per cell, TABLE/CELL.parquet (docs/format/ledger.md); a
// cell is one arm at one phase. Run-level tables have the one cell "run". The
// files are Parquet, but encoded here: equal rows give equal bytes on every
// machine, which no general writer promises (compressors and dictionaries
// differ between processors), and the files are objects named by their digest.
package ledger

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
)

// RunCell is the cell name of the tables that belong to the run as a whole.
const RunCell = "run"

// Table is one kind of row: its name and its columns. Tables are made only by
// this package; they are immutable and safe for use by several goroutines.
type Table[R any] struct {
	name    string
	columns []column[R]
}

// Any is a table of any row type, for callers that go through all of them.
type Any interface {
	Name() string
	Columns() []string
	// WriteJSONL prints the rows of a file as canonical JSON, one a line, each
	// with "table" and "cell" first, then "index" and the columns in order. Each
	// Write to w ends at a line's end.
	WriteJSONL(w io.Writer, cell string, file []byte) error
}

// Name is the table's name, the folder of its files.
func (t *Table[R]) Name() string { return t.name }

// Columns are the names of the columns in order, "index" first.
func (t *Table[R]) Columns() []string {
	names := []string{"index"}
	for _, c := range t.columns {
		names = append(names, c.name)
	}
	return names
}

// Path is the name of the table's file for a cell, below the ledger folder.
func (t *Table[R]) Path(cell string) string { return t.name + "/" + cell + extension }

// Encode is the bytes of a Parquet file of rows, in their order. index is the
// digest of the index manifest that the rows belong to (of the run's manifest
// in run-level tables); it is a column of its own. Equal arguments give equal
// bytes on every machine. Encode keeps nothing of rows; scratch may be nil.
func (t *Table[R]) Encode(scratch *Scratch, index string, rows []R) []byte {
	if scratch == nil {
		scratch = new(Scratch)
	}
	w := writer{Scratch: scratch, rows: len(rows), table: t.name}
	w.begin()
	text("index", func(*R) *string { return &index }).write(&w, rows)
	for _, c := range t.columns {
		c.write(&w, rows)
	}
	return w.close()
}

// Decode is the rows of a file, and the index digest they carry ("" if there
// are none). A file that is not a whole and well-formed file of this table is
// an error. Columns that this version does not know are passed over.
func (t *Table[R]) Decode(file []byte) (rows []R, index string, err error) {
	f, err := open(file)
	if err != nil {
		return nil, "", fmt.Errorf("table %s: %w", t.name, err)
	}
	if f.table != t.name {
		return nil, "", fmt.Errorf("table %s: the file is of table %q", t.name, f.table)
	}
	rows = make([]R, f.rows)
	constant := text("index", func(*R) *string { return &index })
	for _, c := range append([]column[R]{constant}, t.columns...) {
		chunk, err := f.column(c.name, c.kind)
		if err == nil {
			err = c.read(chunk, rows)
		}
		if err != nil {
			return nil, "", fmt.Errorf("table %s: column %s: %w", t.name, c.name, err)
		}
	}
	return rows, index, nil
}

// maxFile is the largest file that is read, in bytes.
const maxFile = 1<<31 - 2

// ReadFile reads a ledger file, refusing what is absurdly large.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(b) > maxFile {
		err = fmt.Errorf("%s: larger than %d bytes", path, maxFile)
	}
	return b, err
}

// Read is Decode of a file on disk.
func (t *Table[R]) Read(path string) (rows []R, index string, err error) {
	b, err := ReadFile(path)
	if err != nil {
		return nil, "", err
	}
	if rows, index, err = t.Decode(b); err != nil {
		return nil, "", fmt.Errorf("%s: %w", path, err)
	}
	return rows, index, nil
}

// Object names some bytes as the ledger does: "sha256:" and 64 hex digits.
func Object(b []byte) string {
	sum := sha256.Sum256(b)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// Digest is the digest of a whole ledger: files has the digest of each file's
// bytes under its name TABLE/CELL.parquet. It is the sha256 of one line per
// file, in the order of the names' bytes: the digest, a space, the name, "\n".
func Digest(files map[string]string) string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	var b strings.Builder
	for _, name := range names {
		b.WriteString(files[name] + " " + name + "\n")
	}
	return Object([]byte(b.String()))
}

// CellName names the cell of an arm at a phase label ("3/8", "control",
// "all-0001"): ARM.3of8. Bytes of the arm that are not safe in a file name
// become %XX.
func CellName(arm, label string) string {
	var b strings.Builder
	for i := range len(arm) {
		c := arm[i]
		safe := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_' || c == '.' && i > 0
		if safe {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "%%%02X", c)
		}
	}
	return b.String() + "." + strings.Replace(label, "/", "of", 1)
}
