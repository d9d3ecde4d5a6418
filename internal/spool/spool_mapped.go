//go:build linux || darwin || freebsd

package spool

import (
	"cmp"
	"os"
	"syscall"
)

// mapped makes a file without a name in folder, and gives its first bytes, to read;
// what is written to it later shows.
func mapped(folder string, bytes int) (f *os.File, part []byte, err error) {
	if err = os.MkdirAll(folder, 0o777); err != nil {
		return nil, nil, err
	}
	if f, err = os.CreateTemp(folder, "tmp-texts-"); err != nil {
		return nil, nil, err
	}
	if err = cmp.Or(os.Remove(f.Name()), f.Truncate(int64(bytes))); err == nil {
		part, err = syscall.Mmap(int(f.Fd()), 0, bytes, syscall.PROT_READ, syscall.MAP_SHARED)
	}
	if err != nil {
		_ = f.Close() // it is gone
		return nil, nil, err
	}
	return f, part, nil
}
