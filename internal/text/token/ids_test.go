package token

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// rows calls check with each line of the files.
func rows[R any](t *testing.T, pattern string, check func(t *testing.T, place string, row R)) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, name := range files {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		lines := bufio.NewScanner(file)
		lines.Buffer(nil, 1<<24)
		for n := 1; lines.Scan(); n++ {
			var row R
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatalf("%s:%d: %v", name, n, err)
			}
			check(t, fmt.Sprintf("%s:%d", name, n), row)
		}
	}
}

// The texts of testdata/ids are adversarial: emoji families, flags, line ends and
// blanks of all kinds, 300 blanks, scripts without spaces, right to left, marks
// without a letter, control look-alikes, every contraction, numbers of many
// scripts, astral letters, code points that are not assigned, and some put together
// at random. Their ids are those of tiktoken 0.14.
func TestIDs(t *testing.T) {
	type row struct {
		Text   string
		CL100k []uint32 `json:"cl100k_base"`
		O200k  []uint32 `json:"o200k_base"`
	}
	rows(t, "testdata/ids/*.jsonl", func(t *testing.T, place string, row row) {
		for name, want := range map[string][]uint32{"cl100k_base": row.CL100k, "o200k_base": row.O200k} {
			if got := bpe(t, name).Encode(row.Text); !slices.Equal(got, want) {
				t.Errorf("%s: %s %q\n got %v\nwant %v", place, name, row.Text, got, want)
			}
		}
	})
}

// The pieces of testdata/pieces come from tiktoken's patterns in a regular
// expression engine: most wrong pieces have the right ids.
func TestPieces(t *testing.T) {
	type row struct {
		Text   string
		CL100k []string `json:"cl100k_base"`
		O200k  []string `json:"o200k_base"`
	}
	rows(t, "testdata/pieces/*.jsonl", func(t *testing.T, place string, row row) {
		for name, want := range map[string][]string{"cl100k_base": row.CL100k, "o200k_base": row.O200k} {
			var got []string
			for p := 0; p < len(row.Text); {
				end := bpe(t, name).piece(row.Text, p)
				got = append(got, row.Text[p:end])
				p = end
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %s %q\n got %q\nwant %q", place, name, row.Text, got, want)
			}
		}
	})
}
