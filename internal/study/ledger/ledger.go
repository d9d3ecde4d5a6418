// Package ledger is the facts of a run as flat rows: what was asked, where the
// cuts fell, what was ranked, what was put before the model, byte for byte, and
// how it was judged. Every measure and every report is a function of these rows.
//
// A table has one file per cell, TABLE/CELL.parquet (docs/format/ledger.md); a
// cell is one arm at one phase. Run-level tables have the one cell "run". The
// files are Parquet, written so that equal rows give equal bytes on every
// machine: they are objects named by their digest.
package ledger

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// RunCell is the cell name of the tables that belong to the run as a whole.
const RunCell = "run"

// Table is one kind of row: R's fields are the columns, Index the first. Tables
// are made only by this package; they are immutable and safe for use by several
// goroutines.
type Table[R any] struct{ name string }

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
	var names []string
	for _, path := range t.schema().Columns() {
		names = append(names, path[0])
	}
	return names
}

func (t *Table[R]) schema() *parquet.Schema {
	return parquet.NewSchema(t.name, parquet.SchemaOf(new(R)))
}

// Path is the name of the table's file for a cell, below the ledger folder.
func (t *Table[R]) Path(cell string) string { return t.name + "/" + cell + extension }

// formatName is the kind and version of a ledger file, in its metadata.
const formatName = "ledger/1"

// maxFile is the largest file that is read, in bytes.
const maxFile = 1<<31 - 2

// ReadFile reads a ledger file, refusing what is absurdly large.
func ReadFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var b bytes.Buffer
	if s, err := f.Stat(); err == nil {
		b.Grow(int(min(s.Size(), maxFile)) + bytes.MinRead) // as much as is read at last, to see the end
	}
	_, err = b.ReadFrom(io.LimitReader(f, maxFile+1))
	if err == nil && b.Len() > maxFile {
		err = fmt.Errorf("%s: larger than %d bytes", path, maxFile)
	}
	return b.Bytes(), err
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
