package spool

import (
	"math"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TestSpool: texts are what they were, in memory and in parts of a file, and no file
// is left.
func TestSpool(t *testing.T) {
	folder := filepath.Join(t.TempDir(), ".kerf")
	s := New(folder, 10)
	var want, got []string
	buffer := make([]byte, 0, partSize+1)
	for _, text := range []string{"in memory", "x", "", "in the file", strings.Repeat("a part that is full ", partSize/20), "in another", strings.Repeat("y", partSize+1), "end"} {
		want = append(want, text)
		buffer = append(buffer[:0], text...)
		got = append(got, s.Text(buffer))
		for i := range buffer {
			buffer[i] = '?'
		}
	}
	spooled := s.used
	s.end()
	if runtime.GOOS == "linux" && spooled != len("in another")+6+len("end") {
		t.Errorf("%d bytes in the last part", spooled)
	}
	if !slices.Equal(got, want) {
		for i := range got {
			t.Errorf("text %d: %.40q, want %.40q", i, got[i], want[i])
		}
	}
	if left, err := os.ReadDir(folder); err != nil && s.parts != nil || len(left) > 0 {
		t.Errorf("%v in the folder, %v", left, err)
	}
}

// TestLarge: a corpus that is large stays so, however large it gets.
func TestLarge(t *testing.T) {
	s := New(t.TempDir(), 3)
	for i, large := range []bool{false, true, true} {
		if s.Text([]byte("ab")); s.Large() != large {
			t.Errorf("text %d: large %v", i, s.Large())
		}
	}
	s.room = math.MinInt
	if s.Text([]byte("ab")); !s.Large() {
		t.Error("the corpus is small again")
	}
}

// TestSpoolWithoutFolder: where no file can be had, texts stay in memory.
func TestSpoolWithoutFolder(t *testing.T) {
	taken := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(taken, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	s := New(taken, 0)
	for _, text := range []string{"one", "two"} {
		if got := s.Text([]byte(text)); got != text || s.parts != nil {
			t.Errorf("%q, want %q; %d bytes mapped", got, text, len(s.parts))
		}
	}
}

// TestSpoolOnAFullDisk: nor where it cannot be written.
func TestSpoolOnAFullDisk(t *testing.T) {
	s := New(t.TempDir(), 0)
	if s.begin() != nil {
		t.Skip("no mapping on this system")
	}
	writing := s.file
	reading, err := os.Open(os.DevNull) // refuses to be written
	if err != nil {
		t.Fatal(err)
	}
	s.file = reading
	if got := s.Text([]byte("text")); got != "text" || s.used != 0 {
		t.Errorf("%q, %d bytes used", got, s.used)
	}
	s.file = writing
	if got := s.Text([]byte("text")); got != "text" || s.used != 4 {
		t.Errorf("%q, %d bytes used", got, s.used)
	}
	s.end()
	_ = reading.Close()
}

type pair struct {
	a uint64
	b int32
}

// TestSlice: values are what they were, also when their memory has been given back.
func TestSlice(t *testing.T) {
	for _, s := range []*Spool{nil, New(t.TempDir(), 1<<30), New(t.TempDir(), 0)} {
		if got := s.Text([]byte("text")); got != "text" { // and so the third is of a large corpus
			t.Fatal(got)
		}
		var wg sync.WaitGroup
		for worker := range 4 {
			wg.Go(func() {
				var bytes [][]uint8
				var pairs [][]pair
				for n := range 300 {
					b, p := make([]uint8, n), make([]pair, n)
					for i := range n {
						b[i], p[i] = uint8(worker+n+i), pair{uint64(n) << 40, int32(-i - worker)}
					}
					bytes, pairs = append(bytes, Slice(s, b)), append(pairs, Slice(s, p))
					clear(b) // what is written is a copy, where the corpus is large
					if !s.Large() {
						for i := range n {
							b[i] = uint8(worker + n + i)
						}
					}
					s.Passed(window / 100)
					s.Expect(n%3 == worker)
				}
				for n := range 300 {
					for i := range n {
						if bytes[n][i] != uint8(worker+n+i) || pairs[n][i] != (pair{uint64(n) << 40, int32(-i - worker)}) {
							t.Errorf("value %d of %d: %d, %v", i, n, bytes[n][i], pairs[n][i])
							return
						}
					}
				}
			})
		}
		wg.Wait()
		if large := s != nil && s.room < 0; s.Large() != large || runtime.GOOS == "linux" && large != (s != nil && s.parts != nil) {
			t.Errorf("large %v, %v", s.Large(), large)
		}
	}
}

// TestPassed: memory of a mapping is given back when enough was passed.
func TestPassed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("memory is given back on Linux alone")
	}
	s := New(t.TempDir(), 0)
	text := s.Text([]byte(strings.Repeat("0123456789abcdef", window/16)))
	resident := func() int {
		status, err := os.ReadFile("/proc/self/smaps")
		if err != nil {
			t.Skip(err)
		}
		_, rest, _ := strings.Cut(string(status), "tmp-texts-")
		_, rest, _ = strings.Cut(rest, "\nRss:")
		kb, err := strconv.Atoi(strings.Fields(rest)[0])
		if err != nil {
			t.Fatal(err)
		}
		return kb << 10
	}
	if strings.Count(text, "f") != window/16 || resident() < window {
		t.Fatalf("%d bytes resident of %d that were read", resident(), window)
	}
	s.Passed(window - 1)
	if resident() < window {
		t.Errorf("%d bytes resident before the window is passed", resident())
	}
	s.Passed(1)
	if resident() != 0 {
		t.Errorf("%d bytes resident behind the window", resident())
	}
	if strings.Count(text, "f") != window/16 {
		t.Error("the text is another")
	}
}
