package token

import (
	"bufio"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

// shared is the folder of the big sets beside the repository.
func shared(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if parent := filepath.Dir(dir); parent != dir {
			dir = parent
			continue
		}
		t.Fatal("no go.mod above the working directory")
	}
	dir = filepath.Join(dir, "..", "shared")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("shared sets not present: %s", dir)
	}
	return dir
}

// Every file of every set has the ids that tiktoken gives.
func TestReferenceIDs(t *testing.T) {
	dir := shared(t)
	rows, err := os.Open(filepath.Join(dir, "reference", "tokens_tiktoken.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	n := 0
	for lines := bufio.NewScanner(rows); lines.Scan(); n++ {
		var want struct {
			Encoding, Set, File string
			Tokens              int
			IDs                 string `json:"ids_sha256"`
		}
		if err := json.Unmarshal(lines.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(filepath.Join(dir, "data", want.Set, "corpus", want.File))
		if err != nil {
			t.Fatal(err)
		}
		ids := bpe(t, want.Encoding).Encode(string(text))
		var raw []byte
		for _, id := range ids {
			raw = binary.LittleEndian.AppendUint32(raw, id)
		}
		if got := fmt.Sprintf("%x", sha256.Sum256(raw)); got != want.IDs || len(ids) != want.Tokens {
			t.Errorf("%s %s/%s: %d tokens %s, want %d %s", want.Encoding, want.Set, want.File, len(ids), got, want.Tokens, want.IDs)
		}
	}
	if n == 0 {
		t.Error("no rows")
	}
	t.Logf("%d files compared", n)
}

func bpe(t testing.TB, name string) *BPE {
	t.Helper()
	tok, err := Named(name)
	if err != nil {
		t.Fatal(err)
	}
	return tok.(*BPE)
}

// TestVocabularies: written as tiktoken's own files, the vocabularies have the
// digests that tiktoken checks its files by (tiktoken_ext/openai_public.py).
func TestVocabularies(t *testing.T) {
	for _, test := range []struct{ encoding, file, want string }{
		{"cl100k_base", cl100kFile, "223921b76ee99bde995b7ff738513eef100fb51d18c93597a113bcffe865b2a7"},
		{"o200k_base", o200kFile, "446a9538cb6c348e3516120d7c08b09f57c36495e2acfffe59a5bf8b0cfb1a2d"},
	} {
		v := newVocabulary(test.file)
		h := sha256.New()
		for rank := range uint32(len(v.starts) - 1) {
			token := v.bytes(rank)
			if got := v.rank(token, 0, len(token)); got != rank {
				t.Fatalf("%s: token %d %q has rank %d", test.encoding, rank, token, got)
			}
			checkMerges(t, v, token, rank)
			fmt.Fprintf(h, "%s %d\n", base64.StdEncoding.EncodeToString([]byte(token)), rank)
		}
		if got := fmt.Sprintf("%x", h.Sum(nil)); got != test.want {
			t.Errorf("%s: %s, want %s", test.encoding, got, test.want)
		}
	}
}

// checkMerges: merging makes the token of its bytes, by merges of ranks that do not fall, and
// a byte has a lower rank than any of these. Package token relies on it where it
// does not begin with bytes (see vocabulary.split and codePoints).
func checkMerges(t *testing.T, v *vocabulary, token string, rank uint32) {
	t.Helper()
	starts, last := make([]int, len(token)+1), uint32(256)
	for i := range starts {
		starts[i] = i
	}
	for len(starts) > 2 {
		least, at := none, 0
		for i := range len(starts) - 2 {
			if r := v.rankOf(token[starts[i]:starts[i+2]]); r < least {
				least, at = r, i
			}
		}
		if least == none || least < last {
			t.Fatalf("token %d %q has a merge of rank %d after %d", rank, token, least, last)
		}
		starts, last = append(starts[:at+1], starts[at+2:]...), least
	}
	if len(token) > 1 && last != rank {
		t.Fatalf("token %d %q ends with a merge of rank %d", rank, token, last)
	}
}
