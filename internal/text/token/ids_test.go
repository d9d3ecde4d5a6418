package token

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

// The texts of testdata/ids are adversarial: emoji families, line ends of all
// kinds, 300 blanks, scripts without spaces, right to left, marks without a
// letter, control look-alikes, every contraction. Their ids are those of
// tiktoken 0.14.
func TestIDs(t *testing.T) {
	files, err := filepath.Glob("testdata/ids/*.jsonl")
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
			var row struct {
				Text   string
				CL100k []uint32 `json:"cl100k_base"`
				O200k  []uint32 `json:"o200k_base"`
			}
			if err := json.Unmarshal(lines.Bytes(), &row); err != nil {
				t.Fatalf("%s:%d: %v", name, n, err)
			}
			if got := bpe(t, "cl100k_base").Encode(row.Text); !slices.Equal(got, row.CL100k) {
				t.Errorf("%s:%d: cl100k_base %q\n got %v\nwant %v", name, n, row.Text, got, row.CL100k)
			}
			if got := bpe(t, "o200k_base").Encode(row.Text); !slices.Equal(got, row.O200k) {
				t.Errorf("%s:%d: o200k_base %q\n got %v\nwant %v", name, n, row.Text, got, row.O200k)
			}
		}
	}
}
