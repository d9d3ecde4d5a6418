package ledger

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// extension of every ledger file.
const extension = ".parquet"

// Digests has the digest of every file of a ledger folder by its name
// TABLE/CELL.parquet, as Digest wants them. Other files are an error: nothing
// of a ledger stands outside of its digest.
func Digests(dir string) (map[string]string, error) {
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		if !d.Type().IsRegular() || strings.Count(name, "/") != 1 || !strings.HasSuffix(name, extension) {
			return fmt.Errorf("%s: not a file of the ledger", path)
		}
		b, err := ReadFile(path)
		files[name] = Object(b)
		return err
	})
	return files, err
}

// Cells are the cells that have a file of the table in a ledger folder, in the
// order of their names' bytes.
func Cells(dir, table string) ([]string, error) {
	entries, err := os.ReadDir(filepath.Join(dir, table))
	if err != nil && !os.IsNotExist(err) {
		return nil, err
	}
	var cells []string
	for _, e := range entries {
		if cell, ok := strings.CutSuffix(e.Name(), extension); ok {
			cells = append(cells, cell)
		}
	}
	return cells, nil
}
