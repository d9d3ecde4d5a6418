package ledger

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kerf/internal/stats"
)

func TestBadFiles(t *testing.T) {
	good := Retrieval.Encode(nil, "sha256:feed", hits()[:100])
	twin := general(plain(hits()[:10]))
	for name, b := range map[string][]byte{
		"empty": nil, "short": good[:10], "torn": good[:len(good)/2], "headless": good[1:],
		"another table": Verdict.Encode(nil, "", nil), "not kerf's": twin,
	} {
		if _, _, err := Retrieval.Decode(b); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	// No flipped byte brings a panic; most are errors, and the digest of the
	// object finds the rest.
	for i := range good {
		bad := slices.Clone(good)
		bad[i] ^= 1 << (i % 8)
		Retrieval.Decode(bad)
	}
	for i := range good {
		if _, _, err := Retrieval.Decode(good[:i]); err == nil {
			t.Fatalf("cut at %d of %d: no error", i, len(good))
		}
	}
}

func TestRowsAreBounded(t *testing.T) {
	w := writer{Scratch: new(Scratch), rows: 1 << 30, table: "failure"}
	w.begin()
	if _, _, err := Failure.Decode(w.close()); err == nil || !strings.Contains(err.Error(), "rows in") {
		t.Errorf("a thousand million rows in a few bytes: %v", err)
	}
}

func TestHeadersAreBounded(t *testing.T) {
	footer := func(f []byte) []byte {
		b := append([]byte(magic), f...)
		return append(binary.LittleEndian.AppendUint32(b, uint32(len(f))), magic...)
	}
	for want, f := range map[string][]byte{
		"footer: header nested too deeply": bytes.Repeat([]byte{0x1c}, 1<<20),                // a struct in a struct in a struct …
		"footer: cut short":                {0x19, 0xfc, 0xff, 0xff, 0xff, 0xff, 0x0f, 0},    // 4,294,967,295 structs
		"footer: cut":                      {0x18, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x0f}, // a text of terabytes
		"footer: header field of type 15":  {0x1f},
	} {
		if _, err := open(footer(f)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, got %v", want, err)
		}
	}
}

func TestPagesOfLiteralsAreBounded(t *testing.T) {
	big := strings.Repeat("x", pageBytes/2)
	f, err := open(Unit.Encode(nil, "", []UnitRow{{"a", big}, {"b", big}, {"c", big}}))
	if err != nil {
		t.Fatal(err)
	}
	c, err := f.column("bytes", kindLiteral)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []int{2, 1} {
		if n, body, err := c.page(pageData, encodingPlain); n != want || err != nil {
			t.Errorf("a page of %d texts in %d bytes, %v", n, len(body), err)
		}
	}
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
	f.Add(byte(4), Retrieval.Encode(nil, "i", hits()[:40]))
	f.Add(byte(5), Unit.Encode(nil, "i", units[:2]))
	f.Add(byte(6), Context.Encode(nil, "i", ctx[:30]))
	f.Add(byte(7), Budget.Encode(nil, "i", []BudgetRow{{QID: "a"}, {QID: "b", FullPrompt: stats.Measured(7)}}))
	f.Add(byte(8), Verdict.Encode(nil, "i", make([]VerdictRow, 20)))
	f.Add(byte(0), Query.Encode(nil, "i", []QueryRow{{QID: "a", Within: []string{"x"}}}))
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

// The encodings against values of every width.
func FuzzEncodings(f *testing.F) {
	f.Add(uint64(1), 200, byte(64))
	f.Add(uint64(2), 1, byte(0))
	f.Add(uint64(3), 129, byte(33))
	f.Fuzz(func(t *testing.T, seed uint64, n int, width byte) {
		if n < 0 || n > 2000 {
			return
		}
		rng := rand.New(rand.NewPCG(seed, 0))
		values := make([]int64, n)
		for i := range values {
			values[i] = int64(rng.Uint64() & (1<<(width%65) - 1))
			if seed%5 == 0 && i > 0 && rng.IntN(4) > 0 {
				values[i] = values[i-1] + 3
			}
		}
		got := make([]int64, 0, n)
		err := decodeDelta(appendDelta(nil, values), n, func(_ int, v int64) error { got = append(got, v); return nil })
		if err != nil || !slices.Equal(got, values) {
			t.Fatalf("delta: %v, %v, want %v", err, got, values)
		}
		w := 1 + int(width)%31
		codes := make([]int32, n)
		for i := range codes {
			codes[i] = int32(rng.Uint32() & (1<<w - 1))
			if i > 0 && rng.IntN(int(2+seed%20)) > 0 {
				codes[i] = codes[i-1]
			}
		}
		back := make([]int32, 0, n)
		b := appendHybrid(nil, codes, w)
		size, err := decodeHybrid(b, n, w, func(_, c int) error { back = append(back, int32(c)); return nil })
		if err != nil || !slices.Equal(back, codes) || size != len(b) {
			t.Fatalf("hybrid: %v, %v, want %v", err, back, codes)
		}
	})
}

func TestFloats(t *testing.T) { // RFC 8785, appendix B, and encoding/json as the twin
	for f, want := range map[float64]string{
		0: "0", math.Copysign(0, -1): "0", math.SmallestNonzeroFloat64: "5e-324", math.MaxFloat64: "1.7976931348623157e+308",
		9007199254740992: "9007199254740992", 295147905179352830000: "295147905179352830000", 9.999999999999997e22: "9.999999999999997e+22",
		1e23: "1e+23", 0.000001: "0.000001", 1e-7: "1e-7", 333333333.3333332: "333333333.3333332", 1e21: "1e+21",
	} {
		if got := string(appendFloat(nil, f)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	rng := rand.New(rand.NewPCG(1, 1))
	for range 10000 {
		f := math.Float64frombits(rng.Uint64())
		if want, err := json.Marshal(f); err == nil && string(appendFloat(nil, f)) != string(want) {
			t.Fatalf("%s, want %s", appendFloat(nil, f), want)
		}
	}
}

func TestText(t *testing.T) {
	s := "\x00\x1f\b\t\n\f\r\"\\/<>&\u007f\u2028\U0001F600é\xff"
	want := `"\u0000\u001f\b\t\n\f\r\"\\/<>&` + "\u007f\u2028\U0001F600é\ufffd" + `"`
	if got := string(appendText(nil, s)); got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got := string(appendLiteral(nil, "\xff")); got != `{"base64":"/w=="}` {
		t.Error(got)
	}
}
