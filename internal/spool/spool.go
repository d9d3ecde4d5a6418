// Package spool keeps what a large corpus needs in files instead of in memory.
//
// Texts, and the tables that are made of them once, are written to files without
// names and mapped from there: the system takes back the memory of what is not in
// use and reads it again when it is. A spool is gone with the process, which never
// gives a mapping back. Where a file cannot be had or written, things stay in memory.
package spool

import (
	"os"
	"sync"
	"sync/atomic"
	"unsafe"
)

// Spool is where a corpus lies. A nil one is memory. It is safe for concurrent use.
type Spool struct {
	folder string

	mu     sync.Mutex
	room   int      // bytes of texts that still stay in memory; negative: the corpus is large
	parts  [][]byte // mapped
	file   *os.File // of the last part
	used   int      // bytes of it
	passed atomic.Int64
}

const (
	// Large is how many bytes of texts make a corpus large.
	Large = 16 << 20

	partSize = 64 << 20 // every text and table fits in
	window   = 32 << 20 // of texts that were read in passing; then their memory is given back
	align    = 8        // of values
)

// Around is how much of a file comes into memory with one byte of it.
const Around = 64 << 10

// New is a spool of a corpus that is large where its texts are more than so many
// bytes. Its files are made in folder, in which none is seen.
func New(folder string, large int) *Spool { return &Spool{folder: folder, room: large} }

// Text is content as a string that does not depend on it.
func (s *Spool) Text(content []byte) string {
	if s == nil {
		return string(content)
	}
	s.mu.Lock()
	if s.room >= 0 { // else it would end below the least int
		s.room -= len(content)
	}
	large := s.room < 0
	s.mu.Unlock()
	if large {
		if b, ok := s.write(content); ok {
			return unsafe.String(unsafe.SliceData(b), len(b))
		}
	}
	return string(content)
}

// Large reports whether the corpus is large.
func (s *Spool) Large() bool {
	if s == nil {
		return false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.room < 0
}

// Slice is values, of a type without pointers and never written again, in the
// spool if the corpus is large.
func Slice[T any](s *Spool, values []T) []T {
	if len(values) == 0 || !s.Large() {
		return values
	}
	size := int(unsafe.Sizeof(values[0]))
	b, ok := s.write(unsafe.Slice((*byte)(unsafe.Pointer(&values[0])), len(values)*size))
	if !ok {
		return values
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b[0])), len(values))
}

// write writes content and gives it as it is mapped.
func (s *Spool) write(content []byte) (b []byte, ok bool) {
	if len(content) == 0 || len(content) > partSize {
		return nil, false
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.used = (s.used + align - 1) / align * align
	if s.file == nil || len(content) > partSize-s.used {
		if s.begin() != nil {
			return nil, false
		}
	}
	if _, err := s.file.WriteAt(content, int64(s.used)); err != nil {
		return nil, false // a full disk
	}
	b = s.parts[len(s.parts)-1][s.used:][:len(content):len(content)]
	s.used += len(content)
	return b, true
}

// begin opens another part.
func (s *Spool) begin() error {
	s.end()
	f, part, err := mapped(s.folder, partSize)
	if err != nil {
		return err
	}
	s.file, s.parts = f, append(s.parts, part)
	return nil
}

// end is the end of the part at hand; what is mapped stays.
func (s *Spool) end() {
	if s.file != nil {
		_ = s.file.Close() // nothing is expected of it any more
	}
	s.file, s.used = nil, 0
}

// Passed tells that so many bytes of texts were read, or what was made of them,
// and will not be soon again. Now and then it gives the memory of all that is
// mapped back to the system; who still needs some of it finds it there, later.
func (s *Spool) Passed(bytes int) {
	if s == nil {
		return
	}
	n := s.passed.Add(int64(bytes))
	if n/window == (n-int64(bytes))/window {
		return
	}
	s.mu.Lock()
	parts := s.parts
	s.mu.Unlock()
	for _, p := range parts {
		forget(p)
	}
}

// Expect tells whether what comes reads here and there, or in order as at first. Of
// two who tell different things the last is believed; it only saves reading.
func (s *Spool) Expect(scattered bool) {
	if s == nil {
		return
	}
	s.mu.Lock()
	parts := s.parts
	s.mu.Unlock()
	for _, p := range parts {
		expect(p, scattered)
	}
}
