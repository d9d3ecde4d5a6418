package cli

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestSpool: texts are what they were, in memory and in parts of a file, and no file
// is left.
func TestSpool(t *testing.T) {
	folder := filepath.Join(t.TempDir(), ".kerf")
	s := spool{folder: folder, large: 10}
	var want, got []string
	buffer := make([]byte, 0, spoolPart+1)
	for _, text := range []string{"in memory", "x", "", "in the file", strings.Repeat("a part that is full ", spoolPart/20), "in another", strings.Repeat("y", spoolPart+1), "end"} {
		want = append(want, text)
		buffer = append(buffer[:0], text...)
		got = append(got, s.keep(buffer))
		for i := range buffer {
			buffer[i] = '?'
		}
	}
	spooled := s.used
	s.close()
	if runtime.GOOS == "linux" && spooled != len("in another")+len("end") {
		t.Errorf("%d bytes in the last part", spooled)
	}
	if !slices.Equal(got, want) {
		for i := range got {
			t.Errorf("text %d: %.40q, want %.40q", i, got[i], want[i])
		}
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) > 0 {
		t.Errorf("%v in the folder, %v", left, err)
	}
}

// TestSpoolWithoutFolder: where no file can be had, texts stay in memory.
func TestSpoolWithoutFolder(t *testing.T) {
	taken := filepath.Join(t.TempDir(), "file")
	writeTestFile(t, taken, "")
	s := spool{folder: taken}
	for _, text := range []string{"one", "two"} {
		if got := s.keep([]byte(text)); got != text || s.part != nil {
			t.Errorf("%q, want %q; %d bytes mapped", got, text, len(s.part))
		}
	}
}

// TestSpoolOnAFullDisk: nor where it cannot be written.
func TestSpoolOnAFullDisk(t *testing.T) {
	s := spool{folder: t.TempDir()}
	if s.begin() != nil {
		t.Skip("no mapping on this system")
	}
	writing := s.file
	reading, err := os.Open(os.DevNull) // refuses to be written
	if err != nil {
		t.Fatal(err)
	}
	s.file = reading
	if got := s.keep([]byte("text")); got != "text" || s.used != 0 {
		t.Errorf("%q, %d bytes used", got, s.used)
	}
	s.file = writing
	if got := s.keep([]byte("text")); got != "text" || s.used != 4 {
		t.Errorf("%q, %d bytes used", got, s.used)
	}
	s.close()
	_ = reading.Close()
}
