//go:build linux || darwin || freebsd

package spool

import (
	"os"
	"syscall"
)

// mapped is the first bytes of a file, to read; what is written to it later shows.
func mapped(f *os.File, bytes int) ([]byte, error) {
	return syscall.Mmap(int(f.Fd()), 0, bytes, syscall.PROT_READ, syscall.MAP_SHARED)
}
