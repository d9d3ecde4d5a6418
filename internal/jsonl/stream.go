package jsonl

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"kerf/internal/finding"
)

// ParseStream is ParseFile for a file that is larger than memory: it holds one
// line at a time. It calls read for every line that is not empty, with the
// offset of the line's first byte in r. A line that could not be read has no
// Value, and found says why. Raw is other bytes when read has returned; what
// Value holds stays, but for its offsets. The findings that ParseStream returns
// are about the file as a whole, and its error is r's.
func ParseStream(file string, r io.Reader, read func(at int64, l *Line, found finding.List)) (finding.List, error) {
	return parseStream(file, bufio.NewReaderSize(r, 64<<10), MaxLine, read)
}

func parseStream(file string, in *bufio.Reader, most int, read func(int64, *Line, finding.List)) (finding.List, error) {
	first, err := in.Peek(len(byteOrderMark) + 2)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	skip, found := begin(file, first)
	if found.Errors() > 0 {
		return found, nil
	}
	if _, err := in.Discard(skip); err != nil {
		panic("BUG: bytes that were peeked at are gone: " + err.Error())
	}
	lines := lineReader{in: in, most: most}
	at := int64(skip)
	for number := 1; ; number++ {
		raw, size, err := lines.next()
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if len(bytes.TrimLeft(raw, " \t")) > 0 {
			if size > most {
				l := &Line{File: file, Number: number}
				read(at, l, finding.List{l.long(size, most)})
			} else {
				l, bad := Parse(file, number, raw)
				read(at, l, bad)
			}
		}
		if err != nil {
			return found, nil
		}
		at += lines.read
	}
}

// lineReader reads lines and holds at most one, and most bytes of it.
type lineReader struct {
	in   *bufio.Reader
	most int
	held []byte // a line that is longer than the buffer of in
	read int64  // bytes of the last line with its break
}

// next is the next line without its break, and its length. Of a line longer than
// most bytes it is some bytes that are blank where the line is.
func (s *lineReader) next() (raw []byte, size int, err error) {
	raw, err = s.in.ReadSlice('\n')
	s.read = int64(len(raw))
	gone := 0
	if errors.Is(err, bufio.ErrBufferFull) {
		s.held = s.held[:0]
		for {
			s.held = append(s.held, raw...)
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
			if len(s.held) > s.most+len("\r\n") { // what still matters is whether it is blank, and its end
				short := bytes.TrimLeft(s.held, " \t")
				gone += len(s.held) - min(len(short), 2)
				if len(short) > 2 {
					short = append(short[:1], short[len(short)-1])
				}
				s.held = s.held[:copy(s.held, short)]
			}
			raw, err = s.in.ReadSlice('\n')
			s.read += int64(len(raw))
		}
		raw = s.held
	}
	raw = bytes.TrimSuffix(bytes.TrimSuffix(raw, []byte("\n")), []byte("\r"))
	return raw, gone + len(raw), err
}

// long is the finding of a line of so many bytes.
func (l *Line) long(size, most int) finding.Finding {
	return l.Finding(0, finding.Finding{Code: CodeLong, Message: "the line is too long",
		Expected: fmt.Sprintf("at most %d bytes", most), Found: fmt.Sprintf("%d bytes", size)})
}
