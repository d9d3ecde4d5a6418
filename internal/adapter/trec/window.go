package trec

import (
	"bytes"
	"errors"
	"io"
	"unicode/utf8"
)

// window is a moving view of a file: whole lines of it.
type window struct {
	text  []byte // whole lines; the last one of the file may lack its "\n"
	at    int    // the first byte of text that has not been read
	free  int    // what stands before it in text is not needed again
	clean bool   // all text so far was UTF-8 without NUL
	err   error  // a failure of the source

	src   io.Reader
	first int    // bytes of buf at first
	buf   []byte // text, and behind it the beginning of a line
	have  int    // bytes of buf that are of the file
	ended bool
}

// firstWindow is large enough for most queries and small enough for a cache.
const firstWindow = 128 << 10

func (w *window) open(src io.Reader, size int, whole bool) {
	w.src, w.clean = src, true
	w.buf = make([]byte, min(size+1, w.first))
	if whole {
		w.buf = make([]byte, size+1) // one more: a read that finds the end
	}
}

// skip leaves out the first n bytes of the file.
func (w *window) skip(n int) {
	w.buf, w.text, w.have = w.buf[n:], w.text[n:], w.have-n
}

// more brings at least one further line into text, and reports whether there is
// one. The places of lines move with it.
func (w *window) more(lines []line) bool {
	for !w.ended && w.err == nil {
		if w.free > 0 {
			w.have = copy(w.buf, w.buf[w.free:w.have])
			for i := range lines {
				lines[i].at -= uint32(w.free)
			}
			w.at, w.free = w.at-w.free, 0
		}
		if w.have == len(w.buf) {
			w.buf = append(w.buf, make([]byte, len(w.buf))...)
		}
		n, err := io.ReadFull(w.src, w.buf[w.have:])
		w.have += n
		w.ended = errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
		if err != nil && !w.ended {
			w.err = err
			return false
		}
		end := w.have
		if !w.ended {
			end = bytes.LastIndexByte(w.buf[:w.have], '\n') + 1
		}
		w.text = w.buf[:end]
		if w.at < end {
			unread := w.text[w.at:]
			w.clean = w.clean && utf8.Valid(unread) && bytes.IndexByte(unread, 0) < 0
			return true
		}
	}
	return false
}
