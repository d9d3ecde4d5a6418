package jsonl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"

	"kerf/internal/finding"
)

// parsed is what a reader of lines says of one.
type parsed struct {
	at     int64
	number int
	value  string // as it is written, "" for none
	found  finding.List
}

// parseWhole is the twin of parseStream, with the whole file in memory.
func parseWhole(content []byte, most int) (lines []parsed, found finding.List) {
	found = EachLine("f", content, func(number int, raw []byte) {
		l, bad := &Line{File: "f", Number: number}, finding.List(nil)
		if len(raw) > most {
			bad = finding.List{l.long(len(raw), most)}
		} else {
			l, bad = Parse("f", number, raw)
		}
		at := int64(cap(content) - cap(raw))
		lines = append(lines, parsed{at, number, written(l), bad})
	})
	return lines, found
}

func written(l *Line) string {
	if l.Value == nil {
		return ""
	}
	return string(l.Raw[l.Value.At:l.Value.End])
}

func streamed(content []byte, most int) (lines []parsed, found finding.List, err error) {
	in := bufio.NewReaderSize(iotest.HalfReader(bytes.NewReader(content)), 16) // bytes, the least there is
	found, err = parseStream("f", in, most, func(at int64, l *Line, bad finding.List) {
		lines = append(lines, parsed{at, l.Number, written(l), bad})
	})
	return lines, found, err
}

func sameAsWhole(t *testing.T, content []byte, most int) {
	t.Helper()
	want, whole := parseWhole(content, most)
	got, found, err := streamed(content, most)
	if err != nil || !reflect.DeepEqual(found, whole) || !reflect.DeepEqual(got, want) {
		t.Fatalf("%q, at most %d bytes a line:\n%+v %v %v\nwant\n%+v %v", content, most, got, found, err, want, whole)
	}
}

var streamParts = []string{"\n", "\r\n", "\r", " ", "\t", "{}", `{"a":1}`, `"text that is longer than the buffer, ä"`, "7", "\uFEFF", "\xff\xfe", "\xfe\xff", "\xff", "{", strings.Repeat(" ", 40), strings.Repeat("\r", 3)}

// A line at a time reads what the whole file reads, wherever buffers end.
func TestStreamIsTheWholeFile(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	for range 10_000 {
		var b strings.Builder
		for range r.IntN(9) {
			b.WriteString(streamParts[r.IntN(len(streamParts))])
		}
		sameAsWhole(t, []byte(b.String()), []int{1, 2, 20, 40, 1000}[r.IntN(5)])
	}
}

func FuzzStream(f *testing.F) {
	for i := range streamParts {
		f.Add([]byte(streamParts[i]+streamParts[(i+5)%len(streamParts)]+"\n"+streamParts[(i+7)%len(streamParts)]), uint8(3*i))
	}
	f.Fuzz(func(t *testing.T, content []byte, most uint8) { sameAsWhole(t, content, int(most)) })
}

// A line above the limit is not held, and its length is said.
func TestStreamDoesNotHoldALongLine(t *testing.T) {
	const most, size = 1 << 10, 1 << 24
	in := lineReader{in: bufio.NewReaderSize(io.LimitReader(endless('x'), size), 16), most: most}
	if raw, n, err := in.next(); len(raw) == 0 || n != size || !errors.Is(err, io.EOF) || cap(in.held) > 2*most {
		t.Errorf("%d bytes, %d of them held, %v", n, cap(in.held), err)
	}
}

type endless byte

func (c endless) Read(p []byte) (int, error) {
	return copy(p, bytes.Repeat([]byte{byte(c)}, len(p))), nil
}

// An error in the midst is an error, at the first byte and after any other.
func TestStreamOfAFileThatCannotBeRead(t *testing.T) {
	bad := fmt.Errorf("no such luck")
	for n := range 30 {
		r := io.MultiReader(io.LimitReader(strings.NewReader("{}\n\"text that is longer\"\n"), int64(n)), iotest.ErrReader(bad))
		if _, err := ParseStream("f", r, func(int64, *Line, finding.List) {}); !errors.Is(err, bad) {
			t.Errorf("after %d bytes: %v", n, err)
		}
	}
}
