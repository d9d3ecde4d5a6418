package cli

import (
	"cmp"
	"os"
	"unsafe"
)

// spool gives the texts of a corpus their place in memory. Those of a large one
// are written to a file in folder and mapped from there: the system takes back
// the memory of what is not in use and reads it again when it is. The file has no
// name any more when the first text is in it, so that a text is what was read and
// verified, whatever becomes of the document's own file; it is gone with the
// process, which never gives the mapping back. Where the file cannot be had, the
// texts stay in memory.
type spool struct {
	folder string
	large  int // bytes of texts that stay in memory at all events

	file *os.File // of the part at hand
	part []byte   // mapped
	used int      // bytes of it
}

const (
	spoolFrom = 32 << 20 // where a corpus is large
	spoolPart = 64 << 20 // corpus.MaxText fits in
)

// keep is content as a string that does not depend on it.
func (s *spool) keep(content []byte) string {
	if s.large -= len(content); s.large >= 0 || len(content) == 0 || len(content) > spoolPart {
		return string(content)
	}
	if len(content) > len(s.part)-s.used && s.begin() != nil {
		return string(content)
	}
	if _, err := s.file.WriteAt(content, int64(s.used)); err != nil {
		return string(content) // a full disk
	}
	at := s.part[s.used:][:len(content)]
	s.used += len(content)
	return unsafe.String(&at[0], len(at))
}

// begin opens another part.
func (s *spool) begin() (err error) {
	s.close()
	if err = os.MkdirAll(s.folder, 0o777); err != nil {
		return err
	}
	if s.file, err = os.CreateTemp(s.folder, "tmp-texts-"); err != nil {
		return err
	}
	if err = cmp.Or(os.Remove(s.file.Name()), s.file.Truncate(spoolPart)); err == nil {
		s.part, err = mapped(s.file, spoolPart)
	}
	if err != nil {
		s.close()
	}
	return err
}

// close is the end of writing; what is mapped stays.
func (s *spool) close() {
	if s.file != nil {
		_ = s.file.Close() // nothing is expected of it any more
	}
	s.file, s.part, s.used = nil, nil, 0
}
