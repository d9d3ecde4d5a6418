//go:build linux || darwin || freebsd

package spool

import (
	"cmp"
	"os"
	"syscall"
)

// mapped makes a file without a name in folder, and gives its first bytes, to read;
// what is written to it later shows. As much again must be free for what is written
// beside it.
func mapped(folder string, bytes int) (f *os.File, part []byte, err error) {
	if err = os.MkdirAll(folder, 0o777); err != nil {
		return nil, nil, err
	}
	var disk syscall.Statfs_t
	if err = syscall.Statfs(folder, &disk); err != nil {
		return nil, nil, err
	}
	if int64(disk.Bavail)*int64(disk.Bsize)/2 < int64(bytes) { // a full disk would end the run, memory need not
		return nil, nil, syscall.ENOSPC
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
